"""An evaluation as plain tables, for every renderer that prints tables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from elcurate.evaluation.records import CorpusInfo, Curve, Evaluation, Point, Score
from elcurate.report.grid import Cell as Cell
from elcurate.report.grid import Grid as Grid
from elcurate.report.grid import Sheet
from elcurate.report.notes import entities_notes

METRICS = ("precision", "recall", "f1")
SHORT = {"precision": "P", "recall": "R", "f1": "F1"}
UNDEFINED = "–"
_BLANKS = re.compile(r"\s+")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def sheet(evaluation: Evaluation) -> Sheet:
    """An evaluation as a report."""
    return Sheet(
        title=evaluation.gold.name,
        intro=intro(evaluation.gold, evaluation.profile, evaluation.settings),
        grids=grids(evaluation),
        notes=notes(evaluation),
        signatures=signatures(evaluation),
    )


def grids(evaluation: Evaluation) -> list[Grid]:
    """The tables of an evaluation: summary, slices, groups, curves."""
    found = [_summary(evaluation)]
    for measure in _measures(evaluation):
        found += _scores(evaluation, measure)
    found += _curves(evaluation)
    return [grid for grid in found if grid.rows]


def notes(evaluation: Evaluation) -> list[str]:
    """What a reader of the scores has to know besides them."""
    found = entities_notes(evaluation.entities)
    for system in evaluation.systems:
        found += documents_notes(system.name, system.missing_documents, system.unknown_documents)
        if system.scores and not any(score.gold for score in system.scores):
            found.append(f"{system.name}: nothing of the gold was scored; does the filter fit it?")
        if system.cut_mentions:
            cut = plural(system.cut_mentions, "mention")
            found.append(f"{system.name}: {cut} cut at the end of a sentence")
        relations = system.link_relations
        if relations.differ:
            right = ", ".join(f"{name} {count}" for name, count in relations.right.items())
            found.append(
                f"{system.name}: {plural(relations.differ, 'link')} on gold spans right under some "
                f"link relations only ({right})"
            )
    return found


def documents_notes(name: str, missing: Sequence[str], unknown: Sequence[str]) -> list[str]:
    """A sentence for the documents that a system lacks, and one for those that the gold lacks."""
    found = []
    for names, what, noun in ((missing, "lacks", "document"), (unknown, "has", "unknown document")):
        if names:
            some = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
            found.append(f"{name} {what} {plural(len(names), noun)}: {some}")
    return found


def intro(gold: CorpusInfo, profile: str, settings: Mapping[str, str]) -> str:
    """A sentence on the gold, and what departs from the profile."""
    departs = "; ".join(f"{name} {value}" for name, value in settings.items() if name != "groups")
    return (
        f"Gold {gold.name}: {plural(gold.documents, 'document')}, "
        f"{plural(gold.mentions, 'mention')}, {plural(gold.links, 'link')}. "
        f"Profile {profile}{f' ({departs})' if departs else ''}."
    )


def signatures(evaluation: Evaluation) -> list[tuple[str, str]]:
    """Name and signature of the overall scores, and of a score that stands alone."""
    return [
        (f"{system.name} {score.measure}", score.signature)
        for system in evaluation.systems
        for score in system.scores
        if not (score.slice or score.group) or len(system.scores) == 1
    ]


def one_line(text: str) -> str:
    """Text on one line, without what would move a terminal's cursor or turn its direction."""
    return _CONTROLS.sub("�", _BLANKS.sub(" ", text))


