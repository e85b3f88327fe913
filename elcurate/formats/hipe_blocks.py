"""The documents in a HIPE TSV, as lines and cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from elcurate.errors import ReadError
from elcurate.formats.hipe_columns import COLUMNS, COMMENT, PLACE, TAB, is_id
from elcurate.formats.line_ends import lines
from elcurate.formats.source import Source
from elcurate.model.change import Repair


@dataclass
class Block:
    """The lines of a document.

    Attributes:
        comments: Those before the first row.
        lines: Rows, and the comments and blank lines between them.
        numbers: The line of each row.
        rows: The rows alone.
    """

    comments: list[str]
    lines: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)


def blocks(source: Source) -> Iterator[Block]:
    """The documents one after the other; one begins where comments name an id."""
    block: Block | None = None
    comments: list[str] = []
    named = False
    for number, line, is_row in _lines(source):
        if not is_row:
            has_id = _has_id(line)
            if has_id and named:
                if block is not None:
                    yield block
                yield Block(comments)
                block, comments = None, []
            named = named or has_id
            if line or not (comments or block is None):
                (comments if line or block is None else block.lines).append(line)
            continue
        if block is None or named:
            if block is not None:
                yield block
            block = Block(comments)
        else:
            block.lines += comments
        comments, named = [], False
        block.lines.append(line)
        block.numbers.append(number)
        block.rows.append(line)
    if block is not None:
        if not named:
            block.lines += comments
        yield block
    if named:
        yield Block(comments)


def _lines(source: Source) -> Iterator[tuple[int, str, bool]]:
    """Numbered lines, and whether they are rows; the columns of these are put in order."""
    header: str | None = None
    order: list[int] = []
    width = 0
    for number, line in lines(source):
        if "\t" not in line:
            if line and not line.isspace() and line[0] != "#":
                raise error("1 columns", source, number)
            yield number, line.strip(), False
            continue
        if header is None or line == header:
            if header is not None:
                where = f"{source.path}:{number}"
                source.repairs.append(Repair(kind="repeated-header", where=where))
            header, order = line, _order(line, source, number)
            width = line.count("\t")
            continue
        if line.count("\t") != width:
            raise error(f"{line.count(TAB) + 1} columns", source, number)
        if order:
            cells = line.split("\t")
            cells = [cells[place] if place >= 0 else "_" for place in order]
            line = "\t".join(cells)
        yield number, line, True


def _has_id(comment: str) -> bool:
    match = COMMENT.fullmatch(comment)
    return match is not None and is_id(match[1])


def _order(line: str, source: Source, number: int) -> list[int]:
    """Where the columns are; empty when they are the ten in their order."""
    names = line.split("\t")
    if names[0] != "TOKEN":
        raise error("the first line does not name the columns", source, number)
    for name in names:
        if name not in PLACE:
            where = f"{source.path}:{number}"
            repair = Repair(kind="unknown-column", where=where, before=name, after="left out")
            source.repairs.append(repair)
    if names == list(COLUMNS):
        return []
    return [names.index(name) if name in names else -1 for name in COLUMNS]


def error(message: str, source: Source, number: int, document: str | None = None) -> ReadError:
    """An error at a line."""
    return ReadError(
        message,
        path=source.path,
        line=number,
        document=document,
        remedy="HIPE's TSV has a line of column names, and rows of as many columns with IOB tags.",
    )
