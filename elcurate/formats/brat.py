"""brat standoff: a text and an ``.ann`` file for each document, and a configuration."""

from __future__ import annotations

import re
from pathlib import Path

from elcurate.formats.base import Format, Reading, ReadOptions, Writing
from elcurate.formats.brat_folder import OWN, SUFFIXES, Collection, beside, document_of, parted
from elcurate.formats.brat_index import (
    INDEX,
    Entry,
    FileNames,
    Header,
    entry_line,
    header_lines,
)
from elcurate.formats.brat_vocabulary import Vocabulary, configuration
from elcurate.formats.brat_write import DocumentWriter
from elcurate.formats.features import EVERYTHING
from elcurate.formats.source import Source
from elcurate.model.change import Loss

_BESIDE = {*OWN, "acl.conf", "README"}
_LINE = re.compile(rb"(?:\*|(?:[TAMNRE]|#)[0-9]+)\t\S")
_BOUND = re.compile(rb"T[0-9]+\t\S+ [0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*(?:\t|\r?$)")


def sniff(head: bytes, name: str) -> int:
    """Sure when all lines have ids of brat, and one is a mention."""
    lines = [line for line in head.removeprefix(b"\xef\xbb\xbf").split(b"\n")[:20] if line.strip()]
    if len(lines) > 1 and not head.endswith(b"\n"):
        lines = lines[:-1]
    if not any(map(_BOUND.match, lines)) or not all(map(_LINE.match, lines)):
        return 0
    return 90 if name.endswith(".ann") else 70


def claim(path: Path) -> int:
    """Sure of collections, of what configures them, and of either file of a pair."""
    try:
        if path.is_dir():
            return 90 if _is_collection(path) else 0
        if path.name in OWN:
            return 90 if _is_collection(path.parent) else 0
        stem, suffix = parted(path.name)
        others = [one for one in SUFFIXES if one != suffix] if suffix else []
        return 90 if any(beside(path.with_name(stem + one)) for one in others) else 0
    except OSError:
        return 0


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads a collection with the collections in it, or the document that a file belongs to."""
    path = Path(source.path)
    if source.is_folder or path.name in OWN:
        root = path if source.is_folder else path.parent
        collection = Collection(source, root, options)
        return Reading(
            name=collection.index.header.collection or root.resolve().name,
            documents=collection.documents(),
            metadata=collection.index.header.metadata,
            repairs=source.repairs,
        )
    return Reading(source.stem, document_of(source, options), repairs=source.repairs)


def _is_collection(folder: Path, depth: int = 4) -> bool:
    """Whether a folder has a configuration or a pair, or only folders that are collections."""
    files: dict[str, set[str]] = {}
    folders = []
    for path in folder.iterdir():
        if path.name in (INDEX, "annotation.conf"):
            return True
        if path.name.startswith(".") or path.name in _BESIDE:
            continue
        stem, suffix = parted(path.name)
        if suffix:
            files.setdefault(stem, set()).add(suffix)
        elif path.is_dir():
            folders.append(path)
        else:
            files.setdefault("", set())
    if any(len(suffixes) > 1 for suffixes in files.values()):
        return True
    if files or not folders or not depth:
        return False
    return all(_is_collection(one, depth - 1) for one in folders)


def write_folder(writing: Writing, folder: Path) -> None:
    """Writes the pairs, the index, and a configuration that declares every name."""
    names, files = Vocabulary(), FileNames()
    with (folder / INDEX).open("wb") as index:
        index.write(header_lines(Header(collection=writing.name, metadata=writing.metadata)))
        for document in writing.documents:
            if document.text is None:
                reason = "brat shows annotations in a text"
                writing.losses.append(Loss(kind="document", where=document.id, reason=reason))
                continue
            written = DocumentWriter(document, names, writing.losses)
            file = files.of(document.id)
            (folder / f"{file}.txt").write_bytes(document.text.encode())
            (folder / f"{file}.ann").write_bytes(written.content())
            rest = {"text": None, "mentions": (), "metadata": written.metadata}
            entry = Entry(file=file, types=written.types, document=document.model_copy(update=rest))
            index.write(entry_line(entry))
    for name, content in configuration(names).items():
        (folder / name).write_bytes(content.encode())


BRAT = Format(
    name="brat",
    text="brat standoff, a folder of texts and annotations",
    suffixes=(),
    keeps=EVERYTHING - {"no-text"},
    sniff=sniff,
    read=read,
    claim=claim,
    write_folder=write_folder,
)
