"""Examples in Markdown: console blocks, and whether an output is what they show."""

from __future__ import annotations

import re
from collections.abc import Iterator

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples(text: str) -> Iterator[tuple[str, list[str]]]:
    """(command, lines shown) of a console block."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, [line.rstrip() for line in shown.splitlines()]


def matches(shown: list[str], output: str) -> bool:
    """Whether the shown lines occur in order; … stands for anything."""
    pattern = ""
    for line in shown:
        pattern += ".*" if line == "…" else re.escape(line).replace("…", ".*") + r"\s*\n"
    return re.search(pattern, output, re.DOTALL) is not None
