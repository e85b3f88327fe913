"""Intervals and tests from files to tables, in processes of their own."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import polars as pl

from tests.benchmarks.generated import gold_and_system
from tests.benchmarks.measure import Row, process

SIZE = 100_000
SYSTEMS = 10


def rows() -> list[Row]:
    """Seconds for one system's intervals, and for the tests of all pairs of ten."""
    with tempfile.TemporaryDirectory() as folder:
        gold, *systems = _files(Path(folder))
        elcurate = ("-m", "elcurate")
        confidence = process(*elcurate, "confidence", "-g", gold, systems[0], runs=3)
        significance = process(*elcurate, "significance", "-g", gold, *systems, runs=3)
    what = f"{SIZE:,} mentions, 5 measures, 10,000 trials"
    pairs = f"{SYSTEMS} systems ({SYSTEMS * (SYSTEMS - 1) // 2} pairs)"
    return [
        Row(f"elcurate confidence, {what}", f"{confidence:.2f} s", "< 5 s"),
        Row(f"elcurate significance, {pairs}, {what}", f"{significance:.2f} s", "< 5 s"),
    ]


def _files(folder: Path) -> list[str]:
    """The gold, and systems of which each has some more wrong links, as TSV."""
    gold, system = gold_and_system(SIZE)
    frames = [gold.links.with_columns(pl.col("entity").cast(pl.String))]
    for number in range(SYSTEMS):
        wrong = np.random.default_rng(number).random(SIZE) < 0.02 * number
        entity = (
            pl.when(pl.Series(wrong))
            .then(pl.lit("Wrong"))
            .otherwise(pl.col("entity").cast(pl.String))
        )
        frames.append(system.links.with_columns(entity=entity))
    paths = []
    for place, frame in enumerate(frames):
        path = folder / f"{'gold' if not place else f'system{place}'}.tsv"
        frame.select(
            "document",
            "begin",
            pl.col("end") - 1,
            pl.col("entity").fill_null("NIL"),
            "score",
            "type",
        ).write_csv(path, separator="\t", include_header=False)
        paths.append(str(path))
    return paths
