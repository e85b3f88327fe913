"""Measures of clusters: MUC, B³, CEAF, pairs, LEA, and the variants of Cai and Strube.

Each gives numerators and denominators of precision and recall per group. The similarity of
clusters and the pairing of clusters are computed from the sparse table of their overlaps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from elcurate.match.numbering import Ints
from elcurate.measures.assignment import Floats, heaviest_pairing
from elcurate.measures.clusters import Clustering, Compared
from elcurate.measures.sets import Counts

Part = tuple[Floats, Floats]
"""Numerator and denominator per group."""


def _sums(compared: Compared, group: Ints, values: Floats | Ints | None = None) -> Floats:
    return np.bincount(group, values, minlength=compared.groups).astype(np.float64)


def _counts(precision: Part, recall: Part) -> Counts:
    return Counts(gold=recall[1], system=precision[1], tp=precision[0], recall_tp=recall[0])


def _both(part: Callable[[Compared, bool], Part], compared: Compared) -> Counts:
    """A measure whose precision and recall are the same formula with the sides exchanged."""
    return _counts(part(compared, True), part(compared, False))


def _sides(compared: Compared, precision: bool) -> tuple[Clustering, Clustering]:
    sides = compared.system, compared.gold
    return sides if precision else sides[::-1]


def _muc(compared: Compared, precision: bool) -> Part:
    """Links that need not be added: items less the parts into which the other side cuts them.

    Vilain et al., A model-theoretic coreference scoring scheme (MUC-6, 1995).
    """
    own, other = _sides(compared, precision)
    home = other.home[own.item]
    known = home >= 0
    parts = np.unique(own.cluster[known] * max(other.size, 1) + home[known]) // max(other.size, 1)
    aligned = np.bincount(own.cluster[known], minlength=own.size)
    right = aligned - np.bincount(parts, minlength=own.size)
    group = compared.cluster_group(own)
    return _sums(compared, group, right), _sums(compared, group, own.sizes - 1)


def _b_cubed(compared: Compared, precision: bool) -> Part:
    """The mean over items of the share of their cluster that is with them on the other side.

    Bagga and Baldwin, Algorithms for scoring coreference chains (LREC workshop, 1998).
    """
    own, other = _sides(compared, precision)
    groups = compared.item_group
    items = np.flatnonzero(own.home >= 0)
    home = other.home[items]
    if other.stray is not None:
        home = np.where(home >= 0, home, other.stray[groups[items]])
    common, home = items[home >= 0], home[home >= 0]
    gold, system = (home, own.home[common]) if precision else (own.home[common], home)
    share = compared.overlap(gold, system) / own.sizes[own.home[common]]
    return _sums(compared, groups[common], share), _sums(compared, groups[items])


def _ceaf(compared: Compared, entities: bool) -> Counts:
    """The similarity of the best pairing of clusters: φ3 (common items) or φ4 (Dice).

    Luo, On coreference resolution performance metrics (HLT/EMNLP 2005).
    """
    gold, system, common = compared.cells
    similarity = common.astype(np.float64)
    if entities:
        similarity *= 2 / (compared.gold.sizes[gold] + compared.system.sizes[system])
    taken = heaviest_pairing(gold, system, similarity)
    groups = [compared.cluster_group(side) for side in (compared.gold, compared.system)]
    total = _sums(compared, groups[0][gold[taken]], similarity[taken])
    sizes = (None, None) if entities else (compared.gold.sizes, compared.system.sizes)
    own = [_sums(compared, group, size) for group, size in zip(groups, sizes, strict=True)]
    return _counts((total, own[1]), (total, own[0]))


def _lea(compared: Compared, precision: bool) -> Part:
    """Links found of each cluster, weighted by its size; a singleton has a link to itself.

    Moosavi and Strube, Which coreference evaluation metric do you trust? (ACL 2016).
    """
    own, other = _sides(compared, precision)
    gold, system, common = compared.cells
    cluster = system if precision else gold
    found = np.bincount(cluster, _pairs(common), minlength=own.size)
    single = own.sizes == 1
    home = other.home[own.item]
    alone = (home >= 0) & (np.append(other.sizes, 0)[home] == 1) & single[own.cluster]
    found[own.cluster[alone]] = 1
    links = np.where(single, 1, _pairs(own.sizes))
    group = compared.cluster_group(own)
    resolved = own.sizes * found / np.maximum(links, 1)
    return _sums(compared, group, resolved), _sums(compared, group, own.sizes)


def _pairwise(compared: Compared) -> Counts:
    """Pairs of items in one cluster.

    Luo et al., An extension of BLANC to system mentions (ACL 2014).
    """
    gold, _, common = compared.cells
    groups = [compared.cluster_group(side) for side in (compared.gold, compared.system)]
    both = _sums(compared, groups[0][gold], _pairs(common))
    stated = _sums(compared, groups[1], _pairs(compared.system.sizes))
    return _counts((both, stated), (both, _sums(compared, groups[0], _pairs(compared.gold.sizes))))


def _pairwise_negative(compared: Compared) -> Counts:
    """Pairs of items that are in no common cluster (the other half of BLANC)."""
    gold, system = compared.gold, compared.system
    known = (gold.home >= 0) & (system.home >= 0)
    common = _sums(compared, compared.item_group[known])
    cells = _cell_members(compared)
    both = _distinct_pairs(compared, *cells)
    inner = [
        _distinct_pairs(compared, side.item[known[side.item]], side.cluster[known[side.item]])
        for side in (gold, system)
    ]
    agreed = _pairs(common) - inner[0] - inner[1] + both
    totals = []
    for side in (gold, system):
        stated = _sums(compared, compared.item_group[side.home >= 0])
        totals.append(_pairs(stated) - _distinct_pairs(compared, side.item, side.cluster))
    return _counts((agreed, totals[1]), (agreed, totals[0]))


def _cell_members(compared: Compared) -> tuple[Ints, Ints]:
    """Items with the pairs of clusters, one a side, that they are in."""
    gold, system = compared.gold, compared.system
    order = np.argsort(system.item, kind="stable")
    starts = np.searchsorted(system.item[order], np.arange(system.items + 1))
    count = np.diff(starts)[gold.item]
    first = np.repeat(starts[gold.item], count)
    step = np.arange(len(first)) - np.repeat(np.cumsum(count) - count, count)
    other = system.cluster[order[first + step]]
    return np.repeat(gold.item, count), np.repeat(gold.cluster, count) * system.size + other


def _distinct_pairs(compared: Compared, item: Ints, cluster: Ints) -> Floats:
    """Pairs of items that share a cluster, each counted once however many they share."""
    if not len(item):
        return np.zeros(compared.groups)
    _, number, sizes = np.unique(cluster, return_inverse=True, return_counts=True)
    group = np.zeros(len(sizes), dtype=np.int64)
    group[number] = compared.item_group[item]
    total = _sums(compared, group, _pairs(sizes))
    times = np.bincount(item, minlength=compared.gold.items)
    several = times[item] > 1
    if not several.any():
        return total
    found: list[Ints] = []
    members, clusters = item[several], number[several]
    order = np.lexsort((members, clusters))
    cuts = np.flatnonzero(np.diff(clusters[order])) + 1
    for part in np.split(members[order], cuts):
        first, second = np.triu_indices(len(part), 1)
        found.append(part[first] * compared.gold.items + part[second])
    codes, counts = np.unique(np.concatenate(found), return_counts=True)
    surplus = _sums(compared, compared.item_group[codes // compared.gold.items], counts - 1)
    return total - surplus


def _pairs(sizes: Ints | Floats) -> Floats:
    return np.maximum(sizes * (sizes - 1) / 2.0, 0.0)


def _adjusted(measure: Callable[[Compared], Counts], compared: Compared) -> Counts:
    """Precision and recall after singletons were added or dropped for items of one side only.

    Cai and Strube, Evaluation metrics for end-to-end coreference resolution (SIGDIAL 2010).
    """
    gold, system, items = compared.gold, compared.system, compared.gold.items
    ours, theirs = gold.home >= 0, system.home >= 0
    lost = np.flatnonzero(ours & ~theirs)
    added = np.flatnonzero(theirs & ~ours)
    added = added[system.sizes[system.home[added]] > 1]
    both = np.flatnonzero(ours & theirs)

    def clusters(side: Clustering, stay: Ints, alone: Ints) -> Clustering:
        label = np.concatenate([side.home[stay], side.size + np.arange(len(alone))])
        return Clustering.of(np.concatenate([stay, alone]), label, items)

    stated = np.concatenate([both, added])
    groups = compared.item_group, compared.groups
    precise = measure(
        Compared(
            clusters(gold, np.flatnonzero(ours), added), clusters(system, stated, lost), *groups
        )
    )
    full = measure(Compared(gold, clusters(system, both, lost), *groups))
    return Counts(full.gold, precise.system, precise.tp, full.recall_tp)


CLUSTERING: Mapping[str, Callable[[Compared], Counts]] = {
    "muc": partial(_both, _muc),
    "b_cubed": partial(_both, _b_cubed),
    "mention_ceaf": partial(_ceaf, entities=False),
    "entity_ceaf": partial(_ceaf, entities=True),
    "lea": partial(_both, _lea),
    "pairwise": _pairwise,
    "pairwise_negative": _pairwise_negative,
    "cs_b_cubed": partial(_adjusted, partial(_both, _b_cubed)),
    "mention_cs_ceaf": partial(_adjusted, partial(_ceaf, entities=False)),
    "entity_cs_ceaf": partial(_adjusted, partial(_ceaf, entities=True)),
}
"""The measures by the name of their aggregator."""
