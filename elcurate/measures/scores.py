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
    found = np.empty((3, *gold.shape))
    precision, recall, f1 = (found[place, ...] for place in range(3))
    empty = system == 0, gold == 0
    np.divide(precision_tp, np.where(empty[0], 1.0, system), out=precision)
    np.divide(recall_tp, np.where(empty[1], 1.0, gold), out=recall)
    for value, none, filled in zip((precision, recall), empty, _FILLED[zero], strict=True):
        value[none] = filled
    known = np.nan_to_num(precision), np.nan_to_num(recall)
    total = known[0] + known[1]
    np.divide(2 * known[0] * known[1], np.where(total == 0, 1.0, total), out=f1)
    nothing = empty[0] & empty[1]
    if zero == "undefined":
        f1[nothing] = np.nan
    elif zero == "gerbil":
        found[:, nothing] = 1.0
    elif zero == "one":
        f1[total == 0] = 1.0
    return np.moveaxis(found, 0, -1)


_FILLED: Mapping[str, tuple[float, float]] = {
    "undefined": (np.nan, np.nan),
    "zero": (0.0, 0.0),
    "one": (1.0, 1.0),
    "emnlp2019": (np.nan, 0.0),
    "gerbil": (0.0, 0.0),
    "bat": (1.0, 1.0),
}
"""What stands for a precision and a recall of 0/0."""

_CONVENTIONS: Mapping[str, Callable[[float | None, float | None], Prf]] = {
    "undefined": _undefined,
    "zero": _zero,
    "one": _one,
    "emnlp2019": _emnlp2019,
    "gerbil": _gerbil,
    "bat": _bat,
}
