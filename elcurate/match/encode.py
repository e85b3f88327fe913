"""Gold and system links as integer arrays that share one numbering."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from elcurate.match.policy import Policy
from elcurate.match.relations import LINK_RELATIONS
from elcurate.model.table import Table, factorize

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
    """

    gold: Side
    system: Side
    documents: list[str]
    types: list[str]
    spans: int


def encode(gold: Table, system: Table, policy: Policy) -> Pair:
    """Numbers documents, spans, entities and types of both sides alike.

    Only what the policy compares is kept: the predictions of the system, of the gold all
    alternatives or the first, NIL links unless excluded, and documents as the policy says.
    """
    frames = (gold.links, system.links)
    documents, doc = _both(frames, "document")
    types, type_ = _both(frames, "type")
    eid, known_nil = _entities(frames, policy)
    span = _spans(frames, doc)
    sides = []
    for table, frame, part in zip((gold, system), frames, (0, 1), strict=True):
        has_link = frame["link"].is_not_null().to_numpy()
        sides.append(
            Side(
                doc=doc[part],
                begin=frame["begin"].to_numpy(),
                end=frame["end"].to_numpy(),
                span=span[part],
                mention=frame["mention"].to_numpy(),
                link=frame["link"].fill_null(-1).to_numpy(),
                eid=eid[part],
                type=type_[part],
                score=frame["score"].fill_null(float("nan")).to_numpy(),
                mask=table.masks(),
                nil=known_nil[part] & has_link,
                linked=has_link & ~known_nil[part],
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


def _both(
    frames: tuple[pl.DataFrame, pl.DataFrame], column: str
) -> tuple[list[str], tuple[Ints, Ints]]:
    values, codes = factorize(pl.concat([frame[column] for frame in frames]))
    return values, _split(codes, frames)


def _split(codes: npt.NDArray[np.int64], frames: tuple[pl.DataFrame, ...]) -> tuple[Ints, Ints]:
    height = frames[0].height
    return codes[:height], codes[height:]


def _entities(
    frames: tuple[pl.DataFrame, pl.DataFrame], policy: Policy
) -> tuple[tuple[Ints, Ints], tuple[Bools, Bools]]:
    """Entity numbers under the link relation, and whether each row's entity is NIL (or null)."""
    values, codes = factorize(pl.concat([frame["entity"] for frame in frames]))
    relation: Callable[[str], str] = LINK_RELATIONS[policy.links]
    nil_ids = policy.is_nil
    nil = np.array([*(nil_ids(value) for value in values), True], dtype=bool)
    names = [value if nil[i] else relation(value) for i, value in enumerate(values)]
    numbers: dict[tuple[bool, str], int] = {}
    lookup = [
        numbers.setdefault((bool(nil[i]), name), len(numbers)) for i, name in enumerate(names)
    ]
    eid = np.array([*lookup, -1], dtype=np.int64)[codes]
    return _split(eid, frames), (_split(nil[codes], frames))  # type: ignore[arg-type, return-value]


def _spans(frames: tuple[pl.DataFrame, pl.DataFrame], doc: tuple[Ints, Ints]) -> tuple[Ints, Ints]:
    begin, end = (pl.concat([frame[name] for frame in frames]).to_numpy() for name in _OFFSETS)
    if not len(begin):
        return doc
    begin = begin - begin.min()
    length = end - end.min()
    return _split(combine(combine_sparse(np.concatenate(doc), begin), length), frames)


_OFFSETS = ("begin", "end")


def combine_sparse(left: Ints, right: Ints) -> Ints:
    """Pairs as numbers without renumbering where they fit, else densely."""
    size = int(right.max()) + 1
    if (int(left.max()) + 1) * size < 2**40:
        return left * size + right
    return dense(left * size + right) if (int(left.max()) + 1) * size < 2**62 else combine(
        left, dense(right)
    )


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
