"""Resampling over documents: bootstrap intervals, and paired tests between two systems.

Scores of resamples come from matrix products of weights of documents with counts of documents,
never from scoring again. Trials are drawn in blocks of fixed size, each with a generator of its
own made from the seed, so that the same seed gives the same numbers on any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from scipy.stats import norm

from elcurate.match.numbering import Bools, Ints
from elcurate.measures.assignment import Floats
from elcurate.measures.scores import prf_of_arrays

VALUES = ("precision", "recall", "f1")
_BLOCK = 250
_WIDEST = 1 << 22
"""How many weights of documents are held at a time, at most."""


def values_of(sums: Floats, zero: str) -> Floats:
    """Precision, recall and F1 (last axis 3) of counts (last axis 4); NaN where undefined."""
    gold, system, tp, recall_tp = np.moveaxis(sums, -1, 0)
    return prf_of_arrays(gold, system, tp, recall_tp, zero)


def bootstrap(counts: Floats, trials: int, seed: int, zero: str, jobs: int = 1) -> Floats:
    """Scores of resamples of documents, drawn with replacement.

    Efron, Bootstrap methods: another look at the jackknife (Annals of Statistics, 1979).

    Args:
        counts: cells × 4 × documents.
        trials: How many resamples.
        seed: From 0 up.
        zero: The policy for 0/0.
        jobs: How many threads.

    Returns:
        trials × cells × 3.
    """
    documents = counts.shape[2]

    def draw(random: np.random.Generator, size: int) -> Floats:
        drawn = random.integers(0, documents, (size, documents))
        drawn += np.arange(size)[:, None] * documents
        times = np.bincount(drawn.ravel(), minlength=size * documents)
        return times.reshape(size, documents).astype(np.float64)

    return _resampled(counts, draw, trials, seed, zero, jobs)


def jackknife(counts: Floats, zero: str) -> Floats:
    """Scores without one document: documents × cells × 3."""
    sums = counts.sum(axis=2)[None] - np.moveaxis(counts, 2, 0)
    return values_of(sums, zero)


def percentiles(samples: Floats, level: float) -> tuple[float, float] | None:
    """The interval between percentiles of defined samples, None when there are none.

    The p-th percentile is the value at the place p (n + 1), interpolated.
    """
    known = samples[~np.isnan(samples)]
    if not len(known):
        return None
    tail = (1 - level) / 2
    low, high = np.quantile(known, [tail, 1 - tail], method="weibull")
    return float(low), float(high)


def bca(
    samples: Floats, without: Floats, estimate: float, level: float
) -> tuple[float, float] | None:
    """The bias-corrected and accelerated interval.

    Efron, Better bootstrap confidence intervals (JASA, 1987).

    Args:
        samples: The score of each resample.
        without: The score without each document.
        estimate: The score itself.
        level: Such as 0.95.
    """
    known, left = samples[~np.isnan(samples)], without[~np.isnan(without)]
    if not len(known) or not len(left):
        return None
    below = (np.count_nonzero(known < estimate) + np.count_nonzero(known == estimate) / 2) / len(
        known
    )
    if not 0 < below < 1:
        return percentiles(samples, level)
    bias = norm.ppf(below)
    away = left.mean() - left
    spread = (away**2).sum()
    acceleration = (away**3).sum() / (6 * spread**1.5) if spread > 0 else 0.0
    tail = (1 - level) / 2
    ends = []
    for quantile in norm.ppf([tail, 1 - tail]):
        moved = bias + quantile
        ends.append(norm.cdf(bias + moved / (1 - acceleration * moved)))
    low, high = np.quantile(known, ends, method="weibull")
    return float(low), float(high)


def randomised(
    pairs: Sequence[tuple[Floats, Floats]],
    trials: int,
    seed: int,
    zero: str,
    jobs: int = 1,
) -> list[tuple[Floats, bool]]:
    """Differences of scores after two systems' outputs were exchanged on random documents.

    Noreen, Computer-intensive methods for testing hypotheses (1989). Where a pair differs on so
    few documents that there are no more ways to exchange them than trials, all are taken, and the
    test is exact.

    Args:
        pairs: Counts of two systems each, cells × 4 × documents.
        trials, seed, zero, jobs: As in `bootstrap`.

    Returns:
        Per pair the differences second − first, trials × cells × 3; and whether they are all that
        there are.
    """
    found: dict[int, tuple[Floats, bool]] = {}
    rest = []
    for place, (first, second) in enumerate(pairs):
        apart = np.flatnonzero((first != second).any(axis=(0, 1)))
        if len(apart) < 62 and 2 ** len(apart) <= trials:
            swap = _Swap([(first, second)], apart, zero)
            found[place] = (
                np.concatenate([swap(ways)[:, 0] for ways in _all_ways(len(apart))]),
                True,
            )
        else:
            rest.append(place)
    if rest:
        documents = np.arange(pairs[0][0].shape[2])
        swap = _Swap([pairs[place] for place in rest], documents, zero)
        samples = _in_blocks(
            lambda random, size: swap(
                random.integers(0, 2, (size, len(documents)), dtype=np.int8).astype(np.float64)
            ),
            trials,
            seed,
            jobs,
        )
        found |= {place: (samples[:, order], False) for order, place in enumerate(rest)}
    return [found[place] for place in range(len(pairs))]


class _Swap:
    """Differences of scores for choices of documents on which the outputs are exchanged."""

    def __init__(self, pairs: list[tuple[Floats, Floats]], documents: Ints, zero: str) -> None:
        first, second = (np.array([pair[side] for pair in pairs]) for side in (0, 1))
        self.sums = first.sum(axis=3), second.sum(axis=3)
        change = (second - first)[..., documents]
        self.shape = change.shape[:3]
        self.change = change.reshape(int(np.prod(self.shape)), len(documents)).T.copy()
        self.zero = zero

    def __call__(self, swapped: Floats) -> Floats:
        """trials × documents of zeros and ones to trials × pairs × cells × 3."""
        moved = (swapped @ self.change).reshape(len(swapped), *self.shape)
        before = values_of(self.sums[0] + moved, self.zero)
        after = values_of(self.sums[1] - moved, self.zero)
        return np.nan_to_num(after) - np.nan_to_num(before)


def share_as_extreme(samples: Floats, observed: Floats, tail: str, *, exact: bool) -> Floats:
    """p-values: the share of differences at least as extreme as the observed one.

    Of sampled differences p = (1 + count) / (1 + trials); of all ways count / ways.

    Args:
        samples: trials × …
        observed: …
        tail: ``two-sided``, or ``one-sided`` for the direction that was observed.
        exact: Whether the samples are all that there are.
    """
    slack = 1e-12
    if tail == "two-sided":
        extreme = np.abs(samples) >= np.abs(observed) - slack
    else:
        sign = np.where(observed < 0, -1.0, 1.0)
        extreme = samples * sign >= observed * sign - slack
    count = np.count_nonzero(extreme, axis=0)
    found: Floats = count / len(samples) if exact else (1 + count) / (1 + len(samples))
    return found


def holm(values: Floats) -> Floats:
    """p-values adjusted for several tests.

    Holm, A simple sequentially rejective multiple test procedure (1979).
    """
    order = np.argsort(values, kind="stable")
    factors = np.arange(len(values), 0, -1)
    adjusted = np.empty(len(values))
    adjusted[order] = np.minimum(np.maximum.accumulate(values[order] * factors), 1.0)
    return adjusted


Draw = Callable[[np.random.Generator, int], Floats]


def _resampled(counts: Floats, draw: Draw, trials: int, seed: int, zero: str, jobs: int) -> Floats:
    cells, _, documents = counts.shape
    flat = counts.reshape(cells * 4, documents).T.copy()

    def scored(random: np.random.Generator, size: int) -> Floats:
        sums = draw(random, size) @ flat
        return values_of(sums.reshape(size, cells, 4), zero)

    return _in_blocks(scored, trials, seed, jobs)


def _in_blocks(draw: Draw, trials: int, seed: int, jobs: int) -> Floats:
    sizes = [min(_BLOCK, trials - start) for start in range(0, trials, _BLOCK)]
    seeds = np.random.SeedSequence(seed).spawn(len(sizes))

    def block(place: int) -> Floats:
        return draw(np.random.Generator(np.random.PCG64(seeds[place])), sizes[place])

    if jobs == 1:
        return np.concatenate([block(place) for place in range(len(sizes))])
    with ThreadPoolExecutor(jobs) as pool:
        return np.concatenate(list(pool.map(block, range(len(sizes)))))


def _all_ways(documents: int) -> Iterator[Floats]:
    """Every choice of documents, in blocks of rows of zeros and ones."""
    rows = max(1, min(1 << documents, _WIDEST // max(documents, 1)))
    for start in range(0, 1 << documents, rows):
        numbers = np.arange(start, min(start + rows, 1 << documents))
        chosen: Bools = (numbers[:, None] >> np.arange(documents)) & 1 > 0
        yield chosen.astype(np.float64)
