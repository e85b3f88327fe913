"""GERDAQ: queries in XML, with annotations around their mentions and ranked pages as attributes.

``<annotation rank_0_id="…" rank_0_score="…" rank_0_title="…" rank_1_id="…" …>mention</annotation>``
in an ``<instance>`` of a ``<dataset>``.
"""

from __future__ import annotations

import re

from elcurate.formats.base import Format
from elcurate.formats.gerdaq_read import read
from elcurate.formats.gerdaq_write import write
from elcurate.formats.source import BOM

_HEAD = re.compile(
    rb"\s*(?:(?><\?.*?\?>)\s*|(?><!--.*?-->)\s*|<!DOCTYPE[^>\[]*>\s*)*+"
    rb"<dataset(?:\s[^>]*+)?>\s*(?:(?><!--.*?-->)\s*)*+(?:<instance[\s/>]|</dataset)",
    re.DOTALL,
)


def sniff(head: bytes, name: str) -> int:
    """Sure of a dataset of instances."""
    return 90 if _HEAD.match(head.removeprefix(BOM)) else 0


GERDAQ = Format(
    name="gerdaq",
    text="GERDAQ queries, annotated inline in XML",
    suffixes=(".gerdaq.xml",),
    keeps=frozenset(
        {
            "text",
            "empty-documents",
            "metadata",
            "offsets",
            "mention-attributes",
            "several-links",
            "nil",
            "nil-clusters",
            "scores",
            "link-attributes",
        }
    ),
    sniff=sniff,
    read=read,
    write=write,
)
