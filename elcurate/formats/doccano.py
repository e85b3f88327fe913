"""doccano's JSON Lines: one text a line with labelled spans, which count UTF-16 units.

doccano knows labels and relations of spans, and keeps every other field of a line as it is. What
it has no place for is in the field ``elcurate_record``; a label that was added, moved or taken away
in the tool wins over it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from elcurate.errors import ReadError
from elcurate.formats import carried
from elcurate.formats.base import Format, Reading, ReadOptions, Writing
from elcurate.formats.checks import LIMIT, load_json
from elcurate.formats.features import EVERYTHING, place
from elcurate.formats.offsets import UTF_16, Stated, counted, settle
from elcurate.formats.source import Source
from elcurate.model.change import Loss, Repair
from elcurate.model.corpus import Attributes, Document, Mention, in_order

SUFFIX = ".doccano.jsonl"
OWN = "elcurate_record"
UNTYPED = "Untyped"
"""The label of mentions without type."""
_TEXTS = ("text", "data")
_LABELS = ("label", "labels", "entities")
_FIELDS = {"id", OWN, *_TEXTS, *_LABELS}
_LABEL = re.compile(
    rb'"labels?"\s*:\s*\[\s*\[\s*\d+\s*,\s*\d+\s*,\s*"|"entities"\s*:\s*\[\s*\{[^{}]*"start_offset"'
)
_NO_LABEL = re.compile(rb'"(?:labels?|entities)"\s*:\s*\[\s*\]')
_TEXT = re.compile(rb'"(?:text|data)"\s*:\s*"')

Object = dict[str, Any]
Labelled = tuple[int, int, str]


def sniff(head: bytes, name: str) -> int:
    """Sure of a line with a text and a list of labelled spans."""
    first = head.lstrip(b"\xef\xbb\xbf \r\n").split(b"\n", 1)[0]
    if not head.strip():
        return 50 if name.endswith(SUFFIX) else 0
    if not first.startswith(b"{") or not _TEXT.search(first):
        return 0
    if _LABEL.search(first):
        return 80
    mine = OWN.encode() in first
    return (80 if mine else 65) if _NO_LABEL.search(first) else 0


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads one document a line."""
    return Reading(source.stem, _documents(source, options), repairs=source.repairs)


def _documents(source: Source, options: ReadOptions) -> Iterator[Document]:
    for number, line in source.lines():
        if line.strip():
            try:
                yield _Line(source, number, line).document()
            except ReadError as error:
                options.fail(error)


