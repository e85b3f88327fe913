"""Rows of cells: lines read cell by cell, and values made to fit into cells.

For formats of lines with tabs between the cells, where nothing can be quoted.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from elcurate.errors import ReadError
from elcurate.formats.base import Writing
from elcurate.formats.checks import LIMIT
from elcurate.formats.source import Source
from elcurate.model.change import Loss, Repair
from elcurate.model.corpus import Document, Mention

_BREAKS = re.compile(r"[\t\r\n]")
_WHOLE = re.compile(r"-?[0-9]{1,18}")
_NUMBER = re.compile(
    r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|[+-]?(?:nan|inf(?:inity)?)", re.IGNORECASE
)
_EXACT = 2**53


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a file.

    Attributes:
        source: The file.
        line: Its number, from 1.
        text: The line without its end.
    """

    source: Source
    line: int
    text: str

    @property
    def cells(self) -> list[str]:
        """What is between the tabs."""
        return self.text.split("\t")

    def error(self, message: str, remedy: str) -> ReadError:
        """An error at this line."""
        return ReadError(message, path=self.source.path, line=self.line, remedy=remedy)

    def repair(self, kind: str, before: str = "", after: str = "") -> None:
        """Reports a repair at this line."""
        where = f"{self.source.path}:{self.line}"
        self.source.repairs.append(Repair(kind=kind, where=where, before=before, after=after))

    def whole(self, cell: str, what: str) -> int:
        """A cell as a whole number.

        Raises:
            ReadError: when it is none, or beyond all offsets.
        """
        if _WHOLE.fullmatch(cell) is None:
            raise self.error(f"{cell[:40]!r} is no {what}", f"An {what} is a whole number.")
        if abs(int(cell)) >= LIMIT:
            raise self.error(f"the {what} {cell} is absurd", "Numbers are below 2^53.")
        return int(cell)

    def score(self, cell: str) -> float | None:
        """A cell as a score; None when it is empty or not finite.

        Raises:
            ReadError: when it is no number.
        """
        if not cell:
            return None
        if _NUMBER.fullmatch(cell) is None:
            raise self.error(f"{cell[:40]!r} is no score", "Scores are numbers.")
        score = float(cell)
        if math.isfinite(score):
            return score
        self.repair("score-not-finite", cell, "no score")
        return None


def is_score(cell: str) -> bool:
    """Whether a cell is a number, finite or not."""
    return _NUMBER.fullmatch(cell) is not None


def rows(source: Source) -> Iterator[Row]:
    """The lines that are not blank; carriage returns at their ends are reported once."""
    crlf = False
    for number, line in source.lines():
        text = line
        if line.endswith("\r"):
            text = line[:-1]
            if not crlf:
                source.repairs.append(Repair(kind="crlf", where=f"{source.path}:{number}"))
            crlf = True
        if text.strip(" "):
            yield Row(source, number, text)


def flat(value: str) -> str:
    """A value with a blank for each tab and line end, so that it is as long as before."""
    return _BREAKS.sub(" ", value)


def number(score: float) -> str:
    """A score as briefly as can be without changing it."""
    return str(int(score)) if score.is_integer() and abs(score) < _EXACT else repr(score)


class Cells:
    """Values as cells; what had to be changed is reported.

    Args:
        writing: What is being written.
    """

    def __init__(self, writing: Writing) -> None:
        self.losses = writing.losses
        self._names: set[str] = set()

    def lose(self, kind: str, where: str, what: str = "", reason: str = "") -> None:
        """Reports what is not written as it was."""
        self.losses.append(Loss(kind=kind, where=where, what=what, reason=reason))

    def cell(self, value: str, kind: str, where: str) -> str:
        """A value as a cell."""
        changed = flat(value)
        if changed != value:
            self.lose(kind, where, value, "tabs and line ends become blanks")
        return changed

    def name(self, document: Document, forbidden: str = "") -> str:
        """A document's id as a cell, without forbidden characters and different from all others."""
        stem = flat(document.id).lstrip("\ufeff") or "-"
        for char in forbidden:
            stem = stem.replace(char, "_")
        name, count = stem, 1
        while name in self._names:
            count += 1
            name = f"{stem}~{count}"
        self._names.add(name)
        if name != document.id:
            self.lose("document-id", document.id, document.id, f"written as {name}")
        return name


def one_per_span(mentions: Iterable[Mention]) -> list[Mention]:
    """Mentions of one span as one mention with all their links, the first one's otherwise."""
    spans: dict[tuple[int, int], Mention] = {}
    for mention in mentions:
        known = spans.setdefault(mention.span, mention)
        if known is not mention:
            links = known.links + mention.links
            spans[mention.span] = known.model_copy(update={"links": links})
    return list(spans.values())
