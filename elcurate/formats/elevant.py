"""ELEVANT's benchmarks: one article a line, each label with its Wikidata number and its nesting.

A label is a mention with one link. ``name`` is the entity's Wikidata label, not the surface; it
stays with the link. All other fields of a label (``id``, ``parent``, ``children``, ``optional``,
``desc``, ``coref``) are attributes of the mention, the article's are metadata.
"""

from __future__ import annotations

import json
from functools import partial
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
from elcurate.formats.json_entries import Entry, corpus_name, each, made, pair, stated, words
from elcurate.formats.json_keys import json_keys
from elcurate.formats.source import Source
from elcurate.model.change import Repair
from elcurate.model.corpus import Document, Link, Mention

SUFFIX = ".benchmark.jsonl"
_FIELDS = ("span", "entity_id", "name", "type")
_REMEDY = (
    'An article is {"id": 0, "title": "…", "text": "…", "labels": '
    '[{"id": 0, "span": [0, 5], "entity_id": "Q1", "name": "…", "type": "…"}]}.'
)


class CarriedLabel(Carried):
    """What stands under `KEY` in a label.

    Attributes:
        alternative: The label is a further link of its parent, written so that ELEVANT accepts it.
    """

    alternative: bool = False


def sniff(head: bytes, name: str) -> int:
    """Sure of labels with entities and spans, or of an evaluation span."""
    keys = json_keys(head)
    if "entity_mentions" in keys or name.endswith(".linked_articles.jsonl"):
        return 0
    if {"labels.entity_id", "labels.span"} <= keys or {"text", "evaluation_span"} <= keys:
        return 90
    return 70 if is_article(head) else 0


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads articles as they are asked for."""
    labels = partial(_labels, repairs=source.repairs)
    return Reading(
        corpus_name(source, SUFFIX),
        made(source, options, partial(read_article, mentions=labels), _REMEDY),
        repairs=source.repairs,
    )


def write(writing: Writing, out: BinaryIO) -> None:
    """Writes one article a line; further links of a mention become labels nested in its own."""
    for document, article in Articles(writing, "labels").entries():
        _Labels(document, article).write()
        out.write(json.dumps(article, ensure_ascii=False).encode() + b"\n")


def _labels(
    article: Entry, carried: CarriedDocument, document: str, repairs: list[Repair]
) -> list[Mention]:
    def mention(label: Entry) -> Mention | None:
        own = CarriedLabel.model_validate(label.pop(KEY, {}))
        if own.alternative:
            return None
        where = f"{document}:{label.get('id')}"
        if carried.numbered:
            label.pop("id", None)
        given = {key: label.get(key) for key in _FIELDS}
        return restored(_mention(label, where), own, partial(_agrees, given), where, repairs)

    return [one for one in each(article, "labels", mention) if one is not None]


def _mention(label: Entry, where: str) -> Mention:
    begin, end = pair(label, "span")
    entity = entity_of(stated(label, "entity_id"), where)
    type_, name = words(label, "type"), words(label, "name")
    link = Link(entity=entity, type=type_, attributes={} if name is None else {"name": name})
    return Mention(begin=begin, end=end, links=(link,), attributes=label)


def _agrees(given: Entry, mention: Mention) -> bool:
    fields = _fields(mention)
    return all(fields.get(key) == given[key] for key in _FIELDS)


def _fields(mention: Mention) -> Entry:
    """The fields of a label that its place and its first link give."""
    fields: Entry = {"span": [mention.begin, mention.end], "entity_id": name_of(None)}
    if mention.links:
        link = mention.links[0]
        fields["entity_id"] = name_of(link.entity)
        if isinstance(link.attributes.get("name"), str):
            fields["name"] = link.attributes["name"]
        if link.type is not None:
            fields["type"] = link.type
    return fields


class _Labels:
    """The labels of one document; those without an id get one."""

    def __init__(self, document: Document, article: Entry) -> None:
        self.document = document
        self.article = article
        given = [mention.attributes.get("id") for mention in document.mentions]
        self.used = {number for number in given if type(number) is int}
        self.numbered = not any("id" in one.attributes for one in document.mentions)
        self.last = -1
        self.labels: list[Entry] = []

    def write(self) -> None:
        taken: set[int] = set()
        for mention in self.document.mentions:
            number = mention.attributes.get("id")
            if type(number) is not int or number in taken:
                number = self.free()
            taken.add(number)
            self.labels += self.of(mention, number)
        self.article["labels"] = self.labels
        if self.numbered and self.labels:
            self.article[KEY] = self.article.get(KEY, {}) | {"numbered": True}

    def free(self) -> int:
        self.last += 1
        while self.last in self.used:
            self.last += 1
        return self.last

    def of(self, mention: Mention, number: int) -> list[Entry]:
        """The label of a mention, and those of its further links: each nested in the one before."""
        rest = without(mention.attributes, *_FIELDS)
        label: Entry = {"id": number} | _fields(mention) | rest | {"id": number}
        chain = [label]
        others = mention.links[1:] if "children" not in rest else ()
        for link in others:
            fields = _fields(Mention(begin=mention.begin, end=mention.end, links=(link,)))
            inner: Entry = {"id": self.free(), **fields, "parent": chain[-1]["id"]}
            chain[-1]["children"] = [inner["id"]]
            chain.append(inner)
        for inner in chain[1:]:
            inner[KEY] = {"alternative": True}
        plain = dict(label)
        if self.numbered:
            del plain["id"]
        carry(label, _mention(plain, f"{self.document.id}:{number}"), mention)
        return chain


ELEVANT = Format(
    name="elevant",
    text="ELEVANT's benchmark articles",
    suffixes=(SUFFIX,),
    keeps=EVERYTHING - {"tags", "sentences", "tokens", "no-text", "bare-mentions"},
    sniff=sniff,
    read=read,
    write=write,
)
