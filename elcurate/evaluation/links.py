"""How much the choice of the link relation matters for one system."""

from __future__ import annotations

import numpy as np
import polars as pl

from elcurate.evaluation.records import LinkRelations
from elcurate.match.encode import Pair
from elcurate.match.numbering import Bools, shared_numbers
from elcurate.match.relations import LINK_RELATIONS, related
from elcurate.model.table import Table, factorize


def link_relations(pair: Pair, gold: Table, system: Table) -> LinkRelations:
    """Counts the predicted links on gold spans that are right under each link relation.

    Args:
        pair: Both sides, encoded under any link relation.
        gold, system: The tables that were encoded.
    """
    said, accepted = (
        pl.DataFrame({"span": side.span[side.linked], "row": side.row[side.linked]})
        for side in (pair.system, pair.gold)
    )
    both = said.join(accepted, on="span", suffix="_gold")
    ours, theirs = both["row_gold"].to_numpy(), both["row"].to_numpy()
    values, (gold_entity, system_entity) = shared_numbers((gold, system), "entity")
    accept, say = gold_entity[ours], system_entity[theirs]
    same = accept == say
    unequal = np.flatnonzero(~same)
    used = np.unique(np.concatenate([accept[unequal], say[unequal]]))
    right: dict[str, Bools] = {}
    for name in sorted(LINK_RELATIONS):
        hit = same.copy()
        if name != "raw":
            key = np.zeros(len(values), dtype=np.int64)
            key[used] = factorize(related(values.gather(used), name))[1]
            hit[unequal] = key[accept[unequal]] == key[say[unequal]]
        right[name] = np.zeros(system.links.height, dtype=bool)
        right[name][theirs[hit]] = True
    everywhere = np.logical_and.reduce(list(right.values()))
    somewhere = np.logical_or.reduce(list(right.values()))
    return LinkRelations(
        right={name: int(np.count_nonzero(rows)) for name, rows in right.items()},
        differ=int(np.count_nonzero(somewhere & ~everywhere)),
    )
