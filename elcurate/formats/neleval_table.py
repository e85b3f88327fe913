"""neleval's annotations straight into a table, by columns: for files too large for objects.

Only regular files are read so. Whatever needs a repair or an error makes `read_neleval_table`
give up, and the reader by rows, which says where and why, takes over.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import BinaryIO

import numpy as np
import numpy.typing as npt
import polars as pl

from elcurate.errors import ReadError
from elcurate.formats.base import ReadOptions
from elcurate.formats.checks import LIMIT
from elcurate.formats.neleval_row import Row
from elcurate.formats.source import BOM, Source
from elcurate.model.categories import DIMENSIONS, NO_CATEGORIES
from elcurate.model.change import Repair
from elcurate.model.corpus import is_nil
from elcurate.model.table import LEAF_STRINGS, LINK_SCHEMA, STRINGS, Table, factorize

Ints = npt.NDArray[np.int64]
_CHUNK = 1 << 24
_FIXED = ("document", "begin", "end")


class _Irregular(Exception):  # noqa: N818
    """The file is not for this reader."""


def read_neleval_table(source: Source, options: ReadOptions) -> Table | None:
    """The table of a regular file, the same as that of its corpus; None for other files."""
    try:
        with source.reading() as stream:
            rows = pl.concat(_chunks(stream), rechunk=False)
        return Table.of_links(source.stem, _finished(_ordered(rows)))
    except (_Irregular, pl.exceptions.PolarsError):
        return None


def _chunks(stream: BinaryIO) -> Iterator[pl.DataFrame]:
    """Candidates in file order, with the numbers of their lines."""
    line = 0
    while data := stream.read(_CHUNK):
        data += stream.readline()
        if data.startswith(BOM) or b"\r" in data:
            raise _Irregular
        yield _candidates(*_cells(data)).with_columns(pl.col("line") + line)
        line += data.count(b"\n")
    if not line:
        raise _Irregular


def _cells(data: bytes) -> tuple[pl.DataFrame, Ints]:
    """The cells of each row, null where empty, and how many it has."""
    array = np.frombuffer(data, dtype=np.uint8)
    marks = array[(array == 9) | (array == 10)]
    ends = np.flatnonzero(marks == 10)
    if not data.endswith(b"\n"):
        ends = np.append(ends, len(marks))
    cells = np.diff(ends, prepend=-1)
    names = [*_FIXED, *(f"cell {place}" for place in range(max(int(cells.max()) - 3, 3)))]
    if int(cells.min()) < 3 or len(names) > 1000:
        raise _Irregular
    widest = b"\t" * (len(names) - 1) + b"\n"
    frame = pl.read_csv(
        io.BytesIO(widest + data),
        has_header=False,
        separator="\t",
        quote_char=None,
        schema=dict.fromkeys(names, pl.String),
    )[1:]
    if frame.height != len(cells):
        raise _Irregular
    return frame, cells


def _candidates(frame: pl.DataFrame, cells: Ints) -> pl.DataFrame:
    """One row per candidate; a mention without any has one whose entity is null."""
    names = frame.columns[len(_FIXED) :]
    filled = np.zeros(frame.height, dtype=np.int64)
    for place, name in enumerate(names, 1):
        filled[frame[name].is_not_null().to_numpy()] = place
    stated = np.minimum(cells - len(_FIXED), filled + -filled % 3)
    if ((filled > 3) & (stated % 3 != 0)).any():
        raise _Irregular
    spans = frame.select(
        pl.col("document").fill_null("").cast(STRINGS),
        pl.col("begin").cast(pl.Int64),
        pl.col("end").cast(pl.Int64) + 1,
        pl.int_range(pl.len()).alias("line"),
    )
    if any((spans[name].abs() >= LIMIT).fill_null(True).any() for name in ("begin", "end")):
        raise _Irregular
    parts = [_candidate(spans, frame, names[:3], filled > 0)]
    for first in range(3, len(names), 3):
        rows = pl.Series(filled > first)
        if rows.any():
            some = spans.filter(rows), frame.filter(rows), names[first : first + 3]
            parts.append(_candidate(*some, np.ones(int(rows.sum()), dtype=bool)))
    return pl.concat(parts, rechunk=False)


def _candidate(
    spans: pl.DataFrame, frame: pl.DataFrame, names: list[str], linked: npt.NDArray[np.bool_]
) -> pl.DataFrame:
    empty = pl.lit(None, dtype=pl.String)
    entity, score, type_ = [*map(pl.col, names), empty, empty, empty][:3]
    found = spans.hstack(
        frame.select(
            entity.cast(STRINGS).alias("entity"),
            score.cast(pl.Float64).alias("score"),
            type_.cast(STRINGS).alias("type"),
        )
    )
    if found["entity"].is_null().to_numpy()[linked].any() or not found["score"].is_finite().all():
        raise _Irregular
    return found


def _ordered(rows: pl.DataFrame) -> pl.DataFrame:
    """Rows by document (as they first occur), begin, -end, line, and best score first."""
    if _in_order(rows):
        return rows
    documents = factorize(rows["document"])[1]
    begin, end, line = (rows[name].to_numpy() for name in ("begin", "end", "line"))
    score = rows["score"].fill_null(float("-inf")).to_numpy()
    return rows[np.lexsort((-score, line, -end, begin, documents))]


def _in_order(rows: pl.DataFrame) -> bool:
    """Whether each document stands together with its rows in order, one candidate a line."""
    documents = rows["document"].to_physical().to_numpy()
    settled = documents[1:] != documents[:-1]
    if np.count_nonzero(settled) + 1 != rows["document"].n_unique():
        return False
    for name, ascending in (("begin", True), ("end", False), ("line", True)):
        column = rows[name].to_numpy()
        before, after = column[:-1], column[1:]
        wrong = before > after if ascending else before < after
        if (wrong & ~settled).any():
            return False
        settled |= before != after
    return bool(settled.all())


def _finished(rows: pl.DataFrame) -> pl.DataFrame:
    """The columns of a table's links."""
    linked = rows["entity"].is_not_null()
    columns = [*_numbers(rows["line"].to_numpy(), linked), _nil(rows["entity"], linked)]
    columns += _types(rows["type"])
    return rows.drop("line", "type").with_columns(columns).select(LINK_SCHEMA.names())


