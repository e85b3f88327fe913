"""CoNLL-2003 files to a corpus."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from elcurate.errors import ReadError
from elcurate.formats.base import Reading, ReadOptions
from elcurate.formats.conll2003_layout import FILLER, Layout, find_layout
from elcurate.formats.detokenise import KEY, STYLES, detokenise
from elcurate.formats.docstart import Part, parts, stated_id
from elcurate.formats.source import Source
from elcurate.formats.tagging import Tagged, decode, encode, is_tag
from elcurate.model.change import Repair
from elcurate.model.corpus import Attributes, Document, Mention, Span

_BLANKS = re.compile(r"[ \t]+")


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads documents one by one; the layout is that of the first 64 KiB."""
    layout = find_layout(source.head) or Layout()
    metadata = {KEY: STYLES.get(options.detokenise).name, **layout.metadata()}
    reader = _Reader(source, options, layout)
    return Reading(source.stem, reader.documents(), metadata, source.repairs, sound=True)


class _Reader:
    def __init__(self, source: Source, options: ReadOptions, layout: Layout) -> None:
        self.source = source
        self.options = options
        self.style = STYLES.get(options.detokenise)
        self.layout = layout
        self.blanks = False

    def documents(self) -> Iterator[Document]:
        """All documents; one with a wrong row is left out if the options allow it."""
        for count, part in enumerate(parts(self.source), 1):
            name = None if part.start is None else stated_id(part.start)
            try:
                yield self.document(str(count) if name is None else name, count, part)
            except ReadError as error:
                self.options.fail(error)

    def document(self, name: str, count: int, part: Part) -> Document:
        """One document."""
        separator, width = self.layout.separator, self.layout.width
        loose = separator == " " and ("\t" in part.body or "  " in part.body)
        rows: list[list[str]] = []
        numbers: list[int] = []
        stops = [0]
        for number, line in enumerate(part.body.split("\n"), part.number):
            if not line or line.isspace():
                stops.append(len(rows))
                continue
            cells = line.split(separator)
            if len(cells) != width or loose:
                cells = self.cells(line, number)
            rows.append(cells)
            numbers.append(number)
        stops.append(len(rows))
        tokens, *columns, tags = zip(*rows, strict=True) if rows else [()] * width
        self.check(tokens, tags, numbers)
        sentences = [(first, stop) for first, stop in pairwise(stops) if first < stop]
        made = detokenise([tokens[first:stop] for first, stop in sentences], self.style)
        mentions = []
        for first, stop in sentences:
            marked = decode(tags[first:stop])
            self.check_scheme(marked, tags[first:stop], numbers[first:stop])
            mentions += [_mention(one, made.tokens[first:stop]) for one in marked]
        metadata: Attributes = {
            column: list(cells)
            for column, cells in zip(self.layout.columns, columns, strict=True)
            if cells.count(FILLER) < len(cells)
        }
        if part.start != self.layout.start_line(name, count):
            metadata["docstart"] = part.start
        return Document(
            id=name,
            text=made.text,
            mentions=tuple(mentions),
            sentences=made.sentences,
            tokens=made.tokens,
            metadata=metadata,
        )

    def cells(self, line: str, number: int) -> list[str]:
        """The cells of a row whose columns are separated otherwise."""
        cells = _BLANKS.split(line.strip(" \t"))
        if len(cells) != self.layout.width:
            raise ReadError(
                f"the row has {len(cells)} columns",
                path=self.source.path,
                line=number,
                remedy=f"The rows before it have {self.layout.width}.",
            )
        regular = self.layout.separator.join(cells)
        if line != regular and not self.blanks:
            self.report("separators", number, line, regular)
            self.blanks = True
        return cells

    def check(self, tokens: Sequence[str], tags: Sequence[str], numbers: Sequence[int]) -> None:
        """Raises for a row without a token, and for a tag of no scheme."""
        if "" in tokens:
            line = numbers[tokens.index("")]
            raise ReadError("the row has no token", path=self.source.path, line=line)
        for tag in set(tags):
            if not is_tag(tag):
                raise ReadError(
                    f"{tag!r} is no tag",
                    path=self.source.path,
                    line=numbers[tags.index(tag)],
                    remedy="Tags are O, or B, I, E, S, L or U with a hyphen and a type.",
                )

    def check_scheme(
        self, marked: list[Tagged], tags: Sequence[str], numbers: Sequence[int]
    ) -> None:
        """Reports tags that the file's scheme would not have."""
        if not marked:
            return
        expected = encode(len(tags), marked, self.layout.tagging)
        for number, tag, other in zip(numbers, tags, expected, strict=True):
            if tag != other:
                self.report("tag-sequence", number, tag, other)

    def report(self, kind: str, line: int, before: str, after: str) -> None:
        """Reports a repair at a line."""
        where = f"{self.source.path}:{line}"
        self.source.repairs.append(Repair(kind=kind, where=where, before=before, after=after))


def _mention(one: Tagged, spans: Sequence[Span]) -> Mention:
    begin, end = spans[one.begin].begin, spans[one.end - 1].end
    if one.type:
        return Mention(begin=begin, end=end, attributes={"type": one.type})
    return Mention(begin=begin, end=end)
