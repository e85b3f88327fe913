"""Precision against recall, with curves of equal F1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from elcurate.report.plot_data import Scores
from elcurate.report.plot_labels import label_points
from elcurate.report.plot_style import GREY, LIGHT, colour, marker, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_STEPS = (0.2, 0.1, 0.05, 0.02, 0.01)


def draw_scatter(
    scores: Scores, *, level: float | None, zoom: bool, size: tuple[float, float] | None
) -> Figure:
    """A named point for each system, of the first measure and part.

    Args:
        scores: The scores.
        level: The confidence of error bars, None for none.
        zoom: Whether the axes fit the points instead of 0 to 1.
        size: Width and height in inches.
    """
    measure, part = scores.measures[0], scores.parts[0]
    figure, axes = new_figure(*(size or (5.2, 5.0)))
    points, bars, unplaced = [], [], []
    for number, system in enumerate(scores.systems):
        shown = scores.at(system, measure, part)
        precision = None if shown is None else shown.value["precision"]
        recall = None if shown is None else shown.value["recall"]
        if shown is None or precision is None or recall is None:
            unplaced.append(system)
            continue
        across, up = (
            shown.intervals.get(value, {}).get(level or 0.0, (score, score))
            for value, score in (("recall", recall), ("precision", precision))
        )
        bars += [(across[0], precision, across[1], precision), (recall, up[0], recall, up[1])]
        axes.errorbar(
            [recall],
            [precision],
            xerr=_around(recall, across) if level else None,
            yerr=_around(precision, up) if level else None,
            color=colour(number),
            fmt=marker(number),
            elinewidth=0.8,
            alpha=0.9,
            zorder=3,
        )
        points.append((recall, precision, system))
    corners = [(x, y) for left, low, right, high in bars for x, y in ((left, low), (right, high))]
    _frame(axes, corners, zoom=zoom)
    title = f"{scores.gold} · {measure}" + (f" · {part}" if part != "all" else "")
    axes.set_title(title + (f" · {100 * level:g} % intervals" if level else ""), pad=16)
    undefined = f"  (undefined: {', '.join(unplaced)})" if unplaced else ""
    axes.set(xlabel=f"recall{undefined}", ylabel="precision")
    label_points(axes, points, bars if level else ())
    return figure


def _around(score: float, ends: tuple[float, float]) -> list[list[float]]:
    return [[max(score - ends[0], 0)], [max(ends[1] - score, 0)]]


def _frame(axes: Axes, corners: list[tuple[float, float]], *, zoom: bool) -> None:
    """Limits, and the curves of equal F1 with their names at the edge."""
    limits = ((0.0, 1.0), (0.0, 1.0))
    if zoom and corners:
        spread = np.array(corners)
        middle = (spread.max(axis=0) + spread.min(axis=0)) / 2
        half = max(float(np.ptp(spread, axis=0).max()) * 0.6, 0.02)
        middle = np.clip(middle, half, max(1.02 - half, half))
        limits = tuple((float(one) - half, float(one) + half) for one in middle)  # type: ignore[assignment]
    (left, right), (bottom, top) = limits
    axes.set(xlim=(left, right), ylim=(bottom, top))
    axes.set_box_aspect(1)
    for f1 in _curves(limits):
        if not _curve_name(axes, f1, limits):
            continue
        recall = np.linspace(max(f1 / 2 + 1e-9, left, 1e-9), max(right, f1), 400)
        precision = f1 * recall / (2 * recall - f1)
        seen = (precision <= top) & (precision >= bottom)
        axes.plot(recall[seen], precision[seen], color=LIGHT, linewidth=0.8, zorder=1)


def _curves(limits: tuple[tuple[float, float], tuple[float, float]]) -> list[float]:
    """Values of F1 of which at least three, if possible, go through the view."""
    (left, right), (bottom, top) = limits
    lowest, highest = (_f1(*corner) for corner in ((left, bottom), (min(right, 1), min(top, 1))))
    for step in _STEPS:
        every = [round(step * number, 4) for number in range(1, round(1 / step))]
        found = [one for one in every if lowest < one < highest]
        if len(found) >= (3 if step < 0.2 else 5):
            return found
    return found


def _f1(recall: float, precision: float) -> float:
    total = max(recall, 0) + max(precision, 0)
    return 2 * max(recall, 0) * max(precision, 0) / total if total else 0.0


def _curve_name(
    axes: Axes, f1: float, limits: tuple[tuple[float, float], tuple[float, float]]
) -> bool:
    """Names a curve where it leaves the view at the right, or else at the top, if it does."""
    (left, right), (bottom, top) = limits
    at_right = f1 * right / (2 * right - f1) if 2 * right > f1 else np.inf
    at_top = f1 * top / (2 * top - f1) if 2 * top > f1 else np.inf
    style: dict[str, Any] = {
        "fontsize": 7,
        "color": GREY,
        "annotation_clip": False,
        "textcoords": "offset points",
    }
    if bottom <= at_right <= top:
        axes.annotate(f"F1 {f1:g}", (right, at_right), (3, 0), va="center", **style)
    elif left <= at_top <= right:
        axes.annotate(f"F1 {f1:g}", (at_top, top), (0, 3), ha="center", **style)
    else:
        return False
    return True
