"""The source documents of TAC KBP corpora: files named by document id, somewhere in a folder."""

from __future__ import annotations

import html
import os
import re
from collections.abc import Collection
from pathlib import Path

from elcurate.errors import ReadError
from elcurate.formats.base import ReadOptions
from elcurate.formats.source import Source
from elcurate.formats.text_folder import file_name, raw_text
from elcurate.formats.visible import VisibleText
from elcurate.model.change import Repair

BESIDE = ("source_documents", "source_docs")
"""The folders in which releases keep the source documents, beside the annotations."""

_ENDING = re.compile(
    r"(?:\.(?:df|nw|mpdf|cmp|rsd))?(?:\.(?:xml|sgml?|txt))?(?:\.(?:gz|bz2|zst))?", re.IGNORECASE
)

_NUMBERED = re.compile(r"~\d+$")


class Texts:
    """The texts of a corpus's documents.

    Args:
        source: The input, of which the texts are parts.
        annotations: The path of the annotations.
        options: Where the texts are; else in a folder of `BESIDE` next to the annotations.
        wanted: The ids of the documents.

    Raises:
        ReadError: when the folder with the texts doesn't exist.
    """

    def __init__(
        self, source: Source, annotations: str, options: ReadOptions, wanted: Collection[str]
    ) -> None:
        self._source = source
        folder = options.texts or _beside(annotations)
        if folder is not None and not folder.is_dir():
            raise ReadError("there is no such folder of texts", path=folder)
        self.folder = folder
        self._files = {} if folder is None else _files(folder, wanted)

    def text(self, document: str) -> str | None:
        """The raw source of a document, markup included; None when there is none."""
        if self.folder is None:
            return None
        paths = self._files.get(document, [])
        if len(paths) != 1:
            repair = Repair(kind="text-missing", where=document, before=str(self.folder))
            if paths:
                names = ", ".join(str(path) for path in paths)
                repair = Repair(kind="several-texts", where=document, before=names)
            self._source.repairs.append(repair)
        if not paths:
            return None
        return raw_text(self._source.part(paths[0]))


def _beside(annotations: str) -> Path | None:
    if annotations == "-":
        return None
    folder = Path(annotations).parent
    return next((folder / name for name in BESIDE if (folder / name).is_dir()), None)


def _files(folder: Path, wanted: Collection[str]) -> dict[str, list[Path]]:
    """The files of each document, those with the shortest names first."""
    known = {file_name(name): name for name in wanted} | {name: name for name in wanted}
    found: dict[str, list[Path]] = {}
    for place, inner, names in os.walk(folder):
        inner.sort()
        for name in names:
            stem = next((stem for stem in _stems(name) if stem in known), None)
            if stem is not None:
                found.setdefault(known[stem], []).append(Path(place, name))
    for paths in found.values():
        paths.sort(key=lambda path: (len(path.name), str(path)))
    return found


def _stems(name: str) -> list[str]:
    """What a file name may be without the endings of source documents, the longest first."""
    dots = [at for at, char in enumerate(name) if char == "."]
    plain = [name[:at] for at in reversed(dots) if _ENDING.fullmatch(name, at)]
    return [name, *plain, *(_NUMBERED.sub("", stem) for stem in plain)]


def locate(name: str, text: str, visible: VisibleText) -> tuple[int, int] | None:
    """The first place of a name in a raw source: in its visible part, as a word, if it can be."""
    for shown in dict.fromkeys([name, html.unescape(name)]):
        words = [re.escape(word).replace(r"\-", r"-\s*") for word in shown.split()]
        if not words:
            continue
        pattern = r"\s+".join(words)
        for candidate in (rf"(?<!\w){pattern}(?!\w)", pattern):
            found = re.search(candidate, visible.text)
            if found is not None:
                return visible.to_raw(*found.span())
        found = re.search(pattern, text)
        if found is not None:
            return found.span()
    return None
