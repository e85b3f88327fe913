"""Rules that compare a system's output with the gold it was made for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from elcurate.model.corpus import Corpus, Document
from elcurate.rules.base import Problem, rule


@dataclass
class Against:
    """A system's output and its gold.

    Attributes:
        system: The output.
        gold: The gold.
    """

    system: Corpus
    gold: Corpus

    @cached_property
    def pairs(self) -> list[tuple[int, Document, Document]]:
        """The documents that both have, with their places in the output: system, then gold."""
        known = {document.id: document for document in self.gold.documents}
        return [
            (number, document, known[document.id])
            for number, document in enumerate(self.system.documents)
            if document.id in known
        ]


@rule(
    "D102",
    "missing-document",
    "warning",
    example="a document of the gold that the system's file lacks",
    source="system files that were cut off",
)
def missing_document(against: Against) -> Iterator[Problem]:
    """The output lacks a document of the gold; its mentions count as not found."""
    known = {document.id for document in against.system.documents}
    for document in against.gold.documents:
        if document.id not in known:
            count = len(document.mentions)
            yield Problem(f"the gold has this document, with {count} mentions", document.id)


@rule(
    "D103",
    "unknown-document",
    "warning",
    example="a document that isn't in the gold",
    source="outputs for another version of the corpus",
)
def unknown_document(against: Against) -> Iterator[Problem]:
    """The output has a document that the gold lacks."""
    known = {document.id for document in against.gold.documents}
    for number, document in enumerate(against.system.documents):
        if document.id not in known:
            yield Problem("the gold has no such document", document.id, document=number)


@rule(
    "D104",
    "missing-sentence",
    "warning",
    example="a sentence of the gold that the system's file lacks",
    source="outputs of sentence-wise systems, such as those of EMNLP 2019",
)
def missing_sentence(against: Against) -> Iterator[Problem]:
    """The output lacks a sentence that the gold states.

    Outputs that state no sentence of the document at all are left alone.
    """
    for number, system, gold in against.pairs:
        known = {(sentence.begin, sentence.end) for sentence in system.sentences}
        for sentence in gold.sentences if known else ():
            place = sentence.begin, sentence.end
            if place not in known:
                yield Problem("the gold has this sentence", place=place, document=number)


@rule(
    "D105",
    "other-text",
    "warning",
    example="the system's file has the text without its line breaks",
    source="offsets of two texts can't be compared",
)
def other_text(against: Against) -> Iterator[Problem]:
    """The text isn't that of the gold, so offsets don't mean the same."""
    for number, system, gold in against.pairs:
        if None not in (system.text, gold.text) and system.text != gold.text:
            at = _first_difference(system.text or "", gold.text or "")
            message = f"the texts differ from character {at} on"
            yield Problem(message, system.id, place=(at, at), document=number)


def _first_difference(one: str, two: str) -> int:
    pairs = enumerate(zip(one, two, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(two)))
