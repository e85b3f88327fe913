"""The default NIF dialect: lossless, deterministic, valid in every RDF parser."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from typing import BinaryIO
from urllib.parse import quote

from elcurate.formats import nif_terms as n
from elcurate.formats.base import Writing
from elcurate.formats.nif_links import HANDLED, is_category
from elcurate.formats.turtle import Turtle, is_iri, is_term, made_iri, string
from elcurate.model.categories import FEL, FEL_CLASSES
from elcurate.model.change import Loss
from elcurate.model.corpus import Attributes, Document, Link, Mention, Span, is_nil

Properties = list[tuple[str, list[str]]]

_NAMED = re.compile(r"[A-Za-z_][\w.-]*$", re.ASCII)

PREFIXES = {
    name: n.WELL_KNOWN[name] for name in ("rdf", "xsd", "nif", "itsrdf", "fel", "elc", "dbo")
}


def write(writing: Writing, out: BinaryIO, ordered: bool = False) -> None:
    """Writes a corpus in the default dialect.

    Args:
        writing: The corpus.
        out: Where bytes go.
        ordered: States the order of the documents, for syntaxes that lose it.
    """
    turtle = Turtle(out, PREFIXES)
    write_corpus_node(turtle, writing)
    for number, document in enumerate(writing.documents):
        DefaultDialect(turtle, writing, number if ordered else None).document(document)


def write_corpus_node(turtle: Turtle, writing: Writing) -> None:
    """States what is known of the corpus; it also tells an empty corpus from no NIF at all."""
    turtle.node(n.ELC_CORPUS, [(n.ELC_ATTRIBUTES, [string(_json(writing.metadata))])])


class Dialect:
    """What the dialects share.

    Args:
        turtle: Where nodes go.
        writing: Where losses go.
        number: The document's place in the corpus, where it is to be stated.
    """

    separator = "#char={},{}"
    phrase: tuple[str, ...] = ("Phrase", "String", "RFC5147String")
    context: tuple[str, ...] = ("Context", "String", "RFC5147String")

    def __init__(self, turtle: Turtle, writing: Writing, number: int | None = None) -> None:
        self.turtle = turtle
        self.writing = writing
        self.number = number

    def document(self, document: Document) -> None:
        """Writes a document: its context, its sentences, its mentions."""
        raise NotImplementedError

    def base(self, document: Document) -> str:
        """The document's IRI without fragment."""
        fits = is_iri(document.id) and "#" not in document.id
        return document.id if fits else made_iri(document.id)

    def whole(self, document: Document) -> str:
        """The IRI of the document's context."""
        return self.base(document) + self.separator.format(0, self.length(document))

    def length(self, document: Document) -> int:
        """The end of the context: of the text, or of the last mention."""
        if document.text is not None:
            return len(document.text)
        return max([0, *(mention.end for mention in document.mentions)])

    def types(self, names: Iterable[str]) -> tuple[str, list[str]]:
        """The rdf:type property."""
        return n.TYPE, [f"nif:{name}" for name in names]

    def offsets(self, begin: int, end: int) -> Properties:
        """Begin and end."""
        return [(n.BEGIN, [self.turtle.integer(begin)]), (n.END, [self.turtle.integer(end)])]

    def anchor(self, document: Document, mention: Mention) -> Properties:
        """The surface, where one is known."""
        surface = mention.surface if mention.surface is not None else document.surface(mention)
        return [] if surface is None else [(n.ANCHOR, [string(surface)])]

    def text(self, document: Document) -> Properties:
        """The text, where there is one."""
        return [] if document.text is None else [(n.IS_STRING, [string(document.text)])]

    def lose(self, kind: str, where: str, what: str, reason: str) -> None:
        """Reports something that this dialect can't say."""
        self.writing.losses.append(Loss(kind=kind, where=where, what=what, reason=reason))


