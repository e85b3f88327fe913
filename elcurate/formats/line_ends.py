"""Lines of formats in which a carriage return at the end of a line means nothing."""

from __future__ import annotations

from collections.abc import Iterator

from elcurate.formats.source import Source
from elcurate.model.change import Repair


def lines(source: Source) -> Iterator[tuple[int, str]]:
    """The numbered lines without carriage returns at their ends; the first is reported."""
    seen = False
    for number, line in source.lines():
        if line[-1:] == "\r":
            if not seen:
                source.repairs.append(Repair(kind="crlf", where=f"{source.path}:{number}"))
                seen = True
            yield number, line[:-1]
        else:
            yield number, line
