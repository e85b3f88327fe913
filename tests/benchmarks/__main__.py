"""Runs all benchmarks and prints a Markdown table: ``make bench``."""

from __future__ import annotations

import os
import platform

from tests.benchmarks import formats, reading, scoring, snapshot, startup, statistics, tables


def main() -> None:
    """Prints the machine and every row."""
    cores = len(os.sched_getaffinity(0))
    print(f"Python {platform.python_version()}, {platform.machine()}, {cores} cores\n")
    print("| what | measured | target |\n|:--|--:|--:|")
    for module in (startup, reading, tables, formats, scoring, statistics, snapshot):
        for row in module.rows():
            print(f"| {row.what} | {row.value} | {row.target} |")


if __name__ == "__main__":
    main()
