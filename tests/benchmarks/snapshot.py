"""Making a snapshot of generated dumps of five million rows, and asking it."""

from __future__ import annotations

import gzip
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TypeVar

from elcurate.kb.dumps import build_snapshot, find_dumps
from elcurate.kb.snapshot import Snapshot
from tests.benchmarks.measure import Row
from tests.kb.dump_files import COLUMNS, head

T = TypeVar("T")

ROWS = 5_000_000
PAGES = ROWS * 3 // 5
OTHERS = ROWS // 5
STATEMENT = 8_000
LOOKUPS = 100_000
WORDS = ("Lima", "Saint", "History", "of", "the", "O\\'Brien", "New", "Zürich", "1984", "(film)")


def rows() -> list[Row]:
    """Rows and look-ups per second and the peak memory, measured in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder))
        command = [sys.executable, "-m", __name__, folder]
        found = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    made, made_alone, looked, looked_alone, memory = (float(part) for part in found.split())
    alone = "the same by the time of the processor"
    return [
        Row(f"{ROWS:,} rows of dumps to a snapshot, rows/s", f"{made:,.0f}", "≥ 200,000"),
        Row(alone, f"{made_alone:,.0f}"),
        Row("peak memory of that process", f"{memory:.2f} GB"),
        Row("look-ups in that snapshot, in one batch, per second", f"{looked:,.0f}", "≥ 50,000"),
        Row(alone, f"{looked_alone:,.0f}"),
    ]


def titles() -> Iterator[str]:
    """Titles in the order of page ids, as a dump writes them; always the same."""
    numbers = random.Random(1)
    for place in range(PAGES):
        words = numbers.choices(WORDS, k=numbers.randint(1, 4))
        yield f"A{'_'.join(words)}_{place}"


def make(folder: Path) -> None:
    """Writes the dumps: two pages in three are articles, the others redirects to any page."""
    numbers = random.Random(2)
    some = list(islice(titles(), OTHERS))
    pages = (
        f"({place},0,'{title}',{int(place % 3 == 2)},0,{numbers.random()},'20240101000000',"
        f"'20240102000000',{place + 10**9},{numbers.randint(20, 90_000)},'wikitext',NULL)"
        for place, title in enumerate(titles())
    )
    redirects = (
        f"({3 * place + 2},0,'{numbers.choice(some)}','','{'' if place % 9 else 'Early life'}')"
        for place in range(OTHERS)
    )
    properties = (
        f"({3 * place},'wikibase_item','Q{place + 1}',NULL)"
        if place % 20
        else f"({3 * place},'disambiguation','',NULL)"
        for place in range(OTHERS)
    )
    for table, made in (("page", pages), ("redirect", redirects), ("page_props", properties)):
        path = folder / f"enwiki-20240101-{table}.sql.gz"
        with gzip.open(path, "wt", compresslevel=3, encoding="utf-8") as out:
            out.write(head(table, COLUMNS[table]))
            while statement := ",".join(islice(made, STATEMENT)):
                out.write(f"INSERT INTO `{table}` VALUES {statement};\n")


def main(folder: Path) -> None:
    """Prints rows and look-ups per second, by the clock and by the processor, and the GB."""
    made, seconds = timed(lambda: build_snapshot(find_dumps(folder), folder / "kb.sqlite"))
    assert (made.pages, made.redirects) == (PAGES, OTHERS)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    every = [title.replace("\\'", "'") for title in titles()]
    asked = [f"http://en.wikipedia.org/wiki/{t}" for t in random.Random(3).sample(every, LOOKUPS)]
    with Snapshot(folder / "kb.sqlite") as snapshot:
        runs = [timed(lambda: snapshot.resolve_all(asked))[1] for _ in range(3)]
    speeds = [ROWS / spent for spent in seconds]
    speeds += [LOOKUPS / min(times) for times in zip(*runs, strict=True)]
    sys.stdout.write(f"{' '.join(map(str, speeds))} {memory}\n")


def timed(step: Callable[[], T]) -> tuple[T, tuple[float, float]]:
    """The result of a step, and its seconds by the clock and by the processor."""
    start, begun = time.perf_counter(), time.process_time()
    result = step()
    return result, (time.perf_counter() - start, time.process_time() - begun)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
