"""The tables of the HTML report whose columns are metrics and systems: the heat map and others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from elcurate.evaluation.records import Evaluation, Score
from elcurate.model.categories import DIMENSIONS
from elcurate.report.html_format import METRICS, counts, heading, leaf_order, score, words
from elcurate.report.html_scores import (
    WHOLE,
    Key,
    Rows,
    best_of,
    by_measure,
    group_label,
    percent,
    slice_label,
)

MAX_CELLS = 15_000
MIN_ROWS = 60
MAX_SIGNATURES = 500


class Cell(NamedTuple):
    """One value; ``share`` runs from 0 to 100 and is empty where the value is undefined."""

    text: str
    share: str
    best: bool
    note: str


class Line(NamedTuple):
    """One row: its labels, its gold units, and a cell per metric and system."""

    labels: tuple[str, ...]
    gold: str
    cells: tuple[tuple[str, Cell], ...]


class Section(NamedTuple):
    """Lines under a common heading."""

    title: str
    lines: list[Line]


@dataclass(frozen=True)
class Matrix:
    """The scores of one measure.

    Attributes:
        labels: The headings of the label columns.
        left_out: How many rows are not shown because there are too many.
        signatures: What each signs, and the signature.
        unsigned: How many signatures are not shown because there are too many.
    """

    measure: str
    labels: tuple[str, ...]
    sections: list[Section]
    left_out: int
    signatures: list[tuple[str, str]]
    unsigned: int


Place = tuple[str, Key, tuple[str, ...]]
"""The section, the key and the labels of a row."""


def category_matrices(evaluation: Evaluation) -> list[Matrix]:
    """One heat map per measure: every leaf by itself, below the whole gold."""

    def places(rows: Rows) -> list[Place]:
        keys = [key for key in rows if len(key.slice) == 1 and not key.group]
        keys.sort(key=lambda key: leaf_order(*key.slice[0]))
        leaves: list[Place] = [
            (heading(key.slice[0][0]), key, (words(key.slice[0][1]),)) for key in keys
        ]
        return [("", WHOLE, ("whole gold",)), *leaves] if leaves and WHOLE in rows else leaves

    return _matrices(evaluation, ("Category",), places)


def combination_matrices(evaluation: Evaluation) -> list[Matrix]:
    """One table per measure with the slices of several leaves."""

    def places(rows: Rows) -> list[Place]:
        keys = [key for key in rows if len(key.slice) > 1 and not key.group]
        return [
            ("", key, tuple(words(dict(key.slice).get(name, "")) for name in DIMENSIONS))
            for key in sorted(keys, key=_slice_order)
        ]

    return _matrices(evaluation, tuple(map(heading, DIMENSIONS)), places)


def group_matrices(evaluation: Evaluation) -> list[Matrix]:
    """One table per measure with the averages and the groups that they average."""
    sliced = any(
        score.slice and score.group for system in evaluation.systems for score in system.scores
    )

    def places(rows: Rows) -> list[Place]:
        keys = [key for key in rows if key.group]
        keys.sort(key=lambda key: (*_slice_order(key), "average" not in dict(key.group)))
        return [
            ("", key, (group_label(key), *([slice_label(key)] if sliced else []))) for key in keys
        ]

    return _matrices(evaluation, ("Group", "Slice") if sliced else ("Group",), places)


def _matrices(
    evaluation: Evaluation, labels: tuple[str, ...], places: Callable[[Rows], list[Place]]
) -> list[Matrix]:
    found = {measure: (rows, places(rows)) for measure, rows in by_measure(evaluation).items()}
    found = {measure: part for measure, part in found.items() if part[1]}
    columns = len(METRICS) * len(evaluation.systems)
    return [
        Matrix(
            measure,
            labels,
            *_lines(evaluation, rows, wanted, max(MIN_ROWS, MAX_CELLS // (columns * len(found)))),
            *_signatures(evaluation, rows, wanted, MAX_SIGNATURES // len(found)),
        )
        for measure, (rows, wanted) in found.items()
    ]


def _lines(
    evaluation: Evaluation, rows: Rows, places: list[Place], limit: int
) -> tuple[list[Section], int]:
    systems = range(len(evaluation.systems))
    sections = [
        Section(title, [_line(names, rows[key], systems) for _, key, names in part])
        for title, part in groupby(places[:limit], key=lambda place: place[0])
    ]
    return sections, max(0, len(places) - limit)


def _signatures(
    evaluation: Evaluation, rows: Rows, places: list[Place], limit: int
) -> tuple[list[tuple[str, str]], int]:
    signatures = [
        (" · ".join((*names, evaluation.systems[number].name)), one.signature)
        for _, key, names in places
        for number, one in rows[key].items()
    ]
    return signatures[:limit], max(0, len(signatures) - limit)


def _line(labels: tuple[str, ...], scores: dict[int, Score], systems: Iterable[int]) -> Line:
    cells = []
    for metric in METRICS:
        best = best_of(scores.values(), metric)
        cells += [(metric[0], _cell(scores.get(number), metric, best)) for number in systems]
    return Line(labels, counts([one.gold for one in scores.values()]), tuple(cells))


def _cell(one: Score | None, metric: str, best: float | None) -> Cell:
    value = None if one is None else getattr(one, metric)
    averaged = one.averaged.get(metric) if one is not None and one.averaged else None
    return Cell(
        text=score(value),
        share=percent(value),
        best=best is not None and value == best,
        note="" if averaged is None else f"of {averaged}",
    )


def _slice_order(key: Key) -> tuple[int, list[tuple[int, int, str]]]:
    return len(key.slice), [leaf_order(*pair) for pair in key.slice]
