"""Where a mention is that is known by its surface alone."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from elcurate.model.change import Repair


@dataclass(frozen=True, slots=True)
class Found:
    """A place in a text.

    Attributes:
        begin, end: The span; empty at the text's beginning when the surface is nowhere.
        surface: The surface, where the text does not have it there.
        repair: What had to be guessed, without its place; None when the place is certain.
    """

    begin: int
    end: int
    surface: str | None = None
    repair: Repair | None = field(default=None, compare=False)


def find(text: str, surface: str) -> Found:
    """The only place of a surface in a text, or the likeliest one.

    Of several places the first that are whole words is taken; a surface that is nowhere is looked
    for without regard to case.
    """
    places = _places(text, surface)
    if len(places) == 1:
        return Found(*places[0])
    if places:
        begin, end = next((one for one in places if _is_word(text, *one)), places[0])
        after = f"the first of {len(places)} places"
        return Found(begin, end, None, _repair("ambiguous-surface", surface, after))
    for begin, end in _places(text, surface, re.IGNORECASE)[:1]:
        return Found(begin, end, surface, _repair("surface-differs", surface, text[begin:end]))
    return Found(0, 0, surface, _repair("surface-not-found", surface, "kept without a place"))


def given(text: str, surface: str, begin: int, end: int) -> Found:
    """A stated place, which the surface may contradict."""
    found = text[max(begin, 0) : max(end, 0)]
    if found == surface:
        return Found(begin, end)
    return Found(begin, end, surface, _repair("surface-differs", surface, found))


def _places(text: str, surface: str, flags: re.RegexFlag = re.NOFLAG) -> list[tuple[int, int]]:
    if not surface:
        return []
    found = re.finditer(f"(?={re.escape(surface)})", text, flags)
    return [(match.start(), match.start() + len(surface)) for match in found]


def _is_word(text: str, begin: int, end: int) -> bool:
    return not (text[begin - 1 : begin].isalnum() or text[end : end + 1].isalnum())


def _repair(kind: str, before: str, after: str) -> Repair:
    return Repair(kind=kind, where="", before=before, after=after)
