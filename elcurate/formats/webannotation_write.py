"""Writing Web Annotations: one page for the corpus, one annotation a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, BinaryIO

from elcurate.formats import carried
from elcurate.formats.base import Writing
from elcurate.formats.turtle import IDENTIFIERS, made_iri
from elcurate.formats.webannotation_terms import (
    ATTRIBUTES,
    CONTEXT,
    CORPUS,
    DOCUMENT,
    KEPT,
    MADE_ID,
    NIL,
    PREFIXES,
    REST,
    SCORE,
    is_source,
)
from elcurate.model.categories import FEL, FEL_CLASSES
from elcurate.model.corpus import Attributes, Document, Link, Mention

_AROUND = 32
"""So many characters before and after a mention are quoted with it."""

Object = dict[str, Any]


def write(writing: Writing, out: BinaryIO) -> None:
    """Writes an annotation of each document as a whole, each followed by those of its mentions."""
    head: Object = {"@context": [CONTEXT, PREFIXES], "type": "AnnotationPage"}
    if writing.metadata:
        head[CORPUS] = _json(writing.metadata)
    out.write(_json(head)[:-1].encode() + b', "items": [')
    separator = b"\n"
    for document in writing.documents:
        for item in _Document(document).items():
            out.write(separator + _json(item).encode())
            separator = b",\n"
    out.write(b"\n]}\n")


class _Document:
    def __init__(self, document: Document) -> None:
        self.document = document
        taken = "#" in document.id or document.id.startswith(IDENTIFIERS)
        fits = is_source(document.id) and not taken
        self.iri = document.id if fits else made_iri(document.id)

    def items(self) -> Iterator[Object]:
        """The annotations."""
        yield self.whole()
        for number, mention in enumerate(self.document.mentions):
            for rank, link in enumerate(mention.links or (None,)):
                yield self.annotation(f"{self.iri}#m{number}", mention, rank, link)

    def whole(self) -> Object:
        """The annotation of the document: its text, and its tags as bodies."""
        document = self.document
        target: Object = {"id": self.iri, "type": "Text", "format": "text/plain"}
        if self.iri != document.id:
            target[DOCUMENT] = document.id
        rest = carried.of_document(document)
        rest.pop("tags", None)
        target |= {REST: _json(rest)} if rest else {}
        target |= {} if document.text is None else {"value": document.text}
        bodies = [
            _body("tagging", tag.entity)
            | ({} if tag.score is None else {SCORE: tag.score})
            | ({ATTRIBUTES: _json(tag.attributes)} if tag.attributes else {})
            for tag in document.tags
        ]
        whole = {"id": f"{self.iri}#document", "type": "Annotation", "motivation": "tagging"}
        return {**whole, **({"body": bodies} if bodies else {}), "target": target}

    def annotation(self, target: str, mention: Mention, rank: int, link: Link | None) -> Object:
        """The annotation of one link; the links of one mention share their target's id."""
        rest = {} if rank else carried.of_mention(mention)
        if self.document.text is None:
            rest.pop("surface", None)
        attributes = dict(mention.attributes if link is None else link.attributes)
        native, bodies = _native(attributes), [] if link is None else list(_bodies(link))
        type_ = attributes.get("type") if link is None else None
        if isinstance(type_, str):
            del attributes["type"]
            bodies.append(_body("classifying", type_))
        if link is None:
            rest.pop("attributes", None)
            rest |= {"attributes": attributes} if attributes else {}
        made: Object = {
            "id": f"{target}.{rank}",
            "type": "Annotation",
            "motivation": "highlighting" if link is None else "identifying",
            **native,
            **({"body": bodies} if bodies else {}),
        }
        if link is not None and attributes:
            made[ATTRIBUTES] = _json(attributes)
        made["target"] = {
            "id": target,
            "type": "SpecificResource",
            "source": self.iri,
            "selector": self.selectors(mention),
            **({REST: _json(rest)} if rest else {}),
        }
        return made

    def selectors(self, mention: Mention) -> list[Object]:
        """Offsets in code points, and the text with some of what is around it."""
        begin, end = mention.span
        found: list[Object] = [{"type": "TextPositionSelector", "start": begin, "end": end}]
        text = self.document.text
        if text is None and mention.surface is not None:
            found.append({"type": "TextQuoteSelector", "exact": mention.surface})
        elif text is not None and 0 <= begin <= end <= len(text):
            quote = {"type": "TextQuoteSelector", "exact": text[begin:end]}
            quote["prefix"] = text[max(begin - _AROUND, 0) : begin]
            quote["suffix"] = text[end : end + _AROUND]
            found.append(quote)
        return found


def _native(attributes: Attributes) -> Object:
    """The attributes that are facts about an annotation, which are taken out."""
    found = [key for key in KEPT if isinstance(attributes.get(key), str | dict)]
    name = attributes.get("id")
    if isinstance(name, str) and is_source(name) and not MADE_ID.fullmatch(name):
        found.append("id")
    return {key: attributes.pop(key) for key in found}


def _bodies(link: Link) -> Iterator[Object]:
    """The entity, the type and the categories."""
    entity = _body("identifying", link.entity)
    yield entity | ({} if link.score is None else {SCORE: link.score})
    if link.type is not None:
        yield _body("classifying", link.type)
    for pair in link.categories.pairs():
        source = FEL + FEL_CLASSES[pair]
        yield {"type": "SpecificResource", "purpose": "classifying", "source": source}


def _body(purpose: str, value: str | None) -> Object:
    """A resource where the value is its IRI, a text otherwise."""
    source = NIL if value is None else value
    if value is None or (is_source(value) and not value.startswith(FEL)):
        return {"type": "SpecificResource", "purpose": purpose, "source": source}
    return {"type": "TextualBody", "purpose": purpose, "value": value}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
