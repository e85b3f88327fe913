"""Writes CoNLL-2012 coreference: twelve columns, or those that the document was read with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from elcurate.formats.base import Writing
from elcurate.formats.coref_chains import chain_of
from elcurate.formats.detokenise import KEY, STYLES, detokenise
from elcurate.formats.features import EVERYTHING, place
from elcurate.formats.tokenise import Cut, tokenise
from elcurate.model.change import Loss
from elcurate.model.corpus import Document, Mention

KEEPS = EVERYTHING - {
    "no-text",
    "tags",
    "fragments",
    "surfaces",
    "mention-attributes",
    "several-links",
    "scores",
    "types",
    "categories",
    "link-attributes",
}
FIRST_PART = "000"
_EMPTY = "\t-\t*\t-\t-\t-\t-\t*\t"
_PART = re.compile(r"(.*); part ([0-9]+)", re.DOTALL)
_NAMED = re.compile(r"\((.*)\)\s*;?\s*(?:part\s+(\S+?))?\s*;?", re.DOTALL)
_BEGIN = re.compile(r"\S(?:[^\t\r\n]*\S)?")
_BREAKS = re.compile(r"[\t\r\n]")
_NO_CHAIN = re.compile(r"[\s()|]")


def document_id(header: str) -> str:
    """The id of a document in what follows ``#begin document``; its first part has no number."""
    match = _NAMED.fullmatch(header)
    if match is None:
        return header.rstrip("; ")
    name, part = match[1], match[2] or ""
    return name if part.strip("0") == "" else f"{name}; part {part}"


def default_header(name: str) -> str:
    """What follows ``#begin document`` for a document id."""
    match = _PART.fullmatch(name)
    if match is None or match[2].strip("0") == "":
        return f"({name}); part {FIRST_PART}"
    return f"({match[1]}); part {match[2]}"


def default_rows(name: str, sentences: Sequence[Sequence[str]]) -> list[str]:
    """Rows of twelve columns, without the last one."""
    match = _PART.fullmatch(name)
    part = int(match[2]) if match else 0
    head = f"{match[1] if match and part else name}\t{part}\t"
    return [
        f"{head}{number}\t{word}{_EMPTY}"
        for sentence in sentences
        for number, word in enumerate(sentence)
    ]


def word_column(cells: Sequence[str]) -> int:
    """Where the token is: after document, part and number, after a number, or first."""
    for column in (3, 2, 1):
        if len(cells) > column + 1 and cells[column - 1].isdecimal():
            return column
    return 0


def write(writing: Writing, out: BinaryIO) -> None:
    """Writes the documents that have a text."""
    style = STYLES.get(str(writing.metadata.get(KEY, "space")))
    for document in writing.documents:
        if document.text is None:
            reason = "the format consists of tokens"
            writing.losses.append(Loss(kind="document", where=document.id, reason=reason))
            continue
        cut = tokenise(document, document.text, writing)
        words = [
            [
                _BREAKS.sub(" ", document.text[cut.begins[number] : cut.ends[number]])
                for number in numbers
            ]
            for numbers in cut.sentences
        ]
        if detokenise(words, style).text != document.text:
            for kind in ("text", "offsets"):
                reason = f"tokens in the style {style.name} make another text"
                writing.losses.append(Loss(kind=kind, where=document.id, reason=reason))
        cells = _Cells(document, cut, writing)
        rows = _rows(document, words, writing)
        out.write(f"#begin document {_header(document, writing)}\n".encode())
        for numbers in cut.sentences:
            lines = [rows[number] + cells.cell(number) + "\n" for number in numbers]
            out.write("".join((*lines, "\n")).encode())
        out.write(b"#end document\n")


def _header(document: Document, writing: Writing) -> str:
    stated = document.metadata.get("begin")
    if isinstance(stated, str) and _BEGIN.fullmatch(stated) and document_id(stated) == document.id:
        return stated
    header = default_header(document.id)
    changed = _BREAKS.sub(" ", header)
    if changed != header:
        reason = "tabs and line ends become blanks"
        writing.losses.append(Loss(kind="document-id", where=document.id, reason=reason))
    return changed


