"""ELEVANT's linked articles: the output of a system, one article a line.

The entity that a system chose is the first link of a mention; the other candidates follow in the
order of the file, which for ELEVANT's own files is that of their numbers, not a ranking. The gold
labels that such a file repeats stay in the document's metadata.
"""

from __future__ import annotations

import json
from functools import lru_cache, partial
from typing import BinaryIO

from elcurate.formats.base import Format, Reading, ReadOptions, Writing
from elcurate.formats.elevant_articles import (
    Articles,
    entity_of,
    is_article,
    name_of,
    read_article,
)
from elcurate.formats.features import EVERYTHING
from elcurate.formats.json_carried import KEY, Carried, CarriedDocument, carry, restored, without
from elcurate.formats.json_entries import Entry, corpus_name, each, made, pair, words
from elcurate.formats.json_keys import json_keys
from elcurate.formats.source import Source
from elcurate.model.change import Repair
from elcurate.model.corpus import Link, Mention

SUFFIX = ".linked_articles.jsonl"
_FIELDS = ("span", "id", "candidates")
_REMEDY = (
    'An article is {"id": 0, "title": "…", "text": "…", "entity_mentions": '
    '[{"span": [0, 5], "id": "Q1", "candidates": ["Q1", "Q2"]}]}.'
)


def sniff(head: bytes, name: str) -> int:
    """Sure of entity mentions beside a text, or of an article in a file of that name."""
    keys = json_keys(head)
    if {"text", "entity_mentions"} <= keys:
        return 90
    named = name.endswith(SUFFIX)
    return 90 if named and ({"text", "evaluation_span"} <= keys or is_article(head)) else 0


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads articles as they are asked for."""
    mentions = partial(_mentions, repairs=source.repairs)
    return Reading(
        corpus_name(source, SUFFIX),
        made(source, options, partial(read_article, mentions=mentions), _REMEDY),
        repairs=source.repairs,
    )


def write(writing: Writing, out: BinaryIO) -> None:
    """Writes one article a line."""
    for document, article in Articles(writing, "entity_mentions").entries():
        for mention in document.mentions:
            entry = _entry(mention)
            carry(entry, _mention(dict(entry), document.id), mention)
            article["entity_mentions"].append(entry)
        out.write(json.dumps(article, ensure_ascii=False).encode() + b"\n")


def _mentions(
    article: Entry, carried: CarriedDocument, document: str, repairs: list[Repair]
) -> list[Mention]:
    def mention(entry: Entry) -> Mention:
        own = Carried.model_validate(entry.pop(KEY, {}))
        given = {key: entry.get(key) for key in _FIELDS}
        plain = _mention(entry, document)
        where = f"{document} {plain.begin}-{plain.end}"
        return restored(plain, own, partial(_agrees, given), where, repairs)

    return each(article, "entity_mentions", mention)


def _mention(entry: Entry, document: str) -> Mention:
    begin, end = pair(entry, "span")
    where = f"{document}:{begin}-{end}"
    name = words(entry, "id")
    candidates = entry.get("candidates")
    names = [] if name is None else [name]
    if names and isinstance(candidates, list):
        names += [one for one in candidates if isinstance(one, str) and one != name]
    links = tuple(_link(entity_of(one, where)) for one in names)
    mention = Mention(begin=begin, end=end, links=links)
    if candidates is None or candidates == _fields(mention)["candidates"]:
        entry.pop("candidates", None)
    return mention.model_copy(update={"attributes": entry})


@lru_cache(maxsize=1 << 14)
def _link(entity: str | None) -> Link:
    """A link with nothing but an entity; equal ones are one object."""
    return Link(entity=entity)


def _agrees(given: Entry, mention: Mention) -> bool:
    entry = _entry(mention)
    return all(entry.get(key) == given[key] for key in _FIELDS)


def _entry(mention: Mention) -> Entry:
    """An entity mention; candidates that were no ranking of the links are an attribute."""
    rest = without(mention.attributes, "span", "id")
    fields = _fields(mention)
    return {**fields, **rest, "candidates": rest.get("candidates", fields["candidates"])}


def _fields(mention: Mention) -> Entry:
    """The fields of an entity mention that its place and its links give.

    ELEVANT sorts candidates; they stay in the order of the links where that is no sorting.
    """
    fields: Entry = {"span": [mention.begin, mention.end]}
    if mention.links:
        fields["id"] = name_of(mention.links[0].entity)
    names = [name_of(link.entity) for link in mention.links if not link.is_nil]
    others = [name for name in names if name != fields["id"]]
    fields["candidates"] = sorted(names) if others == sorted(others) else names
    return fields


ELEVANT_LINKED = Format(
    name="elevant-linked",
    text="ELEVANT's linked articles, the output of a system",
    suffixes=(SUFFIX,),
    keeps=EVERYTHING - {"tags", "sentences", "tokens", "no-text"},
    sniff=sniff,
    read=read,
    write=write,
)
