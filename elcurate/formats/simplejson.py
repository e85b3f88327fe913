"""GERBIL's SimpleJson: an array of documents with annotations.

Offsets count UTF-16 units, as GERBIL does inside. The addresses in ``meaning`` name one entity;
each becomes a link. An annotation without a span is a tag of the document.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import BinaryIO

from elcurate.errors import ReadError
from elcurate.formats.base import Format, Reading, ReadOptions, Writing
from elcurate.formats.checks import load_json
from elcurate.formats.features import EVERYTHING
from elcurate.formats.json_carried import KEY, Carried, CarriedDocument, carry, restored, without
from elcurate.formats.json_entries import (
    Entry,
    MalformedError,
    corpus_name,
    document_id,
    each,
    explained,
    number_or_text,
    words,
)
from elcurate.formats.json_keys import is_array, json_keys
from elcurate.formats.offsets import UTF_16, Stated, counted, settle
from elcurate.formats.simplejson_annotations import (
    FIELDS,
    entity_of,
    read_mention,
    read_tag,
    write_mention,
    write_tag,
)
from elcurate.formats.source import Source
from elcurate.model.change import Repair
from elcurate.model.corpus import Document, Mention, Tag, in_order

SUFFIX = ".gerbil.json"
_REMEDY = (
    'Expected [{"id": 0, "iri": "…", "text": "…", "annotations": '
    '[{"start": 0, "end": 5, "meaning": ["http://dbpedia.org/resource/…"]}]}].'
)


class _Carried(CarriedDocument):
    """What stands under `KEY` in a document; ``tags`` where the annotations don't give them."""

    tags: tuple[Tag, ...] | None = None


def sniff(head: bytes, name: str) -> int:
    """Sure of an array of documents with annotations; of an empty one by its name."""
    if not is_array(head):
        return 0
    keys = json_keys(head)
    if {"text", "annotations"} <= keys and keys & {"iri", "annotations.meaning"}:
        return 85
    if {"annotations", "annotations.start", "annotations.end"} <= keys:
        return 70
    return 60 if name.endswith(SUFFIX) else 0


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads the array; documents are made as they are asked for."""
    text = source.text()
    try:
        found = load_json(text) if text.strip() else []
    except ValueError as error:
        line = getattr(error, "lineno", None)
        raise ReadError(
            f"not JSON: {error}", path=source.path, line=line, remedy=_REMEDY
        ) from error
    if not isinstance(found, list):
        raise ReadError("the file is no JSON array", path=source.path, remedy=_REMEDY)
    return Reading(
        corpus_name(source, SUFFIX), _documents(found, source, options), repairs=source.repairs
    )


def write(writing: Writing, out: BinaryIO) -> None:
    """Writes the array, one document a line."""
    before = b"[\n"
    for place, document in enumerate(writing.documents):
        out.write(before + json.dumps(_entry(document, place), ensure_ascii=False).encode())
        before = b",\n"
    out.write(b"[]\n" if before == b"[\n" else b"\n]\n")


def _documents(found: list[object], source: Source, options: ReadOptions) -> Iterator[Document]:
    for place, entry in enumerate(found):
        try:
            if not isinstance(entry, dict):
                raise MalformedError("it is no object")
            document = _Reader(entry, place, options.nil_iris, source.repairs).document()
        except ValueError as error:
            message = f"document {place + 1} of the array: {explained(error)}"
            options.fail(ReadError(message, path=source.path, remedy=_REMEDY))
            continue
        yield document


class _Reader:
    """One document of the array."""

    def __init__(
        self, entry: Entry, place: int, nil_iris: tuple[str, ...], repairs: list[Repair]
    ) -> None:
        self.entry = entry
        self.place = place
        self.nil_iris = nil_iris
        self.repairs = repairs
        self.tags: list[Tag] = []

    def document(self) -> Document:
        """Its annotations as mentions and tags."""
        entry = self.entry
        carried = _Carried.model_validate(entry.pop(KEY, {}))
        iri, number = words(entry, "iri"), entry.get("id")
        name = document_id(entry, self.place)
        if iri is not None:
            name = iri
            if number is not None and number != self.place:
                entry["id"] = number
        text = words(entry, "text")
        self.name = name
        found = [one for one in each(entry, "annotations", self._annotation) if one is not None]
        stated = [Stated(one.begin, one.end) for one in found]
        places = settle(text, stated, self.repairs, name, UTF_16)
        mentions = [
            mention.model_copy(update={"begin": one.begin, "end": one.end})
            for mention, one in zip(found, places, strict=True)
        ]
        return Document(
            id=name,
            text=text,
            mentions=in_order(mentions),
            tags=tuple(self.tags) if carried.tags is None else carried.tags,
            metadata=entry if carried.metadata is None else carried.metadata,
        )

    def _annotation(self, one: Entry) -> Mention | None:
        if "start" not in one and "end" not in one:
            self.tags += read_tag(one)
            return None
        own = Carried.model_validate(one.pop(KEY, {}))
        given = {key: one.get(key) for key in FIELDS}
        plain = read_mention(one, self.nil_iris)
        where = f"{self.name} {plain.begin}-{plain.end}"
        return restored(plain, own, partial(_agrees, given), where, self.repairs)


def _agrees(given: Entry, mention: Mention) -> bool:
    fields = write_mention(mention, "")
    if (fields["start"], fields["end"]) != (given["start"], given["end"]):
        return False
    mine, theirs = fields.get("meaning"), given["meaning"]
    if mine is None or theirs is None:
        return mine is theirs
    return [entity_of(iri, ()) for iri in mine] == [entity_of(iri, ()) for iri in theirs]


def _entry(document: Document, place: int) -> Entry:
    number = number_or_text(document.id)
    entry: Entry = {"id": number} if isinstance(number, int) else {"id": place, "iri": document.id}
    metadata = without(document.metadata, "iri", "text", "annotations")
    if isinstance(number, int) or type(metadata.get("id")) is not int or metadata["id"] == place:
        metadata.pop("id", None)
    entry |= metadata
    if document.text is not None:
        entry["text"] = document.text
    entry["annotations"] = [*_annotations(document), *map(write_tag, document.tags)]
    own: Entry = {}
    if metadata != document.metadata:
        own["metadata"] = document.metadata
    back = [tag for one in document.tags for tag in read_tag(write_tag(one))]
    if back != list(document.tags):
        own["tags"] = [tag.model_dump(mode="json", exclude_defaults=True) for tag in document.tags]
    return entry | {KEY: own} if own else entry


def _annotations(document: Document) -> Iterator[Entry]:
    spans = [mention.span for mention in document.mentions]
    if document.text is not None:
        spans = counted(document.text, spans, UTF_16)
    for (begin, end), mention in zip(spans, document.mentions, strict=True):
        placed = mention.model_copy(update={"begin": begin, "end": end})
        one = write_mention(placed, document.surface(mention) or "")
        carry(one, read_mention(dict(one), ()), placed)
        yield one


SIMPLEJSON = Format(
    name="simplejson",
    text="GERBIL's SimpleJson",
    suffixes=(SUFFIX,),
    keeps=EVERYTHING - {"sentences", "tokens"},
    sniff=sniff,
    read=read,
    write=write,
)