def _numbers(line: Ints, linked: pl.Series) -> list[pl.Series]:
    """The number of each row's mention, and the place of its link there."""
    new = np.append(True, line[1:] != line[:-1])
    mention = np.cumsum(new) - 1
    link = np.zeros(len(line), dtype=np.int64)
    if not new.all():
        link = np.arange(len(line)) - np.flatnonzero(new)[mention]
    places = pl.Series("link", link)
    if not linked.all():
        places = places.zip_with(linked, pl.Series([None], dtype=pl.Int64))
    return [pl.Series("mention", mention), places]


def _nil(entity: pl.Series, linked: pl.Series) -> pl.Series:
    distinct = entity.unique().cast(pl.String)
    likely = distinct.filter(distinct.str.starts_with("NIL").fill_null(False))
    known = pl.Series([name for name in likely if is_nil(name)], dtype=STRINGS)
    return (
        entity.is_in(known.implode())
        .alias("nil")
        .zip_with(linked, pl.Series([None], dtype=pl.Boolean))
    )


def _types(column: pl.Series) -> list[pl.Series]:
    """Types and categories from the type column, which may hold JSON objects."""
    texts = column.unique().drop_nulls().cast(pl.String)
    if not texts.str.starts_with("{").any():
        blank = pl.Series([None], dtype=LEAF_STRINGS)
        return [column, *(blank.new_from_index(0, len(column)).alias(name) for name in DIMENSIONS)]
    texts, codes = factorize(column)
    repairs: list[Repair] = []
    parsed = []
    for text in texts:
        try:
            fields = Row("", 0, repairs).fields(text) if text.startswith("{") else {"type": text}
        except ReadError as error:
            raise _Irregular from error
        parsed.append(fields)
    if repairs:
        raise _Irregular
    parsed.append({"type": None})
    places = codes % len(parsed)
    found = [pl.Series("type", [fields["type"] for fields in parsed], dtype=STRINGS).gather(places)]
    for dimension in DIMENSIONS:
        leaves = [fields.get("categories", NO_CATEGORIES).leaves(dimension) for fields in parsed]
        joined = ["|".join(known) or None for known in leaves]
        found.append(pl.Series(dimension, joined, dtype=LEAF_STRINGS).gather(places))
    return found
