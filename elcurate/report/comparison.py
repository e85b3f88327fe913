"""Systems side by side, and ranked, as tables and as lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from elcurate.evaluation.ranking import Ranking, RankReport
from elcurate.evaluation.statistics_records import ComparedCell, Comparison, Difference
from elcurate.model.categories import DIMENSIONS
from elcurate.report.delimited import lines
from elcurate.report.grid import Cell, Grid, Sheet
from elcurate.report.statistics import (
    METHOD_NAMES,
    between,
    by_part,
    part_title,
    study_notes,
    tested_by,
    units,
)
from elcurate.report.tables import METRICS, SHORT, UNDEFINED, best_of, decimals, intro, plural

_LETTERS = "abcdefghijklmnoprstuvwxyz"
"""Those that there are as raised letters: all but q."""
_COMPARED_COLUMNS = (
    *("name", "measure", *DIMENSIONS, "gold", "value", "score", "level", "low", "high", "beats"),
    *("test", "tail", "alpha", "trials", "seed", "warning", "signature"),
)
_RANKED_COLUMNS = (
    *("measure", *DIMENSIONS, "gold", "value", "rank", "name", "score", "best", "worst", "groups"),
    *("test", "tail", "alpha", "trials", "seed", "warning", "signature"),
)


def comparison_sheet(report: Comparison) -> Sheet:
    """A table for each measure and slice, then a matrix of documents for each measure."""
    names = [system.name for system in report.systems]
    letters = labels(len(names))
    grids = [
        _scores(report, cell, dict(zip(names, letters, strict=True))) for cell in report.tables
    ]
    for part in by_part(report.differences):
        if not part[0].slice:
            grids.append(_documents(part, names, letters))
    return Sheet(
        title=report.gold.name,
        intro=intro(report.gold, report.profile, report.settings),
        grids=grids,
        notes=study_notes(report, report.systems, [cell.warning for cell in report.tables]),
        signatures=[
            (f"{score.system} {cell.measure}", score.signature)
            for cell in report.tables
            for score in cell.scores
            if not cell.slice
        ],
    )


def rank_sheet(report: RankReport) -> Sheet:
    """A table for each measure and slice, best system first."""
    warnings = [ranking.warning for ranking in report.rankings]
    return Sheet(
        title=report.gold.name,
        intro=intro(report.gold, report.profile, report.settings),
        grids=[_ranking(report, ranking) for ranking in report.rankings],
        notes=study_notes(report, report.systems, warnings),
        signatures=[
            (f"{system.system} {ranking.measure}", system.signature)
            for ranking in report.rankings
            for system in ranking.systems
            if not ranking.slice
        ],
    )


def comparison_lines(report: Comparison, separator: str) -> str:
    """One line for each score; systems that it beats are parted by a bar."""

    def rows() -> Iterator[Mapping[str, object]]:
        how = _how(report)
        for cell in report.tables:
            part = cell.model_dump(include={"measure", "gold", "warning"}) | cell.slice
            for score in cell.scores:
                for value in METRICS:
                    interval = score.intervals.get(value)
                    yield {
                        **(part | how | (interval.model_dump() if interval else {})),
                        "name": score.system,
                        "value": value,
                        "score": score.value[value],
                        "beats": "|".join(score.beats[value]),
                        "signature": score.signature,
                    }

    return lines(_COMPARED_COLUMNS, rows(), separator)


def rank_lines(report: RankReport, separator: str) -> str:
    """One line for each system, measure and slice."""

    def rows() -> Iterator[Mapping[str, object]]:
        how = _how(report)
        for ranking in report.rankings:
            part = ranking.model_dump(include={"measure", "gold", "warning"}) | ranking.slice
            for one in ranking.systems:
                said = one.model_dump(exclude={"system", "value", "groups"})
                said["groups"] = "|".join(map(str, one.groups or ()))
                named = {"name": one.system, "value": report.value, "score": one.value}
                yield part | how | said | named

    return lines(_RANKED_COLUMNS, rows(), separator)


def labels(number: int) -> list[str]:
    """A letter for each system, two from the 26th."""
    found = list(_LETTERS)
    found += [first + second for first in _LETTERS for second in _LETTERS]
    return found[:number]


def _how(report: Comparison | RankReport) -> dict[str, object]:
    return {name: getattr(report, name) for name in ("test", "tail", "alpha", "trials", "seed")}


def _scores(report: Comparison, cell: ComparedCell, letters: Mapping[str, str]) -> Grid:
    between_letters = "," if any(len(letter) > 1 for letter in letters.values()) else ""
    best = {value: best_of([one.value[value] for one in cell.scores]) for value in METRICS}
    columns = ["", "system"]
    for value in METRICS:
        interval = cell.scores[0].intervals.get(value)
        columns += [SHORT[value]] + ([f"{100 * interval.level:g} %"] if interval else [])
    rows = []
    for score in cell.scores:
        row = [Cell(letters[score.system]), Cell(score.system)]
        for value in METRICS:
            number = score.value[value]
            marks = between_letters.join(letters[name] for name in score.beats[value])
            is_best = number is not None and number == best[value]
            row.append(Cell(decimals(number), best=is_best, marks=marks))
            if value in score.intervals:
                row.append(Cell(between(score.intervals[value])))
        rows.append(tuple(row))
    gold = f" ({units(cell.gold, cell.warning)} gold units)"
    title = part_title(cell.measure, cell.slice) + gold
    return Grid(title, tuple(columns), 2, tuple(rows), caption=_caption(report))


def _caption(report: Comparison) -> str:
    pairs = len(report.systems) * (len(report.systems) - 1) // 2
    text = (
        "Raised letters: the systems that are significantly lower, p ≤ "
        f"{report.alpha:g}, adjusted after Holm for {plural(pairs, 'pair')}. {tested_by(report)}. "
        "Best values in bold."
    )
    if report.method is None:
        return text
    return f"{text} {METHOD_NAMES[report.method]} bootstrap intervals."


def _documents(part: Sequence[Difference], names: list[str], letters: list[str]) -> Grid:
    found = {}
    for one in part:
        found[one.second, one.first] = f"{one.wins}/{one.ties}/{one.losses}"
        found[one.first, one.second] = f"{one.losses}/{one.ties}/{one.wins}"
    rows = (
        (Cell(letter), Cell(name), *(Cell(found.get((name, other), UNDEFINED)) for other in names))
        for letter, name in zip(letters, names, strict=True)
    )
    return Grid(
        f"{part[0].measure}: documents won/tied/lost",
        ("", "system", *letters),
        2,
        tuple(rows),
        caption="Each row's system against each column's, by F1 of the document.",
    )


def _ranking(report: RankReport, ranking: Ranking) -> Grid:
    most = max((place for one in ranking.systems for place in one.groups or ()), default=0)
    letters = labels(most)
    rows = []
    for one in ranking.systems:
        row = ["" if one.rank is None else str(one.rank), one.system, decimals(one.value)]
        if one.best is not None:
            ranks = str(one.best) if one.best == one.worst else f"{one.best}–{one.worst}"
            row += [ranks, "".join(letters[place - 1] for place in one.groups or ())]
        rows.append(tuple(Cell(text) for text in row))
    gold = f" ({units(ranking.gold, ranking.warning)} gold units)"
    tested = ("ranks", "groups") if report.test else ()
    return Grid(
        part_title(ranking.measure, ranking.slice) + gold,
        ("", "system", SHORT[report.value], *tested),
        2,
        tuple(rows),
        caption=_ties(report) if report.test else "Nothing was tested: small steps may be chance.",
    )


def _ties(report: RankReport) -> str:
    return (
        "Ranks: those that the tests leave open. Groups: systems that share a letter are tied. "
        f"{tested_by(report)}, adjusted after Holm, p ≤ {report.alpha:g}."
    )
