"""An error analysis as text, Markdown, JSON, or a line for each instance."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable, Iterator
from typing import TextIO

from rich.console import Console
from rich.markup import escape

from elcurate.evaluation.analysis import KINDS, Kind
from elcurate.evaluation.analysis_records import AnalysisSummary, ClassCounts, Instance
from elcurate.evaluation.analyze import Analysis
from elcurate.report.markup import markdown, markdown_table
from elcurate.report.tables import (
    UNDEFINED,
    Cell,
    Grid,
    documents_notes,
    group_label,
    one_line,
    plural,
    slice_label,
)
from elcurate.report.text import ROOM, print_grid, rendered

COLUMNS = (
    *("kind", "document", "begin", "end", "surface", "before", "after"),
    *("gold", "gold_type", "system", "system_type", "score", "times"),
)
KIND_TEXTS: dict[Kind, str] = {
    "missing": "a gold mention whose span the system doesn't have",
    "extra": "a prediction on a span that the gold doesn't have",
    "wrong-link": "another entity than the gold accepts, or another NIL cluster",
    "link-as-nil": "NIL where the gold has an entity",
    "nil-as-link": "an entity where the gold has NIL",
    "correct-link": "an entity that the gold accepts",
    "correct-nil": "NIL in both",
}
"""What each class means."""


def render_json(analysis: Analysis, only: Collection[str], context: int) -> str:
    """The report as JSON, without holding a record of every instance at once."""
    summary = analysis.summary.model_dump_json()[:-1]
    instances = ",\n".join(one.model_dump_json() for one in analysis.instances(only, context))
    return f'{summary},"instances":[\n{instances}\n]}}\n'


def render_instances(
    analysis: Analysis, only: Collection[str], context: int, separator: str
) -> str:
    """One line for each instance, under a header; alternatives are parted by a bar."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in analysis.instances(only, context):
        said = one.system
        writer.writerow(
            [
                *(one.kind, one.document, one.begin, one.end),
                *(one_line(part or "") for part in (one.surface, one.before, one.after)),
                "|".join(link.entity or "NIL" for link in one.gold or ()),
                "|".join(link.type or "" for link in one.gold or ()),
                *(("", "", "") if said is None else (said.entity or "NIL", said.type, said.score)),
                one.times,
            ]
        )
    return out.getvalue()


def render_markdown(analysis: Analysis, only: Collection[str], context: int) -> str:
    """The tables of an analysis, then one for each class of instances."""
    summary = analysis.summary
    parts = [
        f"# Errors of {markdown(summary.system.name)}",
        markdown(_heading(summary)),
        *(f"## {markdown(grid.title)}\n\n{markdown_table(grid)}" for grid in grids(summary)),
    ]
    for kind, instances in _by_kind(analysis, only, context):
        rows = [
            (Cell(one.document), Cell(f"{one.begin}–{one.end}"), *map(Cell, _shown(one)))
            for one in instances
        ]
        grid = Grid(kind, ("document", "span", "in the text", "gold", "system"), 5, tuple(rows))
        parts.append(f"## {kind}\n\n{markdown_table(grid)}")
    return "\n\n".join([*parts, *(f"- {markdown(note)}" for note in notes(analysis, only))]) + "\n"


def render_text(
    analysis: Analysis, only: Collection[str], context: int, stream: TextIO | None = None
) -> str:
    """The tables of an analysis, then a line for each instance, class by class."""
    lines = [rendered(lambda console: _print(analysis.summary, console), stream, ROOM)]
    for kind, instances in _by_kind(analysis, only, context):
        lines.append(f"\n{kind}: {KIND_TEXTS[kind]}\n")
        for one in instances:
            text, gold, said = _shown(one)
            times = f"  ({one.times} times)" if one.times > 1 else ""
            place = f"{one_line(one.document)} {one.begin}-{one.end}"
            lines.append(f"  {place}  {text}  {gold} → {said}{times}\n")
    lines += [f"\n{note}\n" for note in notes(analysis, only)]
    return "".join(lines)


def grids(summary: AnalysisSummary) -> list[Grid]:
    """The counts of each class, those of parts of the gold, and the confusions."""
    rows = [
        (Cell(kind), Cell(KIND_TEXTS[kind]), Cell(f"{number:,}"))
        for kind, number in summary.counts.items()
    ]
    unique = " (each once in a document)" if summary.unique else ""
    found = [Grid(f"Classes{unique}", ("class", "what it is", "n"), 2, tuple(rows))]
    if summary.by:
        columns = ("", "gold", *KINDS)
        found.append(Grid("By part of the gold", columns, 1, tuple(_parts(summary.by))))
    pairs = [
        (Cell(_entities(one.gold)), Cell(_entities((one.system,))), Cell(f"{one.times:,}"))
        for one in summary.confusions
    ]
    if pairs:
        found.append(Grid("Most frequent wrong links", ("gold", "system", "n"), 2, tuple(pairs)))
    return found


def notes(analysis: Analysis, only: Collection[str]) -> list[str]:
    """What a reader of the instances has to know besides them."""
    summary = analysis.summary
    system = summary.system
    found = documents_notes(system.name, system.missing_documents, system.unknown_documents)
    hidden = [kind for kind in KINDS if kind not in only and summary.counts[kind]]
    if hidden:
        found.append(f"Not listed: {', '.join(hidden)} (--only says what is)")
    return found


def _print(summary: AnalysisSummary, console: Console) -> None:
    console.print(escape(one_line(_heading(summary))), soft_wrap=True)
    for grid in grids(summary):
        console.print()
        print_grid(grid, console)


def _heading(summary: AnalysisSummary) -> str:
    gold, system = summary.gold, summary.system
    departs = "; ".join(f"{name} {value}" for name, value in summary.settings.items())
    return (
        f"Gold {gold.name}: {plural(gold.documents, 'document')}, "
        f"{plural(gold.mentions, 'mention')}. "
        f"System {system.name}: {plural(system.mentions, 'mention')}. "
        f"Profile {summary.profile}{f' ({departs})' if departs else ''}."
    )


def _parts(parts: Iterable[ClassCounts]) -> Iterator[tuple[Cell, ...]]:
    heading = ""
    for part in parts:
        if part.group:
            named = next(iter(part.group))
        else:
            named = next(iter(part.slice)) if len(part.slice) == 1 else "combination"
        if named != heading:
            heading = named
            yield (Cell(heading.replace("_", " ")),)
        label = group_label(part.group) if part.group else slice_label(part.slice)
        gold = sum(number for kind, number in part.counts.items() if kind != "extra")
        yield Cell(label), *(Cell(f"{number:,}") for number in (gold, *part.counts.values()))


def _by_kind(
    analysis: Analysis, only: Collection[str], context: int
) -> Iterator[tuple[Kind, list[Instance]]]:
    for kind in KINDS:
        if kind in only and analysis.summary.counts[kind]:
            yield kind, list(analysis.instances((kind,), context))


def _shown(one: Instance) -> tuple[str, str, str]:
    """The surface in its context, the gold's links and the system's, each on one line."""
    text = "" if one.surface is None else f"{one.before or ''}[{one.surface}]{one.after or ''}"
    gold = UNDEFINED if one.gold is None else _entities([link.entity for link in one.gold])
    said = UNDEFINED if one.system is None else _entities([one.system.entity])
    return one_line(text), gold, said


def _entities(entities: Iterable[str | None]) -> str:
    """Entities for reading; nothing at all is a mention without a link."""
    return " | ".join(one_line(entity or "NIL") for entity in entities) or "no link"
