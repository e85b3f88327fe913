"""HIPE-2022's TSV: ten columns, literal and metonymic entities apart, links to Wikidata.

Links in NEL-METO have the category ``reference=metonymic``. Rows, with their tags removed, are
kept in the document's metadata under ``rows``, comments under their own names.
"""

from __future__ import annotations

from elcurate.formats.base import Format
from elcurate.formats.hipe_read import read
from elcurate.formats.hipe_write import KEEPS, write


def sniff(head: bytes, name: str) -> int:
    """Sure when the first line names the columns."""
    first = head.lstrip(b"\xef\xbb\xbf").split(b"\n", 1)[0]
    return 95 if first.startswith(b"TOKEN\t") and b"\tNE-COARSE-LIT" in first else 0


HIPE = Format(
    name="hipe",
    text="HIPE-2022's TSV",
    suffixes=(".hipe.tsv",),
    keeps=KEEPS,
    sniff=sniff,
    read=read,
    write=write,
)
