"""MSNBC, AQUAINT and ACE2004: a folder of problem files beside a folder of raw texts."""

from __future__ import annotations

from elcurate.formats.base import Format
from elcurate.formats.msnbc_read import read
from elcurate.formats.msnbc_write import write_folder
from elcurate.formats.problem_folders import MARK, claim


def sniff(head: bytes, name: str) -> int:
    """Sure of a problem file."""
    return 95 if MARK in head[:4096] else 0


MSNBC = Format(
    name="msnbc",
    text="MSNBC, AQUAINT, ACE2004: problem files and raw texts",
    suffixes=(),
    keeps=frozenset(
        {
            "text",
            "empty-documents",
            "offsets",
            "nesting",
            "repeated-spans",
            "surfaces",
            "nil",
            "nil-clusters",
            "link-attributes",
        }
    ),
    sniff=sniff,
    read=read,
    claim=claim,
    write_folder=write_folder,
)
