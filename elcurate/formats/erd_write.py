"""Writes corpora as the queries and annotations of ERD 2014's short track."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from elcurate.formats.base import Writing
from elcurate.formats.erd_place import find
from elcurate.formats.erd_read import INTERPRETATION, NIL
from elcurate.formats.features import place
from elcurate.formats.page_names import entity_of, name_of
from elcurate.formats.rows import Cells, flat, number, one_per_span
from elcurate.model.corpus import Document, Link, Mention


class _Row(NamedTuple):
    interpretation: int
    cells: str


def write_folder(writing: Writing, folder: Path) -> None:
    """Writes the queries and, beside them, their annotations by interpretation."""
    cells = Cells(writing)
    queries = (folder / "corpus.query.txt").open("wb")
    annotations = (folder / "corpus.annotation.txt").open("wb")
    with queries, annotations:
        for document in writing.documents:
            if document.text is None:
                cells.lose("document", document.id, reason="a query is a text")
                continue
            name = cells.name(document)
            text = cells.cell(document.text, "text", document.id)
            queries.write(f"{name}\t{text}\n".encode())
            rows = _rows(document, text, cells)
            for row in sorted(rows, key=lambda row: row.interpretation):
                annotations.write(f"{name}\t{row.interpretation}\t{row.cells}\n".encode())


def _rows(document: Document, text: str, cells: Cells) -> list[_Row]:
    """The rows of a query, mention by mention."""
    found: list[_Row] = []
    merged = {mention.span: mention for mention in one_per_span(document.mentions)}
    for other in document.mentions:
        if other.surface not in (None, merged[other.span].surface):
            where = place(document, other)
            cells.lose("surfaces", where, other.surface or "", "one surface for each span")
    for mention in merged.values():
        where = place(document, mention)
        if not mention.links:
            continue
        surface, offsets = _surface(mention, text, where, cells)
        numbers: list[int] = []
        for link in mention.links:
            numbers.append(_interpretation(link, len(numbers), where, cells))
            entity = _entity(link, where, cells)
            score = _score(link, where, cells)
            found.append(_Row(numbers[-1], f"{entity}\t{surface}\t{score}{offsets}"))
        if numbers != sorted(numbers):
            cells.lose("link-order", where, reason="links are read by their interpretations")
    return found


def _surface(mention: Mention, text: str, where: str, cells: Cells) -> tuple[str, str]:
    """The surface, and the offsets as two more cells where it doesn't lead to the place."""
    begin, end = mention.span
    stated = mention.surface
    if stated is not None:
        stated = cells.cell(stated, "surfaces", where)
    surface = text[max(begin, 0) : max(end, 0)] if stated is None else stated
    found = find(text, surface)
    certain = (found.begin, found.end, found.surface) == (begin, end, stated)
    return surface, "" if certain else f"\t{begin}\t{end}"


def _interpretation(link: Link, default: int, where: str, cells: Cells) -> int:
    """The number of a link's interpretation; without one, each alternative is one of its own."""
    stated = link.attributes.get(INTERPRETATION)
    known = isinstance(stated, int) and not isinstance(stated, bool) and 0 <= stated < 10**9
    lost = [key for key in link.attributes if key != INTERPRETATION or not known]
    if lost:
        cells.lose("link-attributes", where, ", ".join(lost), "only an interpretation has a place")
    if known and isinstance(stated, int):
        return stated
    reason = f"{INTERPRETATION} {default}, as it has none"
    cells.lose("link-attributes", where, INTERPRETATION, reason)
    return default


def _entity(link: Link, where: str, cells: Cells) -> str:
    """The entity's name, with ``_`` for the blanks of a title."""
    if link.entity is None:
        return NIL
    name, loss = name_of(link.entity)
    name = flat(name)
    joined = name.replace(" ", "_")
    if entity_of(joined) == link.entity != NIL:
        return joined
    if entity_of(name) == link.entity not in ("", NIL):
        return name
    if link.is_nil or not link.entity:
        kind = "nil-clusters" if link.is_nil else "link"
        cells.lose(kind, where, link.entity, "it means a NIL without a cluster")
        return NIL
    cells.lose(loss or "entity", where, link.entity, f"written as {joined}")
    return joined


def _score(link: Link, where: str, cells: Cells) -> str:
    if link.score is None:
        cells.lose("scores", where, "1", "every row has a score")
        return "1"
    return number(link.score)
