"""spaCy's DocBin: entities with ``kb_id``, and a span group that holds every link.

``doc.ents`` has the outermost mentions. ``doc.spans["mentions"]`` has all of them, nested ones and
alternatives too: one span for each link, whose id is ``mention.link``. Categories and scores are
span extensions (``span._.base_form``). The rest is JSON in ``doc.user_data["elcurate"]``.
"""

from __future__ import annotations

import zlib

from elcurate.formats.base import Format
from elcurate.formats.features import EVERYTHING
from elcurate.formats.spacy_read import read
from elcurate.formats.spacy_write import write


def sniff(head: bytes, name: str) -> int:
    """Sure of packed data that begin as those of a DocBin."""
    if head[:1] != b"\x78":
        return 0
    try:
        start = zlib.decompressobj().decompress(head, 4096)
    except zlib.error:
        return 0
    return 95 if start[:1] >= b"\x80" and b"version" in start[:16] and b"attrs" in start else 0


SPACY = Format(
    name="spacy",
    text="spaCy's DocBin",
    suffixes=(".spacy",),
    keeps=EVERYTHING - {"no-text"},
    sniff=sniff,
    read=read,
    write=write,
)
