"""The sentences of a CoNLL-U document: comments, rows, and the text that the rows make.

A surface token is a word or a multiword range. Words inside of a range have its place; empty nodes
lie between the tokens around them. ``SpaceAfter=No``, and UDPipe's ``SpacesAfter``,
``SpacesBefore`` and ``SpacesInToken``, say what is between tokens; between sentences there is a
blank, or a line end before ``# newpar``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from elcurate.errors import ReadError
from elcurate.formats.detokenise import STYLES, Made, detokenise
from elcurate.model.change import Repair

TAB = "\t"
TABS = 9
_ESCAPES = {"s": " ", "t": "\t", "r": "\r", "n": "\n", "p": "|", "\\": "\\"}
_ESCAPE = re.compile(r"\\([strnp\\])")
_ESCAPED = re.compile(r"[ \t\r\n|\\]")
_CODES = {value: f"\\{key}" for key, value in _ESCAPES.items()}
_NEWPAR = re.compile(r"#\s*newpar\b")
_RANGE = re.compile(r"([0-9]+)-([0-9]+)")
_EMPTY = re.compile(r"[0-9]+\.[0-9]+")


@dataclass
class Sentence:
    """Lines of a file up to a blank one.

    Attributes:
        line: The number of the first row.
        comments: The lines before the rows.
        rows: One line per word, multiword range or empty node.
    """

    line: int = 0
    comments: list[str] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, text: str) -> Sentence:
        """From the lines of `block`."""
        lines = text.split("\n")
        rows = [number for number, line in enumerate(lines) if not line.startswith("#")]
        first = rows[0] if rows else len(lines)
        return cls(comments=lines[:first], rows=lines[first:])

    def block(self) -> str:
        """Comments and rows, without brackets, as lines of one text."""
        rows = [
            stripped(row) if "Entity=" in row or "Elcurate=" in row else row for row in self.rows
        ]
        return "\n".join((*self.comments, *rows))


def stripped(row: str) -> str:
    """A row without the annotations that become mentions; a range has none."""
    if "-" in row[: row.index("\t")]:
        return row
    head, _, misc = row.rpartition("\t")
    items = [item for item in misc.split("|") if not item.startswith(("Entity=", "Elcurate="))]
    return f"{head}\t{'|'.join(items) or '_'}"


class Mark(NamedTuple):
    """The brackets at a node, with what elcurate adds to them, and their line."""

    node: int
    entity: str
    extra: str
    line: int


def escaped(blanks: str) -> str:
    r"""White space as MISC writes it: ``\s\n``."""
    return _ESCAPED.sub(lambda match: _CODES[match[0]], blanks)


def unescaped(value: str) -> str:
    """The inverse of `escaped`."""
    return _ESCAPE.sub(lambda match: _ESCAPES[match[1]], value)


class Layout:
    """What the rows of a document say of its tokens.

    Attributes:
        nodes: For each node the number of its surface token; for an empty node that of the token
            after it, inverted.
        marks: The brackets, in order.
        repairs: Brackets at multiword ranges, which stay where they are.
    """

    def __init__(self, path: str, document: str, sentences: Sequence[Sentence]) -> None:
        self.path = path
        self.document = document
        self.nodes: list[int] = []
        self.marks: list[Mark] = []
        self.repairs: list[Repair] = []
        self._lead = ""
        self._after: dict[int, str] = {}
        self._joins: dict[int, str] = {}
        self._forms: list[list[str]] = []
        self._count = 0
        for sentence in sentences:
            if self._count and sentence.rows:
                newpar = any(map(_NEWPAR.match, sentence.comments))
                self._joins[self._count - 1] = "\n" if newpar else " "
            self._sentence(sentence)

    def _sentence(self, sentence: Sentence) -> None:
        forms: list[str] = []
        nodes, token, stop = self.nodes, self._count, 0
        for line, row in enumerate(sentence.rows, sentence.line):
            if row.count("\t") != TABS:
                raise self.error(f"{row.count(TAB) + 1} columns", line)
            name, form, _ = row.split("\t", 2)
            misc = row[row.rindex("\t") + 1 :]
            if name.isdecimal():
                if stop and int(name) <= stop:
                    nodes.append(token - 1)
                    if misc != "_":
                        self._mark(misc, line)
                    continue
                nodes.append(token)
                stop = 0
            elif _EMPTY.fullmatch(name):
                nodes.append(~token)
                if misc != "_":
                    self._mark(misc, line)
                continue
            else:
                stop = self._last(name, line)
            forms.append(form)
            if misc != "_":
                if "Space" in misc:
                    self._spaces(misc, token, forms)
                if not stop:
                    self._mark(misc, line)
                elif "Entity=" in misc:
                    where = f"{self.path}:{line}"
                    repair = Repair(kind="entity-at-range", where=where, before=misc)
                    self.repairs.append(repair)
            token += 1
        self._count = token
        self._forms.append(forms)

    def _last(self, name: str, line: int) -> int:
        match = _RANGE.fullmatch(name)
        if match is None or int(match[2]) < int(match[1]):
            raise self.error(f"{name!r} is no word number", line)
        return int(match[2])

    def _spaces(self, misc: str, token: int, forms: list[str]) -> None:
        for item in misc.split("|"):
            key, _, value = item.partition("=")
            if item == "SpaceAfter=No":
                self._after.setdefault(token, "")
            elif key == "SpacesAfter":
                self._after[token] = unescaped(value)
            elif key == "SpacesInToken":
                forms[-1] = unescaped(value)
            elif key == "SpacesBefore" and not token:
                self._lead = unescaped(value)
            elif key == "SpacesBefore":
                known = self._joins.get(token - 1, " ")
                self._after[token - 1] = self._after.get(token - 1, known) + unescaped(value)

    def _mark(self, misc: str, line: int) -> None:
        if "Entity=" not in misc:
            return
        entity = extra = ""
        for item in misc.split("|"):
            if item.startswith("Entity="):
                entity = item[7:]
            elif item.startswith("Elcurate="):
                extra = item[9:]
        if entity:
            self.marks.append(Mark(len(self.nodes) - 1, entity, extra, line))

    def made(self) -> Made:
        """The text with tokens and sentences."""
        after = self._joins | self._after
        lead = [[""]] if self._lead else []
        if lead:
            after = {0: self._lead} | {token + 1: blanks for token, blanks in after.items()}
        made = detokenise([*lead, *self._forms], STYLES.get("space"), after)
        return Made(made.text, made.tokens[len(lead) :], made.sentences[len(lead) :])

    def error(self, message: str, line: int) -> ReadError:
        """An error at a row."""
        return ReadError(
            message,
            path=self.path,
            line=line,
            document=self.document,
            remedy="A row has ten columns, the first of which is 1, 2-3 or 2.1.",
        )
