"""Reading brat's pairs of files, alone and in folders."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from elcurate.errors import ReadError
from elcurate.formats.base import ReadOptions
from elcurate.formats.brat_conf import Declared, declared
from elcurate.formats.brat_index import INDEX, Entry, Index
from elcurate.formats.brat_lines import Standoff, lines_of
from elcurate.formats.brat_read import DocumentReader
from elcurate.formats.brat_vocabulary import configuration
from elcurate.formats.source import Source
from elcurate.model.change import Repair
from elcurate.model.corpus import Document

SUFFIXES = (".txt", ".ann")
OWN = frozenset({INDEX, *configuration()})
"""The files of a collection besides its documents."""

_PACKED = (".gz", ".bz2", ".zst")

Pair = dict[str, Path]


class Collection:
    """A folder of pairs of files, and the folders in it.

    Args:
        source: The input.
        root: The folder.
        options: What the reader was told.
    """

    def __init__(self, source: Source, root: Path, options: ReadOptions) -> None:
        self.source = source
        self.root = root
        self.options = options
        self.index = Index(root, source, options)

    def documents(self) -> Iterator[Document]:
        """The documents in the order of the index, then those that it doesn't name."""
        yield from self._folder(self.root, "", self.index)

    def _folder(self, folder: Path, prefix: str, index: Index) -> Iterator[Document]:
        pairs: dict[str, Pair] = {}
        folders = []
        self.source.used.add(folder.resolve())
        for path in self._visible(folder):
            stem, suffix = parted(path.name)
            if path.is_dir():
                folders.append(path)
            elif path.name in OWN:
                self.source.part(path)
            elif suffix:
                pairs.setdefault(stem, {})[suffix] = path
        reader = _PairReader(self.source, declared(folder), self.options)
        for number, entry in index.entries():
            pair = pairs.pop(entry.file, None)
            if pair is None:
                where = f"{index.path}:{number}"
                repair = Repair(kind="missing-document", where=where, before=entry.document.id)
                self.source.repairs.append(repair)
            else:
                yield from reader.document(pair, f"{prefix}{entry.file}", entry)
        for stem, pair in pairs.items():
            yield from reader.document(pair, f"{prefix}{stem}", None)
        for path in folders:
            if path.resolve() not in self.source.used:
                inner = Index(path, self.source, self.options)
                yield from self._folder(path, f"{prefix}{path.name}/", inner)

    def _visible(self, folder: Path) -> list[Path]:
        """What a folder holds, in order; nothing when it can't be opened, which is an error."""
        try:
            return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
        except OSError as error:
            self.options.fail(
                ReadError(
                    f"can't be opened: {error.strerror}", path=folder, remedy="Check the path."
                )
            )
            return []


class _PairReader:
    """Reads pairs of files of one folder.

    Args:
        source: The input that they belong to.
        known: What the configuration declares.
        options: What the reader was told.
    """

    def __init__(self, source: Source, known: Declared, options: ReadOptions) -> None:
        self.source = source
        self.known = known
        self.options = options

    def document(self, pair: Pair, name: str, entry: Entry | None) -> Iterator[Document]:
        """The document of a pair, if it can be read.

        Args:
            pair: The files by their suffixes.
            name: The files' name in the collection, without suffix.
            entry: What the index says.
        """
        base = Document(id=name) if entry is None else entry.document
        try:
            text = self._text(pair, name)
            found = self._annotations(pair)
        except ReadError as error:
            error.document = base.id
            self.options.fail(error)
            return
        yield DocumentReader(
            found,
            base.model_copy(update={"text": text}),
            self.known,
            {} if entry is None else entry.types,
            self.options.nil_iris,
            self.source.repairs,
        ).document()

    def _text(self, pair: Pair, name: str) -> str | None:
        path = pair.get(".txt")
        if path is None and self.options.texts is not None:
            path = beside(self.options.texts / f"{name}.txt")
        if path is None:
            self._missing("missing-text", pair[".ann"])
            return None
        part = self._part(path)
        with part.reading() as stream:
            return part.decoded(stream.read())

    def _annotations(self, pair: Pair) -> Standoff:
        path = pair.get(".ann")
        if path is None:
            self._missing("missing-annotations", pair[".txt"])
            return Standoff((), "", self.source.repairs)
        lines = lines_of(self._part(path), self.source.repairs)
        return Standoff(lines, str(path), self.source.repairs)

    def _part(self, path: Path) -> Source:
        return self.source if str(path) == self.source.path else self.source.part(path)

    def _missing(self, kind: str, path: Path) -> None:
        self.source.repairs.append(Repair(kind=kind, where=str(path)))


def document_of(source: Source, options: ReadOptions) -> Iterator[Document]:
    """The document that a file belongs to, with the file beside it."""
    path = Path(source.path)
    stem, suffix = parted(path.name if source.path != "-" else source.name)
    pair = {suffix or ".ann": path}
    if source.path == "-":
        yield from _PairReader(source, Declared(), options).document(pair, stem, None)
        return
    for other in SUFFIXES:
        other_file = None if other in pair else beside(path.with_name(f"{stem}{other}"))
        if other_file is not None:
            pair[other] = other_file
            source.part(other_file)
    entry = Index(path.parent, Source(path.parent), options).entry(stem)
    yield from _PairReader(source, declared(path.parent), options).document(pair, stem, entry)


def parted(name: str) -> tuple[str, str]:
    """A file name without the suffixes of packing and of its kind, and the latter."""
    for packed in _PACKED:
        name = name.removesuffix(packed)
    for suffix in SUFFIXES:
        if name.endswith(suffix):
            return name.removesuffix(suffix), suffix
    return name, ""


def beside(path: Path) -> Path | None:
    """A file, plain or packed; None when there is none."""
    names = (path.with_name(f"{path.name}{packed}") for packed in ("", *_PACKED))
    return next((name for name in names if name.is_file()), None)
