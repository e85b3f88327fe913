"""Corpus statistics as definition lists and tables, whatever they contain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from elcurate.model.categories import DIMENSIONS
from elcurate.report.html_format import UNDEFINED, count, heading, leaf_order, score, words


class StatRow(NamedTuple):
    """A name and its value; ``share`` is the bar's length in percent, empty without a bar."""

    name: str
    value: str
    share: str


class StatTable(NamedTuple):
    """The values of one nested mapping."""

    title: str
    rows: list[StatRow]


class StatsView(NamedTuple):
    """Single values first, then a table per mapping."""

    facts: list[tuple[str, str]]
    tables: list[StatTable]


def stats_view(stats: Mapping[str, Any]) -> StatsView:
    """Corpus statistics by shape: single values are facts, mappings are tables."""
    facts = [
        (heading(name), _value(value))
        for name, value in stats.items()
        if not isinstance(value, Mapping) and name != "name"
    ]
    nested = {name: value for name, value in stats.items() if isinstance(value, Mapping)}
    return StatsView(facts, list(_tables(nested, "")))


def _tables(nested: Mapping[str, Mapping[str, Any]], within: str) -> Iterator[StatTable]:
    for name, values in nested.items():
        title = heading(name) if not within else f"{within}: {words(name)}"
        single = {key: one for key, one in values.items() if not isinstance(one, Mapping)}
        if single:
            yield StatTable(title, _rows(name, single))
        deeper = {key: one for key, one in values.items() if isinstance(one, Mapping)}
        yield from _tables(deeper, title)


def _rows(name: str, values: Mapping[str, Any]) -> list[StatRow]:
    if name in DIMENSIONS:
        values = dict(sorted(values.items(), key=lambda item: leaf_order(name, item[0])))
    numbers = [one for one in values.values() if type(one) is int]
    bars = len(numbers) == len(values) > 1 and min(numbers) >= 0 < max(numbers)
    return [
        StatRow(
            _label(name, str(key)), _value(one), f"{100 * one / max(numbers):.1f}" if bars else ""
        )
        for key, one in values.items()
    ]


def _label(table: str, name: str) -> str:
    return name if table == "types" else words(name)


def _value(value: Any) -> str:
    if value is None:
        return UNDEFINED
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return count(value)
    if isinstance(value, float):
        return score(value)
    if isinstance(value, list | tuple):
        return ", ".join(_value(one) for one in value) or UNDEFINED
    return str(value)
