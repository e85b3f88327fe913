"""What ELEVANT's article files share: the article around the labels or mentions, and identifiers.

ELEVANT knows entities by their Wikidata number. ``<NIL>`` is an entity that no knowledge base has;
``<NO_MAPPING>`` one of Wikipedia whose number it couldn't find: known, but nobody can say which,
so each such mention gets an identifier of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from elcurate.formats.base import Writing
from elcurate.formats.json_carried import KEY, CarriedDocument
from elcurate.formats.json_entries import Entry, document_id, number_or_text, stated
from elcurate.formats.json_keys import outer_keys
from elcurate.kb.pages import wikidata_id, wikidata_iri
from elcurate.model.change import Loss
from elcurate.model.corpus import Document, Mention, in_order, is_nil

NIL = "<NIL>"
NO_MAPPING = "<NO_MAPPING>"
_NUMBER = re.compile(r"Q[1-9][0-9]*", re.ASCII)
_WIKIDATA = wikidata_iri("")
_UNKNOWN = re.compile(r"Unknown[0-9]*", re.ASCII)
_ARTICLE = {"id", "title", "text", "url", "hyperlinks", "title_synonyms", "sections", "labels"}


def entity_of(name: str, where: str) -> str | None:
    """The entity that ELEVANT's identifier means; ``where`` tells unmapped ones apart."""
    if not name or name == NIL:
        return None
    if name == NO_MAPPING:
        return f"{NO_MAPPING}:{where}"
    if _UNKNOWN.fullmatch(name):
        return f"NIL:{name}"
    return wikidata_iri(name) if _NUMBER.fullmatch(name) else name


def name_of(entity: str | None) -> str:
    """ELEVANT's identifier of an entity."""
    if entity is None or is_nil(entity):
        return NIL
    if entity.startswith(NO_MAPPING):
        return NO_MAPPING
    if entity.startswith(_WIKIDATA) and _NUMBER.fullmatch(entity, len(_WIKIDATA)):
        return entity[len(_WIKIDATA) :]
    return wikidata_id(entity) or entity


def is_article(head: bytes) -> bool:
    """Whether a head shows an article's keys and no others."""
    keys = outer_keys(head)
    return {"id", "title", "text"} <= keys <= _ARTICLE | {KEY}


def read_article(
    entry: Entry, place: int, mentions: Callable[[Entry, CarriedDocument, str], list[Mention]]
) -> Document:
    """The document of an article.

    Args:
        entry: The article.
        place: Its number in the file, for articles without an id.
        mentions: Takes the mentions out of the entry of the document with that id.
    """
    carried = CarriedDocument.model_validate(entry.pop(KEY, {}))
    name = document_id(entry, place)
    if carried.id is not None:
        name = carried.id
    text = stated(entry, "text")
    found = mentions(entry, carried, name)
    metadata = entry if carried.metadata is None else carried.metadata
    return Document(id=name, text=text, mentions=in_order(found), metadata=metadata)


class Articles:
    """Documents as articles; those without a text are left out.

    Args:
        writing: The documents, and where losses go.
        key: The name of the list that holds the mentions.
    """

    def __init__(self, writing: Writing, key: str) -> None:
        self.writing = writing
        self.key = key
        self._ids: set[int] = set()

    def entries(self) -> Iterator[tuple[Document, Entry]]:
        """Each document with its article, whose list of mentions is empty."""
        for place, document in enumerate(self.writing.documents):
            if document.text is None:
                reason = "ELEVANT's articles have a text"
                loss = Loss(kind="document", where=document.id, what=document.id, reason=reason)
                self.writing.losses.append(loss)
            else:
                yield document, self._article(document, place)

    def _article(self, document: Document, place: int) -> Entry:
        number = self._number(document.id, place)
        native = {"id", "text", self.key, KEY}
        metadata = {key: value for key, value in document.metadata.items() if key not in native}
        title = metadata.get("title")
        if not isinstance(title, str):
            metadata["title"] = document.id
        own: Entry = {} if str(number) == document.id else {"id": document.id}
        if metadata != document.metadata:
            own["metadata"] = document.metadata
        entry = {"id": number, "title": metadata.pop("title"), "text": document.text}
        entry |= metadata
        entry[self.key] = []
        return entry | {KEY: own} if own else entry

    def _number(self, name: str, place: int) -> int:
        """ELEVANT's ids are numbers: the document's own, or a free one."""
        given = number_or_text(name)
        number = place if isinstance(given, str) else given
        while number in self._ids:
            number += 1
        self._ids.add(number)
        return number
