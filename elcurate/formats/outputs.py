"""Writing corpora to files, folders and standard output, atomically."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, cast

import zstandard

from elcurate.errors import ReadError, WriteError
from elcurate.formats.all import FORMATS, format_for
from elcurate.formats.base import Format, Reading, Writing
from elcurate.formats.features import losses
from elcurate.model.change import Loss, Repair
from elcurate.model.corpus import Corpus, Document

StrPath = str | Path
Tick = Callable[[Document], None]


def write(
    corpus: Corpus,
    path: StrPath,
    *,
    format: str | None = None,  # noqa: A002
    overwrite: bool = False,
) -> list[Loss]:
    """Writes a corpus; what exists is replaced only when everything is written.

    Args:
        corpus: What to write.
        path: A file, a folder for formats that have folders, or ``-`` for standard output;
            ``.gz``, ``.bz2`` and ``.zst`` compress.
        format: A name from `elcurate.formats.all.FORMATS`; by the suffix when None.
        overwrite: Whether a folder that holds something may be replaced.

    Returns:
        What the format could not carry.
    """
    reading = Reading(corpus.name, iter(corpus.documents), corpus.metadata)
    return write_reading(reading, path, find_format(path, format), overwrite=overwrite)


def find_format(path: StrPath, name: str | None) -> Format:
    """The named format, or that of the suffix.

    Raises:
        SpecError: when there is no such format.
        WriteError: when it can only be read.
    """
    form = format_for(str(path)) if name is None else FORMATS.get(name)
    if not form.can_write:
        raise WriteError(f"{form.name} can be read but not written")
    return form


def write_reading(
    reading: Reading,
    path: StrPath,
    form: Format,
    tick: Tick | None = None,
    *,
    repair: bool = True,
    overwrite: bool = False,
) -> list[Loss]:
    """Writes a stream of documents, and returns what was lost.

    Args:
        reading: The documents.
        path: Where to.
        form: A format that can be written.
        tick: Is called with each document.
        repair: Whether repairs are allowed; without, the first one is an error.
        overwrite: Whether a folder that holds something may be replaced.
    """
    lost: list[Loss] = []

    def documents() -> Iterator[Document]:
        for document in reading.documents:
            lost.extend(losses(document, form.keeps))
            if tick is not None:
                tick(document)
            yield document

    writing = Writing(reading.name, documents(), reading.metadata)
    if form.write_folder is not None:
        with atomic_folder(path, overwrite=overwrite) as folder:
            form.write_folder(writing, folder)
            check_repairs(reading.repairs, repair)
    elif form.write is not None:
        with atomic(path) as out:
            form.write(writing, out)
            check_repairs(reading.repairs, repair)
    else:
        raise WriteError(f"{form.name} can be read but not written")
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


@contextlib.contextmanager
def atomic_folder(path: StrPath, *, overwrite: bool = False) -> Iterator[Path]:
    """A new folder that takes its place when the block ends without an error.

    Raises:
        WriteError: when the place can't be written, or holds something and may not be replaced.
    """
    if str(path) == "-":
        raise WriteError(
            "this format is a folder of files", remedy="Name a folder instead of standard output."
        )
    target = Path(path).resolve()
    if target.exists() and not target.is_dir():
        raise WriteError(f"{target} can't be written as a folder: it is a file")
    if target.is_dir() and any(target.iterdir()) and not overwrite:
        raise WriteError(
            f"{target} is not empty", remedy="Name another folder, or replace it with --overwrite."
        )
    try:
        temporary = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
    except OSError as error:
        raise WriteError(f"{target} can't be written: {error.strerror}") from error
    old = temporary / "old"
    try:
        new = temporary / "new"
        new.mkdir()
        yield new
        if target.exists():
            target.rename(old)
        new.rename(target)
    except BaseException as error:
        if old.exists() and not target.exists():
            old.rename(target)
        if isinstance(error, OSError):
            raise WriteError(f"{target} can't be written: {error.strerror}") from error
        raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def check_repairs(repairs: list[Repair], allowed: bool) -> None:
    """Turns repairs into an error when they are not allowed."""
    if repairs and not allowed:
        first = repairs[0]
        raise ReadError(
            f"{len(repairs)} repairs would be needed, the first {first.kind} at {first.where}",
            remedy="Read without --no-repair to see and apply them all.",
        )


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
