"""Measures of partial overlap: how much of each mention the other side's mentions cover."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from elcurate.match.encode import Pair, Side
from elcurate.match.numbering import Bools, Ints, dense
from elcurate.measures.assignment import Floats
from elcurate.measures.base import Measure, codes_of
from elcurate.measures.prepared import SpanSet, counted_rows
from elcurate.measures.sets import Counts

_CHUNK = 1 << 22
"""How many pairs of mentions are looked at at a time."""


@dataclass(frozen=True)
class Intervals:
    """Mentions of one side: those of equal place (the key without the span) can overlap."""

    place: Ints
    begin: Ints
    end: Ints
    group: Ints

    def kept(self, rows: Bools | Ints) -> Intervals:
        """Some of them."""
        return Intervals(self.place[rows], self.begin[rows], self.end[rows], self.group[rows])


def count_overlaps(
    pair: Pair,
    measure: Measure,
    chosen: Bools | None = None,
    spans: SpanSet | None = None,
    groups: tuple[Ints, Ints] | None = None,
    meeting: str = "all",
) -> Counts:
    """Counts mentions by the share of their length that the other side covers.

    Every mention counts, equal ones too. The filter applies to both sides alike.

    Args:
        pair: Gold and system.
        measure: A measure of overlap.
        chosen: Which gold rows are in the slice (None: all).
        spans: The spans on which system rows count (None: all).
        groups: Group numbers of the rows of both sides, or None.
        meeting: The policy ``pairs``.
    """
    rest = tuple(key for key in measure.keys if key != "span")
    places = codes_of(("docid", *(key for key in rest if key != "docid")), pair)
    none = np.zeros(len(pair.gold), dtype=np.int64), np.zeros(len(pair.system), dtype=np.int64)
    numbers = groups or none
    gold_rows, system_rows = counted_rows(pair, measure, chosen, spans)
    gold = _intervals(pair.gold, places[0], numbers[0]).kept(gold_rows)
    system = _intervals(pair.system, places[1], numbers[1]).kept(system_rows)
    size = int(max(part.max(initial=0) for part in numbers)) + 1
    recall, precision = measure.aggregator.removeprefix("overlap-")[:3], measure.aggregator[-3:]

    def summed(own: Intervals, values: Floats | None = None) -> Floats:
        return np.bincount(own.group, values, minlength=size).astype(np.float64)

    if meeting == "sweep":
        right, found = covered_in_sweep(system, gold, precision, recall)
    else:
        right, found = covered(system, gold, precision), covered(gold, system, recall)
    return Counts(
        gold=summed(gold),
        system=summed(system),
        tp=summed(system, right),
        recall_tp=summed(gold, found),
    )


def covered(own: Intervals, others: Intervals, how: str) -> Floats:
    """The share of each mention that the others of its place and group cover.

    Args:
        own: The mentions.
        others: What covers them.
        how: ``max``, by the one that covers most; or ``sum``, by all of them together.
    """
    length = own.end - own.begin
    if not len(length) or not len(others.begin):
        return np.zeros(len(length))
    at, where = _places(own, others)
    part = (_by_one if how == "max" else _by_all)(own, at, others, where)
    return np.where(length > 0, part / np.maximum(length, 1), 0.0)


def covered_in_sweep(
    system: Intervals, gold: Intervals, precision: str, recall: str
) -> tuple[Floats, Floats]:
    """`covered` of both sides, by the pairs that neleval 3.1.1 looks at.

    It walks both lists, ordered by (begin, -end), from their ends, and drops the later of the two
    last mentions after comparing them; so of nested mentions some pairs never meet.
    """
    pairs = _met(system, gold)
    found = []
    for own, others, how, (rows, columns) in (
        (system, gold, precision, pairs),
        (gold, system, recall, pairs[::-1]),
    ):
        one = np.zeros(len(rows), dtype=np.int64)
        apart = Intervals(rows, others.begin[columns], others.end[columns], one)
        each = np.arange(len(own.begin))
        alone = Intervals(each, own.begin, own.end, np.zeros(len(each), dtype=np.int64))
        found.append(covered(alone, apart, how))
    return found[0], found[1]


def _met(system: Intervals, gold: Intervals) -> tuple[Ints, Ints]:
    rows, columns = [], []
    sides = list(zip((system, gold), _places(system, gold), strict=True))
    orders = [np.lexsort((-side.end, side.begin, place)).tolist() for side, place in sides]
    keys = [
        list(zip(place.tolist(), side.begin.tolist(), (-side.end).tolist(), strict=True))
        for side, place in sides
    ]
    ours, theirs = orders
    while ours and theirs:
        one, other = keys[0][ours[-1]], keys[1][theirs[-1]]
        if one[0] == other[0] and one[1] < -other[2] and other[1] < -one[2]:
            rows.append(ours[-1])
            columns.append(theirs[-1])
        (ours if one > other else theirs).pop()
    return np.array(rows, dtype=np.int64), np.array(columns, dtype=np.int64)


def _places(own: Intervals, others: Intervals) -> tuple[Ints, Ints]:
    """One number per place and group, for both sides."""
    if not len(own.begin) or not len(others.begin):
        return own.place, others.place
    place = np.concatenate([own.place, others.place])
    group = np.concatenate([own.group, others.group])
    both = dense(dense(place) * (int(group.max()) + 1) + group)
    return both[: len(own.begin)], both[len(own.begin) :]


def _by_all(own: Intervals, at: Ints, others: Intervals, where: Ints) -> Ints:
    """Characters covered by the union of the others, from its length up to each offset."""
    low, reach = _axis(own, others)
    begin, end = where * reach + others.begin - low, where * reach + others.end - low
    order = np.argsort(begin, kind="stable")
    begin, end = begin[order], end[order]
    furthest = np.maximum.accumulate(end)
    start = np.append(True, begin[1:] > furthest[:-1])
    heads = np.flatnonzero(start)
    tails = np.append(heads[1:] - 1, len(begin) - 1)
    first, last = begin[heads], furthest[tails]
    before = np.concatenate([[0], np.cumsum(last - first)])

    def up_to(offset: Ints) -> Ints:
        number = np.searchsorted(first, offset, side="right")
        inside = np.maximum(number - 1, 0)
        beyond = np.minimum(offset, last[inside]) - last[inside]
        return before[number] + np.where(number > 0, beyond, 0)

    shift = at * reach - low
    found: Ints = up_to(own.end + shift) - up_to(own.begin + shift)
    return found


def _by_one(own: Intervals, at: Ints, others: Intervals, where: Ints) -> Ints:
    """Characters shared with the one of the others that shares most."""
    low, reach = _axis(own, others)
    begin, end = where * reach + others.begin - low, where * reach + others.end - low
    order = np.argsort(begin, kind="stable")
    begin, end = begin[order], end[order]
    furthest = np.maximum.accumulate(end)
    ours, theirs = own.begin + at * reach - low, own.end + at * reach - low
    first = np.searchsorted(furthest, ours, side="right")
    count = np.maximum(np.searchsorted(begin, theirs, side="left") - first, 0)
    best = np.zeros(len(ours), dtype=np.int64)
    cuts = np.searchsorted(np.cumsum(count), np.arange(_CHUNK, int(count.sum()), _CHUNK))
    for rows in np.split(np.arange(len(ours)), np.unique(cuts)):
        number = count[rows]
        row = np.repeat(rows, number)
        step = np.arange(len(row)) - np.repeat(np.cumsum(number) - number, number)
        other = first[row] + step
        shared = np.minimum(theirs[row], end[other]) - np.maximum(ours[row], begin[other])
        np.maximum.at(best, row, shared)
    return best


def _axis(own: Intervals, others: Intervals) -> tuple[int, int]:
    """The lowest offset, and a stretch of axis that is longer than any place needs."""
    low = min(int(own.begin.min()), int(others.begin.min()))
    high = max(int(own.end.max()), int(others.end.max()))
    return low, high - low + 1


def _intervals(side: Side, place: Ints, group: Ints) -> Intervals:
    return Intervals(place, side.begin, side.end, group)
