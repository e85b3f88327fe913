"""KILT's entity-linking datasets: one mention a line, marked in its context.

Records that follow each other, whose ids name one document (``<uuid>_947testa CRICKET:0``) and
that have the same text are the mentions of one document. Every other record is a document of its
own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import groupby
from typing import BinaryIO

from pydantic import JsonValue

from elcurate.formats.base import Format, Reading, ReadOptions, Writing
from elcurate.formats.features import EVERYTHING, place
from elcurate.formats.json_carried import KEY, Carried, carry, restored
from elcurate.formats.json_entries import Entry, corpus_name, made
from elcurate.formats.json_keys import outer_keys
from elcurate.formats.kilt_record import (
    WINDOW,
    KiltRecord,
    is_window,
    names,
    read_record,
    write_output,
    write_record,
)
from elcurate.formats.source import Source
from elcurate.model.change import Loss, Repair
from elcurate.model.corpus import Attributes, Document, Mention, in_order

SUFFIX = ".kilt.jsonl"
_REMEDY = (
    'A record is {"id": "…", "input": "… [START_ENT] mention [END_ENT] …", '
    '"output": [{"answer": "title"}]}.'
)


class _Carried(Carried):
    """What stands under `KEY` in a record.

    Attributes:
        document: The document's id, where the record's doesn't give it.
        text, begin, end: Text and place, where the input doesn't give them.
        metadata: The document's, in its first record.
    """

    document: str | None = None
    text: str | None = None
    begin: int | None = None
    end: int | None = None
    metadata: Attributes | None = None


def sniff(head: bytes, name: str) -> int:
    """Sure of an input with markers."""
    return 90 if "input" in outer_keys(head) and b"[START_ENT]" in head else 0


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads the records of one document after the other."""
    records = made(source, options, partial(_record, repairs=source.repairs), _REMEDY)
    name = corpus_name(source, SUFFIX, "-kilt.jsonl")
    return Reading(name, _documents(records, source.repairs), repairs=source.repairs)


def write(writing: Writing, out: BinaryIO) -> None:
    """Writes one record per mention; documents without a text are left out."""
    for document in writing.documents:
        if document.text is None:
            _lose(writing, "document", document.id, document.id, "a mention needs its context")
            continue
        metadata: Attributes = document.metadata
        for number, mention in enumerate(document.mentions):
            if not 0 <= mention.begin <= mention.end <= len(document.text):
                kind, where = "mention", place(document, mention)
                _lose(writing, kind, where, "", "the span is outside the text")
                continue
            entry = _entry(document.id, document.text, mention, number, metadata)
            metadata = {}
            out.write(json.dumps(entry, ensure_ascii=False).encode() + b"\n")


def _lose(writing: Writing, kind: str, where: str, what: str, reason: str) -> None:
    writing.losses.append(Loss(kind=kind, where=where, what=what, reason=reason))


def _record(entry: Entry, line: int, repairs: list[Repair]) -> KiltRecord:
    own = _Carried.model_validate(entry.pop(KEY, {}))
    output = entry.get("output") or []
    record = read_record(entry, line)
    record.document = record.document if own.document is None else own.document
    record.text = record.text if own.text is None else own.text
    record.metadata = own.metadata
    edges = {"begin": own.begin, "end": own.end}
    update = {key: edge for key, edge in edges.items() if edge is not None}
    where = f"{record.document} ({record.id})"
    mention = record.mention.model_copy(update=update)
    same = partial(_same_output, output)
    record.mention = restored(mention, own, same, where, repairs)
    return record


def _same_output(output: object, mention: Mention) -> bool:
    return write_output(mention.links) == output


def _documents(records: Iterable[KiltRecord], repairs: list[Repair]) -> Iterator[Document]:
    seen: set[str] = set()
    for document, group in groupby(records, key=lambda record: record.document):
        texts: dict[str, list[KiltRecord]] = {}
        for record in group:
            texts.setdefault(_solid(record.text), []).append(record)
        for members in texts.values():
            name = document
            if name in seen:
                name = members[0].id
                repairs.append(Repair(kind="scattered-records", where=document, after=name))
            seen.add(name)
            yield _document(name, members, repairs)


def _document(name: str, records: list[KiltRecord], repairs: list[Repair]) -> Document:
    """A document of its records; ids that only count its mentions are not kept.

    Contexts lack blanks where they meet the mention at a sentence's edge, so the longest text
    is the document's.
    """
    text = max((record.text for record in records), key=len)
    if any(record.text != text for record in records):
        repairs.append(Repair(kind="blanks-differ", where=name, after="the longest text"))
    mentions = in_order([_moved(record, text) for record in records])
    mentions = tuple(
        mention.model_copy(update={"attributes": _without_number(mention, name, number)})
        for number, mention in enumerate(mentions)
    )
    metadata = next((one.metadata for one in records if one.metadata is not None), {})
    return Document(id=name, text=text, mentions=mentions, metadata=metadata)


def _solid(text: str) -> str:
    """A text without white space."""
    return "".join(text.split())


def _moved(record: KiltRecord, text: str) -> Mention:
    """A record's mention in a text that differs from the record's in white space alone."""
    mention = record.mention
    if record.text == text:
        return mention
    places = [place for place, character in enumerate(text) if not character.isspace()]

    def moved(begin: int, end: int) -> list[int]:
        first = len(_solid(record.text[:begin]))
        last = len(_solid(record.text[:end]))
        start = places[first] if first < len(places) else len(text)
        return [start, places[last - 1] + 1 if last > first else start]

    begin, end = moved(mention.begin, mention.end)
    attributes = mention.attributes
    window: object = attributes.get(WINDOW)
    if is_window(window, mention, record.text):
        edges: list[JsonValue] = [*moved(*window)]
        attributes = attributes | {WINDOW: edges}
    return mention.model_copy(update={"begin": begin, "end": end, "attributes": attributes})


def _without_number(mention: Mention, document: str, number: int) -> Attributes:
    attributes = mention.attributes
    if attributes.get("id") == f"{document}:{number}":
        return {key: value for key, value in attributes.items() if key != "id"}
    return attributes


def _entry(document: str, text: str, mention: Mention, number: int, metadata: Attributes) -> Entry:
    given = mention.attributes.get("id")
    name = given if isinstance(given, str) and names(given, document) else f"{document}:{number}"
    entry = write_record(name, text, mention)
    plain = read_record(dict(entry), 0)
    counted = _without_number(plain.mention, document, number)
    carry(entry, plain.mention.model_copy(update={"attributes": counted}), mention)
    facts = {
        "document": (plain.document, document),
        "text": (plain.text, text),
        "begin": (plain.mention.begin, mention.begin),
        "end": (plain.mention.end, mention.end),
        "metadata": ({}, metadata),
    }
    own = {key: fact for key, (read, fact) in facts.items() if read != fact}
    if own:
        entry[KEY] = entry.get(KEY, {}) | own
    return entry


KILT = Format(
    name="kilt",
    text="KILT's entity-linking records",
    suffixes=(SUFFIX,),
    keeps=EVERYTHING - {"tags", "sentences", "tokens", "empty-documents", "no-text"},
    sniff=sniff,
    read=read,
    write=write,
)
