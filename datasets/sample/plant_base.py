"""What the makers of planted errors share."""

from __future__ import annotations

import random
from collections.abc import Callable

from elcurate.model.categories import GROUPS
from elcurate.model.corpus import Document, Link, Mention, in_order

WIKI = "https://en.wikipedia.org/wiki/"
PROPER = GROUPS["base_form"]["proper_form"]

Key = tuple[str, int | None]
Planted = tuple[Document, list[Key]]
Plant = Callable[[random.Random, Document, int], Planted | None]


def replaced(document: Document, at: int, *new: Mention) -> Document:
    """The document with other mentions in the place of one."""
    mentions = [*document.mentions[:at], *new, *document.mentions[at + 1 :]]
    return document.model_copy(update={"mentions": in_order(mentions)})


def moved(mention: Mention, begin: int, end: int) -> Mention:
    """The mention at another span."""
    return mention.model_copy(update={"begin": begin, "end": end})


def on_mention(
    change: Callable[[random.Random, Document, Mention], Mention | None],
) -> Plant:
    """A plant that changes a mention to another."""

    def plant(rng: random.Random, document: Document, at: int) -> Planted | None:
        new = change(rng, document, document.mentions[at])
        return None if new is None else (replaced(document, at, new), [(document.id, new.begin)])

    return plant


def has_form(link: Link, *forms: str) -> bool:
    """Whether the base form of a link is one of these."""
    return link.categories.base_form in {(form,) for form in forms}
