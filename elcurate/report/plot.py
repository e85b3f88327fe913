"""Plots of saved reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from elcurate.errors import SpecError, suggestion
from elcurate.evaluation.correlation import COEFFICIENTS, CorrelationReport
from elcurate.report.plot_data import Scores, scores_of
from elcurate.report.plot_dots import FIELDS, Dots, Field, draw_dots
from elcurate.report.plot_matrix import draw_correlation, draw_heatmap
from elcurate.report.plot_scatter import draw_scatter
from elcurate.report.plot_style import FORMATS, saved, styled
from elcurate.report.stored import Stored
from elcurate.report.tables import METRICS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = ("columns", "rows", "heatmap", "scatter", "correlation")


@dataclass(frozen=True)
class Plot:
    """What is drawn, and how.

    Attributes:
        kind: A name in `KINDS`.
        form: A name in `FORMATS`.
        systems, measures: These, in this order; all when empty.
        part: The part of the gold, by its leaf; the whole where it does not vary.
        values: Of precision, recall and F1 those that are shown; but for columns and rows one.
        axis, series: For columns and rows, what varies along the axis and what has markers of its
            own; chosen by what there is when None, parts of the gold never.
        level: The confidence of error bars; the one nearest to 0.95 when None.
        coefficient: Of correlations.
        sort: Whether the axis is sorted by score.
        zoom: Whether scales fit the scores instead of 0 to 1.
        title: Instead of what is written by itself.
        size: Width and height in inches.

    Raises:
        SpecError: for names that don't exist, all together.
    """

    kind: str
    form: str
    systems: Sequence[str] = ()
    measures: Sequence[str] = ()
    part: str | None = None
    values: Sequence[str] = ("f1",)
    axis: str | None = None
    series: str | None = None
    level: float | None = None
    coefficient: str = "kendall"
    sort: bool = False
    zoom: bool = False
    title: str | None = None
    size: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        chosen = [
            ("plot", self.kind, KINDS),
            ("format of plots", self.form, FORMATS),
            ("coefficient", self.coefficient, COEFFICIENTS),
            *(("value", value, METRICS) for value in self.values),
            *(("axis", name, FIELDS) for name in [self.axis] if name is not None),
            *(("series", name, FIELDS) for name in [self.series] if name is not None),
        ]
        problems = [
            f"there is no {what} {name!r}. {suggestion(name, list(known))}"
            for what, name, known in chosen
            if name not in known
        ]
        if self.axis is not None and self.axis == self.series:
            problems.append(f"axis and series can't both be {self.axis}")
        if self.size is not None and not all(0.5 <= side <= 60 for side in self.size):
            problems.append("width and height are inches from 0.5 to 60")
        if problems:
            raise SpecError("\n".join(problems))


def draw(plot: Plot, reports: Mapping[str, Stored]) -> bytes:
    """Draws a plot, as the content of a file.

    Args:
        plot: What is drawn.
        reports: Saved reports by the names of their files.

    Raises:
        PlotError: when matplotlib is not installed.
        SpecError: for reports of another kind than the plot needs, and for what is not in them.
        EvaluationError: for reports that don't fit together.
    """
    with styled():
        figure = figure_of(plot, reports)
        return saved(figure, plot.form)


def figure_of(plot: Plot, reports: Mapping[str, Stored]) -> Figure:
    """`draw` before it becomes a file; within `styled`."""
    figure = _correlation(plot, reports) if plot.kind == "correlation" else _scores(plot, reports)
    if plot.title is not None:
        figure.axes[0].set_title("")
        figure.suptitle(plot.title)
    return figure


def _correlation(plot: Plot, reports: Mapping[str, Stored]) -> Figure:
    report = next(iter(reports.values()))
    if len(reports) != 1 or not isinstance(report, CorrelationReport):
        raise SpecError(
            "a plot of correlations takes one report", remedy="Save it with correlate and -f json."
        )
    return draw_correlation(report, plot.coefficient, size=plot.size)


def _scores(plot: Plot, reports: Mapping[str, Stored]) -> Figure:
    known = {
        path: report
        for path, report in reports.items()
        if not isinstance(report, CorrelationReport)
    }
    if len(known) < len(reports):
        raise SpecError(
            f"{plot.kind} show scores, and here are correlations", remedy="Plot a correlation."
        )
    scores = scores_of(known).only(system=plot.systems, measure=plot.measures)
    if plot.part is not None:
        scores = scores.only(part=[plot.part])
    level = _level(scores, plot.level)
    if plot.kind == "heatmap":
        return draw_heatmap(scores, plot.values[0], zoom=plot.zoom, size=plot.size)
    if plot.kind == "scatter":
        return draw_scatter(scores, level=level, zoom=plot.zoom, size=plot.size)
    axis, series = _fields(plot, scores)
    dots = Dots(scores, plot.values, axis, series, level, plot.sort, plot.zoom)
    return draw_dots(dots, rows=plot.kind == "rows", size=plot.size)


def _fields(plot: Plot, scores: Scores) -> tuple[Field, Field]:
    """What varies along the axis, and what the series are."""
    numbers = {
        "systems": len(scores.systems),
        "measures": len(scores.measures),
        "values": len(plot.values),
    }
    axis = plot.axis or ("systems" if plot.series != "systems" else "measures")
    rest = [name for name in ("values", "systems", "measures") if name != axis]
    several = [name for name in rest if numbers[name] > 1]
    series = plot.series or (several or rest)[0]
    named = {name: name for name in FIELDS}
    return named[axis], named[series]  # type: ignore[index]


def _level(scores: Scores, wanted: float | None) -> float | None:
    """The level of error bars: the one asked for, else the one nearest to 0.95."""
    levels = scores.levels
    if wanted is None:
        return min(levels, key=lambda level: abs(level - 0.95)) if levels else None
    if wanted not in levels:
        known = ", ".join(f"{level:g}" for level in levels) or "none"
        raise SpecError(f"there are no intervals of level {wanted:g}", remedy=f"There are: {known}")
    return wanted
