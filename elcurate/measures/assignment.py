"""The heaviest one-to-one pairing of two sets along the edges of a sparse graph."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components, min_weight_full_bipartite_matching

from elcurate.match.numbering import Bools, Ints, dense

Floats = npt.NDArray[np.float64]


def heaviest_pairing(left: Ints, right: Ints, weight: Floats) -> Bools:
    """Which edges a one-to-one pairing of greatest total weight takes.

    Exact; memory is linear in the edges. Most components of real overlaps are a single edge or a
    star, whose answer is at hand; the others are solved as one sparse assignment problem.

    Args:
        left, right: The ends of each edge, numbered from 0 on each side; no edge occurs twice.
        weight: Positive weights.
    """
    taken: Bools = np.zeros(len(left), dtype=bool)
    if not len(left):
        return taken
    left, right = dense(left), dense(right)
    component = _components(left, right)
    size = int(component.max()) + 1
    rows, columns = (
        np.bincount(component[np.unique(side, return_index=True)[1]], minlength=size)
        for side in (left, right)
    )
    simple = np.minimum(rows, columns)[component] == 1
    stars = np.flatnonzero(simple)
    order = stars[np.lexsort((stars, -weight[stars], component[stars]))]
    first = np.append(True, component[order][1:] != component[order][:-1])[: len(order)]
    taken[order[first]] = True
    tangled = np.flatnonzero(~simple)
    if len(tangled):
        taken[tangled[_solve(left[tangled], right[tangled], weight[tangled])]] = True
    return taken


def _components(left: Ints, right: Ints) -> Ints:
    """The connected component of each edge."""
    lefts = int(left.max()) + 1
    size = lefts + int(right.max()) + 1
    graph = coo_array((np.ones(len(left), dtype=np.int8), (left, right + lefts)), (size, size))
    _, labels = connected_components(graph, directed=False)
    return dense(labels[left].astype(np.int64))


def _solve(left: Ints, right: Ints, weight: Floats) -> Ints:
    """The places of the edges taken, by a full matching in which staying alone costs nothing.

    Every row gets a column of its own to stay alone with. Each row takes exactly one edge, so a
    constant added to all weights, which keeps them from being zero, changes nothing.
    """
    left, right = dense(left), dense(right)
    if left.max() > right.max():
        left, right = right, left
    rows, columns = int(left.max()) + 1, int(right.max()) + 1
    lonely = np.arange(rows)
    ends = np.concatenate([left, lonely]), np.concatenate([right, columns + lonely])
    values = np.concatenate([weight, np.zeros(rows)]) + weight.max()
    problem = csr_array((values, ends), (rows, columns + rows))
    chosen_rows, chosen = min_weight_full_bipartite_matching(problem, maximize=True)
    partner = np.full(rows, -1, dtype=np.int64)
    partner[chosen_rows] = chosen
    return np.flatnonzero(partner[left] == right)
