"""The columns of HIPE-2022's TSV, their tags, and the text that rows make."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from elcurate.formats.detokenise import STYLES, Made, detokenise
from elcurate.model.categories import Categories
from elcurate.model.corpus import Span

COARSE = ("NE-COARSE-LIT", "NE-COARSE-METO")
FINE = ("NE-FINE-LIT", "NE-FINE-METO")
NESTED = "NE-NESTED"
LINKS = ("NEL-LIT", "NEL-METO")
COLUMNS = ("TOKEN", *COARSE, *FINE, "NE-FINE-COMP", NESTED, *LINKS, "MISC")
TAB = "\t"
HEADER = "\t".join(COLUMNS)
PLACE = {name: place for place, name in enumerate(COLUMNS)}
TAGS = (*COARSE, *FINE, NESTED)
"""Columns whose tags are mentions; components (NE-FINE-COMP) stay as they are."""
METONYMIC = Categories.of([("reference", "metonymic")])
OUTSIDE = frozenset(("O", "_", ""))
ID = "hipe2022:document_id"
COMMENT = re.compile(r"#\s*(\S+)\s*=\s*(.*?)\s*")
BREAKS = re.compile(r"[\t\r\n]")
_PARTIAL = re.compile(r"Partial-([0-9]{1,6}):([0-9]{1,6})")


class Tagged(NamedTuple):
    """Tokens with one tag.

    Attributes:
        first: Number of the first token.
        stop: Number of the token after the last.
        label: What follows ``B-``.
        odd: Whether it begins with ``I-``.
    """

    first: int
    stop: int
    label: str
    odd: bool = False


def is_id(key: str) -> bool:
    """Whether a comment's key names the document's id."""
    return key.rpartition(":")[2] == "document_id"


def tagged(cells: Sequence[str]) -> Iterator[Tagged]:
    """The stretches of IOB tags in a column; ``ValueError`` names a cell that is no tag."""
    first, label, odd = 0, None, False
    for number, cell in enumerate((*cells, "O")):
        if cell in OUTSIDE:
            if label is not None:
                yield Tagged(first, number, label, odd)
                label = None
            continue
        if cell[:2] not in ("B-", "I-"):
            raise ValueError(number)
        if cell[0] == "I" and label == cell[2:]:
            continue
        if label is not None:
            yield Tagged(first, number, label, odd)
        first, label, odd = number, cell[2:], cell[0] == "I"


def partial(misc: str) -> tuple[int, int] | None:
    """Where a mention begins and ends inside its token, if it does not fill it."""
    match = _PARTIAL.search(misc) if "Partial-" in misc else None
    return (int(match[1]), int(match[2])) if match else None


def made_of(tokens: Sequence[str], flags: Sequence[str]) -> Made:
    """The text of tokens with the flags of their MISC column, and the sentences that these end."""
    distinct = set(flags)
    gaps = {misc: "" for misc in distinct if "NoSpaceAfter" in misc}
    gaps |= {misc: "\n" for misc in distinct if "EndOfLine" in misc}
    after = {number: gaps[misc] for number, misc in enumerate(flags) if misc in gaps}
    ending = {misc for misc in distinct if "EndOfSentence" in misc}
    ends = [number for number, misc in enumerate(flags) if misc in ending]
    made = detokenise([tokens], STYLES.get("space"), after)
    if ends and ends[-1] < len(tokens) - 1:
        ends.append(len(tokens) - 1)
    spans = []
    first = 0
    for last in ends:
        spans.append(Span(begin=made.tokens[first].begin, end=made.tokens[last].end))
        first = last + 1
    return Made(made.text, made.tokens, tuple(spans))


def default_rows(text: str, tokens: Sequence[Span], sentences: Sequence[Span]) -> Iterator[str]:
    """Rows without tags, as they are written of a document that has none of its own."""
    ends = {part.end for part in sentences}
    for number, token in enumerate(tokens):
        last = number + 1 == len(tokens)
        gap = text[token.end :] if last else text[token.end : tokens[number + 1].begin]
        flags = []
        if "\n" in gap:
            flags.append("EndOfLine")
        elif gap == "" and not last:
            flags.append("NoSpaceAfter")
        if token.end in ends:
            flags.append("EndOfSentence")
        form = text[token.begin : token.end]
        if not form.isprintable():
            form = BREAKS.sub(" ", form)
        yield f"{form}\tO\tO\tO\tO\tO\tO\t_\t_\t{'|'.join(flags) or '_'}"
