"""Mentions cut into their characters, so that exact measures credit partial overlap."""

from __future__ import annotations

from collections.abc import Iterator

from elcurate.errors import EvaluationError
from elcurate.model.corpus import Document, Mention, in_order

LIMIT = 1_000_000
"""Mentions with more characters than this are refused."""


def to_weak(document: Document) -> Document:
    """The document with one mention for each character of each mention.

    A mention ``[b, e)`` becomes ``[b, b+1)`` … ``[e-1, e)``, each with all its links; of a
    discontinuous one only the characters of its fragments count, each once. A mention without
    characters leaves nothing. Attributes of mentions, which may be identifiers, are left behind.

    Raises:
        EvaluationError: for a mention that is longer than `LIMIT`.
    """
    for mention in document.mentions:
        if mention.end - mention.begin > LIMIT:
            raise EvaluationError(
                f"the mention {mention.begin}-{mention.end} of document {document.id} is too long "
                "to be cut into characters",
                remedy="Check its offsets.",
            )
    mentions = [one for mention in document.mentions for one in _characters(mention)]
    return document.model_copy(update={"mentions": in_order(mentions)})


def _characters(mention: Mention) -> Iterator[Mention]:
    stretches = mention.fragments or (mention,)
    places = sorted({place for part in stretches for place in range(part.begin, part.end)})
    surface = mention.surface
    stated = surface is not None and not mention.fragments and len(surface) == len(places)
    for number, place in enumerate(places):
        shown = surface[number] if surface is not None and stated else None
        yield Mention(begin=place, end=place + 1, links=mention.links, surface=shown)
