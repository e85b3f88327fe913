"""When two identifiers are the same entity."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from elcurate.kb.iri import canonical, last_segment


def raw(entity: str) -> str:
    """The identifier as it is."""
    return entity


LINK_RELATIONS: Mapping[str, Callable[[str], str]] = {
    "canonical": canonical,
    "last-segment": last_segment,
    "raw": raw,
}
"""Two identifiers are the same entity when these functions give the same string.

``canonical`` unifies all spellings of one page, ``last-segment`` is what the authors' scripts of
EMNLP 2019 compared (the part after the last slash, case-sensitive, not decoded), ``raw`` is
equality of strings.
"""
