"""The documented definitions, written out slowly: what the fast code is compared with.

A gold unit is a mention with the set of keys that its links make acceptable; a system unit is a
key. Equal units are one. A gold unit is found when the system has one of its keys, and then worth
the greatest membership of those. A system unit is right when a maximum one-to-one matching pairs
it; when keys have no span, when any unit accepts it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from elcurate.kb.iri import canonical
from elcurate.model.categories import DIMENSIONS
from elcurate.model.corpus import Corpus, Link, is_nil

Leaves = frozenset[tuple[str, str]]
SAME: dict[str, Callable[[str], str]] = {
    "canonical": canonical,
    "raw": lambda entity: entity,
    "last-segment": lambda entity: entity.rsplit("/", 1)[-1],
    "title": lambda entity: re.sub(r"^https?://\w+\.wikipedia\.org/wiki/", "", entity),
}
FILTERS: dict[str, Callable[[Row], bool]] = {
    "": lambda row: True,
    "is_linked": lambda row: row.linked,
    "is_nil": lambda row: row.nil,
    "is_first": lambda row: row.first,
}


@dataclass
class Row:
    """A link of a mention, or a bare mention."""

    doc: str
    begin: int
    end: int
    number: int
    link: Link | None
    nil: bool
    first: bool = False

    @property
    def linked(self) -> bool:
        return self.link is not None and not self.nil

    @property
    def span(self) -> tuple[str, int, int]:
        return self.doc, self.begin, self.end

    @property
    def leaves(self) -> Leaves:
        return frozenset(self.link.categories.pairs()) if self.link else frozenset()

    @property
    def type(self) -> str | None:
        return self.link.type if self.link else None

    @property
    def score(self) -> float | None:
        return self.link.score if self.link else None


@dataclass
class Question:
    """What is scored: policies, the part of the gold, and the membership of a set of leaves."""

    policies: dict[str, str] = field(default_factory=dict)
    chosen: Callable[[Row], bool] | None = None
    degree: Callable[[Leaves], float] | None = None
    level: str = "link"
    cutoff: float = 0.0

    def policy(self, name: str) -> str:
        defaults = {"links": "canonical", "nil": "one-class", "alternatives": "any"}
        defaults |= {"missing": "fn", "unknown": "error", "restrict": "slices"}
        return self.policies.get(name, defaults.get(name, ""))


def brute_force(
    gold: Corpus, system: Corpus, form: str, question: Question
) -> tuple[float, int, int, float]:
    """(gold, system, right, weight found) of a measure ``filter:key+key``."""
    filter_, _, names = form.partition(":")
    keys = names.split("+")
    rows, answers = sides(gold, system, question)
    chosen = [row for row in rows if question.chosen is None or question.chosen(row)]
    restrict = question.policy("restrict")
    restricted = restrict == "gold" or (restrict == "slices" and question.chosen is not None)
    spans = {row.span for row in chosen}
    every = [
        tuple(key_of(name, row, question) for name in keys)
        for row in answers
        if FILTERS[filter_](row) and (not restricted or row.span in spans)
    ]
    said = set(every)
    repeated = question.policy("duplicates") == "count" and "span" in keys
    units: dict[int, dict[Any, float]] = {}
    for row in chosen:
        weight = weight_of(row, chosen, question)
        if FILTERS[filter_](row) and (question.degree is None or weight >= question.cutoff):
            unit = units.setdefault(row.number, {})
            key = tuple(key_of(name, row, question) for name in keys)
            unit[key] = max(weight, unit.get(key, 0.0))
    distinct: dict[frozenset[Any], dict[Any, float]] = {}
    for unit in units.values():
        known = distinct.setdefault(frozenset(unit), dict(unit))
        for key, weight in unit.items():
            known[key] = max(known[key], weight)
    accepting = list(distinct.values())
    won = sum(max((unit[key] for key in unit if key in said), default=0.0) for unit in accepting)
    accepted = sum(any(key in unit for unit in accepting) for key in said)
    right = most_pairs(accepting, said) if "span" in keys else accepted
    answered = len(every if repeated else said)
    return sum(max(unit.values()) for unit in accepting), answered, right, won


def sides(gold: Corpus, system: Corpus, question: Question) -> tuple[list[Row], list[Row]]:
    """The rows that count on each side."""
    ours, theirs = list(rows_of(gold)), list(rows_of(system))
    if question.policy("sentences") == "cut":
        for row in theirs:
            row.end = min([row.end, *ends_of_sentences(row, gold)])
    theirs = [row for row in theirs if is_top(row, theirs)]
    if question.policy("alternatives") == "first":
        ours = [row for row in ours if is_top(row, ours)]
    if question.policy("nil") == "exclude":
        ours, theirs = ([row for row in side if not row.nil] for side in (ours, theirs))
    if question.policy("missing") == "skip":
        ours = [row for row in ours if not is_missing(row, gold, system)]
    if question.policy("unknown") == "ignore":
        known = {document.id for document in gold.documents}
        theirs = [row for row in theirs if row.doc in known]
    for side in (ours, theirs):
        seen = set()
        for row in sorted(side, key=lambda row: (row.begin, -row.end, row.number)):
            if is_top(row, side):
                key = row.doc, key_of("eid", row, question)
                row.first = key not in seen
                seen.add(key)
    return ours, theirs


def rows_of(corpus: Corpus) -> Iterator[Row]:
    for number, (document, mention) in enumerate(corpus.mentions()):
        place = document.id, mention.begin, mention.end, number
        for link in mention.links:
            yield Row(*place, link, is_nil(link.entity))
        if not mention.links:
            yield Row(*place, None, nil=False)


def is_top(row: Row, side: list[Row]) -> bool:
    """Whether the link is the first of those of its mention with the best score."""
    links = [other for other in side if other.number == row.number]
    scores = [float("-inf") if one.score is None else one.score for one in links]
    return row is links[scores.index(max(scores))]


def is_missing(row: Row, gold: Corpus, system: Corpus) -> bool:
    found = {document.id: document for document in system.documents}.get(row.doc)
    if found is None:
        return True
    (document,) = [document for document in gold.documents if document.id == row.doc]
    lost = set(document.sentences) - set(found.sentences) if found.sentences else set()
    return any(part.begin <= row.begin and row.end <= part.end for part in lost)


def key_of(name: str, row: Row, question: Question) -> Any:
    entity = row.link.entity if row.link else None
    same = SAME[question.policy("links")]
    eid = None if entity is None else entity if row.nil else same(entity)
    if name == "kbid":
        return eid if row.linked or question.policy("nil") == "separate" else None
    if name in DIMENSIONS:
        return frozenset(pair for pair in row.leaves if pair[0] == name)
    if name == "eid":
        return eid
    plain = {"docid": "doc", "start": "begin", "is_linked": "linked", "is_nil": "nil"}
    return getattr(row, plain.get(name, name))


def weight_of(row: Row, chosen: list[Row], question: Question) -> float:
    if question.degree is None:
        return 1.0
    if question.level == "link":
        return question.degree(row.leaves)
    parts = [other.leaves for other in chosen if other.number == row.number]
    return question.degree(frozenset().union(*parts))


def ends_of_sentences(row: Row, gold: Corpus) -> list[int]:
    """The end of the gold sentence in which a mention begins; at most one."""
    return [
        sentence.end
        for document in gold.documents
        for sentence in document.sentences
        if document.id == row.doc and sentence.begin <= row.begin < sentence.end
    ]


def most_pairs(units: list[dict[Any, float]], keys: set[Any]) -> int:
    """The pairs of a maximum one-to-one matching, by trying everything."""
    order = {key: place for place, key in enumerate(keys)}

    @cache
    def best(place: int, used: int) -> int:
        if place == len(units):
            return 0
        found = best(place + 1, used)
        for key in units[place]:
            if key in order and not used >> order[key] & 1:
                found = max(found, 1 + best(place + 1, used | 1 << order[key]))
        return found

    return best(0, 0)
