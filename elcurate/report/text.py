"""Tables for the terminal."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from typing import TextIO

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from elcurate.evaluation.records import Evaluation
from elcurate.report.tables import Grid, grids, notes, plural, settings_line, signatures

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
        f"Gold [bold]{escape(gold.name)}[/]: {plural(gold.documents, 'document')}, "
        f"{plural(gold.mentions, 'mention')}, {plural(gold.links, 'link')}. "
        f"Profile {evaluation.profile}{escape(settings_line(evaluation))}."
    )
    for grid in grids(evaluation):
        console.print()
        print_grid(grid, console)
    for note in notes(evaluation):
        console.print(f"[yellow]note[/] {escape(note)}")
    console.print("\n[bold]Signatures[/]")
    for name, signature in signatures(evaluation):
        console.print(f"[dim]{escape(name)}[/] {escape(signature)}", soft_wrap=True)


def _rich_table(grid: Grid) -> Table:
    """A table whose columns are never narrower than what they show."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for place, name in enumerate(_names(grid)):
        left = place < grid.labels
        size = _column_width(grid, place)
        table.add_column(
            Text(name), justify="left" if left else "right", no_wrap=True, min_width=size
        )
    for row in grid.rows:
        if len(row) == 1:
            table.add_section()
            table.add_row(Text(row[0].text, style="bold italic"))
            continue
        table.add_row(*(Text(cell.text, style="bold" if cell.best else "") for cell in row))
    return table


def _names(grid: Grid) -> list[str]:
    """The column names, under the head that spans them."""
    if not grid.heads:
        return list(grid.columns)
    uppers = [head for head, width in grid.heads for _ in range(width)]
    starts = {sum(width for _, width in grid.heads[:i]) for i in range(len(grid.heads))}
    return [
        f"{upper if place in starts else ''}\n{name}"
        for place, (upper, name) in enumerate(zip(uppers, grid.columns, strict=True))
    ]


def _column_width(grid: Grid, place: int) -> int:
    cells = [row[place].text for row in grid.rows if len(row) > place and (place or len(row) > 1)]
    heads = _names(grid)[place].split("\n")
    if not place:
        cells += [row[0].text for row in grid.rows]
    return max((cell_len(text) for text in [*cells, *heads]), default=0)


def _width(grid: Grid) -> int:
    return sum(_column_width(grid, place) + 2 for place in range(len(grid.columns)))


def _only_f1(grid: Grid) -> Grid:
    """The table with one column for each head that spans several."""
    keep, place = [], 0
    for _, width in grid.heads:
        keep += list(range(place, place + width)) if not place else [place + width - 1]
        place += width
    return Grid(
        f"{grid.title} (F1 only: a wider terminal shows P and R)",
        tuple(grid.columns[i] for i in keep),
        grid.labels,
        tuple(row if len(row) == 1 else tuple(row[i] for i in keep) for row in grid.rows),
        tuple((head, width if not i else 1) for i, (head, width) in enumerate(grid.heads)),
    )


def print_grid(grid: Grid, console: Console) -> None:
    """Prints a table whole: lines that are too long run over rather than lose figures."""
    narrow = bool(grid.heads) and _width(grid) > console.width
    shown = _only_f1(grid) if narrow else grid
    console.print(f"[bold]{escape(shown.title)}[/]", soft_wrap=True)
    table = _rich_table(shown)
    needed = console.measure(table, options=console.options.update(max_width=10_000)).maximum
    console.print(table, width=max(console.width, needed), crop=False, no_wrap=True)
