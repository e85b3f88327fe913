"""The columnar twin of a corpus: one row per link.

The links frame has these columns; a bare mention has one row whose ``link`` is null. Strings are
categorical: each is stored once, and rows hold numbers (in Arrow a dictionary of strings).

======================= =========== ========================================================
document                Categorical document id
mention                 Int64       number of the mention within the corpus, from 0
link                    Int64       place of the link within its mention, from 0, as read
begin, end              Int64       code points, half-open
entity                  Categorical as read; null for an unclustered NIL and a bare mention
score                   Float64     confidence, or null
type                    Categorical entity type, or null
base_form … reference   Categorical the leaf; several are joined by ``|``; null for none
nil                     Boolean     the link is NIL; null for a bare mention
======================= =========== ========================================================

The documents frame has ``document``, ``words`` and ``characters`` (null without text), the
sentences frame ``document``, ``begin``, ``end``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from elcurate.model.categories import BITS, DIMENSIONS
from elcurate.model.corpus import Corpus, Document, Link

STRINGS = pl.Categorical(pl.Categories("elcurate"))
LEAF_STRINGS = pl.Categorical(pl.Categories("elcurate-leaves", physical=pl.UInt16))
_COLUMNS: dict[str, pl.DataType | type[pl.DataType]] = {
    "document": STRINGS,
    "mention": pl.Int64,
    "link": pl.Int64,
    "begin": pl.Int64,
    "end": pl.Int64,
    "entity": STRINGS,
    "score": pl.Float64,
    "type": STRINGS,
    **dict.fromkeys(DIMENSIONS, LEAF_STRINGS),
    "nil": pl.Boolean,
}
LINK_SCHEMA = pl.Schema(_COLUMNS)
_PLAIN = {
    name: pl.String if isinstance(kind, pl.Categorical) else kind
    for name, kind in LINK_SCHEMA.items()
}
DOCUMENT_SCHEMA = pl.Schema({"document": pl.String})
SENTENCE_SCHEMA = pl.Schema({"document": pl.String, "begin": pl.Int64, "end": pl.Int64})

U64 = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Table:
    """Links, documents and sentences as frames.

    Attributes:
        name: The corpus's name.
        links: One row per link (`LINK_SCHEMA`).
        documents: One row per document, also those without mentions (`DOCUMENT_SCHEMA`).
        sentences: One row per sentence (`SENTENCE_SCHEMA`).
        memo: Derived columns, computed once.
    """

    name: str
    links: pl.DataFrame
    documents: pl.DataFrame
    sentences: pl.DataFrame
    memo: dict[str, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "links", self.links.cast(LINK_SCHEMA))

    @classmethod
    def of(cls, corpus: Corpus) -> Table:
        """The table of a corpus."""
        rows = list(_rows(corpus.documents))
        sentences = [
            (document.id, part.begin, part.end)
            for document in corpus.documents
            for part in document.sentences
        ]
        ids = [(document.id,) for document in corpus.documents]
        return cls(
            corpus.name,
            pl.DataFrame(rows, schema=_PLAIN, orient="row"),
            pl.DataFrame(ids, schema=DOCUMENT_SCHEMA, orient="row"),
            pl.DataFrame(sentences, schema=SENTENCE_SCHEMA, orient="row"),
        )

    @classmethod
    def of_links(cls, name: str, links: pl.DataFrame) -> Table:
        """A table from links alone; its documents are those that have a row."""
        documents = links.select(pl.col("document").unique(maintain_order=True)).cast(pl.String)
        return cls(name, links, documents, pl.DataFrame(schema=SENTENCE_SCHEMA))

    def column(self, name: str) -> tuple[pl.Series, npt.NDArray[np.int64]]:
        """A string column of the links as its distinct values and, per row, their places."""
        if name not in self.memo:
            self.memo[name] = factorize(self.links[name])
        found: tuple[pl.Series, npt.NDArray[np.int64]] = self.memo[name]
        return found

    @cached_property
    def masks(self) -> npt.NDArray[np.uint32]:
        """The categories of each row as bit masks (`elcurate.model.categories.BITS`)."""
        total = np.zeros(self.links.height, dtype=np.uint32)
        for dimension in DIMENSIONS:
            values, codes = self.column(dimension)
            lookup = [_bits(dimension, value) for value in values]
            total |= np.array([0, *lookup], dtype=np.uint32)[codes + 1]
        return total

    @cached_property
    def fingerprint(self) -> str:
        """A digest of everything that a score can depend on, in any order of documents."""
        parts = hashlib.sha256()
        rows = self._link_digests()
        frames = (_row_digest(self.documents), _row_digest(self.sentences))
        for digest in (_mention_digests(self.links["mention"], rows), *frames):
            total = np.add.reduce(mixed(digest), dtype=np.uint64)
            parts.update(f"{len(digest)}:{total}".encode())
        return f"x{parts.hexdigest()[:15]}"

    def _link_digests(self) -> U64:
        names = [name for name in LINK_SCHEMA.names() if name != "mention"]
        return _combined(
            [
                _strings_digest(*self.column(name))
                if isinstance(LINK_SCHEMA[name], pl.Categorical)
                else _column_digest(self.links[name])
                for name in names
            ],
            self.links.height,
        )


def factorize(column: pl.Series) -> tuple[pl.Series, npt.NDArray[np.int64]]:
    """The distinct strings of a column and, per row, the place of its string (-1 for null).

    They come in the order of their first rows. The column is of strings or categorical.
    """
    if column.null_count() == len(column):
        return pl.Series([], dtype=pl.String), np.full(len(column), -1, dtype=np.int64)
    if not isinstance(column.dtype, pl.Categorical):
        column = column.cast(pl.Categorical(pl.Categories.random()))
    numbers = column.to_physical().cast(pl.Int64).fill_null(-1).to_numpy()
    first = np.full(int(numbers.max()) + 2, -1, dtype=np.int64)
    first[numbers[::-1]] = np.arange(len(numbers) - 1, -1, -1)
    first[-1] = -1
    rows = np.sort(first[first >= 0])
    places = np.full(len(first), -1, dtype=np.int64)
    places[numbers[rows]] = np.arange(len(rows))
    return column.gather(rows).cast(pl.String), places[numbers]


def _rows(documents: Iterable[Document]) -> Iterable[tuple[object, ...]]:
    number = 0
    blank = (None,) * 9
    for document in documents:
        for mention in document.mentions:
            place = (document.id, number)
            if not mention.links:
                yield (*place, None, mention.begin, mention.end, *blank[1:])
            for order, link in enumerate(mention.links):
                yield (*place, order, mention.begin, mention.end, *_link_cells(link))
            number += 1


def _link_cells(link: Link) -> tuple[object, ...]:
    leaves = ["|".join(getattr(link.categories, dimension)) or None for dimension in DIMENSIONS]
    return (link.entity, link.score, link.type, *leaves, link.is_nil)


def _bits(dimension: str, value: str) -> int:
    return sum(BITS[dimension, leaf] for leaf in value.split("|"))


def mixed(values: U64) -> U64:
    """A bijective scrambling of 64-bit values (the finaliser of SplitMix64)."""
    mixed = values + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _strings_digest(strings: pl.Series, codes: npt.NDArray[np.int64]) -> U64:
    """Each string as its rank among all, mixed with a digest of all."""
    order = strings.arg_sort()
    ranks = np.zeros(len(strings) + 1, dtype=np.uint64)
    ranks[order.to_numpy() + 1] = np.arange(1, len(strings) + 1, dtype=np.uint64)
    ordered = strings.gather(order)
    whole = hashlib.sha256(ordered.str.len_bytes().to_numpy().tobytes())
    whole.update((ordered.str.join("").item() or "").encode())
    seed = np.frombuffer(whole.digest()[:8], dtype=np.uint64)[0]
    return mixed(ranks ^ seed)[codes + 1]


def _column_digest(column: pl.Series) -> U64:
    if column.dtype == pl.String:
        return _strings_digest(*factorize(column))
    if column.dtype == pl.Float64:
        return (column.fill_null(float("nan")).to_numpy() + 0.0).view(np.uint64)
    numbers = column.cast(pl.Int64).fill_null(-(2**62)).to_numpy()
    return numbers.astype(np.int64).view(np.uint64)


def _row_digest(frame: pl.DataFrame) -> U64:
    return _combined([_column_digest(column) for column in frame.iter_columns()], frame.height)


def _combined(columns: list[U64], height: int) -> U64:
    """One digest per row: the columns under odd multipliers, scrambled."""
    total = np.zeros(height, dtype=np.uint64)
    factors = mixed(np.arange(len(columns), dtype=np.uint64)) | np.uint64(1)
    for column, factor in zip(columns, factors, strict=True):
        total += column * factor
    return mixed(total)


def _mention_digests(mentions: pl.Series, rows: U64) -> U64:
    """One digest per mention: the sum over its links, so that only their stated order counts."""
    if not len(rows):
        return rows
    numbers = mentions.to_numpy()
    order = np.argsort(numbers, kind="stable")
    starts = np.flatnonzero(np.diff(numbers[order], prepend=numbers[order[0]] - 1))
    return np.add.reduceat(rows[order], starts)
