"""Tables for the terminal."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from typing import TextIO

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from elcurate.evaluation.records import Evaluation
from elcurate.report.tables import Grid, grids, notes, plural, signatures

ROOM = 100_000
"""A width that no table reaches."""


def rendered(write: Callable[[Console], None], stream: TextIO | None, width: int = 200) -> str:
    """What is written to a console, as text for a stream.

    Args:
        write: Prints to the console.
        stream: Colour and width are those of this stream if it is a terminal; else there is no
            colour.
        width: The width where there is no terminal.
    """
    terminal = stream is not None and stream.isatty()
    width = Console(file=stream).width if terminal else width
    text = StringIO()
    write(Console(file=text, width=width, force_terminal=terminal, highlight=False))
    return text.getvalue()


def render_text(evaluation: Evaluation, stream: TextIO | None = None) -> str:
    """An evaluation as tables, its notes, and the signatures of the overall scores."""
    return rendered(lambda console: _print(evaluation, console), stream, ROOM)


def _print(evaluation: Evaluation, console: Console) -> None:
    gold = evaluation.gold
    console.print(
        f"gold [bold]{escape(gold.name)}[/]: {plural(gold.documents, 'document')}, "
        f"{plural(gold.mentions, 'mention')}, {plural(gold.links, 'link')} "
        f"· profile {evaluation.profile}"
    )
    for grid in grids(evaluation):
        console.print()
        console.print(rich_table(grid))
    for note in notes(evaluation):
        console.print(f"[yellow]note[/] {escape(note)}")
    console.print("\n[bold]Signatures[/]")
    for name, signature in signatures(evaluation):
        console.print(f"[dim]{escape(name)}[/] {escape(signature)}", soft_wrap=True)


def rich_table(grid: Grid) -> Table:
    """One table; heads that span columns are joined to the column names."""
    table = Table(title=grid.title, title_justify="left", title_style="bold", pad_edge=False)
    names = list(grid.columns)
    if grid.heads:
        uppers = [head for head, width in grid.heads for _ in range(width)]
        starts = {sum(width for _, width in grid.heads[:i]) for i in range(len(grid.heads))}
        names = [
            f"{upper if place in starts else ''}\n{name}"
            for place, (upper, name) in enumerate(zip(uppers, names, strict=True))
        ]
    for place, name in enumerate(names):
        left = place < grid.labels
        table.add_column(Text(name), justify="left" if left else "right", no_wrap=not left)
    for row in grid.rows:
        if len(row) == 1:
            table.add_section()
            table.add_row(Text(row[0].text, style="bold italic"))
            continue
        table.add_row(*(Text(cell.text, style="bold" if cell.best else "") for cell in row))
    return table
