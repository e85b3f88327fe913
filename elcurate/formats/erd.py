"""ERD 2014's short track: queries in one file, their interpretations in another.

A query is ``id<TAB>text``. An annotation is ``id interpretation entity mention score`` with tabs
between: a query has any number of interpretations, each of them a set of entities. Mentions have no
offsets. Where the surface would not lead back to its place we add two cells, begin and end.
"""

from __future__ import annotations

import re
from pathlib import Path

from elcurate.errors import ReadError
from elcurate.formats.base import Format, Reading, ReadOptions
from elcurate.formats.beside import Endings, partner, parts, stem
from elcurate.formats.erd_read import COLUMNS, documents
from elcurate.formats.erd_write import write_folder
from elcurate.formats.source import BOM, Source

QUERIES: Endings = (".query.txt", ".queries.txt", "_query.txt", "_queries.txt")
ANNOTATIONS: Endings = (
    ".annotation.txt",
    ".annotations.txt",
    "_annotation.txt",
    "_annotations.txt",
)
KEEPS = frozenset(
    {
        "text",
        "empty-documents",
        "offsets",
        "nesting",
        "surfaces",
        "several-links",
        "nil",
        "nil-clusters",
        "scores",
        "link-attributes",
    }
)
_KINDS = {"queries": QUERIES, "annotations": ANNOTATIONS}
_ROW_HEAD = re.compile(
    rb"[^\t\n]+\t[0-9]{1,9}\t(?!-?[0-9]+\t)[^\t\n]+\t[^\t\n]*\t[0-9][0-9.eE+-]*"
    rb"(?:\t-?[0-9]+\t-?[0-9]+)?\r?"
)
_QUERY_HEAD = re.compile(rb"[A-Za-z]+-?[0-9]+\t[^\t\n]+")


def sniff(head: bytes, name: str) -> int:
    """Sure of rows with an interpretation in the second cell and a score in the last one."""
    lines = [line for line in head.removeprefix(BOM).splitlines()[:20] if line.strip()]
    if lines and all(_ROW_HEAD.fullmatch(line) for line in lines[: len(lines) - 1 or 1]):
        return 75
    is_query = stem(Path(name), QUERIES) is not None
    return 60 if is_query and lines and _QUERY_HEAD.fullmatch(lines[0]) else 0


def claim(path: Path) -> int:
    """Sure of queries and annotations beside each other, and of a folder of nothing else."""
    if path.is_dir():
        return 80 if len(parts(path, _KINDS)) == 2 else 0
    for own, other in ((QUERIES, ANNOTATIONS), (ANNOTATIONS, QUERIES)):
        if stem(path, own) is not None and partner(path, own, other) is not None:
            return 80
    return 0


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads queries and annotations, whichever of them the input is.

    Raises:
        ReadError: when there are annotations without queries.
    """
    queries, annotations = _files(source)
    if queries is None:
        raise ReadError(
            "there are no queries for these annotations",
            path=source.path,
            remedy="Put both in one folder, as x.query.txt and x.annotation.txt.",
        )
    return Reading(source.stem, documents(queries, annotations, options), repairs=source.repairs)


def _files(source: Source) -> tuple[Source | None, Source | None]:
    path = Path(source.path)
    if source.is_folder:
        found = parts(path, _KINDS)
        queries, annotations = (
            source.part(found[kind]) if kind in found else None for kind in _KINDS
        )
        return queries, annotations
    is_queries = stem(path, QUERIES) is not None or not _has_rows(source)
    own, other = (QUERIES, ANNOTATIONS) if is_queries else (ANNOTATIONS, QUERIES)
    beside = None if source.path == "-" else partner(path, own, other)
    found_other = None if beside is None else source.part(beside)
    return (source, found_other) if is_queries else (found_other, source)


def _has_rows(source: Source) -> bool:
    """Whether a file is one of annotations rather than queries."""
    if stem(Path(source.path), ANNOTATIONS) is not None:
        return True
    first = source.head.removeprefix(BOM).lstrip().split(b"\n", 1)[0]
    return first.count(b"\t") + 1 in COLUMNS


ERD = Format(
    name="erd",
    text="ERD 2014, short track: queries and their interpretations",
    suffixes=(),
    keeps=KEEPS,
    sniff=sniff,
    read=read,
    claim=claim,
    write_folder=write_folder,
)
