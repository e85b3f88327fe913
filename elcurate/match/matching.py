"""Gold units against the system keys they accept."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

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
        found: Whether the system has one of its keys.
        won: The greatest weight of the edges to keys that the system has (0 when it has none).
        paired: Whether a maximum one-to-one matching gives it a key of its own.
    """

    row: Ints
    weight: Floats
    found: Bools
    won: Floats
    paired: Bools


def match_units(edges: Edges) -> Units:
    """Which units are found, and which can each have a key of the system for themselves.

    Units with equal sets of keys are one unit. Only units that share a key of the system are
    solved as a matching problem; the others need none.
    """
    unit = same_sets(dense(edges.unit), edges.key)
    row, unit, key, weight, present = _reduced(edges, unit)
    count = int(unit.max()) + 1
    first = np.flatnonzero(np.diff(unit, prepend=-1))
    greatest = np.maximum.reduceat(weight, first)
    unit, key, weight = unit[present], dense(key[present]), weight[present]
    won = np.zeros(count)
    np.maximum.at(won, unit, weight)
    found = np.zeros(count, dtype=bool)
    found[unit] = True
    contested = np.zeros(count, dtype=bool)
    contested[unit[np.bincount(key)[key] > 1]] = True
    paired = found & ~contested
    if contested.any():
        rest = contested[unit]
        paired[np.unique(unit[rest])] = matched(unit[rest], key[rest]) >= 0
    return Units(row[first], greatest, found, won, paired)


def matched(unit: Ints, key: Ints) -> Ints:
    """The key of each distinct unit, in order, in a maximum one-to-one matching; -1 for none.

    Args:
        unit, key: The pairs that may be matched, numbered from 0.
    """
    keys, place = np.unique(key, return_inverse=True)
    unit = dense(unit)
    size = int(unit.max()) + 1, len(keys)
    graph = csr_array((np.ones(len(unit)), (unit, place)), shape=size)
    found = maximum_bipartite_matching(graph, perm_type="column")
    return np.where(found >= 0, keys[found], -1)


def _reduced(edges: Edges, unit: Ints) -> tuple[Ints, Ints, Ints, Floats, Bools]:
    """One edge per (unit, key), with the greatest weight, sorted by unit."""
    order = np.lexsort((-edges.weight, edges.key, unit))
    unit, key = unit[order], edges.key[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (unit[1:] != unit[:-1]) | (key[1:] != key[:-1])
    order = order[new]
    return order, dense(unit[new]), key[new], edges.weight[order], edges.present[order]


def same_sets(unit: Ints, key: Ints) -> Ints:
    """Gives units with equal sets of keys one number (by two independent 64-bit hashes).

    Args:
        unit, key: The elements of the sets, both from 0; the units without gaps.
    """
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
