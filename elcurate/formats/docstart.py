"""Files whose documents begin with a ``-DOCSTART-`` line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from elcurate.formats.source import Source
from elcurate.model.change import Repair

START = "-DOCSTART-"
_IN_PARENTHESES = re.compile(rf"{START}[ \t]*\((.*)\)[^()]*", re.DOTALL)


class Part(NamedTuple):
    r"""The lines of one document.

    Attributes:
        number: The number of the first line after the ``-DOCSTART-`` line.
        start: The ``-DOCSTART-`` line; None for what comes before the first one.
        body: The lines after it, with ``\n`` between them.
    """

    number: int
    start: str | None
    body: str


def parts(source: Source) -> Iterator[Part]:
    """The documents of a file, streaming; CRLF line ends are a repair."""
    start: str | None = None
    number, pieces = 1, [""]
    for first, chunk in _chunks(source):
        text = f"\n{chunk}"
        at, line = 0, first
        while (stop := text.find(f"\n{START}", at)) >= 0:
            pieces.append(text[at:stop])
            body = "".join(pieces)[1:]
            if start is not None or body.strip():
                yield Part(number, start, body)
            line += text.count("\n", at, stop)
            at = text.find("\n", stop + 1)
            at = len(text) if at < 0 else at
            start = text[stop + 1 : at]
            line += 1
            number, pieces = line, []
        pieces.append(text[at:])
    body = "".join(pieces)[1:]
    if start is not None or body.strip():
        yield Part(number, start, body)


def stated_id(start: str) -> str | None:
    """The id in the parentheses of a ``-DOCSTART-`` line."""
    match = _IN_PARENTHESES.fullmatch(start)
    return match[1] if match else None


def is_filled(start: str) -> bool:
    """Whether a ``-DOCSTART-`` line has the columns of CoNLL-2003."""
    return start.split()[-1] in ("O", "-X-")


def _chunks(source: Source) -> Iterator[tuple[int, str]]:
    crlf = False
    for number, text in source.chunks():
        if "\r" not in text:
            yield number, text
            continue
        changed = text.replace("\r\n", "\n").removesuffix("\r")
        if changed != text and not crlf:
            crlf = True
            source.repairs.append(Repair(kind="crlf", where=f"{source.path}:{number}"))
        yield number, changed
