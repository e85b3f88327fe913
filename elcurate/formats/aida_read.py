"""AIDA/CoNLL-YAGO files, and the conll03_nel_eval files like them, to a corpus."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from elcurate.errors import ReadError
from elcurate.formats.aida_rows import AIDA, NIL, Layout, find_layout, read_link
from elcurate.formats.base import Reading, ReadOptions
from elcurate.formats.detokenise import KEY, STYLES, detokenise
from elcurate.formats.docstart import START, Part, parts, stated_id
from elcurate.formats.source import Source
from elcurate.model.change import Repair
from elcurate.model.corpus import Attributes, Document, Link, Mention, Span

COLUMNS = "columns"
DOCSTART = "docstart"
ENDS_BLANK = "ends_blank"
SPLIT = "split"
_SPLIT = re.compile(r"([0-9]{1,4})(test[ab])? ")
_LAST_OF_TRAIN = 946


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads documents one by one; the layout is that of the first 64 KiB."""
    layout = find_layout(tagged_rows(source.head))
    metadata: Attributes = {KEY: STYLES.get(options.detokenise).name}
    if layout is not None and not layout.scored:
        metadata[COLUMNS] = layout.width
    reader = _Reader(source, options, layout or AIDA, metadata)
    return Reading(source.stem, reader.documents(), metadata, source.repairs, sound=True)


def tagged_rows(head: bytes) -> list[list[str]]:
    """The cells of the rows with B or I among a file's first lines."""
    lines = head.decode("utf-8", "replace").split("\n")
    rows = [line.rstrip("\r").split("\t") for line in lines[:-1] or lines]
    return [row for row in rows if len(row) > 2 and row[1] in ("B", "I")]


def split_of(name: str, layout: Layout) -> str | None:
    """The split that an id of AIDA's names; ids of the training documents have no word for it."""
    match = _SPLIT.match(name)
    if match is None:
        return None
    if match[2] is None and (int(match[1]) > _LAST_OF_TRAIN or layout.width < AIDA.width - 1):
        return None
    return match[2] or "train"


def id_in(start: str) -> str | None:
    """The id in a ``-DOCSTART-`` line: in parentheses, or all that follows if there is any."""
    found = stated_id(start)
    return (start[len(START) :].strip() or None) if found is None else found


