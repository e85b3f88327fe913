"""What each system did to each gold mention, for reading and for reports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from elcurate.match.policy import Policy
from elcurate.match.relations import LINK_RELATIONS
from elcurate.model.corpus import Corpus, Document, Link, Mention
from elcurate.model.record import Record

Outcome = Literal["right", "wrong-link", "missed"]


class Answer(Record):
    """What one system said about a gold mention.

    Attributes:
        outcome: ``right``, ``wrong-link`` (the span, but no accepted link) or ``missed``.
        entity: The predicted entity; None for NIL and where nothing was predicted.
    """

    outcome: Outcome
    entity: str | None = None


class GoldMention(Record):
    """A gold mention with every system's answer."""

    begin: int
    end: int
    surface: str
    links: tuple[Link, ...]
    answers: dict[str, Answer]


class Spurious(Record):
    """A system mention on a span that the gold doesn't have."""

    system: str
    begin: int
    end: int
    surface: str
    entity: str | None = None


class DocumentOutcomes(Record):
    """All mentions of one document, by position."""

    id: str
    text: str | None
    mentions: tuple[GoldMention, ...]
    spurious: tuple[Spurious, ...]


def outcomes(
    gold: Corpus, systems: Mapping[str, Corpus], policy: Policy
) -> tuple[DocumentOutcomes, ...]:
    """Compares every gold mention with each system's prediction on its span.

    Args:
        gold: The gold corpus.
        systems: System outputs by name.
        policy: Its link relation, NIL ids and alternatives decide what is right.
    """
    indexed = {
        name: {document.id: document for document in system.documents}
        for name, system in systems.items()
    }
    return tuple(
        _document(
            document,
            {name: documents.get(document.id) for name, documents in indexed.items()},
            policy,
        )
        for document in gold.documents
    )


def _document(
    gold: Document, systems: Mapping[str, Document | None], policy: Policy
) -> DocumentOutcomes:
    predictions = {
        name: {} if system is None else _predictions(system) for name, system in systems.items()
    }
    spans = {mention.span for mention in gold.mentions}
    mentions = tuple(
        GoldMention(
            begin=mention.begin,
            end=mention.end,
            surface=gold.surface(mention) or "",
            links=mention.links,
            answers={
                name: _answer(mention, found.get(mention.span), policy)
                for name, found in predictions.items()
            },
        )
        for mention in gold.mentions
    )
    spurious = [
        Spurious(
            system=name,
            begin=mention.begin,
            end=mention.end,
            surface=gold.surface(mention) or "",
            entity=mention.links[0].entity if mention.links else None,
        )
        for name, found in predictions.items()
        for span, mention in found.items()
        if span not in spans
    ]
    spurious.sort(key=lambda mention: (mention.begin, -mention.end, mention.system))
    return DocumentOutcomes(id=gold.id, text=gold.text, mentions=mentions, spurious=tuple(spurious))


def _predictions(system: Document) -> dict[tuple[int, int], Mention]:
    """The first mention of each span, its best candidate first."""
    found: dict[tuple[int, int], Mention] = {}
    for mention in system.mentions:
        ranked = sorted(
            mention.links, key=lambda link: -(float("-inf") if link.score is None else link.score)
        )
        found.setdefault(mention.span, mention.model_copy(update={"links": tuple(ranked)}))
    return found


def _answer(gold: Mention, predicted: Mention | None, policy: Policy) -> Answer:
    if predicted is None:
        return Answer(outcome="missed")
    entity = predicted.links[0].entity if predicted.links else None
    accepted = gold.links if policy.alternatives == "any" else gold.links[:1]
    keys = {_key(link.entity, policy) for link in accepted} or {None}
    right = _key(entity, policy) in keys
    return Answer(outcome="right" if right else "wrong-link", entity=entity)


def _key(entity: str | None, policy: Policy) -> str | None:
    if entity is None or policy.is_nil(entity):
        return None
    return LINK_RELATIONS[policy.links](entity)
