"""Reading corpora from files, folders and standard input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from elcurate.collector import collector_paused
from elcurate.errors import ReadError
from elcurate.formats.all import FORMATS, claiming, detect
from elcurate.formats.base import Format, Reading, ReadOptions, UniqueIds
from elcurate.formats.checks import checked
from elcurate.formats.outputs import StrPath, check_repairs
from elcurate.formats.source import Source
from elcurate.model.change import Repair
from elcurate.model.corpus import Corpus, Document
from elcurate.model.table import Table


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
    with collector_paused():
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
    """Reads inputs as a `Table`; tabular files without a detour over objects.

    Raises:
        ReadError, SpecError: as `read`.
    """
    flat = flat_table(paths[0], format) if len(paths) == 1 else None
    if flat is None:
        return Table.of(read(*paths, format=format, name=name))
    return flat if name is None else replace(flat, name=name)


def flat_table(path: StrPath, format: str | None = None) -> Table | None:  # noqa: A002
    """The table of a file that can be read by columns; None for every other input."""
    if str(path) == "-" or not Path(path).is_file():
        return None
    source = Source(path)
    form = detect(source) if format is None else FORMATS.get(format)
    return None if form.read_table is None else form.read_table(source, ReadOptions())


def open_reading(
    paths: Iterable[StrPath],
    format: str | None = None,  # noqa: A002
    name: str | None = None,
    rename_duplicates: bool = False,
    options: ReadOptions | None = None,
) -> Reading:
    """Opens inputs as one stream of documents; the first is read up to its header.

    A file that was read as part of an earlier input (a text beside its annotations) is not read
    again. With ``options.errors`` an input that fails is left out and its error collected.
    """
    form = None if format is None else FORMATS.get(format)
    sources = []
    for path in paths:
        found = _sources(path, form)
        if not found:
            raise ReadError("the folder has no files", path=path)
        sources += found
    if not sources:
        raise ReadError("no input", remedy="Name at least one file, or - for standard input.")
    named = tuple(Path(source.path) for source in sources if source.path != "-")
    for source in sources:
        source.named = named
    opened = _Opened(sources, format, options or ReadOptions())
    first = opened.reading(sources[0])
    whole = Reading(
        name=name or (first.name if first else sources[0].stem),
        documents=iter(()),
        metadata=first.metadata if first and opened.is_all(sources[0]) else {},
    )

    def documents() -> Iterator[Document]:
        ids = UniqueIds(rename_duplicates)
        for source in sources:
            reading = first if source is sources[0] else opened.reading(source)
            if reading is not None:
                yield from opened.documents(reading, source, ids)
                whole.repairs.extend(reading.repairs)

    whole.documents = documents()
    return whole


class _Opened:
    """Inputs as they are opened one after the other."""

    def __init__(self, sources: list[Source], format_: str | None, options: ReadOptions) -> None:
        self.sources = sources
        self.format = format_
        self.options = options
        self.used: set[Path] = set()

    def reading(self, source: Source) -> Reading | None:
        """The opened input; None when it was read already, or when it failed."""
        if source.path != "-" and Path(source.path).resolve() in self.used:
            return None
        try:
            return _open(source, self.format, self.options)
        except ReadError as error:
            self.options.fail(error)
            return None
        finally:
            self.used |= source.used

    def is_all(self, source: Source) -> bool:
        """Whether one input and what belongs to it are all that there is."""
        own = {*self.used, Path(source.path).resolve()}
        return all(
            other is source or (other.path != "-" and Path(other.path).resolve() in own)
            for other in self.sources
        )

    def documents(self, reading: Reading, source: Source, ids: UniqueIds) -> Iterator[Document]:
        """The documents of an input, checked and under ids of their own."""
        while True:
            try:
                document = next(reading.documents, None)
                if document is None:
                    break
                if not reading.sound:
                    document = checked(document, reading.repairs, source.path)
                own = document.id
                document = ids.unique(document, source.path)
            except ReadError as error:
                self.options.fail(error)
                continue
            if document.id != own:
                new = document.id
                reading.repairs.append(Repair(kind="repeated-id", where=new, before=own, after=new))
            yield document
        self.used |= source.used


def _open(source: Source, name: str | None, options: ReadOptions) -> Reading:
    form = detect(source) if name is None else FORMATS.get(name)
    if form.read is None:
        raise ReadError(f"{form.name} can be written but not read", path=source.path)
    return form.read(source, options)


def _sources(path: StrPath, form: Format | None) -> list[Source]:
    """The inputs in a path: itself, or what a folder holds unless a format claims it whole."""
    if str(path) == "-" or not Path(path).is_dir():
        return [Source(path)]
    folder = Path(path)
    if form.claim(folder) if form is not None else claiming(folder):
        return [Source(folder)]
    below = sorted(inner for inner in folder.iterdir() if not inner.name.startswith("."))
    return [source for inner in below for source in _sources(inner, form)]
