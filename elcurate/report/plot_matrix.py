"""Scores of systems by category, and correlations of measures, as shaded tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from elcurate.evaluation.correlation import CorrelationReport
from elcurate.measures.assignment import Floats
from elcurate.report.correlation import COEFFICIENT_NAMES
from elcurate.report.plot_data import Scores
from elcurate.report.plot_style import new_figure
from elcurate.report.tables import SHORT, UNDEFINED, amount

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_TURNED = 6
"""Longer names of columns are turned."""


def draw_heatmap(
    scores: Scores, value: str, *, zoom: bool, size: tuple[float, float] | None
) -> Figure:
    """Systems in columns; parts of the gold in rows, or measures where there are no parts.

    Args:
        scores: The scores; of several measures the first is shown by parts.
        value: ``precision``, ``recall`` or ``f1``.
        zoom: Whether shades fit the scores instead of 0 to 1.
        size: Width and height in inches; what the names need when None.
    """
    systems = scores.systems
    by_part = len(scores.parts) > 1
    rows = _part_rows(scores) if by_part else [(name, name) for name in scores.measures]
    numbers = np.full((len(rows), len(systems)), np.nan)
    headings = np.array([key is None for _, key in rows])
    for row, (_, key) in enumerate(rows):
        for column, system in enumerate(systems):
            at = (scores.measures[0], key) if by_part else (key, scores.parts[0])
            shown = None if key is None else scores.at(system, str(at[0]), str(at[1]))
            score = None if shown is None else shown.value[value]
            numbers[row, column] = np.nan if score is None else score
    width = max(0.6, 0.075 * max(map(len, systems)) if len(systems) < 5 else 0.6)
    figure, axes = new_figure(
        *(size or (max(2.6 + width * len(systems), 4.2), 1.2 + 0.24 * len(rows)))
    )
    known = numbers[~np.isnan(numbers)]
    limits = (float(known.min()), float(known.max())) if zoom and len(known) else (0.0, 1.0)
    _shade(axes, numbers, "cividis", limits, blank=headings)
    _name(axes, [text for text, _ in rows], systems, headings)
    measure = f" of {scores.measures[0]}" if by_part else ""
    figure.suptitle(f"{scores.gold} · {SHORT[value]}{measure}")
    return figure


def draw_correlation(
    report: CorrelationReport, coefficient: str, *, size: tuple[float, float] | None
) -> Figure:
    """The correlations of measures, below the diagonal."""
    names = [one.measure for one in report.measures]
    place = {name: number for number, name in enumerate(names)}
    numbers = np.full((len(names) - 1, len(names) - 1), np.nan)
    blank = np.triu(np.ones(numbers.shape, dtype=bool), 1)
    for one in report.correlations:
        found = getattr(one, coefficient)
        numbers[place[one.second] - 1, place[one.first]] = np.nan if found is None else found
    side = 0.42 * len(names)
    figure, axes = new_figure(*(size or (max(2.6 + side, 4.5), 1.0 + side)))
    _shade(axes, numbers, "PuOr", (-1.0, 1.0), blank=blank)
    rows = [f"{name}  {number}" for number, name in enumerate(names[1:], 2)]
    columns = [str(number) for number in range(1, len(names))]
    _name(axes, rows, columns, np.zeros(len(rows), dtype=bool))
    axes.set_xlabel(f"1  {names[0]}")
    figure.suptitle(
        f"{report.gold.name} · {COEFFICIENT_NAMES[coefficient]} of {SHORT[report.value]} "
        f"over {len(report.systems)} systems"
    )
    return figure


def _part_rows(scores: Scores) -> list[tuple[str, str | None]]:
    """Labels with gold units, and parts; dimensions are headings."""
    measure = scores.measures[0]
    gold: dict[str, float] = {}
    dimensions: dict[str, str] = {}
    for one in scores.shown:
        if one.measure == measure:
            gold[one.part] = max(one.gold, gold.get(one.part, 0.0))
            dimensions[one.part] = one.dimension
    rows: list[tuple[str, str | None]] = []
    heading = ""
    for part in scores.parts:
        dimension = dimensions.get(part, "")
        if dimension not in ("", heading):
            rows.append((dimension.replace("_", " "), None))
        heading = dimension
        rows.append((f"{part} ({amount(gold.get(part, 0.0))})", part))
    return rows


def _shade(
    axes: Axes, numbers: Floats, colours: str, limits: tuple[float, float], blank: Any
) -> None:
    """Cells with their numbers; undefined ones white with a dash, blank ones white."""
    from matplotlib import colormaps

    shades = colormaps[colours]
    low, high = limits
    shown = np.clip((numbers - low) / ((high - low) or 1.0), 0, 1)
    picture = np.ones((*numbers.shape, 4))
    known = ~np.isnan(numbers)
    picture[known] = shades(shown[known])
    axes.imshow(picture, aspect="auto", interpolation="nearest")
    blank = np.broadcast_to(blank if blank.ndim == 2 else blank[:, None], numbers.shape)
    for row, column in zip(*np.nonzero(~blank), strict=True):
        light = picture[row, column, :3] @ (0.2126, 0.7152, 0.0722) > 0.45
        number = numbers[row, column]
        text = UNDEFINED if np.isnan(number) else f"{number:.2f}".replace("-", "−")
        axes.text(
            *(column, row, text),
            ha="center",
            va="center",
            fontsize=7,
            color="black" if light else "white",
        )


def _name(axes: Axes, rows: Sequence[str], columns: Sequence[str], headings: Any) -> None:
    axes.set_yticks(range(len(rows)), rows)
    axes.set_xticks(range(len(columns)), columns)
    axes.xaxis.tick_top()
    axes.set_xticks(np.arange(len(columns) + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(len(rows) + 1) - 0.5, minor=True)
    axes.grid(which="minor", color="white", linewidth=1)
    axes.tick_params(length=0, which="both")
    for spine in axes.spines.values():
        spine.set_visible(False)
    for label, heading in zip(axes.get_yticklabels(), headings, strict=True):
        if heading:
            label.set_fontweight("bold")
    if max(map(len, columns), default=0) > _TURNED and len(columns) > 4:
        axes.tick_params(axis="x", rotation=40)
        for label in axes.get_xticklabels():
            label.set(ha="left", rotation_mode="anchor")
