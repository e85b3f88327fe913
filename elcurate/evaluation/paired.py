"""Paired tests between systems over documents: p-values of all pairs at once.

Exchanging two systems' outputs on some documents moves the counts of one to the other by as much
as their counts of these documents differ. So one matrix product for each system, of the chosen
documents with its counts, serves all pairs that it is in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np

from elcurate.evaluation.resampling import drawn_documents, values_of
from elcurate.evaluation.sampling import Draws
from elcurate.match.numbering import Bools, Ints
from elcurate.measures.assignment import Floats

_SLACK = 1e-12
"""Differences that are this close are equal but for rounding."""
_TINY = 1e-9
"""Sums of counts under this are zero but for rounding."""
_WIDEST = 1 << 22
"""How many numbers are held at a time, at most, where all choices of documents are taken."""
_TOGETHER = 1 << 16
"""How many scores of pairs are computed at a time, at least of one pair."""


@dataclass(frozen=True)
class Paired:
    """Systems that are tested against each other on the same documents.

    Attributes:
        counts: systems × cells × 4 × documents.
        pairs: Places of the first and second system of each.
        zero: The policy for 0/0; in differences, what is undefined counts as 0.
        tail: ``two-sided``, or ``one-sided`` for the direction that was observed.
    """

    counts: Floats
    pairs: Sequence[tuple[int, int]]
    zero: str
    tail: str = "two-sided"

    @cached_property
    def values(self) -> Floats:
        """systems × cells × 3."""
        return values_of(self.counts.sum(axis=3), self.zero)

    @cached_property
    def observed(self) -> Floats:
        """Second less first: pairs × cells × 3."""
        first, second = np.array(self.pairs).T
        values = np.nan_to_num(self.values)
        found: Floats = values[second] - values[first]
        return found

    @cached_property
    def f1_of_documents(self) -> Floats:
        """What is undefined is 0: systems × cells × documents."""
        f1 = [values_of(np.moveaxis(one, 1, 2), self.zero)[..., 2] for one in self.counts]
        return np.nan_to_num(np.stack(f1))

    def extreme(self, differences: Floats, some: slice) -> Ints:
        """How many differences (trials × some pairs × cells × 3) are as extreme as observed."""
        observed = self.observed[some]
        if self.tail == "two-sided":
            found = np.abs(differences) >= np.abs(observed) - _SLACK
        else:
            sign = np.where(observed < 0, -1.0, 1.0)
            found = differences * sign >= observed * sign - _SLACK
        count: Ints = np.count_nonzero(found, axis=0)
        return count

    def parts(self, trials: int) -> Iterator[slice]:
        """The pairs in parts that are computed together."""
        size = max(1, _TOGETHER // max(1, trials * self.counts.shape[1]))
        for start in range(0, len(self.pairs), size):
            yield slice(start, start + size)


def randomisation(paired: Paired, draws: Draws) -> tuple[Floats, Bools]:
    """p-values of approximate randomisation: outputs are exchanged on random documents.

    Noreen, Computer-intensive methods for testing hypotheses (1989): p = (1 + c) / (1 + n) with c
    of n sampled differences at least as extreme as the observed one. Where a pair differs on so
    few documents that there are no more ways to exchange them than trials, all are taken, and
    p = c / n is exact.

    Returns:
        p, pairs × cells × 3; and for which pairs it is exact.
    """
    found: Floats = np.empty((len(paired.pairs), paired.counts.shape[1], 3))
    exact = np.zeros(len(paired.pairs), dtype=bool)
    for place, (first, second) in enumerate(paired.pairs):
        two = paired.counts[[first, second]]
        apart = np.flatnonzero((two[0] != two[1]).any(axis=(0, 1)))
        if len(apart) < 62 and 2 ** len(apart) <= draws.trials:
            exact[place] = True
            count = _exchanged(Paired(two, [(0, 1)], paired.zero, paired.tail), apart)
            ways = _all_ways(len(apart), paired.counts.shape[1])
            found[place] = reduce(np.add, map(count, ways))[0] / 2 ** len(apart)
    rest = np.flatnonzero(~exact)
    if len(rest):
        some = Paired(
            paired.counts,
            [paired.pairs[place] for place in rest.tolist()],
            paired.zero,
            paired.tail,
        )
        count = _exchanged(some, np.arange(paired.counts.shape[3]))

        def block(random: np.random.Generator, size: int) -> Ints:
            chosen = random.integers(0, 2, (size, paired.counts.shape[3]), dtype=np.int8)
            return count(chosen.astype(np.float64))

        found[rest] = _share(draws.blocks(block), draws)
    return found, exact


def paired_bootstrap(paired: Paired, draws: Draws) -> Floats:
    """p-values of the paired bootstrap: pairs × cells × 3.

    Documents are drawn with replacement, the same ones for all systems. The differences of the
    resamples, less the observed difference, stand for those under the hypothesis that there is
    none (Efron and Tibshirani, An introduction to the bootstrap, 1993, chapter 16).
    """
    systems, cells, _, documents = paired.counts.shape
    flat = _by_document(paired.counts)
    first, second = np.array(paired.pairs).T

    def block(random: np.random.Generator, size: int) -> Ints:
        sums = drawn_documents(random, size, documents) @ flat
        values = np.nan_to_num(values_of(sums.reshape(size, systems, cells, 4), paired.zero))
        counts = [
            paired.extreme(
                values[:, second[some]] - values[:, first[some]] - paired.observed[some], some
            )
            for some in paired.parts(size)
        ]
        return np.concatenate(counts)

    return _share(draws.blocks(block), draws)


def _share(extreme: Iterator[Ints], draws: Draws) -> Floats:
    found: Floats = (1 + reduce(np.add, extreme)) / (1 + draws.trials)
    return found


def _exchanged(paired: Paired, documents: Ints) -> Callable[[Floats], Ints]:
    """A function from choices of documents to how many differences are as extreme as observed.

    Args:
        paired: The systems.
        documents: Those that may be chosen.
    """
    sums = paired.counts.sum(axis=3)
    flat = _by_document(paired.counts[..., documents])
    first, second = np.array(paired.pairs).T

    def count(chosen: Floats) -> Ints:
        parts = (chosen @ flat).reshape(len(chosen), *sums.shape)
        counts = []
        for some in paired.parts(len(chosen)):
            moved = parts[:, second[some]] - parts[:, first[some]]
            before = values_of(_clean(sums[first[some]] + moved), paired.zero)
            after = values_of(_clean(sums[second[some]] - moved), paired.zero)
            counts.append(paired.extreme(np.nan_to_num(after) - np.nan_to_num(before), some))
        return np.concatenate(counts)

    return count


def _clean(sums: Floats) -> Floats:
    """Sums of which nothing is left are zero."""
    return np.where(sums < _TINY, 0.0, sums)


def _by_document(counts: Floats) -> Floats:
    """documents × (systems × cells × 4)."""
    return counts.reshape(int(np.prod(counts.shape[:3])), counts.shape[3]).T.copy()


def _all_ways(documents: int, cells: int) -> Iterator[Floats]:
    """Every choice of documents, in blocks of rows of zeros and ones."""
    rows = max(1, min(1 << documents, _WIDEST // max(documents, 8 * cells)))
    for start in range(0, 1 << documents, rows):
        numbers = np.arange(start, min(start + rows, 1 << documents))
        chosen: Bools = (numbers[:, None] >> np.arange(documents)) & 1 > 0
        yield chosen.astype(np.float64)
