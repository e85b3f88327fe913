"""Which files of a TAC KBP corpus belong together: queries and their links."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from elcurate.errors import ReadError
from elcurate.formats.source import Source
from elcurate.model.change import Repair

PLACE = re.compile(r"(.+):\s?(-?\d+)\s?[-–]\s?(-?\d+)", re.DOTALL)
"""``docid: begin - end``, with a hyphen or an en dash."""

_ROLE = re.compile(r"[_.-]*(?:quer(?:y|ies)|kb[_-]?links|links|query[_-]types)$", re.IGNORECASE)
_ID = re.compile(rb"<query\s[^>]*?\bid\s*=\s*[\"']([^\"']*)")
_INTEGER = re.compile(r"-?\d+")
_TABULAR = ("", ".tab", ".tsv", ".txt")
_MOST = 200
"""How many files beside an input are looked into."""


def is_queries(head: bytes) -> bool:
    """Whether a file begins as a list of queries."""
    return b"<kbpentlink" in head


def is_links(head: bytes, blanks: bool = False) -> bool:
    """Whether a file begins with lines ``query_id kb_or_nil …``, with tabs or maybe blanks."""
    rows = _rows(head)
    return (
        bool(rows)
        and (blanks or b"\t" in head)
        and sum(len(row) > 1 and row[0] != "" for row in rows) * 2 >= len(rows)
        and not all(_INTEGER.fullmatch(cell) for row in rows for cell in row[1:3])
        and not any(PLACE.fullmatch(cell) for row in rows for cell in row[3:4])
    )


def is_one_file(head: bytes) -> bool:
    """Whether a file begins with lines of the one-file layout."""
    rows = _rows(head)
    return bool(rows) and all(len(row) >= 8 and PLACE.fullmatch(row[3]) for row in rows)


def both(source: Source) -> tuple[Source | None, Source | None]:
    """The queries and the links of an input: a file of either kind, or a folder.

    A partner is looked for among the inputs named together with this one, then in its folder.

    Raises:
        ReadError: when several files may be the partner.
    """
    if source.is_folder:
        queries = query_files(Path(source.path))
        if len(queries) != 1:
            raise ReadError(
                f"the folder has {len(queries)} files of queries",
                path=source.path,
                remedy="Name the one to read, and its links.",
            )
        links = partner(queries[0], (), is_query=True)
        parts = source.part(queries[0]), None if links is None else source.part(links)
        report_unused(source)
        return parts
    is_query = is_queries(source.head)
    found = None if source.path == "-" and not source.named else _partner(source, is_query)
    other = None if found is None else source.part(found)
    return (source, other) if is_query else (other, source)


def _partner(source: Source, is_query: bool) -> Path | None:
    if source.path == "-":
        others = [path for path in source.named if _is(path, not is_query)]
        return others[0] if len(others) == 1 else None
    return partner(Path(source.path), source.named, is_query)


def partner(path: Path, named: Iterable[Path], is_query: bool) -> Path | None:
    """The links of a file of queries, or the queries of a file of links; None without.

    Raises:
        ReadError: when there are several.
    """
    named = [other for other in named if other != path]
    others = [other for other in named if _is(other, not is_query)]
    alike = [other for other in named if _is(other, is_query)]
    if len(others) == 1 and not alike:
        return others[0]
    others = others or (link_files(path.parent) if is_query else query_files(path.parent))
    others = [other for other in others if other != path]
    for fitting in (
        [other for other in others if _stem(other) == _stem(path)],
        [other for other in others if _key(other) == _key(path)],
        [other for other in others if _share(*((path, other) if is_query else (other, path)))],
    ):
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            names = ", ".join(other.name for other in fitting)
            raise ReadError(
                f"it may belong to any of {names}",
                path=path,
                remedy="Name the queries and their links together.",
            )
    return None


def query_files(folder: Path) -> list[Path]:
    """The files of queries in a folder."""
    return [path for path in _files(folder, ".xml") if is_queries(_head(path))]


def link_files(folder: Path) -> list[Path]:
    """The files of links in a folder."""
    return [path for path in _files(folder, *_TABULAR) if may_be_links(path)]


def may_be_links(path: Path) -> bool:
    """Whether a file is named and begins as a list of links, or is an empty table."""
    suffix, head = _suffix(path), _head(path)
    return suffix in _TABULAR and (is_links(head) or (suffix == ".tab" and not head))


def report_unused(source: Source) -> None:
    """Reports the files in a folder that are no part of the corpus."""
    for path in _files(Path(source.path)):
        if path.resolve() not in source.used:
            repair = Repair(kind="unused-file", where=str(path), after="left out")
            source.repairs.append(repair)


def _is(path: Path, is_query: bool) -> bool:
    head = _head(path)
    return is_queries(head) if is_query else may_be_links(path) or is_links(head, blanks=True)


def _share(queries: Path, links: Path) -> bool:
    """Whether any of the first links is for any of the first queries."""
    ids = {found.decode("utf-8", "replace") for found in _ID.findall(_head(queries))}
    return any(row[0] in ids for row in _rows(_head(links)))


def _files(folder: Path, *suffixes: str) -> list[Path]:
    """The files in a folder, the first of them, with one of these suffixes if any are named."""
    named = (path for path in folder.iterdir() if not suffixes or _suffix(path) in suffixes)
    found = sorted(path for path in named if path.name[0] != "." and path.is_file())
    return found[:_MOST] if suffixes else found


def _head(path: Path) -> bytes:
    try:
        return Source(path).head if path.is_file() else b""
    except ReadError:
        return b""


def _rows(head: bytes) -> list[list[str]]:
    """The cells of the first lines."""
    lines = head.decode("utf-8-sig", "replace").split("\n")
    some = [line.rstrip("\r") for line in lines[:-1] or lines if line.strip()][:20]
    return [line.split("\t") if b"\t" in head else line.split() for line in some]


def _stem(path: Path) -> str:
    return Source(path).stem


def _key(path: Path) -> str:
    return _ROLE.sub("", _stem(path))


def _suffix(path: Path) -> str:
    return Path(Source(path).name).suffix.lower()
