"""Gold and system links as integer arrays that share one numbering."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from elcurate.match.limits import cut_at_sentences, overlapping
from elcurate.match.numbering import Bools, Ints, entity_numbers, shared_numbers, span_numbers
from elcurate.match.policy import Policy
from elcurate.model.table import Table, mixed


@dataclass
class Side:
    """The links of one side, one element per row.

    Attributes:
        doc: Document number, shared by both sides.
        begin, end: Offsets.
        span: Number of the distinct (document, begin, end), shared by both sides.
        mention: Number of the mention on this side.
        link: Place of the link within its mention (-1 for a bare mention).
        row: Place in the table's links.
        eid: Number of the entity under the link relation, NIL clusters included (-1 for none).
        kbid: The same, but -1 for every NIL unless clusters are kept apart.
        type: Number of the type (-1 for none).
        score: Confidence, NaN for none.
        mask: The categories as bits.
        nil: The link is NIL.
        linked: The link names an entity.
        whole: The side with all rows, where this one has only some.
    """

    doc: Ints
    begin: Ints
    end: Ints
    span: Ints
    mention: Ints
    link: Ints
    row: Ints
    eid: Ints
    kbid: Ints
    type: Ints
    score: npt.NDArray[np.float64]
    mask: npt.NDArray[np.uint32]
    nil: Bools
    linked: Bools
    whole: Side | None = None

    def __len__(self) -> int:
        return len(self.doc)

    @cached_property
    def top(self) -> Bools:
        """The rows that are the prediction of their mention: best score, then first."""
        if not len(self) or self.link.max(initial=0) <= 0:
            return np.ones(len(self), dtype=bool)
        score = np.where(np.isnan(self.score), -np.inf, self.score)
        order = np.lexsort((self.link, -score, self.mention))
        numbers = self.mention[order]
        first = np.ones(len(self), dtype=bool)
        first[1:] = numbers[1:] != numbers[:-1]
        top = np.zeros(len(self), dtype=bool)
        top[order[first]] = True
        return top

    @cached_property
    def first(self) -> Bools:
        """The top rows that are the first of their entity in the document, by (begin, -end)."""
        rows = np.flatnonzero(self.top)
        order = rows[
            np.lexsort((self.mention[rows], -self.end[rows], self.begin[rows], self.doc[rows]))
        ]
        keys = self.doc[order] * (self.eid.max(initial=0) + 2) + self.eid[order] + 1
        _, places = np.unique(keys, return_index=True)
        first = np.zeros(len(self), dtype=bool)
        first[order[places]] = True
        return first

    def select(self, rows: Bools) -> Side:
        """The side with only these rows."""
        if rows.all():
            return self
        columns = {
            name: getattr(self, name)[rows] for name in Side.__dataclass_fields__ if name != "whole"
        }
        return Side(**columns, whole=self.whole or self)

    @cached_property
    def candidates(self) -> Ints:
        """A number for the set of entities among which each row's mention was linked.

        Equal sets have equal numbers, on both sides; others differ but for chance (2⁻⁶⁴).
        """
        side = self.whole or self
        if not len(side):
            return side.mention
        linked = side.link >= 0
        order = np.lexsort((side.eid[linked], side.mention[linked]))
        mention, eid = side.mention[linked][order], side.eid[linked][order]
        new = np.append(True, (mention[1:] != mention[:-1]) | (eid[1:] != eid[:-1]))[: len(eid)]
        sums = np.zeros(int(side.mention.max()) + 1, dtype=np.uint64)
        np.add.at(sums, mention[new], mixed((eid[new] + 2).astype(np.uint64)))
        return sums[self.mention].view(np.int64)


@dataclass
class Pair:
    """Gold and one system under one numbering.

    Attributes:
        gold, system: The two sides; the system has only its predictions.
        documents: Document ids by number.
        types: Type names by number.
        spans: How many distinct spans there are.
        names: What entities are compared by, by number.
        memo: Codes by tuple of keys, computed once.
    """

    gold: Side
    system: Side
    documents: list[str]
    types: list[str]
    spans: int
    names: pl.Series
    memo: dict[tuple[str, ...], tuple[Ints, Ints]] = field(default_factory=dict)

    @cached_property
    def entities(self) -> list[str]:
        """What entities are compared by, by number."""
        found: list[str] = self.names.to_list()
        return found


def encode(
    gold: Table,
    system: Table,
    policy: Policy,
    linkable: Table | None = None,
) -> Pair:
    """Numbers documents, spans, entities and types of both sides alike.

    Only what the policy compares is kept: the predictions of the system, of the gold all
    alternatives or the first, NIL links unless excluded, and documents as the policy says.

    Args:
        gold, system: The two sides.
        policy: The policies.
        linkable: A reference output; only mentions that overlap one of its links are kept.
    """
    if policy.sentences == "cut":
        system = cut_at_sentences(gold, system)
    tables = (gold, system)
    names, doc = shared_numbers(tables, "document")
    documents = names.to_list()
    types, type_ = shared_numbers(tables, "type")
    entities, eid, is_nil = entity_numbers(tables, policy)
    span = span_numbers((gold.links, system.links), doc)
    gold_side, system_side = (
        _side(table, policy, *columns)
        for table, columns in zip(
            tables, zip(doc, span, eid, type_, is_nil, strict=True), strict=True
        )
    )
    if policy.alternatives == "first":
        gold_side = gold_side.select(gold_side.top)
    system_side = system_side.select(system_side.top)
    if policy.nil == "exclude":
        gold_side, system_side = (side.select(~side.nil) for side in (gold_side, system_side))
    if policy.missing == "skip":
        gold_side = gold_side.select(~_missing(gold, system, gold_side, documents))
    if policy.unknown == "ignore":
        known = np.isin(documents, gold.documents["document"].to_list())
        system_side = system_side.select(known[system_side.doc])
    if linkable is not None:
        reference = _linked(gold, linkable, policy, documents)
        gold_side, system_side = (
            side.select(overlapping((side.doc, side.begin, side.end), reference))
            for side in (gold_side, system_side)
        )
    spans = int(max(part.max(initial=-1) for part in span)) + 1
    return Pair(gold_side, system_side, documents, types.to_list(), spans, entities)


def _side(
    table: Table, policy: Policy, doc: Ints, span: Ints, eid: Ints, type_: Ints, is_nil: Bools
) -> Side:
    """All links of a table."""
    frame = table.links
    has_link = frame["link"].is_not_null().to_numpy()
    nil = is_nil[table.column("entity")[1]]
    linked = has_link & ~nil
    return Side(
        doc=doc,
        begin=frame["begin"].to_numpy(),
        end=frame["end"].to_numpy(),
        span=span,
        mention=frame["mention"].to_numpy(),
        link=frame["link"].fill_null(-1).to_numpy(),
        row=np.arange(frame.height),
        eid=eid,
        kbid=eid if policy.nil == "separate" else np.where(linked, eid, -1),
        type=type_,
        score=frame["score"].fill_null(float("nan")).to_numpy(),
        mask=table.masks,
        nil=nil & has_link,
        linked=linked,
    )


def _linked(
    gold: Table, reference: Table, policy: Policy, documents: list[str]
) -> tuple[Ints, Ints, Ints]:
    """Document, begin and end of what a reference output links, in the documents of a pair."""
    pair = encode(gold, reference, replace(policy, unknown="count"))
    side = pair.system.select(pair.system.linked)
    number = {name: place for place, name in enumerate(documents)}
    doc = np.array([number.get(name, -1) for name in pair.documents], dtype=np.int64)[side.doc]
    known = doc >= 0
    return doc[known], side.begin[known], side.end[known]


def _missing(gold: Table, system: Table, side: Side, documents: list[str]) -> Bools:
    """The gold rows whose document the system lacks, or whose sentence it lacks there."""
    present = set(system.documents["document"])
    absent = np.array([name not in present for name in documents], dtype=bool)
    rows: Bools = absent[side.doc] if len(side) else np.zeros(0, dtype=bool)
    stating = system.sentences["document"].unique()
    lost = gold.sentences.filter(pl.col("document").is_in(stating.implode())).join(
        system.sentences, on=["document", "begin", "end"], how="anti"
    )
    number = {name: place for place, name in enumerate(documents)}
    order = np.argsort(side.doc, kind="stable")
    docs = side.doc[order]
    for name, begin, end in lost.iter_rows():
        if name in number:
            first, last = np.searchsorted(docs, [number[name], number[name] + 1])
            here = order[first:last]
            rows[here] |= (side.begin[here] >= begin) & (side.end[here] <= end)
    return rows
