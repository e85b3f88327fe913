"""CoNLL-2003 files to a corpus."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, chain, pairwise

from elcurate.errors import ReadError
from elcurate.formats.base import Reading, ReadOptions
from elcurate.formats.conll2003_layout import FILLER, Layout, find_layout
from elcurate.formats.detokenise import KEY, STYLES, detokenise
from elcurate.formats.docstart import Part, parts, stated_id
from elcurate.formats.source import Source
from elcurate.formats.tagging import Tagged, decode, is_tag, stretch
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
        width = self.layout.width
        rows = self.rows(part)
        stops = [-1, *(place for place, row in enumerate(rows) if len(row) != width), len(rows)]
        sentences = [rows[at + 1 : stop] for at, stop in pairwise(stops) if stop > at + 1]
        columns: list[Sequence[str]] = list(zip(*chain.from_iterable(sentences), strict=True))
        tokens, *others, tags = columns or [()] * width

        def numbers() -> list[int]:
            lines = enumerate(rows, part.number)
            return [number for number, row in lines if len(row) == width]

        self.check(tokens, tags, numbers)
        ends = list(accumulate(map(len, sentences), initial=0))
        made = detokenise([tokens[at:stop] for at, stop in pairwise(ends)], self.style)
        mentions = []
        for at, stop in pairwise(ends):
            marked = decode(tags[at:stop])
            if marked:
                self.check_scheme(marked, tags[at:stop], at, numbers)
                mentions += [_mention(one, made.tokens[at:stop]) for one in marked]
        metadata: Attributes = {
            column: self.layout.separator.join(cells)
            for column, cells in zip(self.layout.columns, others, strict=True)
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

    def rows(self, part: Part) -> list[list[str]]:
        """The cells of each line; a single empty one where a sentence ends."""
        separator, width = self.layout.separator, self.layout.width
        lines = part.body.split("\n")
        rows = [line.split(separator) for line in lines]
        widths = list(map(len, rows))
        loose = separator == " " and ("\t" in part.body or "  " in part.body)
        if (
            loose
            or not {*widths} <= {1, width}
            or widths.count(1) != lines.count("")
            or any(map(str.isspace, lines))
        ):
            return [self.cells(line, number) for number, line in enumerate(lines, part.number)]
        return rows

    def cells(self, line: str, number: int) -> list[str]:
        """The cells of a line whose columns may be separated otherwise."""
        separator, width = self.layout.separator, self.layout.width
        if not line or line.isspace():
            return [""]
        cells = line.split(separator)
        if len(cells) == width and not (separator == " " and ("" in cells or "\t" in line)):
            return cells
        cells = _BLANKS.split(line.strip(" \t"))
        if len(cells) != width:
            raise self.error(
                f"the row has {len(cells)} columns", number, f"The rows before it have {width}."
            )
        if not self.blanks:
            self.report("separators", number, line, separator.join(cells))
            self.blanks = True
        return cells

    def check(
        self, tokens: Sequence[str], tags: Sequence[str], numbers: Callable[[], list[int]]
    ) -> None:
        """Raises for a row without a token, and for a tag of no scheme."""
        if "" in tokens:
            line = numbers()[tokens.index("")]
            raise self.error("the row has no token", line, "The first column is the token.")
        for tag in set(tags):
            if not is_tag(tag):
                remedy = "Tags are O, or B, I, E, S, L or U with a hyphen and a type."
                raise self.error(f"{tag!r} is no tag", numbers()[tags.index(tag)], remedy)

    def check_scheme(
        self, marked: list[Tagged], tags: Sequence[str], at: int, numbers: Callable[[], list[int]]
    ) -> None:
        """Reports tags that the file's scheme would not have."""
        before: Tagged | None = None
        for one in marked:
            expected = stretch(one, before, self.layout.tagging)
            before = one
            found = tags[one.begin : one.end]
            if list(found) != expected:
                lines = numbers()[at + one.begin : at + one.end]
                for line, tag, other in zip(lines, found, expected, strict=True):
                    if tag != other:
                        self.report("tag-sequence", line, tag, other)

    def error(self, message: str, line: int, remedy: str) -> ReadError:
        """An error at a line."""
        return ReadError(message, path=self.source.path, line=line, remedy=remedy)

    def report(self, kind: str, line: int, before: str, after: str) -> None:
        """Reports a repair at a line."""
        where = f"{self.source.path}:{line}"
        self.source.repairs.append(Repair(kind=kind, where=where, before=before, after=after))


def _mention(one: Tagged, spans: Sequence[Span]) -> Mention:
    begin, end = spans[one.begin].begin, spans[one.end - 1].end
    if one.type:
        return Mention(begin=begin, end=end, attributes={"type": one.type})
    return Mention(begin=begin, end=end)
