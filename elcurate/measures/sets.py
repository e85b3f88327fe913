"""Counting set measures: units of gold, keys of the system, one-to-one matching.

A gold unit is one mention (within one group) with the set of keys that its links make
acceptable; a system unit is one key. Units with equal sets collapse, as sets do. The number of
true positives is that of a maximum one-to-one matching of units with keys they accept. Without
alternatives this is the size of the intersection of two sets of keys.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from elcurate.match.encode import Bools, Ints, Pair, combine
from elcurate.match.matching import Edges, match_units
from elcurate.measures.base import FILTERS, KEYS, Measure, codes_of

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Counts:
    """What a score is made of, per group (one group when there is no grouping).

    Attributes:
        gold: Gold units; with memberships the sum of their weights.
        system: System units.
        tp: Matched units (crisp).
        recall_tp: With memberships the sum of the weights of what was matched, else ``tp``.
    """

    gold: Floats
    system: Floats
    tp: Floats
    recall_tp: Floats

    def total(self) -> Counts:
        """The sum over all groups, as one group."""
        return Counts(
            *(np.array([part.sum()]) for part in (self.gold, self.system, self.tp, self.recall_tp))
        )


@dataclass
class Prepared:
    """A measure applied to one pair: rows that count, by key, before any slice is taken."""

    pair: Pair
    gold_rows: Ints
    gold_code: Ints
    gold_unit: Ints
    gold_group: Ints
    tangled: Bools
    system_code: Ints
    system_span: Ints
    system_group: Ints
    groups: int
    found: Bools


def prepare(pair: Pair, measure: Measure, groups: tuple[Ints, Ints] | None = None) -> Prepared:
    """Sorts the rows of a pair by the measure's key.

    Args:
        pair: Gold and system.
        measure: A set measure.
        groups: Group numbers of the rows of both sides (-1: in no group), or None.
    """
    sides = (pair.gold, pair.system)
    codes = codes_of(measure.keys, sides)
    units = pair.gold.mention
    if groups is not None:
        both = combine(np.concatenate(codes), np.concatenate(groups))
        codes = both[: len(units)], both[len(units) :]
        units = combine(units, groups[0])
    rows = []
    for side, part in zip(sides, (0, 1), strict=True):
        kept = np.ones(len(side), dtype=bool)
        if measure.filter is not None:
            kept &= FILTERS[measure.filter][0](side)
        if groups is not None:
            kept &= groups[part] >= 0
        found = np.flatnonzero(kept)
        rows.append(found[np.argsort(codes[part][found], kind="stable")])
    gold, system = rows
    gold_code, system_code = codes[0][gold], codes[1][system]
    size = int(max(gold_code.max(initial=-1), system_code.max(initial=-1))) + 1
    present = np.zeros(size, dtype=bool)
    present[system_code] = True
    several = any(KEYS[key].of_link for key in measure.keys)
    none = np.zeros(1, dtype=np.int64)
    number = groups or (none.repeat(len(pair.gold)), none.repeat(len(pair.system)))
    return Prepared(
        pair=pair,
        gold_rows=gold,
        gold_code=gold_code,
        gold_unit=units[gold],
        gold_group=number[0][gold],
        tangled=_tangled(units[gold], gold_code, size) if several else np.zeros(len(gold), bool),
        system_code=system_code,
        system_span=pair.system.span[system],
        system_group=number[1][system],
        groups=1 if groups is None else int(max(part.max(initial=-1) for part in groups)) + 1,
        found=present[gold_code],
    )


def count(
    prepared: Prepared,
    chosen: Bools | None = None,
    restricted: bool = False,
    weights: Floats | None = None,
) -> Counts:
    """Counts the units of one slice.

    Args:
        prepared: The measure's rows.
        chosen: Which gold rows are in the slice (None: all).
        restricted: Whether only system rows on spans of the slice's gold count.
        weights: Membership of each gold row, in [0, 1].
    """
    rows = prepared.gold_rows
    kept = np.ones(len(rows), dtype=bool) if chosen is None else chosen[rows]
    allowed = _allowed(prepared, chosen) if restricted else None
    found = prepared.found
    if allowed is not None:
        present = np.zeros(int(prepared.system_code.max(initial=-1)) + 1, dtype=bool)
        present[prepared.system_code[allowed]] = True
        inside = prepared.gold_code < len(present)
        found = np.zeros(len(rows), dtype=bool)
        found[inside] = present[prepared.gold_code[inside]]
    weight = None if weights is None else weights[rows]
    counts = _Tally(prepared.groups)
    _count_plain(counts, prepared, kept & ~prepared.tangled, found, weight)
    if prepared.tangled.any():
        _count_tangled(counts, prepared, kept & prepared.tangled, found, weight)
    system = _distinct(prepared.system_code, allowed)
    counts.system += np.bincount(prepared.system_group[system], minlength=prepared.groups)
    return Counts(counts.gold, counts.system, counts.tp, counts.recall_tp)


class _Tally:
    def __init__(self, groups: int) -> None:
        self.gold, self.system, self.tp, self.recall_tp = np.zeros((4, groups))

    def add(self, group: Ints, matched: Bools, weight: Floats | None, won: Floats | None) -> None:
        size = len(self.gold)
        self.gold += np.bincount(group, weight, minlength=size)
        self.tp += np.bincount(group[matched], minlength=size)
        gained = None if won is None else won[matched]
        self.recall_tp += np.bincount(group[matched], gained, minlength=size)


def _allowed(prepared: Prepared, chosen: Bools | None) -> Bools:
    """The system rows on spans of the chosen gold, whatever the measure's filter."""
    spans = prepared.pair.gold.span
    marked = np.zeros(prepared.pair.spans, dtype=bool)
    marked[spans if chosen is None else spans[chosen]] = True
    return marked[prepared.system_span]


