"""CoNLL-2011/2012 coreference: one token a line, chains as brackets in the last column.

The chains of a document become NIL clusters ``NIL:<chain>:<document>``, so that chains of
different documents are different entities. The other columns are kept, line by line, in the
document's metadata under ``rows``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from elcurate.errors import ReadError
from elcurate.formats.base import Format, Reading, ReadOptions
from elcurate.formats.conll_coref_write import (
    KEEPS,
    default_header,
    default_rows,
    document_id,
    word_column,
    write,
)
from elcurate.formats.coref_chains import Brackets, chain_entity
from elcurate.formats.detokenise import KEY, STYLES, Style, detokenise
from elcurate.formats.line_ends import lines
from elcurate.formats.source import Source
from elcurate.model.change import Repair
from elcurate.model.corpus import Attributes, Document, Link, Mention, in_order

_BEGIN = re.compile(r"#\s*begin document\s*(.*?)\s*", re.IGNORECASE)
_END = re.compile(r"#\s*end document\b.*", re.IGNORECASE)
_NOTHING = frozenset(("-", "_", "", "*"))
_ITEM = re.compile(r"\(?[^()|]+\)?|.")


def sniff(head: bytes, name: str) -> int:
    """Sure when the first line with something in it begins a document."""
    first = head.lstrip(b"\xef\xbb\xbf \t\r\n").split(b"\n", 1)[0]
    return 95 if re.match(rb"#\s*begin document\b", first, re.IGNORECASE) else 0


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads documents as they are asked for; their texts are made of their tokens."""
    style = STYLES.get(options.detokenise)
    return Reading(
        name=source.stem,
        documents=_documents(source, options, style),
        metadata={KEY: style.name},
        repairs=source.repairs,
    )


@dataclass
class _Block:
    """The lines of one document, numbered from ``first``."""

    header: str
    first: int
    lines: list[str] = field(default_factory=list)


def _documents(source: Source, options: ReadOptions, style: Style) -> Iterator[Document]:
    for block in _blocks(source):
        try:
            yield _Reader(source, block).document(style)
        except ReadError as error:
            options.fail(error)


def _blocks(source: Source) -> Iterator[_Block]:
    block: _Block | None = None
    for number, line in lines(source):
        if not line.startswith("#") or "\t" in line:
            if block is not None:
                block.lines.append(line)
            elif line.strip():
                raise ReadError(
                    "a row outside of a document",
                    path=source.path,
                    line=number,
                    remedy="Each document begins with a line #begin document (id); part 000.",
                )
            continue
        begin = _BEGIN.fullmatch(line)
        if begin is not None or _END.fullmatch(line):
            if block is not None:
                yield block
            if (begin is None) == (block is None):
                kind = "end-without-begin" if begin is None else "missing-end"
                where = f"{source.path}:{number}"
                source.repairs.append(Repair(kind=kind, where=where, before=line))
            block = None if begin is None else _Block(begin[1], number + 1)
        elif block is not None:
            block.lines.append(line)
    if block is not None:
        where = f"{source.path}:{block.first + len(block.lines)}"
        source.repairs.append(Repair(kind="missing-end", where=where))
        yield block


class _Reader:
    def __init__(self, source: Source, block: _Block) -> None:
        self.path = source.path
        self.block = block
        self.repairs = source.repairs
        self.name = document_id(block.header or source.stem)
        self.sentences: list[list[str]] = [[]]
        self.rows: list[str] = []
        self.brackets = Brackets(self.path, self.repairs)

    def document(self, style: Style) -> Document:
        """The document of the block."""
        self.read_rows()
        made = detokenise(self.sentences, style)
        tokens = made.tokens
        mentions = [
            Mention(
                begin=tokens[first].begin,
                end=tokens[last].end,
                links=(Link(entity=chain_entity(chain, self.name)),),
            )
            for chain, first, last in self.brackets.closed()
        ]
        return Document(
            id=self.name,
            text=made.text,
            mentions=in_order(mentions),
            sentences=made.sentences,
            tokens=tokens,
            metadata=self.metadata(),
        )

    def metadata(self) -> Attributes:
        """What writing could not make up: the first line, and the other columns."""
        found: Attributes = {}
        if self.block.header not in ("", default_header(self.name)):
            found["begin"] = self.block.header
        first = [sentence[:1] for sentence in self.sentences[:1]]
        if self.rows[:1] != default_rows(self.name, first) or (
            self.rows != default_rows(self.name, self.sentences)
        ):
            found["rows"] = "\n".join(self.rows)
        return found

    def read_rows(self) -> None:
        """Tokens and brackets, row by row."""
        column = width = -1
        tabs = False
        sentence, rows = self.sentences[-1], self.rows
        for number, line in enumerate(self.block.lines, self.block.first):
            if not line or line.isspace():
                if sentence:
                    sentence = []
                    self.sentences.append(sentence)
                continue
            if column < 0:
                tabs = "\t" in line
                column = word_column(line.split("\t") if tabs else line.split())
            cells = line.split("\t") if tabs else line.split()
            if line[0] == "#" and (len(cells) == 1 if tabs else len(cells) != width):
                where = f"{self.path}:{number}"
                self.repairs.append(Repair(kind="comment", where=where, before=line))
                continue
            width = len(cells)
            if width < column + 2:
                raise self.error(f"{width} columns", number)
            cell = cells[-1]
            if cell not in _NOTHING:
                self.mark(cell, number)
            sentence.append(cells[column])
            rows.append(line[: line.rindex(cell)] if cell else line)
        self.brackets.unclosed()

    def mark(self, cell: str, number: int) -> None:
        """The mentions that begin or end at a token."""
        for item in _ITEM.findall(cell.strip()):
            if item == "|":
                continue
            opens, closes, chain = item[0] == "(", item[-1] == ")", item.strip("()")
            if not chain or not (opens or closes):
                raise self.error(f"{cell!r} is no coreference", number)
            if opens:
                self.brackets.open(chain, len(self.rows), number)
            if closes:
                self.brackets.close(chain, len(self.rows), number)

    def error(self, message: str, number: int) -> ReadError:
        return ReadError(
            message,
            path=self.path,
            line=number,
            document=self.name,
            remedy="The last of several columns is -, or brackets such as (12|(3).",
        )


CONLL_COREF = Format(
    name="conll-coref",
    text="CoNLL-2011/2012 coreference columns",
    suffixes=(".coref.conll", ".gold_conll", ".v4_gold_conll", ".auto_conll", ".v4_auto_conll"),
    keeps=KEEPS,
    sniff=sniff,
    read=read,
    write=write,
)
