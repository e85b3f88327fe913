"""W3C Web Annotation as JSON-LD.

A mention is an annotation whose target selects a stretch of a document by position, in code
points, and by quotation. Its bodies identify the entity and classify the mention: the entity's
type and the categories, which are ``fel:`` classes. Alternatives are annotations whose targets
have one id. The text of a document stands in the target of an annotation of the whole document.
"""

from __future__ import annotations

import re

from elcurate.formats.base import Format
from elcurate.formats.features import EVERYTHING
from elcurate.formats.webannotation_read import read
from elcurate.formats.webannotation_write import write

_CONTEXT = re.compile(
    rb'"@context"\s*:\s*(?:\[\s*(?:"[^"]*"\s*,\s*)*)?"https?://www\.w3\.org/ns/anno(?:\.jsonld)?"'
)


def sniff(head: bytes, name: str) -> int:
    """Sure of JSON whose context is that of Web Annotations."""
    opening = head.lstrip(b"\xef\xbb\xbf \r\n\t")[:1]
    return 95 if opening in (b"{", b"[") and _CONTEXT.search(head) else 0


WEBANNOTATION = Format(
    name="webannotation",
    text="W3C Web Annotation in JSON-LD",
    suffixes=(".anno.jsonld",),
    keeps=EVERYTHING,
    sniff=sniff,
    read=read,
    write=write,
)
