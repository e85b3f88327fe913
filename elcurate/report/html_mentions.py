"""The mentions of the HTML report: marked texts, and the data that its script reads."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from elcurate.evaluation.outcomes import DocumentOutcomes, GoldMention, Spurious
from elcurate.model.categories import DIMENSIONS, LEAVES
from elcurate.report.html_format import heading, words
from elcurate.report.html_nesting import Mark, Piece, fits, marked_text

OUTCOMES = {
    "right": "right",
    "wrong-link": "wrong link",
    "missed": "missed",
    "spurious": "spurious",
}
"""What a system can do to a mention, with the words for it."""


class DocumentView(NamedTuple):
    """One document: its marked text, and the mentions that have no place in it."""

    number: int
    id: str
    has_text: bool
    text: Markup
    elsewhere: list[Markup]
    mentions: int


class Tally(NamedTuple):
    """How often each outcome occurs for one system."""

    system: str
    numbers: list[int]


class LeafOption(NamedTuple):
    """A leaf that mentions can be filtered by."""

    place: int
    name: str
    mentions: int


class MentionsView(NamedTuple):
    """Everything of the mentions section."""

    systems: list[str]
    documents: list[DocumentView]
    left_out: int
    tallies: list[Tally]
    filters: list[tuple[str, str, list[LeafOption]]]
    data: str


def mentions_view(
    outcomes: Sequence[DocumentOutcomes], names: Sequence[str], max_documents: int
) -> MentionsView:
    """The documents to show, at most ``max_documents`` of them.

    Args:
        outcomes: What each system did.
        names: The systems in the order of the evaluation; others come after them.
        max_documents: How many documents to embed; tallies count all.
    """
    systems = _systems(outcomes, names)
    shown = outcomes[: max(max_documents, 0)]
    book = _Book(systems)
    documents = [book.document(number, document) for number, document in enumerate(shown)]
    return MentionsView(
        systems=systems,
        documents=documents,
        left_out=len(outcomes) - len(shown),
        tallies=[_tally(system, outcomes) for system in systems],
        filters=_filters(shown),
        data=book.data(),
    )


class _Book:
    """Numbers mentions, system mentions and entities while documents are rendered."""

    def __init__(self, systems: list[str]) -> None:
        self.systems = systems
        self.entities: dict[str, int] = {}
        self.mentions: list[list[Any]] = []
        self.spurious: list[list[Any]] = []

    def document(self, number: int, document: DocumentOutcomes) -> DocumentView:
        """One document with its marks."""
        text = document.text or ""
        marks = [
            Mark(mention.begin, mention.end, True, self._add_mention(number, mention))
            for mention in document.mentions
        ] + [
            Mark(mention.begin, mention.end, False, self._add_spurious(number, mention))
            for mention in document.spurious
        ]
        inside = [mark for mark in marks if fits(text, mark.begin, mark.end)]
        return DocumentView(
            number=number,
            id=document.id,
            has_text=document.text is not None,
            text=marked_text(text, inside, self._opening),
            elsewhere=[self._alone(mark) for mark in marks if not fits(text, mark.begin, mark.end)],
            mentions=len(document.mentions),
        )

    def data(self) -> str:
        """The numbers and names behind the marks, as JSON that is safe inside a script element."""
        data = {
            "systems": self.systems,
            "outcomes": OUTCOMES,
            "dimensions": [heading(dimension) for dimension in DIMENSIONS],
            "leaves": [[list(DIMENSIONS).index(dim), words(leaf)] for dim, leaf in LEAVES],
            "entities": list(self.entities),
            "mentions": self.mentions,
            "spurious": self.spurious,
        }
        text = json.dumps(data, separators=(",", ":"))
        for letter in "<>&":
            text = text.replace(letter, f"\\u{ord(letter):04x}")
        return text

    def _add_mention(self, document: int, mention: GoldMention) -> int:
        links = [
            [
                self._entity(link.entity),
                link.type,
                [LEAVES.index(pair) for pair in link.categories.pairs()],
            ]
            for link in mention.links
        ]
        answers = []
        for system in self.systems:
            answer = mention.answers.get(system)
            outcome = "missed" if answer is None else answer.outcome
            entity = None if answer is None else answer.entity
            answers.append([list(OUTCOMES).index(outcome), self._entity(entity)])
        self.mentions.append(
            [document, mention.begin, mention.end, mention.surface, links, answers]
        )
        return len(self.mentions) - 1

    def _add_spurious(self, document: int, found: Spurious) -> int:
        system = self.systems.index(found.system)
        self.spurious.append(
            [document, found.begin, found.end, found.surface, system, self._entity(found.entity)]
        )
        return len(self.spurious) - 1

    def _entity(self, entity: str | None) -> int:
        return -1 if entity is None else self.entities.setdefault(entity, len(self.entities))

    def _alone(self, mark: Mark) -> Markup:
        surface = (self.mentions if mark.gold else self.spurious)[mark.number][3]
        return Markup("{}{}</span> <small>{}–{}</small>").format(
            self._opening(Piece(mark, opens=True)), surface or "mention", mark.begin, mark.end
        )

    def _opening(self, piece: Piece) -> Markup:
        mark = piece.mark
        if mark is None:
            return Markup("")
        part = Markup("") if piece.last else Markup(" data-part")
        if not mark.gold:
            return Markup('<span class="s" data-s="{}"{}>').format(mark.number, part)
        surface, answers = self.mentions[mark.number][3], self.mentions[mark.number][5]
        outcome = list(OUTCOMES)[answers[0][0]] if answers else ""
        common = Markup('<span class="m" data-m="{}" data-o="{}"{}').format(
            mark.number, outcome, part
        )
        if not piece.first:
            return common + Markup(">")
        return common + Markup(
            ' id="m{}" tabindex="0" role="group" aria-roledescription="gold mention"'
            ' aria-label="{}">'
        ).format(mark.number, ", ".join(filter(None, (surface, OUTCOMES.get(outcome)))))


def _systems(outcomes: Iterable[DocumentOutcomes], names: Iterable[str]) -> list[str]:
    found = dict.fromkeys(names)
    for document in outcomes:
        for mention in document.mentions:
            found |= dict.fromkeys(mention.answers)
        found |= dict.fromkeys(mention.system for mention in document.spurious)
    return list(found)


def _tally(system: str, outcomes: Iterable[DocumentOutcomes]) -> Tally:
    seen: Counter[str] = Counter()
    for document in outcomes:
        seen.update(
            mention.answers[system].outcome
            for mention in document.mentions
            if system in mention.answers
        )
        seen["spurious"] += sum(mention.system == system for mention in document.spurious)
    return Tally(system, [seen[outcome] for outcome in OUTCOMES])


def _filters(documents: Iterable[DocumentOutcomes]) -> list[tuple[str, str, list[LeafOption]]]:
    seen = Counter(
        pair
        for document in documents
        for mention in document.mentions
        for pair in {pair for link in mention.links for pair in link.categories.pairs()}
    )
    found = []
    for dimension in DIMENSIONS:
        options = [
            LeafOption(place, words(leaf), seen[dim, leaf])
            for place, (dim, leaf) in enumerate(LEAVES)
            if dim == dimension and seen[dim, leaf]
        ]
        if options:
            found.append((dimension, heading(dimension), options))
    return found
