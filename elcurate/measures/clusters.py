"""Mentions of both sides as clusters of keys, by the entity that they are linked to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from elcurate.match.encode import Pair, Side
from elcurate.match.numbering import Bools, Ints, combine
from elcurate.measures.base import Measure, codes_of
from elcurate.measures.prepared import SpanSet, counted_rows


@dataclass(frozen=True)
class Clustering:
    """The clusters of one side as (item, cluster) pairs, none of which occurs twice.

    Attributes:
        item: Numbers shared by both sides.
        cluster: Numbers of this side, in the order of their first rows.
        items: How many item numbers there are.
        stray: Per group, the cluster to which items that are in none belong, -1 for none; only
            where neleval is reproduced, whose mentions without an entity are such a cluster.
    """

    item: Ints
    cluster: Ints
    items: int
    stray: Ints | None = None

    @classmethod
    def of(cls, item: Ints, label: Ints, items: int) -> Clustering:
        """The clustering of items under any labels."""
        return cls.numbered(item, _in_order(label), items)

    @classmethod
    def numbered(
        cls, item: Ints, cluster: Ints, items: int, stray: Ints | None = None
    ) -> Clustering:
        """The clustering of items in clusters that are numbered already."""
        pairs = np.unique(cluster * items + item)
        return cls(pairs % max(items, 1), pairs // max(items, 1), items, stray)

    @cached_property
    def size(self) -> int:
        """How many clusters there are."""
        return int(self.cluster.max(initial=-1)) + 1

    @cached_property
    def sizes(self) -> Ints:
        """How many items each cluster has."""
        return np.bincount(self.cluster, minlength=self.size)

    @cached_property
    def home(self) -> Ints:
        """The cluster of each item, the last of several; -1 for none."""
        home = np.full(self.items, -1, dtype=np.int64)
        home[self.item] = self.cluster
        return home

    @cached_property
    def matrix(self) -> csr_array:
        """Clusters by items."""
        ones = np.ones(len(self.item), dtype=np.int64)
        return csr_array((ones, (self.cluster, self.item)), (self.size, self.items))


@dataclass(frozen=True)
class Compared:
    """The clusters of gold and system.

    Attributes:
        gold, system: The two sides.
        item_group: The group of each item.
        groups: How many groups there are.
    """

    gold: Clustering
    system: Clustering
    item_group: Ints
    groups: int

    def cluster_group(self, side: Clustering) -> Ints:
        """The group of each cluster."""
        group = np.zeros(side.size, dtype=np.int64)
        group[side.cluster] = self.item_group[side.item]
        return group

    @cached_property
    def cells(self) -> tuple[Ints, Ints, Ints]:
        """Every overlap: gold cluster, system cluster, how many items; in that order."""
        product = (self.gold.matrix @ self.system.matrix.T).tocsr()
        product.sort_indices()
        rows = np.repeat(np.arange(self.gold.size), np.diff(product.indptr))
        return rows, product.indices.astype(np.int64), product.data

    def overlap(self, gold: Ints, system: Ints) -> Ints:
        """How many items pairs of clusters have in common."""
        rows, columns, sizes = self.cells
        width = max(self.system.size, 1)
        codes, wanted = np.append(rows * width + columns, -1), gold * width + system
        places = np.searchsorted(codes[:-1], wanted)
        return np.where(codes[places] == wanted, np.append(sizes, 0)[places], 0)


def compare(
    pair: Pair,
    measure: Measure,
    chosen: Bools | None,
    spans: SpanSet | None,
    groups: tuple[Ints, Ints] | None,
    *,
    within: str,
    unclustered: str,
) -> Compared:
    """The clusters of a pair.

    Of a gold mention with alternatives the first link says to which cluster it belongs.

    Args:
        pair: Gold and system.
        measure: A measure of clusters; its keys make the items, its filter chooses rows.
        chosen: Which gold rows are in the slice (None: all).
        spans: The spans on which system rows count (None: all).
        groups: Group numbers of the rows of both sides, or None.
        within: The policy ``clusters``.
        unclustered: The policy ``unclustered``.
    """
    kept = counted_rows(pair, measure, chosen, spans)
    cut = len(kept[0])

    def joined(parts: tuple[Ints, Ints]) -> Ints:
        return np.concatenate([part[rows] for part, rows in zip(parts, kept, strict=True)])

    item = joined(codes_of(measure.keys, pair))
    label = joined((_labels(pair.gold, unclustered), _labels(pair.system, unclustered)))
    if within == "document":
        label = combine(joined((pair.gold.doc, pair.system.doc)), label)
    group = np.zeros(len(item), dtype=np.int64)
    if groups is not None:
        group = joined(groups)
        item, label = combine(group, item), combine(group, label)
    items = int(item.max(initial=-1)) + 1
    item_group = np.zeros(items, dtype=np.int64)
    item_group[item] = group
    count = 1 if groups is None else int(max(part.max(initial=0) for part in groups)) + 1
    lost = joined((pair.gold.eid, pair.system.eid)) < 0

    def side(part: slice) -> Clustering:
        number = _in_order(label[part])
        stray = None
        if unclustered == "together":
            stray = np.full(count, -1, dtype=np.int64)
            stray[group[part][lost[part]]] = number[lost[part]]
        return Clustering.numbered(item[part], number, items, stray)

    return Compared(side(slice(cut)), side(slice(cut, None)), item_group, count)


def _in_order(label: Ints) -> Ints:
    """Labels as numbers in the order of their first places."""
    _, first, number = np.unique(label, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[number]


def _labels(side: Side, unclustered: str) -> Ints:
    if unclustered == "together":
        return side.eid
    alone = side.eid < 0
    if not alone.any():
        return side.eid
    return np.where(alone, side.eid.max(initial=0) + 1 + side.mention, side.eid)