def plural(number: int, noun: str) -> str:
    """``1 link``, ``2 links``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def decimals(value: float | None) -> str:
    """A score with three decimals; a dash when undefined."""
    return UNDEFINED if value is None else f"{value:.3f}".replace("-", "−")


def amount(value: float) -> str:
    """A count: whole numbers without decimals."""
    return f"{value:.0f}" if float(value).is_integer() else f"{value:.2f}"


def slice_label(leaves: Mapping[str, str]) -> str:
    """The leaves of a slice, or ``all``."""
    return " · ".join(leaf.replace("_", " ") for leaf in leaves.values()) or "all"


def group_label(group: Mapping[str, str | None]) -> str:
    """A group in words."""
    if "average" in group:
        over = group.get("over")
        return f"{group['average']} average" + (f" over {over}" if over else "")
    return " · ".join("none" if value is None else value for value in group.values())


def _measures(evaluation: Evaluation) -> list[str]:
    return list(dict.fromkeys(score.measure for one in evaluation.systems for score in one.scores))


def _summary(evaluation: Evaluation) -> Grid:
    rows: list[tuple[Cell, ...]] = []
    weighted = any(
        one.recall_tp is not None for system in evaluation.systems for one in system.scores
    )
    for measure in _measures(evaluation):
        scores = [
            (system.name, score)
            for system in evaluation.systems
            for score in system.scores
            if score.measure == measure and not score.slice and not score.group
        ]
        best = best_of([score.f1 for _, score in scores])
        if scores:
            rows.append((Cell(measure),))
        for name, score in scores:
            counts = [score.gold, score.system, score.tp, score.fp, score.fn]
            if weighted:
                counts.insert(3, score.tp if score.recall_tp is None else score.recall_tp)
            cells = (Cell(amount(count)) for count in counts)
            rows.append((Cell(name), *cells, *_metric_cells(score, best)))
    found = ("found",) if weighted else ()
    columns = ("", "gold", "system", "tp", *found, "fp", "fn", "P", "R", "F1")
    return Grid("Scores", columns, 1, tuple(rows))


Key = tuple[str, str]
"""Slice and group of a row, as texts."""


def _scores(evaluation: Evaluation, measure: str) -> list[Grid]:
    """One table per kind of row: slices, groups."""
    by_key: dict[tuple[str, str], dict[int, Score]] = {}
    for place, system in enumerate(evaluation.systems):
        for score in system.scores:
            if score.measure == measure:
                key = str(score.slice), str(score.group) if score.group else ""
                by_key.setdefault(key, {})[place] = score
    slices = {key: row for key, row in by_key.items() if not key[1]}
    groups = _in_order({key: row for key, row in by_key.items() if key[1]})
    found = []
    if any(score.slice for row in slices.values() for score in row.values()):
        found.append(_matrix(evaluation, f"{measure} by category", slices, grouped=False))
    if groups:
        by = " and ".join(evaluation.settings.get("groups", "group").split("+"))
        found.append(_matrix(evaluation, f"{measure} by {by}", groups, grouped=True))
    return found


def _in_order(groups: dict[Key, dict[int, Score]]) -> dict[Key, dict[int, Score]]:
    """Groups that only later systems have among those of the first; averages last in each slice."""
    place = {key: number for number, key in enumerate(groups)}
    firsts: dict[str, int] = {}
    for key in groups:
        firsts.setdefault(key[0], place[key])

    def order(key: Key) -> tuple[int, bool, bool, int]:
        row = groups[key]
        is_average = "average" in next(iter(row.values())).group
        return firsts[key[0]], is_average, 0 not in row, place[key]

    return {key: groups[key] for key in sorted(groups, key=order)}


def _matrix(
    evaluation: Evaluation,
    title: str,
    table: Mapping[tuple[str, str], dict[int, Score]],
    *,
    grouped: bool,
) -> Grid:
    rows: list[tuple[Cell, ...]] = []
    heading = ""
    for scores in table.values():
        first = next(iter(scores.values()))
        if not grouped and len(first.slice) == 1:
            dimension = next(iter(first.slice)).replace("_", " ")
            if dimension != heading:
                heading = dimension
                rows.append((Cell(dimension),))
        label = group_label(first.group) if grouped else slice_label(first.slice)
        if grouped and first.slice:
            label = f"{slice_label(first.slice)} · {label}"
        best = best_of([score.f1 for score in scores.values()])
        cells = [Cell(label), Cell(amount(first.gold))]
        for place in range(len(evaluation.systems)):
            cells += _metric_cells(scores[place], best) if place in scores else [Cell("")] * 3
        rows.append(tuple(cells))
    names = tuple((system.name, len(METRICS)) for system in evaluation.systems)
    columns = ("", "gold", *(SHORT[name] for _ in names for name in METRICS))
    return Grid(title, columns, 1, tuple(rows), (("", 2), *names))


def _metric_cells(score: Score, best: float | None) -> list[Cell]:
    return [
        Cell(
            decimals(getattr(score, name)),
            getattr(score, name),
            name == "f1" and best is not None and score.f1 == best,
        )
        for name in METRICS
    ]


def best_of(values: Sequence[float | None]) -> float | None:
    """The greatest score, where there are at least two to compare."""
    known = [value for value in values if value is not None]
    return max(known) if len(values) > 1 and known and max(known) > 0 else None


def _milestones(curve: Curve) -> list[Point]:
    """All points of a curve over α; of a long cumulative one 1, 2, 5, 10, 20, … and the last."""
    points = list(curve.points)
    if curve.kind == "alpha":
        return points
    chosen = {len(points), *(int(f"{lead}{'0' * zeros}") for lead in "125" for zeros in range(4))}
    return [point for place, point in enumerate(points, 1) if place in chosen]


def _curves(evaluation: Evaluation) -> list[Grid]:
    found: dict[tuple[str, str, str], list[tuple[Cell, ...]]] = {}
    for system in evaluation.systems:
        for curve in system.curves:
            rows = found.setdefault((curve.kind, curve.measure, curve.ranked_by), [])
            for point in _milestones(curve):
                cells = (
                    Cell(decimals(getattr(point, name)), getattr(point, name)) for name in METRICS
                )
                place = f"{point.x:g}"
                rows.append((Cell(system.name), Cell(place), Cell(amount(point.gold)), *cells))
    return [
        Grid(
            f"{measure} over α"
            if kind == "alpha"
            else f"{measure}, combinations by {ranked.title()}",
            ("system", "α" if kind == "alpha" else "k", "gold", "P", "R", "F1"),
            1,
            tuple(rows),
        )
        for (kind, measure, ranked), rows in found.items()
    ]
