"""Names that benchmarks of Wikipedia pages give to entities: titles, and what is none."""

from __future__ import annotations

import re
from urllib.parse import unquote

from elcurate.kb.iri import parse
from elcurate.kb.pages import wikidata_id, wikidata_iri, wikipedia_iri, wikipedia_title
from elcurate.model.corpus import is_nil

_PREFIX = wikipedia_iri("")
_NO_TITLE = re.compile(r"\w+://|/m/|NIL(?![A-Za-z]| \()")


def entity_of(name: str) -> str:
    """The identifier that a name stands for.

    Addresses, Freebase ids and NIL clusters are identifiers themselves; all else is the title of
    a page in the English Wikipedia, with or without a section.
    """
    if _NO_TITLE.match(name):
        return name
    title, mark, section = name.partition("#")
    return wikipedia_iri(title) + mark + section.replace(" ", "_") if title else wikipedia_iri(name)


def name_of(entity: str) -> tuple[str, str | None]:
    """The name of an entity, and the kind of loss where the name doesn't give it back.

    Pages of the English Wikipedia and DBpedia have titles, everything else is written as it is.
    """
    if entity.startswith(_PREFIX):
        name = unquote(entity[len(_PREFIX) :]).replace("_", " ")
        if name and entity_of(name.strip()) == entity:
            return name, None
    found = parse(entity)
    title = wikipedia_title(entity) if found.language == "en" and not found.fragment else None
    if title is not None and not _NO_TITLE.match(title):
        kind = "entity-spelling" if found.kind == "wikipedia" else "entity"
        return title, kind
    number = wikidata_id(entity)
    if number is not None and number == entity:
        return wikidata_iri(number), "entity-spelling"
    if entity_of(entity.strip()) == entity:
        return entity, None
    return entity, "nil-clusters" if is_nil(entity) else "entity"
