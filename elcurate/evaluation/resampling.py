"""Resampling over documents: bootstrap intervals, and what all resampling shares.

Scores of resamples come from matrix products of weights of documents with counts of documents,
never from scoring again. Trials are drawn in blocks of fixed size, each with a generator of its
own made from the seed, so that the same seed gives the same numbers on any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from scipy.special import ndtr, ndtri

from elcurate.errors import SpecError
from elcurate.measures.assignment import Floats
from elcurate.measures.scores import prf_of_arrays

VALUES = ("precision", "recall", "f1")
_BLOCK = 250

T = TypeVar("T")


@dataclass(frozen=True)
class Draws:
    """How often and from which seed is drawn.

    Attributes:
        trials: How many resamples.
        seed: From 0 up; the same seed gives the same numbers.
        jobs: How many threads; the numbers don't depend on it.

    Raises:
        SpecError: for numbers that make no sense.
    """

    trials: int = 10_000
    seed: int = 0
    jobs: int = 1

    def __post_init__(self) -> None:
        if self.trials < 1 or self.jobs < 1 or self.seed < 0:
            raise SpecError(
                "trials and jobs are numbers from 1 up, a seed from 0 up",
                remedy="Use --trials 10000 --seed 0 --jobs 1.",
            )

    def blocks(self, draw: Callable[[np.random.Generator, int], T]) -> list[T]:
        """What a function makes of each block of trials, from its generator and size."""
        sizes = [min(_BLOCK, self.trials - start) for start in range(0, self.trials, _BLOCK)]
        seeds = np.random.SeedSequence(self.seed).spawn(len(sizes))

        def block(place: int) -> T:
            return draw(np.random.Generator(np.random.PCG64(seeds[place])), sizes[place])

        if self.jobs == 1:
            return [block(place) for place in range(len(sizes))]
        with ThreadPoolExecutor(self.jobs) as pool:
            return list(pool.map(block, range(len(sizes))))


def values_of(sums: Floats, zero: str) -> Floats:
    """Precision, recall and F1 (last axis 3) of counts (last axis 4); NaN where undefined."""
    gold, system, tp, recall_tp = np.moveaxis(sums, -1, 0)
    return prf_of_arrays(gold, system, tp, recall_tp, zero)


def drawn_documents(random: np.random.Generator, size: int, documents: int) -> Floats:
    """How often each document is in each of some resamples, drawn with replacement."""
    drawn = random.integers(0, documents, (size, documents))
    drawn += np.arange(size)[:, None] * documents
    times = np.bincount(drawn.ravel(), minlength=size * documents)
    return times.reshape(size, documents).astype(np.float64)


def bootstrap(counts: Floats, draws: Draws, zero: str) -> Floats:
    """Scores of resamples of documents, drawn with replacement.

    Efron, Bootstrap methods: another look at the jackknife (Annals of Statistics, 1979).

    Args:
        counts: cells × 4 × documents.
        draws: How many resamples, and their seed.
        zero: The policy for 0/0.

    Returns:
        trials × cells × 3.
    """
    cells, _, documents = counts.shape
    flat = counts.reshape(cells * 4, documents).T.copy()

    def block(random: np.random.Generator, size: int) -> Floats:
        sums = drawn_documents(random, size, documents) @ flat
        return values_of(sums.reshape(size, cells, 4), zero)

    return np.concatenate(draws.blocks(block))


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
    bias = ndtri(below)
    away = left.mean() - left
    spread = (away**2).sum()
    acceleration = (away**3).sum() / (6 * spread**1.5) if spread > 0 else 0.0
    tail = (1 - level) / 2
    ends = []
    for quantile in ndtri([tail, 1 - tail]):
        moved = bias + quantile
        ends.append(ndtr(bias + moved / (1 - acceleration * moved)))
    low, high = np.quantile(known, ends, method="weibull")
    return float(low), float(high)


def holm(values: Floats) -> Floats:
    """p-values adjusted for several tests.

    Holm, A simple sequentially rejective multiple test procedure (1979).
    """
    order = np.argsort(values, kind="stable")
    factors = np.arange(len(values), 0, -1)
    adjusted = np.empty(len(values))
    adjusted[order] = np.minimum(np.maximum.accumulate(values[order] * factors), 1.0)
    return adjusted
