"""The feature structures of a document, for the writers of CAS files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from elcurate.formats import carried
from elcurate.formats.base import Writing
from elcurate.formats.features import place
from elcurate.formats.fields import is_free, links_of
from elcurate.formats.offsets import UTF_16, counted
from elcurate.formats.uima_cas import Structure, renamed
from elcurate.formats.uima_types import (
    ENTITY,
    FACTS,
    META,
    OWN,
    OWN_TYPE,
    SENTENCE,
    TOKEN,
    Types,
    is_type_name,
)
from elcurate.model.categories import DIMENSIONS
from elcurate.model.change import Loss
from elcurate.model.corpus import Attributes, Document, Link, Mention, Span

Object = dict[str, Any]
Draft = tuple[str, Span, Attributes]


class CasWriter:
    """Makes the feature structures of a document.

    Args:
        writing: Takes the losses.
        types: Takes the features that the structures need.
        document: The document.
        text: Its text.
    """

    def __init__(self, writing: Writing, types: Types, document: Document, text: str) -> None:
        self.writing = writing
        self.types = types
        self.document = document
        self.text = text

    def structures(self) -> list[Structure]:
        """The document as a whole, its sentences, tokens and mentions."""
        made = list(self.drafts())
        spans = counted(self.text, [(span.begin, span.end) for _, span, _ in made], UTF_16)
        return [
            Structure(type_, begin, end, features)
            for (type_, _, features), (begin, end) in zip(made, spans, strict=True)
        ]

    def drafts(self) -> Iterator[Draft]:
        """Types, places in code points, and features."""
        document = self.document
        rest = carried.of_document(document)
        facts: Object = rest.pop("metadata", {})
        whole = Span(begin=0, end=len(self.text))
        title = {"documentTitle": document.id, "documentId": document.id}
        told = {name: facts.pop(name) for name in FACTS if _is_fact(name, facts, document.id)}
        yield META, whole, title | told
        own = {"metadata": facts, "tags": rest.get("tags")}
        if facts or own["tags"]:
            kept = {name: value for name, value in own.items() if value}
            yield OWN_TYPE, whole, {"rest": _json(kept)}
        for sentence in document.sentences:
            yield SENTENCE, sentence, {}
        for token in document.tokens:
            yield TOKEN, token, {}
        for number, mention in enumerate(document.mentions):
            yield from self.mention(number, mention)

    def mention(self, number: int, mention: Mention) -> Iterator[Draft]:
        """An annotation for each link of a mention, or for the mention itself."""
        rest = carried.of_mention(mention)
        attributes: Object = rest.pop("attributes", {})
        layer = ENTITY
        if attributes.get("layer") != ENTITY and is_type_name(attributes.get("layer")):
            layer = attributes.pop("layer")
        self.types.layer(layer)
        if not mention.links:
            said, hidden = self.bare(layer, attributes)
            rest |= {"attributes": hidden} if hidden else {}
            yield self.annotation(layer, mention, said, {"mention": rest} if rest else {})
        names = attributes.pop("features", None) if mention.links else None
        for rank, link in enumerate(mention.links):
            own: Object = {"of": number} if len(mention.links) > 1 else {}
            said, hidden = self.said(layer, mention, link)
            other = _renamed(said, names)
            if not rank:
                attributes |= {"features": names} if names is not None and other is None else {}
                rest |= {"attributes": attributes} if attributes else {}
                own |= {"mention": rest} if rest else {}
            own |= {"link": hidden} if hidden else {}
            yield self.annotation(layer, mention, other or said, own)

    def annotation(self, layer: str, mention: Mention, said: Attributes, own: Object) -> Draft:
        """One annotation."""
        for name in said:
            self.types.takes(layer, name, said[name])
        span = Span(begin=mention.begin, end=mention.end)
        return layer, span, {**said, **({OWN: _json(own)} if own else {})}

    def bare(self, layer: str, attributes: Attributes) -> tuple[Attributes, Attributes]:
        """The attributes of a mention without link that can be features, and the others."""
        said = {
            name: value
            for name, value in attributes.items()
            if not (layer == ENTITY and name in ("type", "value"))
            and self.types.takes(layer, name, value)
        }
        type_ = attributes.get("type")
        if layer == ENTITY and isinstance(type_, str) and "value" not in attributes:
            said["value"] = type_
        if links_of(said, _nobody):
            return {}, attributes
        shown = {*said, "type"} if layer == ENTITY and "value" in said else set(said)
        return said, {name: value for name, value in attributes.items() if name not in shown}

    def said(self, layer: str, mention: Mention, link: Link) -> tuple[Attributes, Attributes]:
        """What features say of a link, and the attributes that they can't."""
        said = {
            name: value
            for name, value in link.attributes.items()
            if is_free(name, value) and self.types.takes(layer, name, value)
        }
        hidden = {name: value for name, value in link.attributes.items() if name not in said}
        if link.type:
            said["value"] = link.type
        elif link.type is not None:
            self.lose("types", mention, "an empty type is none")
        if link.entity:
            said["identifier"] = link.entity
        else:
            said["nil"] = True
            if link.entity is not None:
                self.lose("entity", mention, "an empty identifier is none")
        if link.score is not None:
            said["score"] = link.score
        for dimension in DIMENSIONS:
            if leaves := link.categories.leaves(dimension):
                said[dimension] = "|".join(leaves)
        return said, hidden

    def lose(self, kind: str, mention: Mention, reason: str) -> None:
        """Reports a loss."""
        where = place(self.document, mention)
        self.writing.losses.append(Loss(kind=kind, where=where, reason=reason))


def _is_fact(name: str, facts: Attributes, id_: str) -> bool:
    """Whether a fact can be a feature of DocumentMetaData, where the title is no repetition."""
    value = facts.get(name)
    return isinstance(value, str) and not (name == "documentTitle" and value == id_)


def _renamed(said: Attributes, names: Any) -> Attributes | None:
    """The features under the names that a layer has for them; None where they read otherwise."""
    if not isinstance(names, dict) or not all(isinstance(name, str) for name in names.values()):
        return None
    other = {names.get(name, name): value for name, value in said.items()}
    same = links_of(other, _nobody) == links_of(said, _nobody)
    return other if same and renamed(other) == {"features": names} else None


def _nobody(name: str, value: str) -> None:
    """Reports to nobody."""


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
