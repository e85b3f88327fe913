"""Rows of a table in a gzip SQL dump of a Wikimedia wiki, in blocks and constant memory.

The dumps are made by mysqldump or mariadb-dump: ``INSERT`` statements of thousands of rows, on one
line or with a line for each row, and strings in single quotes with backslash escapes. The order of
the columns is read from ``CREATE TABLE``.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import BinaryIO, cast

from elcurate.errors import ReadError

Row = tuple[str, ...]
Tick = Callable[[int], None]
"""Is called with how many bytes of the file have been read."""

_BLOCK = 1 << 20
_LONGEST_LINE = 1 << 26
_GZIP = b"\x1f\x8b"

_INSERT = re.compile(rb"INSERT (?:IGNORE )?INTO `?(\w+)`? (?:\(([^()]*)\) )?VALUES\s*")
_CREATE = re.compile(rb"CREATE TABLE (?:IF NOT EXISTS )?`?(\w+)`?\s*\(")
_COLUMN = re.compile(rb"\s*`(\w+)`\s")
_NAME = re.compile(rb"\w+")
_DATABASE = re.compile(rb"-- Host: .*\bDatabase: (\w+)")
_COMPLETED = re.compile(rb"-- Dump completed on (\d{4}-\d\d-\d\d)")

_CHARACTERS = r"[^'\\]*+(?:(?:\\[\s\S]|'')[^'\\]*+)*+"
_NUMBER = r"-?[0-9]++(?:\.[0-9]++)?+(?:[eE][-+]?+[0-9]++)?+"
_TEXT = rf"(?:(?:_binary )?+'({_CHARACTERS})'|NULL)"
_INTEGER = r"(-?[0-9]++)"
_SKIPPED = rf"(?:{_NUMBER}|(?:_binary )?+'{_CHARACTERS}'|NULL|0x[0-9A-Fa-f]++)"

_ESCAPE = re.compile(r"\\([\s\S])|''")
_ESCAPED = {"0": "\0", "n": "\n", "r": "\r", "t": "\t", "b": "\b", "Z": "\x1a"}


class SqlDump:
    """One table of a dump.

    Args:
        path: The file, gzip or plain.
        table: The name of the table that it must hold.

    Attributes:
        database: The wiki's database, once the head has been read, if the head says so.
        completed: The day on which the dump was completed, once all has been read, if it says so.
        rows: How many rows have been read.
        digest: Of the rows that have been read.
    """

    def __init__(self, path: Path, table: str) -> None:
        self.path = path
        self.table = table
        self.database: str | None = None
        self.completed: str | None = None
        self.rows = 0
        self.digest = hashlib.sha256()
        self._columns: list[str] | None = None

    def blocks(self, wanted: Mapping[str, type], tick: Tick | None = None) -> Iterator[list[Row]]:
        """The rows in blocks: the wanted columns as strings, escapes left as they are.

        Args:
            wanted: ``int`` or ``str`` for each column, in the order that is wanted. NULL is the
                empty string.
            tick: Told about progress.

        Raises:
            ReadError: for a file that is damaged, truncated or of another kind.
        """
        reader: _RowReader | None = None
        for number, columns, data in self._statements(tick):
            if reader is None or reader.columns != columns:
                reader = _RowReader(columns, wanted, self)
            found = reader.rows(data.decode("utf-8", "replace"), number)
            self.rows += len(found)
            self.digest.update(data)
            yield found
        if self._columns is None:
            raise self._error("there is no CREATE TABLE", None)

    def _statements(self, tick: Tick | None) -> Iterator[tuple[int, list[str], bytes]]:
        """First line, columns and rows of blocks of lines."""
        columns: list[str] | None = None
        block: list[bytes] = []
        size = first = 0
        for number, line in self._lines(tick):
            rows = None
            if columns is not None:
                rows = line
            elif line.startswith(b"INSERT "):
                columns, rows = self._begun(line, number)
            else:
                self._note(line, number)
            if rows is None or columns is None:
                continue
            first = first if block else number
            block.append(rows)
            size += len(rows)
            ended = line.rstrip().endswith(b";")
            if size >= _BLOCK or ended:
                yield first, columns, b"".join(block)
                block, size = [], 0
            if ended:
                columns = None
        if columns is not None:
            raise self._error("the file ends within a statement", None)

    def _begun(self, line: bytes, number: int) -> tuple[list[str], bytes]:
        """The columns of an INSERT statement, and its rows on this line."""
        match = _INSERT.match(line)
        if match is None or match[1].decode() != self.table:
            raise self._error(f"this is no INSERT INTO `{self.table}`", number)
        stated = [name.decode() for name in _NAME.findall(match[2] or b"")]
        columns = stated or self._columns
        if not columns or self._columns is None:
            raise self._error("rows come before CREATE TABLE", number)
        return columns, line[match.end() :]

    def _note(self, line: bytes, number: int) -> None:
        """What a line besides the rows tells."""
        if self._columns is not None and (column := _COLUMN.match(line)):
            self._columns.append(column[1].decode())
        elif created := _CREATE.match(line):
            if created[1].decode() != self.table:
                raise self._error(
                    f"this is the table {created[1].decode()}, not {self.table}", number
                )
            self._columns = []
        elif database := _DATABASE.match(line):
            self.database = database[1].decode()
        elif completed := _COMPLETED.match(line):
            self.completed = completed[1].decode()

    def _lines(self, tick: Tick | None) -> Iterator[tuple[int, bytes]]:
        number = read = 0
        with self.path.open("rb") as raw:
            packed = raw.read(2) == _GZIP
            raw.seek(0)
            stream = io.BufferedReader(cast("io.RawIOBase", gzip.GzipFile(fileobj=raw)), 1 << 17)
            try:
                for line in iter(_reader(stream if packed else raw), b""):
                    number += 1
                    read += len(line)
                    if len(line) > _LONGEST_LINE:
                        raise self._error("the line is longer than any in a dump", number)
                    if tick is not None and read >= _BLOCK:
                        read = 0
                        tick(raw.tell())
                    yield number, line
            except (EOFError, zlib.error, gzip.BadGzipFile) as error:
                raise self._error(
                    "the file is truncated or damaged", number, "Download it again."
                ) from error
            except OSError as error:
                raise self._error(f"the file can't be read: {error.strerror}", number) from error

    def _error(self, message: str, line: int | None, remedy: str | None = None) -> ReadError:
        return ReadError(message, path=self.path, line=line, remedy=remedy)


def unescaped(text: str) -> str:
    """A string of a dump without its escapes."""
    if "\\" not in text and "'" not in text:
        return text
    return _ESCAPE.sub(lambda match: _ESCAPED.get(match[1], match[1] or "'"), text)


def _reader(stream: BinaryIO | io.BufferedReader) -> Callable[[], bytes]:
    return lambda: stream.readline(_LONGEST_LINE + 1)


class _RowReader:
    """Finds the rows in the text of a statement whose columns have this order."""

    def __init__(self, columns: Sequence[str], wanted: Mapping[str, type], dump: SqlDump) -> None:
        missing = [name for name in wanted if name not in columns]
        if missing:
            raise ReadError(
                f"the table {dump.table} has no column {' and no column '.join(missing)}",
                path=dump.path,
                remedy=f"Its columns are {', '.join(columns)}: it is of an unknown version.",
            )
        self.columns = columns
        self._path = dump.path
        kinds = {int: _INTEGER, str: _TEXT}
        parts = [kinds[wanted[name]] if name in wanted else _SKIPPED for name in columns]
        self._find = re.compile(rf"\({','.join(parts)}\)[,;]\s*+|([\s\S]++)").findall
        found = [name for name in columns if name in wanted]
        order = [found.index(name) for name in wanted]
        in_order = order == list(range(len(order)))
        self._arranged = None if in_order else itemgetter(*order, len(order))

    def rows(self, text: str, number: int) -> list[Row]:
        """The rows; the last element of each is empty."""
        if not text.strip():
            return []
        found: list[Row] = self._find(text)
        rest = found[-1][-1]
        if rest:
            line = number + text.count("\n", 0, len(text) - len(rest))
            raise ReadError(
                f"no row of {len(self.columns)} columns begins with {rest[:60]!r}",
                path=self._path,
                line=line,
            )
        return found if self._arranged is None else [self._arranged(row) for row in found]
