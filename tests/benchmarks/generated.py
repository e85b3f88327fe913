"""A generated gold and system: 25 mentions per document, about 70 % of the links right."""

from __future__ import annotations

import numpy as np
import polars as pl

from elcurate.model.categories import DIMENSIONS
from elcurate.model.table import LINK_SCHEMA, Table

PER_DOCUMENT = 25
ENTITIES = 200_000


def gold_and_system(size: int, seed: int = 1) -> tuple[Table, Table]:
    """Two tables of ``size`` links each."""
    random = np.random.default_rng(seed)
    number = np.arange(size)
    begin = number % PER_DOCUMENT * 20 + random.integers(0, 5, size)
    entity = random.zipf(1.3, size) % ENTITIES
    columns = {
        "document": pl.Series(number // PER_DOCUMENT).cast(pl.String),
        "mention": number,
        "link": np.zeros(size, dtype=np.int64),
        "begin": begin,
        "end": begin + random.integers(2, 12, size),
        "score": random.random(size),
        "type": _names(("PER", "ORG", "LOC"), random.integers(0, 3, size)),
    }
    leaves = {
        dimension: _names(names, random.integers(0, len(names), size))
        for dimension, names in DIMENSIONS.items()
    }
    nothing = dict.fromkeys(DIMENSIONS, pl.Series([None] * size, dtype=pl.String))
    wrong = random.random(size) < 0.2
    moved = random.random(size) < 0.1
    said = np.where(wrong, random.integers(0, ENTITIES, size), entity)
    system = columns | {"end": columns["end"] + moved}
    return (
        _table("gold", columns | leaves | _entities(entity, random)),
        _table("system", system | nothing | _entities(said, random)),
    )


def _names(names: tuple[str, ...], numbers: np.ndarray) -> pl.Series:
    return pl.Series(np.array(names)[numbers])


def _entities(numbers: np.ndarray, random: np.random.Generator) -> dict[str, pl.Series]:
    nil = pl.Series(random.random(len(numbers)) < 0.05)
    names = np.array([f"https://en.wikipedia.org/wiki/Entity_{i}" for i in range(ENTITIES)])
    entity = pl.select(pl.when(nil).then(None).otherwise(pl.Series(names[numbers]))).to_series()
    return {"entity": entity, "nil": nil}


def _table(name: str, columns: dict[str, object]) -> Table:
    frame = pl.DataFrame(columns).select(LINK_SCHEMA.names()).cast(LINK_SCHEMA)
    return Table.of_links(name, frame)
