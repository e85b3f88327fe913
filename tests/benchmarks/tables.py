"""Reading tabular files into a table: speed of each format, and the memory for a large file."""

from __future__ import annotations

import random
import resource
import sys
import tempfile
import time
from pathlib import Path

from elcurate.formats.io import read_table
from tests.benchmarks.generated import gold_and_system
from tests.benchmarks.measure import Row, in_process

MENTIONS = 500_000
LARGE = 1 << 30


def rows() -> list[Row]:
    """Mentions and megabytes per second, and the peak memory for a file of 1 GB."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ("x.tsv", "x.links.parquet"):
            path = Path(folder) / name
            _make(path, MENTIONS)
            start = time.perf_counter()
            table = read_table(path)
            seconds = time.perf_counter() - start
            speed, size = table.links.height / seconds, path.stat().st_size / 1e6 / seconds
            found.append(Row(f"{name[1:]} to a table, mentions/s", f"{speed:,.0f}", "≥ 200,000"))
            if name.endswith(".tsv"):
                found.append(Row("the same, MB/s", f"{size:.0f}", "≥ 20"))
    memory = in_process(__name__)
    return [*found, Row("peak memory for a TSV of 1 GB", f"{float(memory):.2f} GB", "< 2 GB")]


def _make(path: Path, mentions: int) -> None:
    gold, _ = gold_and_system(mentions)
    if path.suffix == ".parquet":
        gold.links.write_parquet(path)
        return
    numbers = random.Random(1)
    with path.open("w", encoding="utf-8") as out:
        for document, begin, end, entity in gold.links.select(
            "document", "begin", "end", "entity"
        ).iter_rows():
            out.write(f"{document}\t{begin}\t{end - 1}\t{entity}\t{numbers.random():.4f}\tPerson\n")


def _large() -> None:
    """Prints the peak memory of reading a file of 1 GB, made of numbered copies."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.tsv"
        _make(path, 100_000)
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        copies = -(-LARGE // path.stat().st_size)
        with path.open("w", encoding="utf-8") as out:
            for copy in range(copies):
                out.writelines(f"{copy}-{line}" for line in lines)
        del lines
        read_table(path)
        sys.stdout.write(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6}")


if __name__ == "__main__":
    _large()
