"""The links of TAC KBP entity linking: ``query_id kb_or_nil [type] [score] …``, 2009 to 2014.

Besides these, gold files have a genre and up to three flags: type, web search, genre in 2010; type,
genre, web search, and since 2013 wiki text and unknown. Cells are told apart by what they hold.
"""

from __future__ import annotations

from dataclasses import replace

from pydantic import JsonValue

from elcurate.errors import ReadError
from elcurate.formats.base import ReadOptions
from elcurate.formats.rows import Row, flat, is_score, rows
from elcurate.formats.source import Source
from elcurate.formats.tac_query import entity_of
from elcurate.model.corpus import Attributes, Link

FLAGS = ("web_search", "wiki_text", "unknown")
MORE = "columns"
"""The attribute for cells beyond the known ones."""

_YES_NO = {"Y", "N", "YES", "NO"}
Lines = dict[str, list[Row]]
"""The lines of each query, by its id."""


def read_links(source: Source, options: ReadOptions) -> Lines:
    """The lines of each query.

    Raises:
        ReadError: with the line, when it has only one cell.
    """
    lines: Lines = {}
    for row in rows(source):
        if "\t" not in row.text:
            cells = row.text.split()
            if len(cells) < 2:
                remedy = "A line has the query id and the KB id, with a tab between."
                options.fail(row.error("the line has only one column", remedy))
                continue
            row.repair("blanks-for-tabs")
            row = replace(row, text="\t".join(cells))
        lines.setdefault(row.text.partition("\t")[0], []).append(row)
    return lines


def link_of(row: Row, options: ReadOptions) -> Link | None:
    """The link in a line; None when it can't be read."""
    where = f"{row.source.path}:{row.line}"
    _, kb_id, *rest = row.cells
    entity = entity_of(kb_id, where, row.source.repairs)
    if len(rest) == 1 and is_score(rest[0]):
        rest = ["", *rest]
    type_ = rest.pop(0) if rest else ""
    score = rest.pop(0) if rest and (not rest[0] or is_score(rest[0])) else ""
    try:
        return Link(
            entity=entity,
            type=type_ or None,
            score=row.score(score),
            attributes=_attributes(rest),
        )
    except ReadError as error:
        options.fail(error)
        return None


def _attributes(cells: list[str]) -> Attributes:
    flags: list[str] = []
    others: list[str] = []
    for cell in cells:
        is_flag = not cell or cell.upper() in _YES_NO
        (flags if is_flag and len(flags) < len(FLAGS) else others).append(cell)
    found: Attributes = {}
    if others and _is_genre(others[0]):
        found["genre"] = others.pop(0)
    found.update({name: flag for name, flag in zip(FLAGS, flags, strict=False) if flag})
    while others and not others[-1]:
        others.pop()
    if others:
        found[MORE] = [*others]
    return found


def link_cells(
    entity: str, type_: str, score: float | None, extra: Attributes
) -> tuple[list[str], list[str]]:
    """The cells after the query id, and the names of the attributes that have no place there."""
    cells: list[str] = []
    genre, more = extra.get("genre"), extra.get(MORE)
    kept: set[str] = set()
    if isinstance(genre, str) and _is_genre(genre):
        cells.append(genre)
        kept.add("genre")
    for name in FLAGS:
        flag = extra.get(name)
        known = isinstance(flag, str) and flag.upper() in _YES_NO
        cells.append(str(flag) if known else "")
        kept |= {name} if known else set()
    if isinstance(more, list) and "genre" in kept and all(_is_genre(cell) for cell in more):
        cells += map(str, more)
        kept.add(MORE)
    while cells and not cells[-1]:
        cells.pop()
    if score is not None:
        cells.insert(0, repr(score))
    elif (cells and not cells[0]) or (not cells and is_score(type_)):
        cells.insert(0, "")
    row = [entity, type_, *cells] if type_ or cells else [entity]
    return row, [name for name in extra if name not in kept]


def _is_genre(cell: JsonValue) -> bool:
    """Whether a cell is neither empty nor a flag nor a score, and breaks no line."""
    return (
        isinstance(cell, str)
        and cell.strip() != ""
        and cell == flat(cell)
        and cell.upper() not in _YES_NO
        and not is_score(cell)
    )
