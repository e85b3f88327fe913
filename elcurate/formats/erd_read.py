"""Reads the queries and annotations of ERD 2014's short track."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from elcurate.errors import ReadError
from elcurate.formats.base import ReadOptions
from elcurate.formats.erd_place import Found, find, given
from elcurate.formats.page_names import entity_of
from elcurate.formats.rows import Row, rows
from elcurate.formats.source import Source
from elcurate.model.corpus import Document, Link, Mention, in_order

COLUMNS = (5, 7)
INTERPRETATION = "interpretation"
NIL = "NIL"
_WHOLE = re.compile(r"[0-9]{1,9}")


class _Annotation(NamedTuple):
    row: Row
    surface: str
    span: tuple[int, int] | None
    link: Link


def documents(
    queries: Source, annotations: Source | None, options: ReadOptions
) -> Iterator[Document]:
    """The queries in their order; an annotation without a query is an error."""
    annotated = {} if annotations is None else _annotations(annotations, options)
    for row in rows(queries):
        name, tab, text = row.text.partition("\t")
        if not tab:
            options.fail(row.error("this is no query", "A line is an id, a tab and the query."))
            continue
        yield _document(name, text, annotated.pop(name, []))
    for name, found in annotated.items():
        remedy = "The file with the queries may be another one's, or truncated."
        options.fail(found[0].row.error(f"there is no query {name!r}", remedy))


def _annotations(source: Source, options: ReadOptions) -> dict[str, list[_Annotation]]:
    found: dict[str, list[_Annotation]] = {}
    for row in rows(source):
        try:
            name, annotation = _annotation(row)
        except ReadError as error:
            options.fail(error)
        else:
            found.setdefault(name, []).append(annotation)
    return found


def _annotation(row: Row) -> tuple[str, _Annotation]:
    cells = row.cells
    if len(cells) not in COLUMNS:
        raise row.error(
            f"{len(cells)} columns", "A row is id, interpretation, entity, mention and score."
        )
    name, interpretation, entity, surface, score = cells[:5]
    if not _WHOLE.fullmatch(interpretation):
        remedy = "Interpretations are numbered from 0."
        raise row.error(f"{interpretation[:40]!r} is no interpretation", remedy)
    if not entity:
        row.repair("empty-id", "", "NIL")
    link = Link(
        entity=None if entity in ("", NIL) else entity_of(entity),
        score=row.score(score),
        attributes={INTERPRETATION: int(interpretation)},
    )
    span = None
    if len(cells) == 7:
        span = row.whole(cells[5], "offset"), row.whole(cells[6], "offset")
    return name, _Annotation(row, surface, span, link)


def _document(name: str, text: str, found: Sequence[_Annotation]) -> Document:
    links: dict[Found, list[Link]] = {}
    for one in found:
        spot = find(text, one.surface) if one.span is None else given(text, one.surface, *one.span)
        if spot.repair is not None and spot not in links:
            where = f"{name} {spot.begin}-{spot.end}"
            one.row.source.repairs.append(spot.repair.model_copy(update={"where": where}))
        links.setdefault(spot, []).append(one.link)
    mentions = [
        Mention(begin=spot.begin, end=spot.end, surface=spot.surface, links=tuple(those))
        for spot, those in links.items()
    ]
    return Document(id=name, text=text, mentions=in_order(mentions))
