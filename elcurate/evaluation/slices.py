"""Slices of the gold: by category leaf, by combination of leaves, by type."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from elcurate.errors import SpecError, suggestion
from elcurate.match.encode import Pair
from elcurate.match.numbering import Bools
from elcurate.measures.clusters import Compared
from elcurate.measures.prepared import SpanSet
from elcurate.model.categories import BITS, DIMENSIONS, LEAVES, expand

SLICE_FIELDS = ("categories", "combination", *DIMENSIONS)
GROUP_FIELDS = ("document", "type", "entity", "nil")
BY_FIELDS = (*GROUP_FIELDS, *SLICE_FIELDS)


@dataclass(frozen=True)
class Slice:
    """A part of the gold.

    Attributes:
        leaves: The leaf (or group) per dimension; empty is everything.
    """

    leaves: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        """Whether it is the whole gold."""
        return not self.leaves

    def rows(self, pair: Pair) -> Bools | None:
        """The gold rows of the slice (None: all).

        One leaf takes the links that carry it. A leaf in every dimension is a combination: it
        takes the links whose leaves are a subset of it, so links with a surplus leaf are in none
        (EMNLP 2019, figure 4).
        """
        if self.is_whole:
            return None
        mask = pair.gold.mask
        if len(self.leaves) == len(DIMENSIONS):
            return (mask & ~_bits(self.leaves)) == 0  # type: ignore[no-any-return]
        rows: Bools = np.ones(len(mask), dtype=bool)
        for dimension, leaf in self.leaves.items():
            rows &= (mask & _bits({dimension: leaf})) != 0
        return rows


class Choice:
    """Some gold rows of a pair.

    Attributes:
        rows: Which (None: all).
        memo: What was made of them for one measure and is good for others.
    """

    def __init__(self, pair: Pair, rows: Bools | None = None) -> None:
        self.pair = pair
        self.rows = rows
        self.memo: dict[Hashable, Compared] = {}

    def narrowed(self, rows: Bools | None) -> Choice:
        """The rows of this choice that are also among ``rows``."""
        if rows is None:
            return self
        return Choice(self.pair, rows if self.rows is None else self.rows & rows)

    @cached_property
    def spans(self) -> SpanSet:
        """The spans of the chosen rows."""
        return SpanSet(self.pair, self.rows)


def slices_by(fields: Sequence[str], pair: Pair) -> list[Slice]:
    """The slices that ``--by`` fields ask for, after the whole gold.

    Dimensions named together are crossed, and then only what occurs is a slice.
    """
    slices = [Slice()]
    if "categories" in fields:
        slices += [Slice({dimension: leaf}) for dimension, leaf in LEAVES]
    crossed: list[dict[str, str]] = [{}]
    for name in fields:
        if name in DIMENSIONS:
            leaves = [{}, *({name: leaf} for leaf in DIMENSIONS[name])]
            crossed = [one | other for one in crossed for other in leaves]
    crossed.sort(key=len)
    for chosen in crossed:
        part = Slice(chosen)
        rows = part.rows(pair)
        if part not in slices and (len(chosen) < 2 or (rows is not None and rows.any())):
            slices.append(part)
    if "combination" in fields:
        slices += [part for leaves in combinations(pair) if (part := Slice(leaves)) not in slices]
    return slices


def combinations(pair: Pair) -> list[dict[str, str]]:
    """The four-leaf combinations that occur in the gold, in the order of the tables."""
    values = np.unique(pair.gold.mask)
    found = []
    for value in values.tolist():
        leaves = [pair_ for pair_ in LEAVES if BITS[pair_] & value]
        if [dimension for dimension, _ in leaves] == list(DIMENSIONS):
            found.append(dict(leaves))
    order = {pair_: place for place, pair_ in enumerate(LEAVES)}
    return sorted(found, key=lambda leaves: [order[item] for item in leaves.items()])


def check_fields(fields: Sequence[str]) -> None:
    """Refuses what ``--by`` doesn't know.

    Raises:
        SpecError: with the nearest names.
    """
    for name in fields:
        if name not in BY_FIELDS:
            raise SpecError(
                f"there is no field {name!r} to score by", remedy=suggestion(name, list(BY_FIELDS))
            )


def _bits(leaves: Mapping[str, str]) -> np.uint32:
    names = ((dim, leaf) for dim, name in leaves.items() for leaf in expand(dim, name))
    return np.uint32(sum(BITS[pair] for pair in names))
