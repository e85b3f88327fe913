"""Maximum one-to-one matching of gold units with the system keys they accept."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import (
    connected_components,
    maximum_bipartite_matching,
    min_weight_full_bipartite_matching,
)

from elcurate.match.numbering import Bools, Ints, dense

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Edges:
    """Which unit accepts which key: one element per (unit, key), repeats allowed.

    Attributes:
        unit, key: Numbers.
        weight: The membership of the unit's link with that key.
        present: Whether the system has the key.
    """

    unit: Ints
    key: Ints
    weight: Floats
    present: Bools


@dataclass(frozen=True)
class Units:
    """One element per distinct unit.

    Attributes:
        row: A row of the edges that belongs to the unit.
        weight: The greatest weight of its edges.
        matched: Whether it was matched.
        won: The weight of the edge by which it was matched (0 when it was not).
    """

    row: Ints
    weight: Floats
    matched: Bools
    won: Floats


def match_units(edges: Edges) -> Units:
    """A matching with the most pairs and, among those, the greatest weight.

    Units with equal sets of keys are one unit. Units that share no key of the system with
    another unit are matched at once; only the rest is solved as an assignment problem.
    """
    unit = _same_sets(dense(edges.unit), edges.key)
    row, unit, key, weight, present = _reduced(edges, unit)
    count = int(unit.max()) + 1
    first = np.flatnonzero(np.diff(unit, prepend=-1))
    greatest = np.maximum.reduceat(weight, first)
    won = np.zeros(count)
    matched = np.zeros(count, dtype=bool)
    unit_p, key_p, weight_p = unit[present], dense(key[present]), weight[present]
    owners = np.bincount(key_p)
    contested = np.zeros(count, dtype=bool)
    contested[unit_p[owners[key_p] > 1]] = True
    free = ~contested[unit_p]
    matched[unit_p[free]] = True
    np.maximum.at(won, unit_p[free], weight_p[free])
    if contested.any():
        rest = ~free
        pairs = _assign(unit_p[rest], key_p[rest], weight_p[rest])
        matched[unit_p[rest][pairs]] = True
        won[unit_p[rest][pairs]] = weight_p[rest][pairs]
    return Units(row[first], greatest, matched, won)


def _reduced(edges: Edges, unit: Ints) -> tuple[Ints, Ints, Ints, Floats, Bools]:
    """One edge per (unit, key), with the greatest weight, sorted by unit."""
    order = np.lexsort((-edges.weight, edges.key, unit))
    unit, key = unit[order], edges.key[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (unit[1:] != unit[:-1]) | (key[1:] != key[:-1])
    order = order[new]
    return order, dense(unit[new]), key[new], edges.weight[order], edges.present[order]


def _same_sets(unit: Ints, key: Ints) -> Ints:
    """Gives units with equal sets of keys one number (by two independent 64-bit hashes)."""
    order = np.lexsort((key, unit))
    unit_s, key_s = unit[order], key[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (unit_s[1:] != unit_s[:-1]) | (key_s[1:] != key_s[:-1])
    unit_s, key_s = unit_s[new], key_s[new]
    starts = np.flatnonzero(np.diff(unit_s, prepend=-1))
    hashes = [
        np.add.reduceat(_scramble(key_s.astype(np.uint64), np.uint64(seed)), starts)
        for seed in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F)
    ]
    _, number = np.unique(hashes[0], return_inverse=True)
    second = np.empty(int(number.max()) + 1, dtype=np.uint64)
    second[number] = hashes[1]
    if (second[number] != hashes[1]).any():
        _, number = np.unique(np.stack(hashes, axis=1), axis=0, return_inverse=True)
    return number.reshape(-1).astype(np.int64)[unit]


def _scramble(values: npt.NDArray[np.uint64], seed: np.uint64) -> npt.NDArray[np.uint64]:
    mixed = (values + np.uint64(1)) * seed
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return mixed ^ (mixed >> np.uint64(32))


def _assign(unit: Ints, key: Ints, weight: Floats) -> Ints:
    """The places of the chosen edges: most pairs first, then the greatest sum of weights."""
    unit, key = dense(unit), dense(key)
    size = int(unit.max()) + 1, int(key.max()) + 1
    if (weight == weight[0]).all():
        graph = csr_array((np.ones(len(unit)), (unit, key)), shape=size)
        return np.flatnonzero(maximum_bipartite_matching(graph, perm_type="column")[unit] == key)
    chosen = []
    parts = _parts(unit, key, size)
    order = np.argsort(parts, kind="stable")
    for places in np.split(order, np.flatnonzero(np.diff(parts[order])) + 1):
        chosen.append(places[_assign_part(unit[places], key[places], weight[places])])
    return np.concatenate(chosen)


def _parts(unit: Ints, key: Ints, size: tuple[int, int]) -> Ints:
    """The part of each edge: some whole components of the graph, about `_PART` edges."""
    total = sum(size)
    graph = csr_array((np.ones(len(unit)), (unit, key + size[0])), shape=(total, total))
    labels = connected_components(graph, directed=False)[1][unit]
    before = np.cumsum(np.bincount(labels)) // _PART
    return before[labels].astype(np.int64)  # type: ignore[no-any-return]


_PART = 1000


def _assign_part(unit: Ints, key: Ints, weight: Floats) -> Ints:
    """Every unit may also stay alone, at a cost above that of any choice of edges."""
    units, keys = dense(unit), dense(key)
    count, width = int(units.max()) + 1, int(keys.max()) + 1
    alone = np.arange(count)
    cost = np.concatenate([2.0 - weight, np.full(count, 4.0 * count)])
    place = (np.concatenate([units, alone]), np.concatenate([keys, width + alone]))
    graph = csr_array((cost, place), shape=(count, width + count))
    rows, columns = min_weight_full_bipartite_matching(graph)
    taken = np.full(count, -1)
    taken[rows] = columns
    return np.flatnonzero(taken[units] == keys)
