"""Rules that compare the places of a corpus with each other."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from elcurate.kb.iri import parse
from elcurate.rules.base import Problem, rule
from elcurate.rules.index import Index, Place

MAJORITY = 0.8
"""The share of links that one Wikipedia needs to be the language of a corpus."""


@rule(
    "L202",
    "another-language",
    "warning",
    example="`https://de.wikipedia.org/wiki/Berlin` among pages of the English Wikipedia",
    source="corpora made with language links",
)
def another_language(index: Index) -> Iterator[Problem]:
    """The page is in the Wikipedia or DBpedia of another language than four fifths of the links."""
    languages = {entity: parse(entity).language for entity in index.by_entity}
    counts: Counter[str] = Counter()
    for entity, places in index.by_entity.items():
        language = languages[entity]
        if language is not None:
            counts[language] += len(places)
    most = counts.most_common(1)
    if not most or most[0][1] < MAJORITY * counts.total():
        return
    for entity, places in index.by_entity.items():
        language = languages[entity]
        if language not in (None, most[0][0]):
            for place in places:
                message = f"a page in {language}, where the corpus links to {most[0][0]}"
                yield _at(place, message, place.value.entity or "")


@rule(
    "L301",
    "linked-differently",
    "info",
    example="`Georgia` linked to the state twice and once to the country, in one document",
    source="one sense per discourse: Gale, Church and Yarowsky, 1992",
)
def linked_differently(index: Index) -> Iterator[Problem]:
    """A name is linked to another entity than elsewhere in its document.

    The finding names the entity of the majority and a place where it stands. Left alone are
    names without a majority, alternatives that share an entity, and entities that a longer form
    of the name introduces in the document.
    """
    for surface, places in index.by_surface.items():
        if len(places) < 3 or not surface[0].isupper():
            continue
        for group in _by_document(places).values():
            names = [place for place in group if place.may_be_name]
            counts = Counter(place.entity or "NIL" for place in names)
            entity, most = next(iter(counts.most_common(1)), ("", 0))
            if most < 2 or most <= len({place.key for place in names}) / 2:
                continue
            usual = {place.key for place in names if (place.entity or "NIL") == entity}
            first = next(place for place in names if place.key in usual)
            for place in names:
                if place.key not in usual and not _introduced(index, place):
                    message = f"{most} times {entity} in this document, as at {index.where(first)}"
                    yield _at(place, message, place.value.entity or "NIL")


@rule(
    "L302",
    "types-differ",
    "warning",
    example="Berlin as a Place in one link and an Organisation in another",
    source="types are stated once per entity",
)
def types_differ(index: Index) -> Iterator[Problem]:
    """The type isn't the one that most links to this entity state."""
    for entity, places in index.by_entity.items():
        counts = Counter(place.value.type for place in places if place.value.type is not None)
        if len(counts) < 2:
            continue
        usual, most = counts.most_common(1)[0]
        for place in places:
            if place.value.type not in (None, usual):
                message = f"{entity} is of type {usual} in {most} of {counts.total()} links"
                yield _at(place, message, place.value.type or "")


@rule(
    "L303",
    "two-identifiers",
    "info",
    example="Berlin by its Wikipedia page here and by its DBpedia resource there",
    source="corpora that were joined",
)
def two_identifiers(index: Index) -> Iterator[Problem]:
    """An entity stands under its Wikipedia page and under its DBpedia resource.

    Without a snapshot they count as two entities.
    """
    pages: defaultdict[tuple[str | None, str], dict[str, list[Place]]] = defaultdict(dict)
    for entity, places in index.by_entity.items():
        found = parse(entity)
        if found.kind in ("wikipedia", "dbpedia") and found.problem is None:
            pages[found.language, found.title][entity] = places
    for forms in pages.values():
        kinds = {entity.partition("wikipedia.org")[1] for entity in forms}
        if len(kinds) < 2:
            continue
        usual = max(forms, key=lambda entity: len(forms[entity]))
        for entity, places in forms.items():
            if entity != usual:
                for place in places:
                    yield _at(place, f"elsewhere {usual}", place.value.entity or "")


@rule(
    "C301",
    "base-form-differs",
    "info",
    example="`EU` for the European Union: a short name nine times and an alias once",
    source="the base form depends on surface and entity alone",
)
def base_form_differs(index: Index) -> Iterator[Problem]:
    """The base form isn't the one that most links of this surface to this entity have."""
    for surface, places in index.by_surface.items():
        if len(places) < 3:
            continue
        groups: defaultdict[str, list[Place]] = defaultdict(list)
        for place in places:
            if place.entity is not None and len(place.value.categories.base_form) == 1:
                groups[place.entity].append(place)
        for group in groups.values():
            counts = Counter(place.value.categories.base_form[0] for place in group)
            usual, most = counts.most_common(1)[0]
            if len(counts) < 2 or most < 2 or 2 * most <= counts.total():
                continue
            for place in group:
                form = place.value.categories.base_form[0]
                if form != usual:
                    message = f"{surface!r} is {usual} in {most} of {counts.total()} links"
                    yield _at(place, message, form)


def _at(place: Place, message: str, found: str) -> Problem:
    return Problem(message, found, (), place.mention, place.link, None, place.document)


def _by_document(places: Iterable[Place]) -> dict[int, list[Place]]:
    groups: defaultdict[int, list[Place]] = defaultdict(list)
    for place in places:
        groups[place.document].append(place)
    return groups


def _introduced(index: Index, place: Place) -> bool:
    """Whether a longer form of the name stands for the entity in the document."""
    return any(
        other.document == place.document
        and place.surface in other.surface
        and place.surface != other.surface
        for other in index.by_entity.get(place.entity or "", ())
    )
