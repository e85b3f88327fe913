"""ELEVANT's simple JSON Lines: ``labels`` beside a text, or ``predictions`` alone.

Both have ``start_char``, ``end_char`` and ``entity_reference``: a Wikidata number, a page's title
or an address. Documents have no id; as in ELEVANT they are numbered from 0, so that predictions
meet the benchmark of the same order.
"""

from __future__ import annotations

import json
import re
from functools import partial
from typing import BinaryIO

from elcurate.formats import nif_terms
from elcurate.formats.base import Format, Reading, ReadOptions, Writing, never
from elcurate.formats.elevant_articles import NIL
from elcurate.formats.features import EVERYTHING
from elcurate.formats.json_carried import KEY, Carried, CarriedDocument, carry, restored, without
from elcurate.formats.json_entries import Entry, corpus_name, document_id, each, made, whole, words
from elcurate.formats.json_keys import json_keys
from elcurate.formats.page_names import entity_of
from elcurate.formats.source import Source
from elcurate.kb.pages import wikidata_iri
from elcurate.model.change import Repair
from elcurate.model.corpus import Document, Link, Mention, in_order, is_nil

SUFFIX = ".simple.jsonl"
PREDICTIONS_SUFFIX = ".predictions.jsonl"
_KEPT = EVERYTHING - {"tags", "sentences", "tokens"}
_FIELDS = ("start_char", "end_char", "entity_reference", "candidates")
_NILS = {"", NIL, "NIL", "<unk>", "<UNK>", "<unk_wid>"}
_NUMBER = re.compile(r"Q[0-9]+", re.ASCII)
_REMEDY = (
    'A line is {"text": "…", "labels": [{"start_char": 0, "end_char": 5, "entity_reference": '
    '"Q1"}]} or {"predictions": […]}.'
)


def sniff(head: bytes, name: str) -> int:
    """Sure of labels or predictions with references, or of an empty list in a file of that name."""
    keys = json_keys(head)
    for entries in ("labels", "predictions"):
        if f"{entries}.entity_reference" in keys or f"{entries}.start_char" in keys:
            return 90
    named = name.endswith((SUFFIX, PREDICTIONS_SUFFIX))
    return 80 if named and keys & {"labels", "predictions"} else 0


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads documents as they are asked for."""
    document = partial(_document, options=options, repairs=source.repairs)
    return Reading(
        corpus_name(source, SUFFIX, PREDICTIONS_SUFFIX),
        made(source, options, document, _REMEDY),
        repairs=source.repairs,
    )


def write(writing: Writing, out: BinaryIO) -> None:
    """Writes labels beside the text of a document, predictions where it has none."""
    for place, document in enumerate(writing.documents):
        key = "predictions" if document.text is None else "labels"
        _write(document, place, key, out)


def write_predictions(writing: Writing, out: BinaryIO) -> None:
    """Writes predictions, without texts."""
    for place, document in enumerate(writing.documents):
        _write(document.model_copy(update={"text": None}), place, "predictions", out)


def _write(document: Document, place: int, key: str, out: BinaryIO) -> None:
    entry: Entry = {} if document.id == str(place) else {"id": document.id}
    if document.text is not None:
        entry["text"] = document.text
    metadata = without(document.metadata, "id", "text", "labels", "predictions")
    entry |= metadata
    entry[key] = []
    for mention in document.mentions:
        one = _entry(mention, key)
        carry(one, _mention(dict(one), key, ()), mention)
        entry[key].append(one)
    if metadata != document.metadata:
        entry[KEY] = {"metadata": document.metadata}
    out.write(json.dumps(entry, ensure_ascii=False).encode() + b"\n")


def _document(entry: Entry, place: int, options: ReadOptions, repairs: list[Repair]) -> Document:
    carried = CarriedDocument.model_validate(entry.pop(KEY, {}))
    name = document_id(entry, place)
    text = words(entry, "text")
    key = "predictions" if "predictions" in entry else "labels"

    def mention(one: Entry) -> Mention:
        own = Carried.model_validate(one.pop(KEY, {}))
        given = {field: one.get(field) for field in _FIELDS}
        plain = _mention(one, key, options.nil_iris)
        where = f"{name} {plain.begin}-{plain.end}"
        return restored(plain, own, partial(_agrees, given, key), where, repairs)

    found = each(entry, key, mention)
    metadata = entry if carried.metadata is None else carried.metadata
    return Document(id=name, text=text, mentions=in_order(found), metadata=metadata)


def _mention(one: Entry, key: str, nil_iris: tuple[str, ...]) -> Mention:
    begin, end = whole(one, "start_char"), whole(one, "end_char")
    reference = words(one, "entity_reference")
    names = [reference or ""]
    candidates = one.get("candidates") if key == "predictions" else None
    if isinstance(candidates, list) and all(isinstance(name, str) for name in candidates):
        del one["candidates"]
        names += [name for name in candidates if name != reference]
    links = tuple(Link(entity=_entity(name, nil_iris)) for name in names)
    return Mention(begin=begin, end=end, links=links, attributes=one)


def _entity(reference: str, nil_iris: tuple[str, ...]) -> str | None:
    if reference in _NILS:
        return None
    if nif_terms.NIL_IRI.search(reference) or (nil_iris and reference.startswith(nil_iris)):
        return None
    if _NUMBER.fullmatch(reference):
        return wikidata_iri(reference)
    return entity_of(reference)


def _agrees(given: Entry, key: str, mention: Mention) -> bool:
    entry = _entry(mention, key)
    return all(entry.get(field) == given[field] for field in _FIELDS)


def _entry(mention: Mention, key: str) -> Entry:
    names = [NIL if is_nil(link.entity) else str(link.entity) for link in mention.links] or [NIL]
    entry: Entry = {
        "start_char": mention.begin,
        "end_char": mention.end,
        "entity_reference": names[0],
    }
    if len(names) > 1 and key == "predictions":
        entry["candidates"] = names[1:]
    return entry | without(mention.attributes, *_FIELDS)


ELEVANT_SIMPLE = Format(
    name="elevant-simple",
    text="ELEVANT's simple benchmarks and predictions",
    suffixes=(SUFFIX,),
    keeps=_KEPT - {"bare-mentions"},
    sniff=sniff,
    read=read,
    write=write,
)
ELEVANT_PREDICTIONS = Format(
    name="elevant-predictions",
    text="ELEVANT's simple predictions, without texts",
    suffixes=(PREDICTIONS_SUFFIX,),
    keeps=_KEPT - {"bare-mentions", "text"},
    sniff=never,
    read=read,
    write=write_predictions,
)
