"""Reads HIPE-2022's TSV."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from operator import eq

from elcurate.errors import ReadError
from elcurate.formats.base import Reading, ReadOptions
from elcurate.formats.detokenise import Made
from elcurate.formats.hipe_blocks import Block, blocks, error
from elcurate.formats.hipe_columns import (
    COARSE,
    COMMENT,
    FINE,
    ID,
    LINKS,
    METONYMIC,
    NESTED,
    OUTSIDE,
    PLACE,
    TAGS,
    default_rows,
    is_id,
    made_of,
    partial,
    tagged,
)
from elcurate.formats.source import Source
from elcurate.kb.pages import wikidata_iri
from elcurate.model.categories import NO_CATEGORIES
from elcurate.model.change import Repair
from elcurate.model.corpus import Attributes, Document, Link, Mention, in_order

_NUMBER = re.compile(r"Q[1-9][0-9]*")

Key = tuple[int, int, bool]
"""First token, token after the last, and whether it is a nested entity."""


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads documents as they are asked for."""
    return Reading(source.stem, _documents(source, options), repairs=source.repairs)


def _documents(source: Source, options: ReadOptions) -> Iterator[Document]:
    for number, block in enumerate(blocks(source), 1):
        name = source.stem if number == 1 else f"{source.stem}-{number}"
        try:
            yield _Reader(source, block, name).document()
        except ReadError as problem:
            options.fail(problem)


