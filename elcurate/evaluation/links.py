"""How much the choice of the link relation matters for one system."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from elcurate.evaluation.records import LinkRelations
from elcurate.match.encode import Pair
from elcurate.match.numbering import Bools, entity_numbers
from elcurate.match.policy import Policy
from elcurate.match.relations import LINK_RELATIONS
from elcurate.model.table import Table


def link_relations(pair: Pair, gold: Table, system: Table, policy: Policy) -> LinkRelations:
    """Counts the predicted links on gold spans that are right under each link relation.

    Args:
        pair: Both sides, encoded under any link relation.
        gold, system: The tables that were encoded.
        policy: Says which ids are NIL.
    """
    said, accepted = (
        pl.DataFrame({"span": side.span[side.linked], "row": side.row[side.linked]})
        for side in (pair.system, pair.gold)
    )
    both = said.join(accepted, on="span", suffix="_gold")
    ours, theirs = both["row_gold"].to_numpy(), both["row"].to_numpy()
    right: dict[str, Bools] = {}
    for name in sorted(LINK_RELATIONS):
        (eid_gold, eid_system), _ = entity_numbers((gold, system), replace(policy, links=name))
        right[name] = np.zeros(system.links.height, dtype=bool)
        right[name][theirs[eid_gold[ours] == eid_system[theirs]]] = True
    everywhere = np.logical_and.reduce(list(right.values()))
    somewhere = np.logical_or.reduce(list(right.values()))
    return LinkRelations(
        right={name: int(np.count_nonzero(rows)) for name, rows in right.items()},
        differ=int(np.count_nonzero(somewhere & ~everywhere)),
    )
