"""When two identifiers are the same entity."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import polars as pl

from elcurate.kb.iri import canonical, last_segment
from elcurate.kb.pages import page_name

_SURELY_CANONICAL = (
    r"^(?:https://en\.wikipedia\.org/wiki/|http://dbpedia\.org/resource/)"
    r"[A-Z0-9(][A-Za-z0-9(),.'!*-]*(?:_[A-Za-z0-9(),.'!*-]+)*$"
    r"|^http://www\.wikidata\.org/entity/[QPL][1-9][0-9]*$"
)
_SURELY_SHORT = 200


def raw(entity: str) -> str:
    """The identifier as it is."""
    return entity


LINK_RELATIONS: Mapping[str, Callable[[str], str]] = {
    "canonical": canonical,
    "last-segment": last_segment,
    "raw": raw,
    "title": page_name,
}
"""Two identifiers are the same entity when these functions give the same string.

``canonical`` unifies all spellings of one page, ``last-segment`` is what the authors' scripts of
EMNLP 2019 compared (the part after the last slash, case-sensitive, not decoded), ``raw`` is
equality of strings, ``title`` is what conll03_nel_eval compared (Hachey, Nothman and Radford,
ACL 2014).
"""


def related(values: pl.Series, relation: str) -> pl.Series:
    """What each string is compared by: `LINK_RELATIONS` for many strings at once."""
    if relation == "raw":
        return values
    if relation == "last-segment":
        return values.str.split("/").list.last()
    if relation == "title":
        return pl.Series([page_name(value) for value in values], dtype=pl.String)
    plain = values.str.contains(_SURELY_CANONICAL) & (values.str.len_bytes() < _SURELY_SHORT)
    others = (~plain).arg_true()
    changed = pl.Series([canonical(value) for value in values.gather(others)], dtype=pl.String)
    return values.clone().scatter(others, changed) if len(others) else values
