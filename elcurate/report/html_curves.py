"""The curves of an evaluation as charts with their numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from markupsafe import Markup

from elcurate.evaluation.records import Curve, Evaluation
from elcurate.report.html_charts import Chart, Series
from elcurate.report.html_format import METRICS, count, score, words


class CurveRow(NamedTuple):
    """One point in numbers."""

    system: str
    x: str
    label: str
    counts: tuple[str, ...]
    values: tuple[str, ...]


class CurveTable(NamedTuple):
    """The numbers behind one or more charts."""

    caption: str
    x_label: str
    rows: list[CurveRow]


class Figure(NamedTuple):
    """A chart under its caption."""

    caption: str
    svg: Markup


class Panel(NamedTuple):
    """The figures of one measure."""

    measure: str
    figures: list[Figure]
    tables: list[CurveTable]


Numbered = list[tuple[int, str, Curve]]


def alpha_panels(evaluation: Evaluation) -> list[Panel]:
    """Per measure, precision, recall and F1 over α."""
    return [
        Panel(
            measure,
            [_figure(curves, metric, "α", measure) for metric in METRICS],
            [_table(curves, "α", f"{measure} over α")],
        )
        for measure, curves in _collect(evaluation, "alpha").items()
    ]


def cumulative_panels(evaluation: Evaluation) -> list[Panel]:
    """Per measure, each score over the number of combinations pooled, best first."""
    panels = []
    for measure, curves in _collect(evaluation, "cumulative").items():
        ranked: dict[str, Numbered] = {}
        for one in curves:
            ranked.setdefault(one[2].ranked_by, []).append(one)
        figures = [
            _figure(part, metric, "k", f"{measure}, ranked by {words(metric)}", sparse=True)
            for metric, part in ranked.items()
        ]
        tables = [
            _table(part, "k", f"{measure}, combinations ranked by {METRICS.get(metric, metric)}")
            for metric, part in ranked.items()
        ]
        panels.append(Panel(measure, figures, tables))
    return panels


def _collect(evaluation: Evaluation, kind: str) -> dict[str, Numbered]:
    found: dict[str, Numbered] = {}
    for number, system in enumerate(evaluation.systems):
        for curve in system.curves:
            if curve.kind == kind:
                found.setdefault(curve.measure, []).append((number, system.name, curve))
    return found


def _figure(
    curves: Numbered, metric: str, x_label: str, subject: str, sparse: bool = False
) -> Figure:
    name = METRICS.get(metric, metric)
    series = [
        Series(system, number, [(point.x, getattr(point, metric)) for point in curve.points])
        for number, system, curve in curves
    ]
    chart = Chart(
        title=f"{name} over {x_label}: {subject}",
        description="; ".join(_ends(one) for one in series),
        x_label=x_label,
        y_label=name,
        series=series,
        sparse=sparse,
    )
    return Figure(name, chart.svg())


def _ends(one: Series) -> str:
    known = [(x, y) for x, y in one.points if y is not None]
    if not known:
        return f"{one.name} is undefined throughout"
    (first, start), (last, end) = known[0], known[-1]
    return f"{one.name} goes from {score(start)} at {first:g} to {score(end)} at {last:g}"


def _table(curves: Numbered, x_label: str, caption: str) -> CurveTable:
    return CurveTable(caption, x_label, list(_rows(curves)))


def _rows(curves: Numbered) -> Iterator[CurveRow]:
    for _, system, curve in curves:
        for point in curve.points:
            yield CurveRow(
                system=system,
                x=f"{point.x:g}",
                label=words(point.label) if curve.ranked_by else "",
                counts=tuple(count(value) for value in (point.gold, point.system, point.tp)),
                values=tuple(score(getattr(point, metric)) for metric in METRICS),
            )
