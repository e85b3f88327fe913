"""The SQLite file of a snapshot: its schema, and how it is written.

Only articles (namespace 0) are kept. Redirects of a fetched snapshot, whose page ids the API does
not tell, have negative ids.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from elcurate.errors import SnapshotError
from elcurate.model.record import Record

APPLICATION_ID = 0x656C6B62
VERSION = 1

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE pages (id INTEGER PRIMARY KEY, title TEXT NOT NULL, is_redirect INTEGER NOT NULL);
CREATE TABLE redirects (
    page INTEGER PRIMARY KEY,
    namespace INTEGER NOT NULL,
    title TEXT NOT NULL,
    interwiki TEXT NOT NULL,
    fragment TEXT NOT NULL
);
CREATE TABLE disambiguations (page INTEGER PRIMARY KEY);
CREATE TABLE items (page INTEGER PRIMARY KEY, item INTEGER NOT NULL);
CREATE TABLE absent (title TEXT PRIMARY KEY, reason TEXT NOT NULL) WITHOUT ROWID;
"""
_INDEXES = (
    "CREATE UNIQUE INDEX pages_by_title ON pages (title)",
    "CREATE INDEX redirects_by_target ON redirects (title)",
    "CREATE INDEX items_by_number ON items (item)",
)
_FAST = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA cache_size = -65536;
"""

PageRow = tuple[int | str, str, int | str]
RedirectRow = tuple[int | str, int | str, str, str, str]


class SnapshotInfo(Record):
    """What a snapshot knows of itself.

    Attributes:
        wiki: The wiki's database name, such as ``enwiki``.
        language: The language code in the wiki's addresses.
        date: The day of the data, ``YYYY-MM-DD``.
        source: ``dumps``, or ``api`` where only some titles were asked for.
        digest: Of the data that it was made from.
        pages: How many pages it has, redirects included.
        redirects: How many of them are redirects.
        disambiguations: How many of them are disambiguation pages.
        items: How many of them have a Wikidata item.
        absent: How many titles are known not to exist, if only some titles were asked for.
    """

    wiki: str
    language: str
    date: str
    source: str
    digest: str
    pages: int = 0
    redirects: int = 0
    disambiguations: int = 0
    items: int = 0
    absent: int = 0

    @property
    def id(self) -> str:
        """Wiki, date and digest, as signatures name it."""
        return f"{self.wiki}-{self.date.replace('-', '')}-{self.digest}"

    @property
    def complete(self) -> bool:
        """Whether a title that it lacks doesn't exist."""
        return self.source == "dumps"


class SnapshotReport(Record):
    """What ``kb info`` and the commands that make snapshots print as JSON.

    Attributes:
        snapshot: Its id.
        file: Its file.
        info: What it knows of itself.
    """

    snapshot: str
    file: str
    info: SnapshotInfo


class SnapshotWriter:
    """Takes the rows of a new snapshot; values may be given as text, as dumps have them."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def pages(self, rows: Iterable[PageRow]) -> None:
        """Adds pages: id, title, whether it is a redirect."""
        self._connection.executemany("INSERT INTO pages VALUES (?, ?, ?)", rows)

    def redirects(self, rows: Iterable[RedirectRow]) -> None:
        """Adds redirects: page id; namespace, title, interwiki prefix and section of the target."""
        self._connection.executemany("INSERT INTO redirects VALUES (?, ?, ?, ?, ?)", rows)

    def disambiguations(self, pages: Iterable[tuple[int | str]]) -> None:
        """Marks pages as disambiguation pages."""
        self._connection.executemany("INSERT INTO disambiguations VALUES (?)", pages)

    def items(self, rows: Iterable[tuple[int | str, int | str]]) -> None:
        """Adds the numbers of Wikidata items: page id, number without Q."""
        self._connection.executemany("INSERT INTO items VALUES (?, ?)", rows)

    def absent(self, rows: Iterable[tuple[str, str]]) -> None:
        """Adds titles that don't exist: title, ``missing`` or ``invalid``."""
        self._connection.executemany("INSERT INTO absent VALUES (?, ?)", rows)

    def finish(self, info: SnapshotInfo) -> SnapshotInfo:
        """Makes the indexes and writes what the snapshot knows of itself; counts are added."""
        for index in _INDEXES:
            self._connection.execute(index)
        counts = {name: self._count(name) for name in ("disambiguations", "items", "absent")}
        pages, redirects = self._connection.execute(
            "SELECT count(*), coalesce(sum(is_redirect), 0) FROM pages"
        ).fetchone()
        whole = info.model_copy(update={"pages": pages, "redirects": redirects, **counts})
        rows = [(name, str(value)) for name, value in whole.model_dump().items()]
        self._connection.executemany("INSERT INTO meta VALUES (?, ?)", rows)
        return whole

    def _count(self, table: str) -> int:
        # a page may have a property and be no article, or no longer exist
        join = "" if table == "absent" else " JOIN pages ON pages.id = page"
        found = self._connection.execute(f"SELECT count(*) FROM {table}{join}")  # noqa: S608
        return int(found.fetchone()[0])


@contextlib.contextmanager
def new_snapshot(path: Path) -> Iterator[SnapshotWriter]:
    """A snapshot that takes the file's place when the block ends without an error.

    Raises:
        SnapshotError: when the file can't be written, the disk is full, another process writes the
            same file, or the rows contradict each other.
    """
    target = path.resolve()
    if target.is_dir():
        raise SnapshotError(f"{path} can't be written: it is a folder")
    try:
        with _locked(target):
            handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
            os.close(handle)
            temporary = Path(name)
            try:
                with contextlib.closing(_created(temporary)) as connection:
                    yield SnapshotWriter(connection)
                    connection.execute("COMMIT")
                _put(temporary, target)
            finally:
                temporary.unlink(missing_ok=True)
    except sqlite3.IntegrityError as error:
        raise SnapshotError(
            f"{path} can't be written: the input has a page twice, or a wrong id ({error})",
            remedy="Are all inputs of the same day?",
        ) from error
    except (OSError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise SnapshotError(f"{path} can't be written: {reason}") from error


def _created(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(_FAST)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.executescript(_TABLES)
    connection.execute("BEGIN")
    return connection


def _put(temporary: Path, target: Path) -> None:
    with temporary.open("rb") as written:
        os.fsync(written.fileno())
    mask = os.umask(0)
    os.umask(mask)
    temporary.chmod(0o666 & ~mask)
    temporary.replace(target)


@contextlib.contextmanager
def _locked(target: Path) -> Iterator[None]:
    """Keeps other processes from writing the same file; the lock ends with the process."""
    lock = target.with_name(f".{target.name}.lock")
    with contextlib.closing(sqlite3.connect(lock, timeout=0, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            raise SnapshotError(
                f"{target} is being written by another process",
                remedy="Wait for it, or name another file.",
            ) from error
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                lock.unlink()
