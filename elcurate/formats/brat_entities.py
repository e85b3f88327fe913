"""Entities as brat's normalisations ``DATABASE:ID``, and back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from urllib.parse import quote, unquote

from elcurate.formats.brat_terms import NAME, NIL, has_break
from elcurate.kb.iri import parse
from elcurate.kb.pages import wikidata_iri, wikipedia_iri
from elcurate.model.corpus import is_nil

ENTITY = "Entity"
"""The database of identifiers that are of no other."""

BASES: Mapping[str, str] = {
    "Wikipedia": "https://en.wikipedia.org/wiki/%s",
    "Wikidata": "http://www.wikidata.org/entity/%s",
    "DBpedia": "http://dbpedia.org/resource/%s",
}
"""Where the identifiers of the databases lead."""

_RANKS = ("Wikipedia", "Wikidata", "DBpedia")
_WIKIPEDIA = re.compile(r"https://([a-z][a-z0-9-]*)\.wikipedia\.org/wiki/(.+)")
_LANGUAGE = re.compile(r"Wikipedia-([a-z][a-z0-9-]*)")
_ITEM = re.compile(r"[QPL][1-9][0-9]*")
_OTHER = re.compile(r"([A-Za-z][A-Za-z0-9_-]*):(?!//)(\S+)")
_UNSAFE = re.compile(r"[%\s]")


def base_of(database: str) -> str | None:
    """Where the identifiers of a database lead, with ``%s`` for the identifier."""
    language = _LANGUAGE.fullmatch(database)
    if language is not None:
        return f"https://{language[1]}.wikipedia.org/wiki/%s"
    return BASES.get(database)


def rank(database: str) -> int:
    """Which of several databases names the entity: the lowest."""
    name = "Wikipedia" if _LANGUAGE.fullmatch(database) else database
    if name in _RANKS:
        return _RANKS.index(name)
    return len(_RANKS) + (name == NIL)


def entity_of(database: str, identifier: str, declared: Mapping[str, str]) -> str:
    """The entity of a normalisation.

    Args:
        database: The name of the database.
        identifier: What it is in there, without blanks.
        declared: Where the databases lead, as far as the collection says so.
    """
    if database == ENTITY:
        return _unescaped(identifier)
    if database == NIL:
        name = _unescaped(identifier)
        return name if is_nil(name) else f"NIL:{name}"
    base = declared.get(database) or base_of(database)
    kind, language = ("other", None) if base is None else _site(base)
    if kind == "wikidata" and _ITEM.fullmatch(identifier):
        return wikidata_iri(identifier)
    if base is not None and kind in ("wikipedia", "dbpedia"):
        if kind == "wikipedia" and base.endswith("/wiki/%s"):
            return wikipedia_iri(identifier, language or "en")
        return base.replace("%s", identifier)
    return f"{database}:{identifier}"


@lru_cache(maxsize=64)
def _site(base: str) -> tuple[str, str | None]:
    """The kind of the site that a database leads to, and its language."""
    found = parse(base.replace("%s", "Q1"))
    return found.kind, found.language


def normalisation_of(entity: str) -> tuple[str, str]:
    """The database and the identifier that `entity_of` makes an entity of."""
    if is_nil(entity):
        return NIL, _escaped(entity)
    for database, identifier in _candidates(entity):
        if not re.search(r"\s", identifier) and entity_of(database, identifier, {}) == entity:
            return database, identifier
    return ENTITY, _escaped(entity)


def name_of(database: str, identifier: str) -> str:
    """What an identifier is labelled if nothing else is known."""
    if database in (ENTITY, NIL):
        name = _unescaped(identifier)
        return identifier if "\t" in name or has_break(name) else name
    paged = base_of(database) is not None and database != "Wikidata"
    return identifier.replace("_", " ") if paged else identifier


def page_number(database: str, identifier: str, label: str, declared: Mapping[str, str]) -> bool:
    """Whether an identifier in Wikipedia is the number of a page, as a different label says."""
    return (
        database == "Wikipedia"
        and database not in declared
        and re.fullmatch("[0-9]+", identifier) is not None
        and label.replace(" ", "_") not in ("", identifier)
    )


def page_iri(number: str) -> str:
    """The IRI of the page of that number in the English Wikipedia."""
    return f"https://en.wikipedia.org/?curid={number}"


def _candidates(entity: str) -> Iterator[tuple[str, str]]:
    page = _WIKIPEDIA.fullmatch(entity)
    if page is not None:
        database = "Wikipedia" if page[1] == "en" else f"Wikipedia-{page[1]}"
        yield database, unquote(page[2])
        yield database, page[2]
    for database in ("Wikidata", "DBpedia"):
        prefix = BASES[database].removesuffix("%s")
        if entity.startswith(prefix) and len(entity) > len(prefix):
            yield database, entity.removeprefix(prefix)
    other = _OTHER.fullmatch(entity)
    if other is not None and NAME.fullmatch(other[1]) and other[1] not in (ENTITY, NIL):
        yield other[1], other[2]


def _escaped(entity: str) -> str:
    """Without blanks, and never empty."""
    return _UNSAFE.sub(lambda match: quote(match[0], safe=""), entity) or "%"


def _unescaped(identifier: str) -> str:
    return "" if identifier == "%" else unquote(identifier)
