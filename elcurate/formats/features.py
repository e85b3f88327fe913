"""What a corpus can hold, and how to find what a format would lose of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from elcurate.model.categories import NO_CATEGORIES
from elcurate.model.change import Loss
from elcurate.model.corpus import Document, Link, Mention


@dataclass(frozen=True)
class Feature:
    """One thing that a document can hold.

    Attributes:
        text: What it is.
        found: Every (place, value) in a document that needs the feature.
    """

    text: str
    found: Callable[[Document], Iterator[tuple[str, str]]]


def losses(document: Document, keeps: frozenset[str]) -> Iterator[Loss]:
    """What a format that keeps only these features would drop of a document."""
    for name, feature in FEATURES.items():
        if name not in keeps:
            for where, what in feature.found(document):
                yield Loss(kind=name, where=where, what=what, reason=f"no place for {feature.text}")


def place(document: Document, mention: Mention) -> str:
    """Document and span, as losses and repairs name it."""
    return f"{document.id} {mention.begin}-{mention.end}"


def _of_document(
    value: Callable[[Document], str | None],
) -> Callable[[Document], Iterator[tuple[str, str]]]:
    def found(document: Document) -> Iterator[tuple[str, str]]:
        what = value(document)
        if what is not None:
            yield document.id, what

    return found


def _of_mention(
    value: Callable[[Mention], str | None],
) -> Callable[[Document], Iterator[tuple[str, str]]]:
    def found(document: Document) -> Iterator[tuple[str, str]]:
        for mention in document.mentions:
            what = value(mention)
            if what is not None:
                yield place(document, mention), what

    return found


def _of_link(
    value: Callable[[Link], str | None],
) -> Callable[[Document], Iterator[tuple[str, str]]]:
    def found(document: Document) -> Iterator[tuple[str, str]]:
        for mention in document.mentions:
            for link in mention.links:
                what = value(link)
                if what is not None:
                    yield place(document, mention), what

    return found


def _number(count: int, unit: str) -> str | None:
    return f"{count} {unit}" if count else None


def _repeated(document: Document) -> Iterator[tuple[str, str]]:
    for (begin, end), count in Counter(mention.span for mention in document.mentions).items():
        if count > 1:
            yield f"{document.id} {begin}-{end}", f"{count} mentions"


def outermost(mentions: Iterable[Mention]) -> list[Mention]:
    """The mentions, in order, that neither lie in nor cross one that comes before; equal spans do.

    What formats without nesting keep: of overlapping mentions the first, of those the longest.
    """
    kept: list[Mention] = []
    for mention in mentions:
        last = kept[-1] if kept else None
        if last is None or mention.span == last.span or mention.begin >= last.end:
            kept.append(mention)
    return kept


def _nested(document: Document) -> Iterator[tuple[str, str]]:
    kept = set(map(id, outermost(document.mentions)))
    for mention in document.mentions:
        if id(mention) not in kept:
            yield place(document, mention), document.surface(mention) or ""


FEATURES: Mapping[str, Feature] = {
    "text": Feature(
        "the text",
        _of_document(lambda document: None if document.text is None else f"{document.text[:40]}…"),
    ),
    "no-text": Feature(
        "a document without text",
        _of_document(lambda document: "no text" if document.text is None else None),
    ),
    "empty-documents": Feature(
        "a document without mentions",
        _of_document(lambda document: None if document.mentions else "no mentions"),
    ),
    "sentences": Feature(
        "sentences", _of_document(lambda document: _number(len(document.sentences), "sentences"))
    ),
    "tokens": Feature(
        "tokens", _of_document(lambda document: _number(len(document.tokens), "tokens"))
    ),
    "tags": Feature(
        "document-level tags", _of_document(lambda document: _number(len(document.tags), "tags"))
    ),
    "metadata": Feature(
        "facts about the document",
        _of_document(lambda document: ", ".join(document.metadata) or None),
    ),
    "bare-mentions": Feature(
        "a mention without link", _of_mention(lambda mention: None if mention.links else "no link")
    ),
    "offsets": Feature(
        "character offsets",
        _of_document(lambda document: _number(len(document.mentions), "mentions")),
    ),
    "nesting": Feature("a mention inside or across another", _nested),
    "repeated-spans": Feature("several mentions of one span", _repeated),
    "fragments": Feature(
        "a discontinuous mention",
        _of_mention(lambda mention: _number(len(mention.fragments), "fragments")),
    ),
    "surfaces": Feature("a stated surface", _of_mention(lambda mention: mention.surface)),
    "mention-attributes": Feature(
        "attributes of a mention",
        _of_mention(lambda mention: ", ".join(mention.attributes) or None),
    ),
    "several-links": Feature(
        "several links",
        _of_mention(
            lambda mention: f"{len(mention.links)} links" if len(mention.links) > 1 else None
        ),
    ),
    "nil": Feature(
        "an unclustered NIL", _of_link(lambda link: "NIL" if link.entity is None else None)
    ),
    "nil-clusters": Feature(
        "a NIL cluster", _of_link(lambda link: link.entity if link.is_nil else None)
    ),
    "scores": Feature(
        "a score", _of_link(lambda link: None if link.score is None else str(link.score))
    ),
    "types": Feature("an entity type", _of_link(lambda link: link.type)),
    "categories": Feature(
        "categories",
        _of_link(
            lambda link: (
                " ".join(leaf for _, leaf in link.categories.pairs())
                if link.categories != NO_CATEGORIES
                else None
            )
        ),
    ),
    "link-attributes": Feature(
        "attributes of a link", _of_link(lambda link: ", ".join(link.attributes) or None)
    ),
}
"""Every feature by name."""

EVERYTHING = frozenset(FEATURES)
