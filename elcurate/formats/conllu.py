"""CoNLL-U with the entities of CorefUD and GUM in MISC.

Comments and columns are kept, sentence by sentence, in the document's metadata under ``conllu``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from elcurate.errors import ReadError
from elcurate.formats.base import Format, Reading, ReadOptions
from elcurate.formats.checks import load_json
from elcurate.formats.conllu_entity import DEFAULT, Header
from elcurate.formats.conllu_mentions import Nodes, placed
from elcurate.formats.conllu_pairing import Pairing
from elcurate.formats.conllu_rows import Layout, Sentence
from elcurate.formats.conllu_write import (
    COMMENT,
    HEADER,
    KEEPS,
    NO_DOCUMENTS,
    default_sentences,
    write,
)
from elcurate.formats.detokenise import Made
from elcurate.formats.line_ends import lines
from elcurate.formats.source import Source
from elcurate.model.change import Repair
from elcurate.model.corpus import Attributes, Document, Mention, Span, in_order

_ROW = re.compile(rb"[0-9]+(?:[.-][0-9]+)?(?:\t[^\t\n]*){9}\r?(?:\n|$)")
_USUAL = re.compile(rb"#\s*(?:newdoc\b|sent_id\s*=|global\.(?:Entity\s*=|columns = ID\b))")
_NEWDOC = re.compile(r"#\s*newdoc\b(?:\s+id)?\s*=?\s*(.*?)\s*")
_GLOBAL = re.compile(r"#\s*global\.Entity\s*=\s*(\S+)\s*")
_TEXT = re.compile(r"#\s*text\s*=\s*(.*)", re.DOTALL)


def sniff(head: bytes, name: str) -> int:
    """Sure of rows of ten columns that begin with numbers; the usual comments will do."""
    lines = head.lstrip(b"\xef\xbb\xbf").splitlines(keepends=True)
    if len(head) >= 1 << 16:
        lines = lines[:-1]
    rows = [line for line in lines if line.strip() and not line.startswith(b"#")][:20]
    if rows and all(map(_ROW.match, rows)):
        return 90
    return 60 if any(map(_USUAL.match, lines[:5])) else 0


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads documents as they are asked for."""
    return Reading(source.stem, _documents(source, options), repairs=source.repairs)


def _documents(source: Source, options: ReadOptions) -> Iterator[Document]:
    header = Header(DEFAULT)
    for number, sentences in enumerate(_grouped(_sentences(source)), 1):
        try:
            reader = _Reader(source, sentences, number, header)
            header = reader.header
            yield reader.document()
        except ReadError as error:
            options.fail(error)


def _sentences(source: Source) -> Iterator[Sentence]:
    sentence = Sentence()
    number = 0
    for number, line in lines(source):
        if not line or line.isspace():
            if sentence.rows or _begins(sentence):
                yield sentence
                sentence = Sentence()
        elif line[0] == "#":
            if sentence.rows:
                where = f"{source.path}:{number}"
                kind = "missing-blank-line"
                source.repairs.append(Repair(kind=kind, where=where, before=line))
                yield sentence
                sentence = Sentence()
            sentence.comments.append(line)
        else:
            if not sentence.rows:
                sentence.line = number
            sentence.rows.append(line)
    if sentence.rows or _begins(sentence):
        yield sentence
    elif sentence.comments and sentence.comments != [NO_DOCUMENTS]:
        where, before = f"{source.path}:{number}", "\n".join(sentence.comments)
        source.repairs.append(Repair(kind="comment-without-rows", where=where, before=before))


def _begins(sentence: Sentence) -> bool:
    """Whether a document begins with the sentence."""
    return any(map(_NEWDOC.match, sentence.comments))


def _grouped(sentences: Iterator[Sentence]) -> Iterator[list[Sentence]]:
    """The sentences of one document after the other."""
    group: list[Sentence] = []
    for sentence in sentences:
        if group and _begins(sentence):
            yield group
            group = []
        group.append(sentence)
    if group:
        yield group


