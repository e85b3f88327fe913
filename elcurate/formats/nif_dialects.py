"""The other NIF dialects: ``nif21``, ``gerbil`` and ``nifify``, which keep less."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import BinaryIO
from urllib.parse import quote

from elcurate.formats import nif_terms as n
from elcurate.formats.base import Writing
from elcurate.formats.features import place
from elcurate.formats.nif_links import is_category
from elcurate.formats.nif_write import (
    PREFIXES,
    DefaultDialect,
    Dialect,
    Properties,
    write_corpus_node,
)
from elcurate.formats.turtle import Turtle, is_iri, made_iri, string
from elcurate.kb.iri import parse
from elcurate.model.categories import PUBLISHED_TAGS
from elcurate.model.corpus import Document, Link, Mention, Span


def write_nif21(writing: Writing, out: BinaryIO) -> None:
    """NIF 2.1: ``#offset_b_e``, and an annotation unit for each alternative."""
    turtle = Turtle(out, PREFIXES)
    write_corpus_node(turtle, writing)
    for document in writing.documents:
        _Nif21(turtle, writing).document(document)


def write_gerbil(writing: Writing, out: BinaryIO) -> None:
    """What GERBIL reads: one node per span, DBpedia or Wikidata IRIs, no sentence contexts."""
    turtle = Turtle(out, {name: PREFIXES[name] for name in ("xsd", "nif", "itsrdf")})
    for document in writing.documents:
        _Gerbil(turtle, writing).document(document)


def write_nifify(writing: Writing, out: BinaryIO) -> None:
    """The dialect of the published fine-grained corpora, with its prefixes declared."""
    prefixes = {name: n.WELL_KNOWN[name] for name in ("rdf", "xsd", "nif", "itsrdf", "el", "mnt")}
    turtle = Turtle(out, prefixes)
    types = _Types()
    for document in writing.documents:
        _Nifify(turtle, writing, types).document(document)


class _Nif21(DefaultDialect):
    separator = "#offset_{}_{}"
    phrase = ("Phrase", "OffsetBasedString")
    context = ("Context", "OffsetBasedString")

    def _nodes(self, mention: Mention) -> list[Properties]:
        units = [self.turtle.blank([self._unit, *node]) for node in super()._nodes(mention) if node]
        return [[(n.ANNOTATION_UNIT, units)]]

    @property
    def _unit(self) -> tuple[str, list[str]]:
        return self.types(("AnnotationUnit",))


class _Plain(Dialect):
    """Without our own properties: what they would have carried is lost and reported."""

    reported = ("", "")

    def base(self, document: Document) -> str:
        base = super().base(document)
        if base != document.id:
            self.lose("document-id", document.id, document.id, f"written as {base}")
        return base

    def entity(self, link: Link, where: str) -> str:
        """The IRI of an entity; a string that is none is percent-encoded and reported."""
        entity = link.entity or ""
        if is_iri(entity) and not n.NIL_IRI.search(entity):
            return entity
        iri = made_iri(entity)
        if self.reported != (where, entity):
            self.lose("entity-spelling", where, entity, f"written as {iri}")
            self.reported = where, entity
        return iri

    def score(self, link: Link) -> Properties:
        return [(n.CONFIDENCE, [] if link.score is None else [self.turtle.decimal(link.score)])]


class _Gerbil(_Plain):
    def document(self, document: Document) -> None:
        base = self.base(document)
        whole = base + self.separator.format(0, self.length(document))
        self.turtle.node(
            whole,
            [
                self.types(self.context),
                *self.text(document),
                *self.offsets(0, self.length(document)),
            ],
        )
        spans: dict[tuple[int, int], list[Mention]] = {}
        for mention in document.mentions:
            spans.setdefault(mention.span, []).append(mention)
        for mentions in spans.values():
            links = tuple(link for mention in mentions for link in mention.links)
            one = mentions[0].model_copy(update={"links": links})
            name = base + self.separator.format(*one.span)
            self.turtle.node(
                f"{name};1" if name == whole else name,
                [
                    self.types(self.phrase),
                    (n.REFERENCE_CONTEXT, [f"<{whole}>"]),
                    *self.offsets(*one.span),
                    *self.anchor(document, one),
                    *self._links(document, one),
                ],
            )

    def _links(self, document: Document, mention: Mention) -> Properties:
        """All entities of a span; a type and a score only where there is one link."""
        where, links = place(document, mention), mention.links
        iris = [self._iri(document, mention, link) for link in links]
        in_order = sorted(dict.fromkeys(iris), key=lambda iri: iri.startswith(n.NOT_IN_WIKI))
        if in_order != iris:
            self.lose("several-links", where, " ".join(iris), "equal ones once, NIL last")
        single = len(links) == 1
        types = []
        for type_ in sorted({link.type for link in links if link.type}):
            if single and is_iri(type_) and not is_category(type_):
                types.append(f"<{type_}>")
            else:
                reason = "one node holds all links of a span" if not single else "no IRI"
                self.lose("types", where, type_, reason)
        if not single and any(link.score is not None for link in links):
            self.lose("scores", where, "scores", "one node holds all links of a span")
        scores = self.score(links[0]) if single else []
        return [(n.CLASS, types), (n.IDENT, [f"<{iri}>" for iri in in_order]), *scores]

    def _iri(self, document: Document, mention: Mention, link: Link) -> str:
        where = place(document, mention)
        if link.is_nil:
            surface = document.surface(mention) or ""
            return n.NOT_IN_WIKI + quote(surface or "", safe="")
        found = parse(link.entity or "")
        if found.kind != "wikipedia" or found.problem is not None or not found.title:
            return self.entity(link, where)
        host = "" if found.language in (None, "en") else f"{found.language}."
        title = found.canonical.rpartition("/wiki/")[2].partition("#")[0]
        iri = f"http://{host}dbpedia.org/resource/{title}"
        if not is_iri(iri):
            return self.entity(link, where)
        self.lose("entity-spelling", where, link.entity or "", f"written as {iri}")
        return iri


@dataclass
class _Types:
    """The type stated of each entity, and where one occurred before it had a type."""

    stated: dict[str, str] = field(default_factory=dict)
    untyped: dict[str, list[str]] = field(default_factory=dict)


class _Nifify(_Plain):
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
