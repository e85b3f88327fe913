"""`check_spans`: repeated, nested and crossing mentions of a corpus."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from elcurate.evaluation.evaluate import as_table
from elcurate.evaluation.excerpts import Excerpts
from elcurate.match.numbering import Ints
from elcurate.match.spans import SpanPairs, span_pairs
from elcurate.model.corpus import Corpus
from elcurate.model.record import Record
from elcurate.model.table import Table

SpanRelation = Literal["duplicate", "crossing", "nested"]
SPAN_RELATIONS: tuple[SpanRelation, ...] = get_args(SpanRelation)


class Place(Record):
    """A span; its surface is None where nothing states it."""

    begin: int
    end: int
    surface: str | None = None


class SpanFinding(Record):
    """One repeated span, or one pair of distinct spans that overlap.

    Attributes:
        first: The repeated span; the outer of two nested ones; the earlier of two crossing ones.
        second: The other of the two, None for a repeated span.
        mentions: How many mentions stand on the repeated span, on both of the two spans.
    """

    relation: SpanRelation
    document: str
    first: Place
    second: Place | None
    mentions: int


class SpanReport(Record):
    """The span relations of one corpus.

    Attributes:
        counts: How many spans are repeated, and how many pairs of distinct spans cross or nest.
        findings: Each of them, of the relations that were asked for.
    """

    name: str
    documents: int
    mentions: int
    counts: dict[SpanRelation, int]
    findings: tuple[SpanFinding, ...]


@dataclass(frozen=True)
class SpanCheck:
    """What `check_spans` found; findings are made when they are asked for.

    Attributes:
        table: The corpus.
        pairs: Its spans, by rows of the table's links, and their pairs.
        excerpts: Its surfaces.
    """

    table: Table
    pairs: SpanPairs
    excerpts: Excerpts

    @property
    def counts(self) -> dict[SpanRelation, int]:
        """How often each relation occurs."""
        return {relation: len(self._places(relation)[0]) for relation in SPAN_RELATIONS}

    def findings(self, only: Collection[str] = SPAN_RELATIONS) -> Iterator[SpanFinding]:
        """Every instance of some relations: repeated spans, then crossing and nested pairs."""
        names, codes = self.table.column("document")
        for relation in SPAN_RELATIONS:
            if relation not in only:
                continue
            first, second = self._places(relation)
            mentions = self.pairs.mentions[first] + (second >= 0) * self.pairs.mentions[second]
            documents = names.gather(codes[self.pairs.row[first]])
            for document, one, other, count in zip(
                documents, first.tolist(), second.tolist(), mentions.tolist(), strict=True
            ):
                yield SpanFinding(
                    relation=relation,
                    document=document,
                    first=self._place(one),
                    second=None if other < 0 else self._place(other),
                    mentions=count,
                )

    def report(self, only: Collection[str] = SPAN_RELATIONS) -> SpanReport:
        """The record of the check."""
        return SpanReport(
            name=self.table.name,
            documents=self.table.documents.height,
            mentions=self.table.links["mention"].n_unique(),
            counts=self.counts,
            findings=tuple(self.findings(only)),
        )

    def _places(self, relation: SpanRelation) -> tuple[Ints, Ints]:
        """The places of the spans of each instance; -1 where there is no second."""
        pairs = self.pairs
        if relation == "duplicate":
            repeated = np.flatnonzero(pairs.mentions > 1)
            return repeated, np.full(len(repeated), -1)
        chosen = pairs.nested if relation == "nested" else ~pairs.nested
        return pairs.first[chosen], pairs.second[chosen]

    def _place(self, place: int) -> Place:
        links, row = self.table.links, int(self.pairs.row[place])
        surface = self.excerpts.surface(links["mention"][row])
        return Place(begin=links["begin"][row], end=links["end"][row], surface=surface)


def check_spans(corpus: Corpus | Table) -> SpanCheck:
    """Finds the mentions of a corpus that stand on one span, contain each other, or cross.

    A discontinuous mention counts with its whole extent. Spans that end before they begin have no
    relations.
    """
    table = as_table(corpus)
    rows = np.unique(table.links["mention"].to_numpy(), return_index=True)[1]
    document = table.column("document")[1][rows]
    begin, end = (table.links[name].to_numpy()[rows] for name in ("begin", "end"))
    found = span_pairs(document, begin, end)
    return SpanCheck(table, replace(found, row=rows[found.row]), Excerpts(corpus))
