"""Timing: the best of several runs, and a fresh process for each measurement of memory."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One line of the report."""

    what: str
    value: str
    target: str = ""


def best(step: Callable[[], object], runs: int = 5) -> float:
    """The shortest wall time of several runs, in seconds."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        step()
        times.append(time.perf_counter() - start)
    return min(times)


def process(*arguments: str, runs: int = 5) -> float:
    """The shortest wall time of a Python process, in seconds."""
    command = [sys.executable, *arguments]
    return best(lambda: subprocess.run(command, check=True, capture_output=True), runs)


def in_process(module: str) -> str:
    """What a module prints when it is run by a Python of its own."""
    command = [sys.executable, "-m", module]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
