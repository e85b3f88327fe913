"""The NIF dialect ``nifify``: that of the published fine-grained corpora."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import BinaryIO
from urllib.parse import quote

from elcurate.formats import nif_terms as n
from elcurate.formats.base import Writing
from elcurate.formats.features import place
from elcurate.formats.nif_dialects import PlainDialect
from elcurate.formats.nif_links import is_category
from elcurate.formats.nif_write import (
    Properties,
)
from elcurate.formats.turtle import Turtle, is_iri, string
from elcurate.model.categories import PUBLISHED_TAGS
from elcurate.model.corpus import Document, Link, Mention, Span


def write_nifify(writing: Writing, out: BinaryIO) -> None:
    """The dialect of the published fine-grained corpora, with its prefixes declared."""
    prefixes = {name: n.WELL_KNOWN[name] for name in ("rdf", "xsd", "nif", "itsrdf", "el", "mnt")}
    turtle = Turtle(out, prefixes)
    types = _Types()
    for document in writing.documents:
        _Nifify(turtle, writing, types).document(document)


@dataclass
class _Types:
    """The type stated of each entity, and where one occurred before it had a type."""

    stated: dict[str, str] = field(default_factory=dict)
    untyped: dict[str, list[str]] = field(default_factory=dict)


class _Nifify(PlainDialect):
    def __init__(self, turtle: Turtle, writing: Writing, types: _Types) -> None:
        super().__init__(turtle, writing)
        self.known = types

    def document(self, document: Document) -> None:
        base = self.base(document)
        whole = base + self.separator.format(0, self.length(document))
        source = document.metadata.get("source_url")
        self.turtle.node(
            whole,
            [
                self.types(self.context),
                *self.text(document),
                *self.offsets(0, self.length(document)),
                (
                    n.SOURCE_URL,
                    [f"<{source}>"] if isinstance(source, str) and is_iri(source) else [],
                ),
            ],
        )
        used = Counter({whole: 1})
        rest = list(document.mentions)
        for place_, part in enumerate(document.sentences):
            name = f"{base}_sentence{place_}"
            context = f"{name}#{part.begin},{part.end}"
            text = [] if document.text is None else [string(document.text[part.begin : part.end])]
            self.turtle.node(
                context,
                [
                    self.types(self.context),
                    (n.IS_STRING, text),
                    *self.offsets(part.begin, part.end),
                    (n.BROADER_CONTEXT, [f"<{whole}>"]),
                ],
            )
            inside = [mention for mention in rest if _within(mention, part)]
            rest = [mention for mention in rest if not _within(mention, part)]
            for mention in inside:
                self._mention(document, mention, name, (context, whole), part.begin, used)
        for mention in rest:
            self._mention(document, mention, base, (whole, whole), 0, used)

    def _mention(
        self,
        document: Document,
        mention: Mention,
        name: str,
        contexts: tuple[str, str],
        shift: int,
        used: Counter[str],
    ) -> None:
        begin, end = mention.begin - shift, mention.end - shift
        links: list[Link | None] = [*mention.links] or [None]
        for link in links:
            node = name + self.separator.format(begin, end)
            used[node] += 1
            suffix = f";{used[node] - 1}" if used[node] > 1 else ""
            properties = [
                self.types(("String", "Context", "Phrase", "RFC5147String")),
                (n.REFERENCE_CONTEXT, [f"<{contexts[0]}>"]),
                (n.DOCUMENT_CONTEXT, [f"<{contexts[1]}>"]),
                *self.anchor(document, mention),
                *self.offsets(begin, end),
            ]
            where = place(document, mention)
            self.turtle.node(
                node + suffix, properties + ([] if link is None else self._link(link, where))
            )
            if link is not None and not link.is_nil:
                self._state_type(link, where)

    def _link(self, link: Link, where: str) -> Properties:
        tags = [self.turtle.iri(n.EL + PUBLISHED_TAGS[pair]) for pair in link.categories.pairs()]
        if link.is_nil:
            blank = (
                [self.turtle.blank([(n.ENTITY_TYPE, [self._type(link.type)])])] if link.type else []
            )
            entities = [*blank, f"<{n.PUBLISHED_NIL}>"]
        else:
            entities = [f"<{self.entity(link, where)}>"]
        return [(n.CLASS, tags), (n.IDENT, entities), *self.score(link)]

    def _type(self, name: str) -> str:
        as_is = is_iri(name) and not is_category(name) and not name.startswith(n.MNT)
        return self.turtle.iri(name) if as_is else f"<{n.MNT}{quote(name, safe='')}>"

    def _state_type(self, link: Link, where: str) -> None:
        """Types are stated once per entity."""
        iri = self.entity(link, where)
        known = self.known.stated.get(iri)
        if link.type is None:
            if known is None:
                self.known.untyped.setdefault(iri, []).append(where)
            else:
                self.lose("types", where, "no type", f"the entity's type is {known}")
        elif known is None:
            self.known.stated[iri] = link.type
            for place_ in self.known.untyped.pop(iri, []):
                self.lose("types", place_, "no type", f"the entity's type is {link.type}")
            self.turtle.node(iri, [(n.ENTITY_TYPE, [self._type(link.type)])])
        elif known != link.type:
            self.lose("types", where, link.type, f"the entity's type is {known}")


def _within(mention: Mention, part: Span) -> bool:
    return part.begin <= mention.begin and mention.end <= part.end
