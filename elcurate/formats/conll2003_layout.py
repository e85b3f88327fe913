"""How a CoNLL-2003 file writes its rows, told by its first lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from elcurate.formats.docstart import START, is_filled, stated_id
from elcurate.formats.tagging import DEFAULT, OUTSIDE, SCHEMES, find_scheme, is_tag
from elcurate.model.corpus import Attributes

FILLER = "-X-"
_START = re.compile(rf"{START}[^\r\n]*")
_KNOWN: dict[int, tuple[str, ...]] = {
    0: (),
    1: ("pos",),
    2: ("pos", "chunk"),
    3: ("lemma", "pos", "chunk"),
}


@dataclass(frozen=True)
class Layout:
    """How a file writes its rows.

    Attributes:
        columns: The names of the columns between the token and the tag.
        separator: A blank or a tab.
        tagging: The scheme of the tags.
        start: The ``-DOCSTART-`` line without an id; None when there are no such lines.
    """

    columns: tuple[str, ...] = _KNOWN[2]
    separator: str = " "
    tagging: str = DEFAULT
    start: str | None = f"{START} {FILLER} {FILLER} {OUTSIDE}"

    @property
    def width(self) -> int:
        """How many columns a row has."""
        return len(self.columns) + 2

    def start_line(self, name: str, count: int) -> str | None:
        """The line before a document; documents that are named by their number have no id.

        Args:
            name: The document's id.
            count: Its place in the file, from 1.
        """
        if name == str(count) and (self.start is not None or count == 1):
            return self.start
        return _line(f"{START} ({name})", len(self.columns) - 1, self.separator)

    def metadata(self) -> Attributes:
        """What a corpus says about its files."""
        return {
            "tagging": self.tagging,
            "columns": list(self.columns),
            "separator": self.separator,
            "docstart": self.start,
        }


def layout_in(metadata: Attributes) -> Layout:
    """The layout that a corpus was read with, or as much as it says."""
    columns, separator = metadata.get("columns"), metadata.get("separator")
    names = Layout.columns
    if isinstance(columns, list) and all(isinstance(name, str) and name for name in columns):
        names = tuple(str(name) for name in columns)
    between = "\t" if separator == "\t" else " "
    start = metadata.get("docstart", "")
    if not (start is None or (isinstance(start, str) and _START.fullmatch(start))):
        start = _line(START, len(names), between)
    tagging = metadata.get("tagging")
    return Layout(names, between, tagging if tagging in SCHEMES else DEFAULT, start)


def find_layout(head: bytes) -> Layout | None:
    """The layout of a file by its first lines; None when its rows are no such rows."""
    lines = head.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").split("\n")
    whole = [line.removesuffix("\r") for line in (lines[:-1] or lines)]
    starts = [line for line in whole if line.startswith(START)]
    rows = [line for line in whole if not line.startswith(START) and line and not line.isspace()]
    if not rows:
        filled = bool(starts) and is_filled(starts[0])
        return Layout(start=_start(starts, Layout())) if filled else None
    separator = "\t" if "\t" in rows[0] else " "
    width = len(cells_of(rows[0], separator))
    if width < 2 or not all(_fits(cells_of(row, separator), width) for row in rows):
        return None
    tags = _tags(whole, separator)
    if not starts and all(tag == OUTSIDE for sentence in tags for tag in sentence):
        return None
    columns = _KNOWN.get(width - 2, tuple(f"column{number}" for number in range(2, width)))
    layout = Layout(columns, separator, find_scheme(tags) or DEFAULT)
    return replace(layout, start=_start(starts, layout) if starts else None)


def cells_of(row: str, separator: str) -> list[str]:
    """The cells of a row; blanks may be doubled."""
    cells = row.split(separator)
    return [cell for cell in cells if cell] if separator == " " else cells


def _fits(cells: Sequence[str], width: int) -> bool:
    return len(cells) == width and is_tag(cells[-1]) and cells[0] != ""


def _tags(lines: Sequence[str], separator: str) -> list[list[str]]:
    """The tags of each sentence."""
    blank = groupby(lines, key=lambda line: not line or line.isspace() or line.startswith(START))
    return [
        [cells_of(row, separator)[-1] for row in rows] for is_blank, rows in blank if not is_blank
    ]


def _start(starts: Sequence[str], layout: Layout) -> str:
    """The first ``-DOCSTART-`` line without an id."""
    for line in starts:
        if stated_id(line) is None:
            return line
    return _line(START, len(layout.columns), layout.separator)


def _line(start: str, columns: int, separator: str) -> str:
    return separator.join([start, *[FILLER] * columns, OUTSIDE])
