"""Plants errors in the sample, 100 of each kind, and prints how many the rules find.

``python datasets/sample/plant.py`` prints the table of ``docs/rules-measured.md``.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import plant_links
import plant_spans
import plant_texts
from plant_base import Key, Plant
from plant_texts import COUNT, WHOLE

from elcurate.formats.io import read
from elcurate.model.corpus import Corpus
from elcurate.rules.all import RULES
from elcurate.rules.engine import validate
from elcurate.rules.select import Selection

SAMPLE = Path(__file__).parent / "gold.jsonl"
SEED = 20190

PLANTS = plant_links.PLANTS | plant_spans.PLANTS | plant_texts.PLANTS
"""How each kind of error is made. Faults of files that only readers see aren't planted."""


class Result(NamedTuple):
    """What a rule found of what was planted.

    Attributes:
        code: The rule's.
        planted: How many errors there are.
        hits: How many of them it found.
        findings: How many findings it has in all.
    """

    code: str
    planted: int
    hits: int
    findings: int

    @property
    def recall(self) -> float:
        """Share of the planted errors that were found."""
        return self.hits / self.planted if self.planted else 0.0

    @property
    def precision(self) -> float:
        """Share of the findings that were planted."""
        return self.hits / self.findings if self.findings else 0.0


def results() -> Iterator[Result]:
    """One result for each kind of error, in the order of the codes."""
    sample = read(SAMPLE)
    many = _copies(sample, 7)
    for code in sorted((*PLANTS, *WHOLE)):
        if code in WHOLE:
            corpus, keys = WHOLE[code](many)
        else:
            corpus, keys = planted(many if code in IN_COPIES else sample, PLANTS[code])
        found = [
            (one.document or "", one.begin if keys and keys[0][1] is not None else None)
            for one in validate(corpus, Selection(select=(code,)))
        ]
        hits = len(set(keys) & set(found))
        yield Result(code, len(keys), hits, len(set(found)))


def planted(corpus: Corpus, plant: Plant) -> tuple[Corpus, list[Key]]:
    """A corpus with errors at random mentions, and where they are."""
    rng = random.Random(SEED)  # noqa: S311
    documents = list(corpus.documents)
    places = [(n, m.span) for n, one in enumerate(documents) for m in one.mentions]
    rng.shuffle(places)
    keys: list[Key] = []
    for number, span in places:
        if len(keys) == COUNT:
            break
        document = documents[number]
        at = next((i for i, one in enumerate(document.mentions) if one.span == span), None)
        made = None if at is None else plant(rng, document, at)
        if made is not None and not set(made[1]) & set(keys):
            documents[number] = made[0]
            keys += made[1]
    return corpus.model_copy(update={"documents": tuple(documents)}), keys


def table(found: Iterable[Result]) -> str:
    """The results in Markdown."""
    lines = ["| rule | severity | planted | recall | precision |", "|:--|:--|--:|--:|--:|"]
    for one in found:
        rule = RULES.get(one.code)
        lines.append(
            f"| [{one.code}](rules/{one.code}.md) {rule.slug} | {rule.severity} | {one.planted} "
            f"| {100 * one.recall:.0f} % | {100 * one.precision:.0f} % |"
        )
    return "\n".join(lines) + "\n"


def _copies(corpus: Corpus, count: int) -> Corpus:
    documents = tuple(
        one.model_copy(update={"id": f"{one.id}~{n}", "text": f"{one.text}\n\nCopy {n}."})
        for n in range(count)
        for one in corpus.documents
    )
    return corpus.model_copy(update={"documents": documents})


IN_COPIES = frozenset(
    ("F204", "F205", "F206", "S301", "L302", "L303", "C204", "C205", "C207", "C301", "D201")
)
"""Kinds for which the sample has too few places; they are planted in seven copies of it."""


if __name__ == "__main__":
    sys.stdout.write(table(results()))
