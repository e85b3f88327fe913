"""Folders of plain texts, one file for each document."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from elcurate.errors import ReadError
from elcurate.formats.source import Source
from elcurate.model.change import Repair

_UNSAFE = re.compile(
    r'[\x00-\x1f\x7f/\\:*?"<>|]|^\.|[\s~.]$|^\s|%(?=[0-9A-Fa-f]{2})|[\u0080-\u009f\u2028\u2029]'
)
_LONGEST = 180
_MOST_ENTRIES, _MOST_FOLDERS = 5000, 50
_NUMBER = re.compile(r"~\d+$")


def visible(folder: Path) -> dict[str, Path]:
    """The files in a folder by name, in their order, without hidden ones and editors' backups."""
    try:
        return {
            path.name: path
            for path in sorted(folder.iterdir())
            if not path.name.startswith(".") and not path.name.endswith("~") and path.is_file()
        }
    except OSError as error:
        raise ReadError(
            f"can't be opened: {error.strerror}", path=folder, remedy="Check the path."
        ) from error


def folders(parent: Path) -> list[Path]:
    """The visible folders in a folder; none when it can't be opened, or holds too many things.

    A corpus is a few folders side by side: among very many it is not looked for.
    """
    found: list[Path] = []
    try:
        with os.scandir(parent) as entries:
            for number, entry in enumerate(entries):
                if number == _MOST_ENTRIES or len(found) == _MOST_FOLDERS:
                    return []
                if not entry.name.startswith(".") and entry.is_dir():
                    found.append(parent / entry.name)
    except OSError:
        return []
    return sorted(found)


def file_name(name: str) -> str:
    """A document's id as the name of a file; ids that are one already stay as they are."""
    safe = _UNSAFE.sub(lambda c: "".join(f"%{byte:02X}" for byte in c[0].encode()), name) or "%"
    if len(safe.encode()) <= _LONGEST:
        return safe
    digest = hashlib.sha256(name.encode()).hexdigest()[:16]
    return f"{safe.encode()[: _LONGEST - 17].decode(errors='ignore').rstrip()}-{digest}"


def is_file_name_of(file: str, name: str) -> bool:
    """Whether a file is named after a document's id, with or without a number behind."""
    return file_name(name) in (file, _NUMBER.sub("", file))


class FileNames:
    """Gives each document that is written a file name of its own."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def new(self, name: str) -> str:
        """The file name for a document's id."""
        found = safe = file_name(name)
        number = 1
        while found.lower() in self._taken:
            number += 1
            found = f"{safe}~{number}"
        self._taken.add(found.lower())
        return found


class Texts:
    """The texts that belong to an input.

    Args:
        source: The input.
        folder: Where the texts are.
    """

    def __init__(self, source: Source, folder: Path) -> None:
        self.source = source
        self.folder = folder
        self.files = visible(folder)
        self._stems: dict[str, list[Path]] = {}
        for path in self.files.values():
            self._stems.setdefault(path.stem, []).append(path)
        self._found: set[Path] = set()

    def find(self, *names: str) -> Path | None:
        """The text under the first of these names that has one, with or without a suffix."""
        for name in names:
            path = self.files.get(name) or self.files.get(file_name(name))
            if path is None:
                named = self._stems.get(name) or self._stems.get(Path(name).stem) or []
                path = named[0] if len(named) == 1 else None
            if path is not None:
                self._found.add(path)
                return path
        return None

    def read(self, path: Path) -> str:
        """One text, as it is; `raw_text`."""
        return raw_text(self.source.part(path))

    def report_unused(self) -> None:
        """Reports the files that are no document's text."""
        for path in self.files.values():
            if path not in self._found and path.resolve() not in self.source.used:
                self.source.used.add(path.resolve())
                self.source.repairs.append(
                    Repair(kind="unused-file", where=str(path), after="left out")
                )


def raw_text(source: Source) -> str:
    """A text with its byte-order mark; other encodings than UTF-8 are read, and reported."""
    try:
        return source.text("cp1252", keep_bom=True)
    except ReadError:
        return source.text("latin-1", keep_bom=True)


def write_text(path: Path, text: str) -> None:
    """Writes a text as it is, in UTF-8."""
    path.write_bytes(text.encode())
