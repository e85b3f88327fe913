"""Intervals and tests between pairs of systems, as tables and as lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from elcurate.evaluation.ranking import RankReport
from elcurate.evaluation.records import SystemInfo
from elcurate.evaluation.statistics_records import (
    ConfidenceReport,
    Difference,
    Estimate,
    Interval,
    PairedStudy,
    SignificanceReport,
    Study,
)
from elcurate.model.categories import DIMENSIONS
from elcurate.report.delimited import lines
from elcurate.report.grid import Cell, Grid, Sheet
from elcurate.report.tables import (
    METRICS,
    SHORT,
    UNDEFINED,
    amount,
    decimals,
    documents_notes,
    intro,
    plural,
    slice_label,
)

METHOD_NAMES = {"percentile": "Percentile", "bca": "BCa"}
TEST_NAMES = {"randomisation": "approximate randomisation", "bootstrap": "paired bootstrap"}
_ESTIMATE_COLUMNS = (
    *("name", "measure", *DIMENSIONS, "gold", "value", "score", "level", "low", "high"),
    *("method", "trials", "seed", "warning", "signature"),
)
_DIFFERENCE_COLUMNS = (
    *("first", "second", "measure", *DIMENSIONS, "gold", "value", "first_score", "second_score"),
    *("difference", "p", "holm", "exact", "wins", "ties", "losses", "effect"),
    *("test", "tail", "trials", "seed", "warning", "signature"),
)


def confidence_sheet(report: ConfidenceReport) -> Sheet:
    """Each score with its intervals."""
    first = report.systems[0].estimates
    rows: list[tuple[Cell, ...]] = []
    for place, cell in enumerate(first):
        rows.append((Cell(part_title(cell.measure, cell.slice)),))
        for system in report.systems:
            rows += _estimate_rows(system.name, system.estimates[place])
    levels = [f"{100 * one.level:g} %" for one in first[0].intervals["f1"]] if first else []
    caption = (
        f"{METHOD_NAMES[report.method]} bootstrap intervals, "
        f"{report.trials:,} resamples of {plural(report.documents, 'document')}, "
        f"seed {report.seed}."
    )
    return Sheet(
        title=report.gold.name,
        intro=intro(report.gold, report.profile, report.settings),
        grids=[Grid("Intervals", ("", "", "gold", "score", *levels), 2, tuple(rows), (), caption)],
        notes=study_notes(report, report.systems, [one.warning for one in first]),
        signatures=[
            (f"{system.name} {one.measure}", one.signature)
            for system in report.systems
            for one in system.estimates
            if not one.slice
        ],
    )


def significance_sheet(report: SignificanceReport) -> Sheet:
    """Each pair of systems with its differences and p-values."""
    rows: list[tuple[Cell, ...]] = []
    for part in by_part(report.differences):
        rows.append((Cell(part_title(part[0].measure, part[0].slice)),))
        rows += [_difference_row(one) for one in part]
    caption = (
        f"{tested_by(report)}; Holm: p adjusted for {plural(_pairs(report), 'pair')}. "
        "Δ: second less first. Won, tied, lost: documents, by F1 of the second system. Effect: the "
        "mean difference of their F1 over its standard deviation."
    )
    if any(one.exact for one in report.differences):
        caption += " e: exact, from all ways to exchange documents."
    heads = (("", 2), *((SHORT[name], 3) for name in METRICS), ("documents", 4))
    columns = ("first", "second", *(("Δ", "p", "Holm") * 3), "won", "tied", "lost", "effect")
    grid = Grid("Differences", columns, 2, tuple(rows), heads, caption, shortens=False)
    warnings = [part[0].warning for part in by_part(report.differences)]
    notes = study_notes(report, report.systems, warnings)
    return Sheet(
        title=report.gold.name,
        intro=intro(report.gold, report.profile, report.settings),
        grids=[grid],
        notes=[*notes, "JSON, TSV and CSV have the signature of each test"],
    )


def confidence_lines(report: ConfidenceReport, separator: str) -> str:
    """One line for each value and level."""

    def rows() -> Iterator[Mapping[str, object]]:
        how = {"method": report.method, "trials": report.trials, "seed": report.seed}
        for system in report.systems:
            for one in system.estimates:
                said = one.model_dump(include={"measure", "gold", "warning", "signature"})
                for value, intervals in one.intervals.items():
                    for interval in intervals:
                        yield {
                            "name": system.name,
                            "value": value,
                            "score": one.value[value],
                            **(said | one.slice | how | interval.model_dump()),
                        }

    return lines(_ESTIMATE_COLUMNS, rows(), separator)


def significance_lines(report: SignificanceReport, separator: str) -> str:
    """One line for each pair and value; documents are counted by F1, and stand in its lines."""

    def rows() -> Iterator[Mapping[str, object]]:
        how = {name: getattr(report, name) for name in ("test", "tail", "trials", "seed")}
        for one in report.differences:
            said = one.model_dump(exclude={"slice", "values", "difference", "p", "holm"})
            of_f1 = dict.fromkeys(("wins", "ties", "losses", "effect"))
            for value in METRICS:
                yield {
                    **(said | one.slice | how | ({} if value == "f1" else of_f1)),
                    "value": value,
                    "difference": one.difference[value],
                    "p": one.p[value],
                    "holm": one.holm[value],
                    **{
                        f"{side}_score": of[value]
                        for side, of in zip(("first", "second"), one.values, strict=True)
                    },
                }

    return lines(_DIFFERENCE_COLUMNS, rows(), separator)


def study_notes(
    report: Study, systems: Sequence[SystemInfo], warnings: Sequence[str | None]
) -> list[str]:
    """What a reader has to know besides the figures.

    Args:
        report: The report.
        systems: Its systems.
        warnings: Of its measures and slices.
    """
    found = []
    for system in systems:
        found += documents_notes(system.name, system.missing_documents, system.unknown_documents)
    outputs: dict[str, list[str]] = {}
    for system in systems:
        outputs.setdefault(system.fingerprint, []).append(system.name)
    found += [
        f"{' and '.join(names)} are the same output" for names in outputs.values() if len(names) > 1
    ]
    if any(warnings):
        found.append(f"*: fewer than {report.min_gold} gold units, too few to rely on")
    return found


def tested_by(report: PairedStudy | RankReport) -> str:
    """The test and its parameters."""
    return (
        f"{report.tail} {TEST_NAMES[str(report.test)]} test over "
        f"{plural(report.documents, 'document')} ({report.trials:,} trials, seed {report.seed})"
    ).capitalize()


def part_title(measure: str, leaves: Mapping[str, str]) -> str:
    """A measure and slice in words."""
    return f"{measure} · {slice_label(leaves)}" if leaves else measure


def by_part(differences: Sequence[Difference]) -> list[list[Difference]]:
    """The differences by measure and slice, in the order of the first pair."""
    parts: dict[tuple[str, str], list[Difference]] = {}
    for one in differences:
        parts.setdefault((one.measure, str(one.slice)), []).append(one)
    return list(parts.values())


def units(gold: float, warning: str | None) -> str:
    """How many gold units there are, with a star where they are few."""
    return amount(gold) + ("*" if warning else "")


def between(interval: Interval) -> str:
    """The ends of an interval."""
    if interval.low is None:
        return UNDEFINED
    return f"{decimals(interval.low)}–{decimals(interval.high)}"


def signed(value: float, places: int) -> str:
    """A number with its sign."""
    return f"{value:+.{places}f}".replace("-", "−")


def probability(p: float) -> str:
    """A p-value with four decimals, and smaller ones with their power of ten."""
    return f"{p:.4f}" if p >= 0.00005 else f"{p:.0e}"


def _estimate_rows(name: str, one: Estimate) -> Iterator[tuple[Cell, ...]]:
    for value, intervals in one.intervals.items():
        labels = (name, SHORT[value], units(one.gold, one.warning))
        shown = labels if value == "precision" else ("", SHORT[value], "")
        cells = (*shown, decimals(one.value[value]), *map(between, intervals))
        yield tuple(Cell(text) for text in cells)


def _difference_row(one: Difference) -> tuple[Cell, ...]:
    cells = [Cell(one.first), Cell(one.second)]
    for value in METRICS:
        cells.append(Cell(signed(one.difference[value], 3)))
        cells.append(Cell(probability(one.p[value]), marks="e" if one.exact else ""))
        cells.append(Cell(probability(one.holm[value])))
    cells += [Cell(f"{number:,}") for number in (one.wins, one.ties, one.losses)]
    cells.append(Cell(UNDEFINED if one.effect is None else signed(one.effect, 2)))
    return tuple(cells)


def _pairs(report: SignificanceReport) -> int:
    return len(report.systems) * (len(report.systems) - 1) // 2
