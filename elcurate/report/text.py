"""Tables for the terminal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from typing import TextIO

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from elcurate.evaluation.records import Evaluation
from elcurate.report.grid import Cell, Grid, Sheet, once_captioned
from elcurate.report.tables import one_line, sheet

_RAISED = str.maketrans("abcdefghijklmnoprstuvwxyz", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ")
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
    return sheet_text(sheet(evaluation), stream)


def sheet_text(shown: Sheet, stream: TextIO | None = None) -> str:
    """A report for a stream."""
    return rendered(lambda console: _print(shown, console), stream, ROOM)


def _print(shown: Sheet, console: Console) -> None:
    console.print(escape(one_line(shown.intro)), soft_wrap=True)
    for grid in once_captioned(shown.grids):
        console.print()
        print_grid(grid, console)
    for note in shown.notes:
        console.print(f"[yellow]note[/] {escape(note)}")
    if shown.signatures:
        console.print("\n[bold]Signatures[/]")
    for name, signature in shown.signatures:
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


def _with_marks(grid: Grid) -> Grid:
    """The table with superscripts as letters of the text, figures still in line."""
    widths = [
        max((len(row[place].marks) for row in grid.rows if len(row) > 1), default=0)
        for place in range(len(grid.columns))
    ]

    def shown(cell: Cell, width: int) -> Cell:
        raised = cell.marks.translate(_RAISED)
        return replace(cell, text=cell.text + raised + " " * (width - len(raised)), marks="")

    rows = (
        row
        if len(row) == 1
        else tuple(shown(cell, width) for cell, width in zip(row, widths, strict=True))
        for row in grid.rows
    )
    return replace(grid, rows=tuple(rows)) if any(widths) else grid


def _only_f1(grid: Grid) -> Grid:
    """The table with one column for each head that spans several."""
    keep, place = [], 0
    for _, width in grid.heads:
        keep += list(range(place, place + width)) if not place else [place + width - 1]
        place += width
    return replace(
        grid,
        title=f"{grid.title} (F1 only: a wider terminal shows P and R)",
        columns=tuple(grid.columns[i] for i in keep),
        rows=tuple(row if len(row) == 1 else tuple(row[i] for i in keep) for row in grid.rows),
        heads=tuple((head, width if not i else 1) for i, (head, width) in enumerate(grid.heads)),
    )


def print_grid(grid: Grid, console: Console) -> None:
    """Prints a table whole: lines that are too long run over rather than lose figures."""
    grid = _with_marks(grid)
    narrow = bool(grid.heads) and grid.shortens and _width(grid) > console.width
    shown = _only_f1(grid) if narrow else grid
    console.print(f"[bold]{escape(shown.title)}[/]", soft_wrap=True)
    table = _rich_table(shown)
    needed = console.measure(table, options=console.options.update(max_width=10_000)).maximum
    console.print(table, width=max(console.width, needed), crop=False, no_wrap=True)
    if shown.caption:
        console.print(f"[dim]{escape(shown.caption)}[/]", soft_wrap=True)