class _Line:
    def __init__(self, source: Source, number: int, line: str) -> None:
        self.path = source.path
        self.number = number
        self.repairs = source.repairs
        try:
            found = load_json(line)
        except ValueError as error:
            raise self.error(f"not JSON: {error}", "Each line is one object.") from error
        if not isinstance(found, dict):
            raise self.error("a line is no object", "Export the project as JSONL.")
        self.fields: Object = found
        self.id = str(found.get("id", f"{source.stem}-{number}"))

    def document(self) -> Document:
        text = next((self.fields[name] for name in _TEXTS if name in self.fields), None)
        if not isinstance(text, str):
            raise self.error("there is no text", "Lines have the fields text and label.")
        own = self.fields.get(OWN, {})
        if isinstance(own, dict) and isinstance(own.get("id"), str):
            self.id = own["id"]
        facts = {key: value for key, value in self.fields.items() if key not in _FIELDS}
        hidden = own.get("metadata") if isinstance(own, dict) else None
        facts |= hidden if isinstance(hidden, dict) else {}
        fields = {"id": self.id, "text": text, "metadata": facts}
        document = carried.restored(Document, own, self.path, self.id, **fields)
        mentions = self.reconciled(document, self.labelled(text))
        return document.model_copy(update={"mentions": in_order(mentions)})

    def labelled(self, text: str) -> list[Mention]:
        """The labelled spans, as mentions without link."""
        raw: object = next((self.fields[name] for name in _LABELS if self.fields.get(name)), [])
        if not isinstance(raw, list):
            raise self.error("the labels are no list", "Labels are [[begin, end, type], …].")
        stated, attributes = [], []
        for one in raw:
            begin, end, said = self.label(one)
            stated.append(Stated(begin, end))
            attributes.append(said)
        places = settle(text, stated, self.repairs, self.id, UTF_16)
        return [
            Mention(begin=one.begin, end=one.end, attributes=said)
            for one, said in zip(places, attributes, strict=True)
        ]

    def label(self, one: object) -> tuple[int, int, Attributes]:
        """Begin, end and attributes of one label."""
        said: Object = {}
        if isinstance(one, list) and len(one) == 3:
            begin, end, name = one
        elif isinstance(one, dict):
            begin, end = one.get("start_offset"), one.get("end_offset")
            name = one.get("label")
            said = {"id": one["id"]} if "id" in one and self.fields.get("relations") else {}
        else:
            raise self.error("a label is no span", "Labels are [[begin, end, type], …].")
        for offset in (begin, end):
            if type(offset) is not int or abs(offset) >= LIMIT:
                raise self.error(f"{offset!r} is no offset", "Offsets are whole numbers.")
        if not isinstance(name, str):
            raise self.error(f"{name!r} is no label", "Labels are names.")
        return begin, end, said if name == UNTYPED else {"type": name, **said}

    def reconciled(self, document: Document, labelled: list[Mention]) -> list[Mention]:
        """What we kept of the mentions that are still labelled, and the labels besides."""
        own = document.mentions
        there = {_key(one) for one in labelled}
        kept = [one for one in own if _key(one) in there or one.begin >= one.end]
        known = {_key(one) for one in kept}
        for one in own:
            if _key(one) not in known and one.begin < one.end:
                what = f"{_key(one)[2]} {document.surface(one)}"
                self.repair("label-gone", place(document, one), what)
        new = [one for one in labelled if _key(one) not in known]
        if OWN in self.fields:
            for one in new:
                self.repair("label-new", place(document, one), _key(one)[2])
        return kept + new

    def repair(self, kind: str, where: str, what: str) -> None:
        self.repairs.append(Repair(kind=kind, where=where, before=what, after="as in doccano"))

    def error(self, message: str, remedy: str) -> ReadError:
        return ReadError(message, path=self.path, line=self.number, remedy=remedy)


def write(writing: Writing, out: BinaryIO) -> None:
    """Writes one document a line; with relations its labels are entities with ids."""
    empty = True
    for document in writing.documents:
        if document.text is None:
            loss = Loss(kind="document", where=document.id, reason="doccano shows texts")
            writing.losses.append(loss)
            continue
        fields = {"id": document.id, **_labels(document, document.text)}
        rest = document.model_dump(mode="json", exclude={"text"}, exclude_defaults=True)
        facts = rest.pop("metadata", {})
        hidden = {key: facts.pop(key) for key in sorted(_FIELDS & set(facts))}
        rest |= {"metadata": hidden} if hidden else {}
        line = {**fields, OWN: rest, **facts, "text": document.text}
        out.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
        empty = False
    if empty:
        out.write(b"\n")


def _labels(document: Document, text: str) -> Object:
    shown = [one for one in document.mentions if one.begin < one.end]
    spans = counted(text, [one.span for one in shown], UTF_16)
    if not document.metadata.get("relations"):
        rows = dict.fromkeys((*span, _key(one)[2]) for span, one in zip(spans, shown, strict=True))
        return {"label": [list(row) for row in rows]}
    return {
        "entities": [
            {
                "id": one.attributes.get("id", number),
                "start_offset": span[0],
                "end_offset": span[1],
                "label": _key(one)[2],
            }
            for number, (span, one) in enumerate(zip(spans, shown, strict=True))
        ]
    }


def _key(mention: Mention) -> Labelled:
    """Span and label: the type of the first link, or of the mention itself."""
    types = [link.type for link in mention.links if link.type]
    stated = mention.attributes.get("type") if not mention.links else None
    name = types[0] if types else stated if isinstance(stated, str) and stated else UNTYPED
    return mention.begin, mention.end, name


DOCCANO = Format(
    name="doccano",
    text="doccano's JSON Lines",
    suffixes=(SUFFIX,),
    keeps=EVERYTHING - {"no-text"},
    sniff=sniff,
    read=read,
    write=write,
)
