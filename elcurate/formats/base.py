"""The contract of a format: how it is recognised, read and written, and what it keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from elcurate.errors import ReadError
from elcurate.formats.source import Source
from elcurate.model.change import Loss, Repair
from elcurate.model.corpus import Attributes, Document
from elcurate.model.table import Table


@dataclass(frozen=True)
class ReadOptions:
    """What a reader may be told.

    Attributes:
        nil_iris: IRIs, or beginnings of IRIs, that mean NIL besides the known conventions.
        texts: The folder with the texts, for formats that keep them elsewhere.
        detokenise: How formats without a text make one of their tokens (`detokenise.STYLES`).
        annotators: Keep only what these people annotated; empty for everybody.
        excluded: A file of regions whose mentions are left out (TAC KBP).
        hide_markup: Whether texts are what is visible of sources with markup (TAC KBP).
        errors: Where errors go that concern one document or file; None raises them.
    """

    nil_iris: tuple[str, ...] = ()
    texts: Path | None = None
    detokenise: str = "space"
    annotators: tuple[str, ...] = ()
    excluded: Path | None = None
    hide_markup: bool = False
    errors: list[ReadError] | None = None

    def fail(self, error: ReadError) -> None:
        """Collects an error that leaves the other documents readable, or raises it."""
        if self.errors is None:
            raise error
        self.errors.append(error)


@dataclass
class Reading:
    """A corpus being read; documents and repairs come as the file is consumed.

    Attributes:
        name: The corpus's name.
        documents: The documents, in file order.
        metadata: What the file says about the corpus.
        repairs: Grows while ``documents`` is consumed.
        sound: Whether the reader makes texts and spans itself and sees to finite scores, so that
            `elcurate.formats.checks.checked` would find nothing.
    """

    name: str
    documents: Iterator[Document]
    metadata: Attributes = field(default_factory=dict)
    repairs: list[Repair] = field(default_factory=list)
    sound: bool = False


@dataclass
class Writing:
    """A corpus being written.

    Attributes:
        name: The corpus's name.
        documents: Consumed once.
        metadata: What is said about the corpus.
        losses: What the writer itself could not carry, besides the features it doesn't keep.
    """

    name: str
    documents: Iterable[Document]
    metadata: Attributes = field(default_factory=dict)
    losses: list[Loss] = field(default_factory=list)


Sniff = Callable[[bytes, str], int]
Reader = Callable[[Source, ReadOptions], Reading]
Writer = Callable[[Writing, BinaryIO], None]
Claim = Callable[[Path], int]
FolderWriter = Callable[[Writing, Path], None]
TableReader = Callable[[Source, ReadOptions], Table | None]


def nothing(path: Path) -> int:
    """The claim of a format that is told by content or name alone."""
    return 0


@dataclass(frozen=True)
class Format:
    """One file format.

    Attributes:
        name: As given to ``--from`` and ``--to``.
        text: What it is, in a few words.
        suffixes: File name endings; the first is what a written file gets.
        keeps: The features (`elcurate.formats.features.FEATURES`) that survive writing.
        sniff: How sure the format is of a file's first bytes and name, from 0 to 100.
        read: The reader, or None.
        write: The writer of a file, or None.
        claim: How sure the format is of a folder, or of a file by what lies beside it, 0 to 100.
        write_folder: The writer of a folder, or None.
        read_table: Reads a file by columns where that gives the table of its corpus; None for
            files that need the reader by documents.
    """

    name: str
    text: str
    suffixes: tuple[str, ...]
    keeps: frozenset[str]
    sniff: Sniff
    read: Reader | None = None
    write: Writer | None = None
    claim: Claim = nothing
    write_folder: FolderWriter | None = None
    read_table: TableReader | None = None

    @property
    def can_write(self) -> bool:
        """Whether the format can be written, to a file or a folder."""
        return self.write is not None or self.write_folder is not None


def never(head: bytes, name: str) -> int:
    """The sniffer of a format that is read under another name."""
    return 0


class UniqueIds:
    """Keeps document ids unique over all inputs.

    Args:
        rename: Whether a repeated id gets a number instead of being an error.
    """

    def __init__(self, rename: bool) -> None:
        self.rename = rename
        self.seen: set[str] = set()

    def unique(self, document: Document, path: str) -> Document:
        """The document, under another id if its own is taken.

        Raises:
            ReadError: for the second document of an id, unless they are renamed.
        """
        name, number = document.id, 1
        while name in self.seen:
            if not self.rename:
                raise ReadError(
                    "this document id occurs twice",
                    path=path,
                    document=document.id,
                    remedy="If these are different corpora, name their files one by one; "
                    "`elcurate convert --rename-duplicates` numbers repeats.",
                )
            number += 1
            name = f"{document.id}~{number}"
        self.seen.add(name)
        return document if name == document.id else document.model_copy(update={"id": name})
