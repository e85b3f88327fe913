"""Corpus statistics as a table, one column per corpus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from elcurate.evaluation.corpus_stats import CorpusStats, Ratio
from elcurate.report.tables import UNDEFINED, Cell, Grid
from elcurate.report.text import ROOM, print_grid, rendered


def render_stats(corpora: Sequence[CorpusStats], stream: TextIO | None = None) -> str:
    """The counts of corpora side by side, for a stream."""
    return rendered(lambda console: print_grid(stats_grid(corpora), console), stream, ROOM)


def stats_grid(corpora: Sequence[CorpusStats]) -> Grid:
    """The table of counts: overall, types, categories."""
    rows: list[tuple[Cell, ...]] = []
    for name in CorpusStats.model_fields:
        values = [getattr(corpus, name) for corpus in corpora]
        if name not in ("name", "types", "categories"):
            label = Cell(name.replace("_", " "))
            rows.append((label, *(Cell(_shown(value)) for value in values)))
    types = dict.fromkeys(name for corpus in corpora for name in corpus.types)
    if types:
        rows.append((Cell("types"),))
    for name in types:
        rows.append((Cell(name), *(Cell(f"{corpus.types.get(name, 0):,}") for corpus in corpora)))
    for dimension in corpora[0].categories:
        rows.append((Cell(dimension.replace("_", " ")),))
        for leaf in corpora[0].categories[dimension]:
            counts = (Cell(f"{corpus.categories[dimension][leaf]:,}") for corpus in corpora)
            rows.append((Cell(leaf.replace("_", " ")), *counts))
    return Grid("Corpora", ("", *(corpus.name for corpus in corpora)), 1, tuple(rows))


def _shown(value: int | float | Ratio | None) -> str:
    if value is None:
        return UNDEFINED
    if isinstance(value, Ratio):
        return UNDEFINED if value.mean is None else f"{value.mean:.2f} (at most {value.max})"
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"
