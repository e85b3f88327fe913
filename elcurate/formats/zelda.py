"""ZELDA's JSON Lines: one document a line, spans, titles and page ids in lists of equal length."""

from __future__ import annotations

import json
from functools import partial
from typing import Any, BinaryIO

from pydantic import Field

from elcurate.formats.base import Format, Reading, ReadOptions, Writing
from elcurate.formats.features import EVERYTHING
from elcurate.formats.json_carried import KEY, Carried, CarriedDocument, carry, restored, without
from elcurate.formats.json_entries import (
    Entry,
    MalformedError,
    as_pair,
    corpus_name,
    document_id,
    items,
    made,
    number_or_text,
    stated,
)
from elcurate.formats.json_keys import json_keys, outer_keys
from elcurate.formats.page_names import entity_of, name_of
from elcurate.formats.source import Source
from elcurate.model.change import Loss, Repair
from elcurate.model.corpus import Document, Link, Mention, in_order

SUFFIX = ".zelda.jsonl"
PAGE = "wikipedia_id"
"""The attribute of a link that holds the number of its page."""
_LISTS = ("index", "wikipedia_titles", "wikipedia_ids")
_REMEDY = (
    'A document is {"id": "…", "text": "…", "index": [[0, 5]], "wikipedia_titles": ["…"], '
    '"wikipedia_ids": [1]}.'
)


class _Carried(CarriedDocument):
    """What stands under `KEY` in a document: besides its own, that of each mention in order."""

    mentions: tuple[Carried, ...] = Field(default=())


def sniff(head: bytes, name: str) -> int:
    """Sure of titles or ids beside an index of spans; of an index alone where the rest is cut."""
    keys = json_keys(head)
    if "index" in keys and keys & {"wikipedia_titles", "wikipedia_ids"}:
        return 90
    outer = outer_keys(head)
    return 70 if {"id", "index"} <= outer <= {"id", "text", "bracket", *_LISTS} else 0


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads documents as they are asked for."""
    return Reading(
        corpus_name(source, SUFFIX),
        made(source, options, partial(_document, repairs=source.repairs), _REMEDY),
        repairs=source.repairs,
    )


def write(writing: Writing, out: BinaryIO) -> None:
    """Writes one document a line; those without a text are left out."""
    for document in writing.documents:
        if document.text is None:
            reason = "ZELDA's documents have a text"
            writing.losses.append(
                Loss(kind="document", where=document.id, what=document.id, reason=reason)
            )
        else:
            out.write(json.dumps(_entry(document), ensure_ascii=False).encode() + b"\n")


def _document(entry: Entry, place: int, repairs: list[Repair]) -> Document:
    carried = _Carried.model_validate(entry.pop(KEY, {}))
    name = document_id(entry, place)
    text = stated(entry, "text")
    rows = _rows(entry)
    own = carried.mentions or [Carried()] * len(rows)
    if len(own) != len(rows):
        raise MalformedError(f"{KEY} has {len(own)} mentions, index {len(rows)}")
    found = []
    for row, rest in zip(rows, own, strict=True):
        where = f"{name} {row[0]}"
        agrees = partial(_agrees, row)
        found.append(restored(_mention(row), rest, agrees, where, repairs))
    metadata = entry if carried.metadata is None else carried.metadata
    return Document(id=name, text=text, mentions=in_order(found), metadata=metadata)


def _rows(entry: Entry) -> list[tuple[Any, ...]]:
    """Span, title and id of each mention."""
    index = items(entry, "index")
    lists = [index]
    for key in _LISTS[1:]:
        found = items(entry, key) if entry.get(key) is not None else [None] * len(index)
        if len(found) != len(index):
            raise MalformedError(f"index has {len(index)} spans, {key} {len(found)} entries")
        lists.append(found)
    return list(zip(*lists, strict=True))


def _mention(row: tuple[Any, ...]) -> Mention:
    span, title, number = row
    begin, end = as_pair(span, "index")
    if title is not None and not isinstance(title, str):
        raise MalformedError(f"wikipedia_titles has {title!r}, not a title")
    link = Link(
        entity=None if title is None else entity_of(title),
        attributes={} if number is None else {PAGE: number},
    )
    return Mention(begin=begin, end=end, links=(link,))


def _row(mention: Mention) -> tuple[Any, ...]:
    span = [mention.begin, mention.end]
    if not mention.links or mention.links[0].is_nil:
        return span, None, None
    link = mention.links[0]
    return span, name_of(link.entity or "")[0], link.attributes.get(PAGE)


def _agrees(row: tuple[Any, ...], mention: Mention) -> bool:
    return _row(mention) == row


def _entry(document: Document) -> Entry:
    rows = [_row(mention) for mention in document.mentions]
    own: list[Entry] = []
    for row, mention in zip(rows, document.mentions, strict=True):
        rest: Entry = {}
        carry(rest, _mention(row), mention)
        own.append(rest.get(KEY, {}))
    entry: Entry = {"id": number_or_text(document.id), "text": document.text}
    for place, key in enumerate(_LISTS):
        entry[key] = [row[place] for row in rows]
    metadata = without(document.metadata, "id", "text", *_LISTS)
    carried: Entry = {"mentions": own} if any(own) else {}
    if metadata != document.metadata:
        carried["metadata"] = document.metadata
    return entry | metadata | ({KEY: carried} if carried else {})


ZELDA = Format(
    name="zelda",
    text="ZELDA's documents",
    suffixes=(SUFFIX,),
    keeps=EVERYTHING - {"tags", "sentences", "tokens", "no-text", "bare-mentions"},
    sniff=sniff,
    read=read,
    write=write,
)
