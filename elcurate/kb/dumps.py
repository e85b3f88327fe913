"""Snapshots from the SQL dumps of a Wikipedia: ``page``, ``redirect`` and ``page_props``."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from elcurate.errors import SnapshotError
from elcurate.kb.snapshot_file import SnapshotInfo, SnapshotWriter, new_snapshot
from elcurate.kb.sqldump import Row, SqlDump, unescaped
from elcurate.kb.wikis import language_of

Progress = Callable[[str, int, int], None]
"""Is called with the table, and how many bytes of how many have been read."""

_FILE = re.compile(
    r"(?:(?P<wiki>\w+)-(?P<date>\d{8}|latest)-)?(?P<table>page|redirect|page_props)\.sql(?:\.gz)?"
)
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_DAMAGED = "\ufffd"

PAGE: dict[str, type] = {
    "page_id": int,
    "page_namespace": int,
    "page_title": str,
    "page_is_redirect": int,
}
REDIRECT: dict[str, type] = {
    "rd_from": int,
    "rd_namespace": int,
    "rd_title": str,
    "rd_interwiki": str,
    "rd_fragment": str,
}
PROPERTY: dict[str, type] = {"pp_page": int, "pp_propname": str, "pp_value": str}


@dataclass(frozen=True)
class DumpFiles:
    """The three files, and what their names say of the wiki and the day."""

    page: Path
    redirect: Path
    page_props: Path
    wiki: str | None = None
    date: str | None = None


def find_dumps(folder: Path) -> DumpFiles:
    """The dump files in a folder.

    Raises:
        SnapshotError: when a file is missing, or when there are those of several wikis or days.
    """
    if not folder.is_dir():
        raise SnapshotError(f"there is no folder {folder}")
    found: dict[tuple[str | None, str | None], dict[str, Path]] = {}
    for path in sorted(folder.iterdir()):
        match = _FILE.fullmatch(path.name)
        if match is not None:
            found.setdefault((match["wiki"], match["date"]), {}).setdefault(match["table"], path)
    if len(found) > 1:
        names = ", ".join("-".join(part for part in key if part) or "unnamed" for key in found)
        raise SnapshotError(
            f"{folder} has dumps of several wikis or days: {names}",
            remedy="Put those of one day into a folder of their own.",
        )
    for (wiki, day), files in found.items():
        if len(files) == 3:
            date = f"{day[:4]}-{day[4:6]}-{day[6:]}" if day and day != "latest" else None
            return DumpFiles(**files, wiki=wiki, date=date)
    missing = sorted({"page", "redirect", "page_props"} - set(*found.values()))
    raise SnapshotError(
        f"{folder} has no dump of the table {' and none of '.join(missing)}",
        remedy="Their names are like enwiki-20240101-page.sql.gz.",
    )


def build_snapshot(
    dumps: DumpFiles,
    output: Path,
    *,
    wiki: str | None = None,
    date: str | None = None,
    progress: Progress | None = None,
) -> SnapshotInfo:
    """Makes a snapshot of dumps; an older file stays as it was until all is written.

    Args:
        dumps: The files.
        output: The snapshot.
        wiki: The wiki's database name; by default as the files say.
        date: ``YYYY-MM-DD``; by default as the names of the files say, or else the files.
        progress: Is told how far it is.

    Raises:
        ReadError: for a damaged, truncated or unknown dump.
        SnapshotError: when the wiki or the day isn't known, or the file can't be written.
    """
    if date is not None and _DATE.fullmatch(date) is None:
        raise SnapshotError(f"{date!r} is no date", remedy="Write it as 2024-01-31.")
    steps = (
        (SqlDump(dumps.page, "page"), PAGE, _pages),
        (SqlDump(dumps.redirect, "redirect"), REDIRECT, _redirects),
        (SqlDump(dumps.page_props, "page_props"), PROPERTY, _properties),
    )
    digest = hashlib.sha256()
    with new_snapshot(output) as writer:
        for dump, columns, put in steps:
            size = dump.path.stat().st_size
            tick = None if progress is None else _ticking(progress, dump.table, size)
            for block in dump.blocks(columns, tick):
                put(writer, block)
            digest.update(dump.digest.digest())
        said = [dump for dump, _, _ in steps]
        name = wiki or dumps.wiki or next((one.database for one in said if one.database), None)
        day = date or dumps.date or next((one.completed for one in said if one.completed), None)
        if name is None or day is None:
            raise SnapshotError(
                "the dumps don't tell their wiki and day",
                remedy="Say --wiki enwiki and --date 2024-01-31.",
            )
        if progress is not None:
            progress("indexes", 1, 1)
        return writer.finish(
            SnapshotInfo(
                wiki=name,
                language=language_of(name),
                date=day,
                source="dumps",
                digest=digest.hexdigest()[:12],
            )
        )


def _ticking(progress: Progress, table: str, size: int) -> Callable[[int], None]:
    return lambda read: progress(table, read, size)


def _pages(writer: SnapshotWriter, rows: list[Row]) -> None:
    writer.pages(
        (page, unescaped(title), is_redirect)
        for page, namespace, title, is_redirect, _ in rows
        if namespace == "0" and _DAMAGED not in title
    )


def _redirects(writer: SnapshotWriter, rows: list[Row]) -> None:
    writer.redirects(
        (
            page,
            namespace,
            unescaped(title),
            unescaped(interwiki),
            _section(fragment) if fragment else "",
        )
        for page, namespace, title, interwiki, fragment, _ in rows
        if _DAMAGED not in title
    )


def _section(fragment: str) -> str:
    """A fragment; the database cuts it after 255 bytes, perhaps within a character."""
    return unescaped(fragment).rstrip(_DAMAGED).replace(" ", "_")


def _properties(writer: SnapshotWriter, rows: list[Row]) -> None:
    writer.disambiguations(_disambiguations(rows))
    writer.items(
        (page, value[1:])
        for page, name, value, _ in rows
        if name == "wikibase_item" and value[:1] == "Q" and value[1:].isdecimal()
    )


def _disambiguations(rows: list[Row]) -> Iterator[tuple[str]]:
    return ((page,) for page, name, _, _ in rows if name == "disambiguation")
