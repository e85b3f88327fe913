"""The queries of TAC KBP entity linking: ``<kbpentlink><query id="…">…``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

from lxml import etree

from elcurate.errors import ReadError
from elcurate.formats.base import ReadOptions
from elcurate.formats.checks import LIMIT
from elcurate.formats.source import Source
from elcurate.formats.tac_query import Query, entity_of
from elcurate.formats.xml_read import elements, parse_xml
from elcurate.model.change import Repair
from elcurate.model.corpus import Link

_OFFSET = re.compile(r"-?[0-9]{1,18}")

ROOT = "kbpentlink"
OWN = ("name", "docid", "beg", "end", "entity")
"""The elements of a query that have a place in the model; others are kept as attributes."""


def read_queries(source: Source, options: ReadOptions) -> Iterator[tuple[str | None, Query]]:
    """(id, query) for each query that can be read; an ``<entity>`` is its candidate.

    Raises:
        ReadError: with the line, for a query that can't be read, or a file without queries.
    """
    seen: set[str] = set()
    none = True
    for element in elements(source, "{*}query"):
        none = False
        name = element.get("id")
        if name in seen:
            options.fail(_error(source, element, f"the query id {name!r} occurs twice"))
            continue
        if name is None:
            _repair(source, element, "query-without-id", "")
        else:
            seen.add(name)
        try:
            query = _query(source, element)
        except ReadError as error:
            options.fail(error)
            continue
        yield name, query
    if none:
        root = parse_xml(source)
        if etree.QName(root).localname != ROOT:
            raise ReadError(f"<{root.tag}> is no list of queries", path=source.path, line=1)


def _query(source: Source, element: etree._Element) -> Query:
    fields = {str(key): str(value) for key, value in element.attrib.items() if key != "id"}
    found: dict[str, str] = {}
    for child in element:
        if not isinstance(child.tag, str):
            continue
        tag = etree.QName(child).localname
        own = tag in OWN
        if tag in (found if own else fields):
            _repair(source, child, "repeated-element", f"<{tag}>")
            continue
        (found if own else fields)[tag] = "".join(str(text) for text in child.itertext())
    document = found.get("docid", "")
    document = document.strip() if "\n" in document else document
    if not document:
        raise _error(source, element, "the query has no docid")
    where = f"{source.path}:{_line(element)}"
    entity = found.get("entity", "").strip()
    links = [Link(entity=entity_of(entity, where, source.repairs))] if entity else []
    name = element.get("id")
    return Query(
        document=document,
        span=_span(source, element, found),
        name=found.get("name") or None,
        attributes={**fields, **({} if name is None else {"query_id": name})},
        links=links,
        line=_line(element),
    )


def _span(source: Source, element: etree._Element, found: dict[str, str]) -> tuple[int, int] | None:
    begin, end = found.get("beg", "").strip(), found.get("end", "").strip()
    if not begin and not end:
        return None
    if not begin or not end:
        raise _error(source, element, "the query has one offset without the other")
    for offset in (begin, end):
        if _OFFSET.fullmatch(offset) is None:
            raise _error(source, element, f"{offset[:40]!r} is no offset")
        if abs(int(offset)) >= LIMIT:
            raise _error(source, element, f"the offset {offset} is absurd")
    return int(begin), int(end)


def _line(element: etree._Element) -> int:
    return int(cast("Any", element).sourceline or 0)


def _repair(source: Source, element: etree._Element, kind: str, before: str) -> None:
    where = f"{source.path}:{_line(element)}"
    source.repairs.append(Repair(kind=kind, where=where, before=before))


def _error(source: Source, element: etree._Element, message: str) -> ReadError:
    return ReadError(
        message,
        path=source.path,
        line=_line(element),
        remedy="A query has an id, a name, a docid, and beg and end (ends inclusive).",
    )
