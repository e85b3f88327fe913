"""Links from the named fields of annotation tools, whose users name the fields themselves."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import lru_cache

from pydantic import JsonValue

from elcurate.kb.iri import parse
from elcurate.model.categories import DIMENSIONS, Categories, find_leaf
from elcurate.model.corpus import Attributes, Link

_ENTITY = (
    "identifier",
    "entity",
    "iri",
    "uri",
    "url",
    "link",
    "kbid",
    "kb",
    "concept",
    "wikidata",
    "wikipedia",
    "dbpedia",
)
_TYPE = ("value", "type", "class", "category")
_BASES = {"wikipedia", "dbpedia", "wikidata", "freebase", "yago"}
_DIMENSIONS = {name.replace("_", ""): name for name in DIMENSIONS}
_NOT_PLAIN = re.compile(r"[\W_]+")

_RESERVED = {"nil", "score", *_ENTITY, *_TYPE, *_DIMENSIONS}

Report = Callable[[str, str], None]
"""Is told a field and its value that name no category."""


@lru_cache(maxsize=4096)
def plain(name: str) -> str:
    """A field's name without case, blanks and punctuation."""
    return _NOT_PLAIN.sub("", name).casefold()


def is_known(text: str) -> bool:
    """Whether a text is an identifier of a known knowledge base."""
    return parse(text).kind in _BASES


def is_free(name: str, value: JsonValue) -> bool:
    """Whether a field is an attribute wherever it stands, so that it can be written as a field."""
    texts = _strings(value)
    base = bool(texts) and all(map(is_known, texts))
    return plain(name) not in _RESERVED and not base


def links_of(fields: Attributes, report: Report) -> tuple[Link, ...]:
    """The links that the fields of an annotation make; none when they name no entity and no NIL.

    The entity is in a field with one of the usual names, or in the first whose value is an
    identifier of a known knowledge base; several in one field are alternatives. What is no entity,
    type, score or category is an attribute.
    """
    rest = dict(fields)
    nil = rest.pop("nil", None)
    name, type_name = names_of(rest)
    if name is None and nil is not True:
        return ()
    entities = [None] if name is None else _strings(rest.pop(name))
    score = score_of(rest.get("score"))
    if score is not None:
        del rest["score"]
    shared = {
        "type": None if type_name is None else rest.pop(type_name),
        "score": score,
        "categories": _categories(rest, report),
        "attributes": rest,
    }
    return tuple(Link.model_validate({**shared, "entity": entity}) for entity in entities)


def names_of(fields: Attributes) -> tuple[str | None, str | None]:
    """The names of the fields with the entity and with the type."""
    texts: Attributes = {name: one for name, one in fields.items() if isinstance(one, str)}
    return _entity_field(fields), _named(texts, _TYPE)


def _entity_field(fields: Attributes) -> str | None:
    listed = {name: value for name, value in fields.items() if _strings(value)}
    known = _named(listed, _ENTITY)
    if known is not None:
        return known
    listed = {name: value for name, value in listed.items() if plain(name) not in _RESERVED}
    return next((name for name, values in listed.items() if not is_free(name, values)), None)


def _named(fields: Attributes, names: tuple[str, ...]) -> str | None:
    """The field with the first of these names that holds a text, or several."""
    found = {plain(name): name for name in reversed(fields) if _strings(fields[name])}
    return next((found[name] for name in names if name in found), None)


def score_of(value: JsonValue) -> float | None:
    """A value that is a number, as a score."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) <= sys.float_info.max else None


def _strings(value: JsonValue) -> list[str]:
    """A text, or the texts of a list of nothing else; no empty ones."""
    if isinstance(value, str):
        return [value] if value else []
    listed = value if isinstance(value, list) else []
    texts = [one for one in listed if isinstance(one, str) and one]
    return texts if len(texts) == len(listed) else []


def _categories(rest: Attributes, report: Report) -> Categories:
    """The categories, whose fields are taken out."""
    pairs: list[tuple[str, str]] = []
    for name in list(rest):
        dimension = _DIMENSIONS.get(plain(name))
        if dimension is None:
            continue
        value = rest[name]
        listed = value.split("|") if isinstance(value, str) else value
        known: list[str | None] = [None]
        if isinstance(listed, list):
            known = [_leaf(dimension, one) if isinstance(one, str) else None for one in listed]
        leaves = [leaf for leaf in known if leaf is not None]
        if len(leaves) < len(known):
            report(name, str(value))
            continue
        pairs += [(dimension, leaf) for leaf in leaves]
        del rest[name]
    return Categories.of(pairs)


@lru_cache(maxsize=4096)
def _leaf(dimension: str, name: str) -> str | None:
    """The leaf of a dimension that a name stands for: ours, a published tag or a class."""
    for leaf in DIMENSIONS[dimension]:
        if plain(leaf) == plain(name):
            return leaf
    found = find_leaf(re.split(r"[#/:]", name)[-1])
    return found[1] if found is not None and found[0] == dimension else None