class DefaultDialect(Dialect):
    """One node per link, categories as ``fel:`` classes, what NIF has no name for as ``elc:``."""

    def document(self, document: Document) -> None:
        """Writes a document: its context, its sentences, its mentions."""
        whole = self.whole(document)
        self.turtle.node(whole, self._context(document))
        for part in document.sentences:
            text = [] if document.text is None else [string(document.text[part.begin : part.end])]
            self.turtle.node(
                f"{self.base(document)}#sentence={part.begin},{part.end}",
                [
                    self.types(("Sentence", "String")),
                    (n.REFERENCE_CONTEXT, [f"<{whole}>"]),
                    *self.offsets(part.begin, part.end),
                    (n.ANCHOR, text),
                ],
            )
        self._mentions(document, whole)

    def _context(self, document: Document) -> Properties:
        stated = [] if self.base(document) == document.id else [string(document.id)]
        return [
            self.types(self.context),
            *self.text(document),
            *self.offsets(0, self.length(document)),
            (n.ELC_DOCUMENT, stated),
            (n.ELC_RANK, [] if self.number is None else [str(self.number)]),
            (n.ELC_WITHOUT_TEXT, ["true"] if document.text is None else []),
            (n.TOPIC, [self._tag(place, document) for place in range(len(document.tags))]),
            (n.ELC_TOKENS, _spans(document.tokens)),
            (n.ELC_ATTRIBUTES, _attributes(document.metadata)),
        ]

    def _tag(self, place: int, document: Document) -> str:
        tag = document.tags[place]
        return self.turtle.blank(
            [
                *self._entity(tag.entity),
                (n.CONFIDENCE, [] if tag.score is None else [self.turtle.decimal(tag.score)]),
                (n.ELC_RANK, [str(place)]),
                (n.ELC_ATTRIBUTES, _attributes(tag.attributes)),
            ]
        )

    def _mentions(self, document: Document, whole: str) -> None:
        spans = Counter(mention.span for mention in document.mentions)
        used = Counter({(0, self.length(document)): 1})
        seen: Counter[tuple[int, int]] = Counter()
        for mention in document.mentions:
            seen[mention.span] += 1
            number = seen[mention.span] if spans[mention.span] > 1 else None
            for rank, properties in enumerate(self._nodes(mention)):
                suffix = f";{used[mention.span]}" if used[mention.span] else ""
                used[mention.span] += 1
                name = self.base(document) + self.separator.format(*mention.span) + suffix
                self.turtle.node(
                    name,
                    [
                        self.types(self.phrase),
                        (n.REFERENCE_CONTEXT, [f"<{whole}>"]),
                        *self.offsets(*mention.span),
                        *self.anchor(document, mention),
                        (n.ELC_MENTION, [] if number is None else [f'"{number}"']),
                        (n.ELC_FRAGMENTS, _spans(mention.fragments)),
                        (n.ELC_MENTION_ATTRIBUTES, [] if rank else _attributes(mention.attributes)),
                        *properties,
                    ],
                )

    def _nodes(self, mention: Mention) -> list[Properties]:
        """What the nodes of a mention say of its links: one node per link, or one without."""
        ranked = len(mention.links) > 1
        return [
            [(n.ELC_RANK, [str(rank)] if ranked else []), *self._link(link)]
            for rank, link in enumerate(mention.links)
        ] or [[]]

    def _link(self, link: Link) -> Properties:
        native, other = split_attributes(link.attributes)
        classes = [self.turtle.iri(FEL + FEL_CLASSES[pair]) for pair in link.categories.pairs()]
        surplus = native.pop(n.CLASS, [])
        typed = link.type is not None and is_iri(link.type) and not is_category(link.type)
        plain = [] if link.type is None or (typed and not surplus) else [string(link.type)]
        return [
            (n.CLASS, [*classes, *([f"<{link.type}>"] if typed else []), *surplus]),
            (n.ELC_TYPE, plain),
            *self._entity(link.entity),
            (n.CONFIDENCE, [] if link.score is None else [self.turtle.decimal(link.score)]),
            *native.items(),
            (n.ELC_ATTRIBUTES, _attributes(other)),
        ]

    def _entity(self, entity: str | None) -> Properties:
        if entity is None:
            return [(n.IDENT, [f"<{n.NOT_IN_WIKI}>"])]
        if is_nil(entity):
            iri = n.NOT_IN_WIKI + quote(entity, safe="")
        elif is_iri(entity) and not n.NIL_IRI.search(entity):
            return [(n.IDENT, [f"<{entity}>"])]
        else:
            iri = made_iri(entity)
        return [(n.IDENT, [f"<{iri}>"]), (n.ELC_ENTITY, [string(entity)])]


def split_attributes(attributes: Attributes) -> tuple[dict[str, list[str]], Attributes]:
    """The attributes that are statements of a NIF file already, and the others."""
    native: dict[str, list[str]] = {}
    other: Attributes = {}
    for key, value in attributes.items():
        named = is_iri(key) and _NAMED.search(key) and (key == n.CLASS or key not in HANDLED)
        if named and isinstance(value, list) and len(value) == 1 and is_term(value[0]):
            native[key] = [str(value[0])]
        else:
            other[key] = value
    return native, other


def _attributes(attributes: Attributes) -> list[str]:
    return [string(_json(attributes))] if attributes else []


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _spans(spans: Iterable[Span]) -> list[str]:
    found = [{"begin": part.begin, "end": part.end} for part in spans]
    return [string(_json(found))] if found else []
