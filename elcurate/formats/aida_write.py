"""Writes AIDA/CoNLL-YAGO files, and the conll03_nel_eval files like them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, BinaryIO

from elcurate.formats.aida_read import COLUMNS, DOCSTART, ENDS_BLANK, SPLIT, id_in, split_of
from elcurate.formats.aida_rows import (
    AIDA,
    NARROWEST,
    SCORED,
    WIDEST,
    Layout,
    link_cells,
    read_link,
)
from elcurate.formats.base import Writing
from elcurate.formats.docstart import START
from elcurate.formats.token_rows import (
    WITH_BLANKS,
    Marked,
    Rows,
    lose,
    lose_metadata,
    token_rows,
)
from elcurate.kb.iri import canonical
from elcurate.model.change import Loss
from elcurate.model.corpus import Document, Link

_BREAKS = re.compile(r"[\t\r\n]")
_LINE_ENDS = re.compile(r"[\r\n]")


def write_aida(writing: Writing, out: BinaryIO) -> None:
    """Writes as many columns as the corpus was read with; seven if it says nothing."""
    width = writing.metadata.get(COLUMNS)
    if isinstance(width, int) and NARROWEST <= width <= WIDEST:
        _write(writing, out, Layout(width))
    else:
        _write(writing, out, AIDA)


def write_scored(writing: Writing, out: BinaryIO) -> None:
    """Writes page titles and scores."""
    _write(writing, out, SCORED)


def _write(writing: Writing, out: BinaryIO, layout: Layout) -> None:
    count = 0
    for document in writing.documents:
        rows = token_rows(document, writing, WITH_BLANKS)
        if rows is not None:
            count += 1
            start = _start(document, count, writing, layout)
            lines = [] if count == 1 else [""]
            lines += [start, *_lines(document, rows, writing, layout)]
            out.write("".join(f"{line}\n" for line in lines).encode())
    if count and writing.metadata.get(ENDS_BLANK) is True:
        out.write(b"\n")


def _lines(document: Document, rows: Rows, writing: Writing, layout: Layout) -> Iterator[str]:
    tails: dict[int, str] = {}
    tokens = [token for sentence in rows.sentences for token in sentence]
    for marked in rows.marked:
        cells = _cells(document, marked, tokens, writing, layout)
        if cells is None:
            continue
        rest = "\t".join(cells)
        for number in marked.numbers:
            tails[number] = f"\t{'I' if number > marked.numbers[0] else 'B'}\t{rest}"
    number = 0
    for sentence in rows.sentences:
        if number:
            yield ""
        for token in sentence:
            yield token + tails.get(number, "")
            number += 1


def _start(document: Document, count: int, writing: Writing, layout: Layout) -> str:
    """The line that begins the document."""
    kept = {SPLIT} if document.metadata.get(SPLIT) == split_of(document.id, layout) else set()
    stated = document.metadata.get(DOCSTART)
    if isinstance(stated, str) and stated.startswith(START) and not _LINE_ENDS.search(stated):
        found = id_in(stated)
        if document.id == (str(count) if found is None else found):
            lose_metadata(writing, document, {*kept, DOCSTART})
            return stated
    lose_metadata(writing, document, kept)
    name = _LINE_ENDS.sub(" ", document.id)
    if name != document.id:
        reason = "line ends become blanks"
        writing.losses.append(Loss(kind="document-id", where=document.id, reason=reason))
    return f"{START} ({name})"


def _cells(
    document: Document, marked: Marked, tokens: Sequence[str], writing: Writing, layout: Layout
) -> list[str] | None:
    """The cells after the tag; None for a bare mention."""
    mention = marked.mentions[0]
    links = [link for one in marked.mentions for link in one.links]
    if not links:
        return None
    if len(marked.mentions) > 1 and len(links) > 1:
        lose(writing, document, mention, "link", "a row has one link")
    joined = " ".join(tokens[number] for number in marked.numbers)
    name = joined if mention.surface is None else _BREAKS.sub(" ", mention.surface)
    if mention.surface is not None and name == joined:
        lose(writing, document, mention, "surfaces", "the tokens stand for it", mention.surface)
    elif mention.surface is not None and name != mention.surface:
        reason = "tabs and line ends become blanks"
        lose(writing, document, mention, "surfaces", reason, mention.surface)
    cells, losses = link_losses(links[0], layout)
    for kind, reason in losses:
        lose(writing, document, mention, kind, reason, links[0].entity or "NIL")
    return [name, *cells]


def link_losses(link: Link, layout: Layout) -> tuple[list[str], list[tuple[str, str]]]:
    """The cells of a link, and what reading them will not give back, with the reason."""
    try:
        return _known(link.entity, link.score, tuple(link.attributes.items()), layout)
    except TypeError:  # an attribute that is no plain value
        return _link_losses(link, layout)


@lru_cache(maxsize=1 << 16)
def _known(
    entity: str | None, score: float | None, attributes: tuple[tuple[str, Any], ...], layout: Layout
) -> tuple[list[str], list[tuple[str, str]]]:
    return _link_losses(Link(entity=entity, score=score, attributes=dict(attributes)), layout)


def _link_losses(link: Link, layout: Layout) -> tuple[list[str], list[tuple[str, str]]]:
    for wide in (layout,) if layout.scored else (layout, AIDA):
        made = link_cells(link, wide)
        cells = [_BREAKS.sub(" ", cell) for cell in made]
        back = read_link(cells, layout).link
        if link.is_nil or back.entity == link.entity:
            break
    losses = []
    same = back.entity == link.entity or (link.is_nil and back.entity is None)
    if link.is_nil != (back.entity is None):
        losses.append(("link", f"it is read as {back.entity or 'NIL'}"))
    elif not same:
        alike = canonical(back.entity or "") == canonical(link.entity or "")
        kind = "entity-spelling" if alike else "entity"
        losses.append((kind, f"it is read as {back.entity}"))
    if layout.scored and back.score != link.score:
        losses.append(("scores", "no place beside it"))
    kept = back.attributes.items() >= link.attributes.items()
    if not kept or (not same and back.attributes != link.attributes):
        losses.append(("link-attributes", "no columns for them"))
    return cells, losses
