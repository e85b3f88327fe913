"""Precision, recall and F1 from counts, under each convention for 0/0."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Prf:
    """Precision, recall and F1; None where undefined."""

    precision: float | None
    recall: float | None
    f1: float | None


def prf(
    gold: float, system: float, precision_tp: float, recall_tp: float, zero: str = "undefined"
) -> Prf:
    """P = precision_tp / system, R = recall_tp / gold, F1 their harmonic mean.

    F1 is 0 when nothing was matched although there was something on one side, and undefined
    only when both sides are empty; so a system that keeps silent doesn't gain by it.

    Args:
        gold: Gold units (or the sum of their weights).
        system: System units.
        precision_tp: Matched system units.
        recall_tp: Matched gold units (or the sum of their weights).
        zero: The policy ``zero`` of `elcurate.match.policy.CHOICES`.
    """
    precision = precision_tp / system if system else None
    recall = recall_tp / gold if gold else None
    return _CONVENTIONS[zero](precision, recall)


def _harmonic(precision: float, recall: float) -> float:
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0


def _undefined(precision: float | None, recall: float | None) -> Prf:
    if precision is None and recall is None:
        return Prf(None, None, None)
    return Prf(precision, recall, _harmonic(precision or 0.0, recall or 0.0))


def _zero(precision: float | None, recall: float | None) -> Prf:
    known = (precision or 0.0, recall or 0.0)
    return Prf(*known, _harmonic(*known))


def _bat(precision: float | None, recall: float | None) -> Prf:
    known = (1.0 if precision is None else precision, 1.0 if recall is None else recall)
    return Prf(*known, _harmonic(*known))


def _one(precision: float | None, recall: float | None) -> Prf:
    found = _bat(precision, recall)
    return found if found.precision or found.recall else Prf(0.0, 0.0, 1.0)


def _emnlp2019(precision: float | None, recall: float | None) -> Prf:
    return Prf(precision, recall or 0.0, _harmonic(precision or 0.0, recall or 0.0))


def _gerbil(precision: float | None, recall: float | None) -> Prf:
    if precision is None and recall is None:
        return Prf(1.0, 1.0, 1.0)
    return _zero(precision, recall)


def prf_of_arrays(
    gold: Floats, system: Floats, precision_tp: Floats, recall_tp: Floats, zero: str
) -> Floats:
    """`prf` of arrays of counts: one more axis of 3, NaN where a value is undefined."""
    usual = (gold != 0) & (system != 0) & ((precision_tp + recall_tp != 0) | (zero != "one"))
    precision = precision_tp / np.where(usual, system, 1.0)
    recall = recall_tp / np.where(usual, gold, 1.0)
    total = precision + recall
    f1 = 2 * precision * recall / np.where(total == 0, 1.0, total)
    found = np.stack([precision, recall, f1], axis=-1)
    rest = np.stack([gold[~usual], system[~usual], precision_tp[~usual], recall_tp[~usual]], -1)
    if len(rest):
        rows, places = np.unique(rest, axis=0, return_inverse=True)
        scored = [prf(a, b, c, d, zero) for a, b, c, d in rows.tolist()]
        values = [(one.precision, one.recall, one.f1) for one in scored]
        found[~usual] = np.array(values, dtype=np.float64)[places.ravel()]
    return found


_CONVENTIONS: Mapping[str, Callable[[float | None, float | None], Prf]] = {
    "undefined": _undefined,
    "zero": _zero,
    "one": _one,
    "emnlp2019": _emnlp2019,
    "gerbil": _gerbil,
    "bat": _bat,
}
