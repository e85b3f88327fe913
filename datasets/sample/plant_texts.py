"""Planted errors in texts, and between the places of a document or corpus."""

from __future__ import annotations

import random
from collections.abc import Callable

from plant_base import PROPER, WIKI, Key, Plant, Planted, has_form, moved

from elcurate.model.corpus import Corpus, Document, Mention, in_order

COUNT = 100


def _character(new: str, key: bool = True) -> Plant:
    """A plant that replaces a blank after a mention."""

    def plant(_: random.Random, document: Document, at: int) -> Planted | None:
        text, end = document.text or "", document.mentions[at].end
        if text[end : end + 1] != " " or any(m.begin <= end < m.end for m in document.mentions):
            return None
        changed = document.model_copy(update={"text": f"{text[:end]}{new}{text[end + 1 :]}"})
        return changed, [(document.id, end if key else None)]

    return plant


def _of_document(change: Callable[[Document], dict[str, object] | None]) -> Plant:
    def plant(_: random.Random, document: Document, at: int) -> Planted | None:
        update = change(document)
        return (
            None if update is None else (document.model_copy(update=update), [(document.id, None)])
        )

    return plant


def _appended(*entities: str | None) -> Plant:
    """A plant that adds a paragraph with a name again, unannotated or linked otherwise.

    Args:
        entities: For each occurrence the entity: empty for that of the mention, None for no
            annotation. The last one is the error.
    """

    def plant(_: random.Random, document: Document, at: int) -> Planted | None:
        mention = document.mentions[at]
        surface = document.surface(mention) or ""
        if (
            len(mention.links) != 1
            or not has_form(mention.links[0], *PROPER)
            or not surface[0].isupper()
        ):
            return None
        text = f"{document.text}\n"
        added: list[Mention] = []
        begin = 0
        for entity in entities:
            begin = len(text) + 1
            text += f"\n{surface}"
            again = moved(mention, begin, len(text))
            link = mention.links[0].model_copy(update={"entity": entity})
            other = again.model_copy(update={"links": (link,)}) if entity else again
            added += [] if entity is None else [other]
        mentions = in_order([*document.mentions, *added])
        new = document.model_copy(update={"text": text, "mentions": mentions})
        return new, [(document.id, begin)]

    return plant


def _doubled(keep_id: bool) -> Callable[[Corpus], tuple[Corpus, list[Key]]]:
    """Adds the first documents again, under their ids or under new ones."""

    def plant(corpus: Corpus) -> tuple[Corpus, list[Key]]:
        again = [
            one if keep_id else one.model_copy(update={"id": f"{one.id} again"})
            for one in corpus.documents[:COUNT]
        ]
        documents = (*corpus.documents, *again)
        return corpus.model_copy(update={"documents": documents}), [(one.id, None) for one in again]

    return plant


PLANTS: dict[str, Plant] = {
    "F202": _character("\x96"),
    "F203": _character("\ufffd"),
    "F204": _character("\u212b", key=False),
    "F205": _of_document(
        lambda one: None if "\r" in (one.text or "") else {"text": f"{(one.text or '')[:-1]}\r"}
    ),
    "F206": _of_document(
        lambda one: {"text": " \n", "mentions": one.mentions[:1]} if one.mentions[1:] else None
    ),
    "D201": _of_document(lambda one: {"mentions": ()}),
    "D301": _appended(None),
    "L301": _appended("", "", f"{WIKI}Something_else"),
}

WHOLE = {"F104": _doubled(keep_id=True), "D101": _doubled(keep_id=False)}
"""Kinds that concern all documents; they are planted in seven copies of the sample."""