def _distinct(codes: Ints, kept: Bools | None) -> Ints:
    """The places of the first kept row of each code; codes are sorted."""
    places = np.arange(len(codes)) if kept is None else np.flatnonzero(kept)
    values = codes[places]
    first = np.ones(len(values), dtype=bool)
    first[1:] = values[1:] != values[:-1]
    return places[first]


def _count_plain(
    counts: _Tally, prepared: Prepared, kept: Bools, found: Bools, weight: Floats | None
) -> None:
    """Units that accept one key which no tangled unit accepts."""
    places = _distinct(prepared.gold_code, kept)
    best = None
    if weight is not None and len(places):
        starts = np.searchsorted(np.flatnonzero(kept), places)
        best = np.maximum.reduceat(weight[kept], starts)
    counts.add(prepared.gold_group[places], found[places], best, best)


def _count_tangled(
    counts: _Tally, prepared: Prepared, kept: Bools, found: Bools, weight: Floats | None
) -> None:
    places = np.flatnonzero(kept)
    if not len(places):
        return
    edges = Edges(
        unit=prepared.gold_unit[places],
        key=prepared.gold_code[places],
        weight=np.ones(len(places)) if weight is None else weight[places],
        present=found[places],
    )
    units = match_units(edges)
    crisp = weight is None
    counts.add(
        prepared.gold_group[places][units.row],
        units.matched,
        None if crisp else units.weight,
        None if crisp else units.won,
    )


def _tangled(unit: Ints, code: Ints, size: int) -> Bools:
    """The rows of units that accept several keys, and of units that share a key with those."""
    if not len(unit):
        return np.zeros(0, dtype=bool)
    low = np.full(int(unit.max()) + 1, size, dtype=np.int64)
    high = np.full(int(unit.max()) + 1, -1, dtype=np.int64)
    np.minimum.at(low, unit, code)
    np.maximum.at(high, unit, code)
    several: Bools = low[unit] != high[unit]
    if not several.any():
        return several
    shared = np.zeros(size, dtype=bool)
    shared[code[several]] = True
    return shared[code]
