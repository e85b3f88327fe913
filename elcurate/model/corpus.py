"""Corpus, Document, Mention, Link, Tag, Span: gold and system output alike.

Offsets are Unicode code points, half-open ``[begin, end)``, relative to the document's text.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from pydantic import Field, JsonValue

from elcurate.model.categories import NO_CATEGORIES, Categories
from elcurate.model.change import Repair
from elcurate.model.record import Record

_NIL_CLUSTER = re.compile(r"NIL(?![A-Za-z])")

Attributes = dict[str, JsonValue]


def is_nil(entity: str | None) -> bool:
    """Whether an entity is NIL: None, or ``NIL`` alone or followed by a non-letter.

    ``NIL0001`` is a NIL cluster, ``NILE_River`` and ``Nil`` are not.
    """
    return entity is None or _NIL_CLUSTER.match(entity) is not None


class Span(Record):
    """A stretch of text, ``[begin, end)`` in code points."""

    begin: int
    end: int

    def contains(self, other: Span) -> bool:
        """Whether ``other`` lies inside this span and is not equal to it."""
        return (
            self.begin <= other.begin
            and other.end <= self.end
            and (self.begin, self.end) != (other.begin, other.end)
        )


class Link(Record):
    """One knowledge-base entity for a mention.

    Attributes:
        entity: The identifier exactly as read; None is an unclustered NIL.
        score: The system's confidence.
        type: The entity type as the corpus spells it.
        categories: The leaves in the four dimensions.
        attributes: What the format carries beyond this.
    """

    entity: str | None = None
    score: float | None = None
    type: str | None = None
    categories: Categories = NO_CATEGORIES
    attributes: Attributes = Field(default_factory=dict)

    @property
    def is_nil(self) -> bool:
        """Whether the link says that the knowledge base has no such entity."""
        return is_nil(self.entity)


class Mention(Record):
    """One span with its links.

    Several links on a gold mention are acceptable alternatives; on a system mention they are
    candidates, best first, and the first is the prediction. No link at all is a bare mention.

    Attributes:
        begin: First code point.
        end: One past the last code point.
        links: Alternatives or ranked candidates.
        fragments: The pieces of a discontinuous mention; empty when it is one piece.
        surface: The surface as the file states it, only where the document has no text or the
            text says otherwise.
        attributes: What the format carries beyond this.
    """

    begin: int
    end: int
    links: tuple[Link, ...] = ()
    fragments: tuple[Span, ...] = ()
    surface: str | None = None
    attributes: Attributes = Field(default_factory=dict)

    @property
    def span(self) -> tuple[int, int]:
        """(begin, end)."""
        return self.begin, self.end


class Tag(Record):
    """An entity of a whole document, without a mention."""

    entity: str
    score: float | None = None
    attributes: Attributes = Field(default_factory=dict)


class Document(Record):
    """A text with its mentions.

    Attributes:
        id: Unique within the corpus.
        text: The text, never stripped or normalised; None when the format has none.
        mentions: In the order (begin, -end, order in the file).
        tags: Document-level entities, in the order of the file (ranked tasks).
        sentences: Sentence spans, if the corpus states them.
        tokens: Token spans, if the corpus states them.
        metadata: What the format says about the document.
    """

    id: str
    text: str | None = None
    mentions: tuple[Mention, ...] = ()
    tags: tuple[Tag, ...] = ()
    sentences: tuple[Span, ...] = ()
    tokens: tuple[Span, ...] = ()
    metadata: Attributes = Field(default_factory=dict)

    def surface(self, mention: Mention) -> str | None:
        """The surface of a mention: from the text if there is one, else as the file states it."""
        if self.text is None:
            return mention.surface
        if mention.fragments:
            return " ".join(self.text[part.begin : part.end] for part in mention.fragments)
        return self.text[max(mention.begin, 0) : max(mention.end, 0)]


class Corpus(Record):
    """Documents under one name.

    Attributes:
        name: A short name.
        documents: In the order of the file.
        metadata: What the format says about the corpus.
        repairs: What the reader had to repair.
    """

    name: str = ""
    documents: tuple[Document, ...] = ()
    metadata: Attributes = Field(default_factory=dict)
    repairs: tuple[Repair, ...] = ()

    def mentions(self) -> Iterator[tuple[Document, Mention]]:
        """All mentions with their documents."""
        for document in self.documents:
            for mention in document.mentions:
                yield document, mention

    def links(self) -> Iterator[tuple[Document, Mention, Link]]:
        """All links with their mentions and documents."""
        for document, mention in self.mentions():
            for link in mention.links:
                yield document, mention, link

    def fingerprint(self) -> str:
        """A digest of the documents, in any order; name, metadata and repairs don't count."""
        digests = sorted(
            hashlib.sha256(document.to_json().encode("utf-8", "surrogatepass")).digest()
            for document in self.documents
        )
        return hashlib.sha256(b"".join(digests)).hexdigest()[:16]


def in_order(mentions: list[Mention]) -> tuple[Mention, ...]:
    """Mentions by (begin, -end), those of one span in the order given."""
    return tuple(sorted(mentions, key=lambda mention: (mention.begin, -mention.end)))
