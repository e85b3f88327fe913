"""What each system did to each gold mention, for reading and for reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Literal

from elcurate.evaluation.analysis import KINDS, Kind, classify
from elcurate.evaluation.instances import Listing
from elcurate.match.encode import encode
from elcurate.match.policy import Policy
from elcurate.model.corpus import Corpus, Document, Link
from elcurate.model.record import Record
from elcurate.model.table import Table

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


_OUTCOMES: Mapping[Kind, Outcome] = {
    "missing": "missed",
    "wrong-link": "wrong-link",
    "link-as-nil": "wrong-link",
    "nil-as-link": "wrong-link",
    "correct-link": "right",
    "correct-nil": "right",
}


def outcomes(
    gold: Corpus, systems: Mapping[str, Corpus], policy: Policy
) -> tuple[DocumentOutcomes, ...]:
    """Compares every gold mention with each system's prediction on its span.

    Args:
        gold: The gold corpus.
        systems: System outputs by name.
        policy: Its link relation, NIL ids and alternatives decide what is right. All mentions are
            shown, also those that it leaves out of scores; documents that the gold lacks are not.
    """
    nil = "one-class" if policy.nil == "exclude" else policy.nil
    shown = replace(policy, nil=nil, missing="fn", unknown="ignore")
    table = Table.of(gold)
    said = {name: _Said(name, table, system, shown) for name, system in systems.items()}
    numbers = count()
    return tuple(_document(document, said, numbers) for document in gold.documents)


def _document(
    gold: Document, said: Mapping[str, _Said], numbers: Iterator[int]
) -> DocumentOutcomes:
    mentions = tuple(
        GoldMention(
            begin=mention.begin,
            end=mention.end,
            surface=gold.surface(mention) or "",
            links=mention.links,
            answers={name: system.answers[number] for name, system in said.items()},
        )
        for mention, number in zip(gold.mentions, numbers, strict=False)
    )
    spurious = [one for system in said.values() for one in system.spurious(gold)]
    spurious.sort(key=lambda mention: (mention.begin, -mention.end, mention.system))
    return DocumentOutcomes(id=gold.id, text=gold.text, mentions=mentions, spurious=tuple(spurious))


class _Said:
    """What one system says: an answer for each gold mention, and the rest."""

    def __init__(self, name: str, gold: Table, system: Corpus, policy: Policy) -> None:
        self.name = name
        self.mentions = [mention for _, mention in system.mentions()]
        tables = gold, Table.of(system)
        self.pair = pair = encode(*tables, policy)
        found = classify(pair)
        self.listing = Listing(found, pair, (gold, system), tables)
        places = dict(zip(pair.gold.mention.tolist(), found.of_gold.tolist(), strict=True))
        self.answers = [self._answer(places[number]) for number in range(len(places))]
        self.extra: dict[str, list[int]] = {}
        for row in found.system[found.gold < 0].tolist():
            document = pair.documents[pair.system.doc[row]]
            self.extra.setdefault(document, []).append(row)

    def _answer(self, place: int) -> Answer:
        """The answer in an instance."""
        found = self.listing.found
        row = int(found.system[place])
        return Answer(
            outcome=_OUTCOMES[KINDS[found.kind[place]]],
            entity=None if row < 0 else self.listing.link(row).entity,
        )

    def spurious(self, gold: Document) -> list[Spurious]:
        """The predictions on spans that the gold document doesn't have."""
        side = self.pair.system
        return [
            Spurious(
                system=self.name,
                begin=int(side.begin[row]),
                end=int(side.end[row]),
                surface=gold.surface(self.mentions[side.mention[row]]) or "",
                entity=self.listing.link(row).entity,
            )
            for row in self.extra.get(gold.id, ())
        ]
