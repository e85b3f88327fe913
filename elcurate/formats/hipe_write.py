"""Writes HIPE-2022's TSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO

from elcurate.formats.base import Writing
from elcurate.formats.features import EVERYTHING
from elcurate.formats.hipe_columns import (
    BREAKS,
    COMMENT,
    HEADER,
    ID,
    PLACE,
    default_rows,
    is_id,
    made_of,
)
from elcurate.formats.hipe_marks import Marks
from elcurate.formats.tokenise import Cut, tokenise
from elcurate.model.change import Loss
from elcurate.model.corpus import Document, Span

KEEPS = EVERYTHING - {
    "no-text",
    "tags",
    "fragments",
    "surfaces",
    "repeated-spans",
    "scores",
    "link-attributes",
}


def write(writing: Writing, out: BinaryIO) -> None:
    """Writes the documents that have a text."""
    out.write(f"{HEADER}\n".encode())
    for document in writing.documents:
        if document.text is None:
            reason = "the format consists of tokens"
            writing.losses.append(Loss(kind="document", where=document.id, reason=reason))
            continue
        lines = _Document(document, document.text, writing).lines()
        out.write("".join(f"{line}\n" for line in (*lines, "")).encode())


class _Document:
    def __init__(self, document: Document, text: str, writing: Writing) -> None:
        self.document = document
        self.text = text
        self.writing = writing
        stated = document.metadata.get("rows")
        kept = stated.split("\n") if isinstance(stated, str) else None
        self.keeps = kept is not None and self._fits(kept)
        if kept is not None and self.keeps:
            self.body = kept
            self.cut = Cut(
                [token.begin for token in document.tokens],
                [token.end for token in document.tokens],
                [],
            )
        else:
            self.cut = tokenise(document, text, writing)
            self.body = self._new()

    def _fits(self, lines: Sequence[str]) -> bool:
        """Whether rows as read still make the text, the tokens and the sentences."""
        rows = [line.split("\t") for line in lines if "\t" in line]
        if any(len(row) != len(PLACE) for row in rows):
            return False
        document = self.document
        return _made(lines) == (self.text, document.tokens, document.sentences)

    def _new(self) -> list[str]:
        tokens = list(map(_span, self.cut.begins, self.cut.ends))
        sentences = self.cut.sentence_spans() if self.document.sentences else ()
        lines = list(default_rows(self.text, tokens, sentences))
        if _made(lines)[0] != self.text:
            for kind in ("text", "offsets"):
                self.lose(kind, "between tokens there is a blank, a line end or nothing")
        return lines

    def lines(self) -> Iterator[str]:
        """The comments and the rows."""
        yield from self._comments()
        rows = [line.split("\t") for line in self.body if "\t" in line]
        marks = Marks(self.document, self.cut, rows, self.writing)
        marks.write()
        after = iter(rows)
        for line in self.body:
            yield "\t".join(next(after)) if "\t" in line else line

    def _comments(self) -> Iterator[str]:
        facts = dict(self.document.metadata)
        others = facts.pop("comments", None)
        gone = ["rows"] if facts.pop("rows", None) is not None and not self.keeps else []
        name = BREAKS.sub(" ", self.document.id).strip()
        if name != self.document.id or not name:
            self.lose("document-id", "a comment is one line, without outer blanks")
        if not any(map(is_id, facts)):
            yield f"# {ID} = {name}"
        for key, value in facts.items():
            line = f"# {key} = {name if is_id(key) else value}"
            match = COMMENT.fullmatch(line)
            if match is None or match.groups() != (key, value) or BREAKS.search(line):
                gone.append(key)
            else:
                yield line
        for other in others if isinstance(others, list) else []:
            if isinstance(other, str) and other.startswith("#") and not BREAKS.search(other):
                yield other
            else:
                gone.append("comments")
        if gone:
            self.lose("metadata", "no line of comment, or rows of other tokens", ", ".join(gone))

    def lose(self, kind: str, reason: str, what: str = "") -> None:
        """Reports what is not written of the document."""
        where = self.document.id
        self.writing.losses.append(Loss(kind=kind, where=where, what=what, reason=reason))


def _span(begin: int, end: int) -> Span:
    return Span(begin=begin, end=end)


def _made(lines: Sequence[str]) -> tuple[str, tuple[Span, ...], tuple[Span, ...]]:
    rows = [line.split("\t") for line in lines if "\t" in line]
    return made_of([row[0] for row in rows], [row[-1] for row in rows])
