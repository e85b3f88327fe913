"""Counting set measures: units of gold, keys of the system.

A gold unit is one mention (within one group) with the set of keys that its links make
acceptable; a system unit is one key. Units with equal sets collapse, as sets do, so one key may
speak for several mentions; under the policy ``duplicates=count`` each system mention is a unit of
measures with spans, of which one can be right.

For recall, a gold unit is found when the system has one of its keys. For precision, a system unit
is right when a maximum one-to-one matching pairs it with a gold unit; of measures whose keys have
no span, when any gold unit accepts it. Without alternatives both are the size of the intersection
of two sets of keys.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from elcurate.match.matching import Edges, match_units
from elcurate.match.numbering import Bools, Ints
from elcurate.measures.prepared import Prepared, SpanSet, first_of_each

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Counts:
    """What a score is made of, per group (one group when there is no grouping).

    Attributes:
        gold: Gold units; with memberships the sum of their weights.
        system: System units.
        tp: System units that are right.
        recall_tp: Gold units that are found; with memberships the sum of their weights.
    """

    gold: Floats
    system: Floats
    tp: Floats
    recall_tp: Floats

    @property
    def columns(self) -> Floats:
        """All four, a column for each group."""
        return np.array([self.gold, self.system, self.tp, self.recall_tp])


def count(
    prepared: Prepared,
    chosen: Bools | None = None,
    spans: SpanSet | None = None,
    weights: Floats | None = None,
) -> Counts:
    """Counts the units of one slice.

    Args:
        prepared: The measure's rows.
        chosen: Which gold rows are in the slice (None: all).
        spans: The spans on which system rows count (None: all); those of the gold.
        weights: Membership of each gold row, in [0, 1].
    """
    tally = _Tally(prepared.groups)
    allowed = None
    if spans is None or not prepared.has_span or prepared.groups > 1:
        allowed = None if spans is None else spans.marked[prepared.system_span]
        places = prepared.system_units(allowed)
        tally.system += np.bincount(prepared.system_group[places], minlength=prepared.groups)
    else:
        tally.system += prepared.system_per_span[spans.places].sum()
    found = prepared.found if allowed is None else _found(prepared, allowed)
    crisp = weights is None and found is prepared.found
    if crisp and prepared.plain is not None:
        unit, hit = prepared.plain
        tally.gold += np.count_nonzero(unit if chosen is None else unit & chosen)
        tally.tp += np.count_nonzero(hit if chosen is None else hit & chosen)
        tally.recall_tp += tally.tp
    else:
        kept = _kept(prepared, chosen, ~prepared.tangled if prepared.any_tangled else None)
        _count_plain(tally, prepared, kept, found, weights)
    if prepared.any_tangled:
        kept = _kept(prepared, chosen, prepared.tangled)
        _count_tangled(tally, prepared, kept, found, weights)
    return Counts(tally.gold, tally.system, tally.tp, tally.recall_tp)


class _Tally:
    def __init__(self, groups: int) -> None:
        self.gold, self.system, self.tp, self.recall_tp = np.zeros((4, groups))

    def add(self, group: Ints, found: Bools, weight: Floats | None, won: Floats | None) -> None:
        size = len(self.gold)
        self.gold += np.bincount(group, weight, minlength=size)
        gained = None if won is None else won[found]
        self.recall_tp += np.bincount(group[found], gained, minlength=size)

    def add_right(self, group: Ints) -> None:
        self.tp += np.bincount(group, minlength=len(self.tp))


def _kept(prepared: Prepared, chosen: Bools | None, among: Bools | None) -> Ints:
    """The places, in code order, of the chosen rows."""
    if chosen is None:
        return np.arange(len(prepared.gold_rows)) if among is None else np.flatnonzero(among)
    kept = chosen[prepared.gold_rows]
    return np.flatnonzero(kept if among is None else kept & among)


def _found(prepared: Prepared, allowed: Bools) -> Bools:
    """Whether the allowed system rows have each gold row's code."""
    size = max(prepared.gold_code.max(initial=-1), prepared.system_code.max(initial=-1)) + 1
    present = np.zeros(int(size), dtype=bool)
    present[prepared.system_code[allowed]] = True
    return present[prepared.gold_code]


def _count_plain(
    tally: _Tally, prepared: Prepared, kept: Ints, found: Bools, weights: Floats | None
) -> None:
    """Units that accept one code, which no tangled unit accepts."""
    if not len(kept):
        return
    values = prepared.gold_code[kept]
    starts = np.flatnonzero(np.diff(values, prepend=-1))
    places = kept[starts]
    best = None
    if weights is not None:
        best = np.maximum.reduceat(weights[prepared.gold_rows[kept]], starts)
    group = prepared.gold_group[places]
    tally.add(group, found[places], best, best)
    tally.add_right(group[found[places]])


def _count_tangled(
    tally: _Tally, prepared: Prepared, kept: Ints, found: Bools, weights: Floats | None
) -> None:
    if not len(kept):
        return
    crisp = weights is None
    edges = Edges(
        unit=prepared.gold_unit[kept],
        key=prepared.gold_code[kept],
        weight=np.ones(len(kept)) if weights is None else weights[prepared.gold_rows[kept]],
        present=found[kept],
    )
    units = match_units(edges)
    group = prepared.gold_group[kept[units.row]]
    tally.add(group, units.found, None if crisp else units.weight, None if crisp else units.won)
    if prepared.has_span:
        tally.add_right(group[units.paired])
    else:
        present = kept[found[kept]]
        right = present[first_of_each(prepared.gold_code[present])]
        tally.add_right(prepared.gold_group[right])