def _rows(document: Document, words: Sequence[Sequence[str]], writing: Writing) -> list[str]:
    """The columns before the last: as read, if they still have the document's tokens."""
    text = document.metadata.get("rows")
    stated = text.split("\n") if isinstance(text, str) else None
    flat = [word for sentence in words for word in sentence]
    kept = {"begin", "rows"} & document.metadata.keys()
    if stated is None or not _fit(stated, flat):
        kept.discard("rows")
    gone = [name for name in document.metadata if name not in kept]
    if gone:
        writing.losses.append(
            Loss(
                kind="metadata",
                where=document.id,
                what=", ".join(gone),
                reason="no place, or rows of other tokens",
            )
        )
    if "rows" in kept and stated is not None:
        return stated
    return default_rows(_BREAKS.sub(" ", document.id), words)


def _fit(rows: Sequence[str], words: Sequence[str]) -> bool:
    """Whether rows without their last column have these tokens."""
    if len(rows) != len(words):
        return False
    tabs = "\t" in rows[0]
    cells = [row.split("\t") if tabs else [*row.split(), ""] for row in rows]
    column = word_column(cells[0])
    return all(
        len(row) > column + 1 and row[column] == word
        for row, word in zip(cells, words, strict=True)
    )


class _Cells:
    """The last column: the brackets at each token."""

    def __init__(self, document: Document, cut: Cut, writing: Writing) -> None:
        self.document = document
        self.writing = writing
        self.opening: dict[int, list[str]] = {}
        self.closing: dict[int, list[str]] = {}
        self.numbers: dict[str, str] = {}
        self.taken = set(self._stated())
        self.next = 0
        inside: dict[str, list[int]] = {}
        moved = False
        for mention in document.mentions:
            numbers = cut.inside(mention.begin, mention.end)
            if not numbers:
                self.lose(mention, "mention", "it covers no token")
                continue
            chain = self.chain(mention)
            open_ = inside.setdefault(chain, [])
            while open_ and open_[-1] <= numbers[0]:
                open_.pop()
            if open_ and open_[-1] < numbers.stop:
                self.lose(mention, "mention", "it crosses another of its chain")
                continue
            open_.append(numbers.stop)
            self.add(chain, numbers)
            edges = cut.begins[numbers[0]], cut.ends[numbers[-1]]
            moved = moved or edges != mention.span
        if moved:
            reason = "a mention begins or ends with white space"
            writing.losses.append(Loss(kind="offsets", where=document.id, reason=reason))

    def cell(self, number: int) -> str:
        """The brackets at a token; a hyphen when there are none."""
        return "|".join((*self.opening.get(number, ()), *self.closing.get(number, ()))) or "-"

    def add(self, chain: str, numbers: range) -> None:
        """Brackets around tokens."""
        one = len(numbers) == 1
        self.opening.setdefault(numbers[0], []).append(f"({chain}{')' if one else ''}")
        if not one:
            self.closing.setdefault(numbers[-1], []).insert(0, f"{chain})")

    def chain(self, mention: Mention) -> str:
        """The chain of a mention: as read, or a number that is not taken."""
        entity = mention.links[0].entity if mention.links else None
        if entity is not None:
            found = self.kept(entity)
            if found is not None:
                return found
        what = "no link" if not mention.links else "NIL" if entity is None else entity
        self.lose(mention, "link", "chains are numbered", what)
        known = None if entity is None else self.numbers.get(entity)
        if known is None:
            while str(self.next) in self.taken:
                self.next += 1
            known = str(self.next)
            self.next += 1
            if entity is not None:
                self.numbers[entity] = known
        return known

    def kept(self, entity: str) -> str | None:
        """The chain that reading makes this entity of."""
        found = chain_of(entity, self.document.id)
        return found if found is not None and not _NO_CHAIN.search(found) else None

    def lose(self, mention: Mention, kind: str, reason: str, what: str = "") -> None:
        """Reports what is not written."""
        where = place(self.document, mention)
        self.writing.losses.append(Loss(kind=kind, where=where, what=what, reason=reason))

    def _stated(self) -> Iterator[str]:
        for mention in self.document.mentions:
            for link in mention.links[:1]:
                found = None if link.entity is None else self.kept(link.entity)
                if found is not None:
                    yield found
