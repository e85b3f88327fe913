"""The changes of the mentions of one document and of their links."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any

from elcurate.curation.values import (
    LINK_FIELDS,
    MENTION_FIELDS,
    dumped,
    key_changes,
    same,
)
from elcurate.model.categories import DIMENSIONS
from elcurate.model.corpus import Document, Link, Mention

Fields = dict[str, Any]
Place = tuple[int, int]


def mention_changes(old: Document, new: Document) -> Iterator[Fields]:
    """The changes that make the mentions of a document the others, in the order of the text."""
    befores, afters = by_span(old), by_span(new)
    moved = _moved(befores, afters)
    targets = set(moved.values())
    for span in sorted({*befores, *afters}, key=lambda place: (place[0], -place[1])):
        if span in targets:
            continue
        ones = befores.get(span, [])
        others = afters.get(moved.get(span, span), [])
        for place, (one, other) in enumerate(zip(ones, others, strict=False)):
            yield from _within(old, new, (place, one), other)
        for place in range(len(others), len(ones)):
            surface = old.surface(ones[place])
            yield {**_place(span, place, surface), "field": "mention", "old": dumped(ones[place])}
        for place in range(len(ones), len(others)):
            surface = new.surface(others[place])
            yield {**_place(span, place, surface), "field": "mention", "new": dumped(others[place])}


def by_span(document: Document) -> dict[Place, list[Mention]]:
    """The mentions of each span, in their order."""
    found: dict[Place, list[Mention]] = {}
    for mention in document.mentions:
        found.setdefault(mention.span, []).append(mention)
    return found


def link_pairs(
    old: tuple[Link, ...], new: tuple[Link, ...]
) -> Iterator[tuple[int | None, int | None]]:
    """The links of two versions of a mention side by side, as places; None is no counterpart."""
    ones, others = [link.entity for link in old], [link.entity for link in new]
    if ones == others or len(ones) == len(others) == 1:
        yield from ((place, place) for place in range(len(ones)))
        return
    matcher = SequenceMatcher(None, ones, others, autojunk=False)
    for _, begin, end, other_begin, other_end in matcher.get_opcodes():
        both = min(end - begin, other_end - other_begin)
        yield from ((begin + step, other_begin + step) for step in range(both))
        yield from ((place, None) for place in range(begin + both, end))
        yield from ((None, place) for place in range(other_begin + both, other_end))


def _moved(
    befores: dict[Place, list[Mention]], afters: dict[Place, list[Mention]]
) -> dict[Place, Place]:
    """Spans that are gone, each with the first new one that overlaps it and has its entities."""
    gone = [span for span in befores if span not in afters and len(befores[span]) == 1]
    come = [span for span in afters if span not in befores and len(afters[span]) == 1]
    found: dict[Place, Place] = {}
    start = 0
    for span in gone:
        while start < len(come) and come[start][1] <= span[0]:
            start += 1
        for other in come[start:]:
            if other[0] >= span[1]:
                break
            if other[1] > span[0] and _entities(befores[span]) == _entities(afters[other]):
                found[span] = other
                come.remove(other)
                break
    return found


def _entities(mentions: list[Mention]) -> list[str | None]:
    return [link.entity for mention in mentions for link in mention.links]


def _place(span: Place, place: int, surface: str | None) -> Fields:
    return {"begin": span[0], "end": span[1], "mention": place, "surface": surface}


def _within(
    old: Document, new: Document, at: tuple[int, Mention], other: Mention
) -> Iterator[Fields]:
    """The changes of one mention."""
    place, one = at
    if one is other or one.to_json() == other.to_json():
        return
    surface, becomes = old.surface(one), new.surface(other)
    where = _place(one.span, place, surface)
    if becomes != surface:
        where["new_surface"] = becomes
    if one.span != other.span:
        yield {**where, "field": "span", "old": list(one.span), "new": list(other.span)}
    for name, (to_json, _) in MENTION_FIELDS.items():
        before, after = to_json(getattr(one, name)), to_json(getattr(other, name))
        if not same(before, after):
            yield {**where, "field": name, "old": before, "new": after}
    for before, after in key_changes(one.attributes, other.attributes):
        yield {**where, "field": "attributes", "old": before, "new": after}
    for change in _link_changes(one.links, other.links):
        yield where | change


def _link_changes(old: tuple[Link, ...], new: tuple[Link, ...]) -> Iterator[Fields]:
    whole = {"field": "link", "links": len(old)}
    for before, after in link_pairs(old, new):
        if before is None and after is not None:
            yield {**whole, "link": after, "new": dumped(new[after])}
        elif before is not None and after is None:
            yield {**whole, "link": before, "old": dumped(old[before])}
        elif before is not None and after is not None:
            where = {"link": before, "entity": old[before].entity}
            yield from (where | change for change in _fields(old[before], new[after]))


def _fields(old: Link, new: Link) -> Iterator[Fields]:
    for name in LINK_FIELDS:
        before, after = getattr(old, name), getattr(new, name)
        if not same(before, after):
            yield {"field": name, "old": before, "new": after}
    for dimension in DIMENSIONS:
        before, after = old.categories.leaves(dimension), new.categories.leaves(dimension)
        if before != after:
            field = f"categories.{dimension}"
            yield {"field": field, "old": leaves(before), "new": leaves(after)}
    for before, after in key_changes(old.attributes, new.attributes):
        yield {"field": "attributes", "old": before, "new": after}


def leaves(found: tuple[str, ...]) -> str | list[str] | None:
    """Leaves as JSON has them: one as a string, several as a list, none as null."""
    if len(found) < 2:
        return found[0] if found else None
    return list(found)
