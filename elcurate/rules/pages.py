"""Rules that ask a snapshot of the knowledge base."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from elcurate.kb.iri import parse
from elcurate.kb.resolution import Outcome, Resolution
from elcurate.kb.snapshot import Snapshot
from elcurate.rules.base import Problem, rule
from elcurate.rules.index import Index, Place


@dataclass
class Resolved:
    """The links of a corpus with what a snapshot says of their entities.

    Attributes:
        index: The links.
        snapshot: The snapshot.
    """

    index: Index
    snapshot: Snapshot

    @cached_property
    def entities(self) -> dict[str, Resolution]:
        """Where each canonical entity leads."""
        names = list(self.index.by_entity)
        return dict(zip(names, self.snapshot.resolve_all(names), strict=True))

    def of(self, *outcomes: Outcome) -> Iterator[tuple[Place, Resolution]]:
        """The links whose entities have one of these outcomes."""
        for entity, found in self.entities.items():
            if found.outcome in outcomes:
                for place in self.index.by_entity[entity]:
                    yield place, found


@rule(
    "K201",
    "redirect",
    "warning",
    fix="safe",
    example="`Big_Apple`, which leads to New York City",
    source="redirects that were made after the corpus",
)
def redirect(resolved: Resolved) -> Iterator[Problem]:
    """The page redirects to an article; tools that don't follow redirects count it as another."""
    for place, found in resolved.of("redirect"):
        yield _to_target(place, found, "redirects to")


@rule(
    "K202",
    "section-redirect",
    "warning",
    example="`Harlem_(section)`, which leads to a section of New York City",
    source="entities without an article of their own",
)
def section_redirect(resolved: Resolved) -> Iterator[Problem]:
    """The page redirects to a section: the article is about something else.

    There is no fix; NIL may be right, or the article.
    """
    for place, found in resolved.of("section-redirect"):
        yield _problem(place, f"redirects to the section {found.section} of {found.target}")


@rule(
    "K203",
    "double-redirect",
    "warning",
    fix="safe",
    example="`The_Big_Apple` → `Big_Apple` → `New_York_City`",
    source="MediaWiki follows one redirect only",
)
def double_redirect(resolved: Resolved) -> Iterator[Problem]:
    """The page redirects to a redirect. The fix leads to the article, unless to its section."""
    for place, found in resolved.of("double-redirect"):
        yield _to_target(place, found, "redirects twice, to")


@rule(
    "K204",
    "broken-redirect",
    "warning",
    example="`Loop_A` → `Loop_B` → `Loop_A`",
    source="redirects in a circle or to another wiki",
)
def broken_redirect(resolved: Resolved) -> Iterator[Problem]:
    """The page redirects in a circle, or to a page of another wiki."""
    for place, found in resolved.of("loop", "interwiki"):
        what = "redirects in a circle" if found.outcome == "loop" else "redirects to another wiki"
        yield _problem(place, f"{what}: {' → '.join(found.path) or found.target}")


@rule(
    "K205",
    "disambiguation-page",
    "warning",
    example="`Mercury`, which lists planet, element and god",
    source="a gold standard names one entity",
)
def disambiguation(resolved: Resolved) -> Iterator[Problem]:
    """The page lists what a name may mean, so the link says nothing."""
    for place, found in resolved.of("disambiguation"):
        target = f", by a redirect to {found.target}" if found.target else ""
        yield _problem(place, f"a disambiguation page{target}")


@rule(
    "K206",
    "missing-page",
    "warning",
    example="a page that was deleted",
    source="the knowledge base has changed since the corpus was made",
)
def missing(resolved: Resolved) -> Iterator[Problem]:
    """The snapshot has no such page, or only a redirect to nowhere."""
    for place, found in resolved.of("missing"):
        target = f": a redirect to {found.target}" if found.target else ""
        yield _problem(place, f"no such page in {resolved.snapshot.info.wiki}{target}")


@rule(
    "K207",
    "not-an-article",
    "warning",
    example="`Manual`, which leads to a page of the namespace Wikipedia",
    source="Wikipedia: only the main namespace has articles",
)
def not_an_article(resolved: Resolved) -> Iterator[Problem]:
    """The page redirects to one that is no article.

    Pages whose own title has a namespace are found by `wrong-namespace`.
    """
    for place, found in resolved.of("wrong-namespace"):
        if parse(place.value.entity or "").namespace is None:
            yield _problem(place, f"redirects to {found.target}")


@rule(
    "K301",
    "nil-exists",
    "info",
    example="NIL for a person who has an article by now",
    source="the knowledge base has grown since the corpus was made",
)
def nil_exists(resolved: Resolved) -> Iterator[Problem]:
    """NIL for a name that is the title of an article, or a redirect to one.

    The article may be about another of that name.
    """
    places: defaultdict[str, list[Place]] = defaultdict(list)
    for place in resolved.index.places:
        if place.entity is None and place.surface[:1].isupper() and place.may_be_name:
            places[place.surface].append(place)
    titles = [f"{_root(resolved)}{surface.replace('?', '%3F')}" for surface in places]
    found = resolved.snapshot.resolve_all(titles)
    for group, one in zip(places.values(), found, strict=True):
        if one.outcome in ("ok", "redirect", "double-redirect"):
            for place in group:
                yield _problem(place, f"there is {one.entity}")


@rule(
    "K302",
    "same-entity",
    "info",
    example="New York City by its page here and by its Wikidata item there",
    source="corpora that were joined",
)
def same_entity(resolved: Resolved) -> Iterator[Problem]:
    """An entity stands under identifiers of two knowledge bases.

    Wikipedia pages against DBpedia resources are found by `two-identifiers`.
    """
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for entity, found in resolved.entities.items():
        if found.page is not None:
            groups[found.page].append(entity)
    by_entity = resolved.index.by_entity
    for entities in groups.values():
        kinds = {entity: parse(entity).kind == "wikidata" for entity in entities}
        if len(set(kinds.values())) < 2:
            continue
        usual = max(entities, key=lambda entity: len(by_entity[entity]))
        for entity in entities:
            if kinds[entity] != kinds[usual]:
                for place in by_entity[entity]:
                    yield _problem(place, f"elsewhere {usual}")


def _root(resolved: Resolved) -> str:
    return f"https://{resolved.snapshot.info.language}.wikipedia.org/wiki/"


def _to_target(place: Place, found: Resolution, what: str) -> Problem:
    target = found.entity
    if place.entity is not None and parse(place.entity).kind == "dbpedia":
        target = None if found.section else found.dbpedia
    edits = (("entity", target),) if target and not found.section_of_redirect else ()
    return _problem(place, f"{what} {found.target}", edits)


def _problem(place: Place, message: str, edits: Iterable[tuple[str, str]] = ()) -> Problem:
    found = place.value.entity or "NIL"
    return Problem(message, found, tuple(edits), place.mention, place.link, None, place.document)
