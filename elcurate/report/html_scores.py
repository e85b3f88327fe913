"""Scores in the order of the HTML report: an index by slice and group, and the summary."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from elcurate.evaluation.records import Evaluation, Score
from elcurate.report.html_format import METRICS, count, score, words


class Key(NamedTuple):
    """The slice and the group of a score."""

    slice: tuple[tuple[str, str], ...] = ()
    group: tuple[tuple[str, str | None], ...] = ()


WHOLE = Key()

Rows = dict[Key, dict[int, Score]]
"""For each slice and group the score of each system, by the system's number."""


@dataclass(frozen=True)
class SummaryRow:
    """One system on the whole gold.

    Attributes:
        counts: Gold, system, TP, FP, FN, and with memberships the weight of the matched gold.
        share: F1 as a percentage, for the bar behind it.
    """

    system: str
    counts: tuple[str, ...]
    values: tuple[str, ...]
    share: str
    best: bool
    signature: str


def by_measure(evaluation: Evaluation) -> dict[str, Rows]:
    """All scores by measure."""
    found: dict[str, Rows] = {}
    for number, system in enumerate(evaluation.systems):
        for value in system.scores:
            key = Key(tuple(value.slice.items()), tuple(value.group.items()))
            found.setdefault(value.measure, {}).setdefault(key, {})[number] = value
    return found


def summary(evaluation: Evaluation, found: dict[str, Rows]) -> list[tuple[str, list[SummaryRow]]]:
    """The scores on the whole gold by measure; the best F1 among several systems is marked."""
    names = [system.name for system in evaluation.systems]
    tables = []
    for measure, rows in found.items():
        whole = rows.get(WHOLE)
        if whole:
            best = best_of(whole.values(), "f1")
            found_rows = [_row(names[place], value, best) for place, value in whole.items()]
            tables.append((measure, found_rows))
    return tables


def best_of(scores: Iterable[Score], metric: str) -> float | None:
    """The highest value above zero where there are several to choose from."""
    values = [getattr(value, metric) for value in scores]
    known = [float(value) for value in values if value]
    return max(known) if len(values) > 1 and known else None


def percent(value: float | None) -> str:
    """A score as a whole percentage, for colours and bars; empty where undefined."""
    return "" if value is None else f"{100 * min(max(value, 0.0), 1.0):.0f}"


def slice_label(key: Key) -> str:
    """A slice in words."""
    return ", ".join(f"{words(name)}: {words(leaf)}" for name, leaf in key.slice) or "whole gold"


def group_label(key: Key) -> str:
    """A group in words; empty for the whole."""
    group = dict(key.group)
    if "average" in group:
        over = f" over {group['over']}" if "over" in group else ""
        return f"{group['average']} average{over}"
    return ", ".join("none" if value is None else value for value in group.values())


def _row(system: str, value: Score, best: float | None) -> SummaryRow:
    numbers = [value.gold, value.system, value.tp, value.fp, value.fn]
    if value.recall_tp is not None:
        numbers.append(value.recall_tp)
    return SummaryRow(
        system=system,
        counts=tuple(count(number) for number in numbers),
        values=tuple(score(getattr(value, metric)) for metric in METRICS),
        share=percent(value.f1),
        best=best is not None and value.f1 == best,
        signature=value.signature,
    )
