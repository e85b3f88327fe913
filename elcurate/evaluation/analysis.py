"""Error analysis: every gold mention and every prediction of a system in one class.

The classes are those of Hachey, Nothman and Radford (ACL 2014) and of their tools, on exact spans.
A mention without any link counts as NIL.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from elcurate.match.encode import Pair, Side
from elcurate.match.matching import matched, same_sets
from elcurate.match.numbering import Bools, Ints, combine, dense
from elcurate.measures.base import codes_of
from elcurate.measures.prepared import SpanSet

Kind = Literal[
    "missing",
    "extra",
    "wrong-link",
    "link-as-nil",
    "nil-as-link",
    "correct-link",
    "correct-nil",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
ERRORS: tuple[Kind, ...] = KINDS[:5]
_MISSING, _EXTRA, _WRONG, _LINK_AS_NIL, _NIL_AS_LINK, _LINK, _NIL = range(len(KINDS))


@dataclass(frozen=True)
class Instances:
    """Gold mentions and predictions, paired and classed; by document, begin and -end.

    Attributes:
        kind: Places in `KINDS`.
        gold: The first row of the gold mention among the gold of the pair; -1 for extra ones.
        system: The row of the prediction; -1 for missing ones.
        of_gold: For each gold row of the pair its instance; -1 for rows that don't count.
    """

    kind: Ints
    gold: Ints
    system: Ints
    of_gold: Ints

    def __len__(self) -> int:
        return len(self.kind)

    def values(self, gold: Ints, system: Ints) -> Ints:
        """A value of each instance, from those of the rows: the gold's if there is a gold row."""
        found = np.zeros(len(self), dtype=np.int64)
        has_gold = self.gold >= 0
        found[has_gold] = gold[self.gold[has_gold]]
        found[~has_gold] = system[self.system[~has_gold]]
        return found


def classify(
    pair: Pair, rows: Bools | None = None, *, restricted: bool = False, last: bool = False
) -> Instances:
    """Pairs the mentions of each span, right ones first, and classes them.

    As in set measures, mentions of one span with equal links are one, and so are equal
    predictions. The others of a span are paired so that as many as possible are right, and what
    is left in the order of the files.

    Args:
        pair: Gold and system.
        rows: The gold rows that count (None: all).
        restricted: Whether only predictions on the spans of these rows count.
        last: Whether only the last mention of a span counts on each side.
    """
    gold = np.arange(len(pair.gold)) if rows is None else np.flatnonzero(rows)
    system = np.arange(len(pair.system))
    if restricted:
        system = np.flatnonzero(SpanSet(pair, rows).marked[pair.system.span])
    if last:
        gold, system = _last(pair.gold, gold), _last(pair.system, system)
    accepted, said = codes_of(("span", "kbid"), pair)
    system = system[np.sort(np.unique(said[system], return_index=True)[1])]
    unit, first = _units(pair.gold.mention[gold], accepted[gold])
    first = gold[first]
    right = _right(unit, accepted[gold], said[system], len(first))
    partner = _with_the_rest(right, pair.gold.span[first], pair.system.span[system])
    both = partner >= 0
    answer = np.full(len(first), -1)
    answer[both] = system[partner[both]]
    extra = np.delete(system, partner[both])
    named = np.zeros(len(first), dtype=bool)
    named[unit[pair.gold.linked[gold]]] = True
    linked = both & np.append(pair.system.linked, False)[answer]
    kind = np.select(
        [~both, right >= 0, linked & ~named, ~linked & named],
        [_MISSING, np.where(linked, _LINK, _NIL), _NIL_AS_LINK, _LINK_AS_NIL],
        _WRONG,
    )
    of_gold = np.full(len(pair.gold), -1)
    of_gold[gold] = unit
    found = Instances(
        np.append(kind, np.full(len(extra), _EXTRA)),
        np.append(first, np.full(len(extra), -1)),
        np.append(answer, extra),
        of_gold,
    )
    return _sorted(found, pair)


def _last(side: Side, rows: Ints) -> Ints:
    """The rows of the last mention of each span."""
    last = np.full(int(side.span.max(initial=-1)) + 1, -1)
    np.maximum.at(last, side.span[rows], side.mention[rows])
    kept: Ints = rows[side.mention[rows] == last[side.span[rows]]]
    return kept