class _Reader:
    def __init__(
        self, source: Source, sentences: list[Sentence], number: int, header: Header
    ) -> None:
        self.path = source.path
        self.repairs = source.repairs
        self.sentences = sentences
        self.name = source.stem if number == 1 else f"{source.stem}-{number}"
        self.header = header
        self.added: dict[str, Any] = {}
        self.stated = False
        for sentence in sentences:
            sentence.comments = [one for one in sentence.comments if self._keeps(one)]

    def _keeps(self, line: str) -> bool:
        """Reads a comment; whether it is one that writing would not make."""
        found = _NEWDOC.fullmatch(line)
        if found is not None and found[1]:
            self.name = found[1]
            return line != f"# newdoc id = {self.name}"
        stated = _GLOBAL.fullmatch(line)
        if stated is not None:
            self.header = Header(stated[1])
            self.stated = True
            if self.header.id not in self.header.fields:
                raise self.error(f"global.Entity = {stated[1]} names no eid")
            return False
        if not line.startswith(COMMENT):
            return True
        key, _, value = line[len(COMMENT) :].partition(" = ")
        self.added[key] = self.json(value)
        return False

    def document(self) -> Document:
        """The document of the sentences."""
        layout = Layout(self.path, self.name, self.sentences)
        made = layout.made()
        self.check_texts(made)
        mentions = self.mentions(layout, made)
        fields = {"tags": self.added.get("tags", []), "metadata": self.added.get("metadata", {})}
        try:
            shell = Document.model_validate({"id": self.name, **fields})
        except ValidationError:
            raise self.error("tags or metadata that elcurate added are no such") from None
        return Document(
            id=self.name,
            text=made.text,
            mentions=in_order(mentions),
            tags=shell.tags,
            sentences=made.sentences,
            tokens=made.tokens,
            metadata=shell.metadata | self.kept(made, bool(mentions)),
        )

    def kept(self, made: Made, mentions: bool) -> Attributes:
        """Comments and rows, unless writing would make the same ones."""
        found: Attributes = {}
        if not self.header.ours and (mentions or self.stated):
            found[HEADER] = self.header.text
        blocks = [sentence.block() for sentence in self.sentences]
        made_up = self.header.ours or not mentions
        if blocks == [""] or (made_up and blocks == _default(self.name, made)):
            return found
        return {**found, "conllu": [*blocks]}

    def check_texts(self, made: Made) -> None:
        """Reports stated texts of sentences that the rows don't make."""
        spans = iter(made.sentences)
        for sentence in self.sentences:
            if not sentence.rows:
                continue
            span = next(spans, Span(begin=0, end=0))
            found = made.text[span.begin : span.end]
            for comment in sentence.comments:
                stated = _TEXT.fullmatch(comment)
                if stated and stated[1] != found and stated[1].split() != found.split():
                    where = f"{self.path}:{sentence.line}"
                    self.repairs.append(
                        Repair(kind="text-differs", where=where, before=stated[1], after=found)
                    )

    def mentions(self, layout: Layout, made: Made) -> list[Mention]:
        """The mentions, in the order in which they begin in the file."""
        pairing = Pairing(self.header, self.path, self.name)
        for mark in layout.marks:
            extras = self.json(mark.extra, mark.line) if mark.extra else []
            fresh = list(pairing.node(mark.node, mark.entity, mark.line))
            for marked, extra in zip(
                fresh, extras if isinstance(extras, list) else [], strict=False
            ):
                marked.extra = extra
        closed = pairing.closed()
        self.repairs += layout.repairs + pairing.repairs
        if not closed:
            return []
        return list(placed(closed, self.header, Nodes(layout, made.tokens), self.name, self.path))

    def json(self, text: str, line: int | None = None) -> Any:
        """What elcurate added."""
        try:
            return load_json(text)
        except ValueError as error:
            raise self.error(f"not JSON: {error}", line) from error

    def error(self, message: str, line: int | None = None) -> ReadError:
        """An error in the document."""
        first = self.sentences[0].line if line is None else line
        return ReadError(message, path=self.path, line=first or None, document=self.name)


def _default(name: str, made: Made) -> list[str]:
    return [sentence.block() for sentence in default_sentences(name, *made)]


CONLLU = Format(
    name="conllu",
    text="CoNLL-U with CorefUD's entities",
    suffixes=(".conllu",),
    keeps=KEEPS,
    sniff=sniff,
    read=read,
    write=write,
)
