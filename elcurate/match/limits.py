"""Which mentions count, and how far they go: ends of sentences, and the mentions of a reference."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from elcurate.match.numbering import Bools, Ints
from elcurate.model.table import Table


def cut_at_sentences(gold: Table, system: Table) -> Table:
    """The system's table with mentions that end with the gold sentence in which they begin.

    Mentions that begin outside all sentences, and those of documents without any, stay whole.
    """
    places = system.links.select(
        pl.col("document").cast(pl.String), "begin", "end", pl.int_range(pl.len()).alias("row")
    )
    sentences = gold.sentences.rename({"end": "last"}).sort("begin", "last")
    ends = (
        places.sort("begin")
        .join_asof(sentences, on="begin", by="document", check_sortedness=False)
        .sort("row")
        .select(
            pl.when(pl.col("begin") < pl.col("last"))
            .then(pl.min_horizontal("end", "last"))
            .otherwise("end")
            .alias("end")
        )
    )
    return replace(system, links=system.links.with_columns(ends["end"]))


def overlapping(mentions: tuple[Ints, Ints, Ints], others: tuple[Ints, Ints, Ints]) -> Bools:
    """Whether each mention shares a character with one of the others.

    Args:
        mentions, others: Number of the document, begin and end of each.
    """
    if not len(others[0]):
        return np.zeros(len(mentions[0]), dtype=bool)
    low = min(int(part[1].min(initial=0)) for part in (mentions, others))
    reach = max(int(part[2].max(initial=0)) for part in (mentions, others)) - low + 1
    (begin, end), (first, last) = (
        [document * reach + offset - low for offset in offsets]
        for document, *offsets in (mentions, others)
    )
    order = np.argsort(first, kind="stable")
    furthest = np.maximum.accumulate(last[order])
    before = np.searchsorted(first[order], end, side="left")
    return (before > 0) & (begin < end) & (furthest[before - 1] > begin)
