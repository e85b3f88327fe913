"""Resampling over documents: the bootstrap and its intervals, and Holm's adjustment.

Scores of resamples come from matrix products of weights of documents with counts of documents,
never from scoring again.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri

from elcurate.evaluation.sampling import Draws
from elcurate.measures.assignment import Floats
from elcurate.measures.scores import prf_of_arrays

VALUES = ("precision", "recall", "f1")


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

    return np.concatenate(list(draws.blocks(block)))


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
