"""conll03_nel_eval's release files: ``docid start end link score``, counted in tokens, half-open.

The tokens are in another file, an AIDA or CoNLL-2003 one. With it (`ReadOptions.texts`) documents
have a text; without it they have none, their offsets are numbers of tokens, and their metadata
say so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, NamedTuple

from elcurate.errors import ReadError
from elcurate.formats import aida_read, conll2003_layout, conll2003_read
from elcurate.formats.aida_rows import SCORED, read_link
from elcurate.formats.aida_write import link_losses
from elcurate.formats.base import Format, Reading, ReadOptions, Writing
from elcurate.formats.checks import LIMIT
from elcurate.formats.docstart import START
from elcurate.formats.features import EVERYTHING
from elcurate.formats.source import Source
from elcurate.formats.token_rows import lose, lose_metadata
from elcurate.formats.tokenise import tokenise
from elcurate.model.change import Loss, Repair
from elcurate.model.corpus import Document, Link, Mention, in_order

SUFFIX = ".nel-offsets.tsv"
UNIT, TOKENS = "offsets", "tokens"
_ROW = re.compile(rb"[^\t\n]+\t\d+\t\d+(\t[^\t\n]*){0,2}\r?\n?")
_OFFSET = re.compile(r"-?[0-9]{1,18}")
_LINE_ENDS = re.compile(r"[\t\r\n]")
_LOST = {
    "text",
    "empty-documents",
    "sentences",
    "tokens",
    "tags",
    "bare-mentions",
    "fragments",
    "surfaces",
    "mention-attributes",
    "several-links",
    "nil-clusters",
    "types",
    "categories",
}


class _Row(NamedTuple):
    line: int
    begin: int
    end: int
    link: Link


def sniff(head: bytes, name: str) -> int:
    """Sure of the suffix alone: neleval's files, which count characters, look the same."""
    first = head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0]
    return 90 if name.endswith(SUFFIX) and _ROW.fullmatch(first) else 0


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads all rows; documents come in the order of the tokens' file, or of their first rows."""
    rows = _rows(source)
    if options.texts is None:
        return Reading(source.stem, _without_tokens(rows), repairs=source.repairs)
    tokens = _tokens(source, options.texts, options)
    documents = _with_tokens(source, rows, tokens, options)
    return Reading(source.stem, documents, tokens.metadata, source.repairs)


def _rows(source: Source) -> dict[str, list[_Row]]:
    rows: dict[str, list[_Row]] = {}
    crlf = False
    for number, raw in source.lines():
        line = raw.removesuffix("\r")
        if line != raw and not crlf:
            source.repairs.append(Repair(kind="crlf", where=f"{source.path}:{number}"))
        crlf = crlf or line != raw
        if line.strip():
            name, row = _row(line, number, source)
            rows.setdefault(name, []).append(row)
    return rows


def _row(line: str, number: int, source: Source) -> tuple[str, _Row]:
    cells = line.split("\t")
    if not 3 <= len(cells) <= 5:
        raise ReadError(
            f"the row has {len(cells)} columns",
            path=source.path,
            line=number,
            remedy="A row is docid, start, end, and maybe link and score.",
        )
    for cell in cells[1:3]:
        if not _OFFSET.fullmatch(cell) or abs(int(cell)) > LIMIT:
            raise ReadError(
                f"{cell[:40]!r} is no number of a token",
                path=source.path,
                line=number,
                remedy="Tokens are numbered from 0; the end is the one after the last.",
            )
    rest = cells[3:]
    while rest and not rest[-1]:
        rest.pop()
    link, problem = read_link(rest, SCORED)
    if problem:
        where = f"{source.path}:{number}"
        source.repairs.append(Repair(kind="malformed-score", where=where, before=problem))
    return cells[0], _Row(number, int(cells[1]), int(cells[2]), link)


def _without_tokens(rows: dict[str, list[_Row]]) -> Iterator[Document]:
    for name, found in rows.items():
        mentions = [Mention(begin=row.begin, end=row.end, links=(row.link,)) for row in found]
        yield Document(id=name, mentions=in_order(mentions), metadata={UNIT: TOKENS})


