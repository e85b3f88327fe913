"""Pairs the brackets of entities in CoNLL-U, over words, sentences and pieces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from elcurate.errors import ReadError
from elcurate.formats.conllu_entity import Header, Values
from elcurate.model.change import Repair

_CHUNK = re.compile(r"\([^()]+\)?|[^()]+\)|.")
_PIECE = re.compile(r"([^\[]+)\[([0-9]+)/([0-9]+)\]")


@dataclass
class Marked:
    """A mention as its brackets mark it.

    Attributes:
        values: The fields.
        line: Where it begins.
        pieces: First and last node of each piece; -1 while it is open.
        total: How many pieces it has.
        extra: The fields that elcurate adds, or None.
    """

    values: Values
    line: int
    pieces: list[tuple[int, int]] = field(default_factory=list)
    total: int = 1
    extra: Any = None


class Pairing:
    """Pairs the brackets of a document.

    Attributes:
        found: The mentions in the order in which they begin.
    """

    def __init__(self, header: Header, path: str, document: str) -> None:
        self.header = header
        self.path = path
        self.document = document
        self.found: list[Marked] = []
        self.repairs: list[Repair] = []
        self._open: dict[str, list[Marked]] = {}
        self._broken: dict[tuple[str, str], list[Marked]] = {}

    def node(self, node: int, cell: str, line: int) -> Iterator[Marked]:
        """Reads the brackets at a node, and passes on the mentions that begin there."""
        for chunk in _CHUNK.findall(cell):
            inner = chunk.strip("()")
            if not inner or (chunk[0] != "(" and chunk[-1] != ")"):
                raise ReadError(
                    f"{cell!r} are no brackets of entities",
                    path=self.path,
                    line=line,
                    document=self.document,
                    remedy="Entities begin with ( and end with ), for example (e1-person-1).",
                )
            if chunk[0] == "(":
                marked, fresh = self._begin(inner, node, line)
                if fresh:
                    yield marked
                if chunk[-1] == ")":
                    marked.pieces[-1] = (node, node)
                else:
                    self._open.setdefault(marked.values[self.header.id], []).append(marked)
            else:
                self._end(self.header.closing(inner), node, line)

    def _begin(self, inner: str, node: int, line: int) -> tuple[Marked, bool]:
        values = self.header.values(inner)
        name = values.get(self.header.id, "")
        piece = _PIECE.fullmatch(name)
        if piece is None:
            if not name:
                raise ReadError(
                    f"({inner} has no {self.header.id}",
                    path=self.path,
                    line=line,
                    document=self.document,
                    remedy=f"The fields are {self.header.text}.",
                )
            marked = Marked(values, line, [(node, -1)])
            self.found.append(marked)
            return marked, True
        values[self.header.id] = piece[1]
        waiting = self._broken.setdefault((piece[1], piece[3]), [])
        for marked in reversed(waiting):
            if len(marked.pieces) + 1 == int(piece[2]) and marked.pieces[-1][1] >= 0:
                marked.pieces.append((node, -1))
                return marked, False
        if piece[2] != "1":
            self._repair("piece-without-first", line, f"({inner}")
        marked = Marked(values, line, [(node, -1)], int(piece[3]))
        waiting.append(marked)
        self.found.append(marked)
        return marked, True

    def _end(self, name: str, node: int, line: int) -> None:
        waiting = self._open.get(name)
        if not waiting:
            piece = _PIECE.fullmatch(name)
            waiting = self._open.get(piece[1]) if piece else None
        if not waiting:
            self._repair("bracket-not-opened", line, f"{name})")
            return
        marked = waiting.pop()
        marked.pieces[-1] = (marked.pieces[-1][0], node)

    def closed(self) -> list[Marked]:
        """The mentions that end; the others are left out and reported."""
        kept = []
        for marked in self.found:
            pieces = [piece for piece in marked.pieces if piece[1] >= 0]
            if len(pieces) < len(marked.pieces):
                name = marked.values[self.header.id]
                self._repair("bracket-not-closed", marked.line, f"({name}")
            elif len(pieces) < marked.total:
                self._repair("piece-missing", marked.line, f"({marked.values[self.header.id]}")
            if pieces:
                marked.pieces = pieces
                kept.append(marked)
        return kept

    def _repair(self, kind: str, line: int, before: str) -> None:
        self.repairs.append(Repair(kind=kind, where=f"{self.path}:{line}", before=before))
