"""Tables and reports as data, for the renderers of text, Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Cell:
    """One cell.

    Attributes:
        text: What it shows.
        value: The score in [0, 1] behind it, for shading.
        best: Whether it is the best of its kind.
        marks: Letters that are set as superscripts.
    """

    text: str
    value: float | None = None
    best: bool = False
    marks: str = ""


@dataclass(frozen=True)
class Grid:
    """One table: columns under optional spanning heads.

    Attributes:
        title: What it shows.
        heads: (text, how many columns) of the upper head; empty for none.
        columns: The column names.
        labels: How many columns are labels, set flush left.
        rows: The rows; a row of one cell is a heading within the table.
        caption: What a reader has to know, in sentences.
        shortens: Whether the last column under each head can stand for all of them.
    """

    title: str
    columns: tuple[str, ...]
    labels: int
    rows: tuple[tuple[Cell, ...], ...]
    heads: tuple[tuple[str, int], ...] = field(default=())
    caption: str = ""
    shortens: bool = True

    def marked(self, place: int) -> bool:
        """Whether a column has superscripts; their figures are set flush left."""
        return any(row[place].marks for row in self.rows if len(row) > 1)


@dataclass(frozen=True)
class Sheet:
    """A report: tables, and what stands around them.

    Attributes:
        title: The heading, where there is one.
        intro: A sentence on the inputs.
        grids: The tables.
        notes: What a reader has to know besides them.
        signatures: Name and signature of the main numbers.
    """

    title: str
    intro: str
    grids: Sequence[Grid]
    notes: Sequence[str] = ()
    signatures: Sequence[tuple[str, str]] = ()


def once_captioned(grids: Sequence[Grid]) -> Iterator[Grid]:
    """The tables, of neighbours with one caption only the last with it."""
    for place, grid in enumerate(grids):
        again = grids[place + 1 : place + 2]
        same = bool(again) and again[0].caption == grid.caption
        yield replace(grid, caption="") if same else grid
