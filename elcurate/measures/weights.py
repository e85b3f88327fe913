"""Partial credit for types: how much one type is worth where the gold has another."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from elcurate.errors import SpecError
from elcurate.match.encode import Pair
from elcurate.match.numbering import Bools, Ints, combine
from elcurate.measures.assignment import Floats, heaviest_pairing
from elcurate.measures.base import Measure, codes_of
from elcurate.measures.prepared import SpanSet, counted_rows
from elcurate.measures.sets import Counts


@dataclass(frozen=True)
class TypeWeights:
    """What a system type is worth for a gold type; equal types 1 and others 0 unless stated.

    Attributes:
        values: The weight of each stated (gold type, system type), from 0 up.
    """

    values: Mapping[tuple[str, str], float]

    @property
    def digest(self) -> str:
        """A short text that tells these weights from others, for signatures."""
        text = json.dumps(sorted([*pair, weight] for pair, weight in self.values.items()))
        return "w" + hashlib.sha256(text.encode()).hexdigest()[:15]

    @classmethod
    def read(cls, path: Path) -> TypeWeights:
        """Reads lines of gold type, system type and weight; of repeated pairs the greatest counts.

        Raises:
            SpecError: with the line that is none.
        """
        values: dict[tuple[str, str], float] = {}
        for number, line in _lines(path):
            cells = line.split("\t")
            weight = _number(cells[-1])
            if len(cells) != 3 or weight is None:
                raise SpecError(
                    f"{path}:{number}: {line!r} is no weight",
                    remedy="A line has a gold type, a system type and a number from 0 up, "
                    "with tabs between them.",
                )
            pair = cells[0], cells[1]
            values[pair] = max(weight, values.get(pair, weight))
        return cls(values)

    @classmethod
    def of_hierarchy(cls, path: Path, decay: float = 0.5) -> TypeWeights:
        """Credit for ancestors: ``decay ** depth`` where the system type is above the gold type.

        Args:
            path: A JSON object that maps each type to the list of its children.
            decay: From 0 to 1.

        Raises:
            SpecError: when the file is something else, or a type is above itself.
        """
        if not 0 <= decay <= 1:
            raise SpecError(f"the decay {decay} is not from 0 to 1")
        try:
            children = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise SpecError(f"{path} is no hierarchy: {error}") from error
        if not isinstance(children, dict) or not all(map(_names, children.values())):
            raise SpecError(
                f"{path} is no hierarchy", remedy='Write {"type": ["child", "child"], …}.'
            )
        values: dict[tuple[str, str], float] = {}
        for ancestor in children:
            for below, depth in _descendants(children, ancestor, (ancestor,)):
                pair = below, ancestor
                values[pair] = max(decay**depth, values.get(pair, 0.0))
        return cls(values)

    def of(self, names: list[str], gold: Ints, system: Ints) -> Floats:
        """The weights of pairs of type numbers (-1 for no type)."""
        number = {name: place for place, name in enumerate(names)}
        stated = sorted(
            ((number[ours] * len(names)) + number[theirs], weight)
            for (ours, theirs), weight in self.values.items()
            if ours in number and theirs in number
        )
        weights: Floats = (gold == system).astype(np.float64)
        if stated:
            codes = np.array([code for code, _ in stated], dtype=np.int64)
            values = np.array([weight for _, weight in stated])
            wanted = np.where((gold < 0) | (system < 0), -1, gold * len(names) + system)
            places = np.minimum(np.searchsorted(codes, wanted), len(codes) - 1)
            weights = np.where(codes[places] == wanted, values[places], weights)
        return weights


def count_weighted(
    pair: Pair,
    measure: Measure,
    weights: TypeWeights,
    chosen: Bools | None = None,
    spans: SpanSet | None = None,
    groups: tuple[Ints, Ints] | None = None,
    duplicates: str = "collapse",
) -> Counts:
    """Counts a set measure with types as its key, types being right to a degree.

    Units that agree in all but their types are paired one to one so that the total weight is
    greatest. A unit of either side is worth what its type is worth for itself.

    Args:
        pair: Gold and system; of a gold mention with alternatives the first link counts.
        measure: A set measure with the key ``type``.
        weights: The weights.
        chosen: Which gold rows are in the slice (None: all).
        spans: The spans on which system rows count (None: all).
        groups: Group numbers of the rows of both sides, or None.
        duplicates: The policy, which concerns measures whose keys have spans.
    """
    rest = codes_of(tuple(key for key in measure.keys if key != "type"), pair)
    kept = counted_rows(pair, measure, chosen, spans)
    none = np.zeros(len(pair.gold), dtype=np.int64), np.zeros(len(pair.system), dtype=np.int64)
    size = 1 if groups is None else int(max(part.max(initial=0) for part in groups)) + 1
    group, place, types = (
        np.concatenate([part[rows] for part, rows in zip(parts, kept, strict=True)])
        for parts in (groups or none, rest, (pair.gold.type, pair.system.type))
    )
    place = combine(group, place)
    cut = len(kept[0])
    ours, theirs = (
        _Units(place[part], types[part], group[part]) for part in (slice(cut), slice(cut, None))
    )
    first, second = _joined(ours.place, theirs.place)
    worth = weights.of(pair.types, ours.type[first], theirs.type[second])
    first, second, worth = first[worth > 0], second[worth > 0], worth[worth > 0]
    taken = heaviest_pairing(first, second, worth)

    def summed(numbers: Ints, values: Floats) -> Floats:
        return np.bincount(numbers, values, minlength=size).astype(np.float64)

    right = summed(ours.group[first[taken]], worth[taken])
    gold, system = (weights.of(pair.types, side.type, side.type) for side in (ours, theirs))
    if duplicates == "count" and measure.has_span:
        system = system * theirs.times
    return Counts(summed(ours.group, gold), summed(theirs.group, system), right, right)


class _Units:
    """The distinct (place, type) of one side, by place, and how often each occurs."""

    def __init__(self, place: Ints, type_: Ints, group: Ints) -> None:
        order = np.lexsort((type_, place))
        place, type_, group = place[order], type_[order], group[order]
        new = np.ones(len(place), dtype=bool)
        new[1:] = (place[1:] != place[:-1]) | (type_[1:] != type_[:-1])
        self.place, self.type, self.group = place[new], type_[new], group[new]
        self.times = np.diff(np.flatnonzero(new), append=len(new))


def _joined(ours: Ints, theirs: Ints) -> tuple[Ints, Ints]:
    """The pairs of rows with equal numbers; both are sorted."""
    low = np.searchsorted(theirs, ours, side="left")
    count = np.searchsorted(theirs, ours, side="right") - low
    first = np.repeat(np.arange(len(ours)), count)
    step = np.arange(len(first)) - np.repeat(np.cumsum(count) - count, count)
    return first, np.repeat(low, count) + step


def _descendants(
    children: Mapping[str, list[str]], name: str, above: tuple[str, ...]
) -> Iterator[tuple[str, int]]:
    for child in children.get(name, ()):
        if child in above:
            raise SpecError(f"the type {child!r} is above itself in the hierarchy")
        yield child, len(above)
        yield from _descendants(children, child, (*above, child))


def _lines(path: Path) -> Iterable[tuple[int, str]]:
    try:
        text = path.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise SpecError(f"{path} can't be read: {error}") from error
    return ((number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip())


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)
