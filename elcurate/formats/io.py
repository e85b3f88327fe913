"""Reading and writing corpora: files, folders, standard input and output, atomically."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, cast

import zstandard

from elcurate.errors import ReadError, WriteError
from elcurate.formats.all import FORMATS, detect, format_for
from elcurate.formats.base import Format, Reading, ReadOptions, UniqueIds, Writing
from elcurate.formats.checks import checked
from elcurate.formats.features import losses
from elcurate.formats.parquet import links_frame, read_frame
from elcurate.formats.source import Source
from elcurate.model.change import Loss, Repair
from elcurate.model.corpus import Corpus, Document
from elcurate.model.table import LINK_SCHEMA, Table

StrPath = str | Path
Tick = Callable[[Document], None]


def read(
    *paths: StrPath,
    format: str | None = None,  # noqa: A002
    name: str | None = None,
    rename_duplicates: bool = False,
    repair: bool = True,
    options: ReadOptions | None = None,
) -> Corpus:
    """Reads one or more files or folders into one corpus.

    Args:
        paths: Files, folders (every file in them) or ``-``; may be compressed.
        format: A name from `elcurate.formats.all.FORMATS`; detected when None.
        name: The corpus's name; from the first input when None.
        rename_duplicates: Numbers repeated document ids instead of refusing them.
        repair: Whether repairs are allowed; without, the first one is an error.
        options: What the readers may be told.

    Raises:
        ReadError: with path and line, when an input can't be read.
        SpecError: when there is no such format.
    """
    reading = open_reading(paths, format, name, rename_duplicates, options)
    documents = tuple(reading.documents)
    check_repairs(reading.repairs, repair)
    return Corpus(
        name=reading.name,
        documents=documents,
        metadata=reading.metadata,
        repairs=tuple(reading.repairs),
    )


def read_table(*paths: StrPath, format: str | None = None, name: str | None = None) -> Table:  # noqa: A002
    """Reads inputs as a `Table`; the flat Parquet form without a detour over objects."""
    flat = flat_table(paths[0], name) if len(paths) == 1 else None
    return flat or Table.of(read(*paths, format=format, name=name))


def flat_table(path: StrPath, name: str | None = None) -> Table | None:
    """The table in a Parquet file of links; None for every other file."""
    if str(path) == "-" or not Path(path).is_file():
        return None
    source = Source(path)
    if not source.head.startswith(b"PAR1"):
        return None
    frame, _ = read_frame(source)
    if not set(LINK_SCHEMA.names()) <= set(frame.columns):
        return None
    return Table.of_links(name or source.stem, links_frame(frame, source))


def open_reading(
    paths: Iterable[StrPath],
    format: str | None = None,  # noqa: A002
    name: str | None = None,
    rename_duplicates: bool = False,
    options: ReadOptions | None = None,
) -> Reading:
    """Opens inputs as one stream of documents; the first is read up to its header."""
    sources = [source for path in paths for source in _sources(path)]
    if not sources:
        raise ReadError("no input", remedy="Name at least one file, or - for standard input.")
    readings = [_open(source, format, options or ReadOptions()) for source in sources[:1]]
    whole = Reading(
        name=name or readings[0].name,
        documents=iter(()),
        metadata=readings[0].metadata if len(sources) == 1 else {},
    )

    def documents() -> Iterator[Document]:
        for place, source in enumerate(sources):
            reading = readings[0] if not place else _open(source, format, options or ReadOptions())
            for document in checked(reading, source.path):
                yield ids.unique(document, source.path)
            whole.repairs.extend(reading.repairs)

    ids = UniqueIds(rename_duplicates)
    whole.documents = documents()
    return whole


def write(corpus: Corpus, path: StrPath, *, format: str | None = None) -> list[Loss]:  # noqa: A002
    """Writes a corpus; an existing file is replaced only when everything is written.

    Args:
        corpus: What to write.
        path: A file, or ``-`` for standard output; ``.gz``, ``.bz2`` and ``.zst`` compress.
        format: A name from `elcurate.formats.all.FORMATS`; by the suffix when None.

    Returns:
        What the format could not carry.
    """
    reading = Reading(corpus.name, iter(corpus.documents), corpus.metadata)
    return write_reading(reading, path, find_format(path, format))


def find_format(path: StrPath, name: str | None) -> Format:
    """The named format, or that of the suffix.

    Raises:
        SpecError: when there is no such format.
        WriteError: when it can only be read.
    """
    form = format_for(str(path)) if name is None else FORMATS.get(name)
    if form.write is None:
        raise WriteError(f"{form.name} can be read but not written")
    return form


def write_reading(
    reading: Reading,
    path: StrPath,
    form: Format,
    tick: Tick | None = None,
    *,
    repair: bool = True,
) -> list[Loss]:
    """Writes a stream of documents, and returns what was lost.

    Args:
        reading: The documents.
        path: Where to.
        form: A format that can be written.
        tick: Is called with each document.
        repair: Whether repairs are allowed; without, the first one is an error.
    """
    if form.write is None:
        raise WriteError(f"{form.name} can be read but not written")
    lost: list[Loss] = []

    def documents() -> Iterator[Document]:
        for document in reading.documents:
            lost.extend(losses(document, form.keeps))
            if tick is not None:
                tick(document)
            yield document

    writing = Writing(reading.name, documents(), reading.metadata)
    with atomic(path) as out:
        form.write(writing, out)
        check_repairs(reading.repairs, repair)
    return lost + writing.losses


@contextlib.contextmanager
def atomic(path: StrPath) -> Iterator[BinaryIO]:
    """A stream whose content takes the file's place when the block ends without an error."""
    if str(path) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = Path(path).resolve()
    if target.is_dir():
        raise WriteError(f"{target} can't be written: it is a folder")
    if target.exists() and not target.is_file():
        with target.open("wb") as device:
            yield device
        return
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise WriteError(f"{target} can't be written: {error.strerror}") from error
    try:
        with os.fdopen(handle, "wb") as raw, _compressed(raw, target.suffix) as out:
            yield out
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(target)
    except BaseException as error:
        Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise WriteError(f"{target} can't be written: {error.strerror}") from error
        raise


def check_repairs(repairs: list[Repair], allowed: bool) -> None:
    """Turns repairs into an error when they are not allowed."""
    if repairs and not allowed:
        first = repairs[0]
        raise ReadError(
            f"{len(repairs)} repairs would be needed, the first {first.kind} at {first.where}",
            remedy="Read without --no-repair to see and apply them all.",
        )


def _open(source: Source, name: str | None, options: ReadOptions) -> Reading:
    form = detect(source) if name is None else FORMATS.get(name)
    if form.read is None:
        raise ReadError(f"{form.name} can be written but not read", path=source.path)
    return form.read(source, options)


def _sources(path: StrPath) -> list[Source]:
    if str(path) == "-" or not Path(path).is_dir():
        return [Source(path)]
    files = sorted(
        file for file in Path(path).rglob("*") if file.is_file() and not file.name.startswith(".")
    )
    if not files:
        raise ReadError("the folder has no files", path=path)
    return [Source(file) for file in files]


def _compressed(raw: BinaryIO, suffix: str) -> contextlib.AbstractContextManager[BinaryIO]:
    if suffix == ".gz":
        return cast("BinaryIO", gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename=""))
    if suffix == ".bz2":
        return cast("BinaryIO", bz2.BZ2File(raw, "wb"))
    if suffix == ".zst":
        writer = zstandard.ZstdCompressor().stream_writer(raw, closefd=False)
        return cast("BinaryIO", writer)
    return contextlib.nullcontext(raw)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
