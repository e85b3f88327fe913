"""CoNLL-2003: one token a line, with its part of speech, its chunk and its mention tag.

Mentions are bare, with their type as an attribute. The other columns are kept in the document's
metadata under their names, one value for each token, separated as in the file.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from itertools import accumulate, pairwise
from typing import BinaryIO

from elcurate.formats.base import Format, Writing, never
from elcurate.formats.conll2003_layout import FILLER, Layout, find_layout, layout_in
from elcurate.formats.conll2003_read import read
from elcurate.formats.docstart import START, stated_id
from elcurate.formats.features import EVERYTHING
from elcurate.formats.tagging import SCHEMES, Tagged, encode
from elcurate.formats.token_rows import (
    WITH_BLANKS,
    WITHOUT_BLANKS,
    Marked,
    Rows,
    lose,
    lose_metadata,
    token_rows,
)
from elcurate.model.change import Loss
from elcurate.model.corpus import Document

DOCSTART = "docstart"
_LOST = {
    "no-text",
    "tags",
    "nesting",
    "repeated-spans",
    "fragments",
    "surfaces",
    "several-links",
    "nil",
    "nil-clusters",
    "scores",
    "categories",
    "link-attributes",
}
_BLANKS = re.compile(r"\s+")
_LINE_ENDS = re.compile(r"[\r\n]")
_CELL = {"\t": re.compile(r"[^\t\r\n]*"), " ": re.compile(r"[^ \t\r\n]+")}


def sniff(head: bytes, name: str) -> int:
    """Sure of rows of equal width that end in a tag, surer after ``-DOCSTART-``."""
    layout = find_layout(head)
    if layout is None:
        return 0
    return 50 if layout.start is None else 88


def write(writing: Writing, out: BinaryIO, tagging: str | None = None) -> None:
    """Writes the columns that the corpus was read with; four if it says nothing.

    Args:
        writing: The corpus.
        out: Where to.
        tagging: The scheme of the tags; the one that was read, or IOB2, when None.
    """
    layout = layout_in(writing.metadata)
    layout = replace(layout, tagging=tagging or layout.tagging)
    token = WITH_BLANKS if layout.separator == "\t" else WITHOUT_BLANKS
    count = 0
    for document in writing.documents:
        rows = token_rows(document, writing, token)
        if rows is None:
            continue
        count += 1
        start, kept = _start(document, count, layout, writing)
        columns = _columns(document, rows, layout)
        lose_metadata(writing, document, {*kept, *columns})
        length = sum(map(len, rows.sentences))
        cells = [
            [token for sentence in rows.sentences for token in sentence],
            *(columns.get(name, [FILLER] * length) for name in layout.columns),
            _tags(document, rows, layout, writing),
        ]
        lines = list(map(layout.separator.join, zip(*cells, strict=True)))
        stops = accumulate(map(len, rows.sentences), initial=0)
        blocks = ["\n".join(lines[at:stop]) for at, stop in pairwise(stops)]
        out.write("".join(f"{block}\n\n" for block in [*start, *blocks]).encode())


def _start(
    document: Document, count: int, layout: Layout, writing: Writing
) -> tuple[list[str], set[str]]:
    """The line before the document, if there is one, and the metadata that it keeps."""
    stated = document.metadata.get(DOCSTART, "")
    if stated is None and count == 1 and document.id == "1":
        return [], {DOCSTART}
    if isinstance(stated, str) and stated.startswith(START) and not _LINE_ENDS.search(stated):
        name = stated_id(stated)
        line = layout.start_line(document.id, count)
        if document.id == (str(count) if name is None else name) and stated != line:
            return [stated], {DOCSTART}
    name = _LINE_ENDS.sub(" ", document.id)
    if name != document.id:
        reason = "line ends become blanks"
        writing.losses.append(Loss(kind="document-id", where=document.id, reason=reason))
    line = layout.start_line(name, count)
    return ([] if line is None else [line]), set()


def _columns(document: Document, rows: Rows, layout: Layout) -> dict[str, list[str]]:
    """The columns that the metadata hold for the document's tokens."""
    length = sum(map(len, rows.sentences))
    cell = _CELL[layout.separator]
    found = {}
    for name in layout.columns:
        stated = document.metadata.get(name)
        if not rows.stated or not isinstance(stated, str):
            continue
        for cells in (stated.split("\t"), stated.split(" ")):
            if len(cells) == length > cells.count(FILLER) and all(map(cell.fullmatch, cells)):
                found[name] = cells
                break
    return found


def _tags(document: Document, rows: Rows, layout: Layout, writing: Writing) -> list[str]:
    """The tag of each token."""
    marked = [
        Tagged(one.numbers.start, one.numbers.stop, _type(document, one, writing))
        for one in rows.marked
    ]
    tags: list[str] = []
    for sentence in rows.sentences:
        at, stop = len(tags), len(tags) + len(sentence)
        inside = [
            Tagged(one.begin - at, one.end - at, one.type)
            for one in marked
            if at <= one.begin < stop
        ]
        tags += encode(len(sentence), inside, layout.tagging)
    return tags


def _type(document: Document, marked: Marked, writing: Writing) -> str:
    """The type of a mention: its own, or that of its first link with one; may be empty."""
    stated = [mention.attributes.get("type") for mention in marked.mentions]
    links = [link for mention in marked.mentions for link in mention.links]
    stated += [link.type for link in links]
    type_ = next((one for one in stated if isinstance(one, str) and one), "")
    written = _BLANKS.sub("_", type_)
    kept = {"type": written} if written else {}
    mention = marked.mentions[0]
    if any(one.attributes != kept for one in marked.mentions):
        reason = "a tag holds a type without blanks"
        lose(writing, document, mention, "mention-attributes", reason)
    if links:
        lose(writing, document, mention, "link", "no column for links", links[0].entity or "NIL")
    return written


CONLL2003 = Format(
    name="conll2003",
    text="CoNLL-2003, a token a line with its tag",
    suffixes=(".conll2003", ".conll03"),
    keeps=EVERYTHING - _LOST,
    sniff=sniff,
    read=read,
    write=write,
)

CONLL2003_FORMATS = (
    CONLL2003,
    *(
        replace(
            CONLL2003,
            name=f"conll2003-{scheme.lower()}",
            text=f"CoNLL-2003 with {scheme} tags",
            suffixes=(f".{scheme.lower()}",),
            sniff=never,
            write=partial(write, tagging=scheme),
        )
        for scheme in SCHEMES
    ),
)
