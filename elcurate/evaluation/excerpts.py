"""Surfaces of mentions and the text around them."""

from __future__ import annotations

from elcurate.model.corpus import Corpus
from elcurate.model.table import Table


class Excerpts:
    """What the documents of an input say at its mentions; a table has no documents.

    Args:
        value: The input. Its mentions are known by their numbers in its table.
    """

    def __init__(self, value: Corpus | Table) -> None:
        documents = value.documents if isinstance(value, Corpus) else ()
        self._mentions = [(one, mention) for one in documents for mention in one.mentions]
        self._texts = {one.id: one.text for one in documents if one.text is not None}

    def text(self, document: str) -> str | None:
        """The text of a document; None when there is none."""
        return self._texts.get(document)

    def surface(self, mention: int) -> str | None:
        """The surface of a mention: from the text, or as the file states it."""
        if not self._mentions:
            return None
        document, found = self._mentions[mention]
        return document.surface(found)
