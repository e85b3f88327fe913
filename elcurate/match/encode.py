"""Gold and system links as integer arrays that share one numbering."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from elcurate.match.policy import Policy
from elcurate.match.relations import LINK_RELATIONS
from elcurate.model.table import Table

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


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
        type: Number of the type (-1 for none).
        score: Confidence, NaN for none.
        mask: The categories as bits.
        nil: The link is NIL.
        linked: The link names an entity.
        missing: The place in the other side's corpus is missing (document or sentence).
    """

    doc: Ints
    begin: Ints
    end: Ints
    span: Ints
    mention: Ints
    link: Ints
    row: Ints
    eid: Ints
    type: Ints
    score: npt.NDArray[np.float64]
    mask: npt.NDArray[np.uint32]
    nil: Bools
    linked: Bools

    def __len__(self) -> int:
        return len(self.doc)

    @property
    def kbid(self) -> Ints:
        """The entity, -1 for NIL and for a bare mention."""
        return np.where(self.linked, self.eid, -1)

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
        return Side(**{name: getattr(self, name)[rows] for name in Side.__dataclass_fields__})


@dataclass
class Pair:
    """Gold and one system under one numbering.

    Attributes:
        gold, system: The two sides; the system has only its predictions.
        documents: Document ids by number.
        types: Type names by number.
        spans: How many distinct spans there are.
        memo: Codes by tuple of keys, computed once.
    """

    gold: Side
    system: Side
    documents: list[str]
    types: list[str]
    spans: int
    memo: dict[tuple[str, ...], tuple[Ints, Ints]] = field(default_factory=dict)


def encode(gold: Table, system: Table, policy: Policy) -> Pair:
    """Numbers documents, spans, entities and types of both sides alike.

    Only what the policy compares is kept: the predictions of the system, of the gold all
    alternatives or the first, NIL links unless excluded, and documents as the policy says.
    """
    tables = (gold, system)
    frames = (gold.links, system.links)
    documents, doc = _both(tables, "document")
    types, type_ = _both(tables, "type")
    eid, is_nil = entity_numbers(tables, policy)
    span = _spans(frames, doc)
    sides = []
    for table, frame, part in zip(tables, frames, (0, 1), strict=True):
        has_link = frame["link"].is_not_null().to_numpy()
        nil = is_nil[part][table.column("entity")[1]]
        sides.append(
            Side(
                doc=doc[part],
                begin=frame["begin"].to_numpy(),
                end=frame["end"].to_numpy(),
                span=span[part],
                mention=frame["mention"].to_numpy(),
                link=frame["link"].fill_null(-1).to_numpy(),
                row=np.arange(frame.height),
                eid=eid[part],
                type=type_[part],
                score=frame["score"].fill_null(float("nan")).to_numpy(),
                mask=table.masks,
                nil=nil & has_link,
                linked=has_link & ~nil,
            )
        )
    gold_side, system_side = sides
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
    spans = int(max(part.max(initial=-1) for part in span)) + 1
    return Pair(gold_side, system_side, documents, types, spans)


def dense(codes: Ints) -> Ints:
    """Renumbers codes as 0 … n-1, keeping their order."""
    if not len(codes):
        return codes
    _, inverse = np.unique(codes, return_inverse=True)
    return inverse.astype(np.int64)


def combine(left: Ints, right: Ints) -> Ints:
    """Numbers the pairs of two code arrays (codes from -1 up), densely."""
    if not len(left):
        return left
    size = int(right.max()) + 2
    if (int(left.max()) + 2) * size < 2**62:
        return dense((left + 1) * size + right + 1)
    return dense(dense(left) * size + dense(right))


def _both(tables: tuple[Table, Table], column: str) -> tuple[list[str], tuple[Ints, Ints]]:
    """The distinct strings of a column on both sides, and each row's number."""
    (values, first), (others, second) = (table.column(column) for table in tables)
    numbers = {value: number for number, value in enumerate(values)}
    lookup = [numbers.setdefault(value, len(numbers)) for value in others]
    return list(numbers), (first, np.array([*lookup, -1], dtype=np.int64)[second])


def entity_numbers(
    tables: tuple[Table, Table], policy: Policy
) -> tuple[tuple[Ints, Ints], tuple[Bools, Bools]]:
    """Entity numbers of the rows under the link relation; which distinct entities are NIL.

    The last element of the latter stands for no entity, which is NIL.
    """
    gold, system = tables
    name = f"entity numbers {policy.links} {policy.nil_ids}"
    if name not in gold.memo:
        known: dict[str, int] = {}
        ours = [known.setdefault(key, len(known)) for key in _entity_keys(gold, policy)[0]]
        gold.memo[name] = known, np.array([*ours, -1], dtype=np.int64)
    known, lookup = gold.memo[name]
    numbers = dict(known)
    keys, nil = _entity_keys(system, policy)
    theirs = np.array([*(numbers.setdefault(key, len(numbers)) for key in keys), -1])
    return (
        (lookup[gold.column("entity")[1]], theirs[system.column("entity")[1]]),
        (_entity_keys(gold, policy)[1], nil),
    )


def _entity_keys(table: Table, policy: Policy) -> tuple[list[str], Bools]:
    """What each distinct entity is compared by, and whether it is NIL."""
    name = f"entity keys {policy.links} {policy.nil_ids}"
    if name not in table.memo:
        values, _ = table.column("entity")
        same, is_nil = LINK_RELATIONS[policy.links], policy.is_nil
        nil = [value.startswith("NIL") and is_nil(value) for value in values]
        keys = [
            f"NIL {value}" if none else same(value) for value, none in zip(values, nil, strict=True)
        ]
        table.memo[name] = keys, np.array([*nil, True], dtype=bool)
    found: tuple[list[str], Bools] = table.memo[name]
    return found


def _split(codes: Ints, frames: tuple[pl.DataFrame, ...]) -> tuple[Ints, Ints]:
    height = frames[0].height
    return codes[:height], codes[height:]


def _spans(frames: tuple[pl.DataFrame, pl.DataFrame], doc: tuple[Ints, Ints]) -> tuple[Ints, Ints]:
    """Numbers of the distinct (document, begin, end)."""
    begin, end = (pl.concat([frame[name] for frame in frames]).to_numpy() for name in _OFFSETS)
    if not len(begin):
        return doc
    docs, begin, end = np.concatenate(doc), begin - begin.min(), end - end.min()
    sizes = [int(part.max()) + 1 for part in (docs, begin, end)]
    if math.prod(sizes) < 2**62:
        return _split(dense((docs * sizes[1] + begin) * sizes[2] + end), frames)
    return _split(combine(combine(docs, dense(begin)), dense(end)), frames)


_OFFSETS = ("begin", "end")


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
    for name, begin, end in lost.iter_rows():
        if name in number:
            rows = rows | ((side.doc == number[name]) & (side.begin >= begin) & (side.end <= end))
    return rows
