"""Strings and offsets of two tables as integers under one numbering."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import polars as pl

from elcurate.match.policy import Policy
from elcurate.match.relations import related
from elcurate.model.table import Table, factorize

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
_OFFSETS = ("begin", "end")


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


def shared_numbers(tables: tuple[Table, Table], column: str) -> tuple[pl.Series, tuple[Ints, Ints]]:
    """The distinct strings of a column on both sides, and each row's number."""
    first, second = (table.column(column) for table in tables)
    return _united((first[0], second[0]), (first[1], second[1]))


def entity_numbers(
    tables: tuple[Table, Table], policy: Policy
) -> tuple[pl.Series, tuple[Ints, Ints], tuple[Bools, Bools]]:
    """Entities under the link relation, their numbers in the rows; which distinct ones are NIL.

    The last element of the latter stands for no entity, which is NIL.
    """
    (ours, nil_gold), (theirs, nil_system) = (_entity_keys(table, policy) for table in tables)
    rows = (tables[0].column("entity")[1], tables[1].column("entity")[1])
    return *_united((ours, theirs), rows), (nil_gold, nil_system)


def _united(
    values: tuple[pl.Series, pl.Series], rows: tuple[Ints, Ints]
) -> tuple[pl.Series, tuple[Ints, Ints]]:
    """Numbers the strings of two lists alike, and their rows (-1: none) by those numbers."""
    distinct, numbers = factorize(pl.concat(values))
    size = len(values[0])
    first, second = np.append(numbers[:size], -1), np.append(numbers[size:], -1)
    return distinct, (first[rows[0]], second[rows[1]])


def _entity_keys(table: Table, policy: Policy) -> tuple[pl.Series, Bools]:
    """What each distinct entity is compared by, and whether it is NIL."""
    name = f"entity keys {policy.links} {policy.nil_ids}"
    if name not in table.memo:
        values, _ = table.column("entity")
        keys = related(values, policy.links)
        nil = np.zeros(len(values) + 1, dtype=bool)
        nil[-1] = True
        likely = values.str.starts_with("NIL").arg_true()
        places = [place for place in likely if policy.is_nil(values[place])]
        if places:
            nil[places] = True
            keys = keys.clone().scatter(places, "NIL " + values.gather(places))
        table.memo[name] = keys, nil
    found: tuple[pl.Series, Bools] = table.memo[name]
    return found


def _split(codes: Ints, frames: tuple[pl.DataFrame, ...]) -> tuple[Ints, Ints]:
    height = frames[0].height
    return codes[:height], codes[height:]


def span_numbers(
    frames: tuple[pl.DataFrame, pl.DataFrame], doc: tuple[Ints, Ints]
) -> tuple[Ints, Ints]:
    """Numbers of the distinct (document, begin, end)."""
    begin, end = (pl.concat([frame[name] for frame in frames]).to_numpy() for name in _OFFSETS)
    if not len(begin):
        return doc
    docs, begin, end = np.concatenate(doc), begin - begin.min(), end - end.min()
    sizes = [int(part.max()) + 1 for part in (docs, begin, end)]
    if math.prod(sizes) < 2**62:
        return _split(dense((docs * sizes[1] + begin) * sizes[2] + end), frames)
    return _split(combine(combine(docs, dense(begin)), dense(end)), frames)
