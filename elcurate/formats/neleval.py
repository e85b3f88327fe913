"""neleval's tab-separated annotations: ``docid start end [id [score [type]]]…``, ends inclusive."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import BinaryIO

from elcurate.formats.base import Format, Reading, ReadOptions, Writing
from elcurate.formats.features import EVERYTHING, place
from elcurate.formats.neleval_row import Row
from elcurate.formats.neleval_table import read_neleval_table
from elcurate.formats.source import Source
from elcurate.model.categories import DIMENSIONS, NO_CATEGORIES
from elcurate.model.change import Loss, Repair
from elcurate.model.corpus import Document, Link, Mention, in_order

_ROW = re.compile(rb"[^\t\n]*\t-?\d+\t-?\d+(\t[^\n]*)?\r?(\n|$)")
_LOST = {
    "text",
    "empty-documents",
    "sentences",
    "tokens",
    "tags",
    "metadata",
    "surfaces",
    "fragments",
    "mention-attributes",
    "nil",
}
_NEEDED = "made up: none is stated, and the columns for {} need one"
_BREAKS = re.compile(r"[\t\r\n]")


def sniff(head: bytes, name: str) -> int:
    """Sure when the first lines all begin with an id and two whole numbers."""
    lines = head.lstrip(b"\xef\xbb\xbf").splitlines(keepends=True)[:20]
    rows = [line for line in lines if line.strip()]
    if len(rows) > 1 and len(head) >= 1 << 16:
        rows = rows[:-1]
    if not rows or not all(_ROW.match(row) for row in rows):
        return 0
    return 80


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads all rows; documents come in the order of their first row."""
    repairs = source.repairs
    return Reading(source.stem, _documents(source, repairs), repairs=repairs)


def _documents(source: Source, repairs: list[Repair]) -> Iterator[Document]:
    """Documents as soon as their last row, and those before them, are read."""
    last = _last_rows(source)
    mentions: dict[str, list[Mention]] = {}
    crlf = False
    for number, raw in source.lines():
        line = raw
        if line.endswith("\r"):
            line = line[:-1]
            if not crlf:
                repairs.append(Repair(kind="crlf", where=f"{source.path}:{number}"))
            crlf = True
        if not line.strip():
            continue
        name, mention = Row(source.path, number, repairs).mention(line)
        mentions.setdefault(name, []).append(mention)
        while mentions and last[first := next(iter(mentions))] <= number:
            yield Document(id=first, mentions=in_order(mentions.pop(first)))


def _last_rows(source: Source) -> dict[str, int]:
    """The number of the last row of each document."""
    return {line.split("\t", 1)[0]: number for number, line in source.lines() if line.strip()}


def write(writing: Writing, out: BinaryIO) -> None:
    """Writes one row per mention; categories and attributes ride along in a JSON type."""
    for document in writing.documents:
        name = _cell(document.id, document.id, "document-id", writing)
        for mention in document.mentions:
            where = place(document, mention)
            cells = [name, str(mention.begin), str(mention.end - 1)]
            full = len(mention.links) > 1
            scores = [1.0 if link.score is None else link.score for link in mention.links]
            if scores != sorted(scores, reverse=True):
                reason = "candidates are read best score first"
                writing.losses.append(Loss(kind="link-order", where=where, reason=reason))
            for link in mention.links:
                cells += _link_cells(link, full, where, writing)
            out.write("\t".join(cells).encode() + b"\n")


def _link_cells(link: Link, full: bool, where: str, writing: Writing) -> list[str]:
    entity = _cell("NIL" if link.entity is None else link.entity, where, "entity", writing)
    type_ = _type_cell(link, where, writing)
    if full and link.score is None:
        writing.losses.append(
            Loss(
                kind="scores", where=where, what="1.0", reason=_NEEDED.format("several candidates")
            )
        )
    score = "1.0" if link.score is None and (full or type_) else ""
    if link.score is None and type_ and not full:
        writing.losses.append(
            Loss(kind="scores", where=where, what="1.0", reason=_NEEDED.format("a type"))
        )
    if link.score is not None:
        score = repr(link.score)
    if full or type_:
        return [entity, score, type_]
    return [entity, score] if score else [entity]


def _type_cell(link: Link, where: str, writing: Writing) -> str:
    plain = link.type or ""
    if link.categories == NO_CATEGORIES and not link.attributes and not plain.startswith("{"):
        return _cell(plain, where, "types", writing)
    reserved = {"type", *DIMENSIONS}
    fields: dict[str, object] = {} if link.type is None else {"type": link.type}
    for dimension in DIMENSIONS:
        leaves = link.categories.leaves(dimension)
        if leaves:
            fields[dimension] = leaves[0] if len(leaves) == 1 else leaves
    for key, value in link.attributes.items():
        if key in reserved:
            writing.losses.append(
                Loss(kind="link-attributes", where=where, what=key, reason="the name is taken")
            )
        else:
            fields[key] = value
    return json.dumps(fields, ensure_ascii=False)


def _cell(value: str, where: str, kind: str, writing: Writing) -> str:
    """A value without what would break the row; a change is reported."""
    changed = _BREAKS.sub(" ", value)
    if changed != value:
        writing.losses.append(
            Loss(kind=kind, where=where, what=value, reason="tabs and line ends become blanks")
        )
    return changed


NELEVAL = Format(
    name="neleval",
    text="neleval's tab-separated annotations",
    suffixes=(".tsv", ".tab"),
    keeps=EVERYTHING - _LOST,
    sniff=sniff,
    read=read,
    write=write,
    read_table=read_neleval_table,
)
