"""KDD queries: tokens in IOB, each mention with the title and the address of its page.

A row is ``token mention O tag`` with tabs between, where the first token of a mention has the
whole mention, with ``_`` for blanks, and pairs of title and address behind the tag.
"""

from __future__ import annotations

import re
from typing import BinaryIO

from elcurate.formats.base import Format, Reading, ReadOptions, Writing
from elcurate.formats.detokenise import KEY, STYLES, Made, detokenise
from elcurate.formats.features import outermost, place
from elcurate.formats.kdd_read import END, NONE, OUTSIDE, documents, link_of, title_of
from elcurate.formats.rows import Cells, flat, one_per_span
from elcurate.formats.source import BOM, Source
from elcurate.formats.tokenise import Cut, tokenise
from elcurate.model.corpus import Document, Link, Mention

_KEEPS = frozenset(
    {
        "text",
        "empty-documents",
        "tokens",
        "offsets",
        "surfaces",
        "bare-mentions",
        "mention-attributes",
        "several-links",
        "nil",
        "types",
        "link-attributes",
    }
)
_WORD = re.compile(r"\S+")
_ROW = re.compile(
    rb"[^\t\n]+\t[^\t\n]*\tO\t(?:O|#|[BI]-[^\t\n]*)(?:\t[^\t\n]*\t[^\t\n]*)*", re.DOTALL
)


def sniff(head: bytes, name: str) -> int:
    """Sure of a row of dots among rows of the right shape."""
    lines = [line.rstrip(b"\r") for line in head.removeprefix(BOM).split(b"\n")]
    whole = lines[:-1][:20] or lines
    return 90 if END.encode() in whole and all(map(_ROW.fullmatch, filter(None, whole))) else 0


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads the queries; their texts are their tokens."""
    style = STYLES.get(options.detokenise)
    return Reading(
        source.stem,
        documents(source, options),
        metadata={KEY: style.name},
        repairs=source.repairs,
    )


def write(writing: Writing, out: BinaryIO) -> None:
    """Writes the documents that have a text."""
    cells = Cells(writing)
    style = STYLES.get(str(writing.metadata.get(KEY, "space")))
    count = 0
    out.write(f"{END}\n".encode())
    for document in writing.documents:
        if document.text is None:
            cells.lose("document", document.id, reason="the format consists of tokens")
            continue
        count += 1
        if document.id != str(count):
            cells.lose("document-id", document.id, document.id, f"queries are numbered: {count}")
        cut = tokenise(document, document.text, writing, words=_WORD)
        tokens = [
            flat(document.text[begin:end]) for begin, end in zip(cut.begins, cut.ends, strict=True)
        ]
        mentions = _mentions(document, cut, cells)
        _compare(document, detokenise([tokens], style), mentions, cells)
        rows = [f"{token}\tO\tO\tO" for token in tokens]
        for mention, numbers in mentions:
            inside = [tokens[number] for number in numbers]
            head, type_ = _head(mention, inside, place(document, mention), cells)
            rows[numbers[0]] = head
            for number in numbers[1:]:
                rows[number] = f"{tokens[number]}\tO\tO\tI-{type_}"
        out.write("".join(f"{row}\n" for row in (*rows, END)).encode())


_Placed = tuple[Mention, range]


def _mentions(document: Document, cut: Cut, cells: Cells) -> list[_Placed]:
    """The outermost mentions with the numbers of their tokens."""
    covering = []
    for mention in document.mentions:
        if cut.inside(*mention.span):
            covering.append(mention)
        else:
            cells.lose("mention", place(document, mention), reason="it covers no token")
    kept = outermost(one_per_span(covering))
    return [(mention, cut.inside(*mention.span)) for mention in kept]


def _compare(document: Document, made: Made, mentions: list[_Placed], cells: Cells) -> None:
    """Reports a text that its tokens don't give back, and the offsets that moved with it."""
    reason = "queries are tokens with a blank between two"
    if made.text != document.text:
        cells.lose("text", document.id, reason=reason)
        if document.tokens:
            cells.lose("tokens", document.id, f"{len(document.tokens)} tokens", reason)
    for mention, numbers in mentions:
        if mention.span != (made.tokens[numbers[0]].begin, made.tokens[numbers[-1]].end):
            cells.lose("offsets", document.id, place(document, mention), reason)
            return


def _head(mention: Mention, tokens: list[str], where: str, cells: Cells) -> tuple[str, str]:
    """The row of a mention's first token, and the type of its others."""
    surface = "_".join(tokens)
    if mention.surface is not None:
        stated = flat(mention.surface).replace(" ", "_")
        if stated in ("", OUTSIDE, surface) or stated.replace("_", " ") != mention.surface:
            cells.lose("surfaces", where, mention.surface, "a surface has _ for its blanks")
        else:
            surface = stated
    type_ = _type(mention, where, cells)
    pairs = [cell for link in mention.links for cell in _pair(link, where, cells)]
    return "\t".join([tokens[0], surface, OUTSIDE, f"B-{type_}", *pairs]), type_


def _type(mention: Mention, where: str, cells: Cells) -> str:
    """The type of a mention's links, which have to share one; that of a bare mention."""
    stated = mention.links[0].type if mention.links else mention.attributes.get("type")
    type_ = flat(stated) if isinstance(stated, str) else ""
    if any((type_ or None) != link.type for link in mention.links):
        cells.lose("types", where, ", ".join(link.type or "" for link in mention.links), "one type")
    kept = {"type": type_} if type_ and not mention.links else {}
    lost = [key for key, value in mention.attributes.items() if kept.get(key, ...) != value]
    if lost:
        cells.lose("mention-attributes", where, ", ".join(lost), "no place for them")
    return type_


def _pair(link: Link, where: str, cells: Cells) -> tuple[str, str]:
    """The title and the address of a link."""
    title = address = NONE
    if link.entity is not None and not link.is_nil:
        address = flat(link.entity)
        stated = link.attributes.get("title")
        title = flat(stated) if isinstance(stated, str) else title_of(address)
    back = link_of(title, address, None)
    if back.entity != link.entity and not link.is_nil:
        kind = "entity" if back.entity is not None else "link"
        cells.lose(kind, where, link.entity or "", "it can't be an address")
    if back.attributes != link.attributes:
        cells.lose("link-attributes", where, ", ".join(link.attributes), "only a title has a place")
    return title, address


KDD = Format(
    name="kdd",
    text="KDD queries: tokens with links in IOB",
    suffixes=(".kdd.tsv",),
    keeps=_KEEPS,
    sniff=sniff,
    read=read,
    write=write,
)
