"""AIDA/CoNLL-YAGO: one token a line, mentions in further columns, linked to YAGO and Wikipedia.

The conll03_nel_eval tool's files look alike: page title and score take the place of the
knowledge bases.
"""

from __future__ import annotations

import re

from elcurate.formats import conll2003_layout
from elcurate.formats.aida_read import read, tagged_rows
from elcurate.formats.aida_rows import find_layout
from elcurate.formats.aida_write import write_aida, write_scored
from elcurate.formats.base import Format
from elcurate.formats.docstart import START
from elcurate.formats.features import EVERYTHING

_LOST = {
    "no-text",
    "tags",
    "bare-mentions",
    "nesting",
    "repeated-spans",
    "fragments",
    "mention-attributes",
    "several-links",
    "nil-clusters",
    "types",
    "categories",
}
_ROW = re.compile(rb"[^\t\r\n]+(\t[BIO]?(\t[^\n]*)?)?\r?|[ \t]*\r?")
_ANNOTATIONS = re.compile(rb"-DOCSTART- [^\n]*\n\d+\t(--NME--\r?\n|[^\t\n]+\thttp)")
"""The beginning of AIDA's file of token numbers, which the reader refuses with a reason."""


def sniff_aida(head: bytes, name: str) -> int:
    """Sure of rows that are a token, or a token with B or I and a name, after ``-DOCSTART-``."""
    return 0 if _is_scored(head) else _sureness(head)


def sniff_scored(head: bytes, name: str) -> int:
    """As `sniff_aida`, where titles have scores, or NIL has three columns."""
    return _sureness(head) if _is_scored(head) else 0


def _is_scored(head: bytes) -> bool:
    layout = find_layout(tagged_rows(head))
    return layout is not None and layout.scored


def _sureness(head: bytes) -> int:
    lines = head.removeprefix(b"\xef\xbb\xbf").lstrip().split(b"\n")
    if not lines[0].startswith(START.encode()) or conll2003_layout.find_layout(head):
        return 0
    if _ANNOTATIONS.match(head):
        return 30
    rows = lines[:-1] or lines
    return 85 if all(map(_ROW.fullmatch, rows)) else 0


AIDA = Format(
    name="aida",
    text="AIDA/CoNLL-YAGO, a token a line",
    suffixes=(".aida.tsv", ".aida"),
    keeps=EVERYTHING - _LOST - {"scores"},
    sniff=sniff_aida,
    read=read,
    write=write_aida,
)

CONLL03_NEL = Format(
    name="conll03-nel",
    text="conll03_nel_eval's system output: AIDA with titles and scores",
    suffixes=(".nel.tsv", ".nel"),
    keeps=EVERYTHING - _LOST,
    sniff=sniff_scored,
    read=read,
    write=write_scored,
)
