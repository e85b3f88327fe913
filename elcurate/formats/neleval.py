"""neleval's tab-separated annotations: ``docid start end [id [score [type]]]…``, ends inclusive."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from elcurate.errors import ReadError
from elcurate.formats.base import Format, Reading, ReadOptions, Writing
from elcurate.formats.checks import LIMIT, load_json
from elcurate.formats.features import EVERYTHING, place
from elcurate.formats.source import Source
from elcurate.model.categories import DIMENSIONS, LEAVES, NO_CATEGORIES, Categories
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
        document, mention = _Row(source.path, number, repairs).mention(line)
        mentions.setdefault(document, []).append(mention)
    for name, found in mentions.items():
        yield Document(id=name, mentions=in_order(found))


class _Row:
    def __init__(self, path: str, number: int, repairs: list[Repair]) -> None:
        self.path = path
        self.number = number
        self.repairs = repairs

    def mention(self, line: str) -> tuple[str, Mention]:
        cells = line.split("\t")
        if len(cells) < 3:
            raise self.error(f"{len(cells)} columns", "A row has at least docid, start and end.")
        document, begin, end, *rest = cells
        rest = _without_surplus(rest)
        span = {"begin": self.offset(begin), "end": self.offset(end) + 1}
        if len(rest) > 3 and len(rest) % 3:
            raise self.error(
                f"{len(rest)} columns after the end",
                "Several candidates need id, score and type each.",
            )
        links = [self.link(rest[i : i + 3]) for i in range(0, len(rest), 3)]
        links.sort(key=lambda link: -(-math.inf if link.score is None else link.score))
        return document, Mention(**span, links=tuple(links))

    def link(self, cells: list[str]) -> Link:
        entity, score, type_ = [*cells, "", ""][:3]
        fields: dict[str, Any] = {"type": type_ or None}
        if type_.startswith("{"):
            fields = self.fields(type_)
        if not entity:
            self.repair("empty-id", "", "NIL")
        return Link(entity=entity or None, score=self.score(score), **fields)

    def fields(self, text: str) -> dict[str, Any]:
        """The type column as a JSON object: type, categories, and attributes."""
        try:
            found = load_json(text)
        except ValueError as error:
            raise self.error(
                f"the type is not JSON: {error}", "Write a name or an object."
            ) from error
        pairs = []
        for dimension in DIMENSIONS:
            leaves = found.get(dimension)
            if leaves is None:
                continue
            listed = [leaves] if isinstance(leaves, str) else leaves
            known = isinstance(listed, list) and all(
                (dimension, leaf) in LEAVES for leaf in listed if isinstance(leaf, str)
            )
            if known and all(isinstance(leaf, str) for leaf in listed):
                pairs += [(dimension, leaf) for leaf in listed]
                del found[dimension]
            else:
                self.repair("unknown-category", f"{dimension}={leaves}", "kept as an attribute")
        type_ = found.pop("type", None) if isinstance(found.get("type"), str) else None
        categories = Categories.of(pairs) if pairs else NO_CATEGORIES
        return {"type": type_, "categories": categories, "attributes": found}

    def offset(self, cell: str) -> int:
        try:
            number = int(cell)
        except ValueError:
            raise self.error(f"{cell!r} is no offset", "Offsets are whole numbers.") from None
        if abs(number) >= LIMIT:
            raise self.error(f"the offset {number} is absurd", "Offsets are below 2^53.")
        return number

    def score(self, cell: str) -> float | None:
        if not cell:
            return None
        try:
            score = float(cell)
        except ValueError:
            raise self.error(f"{cell!r} is no score", "Scores are numbers.") from None
        if math.isfinite(score):
            return score
        self.repair("score-not-finite", cell, "no score")
        return None

    def repair(self, kind: str, before: str, after: str) -> None:
        where = f"{self.path}:{self.number}"
        self.repairs.append(Repair(kind=kind, where=where, before=before, after=after))

    def error(self, message: str, remedy: str) -> ReadError:
        return ReadError(message, path=self.path, line=self.number, remedy=remedy)


def _without_surplus(cells: list[str]) -> list[str]:
    """Cells without empty ones at the end, except those that complete a candidate."""
    filled = len(cells)
    while filled and not cells[filled - 1]:
        filled -= 1
    return cells[:filled] if filled < 3 else cells[: filled + -filled % 3]


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
            Loss(kind="scores", where=where, what="1", reason="several candidates need scores")
        )
    score = "1" if link.score is None and (full or type_) else ""
    if link.score is None and type_ and not full:
        writing.losses.append(
            Loss(kind="scores", where=where, what="1", reason="a type needs a score before it")
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
)