def _tokens(source: Source, path: Path, options: ReadOptions) -> Reading:
    """The file with the tokens."""
    other = source.part(path)
    if other.is_folder:
        raise ReadError(
            "the tokens are in one file", path=path, remedy="Name that file with --texts."
        )
    if conll2003_layout.find_layout(other.head):
        return conll2003_read.read(other, options)
    if START.encode() in other.head:
        return aida_read.read(other, options)
    raise ReadError(
        "the file holds no tokens",
        path=path,
        remedy="Name an AIDA or CoNLL-2003 file with --texts.",
    )


def _with_tokens(
    source: Source, rows: dict[str, list[_Row]], tokens: Reading, options: ReadOptions
) -> Iterator[Document]:
    left = dict(rows)
    for document in tokens.documents:
        mentions = []
        for row in left.pop(document.id, []):
            if 0 <= row.begin < row.end <= len(document.tokens):
                begin = document.tokens[row.begin].begin
                end = document.tokens[row.end - 1].end
                mentions.append(Mention(begin=begin, end=end, links=(row.link,)))
                continue
            message = f"the document has no tokens {row.begin}-{row.end}"
            remedy = f"It has {len(document.tokens)}: are they those that were counted?"
            options.fail(
                ReadError(
                    message, path=source.path, line=row.line, document=document.id, remedy=remedy
                )
            )
        yield document.model_copy(update={"mentions": in_order(mentions)})
    for name, found in left.items():
        options.fail(
            ReadError(
                "this document is not in the file with the tokens",
                path=source.path,
                line=found[0].line,
                document=name,
                remedy=f"Look for it in {options.texts}.",
            )
        )


def write(writing: Writing, out: BinaryIO) -> None:
    """Writes one row per mention, with link and score or their empty places."""
    for document in writing.documents:
        places = _places(document, writing)
        if places is None:
            reason = "offsets are numbers of tokens, and there are none"
            writing.losses.append(Loss(kind="document", where=document.id, reason=reason))
            continue
        counted = document.metadata.get(UNIT) == TOKENS and document.text is None
        lose_metadata(writing, document, {UNIT} if counted else set())
        name = _LINE_ENDS.sub(" ", document.id)
        if name != document.id:
            reason = "tabs and line ends become blanks"
            writing.losses.append(Loss(kind="document-id", where=document.id, reason=reason))
        rows = _lines(document, name, places, writing)
        if document.mentions and not rows:
            reason = "none of its mentions can be written"
            writing.losses.append(Loss(kind="document", where=document.id, reason=reason))
        out.write("".join(rows).encode())


def _lines(document: Document, name: str, places: list[range], writing: Writing) -> list[str]:
    """A row for each mention that covers tokens and has a link."""
    rows = []
    for mention, numbers in zip(document.mentions, places, strict=True):
        if not numbers:
            lose(writing, document, mention, "mention", "its borders are not those of tokens")
        elif mention.links:
            cells, losses = link_losses(mention.links[0], SCORED)
            for kind, reason in losses:
                lose(writing, document, mention, kind, reason, mention.links[0].entity or "NIL")
            row = [name, str(numbers.start), str(numbers.stop), *[*cells, "", ""][:2]]
            rows.append("\t".join(row) + "\n")
    return rows


def _places(document: Document, writing: Writing) -> list[range] | None:
    """The token numbers of each mention, none where its borders are no token's."""
    spans = [mention.span for mention in document.mentions]
    if document.text is None:
        counted = document.metadata.get(UNIT) == TOKENS
        return [range(*span) for span in spans] if counted else None
    if spans:
        reason = "offsets become numbers of tokens"
        writing.losses.append(Loss(kind="offsets", where=document.id, reason=reason))
    if not document.tokens:
        cut = tokenise(document, document.text, replace(writing, losses=[]))
        return [cut.inside(*span) for span in spans]
    first = {token.begin: number for number, token in enumerate(document.tokens)}
    last = {token.end: number for number, token in enumerate(document.tokens, 1)}
    return [range(first.get(begin, 0), last.get(end, 0) * (begin in first)) for begin, end in spans]


CONLL03_OFFSETS = Format(
    name="conll03-nel-offsets",
    text="conll03_nel_eval's release files: token numbers, link, score",
    suffixes=(SUFFIX,),
    keeps=EVERYTHING - _LOST,
    sniff=sniff,
    read=read,
    write=write,
)