class _Reader:
    def __init__(self, source: Source, block: Block, name: str) -> None:
        self.source = source
        self.block = block
        self.tokens = [row[: row.index("\t")] for row in block.rows]
        self.misc = [row[row.rindex("\t") + 1 :] for row in block.rows]
        self.middles = [row[row.index("\t") + 1 : row.rindex("\t")] for row in block.rows]
        self.cells = {middle: middle.split("\t") for middle in set(self.middles)}
        self.name = name
        self.facts = self._facts()

    def document(self) -> Document:
        """The document of the block."""
        found = self.found()
        made = made_of(self.tokens, self.misc)
        mentions = [self.mention(key, found[key], made) for key in sorted(found, key=_outer_first)]
        return Document(
            id=self.name,
            text=made.text,
            mentions=in_order(mentions),
            tokens=made.tokens,
            sentences=made.sentences,
            metadata=self.facts | self.rows(found, made),
        )

    def _facts(self) -> Attributes:
        """The comments before the rows, by name; those that are no facts as a list."""
        facts: Attributes = {}
        others = []
        named = False
        for comment in self.block.comments:
            match = COMMENT.fullmatch(comment)
            if match is not None and is_id(match[1]) and not named:
                self.name = match[2] or self.name
                named = True
                if not facts and match[1] == ID:
                    continue
            if match is None or match[1] in (*facts, "rows", "comments"):
                others.append(comment)
            else:
                facts[match[1]] = match[2]
        return {**facts, "comments": [*others]} if others else facts

    def column(self, name: str) -> list[str]:
        """The cells of a column of tags or links; none when all are outside of entities."""
        place = PLACE[name] - 1
        if OUTSIDE.issuperset(cells[place] for cells in self.cells.values()):
            return []
        chosen = {middle: cells[place] for middle, cells in self.cells.items()}
        return [chosen[middle] for middle in self.middles]

    def found(self) -> dict[Key, dict[str, str]]:
        """What the columns say of each stretch of tokens."""
        found: dict[Key, dict[str, str]] = {}
        for name in TAGS:
            cells = self.column(name)
            try:
                for one in tagged(cells):
                    key = one.first, one.stop, name == NESTED
                    found.setdefault(key, {})[name] = one.label
                    if one.odd:
                        self.repair("I-without-B", one.first, f"I-{one.label}", f"B-{one.label}")
            except ValueError as problem:
                number = int(str(problem))
                what = f"{cells[number]!r} is no IOB tag"
                line = self.block.numbers[number]
                raise error(what, self.source, line, self.name) from None
        for coarse, fine, name in zip(COARSE, FINE, LINKS, strict=True):
            self._links(found, coarse, fine, name)
        return found

    def _links(self, found: dict[Key, dict[str, str]], coarse: str, fine: str, name: str) -> None:
        """The links of a column: those of its entities, and those without one."""
        cells = self.column(name)
        if not cells:
            return
        for (first, stop, _), labels in found.items():
            if coarse in labels or fine in labels:
                labels[name] = cells[first]
                if cells[first:stop].count(cells[first]) != stop - first:
                    others = " ".join(cells[first:stop])
                    self.repair("link-differs", first, others, cells[first])
                cells[first:stop] = ["_"] * (stop - first)
        first = 0
        for number in range(1, len(cells) + 1):
            if number == len(cells) or cells[number] != cells[first]:
                if cells[first] not in OUTSIDE:
                    found.setdefault((first, number, False), {})[name] = cells[first]
                first = number

    def mention(self, key: Key, labels: dict[str, str], made: Made) -> Mention:
        """The mention of a stretch of tokens."""
        first, stop, _ = key
        attributes: Attributes = {}
        links: list[Link] = []
        for side in (0, 1):
            coarse, fine = labels.get(COARSE[side]), labels.get(FINE[side])
            cell = labels.get(LINKS[side], "_")
            candidates = [] if cell in OUTSIDE else cell.split("|")
            categories = METONYMIC if side else NO_CATEGORIES
            links += [
                Link(entity=_entity(name), type=coarse, categories=categories)
                for name in candidates
            ]
            if coarse is not None and not candidates:
                attributes[COARSE[side]] = coarse
            if coarse is None and (candidates or fine is not None):
                attributes[COARSE[side]] = ""
            if fine is not None:
                attributes[FINE[side]] = fine
        if NESTED in labels:
            attributes[NESTED] = labels[NESTED]
        begin, end = self.place(first, stop, made)
        return Mention(begin=begin, end=end, links=tuple(links), attributes=attributes)

    def place(self, first: int, stop: int, made: Made) -> tuple[int, int]:
        """The span of tokens, or of what a flag says of the outer ones."""
        misc, tokens = self.misc, made.tokens
        begin, end = tokens[first].begin, tokens[stop - 1].end
        from_, until = partial(misc[first]), partial(misc[stop - 1])
        if from_ is not None and begin + from_[0] < tokens[first].end:
            begin += from_[0]
        if until is not None and begin < tokens[stop - 1].begin + until[1] < end:
            end = tokens[stop - 1].begin + until[1]
        return begin, end

    def rows(self, found: dict[Key, dict[str, str]], made: Made) -> Attributes:
        """The lines without tags and links, unless writing would make the same ones."""
        inside = {number for first, stop, _ in found for number in range(first, stop)}
        numbers = count()
        lines = [
            _without(line) if "\t" in line and next(numbers) in inside else line
            for line in self.block.lines
        ]
        while lines and not lines[-1]:
            lines.pop()
        if len(lines) == len(made.tokens) and all(map(eq, lines, default_rows(*made))):
            return {}
        return {"rows": "\n".join(lines)}

    def repair(self, kind: str, number: int, before: str, after: str) -> None:
        """Reports what was made of a cell."""
        where = f"{self.source.path}:{self.block.numbers[number]}"
        self.source.repairs.append(Repair(kind=kind, where=where, before=before, after=after))


def _outer_first(key: Key) -> tuple[int, int, bool]:
    return key[0], -key[1], key[2]


def _entity(name: str) -> str | None:
    if name == "NIL":
        return None
    return wikidata_iri(name) if _NUMBER.fullmatch(name) else name


def _without(row: str) -> str:
    """A row without tags and links."""
    changed = row.split("\t")
    for name in (*TAGS, *LINKS):
        if changed[PLACE[name]] not in OUTSIDE:
            changed[PLACE[name]] = "_" if name in LINKS else "O"
    return "\t".join(changed)
