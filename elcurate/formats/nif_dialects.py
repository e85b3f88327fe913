"""The NIF dialects ``nif21`` and ``gerbil``, and what those have in common that keep less."""

from __future__ import annotations

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
from elcurate.formats.turtle import Turtle, is_iri, made_iri
from elcurate.kb.iri import parse
from elcurate.model.corpus import Document, Link, Mention


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


class PlainDialect(Dialect):
    """Without our own properties: what they would have carried is lost and reported."""

    reported = ("", "")

    def base(self, document: Document) -> str:
        """The document's IRI; another id than the document's is reported."""
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
        """The confidence, where there is one."""
        return [(n.CONFIDENCE, [] if link.score is None else [self.turtle.decimal(link.score)])]


class _Gerbil(PlainDialect):
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
        if not is_iri(iri) or n.NIL_IRI.search(iri):
            return self.entity(link, where)
        self.lose("entity-spelling", where, link.entity or "", f"written as {iri}")
        return iri
