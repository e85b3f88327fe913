"""Planted errors in spans."""

from __future__ import annotations

import random

from plant_base import WIKI, Plant, Planted, moved, on_mention, replaced

from elcurate.kb.pages import wikipedia_title
from elcurate.model.corpus import Document, Link, Mention


def _beyond(_: random.Random, document: Document, mention: Mention) -> Mention:
    shift = len(document.text or "") - mention.end + 1
    return moved(mention, mention.begin + shift, mention.end + shift)


def _grown(characters: str, left: bool) -> Plant:
    """A plant that adds a neighbouring character to the span."""

    def change(_: random.Random, document: Document, mention: Mention) -> Mention | None:
        text = document.text or ""
        begin, end = mention.span
        if left and text[begin - 1 : begin] and text[begin - 1] in characters:
            return moved(mention, begin - 1, end)
        if text[end : end + 1] and text[end] in characters:
            return moved(mention, begin, end + 1)
        return None

    return on_mention(change)


def _cut(rng: random.Random, document: Document, mention: Mention) -> Mention | None:
    text = (document.text or "")[mention.begin : mention.end]
    if len(text) < 4 or not (text[-2:].isalpha() and text[:2].isalpha()):
        return None
    begin, end = mention.span
    return moved(mention, begin, end - 1) if rng.random() < 0.5 else moved(mention, begin + 1, end)


def _long(_: random.Random, document: Document, mention: Mention) -> Mention | None:
    words = (document.text or "")[mention.begin :].split(" ")[:14]
    return (
        moved(mention, mention.begin, mention.begin + len(" ".join(words))) if words[13:] else None
    )


def _other_surface(rng: random.Random, document: Document, mention: Mention) -> Mention | None:
    other = document.surface(rng.choice(document.mentions)) or ""
    if len(other) == len(document.surface(mention) or ""):
        return None
    return mention.model_copy(update={"surface": other})


def _crossing(_: random.Random, document: Document, at: int) -> Planted | None:
    mention = document.mentions[at]
    inside = [m for m in document.mentions if m.begin < mention.end and m.end > mention.begin]
    after = [m for m in document.mentions if m.begin >= mention.end and m.end - m.begin > 1]
    if len(inside) > 1 or not after:
        return None
    other = after[0]
    near = [m for m in document.mentions if m.begin < other.end and m.end > other.begin]
    if len(near) > 1 or any(mention.end <= m.begin < other.begin for m in document.mentions):
        return None
    return replaced(document, at, moved(mention, mention.begin, other.begin + 1)), [
        (document.id, other.begin)
    ]


def _repeated(entity: str | None) -> Plant:
    def plant(_: random.Random, document: Document, at: int) -> Planted | None:
        mention = document.mentions[at]
        if sum(one.begin == mention.begin for one in document.mentions) > 1:
            return None
        other = mention
        if entity is not None:
            other = mention.model_copy(update={"links": (Link(entity=entity),)})
        return replaced(document, at, mention, other), [(document.id, mention.begin)]

    return plant


def _split(_: random.Random, document: Document, at: int) -> Planted | None:
    mention = document.mentions[at]
    surface = document.surface(mention) or ""
    one, _space, two = surface.partition(" ")
    title = wikipedia_title(mention.links[0].entity or "") if mention.links else None
    alone = sum(m.begin < mention.end and m.end > mention.begin for m in document.mentions) == 1
    if not two or not alone or title is None or surface.casefold() not in title.casefold():
        return None
    pieces = (
        moved(mention, mention.begin, mention.begin + len(one)),
        moved(mention, mention.end - len(two), mention.end),
    )
    return replaced(document, at, *pieces), [(document.id, mention.begin)]


PLANTS: dict[str, Plant] = {
    "S101": on_mention(_beyond),
    "S102": on_mention(lambda _, __, one: moved(one, one.end, one.begin)),
    "S103": on_mention(lambda _, __, one: moved(one, one.begin, one.begin)),
    "S202": on_mention(_other_surface),
    "S203": _grown(" \n", left=True),
    "S204": _grown(',.;:()“”"!?', left=False),
    "S205": on_mention(_cut),
    "S207": _crossing,
    "S208": _repeated(None),
    "S209": _repeated(f"{WIKI}Something_else"),
    "S301": _split,
    "S302": on_mention(_long),
}
