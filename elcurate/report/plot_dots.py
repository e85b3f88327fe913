"""Scores as dots over systems, measures or parts of the gold: in columns, or in rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from elcurate.measures.assignment import Floats
from elcurate.report.plot_data import Scores, Shown
from elcurate.report.plot_style import GREY, colour, marker, new_figure
from elcurate.report.tables import SHORT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Field = Literal["systems", "measures", "parts", "values"]
FIELDS: tuple[Field, ...] = ("systems", "measures", "parts", "values")
_LONG = 60
"""So many letters of names fit under a figure without turning them."""


@dataclass(frozen=True)
class Dots:
    """What varies along the axis, what is a series, and what the rest is.

    Attributes:
        scores: The scores.
        values: Of precision, recall and F1 those that are shown.
        axis, series: Two of `FIELDS`.
        level: The confidence of error bars, None for none.
        sort: Whether the axis is sorted by the first series, greatest score first.
        zoom: Whether the scale fits the scores instead of 0 to 1.
    """

    scores: Scores
    values: Sequence[str]
    axis: Field
    series: Field
    level: float | None = None
    sort: bool = False
    zoom: bool = False

    def entries(self, field: Field) -> list[str]:
        """The names of a field."""
        if field == "values":
            return list(self.values if field in (self.axis, self.series) else self.values[:1])
        found: list[str] = getattr(self.scores, field)
        return found if field in (self.axis, self.series) else found[:1]

    def number(self, place: str, series: str) -> tuple[float, float, float]:
        """A score and the ends of its interval, NaN for what there is not."""
        chosen = {field: self.entries(field)[0] for field in FIELDS}
        chosen |= {self.axis: place, self.series: series}
        shown = self.scores.at(chosen["systems"], chosen["measures"], chosen["parts"])
        score = None if shown is None else shown.value[chosen["values"]]
        if shown is None or score is None:
            return np.nan, np.nan, np.nan
        return (score, *_ends(shown, chosen["values"], self.level, score))

    def order(self) -> list[str]:
        """The names along the axis."""
        names = self.entries(self.axis)
        if not self.sort:
            return names
        first = self.entries(self.series)[0]
        known = {name: self.number(name, first)[0] for name in names}
        return sorted(names, key=lambda name: (np.isnan(known[name]), -known[name]))

    def score_name(self) -> str:
        """What the scale measures."""
        name = SHORT[self.values[0]] if len(self.entries("values")) == 1 else "score"
        return name if self.level is None else f"{name}, {100 * self.level:g} % intervals"

    def title(self) -> str:
        """What the plot is about: what does not vary."""
        measures, parts = self.scores.measures, self.scores.parts
        said = [self.scores.gold]
        if "measures" not in (self.axis, self.series):
            said.append(measures[0])
        if "parts" not in (self.axis, self.series) and parts[0] != "all":
            said.append(parts[0])
        return " · ".join(said)


def draw_dots(dots: Dots, *, rows: bool, size: tuple[float, float] | None) -> Figure:
    """Draws dots with error bars; names below (columns) or at the left (rows).

    Args:
        dots: What is drawn.
        rows: Whether scores run from left to right.
        size: Width and height in inches; what the names need when None.
    """
    names, series = dots.order(), dots.entries(dots.series)
    figure, axes = new_figure(*(size or _size(len(names), len(series), rows)))
    places = np.arange(len(names), dtype=np.float64)
    highest = 1.0
    step = min(0.8 / len(series), 0.16)
    for number, name in enumerate(series):
        shifted = places + (number - (len(series) - 1) / 2) * step
        found = np.array([dots.number(place, name) for place in names])
        highest = max(highest, float(np.nanmax(found, initial=0.0)))
        shown = SHORT.get(name, name) if dots.series == "values" else name
        _draw_series(axes, shifted, found, number, shown, rows=rows)
    _dress(axes, names, rows=rows, bands=len(series) > 1)
    scale = axes.set_xlabel if rows else axes.set_ylabel
    scale(dots.score_name())
    if not dots.zoom:
        (axes.set_xlim if rows else axes.set_ylim)(-0.02 * highest, 1.02 * highest)
    axes.set_title(dots.title())
    if len(series) > 1:
        figure.legend(loc="outside right upper")
    return figure


def _draw_series(
    axes: Axes, places: Floats, found: Floats, number: int, name: str, *, rows: bool
) -> None:
    score, low, high = found.T
    around = np.array([np.maximum(score - low, 0), np.maximum(high - score, 0)])
    bars = None if np.isnan(around).all() else np.nan_to_num(around)
    x, y, error = (score, places, "xerr") if rows else (places, score, "yerr")
    style: dict[str, Any] = {"color": colour(number), "fmt": marker(number), error: bars}
    axes.errorbar(x, y, **style, label=name, capsize=2, elinewidth=0.9, markeredgewidth=0.5)
    for place in places[np.isnan(score)]:
        across, up = (0.01, place) if rows else (place, 0.01)
        edge = axes.get_yaxis_transform() if rows else axes.get_xaxis_transform()
        axes.text(across, up, "–", color=colour(number), transform=edge, ha="center", va="center")


def _dress(axes: Axes, names: Sequence[str], *, rows: bool, bands: bool) -> None:
    """Names, grid lines, bands behind every other name, and the order of rows."""
    axes.grid(axis="x" if rows else "y")
    for place in range(1, len(names), 2) if bands else ():
        band = axes.axhspan if rows else axes.axvspan
        band(place - 0.5, place + 0.5, color="#f2f2f2", linewidth=0, zorder=0)
    ticks = list(range(len(names)))
    if rows:
        axes.set_yticks(ticks, names)
        axes.set_ylim(len(names) - 0.5, -0.5)
        return
    turned = sum(map(len, names)) > _LONG
    axes.set_xticks(ticks, names)
    axes.tick_params(axis="x", color=GREY)
    if turned:
        axes.tick_params(axis="x", rotation=40)
        for label in axes.get_xticklabels():
            label.set(ha="right", rotation_mode="anchor")
    axes.set_xlim(-0.5, len(names) - 0.5)


def _ends(shown: Shown, value: str, level: float | None, score: float) -> tuple[float, float]:
    known = shown.intervals.get(value, {})
    return known.get(level, (np.nan, np.nan)) if level is not None else (np.nan, np.nan)


def _size(names: int, series: int, rows: bool) -> tuple[float, float]:
    slot = max(0.3, 0.11 * series + 0.12)
    legend = 1.8 if series > 1 else 0.0
    if rows:
        return 5.0 + legend, min(max(1.2 + names * slot, 2.4), 24.0)
    return min(max(1.6 + names * slot + legend, 4.5), 18.0), 3.6