class _Reader:
    def __init__(
        self, source: Source, options: ReadOptions, layout: Layout, metadata: Attributes
    ) -> None:
        self.source = source
        self.options = options
        self.style = STYLES.get(options.detokenise)
        self.layout = layout
        self.metadata = metadata
        self.known = lru_cache(maxsize=1 << 16)(self.said)
        self.padded = False

    def documents(self) -> Iterator[Document]:
        """All documents; one with a wrong row is left out if the options allow it."""
        last = ""
        for count, part in enumerate(parts(self.source), 1):
            last = part.body
            try:
                yield self.document(self.name(part, count), part)
            except ReadError as error:
                self.options.fail(error)
        if last.endswith("\n"):
            self.metadata[ENDS_BLANK] = True

    def name(self, part: Part, count: int) -> str:
        """The document's id: in parentheses, or what follows ``-DOCSTART-``, or its number."""
        if part.start is None:
            self.report("no-docstart", part.number, after=self.source.stem)
            return self.source.stem
        found = id_in(part.start)
        return str(count) if found is None else found

    def document(self, name: str, part: Part) -> Document:
        """One document."""
        tokens: list[str] = []
        stops = [0]
        begins: list[int] = []
        ends: list[int] = []
        rests: list[str] = []
        inside = False
        for number, line in enumerate(part.body.split("\n"), part.number):
            if "\t" not in line or line.isspace():
                inside = False
                if line and not line.isspace():
                    tokens.append(line)
                else:
                    stops.append(len(tokens))
                continue
            cells = line.split("\t", 2)
            tag = cells[1]
            if not (cells[0] and len(cells) == 3 and (tag == "B" or (tag == "I" and inside))):
                tag = self.tag(cells, number)
                inside = False
            if tag == "I" and cells[2] != rests[-1]:
                self.report("i-row-differs", number, before=cells[2], after=rests[-1])
            if tag == "I":
                ends[-1] += 1
            elif tag == "B":
                begins.append(len(tokens))
                ends.append(len(tokens) + 1)
                rests.append(cells[2])
                inside = True
            tokens.append(cells[0])
        stops.append(len(tokens))
        made = detokenise([tokens[at:stop] for at, stop in pairwise(stops)], self.style)
        return Document(
            id=name,
            text=made.text,
            mentions=tuple(
                [
                    self.mention(name, rest, made.tokens[begin:end], tokens[begin:end])
                    for begin, end, rest in zip(begins, ends, rests, strict=True)
                ]
            ),
            sentences=made.sentences,
            tokens=made.tokens,
            metadata=self.facts(name, part.start),
        )

    def tag(self, cells: list[str], number: int) -> str:
        """B or nothing, for a row that is neither of a mention's beginning nor inside of one."""
        tag, rest = cells[1], cells[2] if len(cells) == 3 else ""
        if not cells[0]:
            raise self.error("the row has no token", number, "The first column is the token.")
        if tag in ("", "O") and not rest.strip("\t"):
            if not self.padded:
                self.report("empty-columns", number, before=tag, after="a token without columns")
            self.padded = True
            return ""
        if cells[0].isdecimal() and (tag == NIL or rest.startswith("http")):
            raise self.error(
                "the rows are numbers of tokens with entities, and the tokens are not here",
                number,
                "Make AIDA-YAGO2-dataset.tsv with AIDA's program and the texts of CoNLL-2003.",
            )
        if tag not in ("B", "I"):
            raise self.error(f"the tag is {tag!r}", number, "The second column is B or I.")
        if len(cells) == 2:
            raise self.error(
                "the row has 2 columns", number, "The third column is the mention's name."
            )
        self.report("i-without-b", number, before=tag, after="the mention begins here")
        return "B"

    def mention(
        self, document: str, rest: str, spans: Sequence[Span], tokens: Sequence[str]
    ) -> Mention:
        """The mention of these tokens, from what its row says after the tag."""
        begin, end = spans[0].begin, spans[-1].end
        name, links, problem = self.known(rest)
        found = tokens[0] if len(tokens) == 1 else " ".join(tokens)
        if name == found and not problem:
            return Mention(begin=begin, end=end, links=links)
        where = f"{document} {begin}-{end}"
        repairs = self.source.repairs
        if problem:
            repairs.append(Repair(kind="malformed-score", where=where, before=problem))
        if name == found:
            return Mention(begin=begin, end=end, links=links)
        repairs.append(Repair(kind="surface-differs", where=where, before=name, after=found))
        return Mention(begin=begin, end=end, links=links, surface=name)

    def said(self, rest: str) -> tuple[str, tuple[Link, ...], str]:
        """The name and the link in what a row says after the tag, and the score that is none."""
        name, *cells = rest.split("\t")
        link, problem = read_link(cells, self.layout)
        return name, (link,), problem

    def facts(self, name: str, start: str | None) -> Attributes:
        """The split, and a ``-DOCSTART-`` line that is not as usual."""
        facts: Attributes = {}
        split = split_of(name, self.layout)
        if split is not None:
            facts[SPLIT] = split
        if start is not None and start != f"{START} ({name})":
            facts[DOCSTART] = start
        return facts

    def report(self, kind: str, line: int, before: str = "", after: str = "") -> None:
        """Reports a repair at a line."""
        where = f"{self.source.path}:{line}"
        self.source.repairs.append(Repair(kind=kind, where=where, before=before, after=after))

    def error(self, message: str, line: int, remedy: str) -> ReadError:
        """An error at a line."""
        return ReadError(message, path=self.source.path, line=line, remedy=remedy)
