"""The rows of a pair by a measure's key, sorted once for all slices and groups."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from elcurate.match.encode import Pair, Side
from elcurate.match.numbering import Bools, Ints, combine
from elcurate.measures.base import FILTERS, KEYS, Measure, codes_of, passing


@dataclass
class Prepared:
    """A measure applied to one pair, before any slice is taken; rows are sorted by code.

    Attributes:
        pair: Gold and system.
        has_span: Equal codes imply equal spans.
        gold_rows: The gold rows that the measure's filter lets through.
        gold_code: Their codes.
        gold_unit: Their units.
        gold_group: Their groups.
        tangled: Whether their unit accepts several codes, or shares a code with such a unit.
        found: Whether the system has their code.
        system_code, system_span, system_group: Of the system rows that pass the filter.
        groups: How many groups there are.
        repeated: Whether every system row is a unit, not only the first of each code.
    """

    pair: Pair
    has_span: bool
    gold_rows: Ints
    gold_code: Ints
    gold_unit: Ints
    gold_group: Ints
    tangled: Bools
    found: Bools
    system_code: Ints
    system_span: Ints
    system_group: Ints
    groups: int
    repeated: bool = False

    @cached_property
    def any_tangled(self) -> bool:
        """Whether a unit accepts several codes."""
        return bool(self.tangled.any())

    @cached_property
    def plain(self) -> tuple[Bools, Bools] | None:
        """Per gold row of the pair, whether it is a unit by itself, and whether it is found.

        None unless every plain row has a code of its own, so that rows can be counted.
        """
        codes = self.gold_code[~self.tangled]
        if self.groups > 1 or (codes[1:] == codes[:-1]).any():
            return None
        unit, hit = np.zeros((2, len(self.pair.gold)), dtype=bool)
        unit[self.gold_rows] = ~self.tangled
        hit[self.gold_rows] = self.found & ~self.tangled
        return unit, hit

    @cached_property
    def system_per_span(self) -> Ints:
        """How many system units each span has, for measures whose codes have spans."""
        return np.bincount(self.system_span[self.system_units()], minlength=self.pair.spans)

    def system_units(self, allowed: Bools | None = None) -> Ints:
        """The places of the system rows that count as units, among those allowed (None: all)."""
        if not self.repeated:
            return first_of_each(self.system_code, allowed)
        return np.arange(len(self.system_code)) if allowed is None else np.flatnonzero(allowed)


def prepare(
    pair: Pair,
    measure: Measure,
    groups: tuple[Ints, Ints] | None = None,
    duplicates: str = "collapse",
) -> Prepared:
    """Sorts the rows of a pair by the measure's key.

    Args:
        pair: Gold and system.
        measure: A set measure.
        groups: Group numbers of the rows of both sides, or None.
        duplicates: The policy, which concerns measures whose keys have spans.
    """
    codes = codes_of(measure.keys, pair)
    units = pair.gold.mention
    none = np.zeros(len(pair.gold), dtype=np.int64), np.zeros(len(pair.system), dtype=np.int64)
    numbers = groups or none
    if groups is not None:
        both = combine(np.concatenate(codes), np.concatenate(groups))
        codes = both[: len(units)], both[len(units) :]
        units = combine(units, groups[0])
    gold, system = (
        _sorted_rows(measure, side, part)
        for side, part in zip((pair.gold, pair.system), codes, strict=True)
    )
    gold_code, system_code = codes[0][gold], codes[1][system]
    size = int(max(gold_code.max(initial=-1), system_code.max(initial=-1))) + 1
    present = np.zeros(size, dtype=bool)
    present[system_code] = True
    several = any(KEYS[key].of_link for key in measure.keys)
    unit = units[gold]
    return Prepared(
        pair=pair,
        has_span=measure.has_span,
        gold_rows=gold,
        gold_code=gold_code,
        gold_unit=unit,
        gold_group=numbers[0][gold],
        tangled=_tangled(unit, gold_code, size) if several else np.zeros(len(gold), dtype=bool),
        found=present[gold_code],
        system_code=system_code,
        system_span=pair.system.span[system],
        system_group=numbers[1][system],
        groups=int(max(part.max(initial=0) for part in numbers)) + 1,
        repeated=duplicates == "count" and measure.has_span,
    )


class SpanSet:
    """Some of the spans of a pair.

    Attributes:
        marked: Per span, whether it is one of them.
        places: Their numbers.
    """

    def __init__(self, pair: Pair, chosen: Bools | None) -> None:
        self.marked = np.zeros(pair.spans, dtype=bool)
        self.marked[pair.gold.span if chosen is None else pair.gold.span[chosen]] = True
        self.places = np.flatnonzero(self.marked)


def counted_rows(
    pair: Pair, measure: Measure, chosen: Bools | None, spans: SpanSet | None
) -> tuple[Ints, Ints]:
    """The rows of gold and system that count, one a mention: of the gold its first link.

    Args:
        pair: Gold and system.
        measure: Its filter chooses among the rows.
        chosen: Which gold rows are in the slice (None: all).
        spans: The spans on which system rows count (None: all).
    """
    gold = passing(measure, pair.gold) & pair.gold.top
    if chosen is not None:
        gold &= chosen
    system = passing(measure, pair.system)
    if spans is not None:
        system &= spans.marked[pair.system.span]
    return np.flatnonzero(gold), np.flatnonzero(system)


def first_of_each(codes: Ints, kept: Bools | None = None) -> Ints:
    """The places of the first kept row of each code; codes are sorted."""
    places = np.arange(len(codes)) if kept is None else np.flatnonzero(kept)
    values = codes[places]
    first = np.ones(len(values), dtype=bool)
    first[1:] = values[1:] != values[:-1]
    return places[first]


def _sorted_rows(measure: Measure, side: Side, codes: Ints) -> Ints:
    """The rows that pass the measure's filter, sorted by code."""
    if measure.filter is None:
        return np.argsort(codes, kind="stable")
    rows = np.flatnonzero(FILTERS[measure.filter][0](side))
    return rows[np.argsort(codes[rows], kind="stable")]


def _tangled(unit: Ints, code: Ints, size: int) -> Bools:
    """The rows of units that accept several codes, and of units that share a code with those."""
    several: Bools = np.zeros(len(unit), dtype=bool)
    order = np.argsort(unit, kind="stable")
    units, codes = unit[order], code[order]
    repeats = np.flatnonzero(units[1:] == units[:-1])
    if not len(repeats):
        return several
    differ = np.zeros(int(units[-1]) + 1, dtype=bool)
    differ[units[repeats[codes[repeats] != codes[repeats + 1]]]] = True
    several = differ[unit]
    shared = np.zeros(size, dtype=bool)
    shared[code[several]] = True
    return shared[code]
