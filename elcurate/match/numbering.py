"""Strings and offsets of two tables as integers under one numbering."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import polars as pl

from elcurate.match.policy import Policy
from elcurate.match.relations import LINK_RELATIONS
from elcurate.model.table import Table

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


def shared_numbers(tables: tuple[Table, Table], column: str) -> tuple[list[str], tuple[Ints, Ints]]:
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
        keys = list(map(LINK_RELATIONS[policy.links], values))
        nil = np.zeros(len(values) + 1, dtype=bool)
        nil[-1] = True
        for place, value in enumerate(values):
            if value[:3] == "NIL" and policy.is_nil(value):
                nil[place] = True
                keys[place] = f"NIL {value}"
        table.memo[name] = keys, nil
    found: tuple[list[str], Bools] = table.memo[name]
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
