"""The index of a brat collection: what brat has no place for about documents, in their order.

brat ignores the file. Its first line says what it is, the second is about the collection, and each
further one is about a document.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import Field, ValidationError

from elcurate.errors import ReadError
from elcurate.formats.base import ReadOptions
from elcurate.formats.brat_notes import one_line
from elcurate.formats.checks import load_json
from elcurate.formats.source import Source
from elcurate.model.corpus import Attributes, Document
from elcurate.model.record import Record

INDEX = "elcurate.index"
VERSION = 1

_FIRST = "# What brat has no place for; written by elcurate."
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")
_MISREAD = re.compile(r"^[.-]|^h(?=idden_)|\.(?=(?:ann|a1|a2|co|rel|txt)$)")
_LONGEST = 120

Model = TypeVar("Model", bound=Record)


class Header(Record):
    """The line about the collection."""

    collection: str = ""
    version: int = VERSION
    metadata: Attributes = Field(default_factory=dict)


class Entry(Record):
    """The line about one document.

    Attributes:
        file: The name of its files without suffix.
        types: The entity types that names in brat stand for, where they aren't the same.
        document: The document without text and mentions.
    """

    file: str
    types: dict[str, str] = Field(default_factory=dict)
    document: Document


class FileNames:
    """File names for documents: safe everywhere, reversible, and different where case is not."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def of(self, name: str) -> str:
        """A name of letters, digits, ``. _ -``, and ``~`` with two digits for any other byte."""
        safe = _MISREAD.sub(_bytes, _UNSAFE.sub(_bytes, name)) or "~"
        if len(safe) > _LONGEST:
            safe = f"{safe[:_LONGEST]}~~{hashlib.sha256(name.encode()).hexdigest()[:16]}"
        found, number = safe, 1
        while found.lower() in self._taken:
            number += 1
            found = f"{safe}~~{number}"
        self._taken.add(found.lower())
        return found


def header_lines(header: Header) -> bytes:
    """The lines with which an index begins."""
    return f"{_FIRST}\n{one_line(header.model_dump(mode='json'))}\n".encode()


def entry_line(entry: Entry) -> bytes:
    """The line of a document."""
    return f"{one_line(entry.model_dump(mode='json', exclude_defaults=True))}\n".encode()


class Index:
    """The index in a folder; empty where there is none.

    Attributes:
        header: What it says about the collection.

    Args:
        folder: The folder.
        source: The input that it belongs to.
        options: Where errors go.
    """

    def __init__(self, folder: Path, source: Source, options: ReadOptions) -> None:
        self.path = folder / INDEX
        self.options = options
        self.header = Header()
        self._lines: Iterator[tuple[int, str]] = iter(())
        if not self.path.is_file():
            return
        self._lines = self._read(source.part(self.path))
        for number, line in self._lines:
            found = self._record(Header, number, line)
            if found is not None:
                self.header = found
            break

    def entries(self) -> Iterator[tuple[int, Entry]]:
        """The lines of documents with their numbers."""
        for number, line in self._lines:
            found = self._record(Entry, number, line)
            if found is not None:
                yield number, found

    def entry(self, file: str) -> Entry | None:
        """The line of one document."""
        wanted = json.dumps(file)
        for number, line in self._lines:
            found = self._record(Entry, number, line) if wanted in line else None
            if found is not None and found.file == file:
                return found
        return None

    def _read(self, source: Source) -> Iterator[tuple[int, str]]:
        try:
            for number, line in source.lines():
                if line.strip() and not line.startswith("#"):
                    yield number, line
        except ReadError as error:
            self.options.fail(error)

    def _record(self, model: type[Model], number: int, line: str) -> Model | None:
        """A line as a record; None when it is none, which is reported as an error."""
        try:
            found = load_json(line)
            if model is Header and found.get("version") != VERSION:
                raise ValueError(f"version {found.get('version')}, not {VERSION}")
            return model.model_validate(found)
        except (ValueError, AttributeError) as error:
            what = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error
            self.options.fail(
                ReadError(
                    f"not a line of an index: {what}",
                    path=self.path,
                    line=number,
                    remedy="Without the index, documents are named after their files.",
                )
            )
            return None


def _bytes(match: re.Match[str]) -> str:
    return "".join(f"~{byte:02X}" for byte in match[0].encode())