def _units(mention: Ints, accepted: Ints) -> tuple[Ints, Ints]:
    """The unit of each row, in the order of their first rows, and these."""
    if not len(mention):
        return mention, mention
    _, first, unit = np.unique(
        same_sets(dense(mention), accepted), return_index=True, return_inverse=True
    )
    order = np.argsort(first)
    return np.argsort(order)[unit], first[order]


def _right(unit: Ints, accepted: Ints, said: Ints, units: int) -> Ints:
    """The place of a prediction that each unit accepts, one for each if possible; -1 for none.

    Args:
        unit, accepted: Units and the codes that they accept.
        said: The codes of the predictions, no two alike.
        units: How many units there are.
    """
    place = np.full(int(max(accepted.max(initial=-1), said.max(initial=-1))) + 1, -1)
    place[said] = np.arange(len(said))
    hit = place[accepted]
    unit, hit = unit[hit >= 0], hit[hit >= 0]
    right = np.full(units, -1)
    right[unit] = hit
    contested = (np.bincount(unit)[unit] > 1) | (np.bincount(hit)[hit] > 1)
    if contested.any():
        rest = unit[contested]
        right[np.unique(rest)] = matched(rest, hit[contested])
    return right


def _with_the_rest(right: Ints, gold: Ints, said: Ints) -> Ints:
    """The partners of the units, those that have none getting what is left on their span.

    Args:
        right: The place of each unit's right prediction, or -1.
        gold, said: The spans of units and predictions.
    """
    partner = right.copy()
    left = np.flatnonzero(right < 0)
    over = np.delete(np.arange(len(said)), right[right >= 0])
    turn, turns = _turns(gold[left]), _turns(said[over])
    size = int(max(turn.max(initial=0), turns.max(initial=0))) + 1
    _, ours, theirs = np.intersect1d(
        gold[left] * size + turn, said[over] * size + turns, assume_unique=True, return_indices=True
    )
    partner[left[ours]] = over[theirs]
    return partner


def _turns(span: Ints) -> Ints:
    """The number of each element among those of its span, from 0."""
    order = np.argsort(span, kind="stable")
    ordered = span[order]
    turns = np.zeros(len(span), dtype=np.int64)
    turns[order] = np.arange(len(span)) - np.searchsorted(ordered, ordered)
    return turns


def _sorted(found: Instances, pair: Pair) -> Instances:
    doc, begin, end = (
        found.values(getattr(pair.gold, name), getattr(pair.system, name))
        for name in ("doc", "begin", "end")
    )
    order = np.lexsort((found.system, found.gold, -end, begin, doc))
    place = np.empty(len(order) + 1, dtype=np.int64)
    place[order], place[-1] = np.arange(len(order)), -1
    return Instances(
        found.kind[order], found.gold[order], found.system[order], place[found.of_gold]
    )


@dataclass(frozen=True)
class Errors:
    """What instances have in common, however often.

    Attributes:
        place: The first instance of each.
        times: How often it occurs.
    """

    place: Ints
    times: Ints


def distinct(found: Instances, pair: Pair) -> Errors:
    """Each combination of class, document, accepted entities and predicted entity once."""
    document = found.values(pair.gold.doc, pair.system.doc)
    links = combine(*_links(found, pair))
    return _grouped(combine(combine(document, links), found.kind))


def confusions(found: Instances, pair: Pair, places: Ints) -> Errors:
    """The pairs of accepted and predicted entities in wrong links, the most frequent first.

    Args:
        found: Instances.
        pair: The rows that they name.
        places: Those that count.
    """
    wrong = places[found.kind[places] == _WRONG]
    accepted, said = _links(found, pair)
    errors = _grouped(combine(accepted[wrong], said[wrong]))
    order = np.lexsort((errors.place, -errors.times))
    return Errors(wrong[errors.place[order]], errors.times[order])


def _links(found: Instances, pair: Pair) -> tuple[Ints, Ints]:
    """Numbers of the accepted and the predicted entities of each instance; -1 for none."""
    accepted = np.full(len(found), -1)
    rows = np.flatnonzero(found.of_gold >= 0)
    if len(rows):
        place = found.of_gold[rows]
        accepted[place] = same_sets(dense(place), pair.gold.kbid[rows] + 1)
    said = np.append(pair.system.kbid + 1, -1)[found.system]
    return accepted, said


def _grouped(codes: Ints) -> Errors:
    """The first place of each code, in order, and how often it occurs."""
    _, place, times = np.unique(codes, return_index=True, return_counts=True)
    order = np.argsort(place)
    return Errors(place[order], times[order])
