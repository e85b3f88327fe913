"""Correlations of measures as tables and as lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from elcurate.evaluation.correlation import COEFFICIENTS, CorrelationReport
from elcurate.report.delimited import lines
from elcurate.report.grid import Cell, Grid, Sheet
from elcurate.report.tables import SHORT, decimals, intro, plural

COEFFICIENT_NAMES = {
    "pearson": "Pearson's r",
    "spearman": "Spearman's ρ",
    "kendall": "Kendall's τ-b",
}
_COLUMNS = ("first", "second", "value", "systems", *COEFFICIENTS)


def correlation_sheet(report: CorrelationReport) -> Sheet:
    """A matrix for each coefficient, then how the scores of each measure spread."""
    names = ", ".join(report.systems)
    return Sheet(
        title=report.gold.name,
        intro=f"{intro(report.gold, report.profile, report.settings)} "
        f"{plural(len(report.systems), 'system')}: {names}.",
        grids=[*(_matrix(report, name) for name in COEFFICIENTS), _spread(report)],
        signatures=[(one.measure, one.signature) for one in report.measures],
    )


def correlation_lines(report: CorrelationReport, separator: str) -> str:
    """One line for each pair of measures."""

    def rows() -> Iterator[Mapping[str, object]]:
        for one in report.correlations:
            yield one.model_dump() | {"value": report.value}

    return lines(_COLUMNS, rows(), separator)


def _matrix(report: CorrelationReport, coefficient: str) -> Grid:
    names = [one.measure for one in report.measures]
    found = {(one.first, one.second): getattr(one, coefficient) for one in report.correlations}
    rows = []
    for place, name in enumerate(names):
        cells = [Cell(decimals(found[other, name])) for other in names[:place]]
        rest = [Cell("")] * (len(names) - 1 - place)
        rows.append((Cell(str(place + 1)), Cell(name), *cells, *rest)[: len(names) + 1])
    columns = ("", "measure", *(str(place) for place in range(1, len(names))))
    title = f"{COEFFICIENT_NAMES[coefficient]} of {SHORT[report.value]}"
    return Grid(title, columns, 2, tuple(rows))


def _spread(report: CorrelationReport) -> Grid:
    rows = []
    for one in report.measures:
        quartiles = one.quartiles or (None,) * 5
        shown = (one.measure, str(one.systems), *map(decimals, quartiles))
        rows.append(tuple(Cell(text) for text in shown))
    columns = ("measure", "systems", "least", "25 %", "median", "75 %", "greatest")
    return Grid(f"{SHORT[report.value]} over the systems", columns, 1, tuple(rows))
