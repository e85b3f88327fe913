"""One XML file with the annotations of all texts, beside the texts: where both are."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from elcurate.errors import ReadError
from elcurate.formats.base import ReadOptions
from elcurate.formats.offsets import Counting
from elcurate.formats.source import Source
from elcurate.formats.text_folder import Texts, folders
from elcurate.model.change import Repair

HEAD = 1 << 12
KNOWN = ("docName", "docId", "userId", "mention", "wikiName", "offset", "length")


@dataclass
class Group:
    """The annotations of one document.

    Attributes:
        id: The document's id.
        name: The name of its text.
        elements: Its annotations.
    """

    id: str
    name: str
    elements: list[etree._Element]


@dataclass(frozen=True)
class Layout:
    """In what such formats differ.

    Attributes:
        root: The root element's start, with its name as a group.
        names: The names of documents in the file.
        tags: The names of all elements.
        groups: Puts annotations together by document.
        nil: What is written for NIL.
        nils: What is read as NIL.
        counting: How offsets count.
        stated: Whether surfaces are written.
        annotators: Whether annotators are written.
    """

    root: re.Pattern[bytes]
    names: re.Pattern[bytes]
    tags: frozenset[str]
    groups: Callable[[Source, etree._Element, ReadOptions], Iterator[Group]]
    nil: str
    nils: frozenset[str]
    counting: Counting
    stated: bool
    annotators: bool


@dataclass(frozen=True)
class Place:
    """The parts of a corpus.

    Attributes:
        annotations: The XML file.
        texts: The folder with the texts, if the user named it.
        only: The text that is wanted; None for all.
        name: The corpus's name.
    """

    annotations: Source
    texts: Path | None
    only: str | None
    name: str


def claim(path: Path, layout: Layout) -> int:
    """Sure of a folder with such an XML file, and of the texts that one beside them names."""
    try:
        if path.is_dir():
            return 90 if _files(path, layout) or _named_by(path, layout) else 0
        if not path.is_file() or path.name.startswith(".") or path.suffix.lower() == ".xml":
            return 0
        return 80 if _naming(path, layout) else 0
    except (OSError, ReadError):
        return 0


def find(source: Source, options: ReadOptions, layout: Layout) -> Place:
    """The XML file and the texts of an input: either, or a folder that holds both.

    Raises:
        ReadError: when there is no such file, or more than one.
    """
    path = Path(source.path).absolute()
    if source.is_folder:
        found, texts = _files(path, layout), None
        name = path.name
        if not found:
            found, texts, name = _named_by(path, layout), path, path.parent.name
        file = _only(found, path)
        return Place(source.part(file), options.texts or texts, None, name)
    if not layout.root.search(source.head[:HEAD]):
        found = [] if source.path == "-" else _naming(path, layout)
        if found:
            file = _only(found, path)
            return Place(source.part(file), options.texts or path.parent, path.name, source.stem)
    return Place(source, options.texts, None, source.stem)


def find_texts(source: Source, place: Place, names: list[str]) -> Texts:
    """The texts: where the user says, or in the folder with most of these names.

    Raises:
        ReadError: when no folder has any.
    """
    if place.texts is not None:
        known = [Texts(source, place.texts)]
    elif place.annotations.path == "-":
        known = []
    else:
        parent = Path(place.annotations.path).absolute().parent
        known = [Texts(source, folder) for folder in (*folders(parent), parent)]
    counts = [sum(texts.find(name) is not None for name in names) for texts in known]
    if not any(counts):
        raise ReadError(
            "there is no folder with the texts of these annotations",
            path=place.annotations.path,
            remedy="Put it beside the file, or name it with --texts.",
        )
    best = known[counts.index(max(counts))].folder
    source.used.add(best.resolve())
    return Texts(source, best)


def known_children(source: Source, parent: etree._Element, tag: str) -> list[etree._Element]:
    """The children of that name; others are reported."""
    children = list(parent.iterchildren("*"))
    for child in children:
        if child.tag != tag:
            where = f"{source.path}:{child.sourceline}"
            source.repairs.append(
                Repair(kind="unknown-element", where=where, before=str(child.tag), after="left out")
            )
    return [child for child in children if child.tag == tag]


def _only(found: list[Path], path: Path) -> Path:
    if len(found) == 1:
        return found[0]
    names = ", ".join(file.name for file in found)
    raise ReadError(
        f"it has more than one file of annotations: {names}" if found else "no annotations",
        path=path,
        remedy="Name the file of annotations.",
    )


def _files(folder: Path, layout: Layout) -> list[Path]:
    """The XML files of this layout in a folder."""
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries if entry.name.lower().endswith(".xml"))
    except OSError:
        return []
    found = [folder / name for name in names if not name.startswith(".")]
    return [
        path for path in found if path.is_file() and layout.root.search(Source(path).head[:HEAD])
    ]


def _named_by(texts: Path, layout: Layout) -> list[Path]:
    """The XML files beside a folder that name texts in it."""
    return [
        path
        for path in _files(texts.absolute().parent, layout)
        if any((texts / name).is_file() for name in _first_names(path, layout))
    ]


def _naming(text: Path, layout: Layout) -> list[Path]:
    """The XML files beside the folder of a text that name it."""
    name = text.name.encode()
    beside = _files(text.absolute().parent.parent, layout)
    return [path for path in beside if name in layout.names.findall(Source(path).bytes())]


def _first_names(path: Path, layout: Layout) -> set[str]:
    found = layout.names.findall(Source(path).head)
    return {name.decode(errors="replace") for name in found if b"/" not in name and name}
