"""Inputs: files, compressed files and standard input, as bytes, text or lines."""

from __future__ import annotations

import contextlib
import io
import sys
import zlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

import zstandard

from elcurate.errors import ReadError
from elcurate.formats.streams import decompressed
from elcurate.model.change import Repair

BOM = b"\xef\xbb\xbf"
BREAK = b"\n"
Bytes = bytes
_HEAD = 1 << 16
_LINE = 1 << 20
_CHUNK = 1 << 20
_COMPRESSED = {".gz", ".bz2", ".zst"}


class Source:
    """One input: a file, a folder of a format that has folders, or ``-`` for standard input.

    Attributes:
        path: As the user named it.
        repairs: What had to be repaired while decoding.
        used: The other files that were read as part of this input.
        named: The files that the user named together, this one among them.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = str(path)
        self.repairs: list[Repair] = []
        self.used: set[Path] = set()
        self.named: tuple[Path, ...] = ()
        self._stdin: bytes | None = None

    @property
    def is_folder(self) -> bool:
        """Whether the input is a folder."""
        return self.path != "-" and Path(self.path).is_dir()

    def part(self, path: Path) -> Source:
        """Another file that belongs to this input; its repairs are this input's."""
        self.used.add(path.resolve())
        other = Source(path)
        other.repairs = self.repairs
        return other

    @property
    def name(self) -> str:
        """The file's name without folder and compression suffix."""
        if self.path == "-":
            return "stdin"
        path = Path(self.path)
        return path.stem if path.suffix in _COMPRESSED else path.name

    @property
    def stem(self) -> str:
        """The name without its last suffix."""
        return Path(self.name).stem

    def open(self) -> BinaryIO:
        """The decompressed bytes as a stream.

        Raises:
            ReadError: when there is no such file, or it can't be opened.
        """
        if self.path == "-":
            if self._stdin is None:
                self._stdin = sys.stdin.buffer.read()
            raw: BinaryIO = io.BytesIO(self._stdin)
        else:
            try:
                raw = Path(self.path).open("rb")  # noqa: SIM115
            except OSError as error:
                raise ReadError(
                    f"can't be opened: {error.strerror}", path=self.path, remedy="Check the path."
                ) from error
        return decompressed(raw)

    @cached_property
    def head(self) -> bytes:
        """The first 64 KiB, for detection; with JSON, the first line as far as 1 MiB."""
        with self.reading() as stream:
            head = stream.read(_HEAD)
            if head.removeprefix(BOM).startswith(b"{") and b"\n" not in head:
                head += stream.readline(_LINE - _HEAD)
            return head

    def bytes(self, *, keep_bom: bool = False) -> bytes:
        """Everything; a byte-order mark is left out, which is a repair, unless it is to be kept."""
        with self.reading() as stream:
            data = stream.read()
        if data.startswith(BOM) and not keep_bom:
            self._dropped_bom()
            data = data[len(BOM) :]
        return data

    def text(self, fallback: str | None = None, *, keep_bom: bool = False) -> str:
        """Everything as text, line ends untouched.

        Args:
            fallback: The encoding that is tried, and reported, where it is not UTF-8.
            keep_bom: Whether a byte-order mark is a character of the text.

        Raises:
            ReadError: with the line, when it is neither.
        """
        return self.decoded(self.bytes(keep_bom=keep_bom), fallback)

    def decoded(self, data: Bytes, fallback: str | None = None) -> str:
        """Bytes of this source as text.

        Args:
            data: The bytes.
            fallback: The encoding that is tried, and reported, where they are not UTF-8.

        Raises:
            ReadError: with the line, when they are neither.
        """
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = data.count(BREAK, 0, error.start) + 1
            if fallback is not None:
                with contextlib.suppress(UnicodeDecodeError):
                    text = data.decode(fallback)
                    where = f"{self.path}:{line}"
                    self.repairs.append(Repair(kind="not-utf8", where=where, after=fallback))
                    return text
            raise self._not_utf8(error, line) from error

    def lines(self) -> Iterator[tuple[int, str]]:
        r"""(number from 1, line without its ``\n``), streaming; errors as `chunks`."""
        for number, text in self.chunks():
            yield from enumerate(text.split("\n"), number)

    def chunks(self) -> Iterator[tuple[int, str]]:
        r"""(number of the first line, whole lines as a text without the last ``\n``), streaming.

        Raises:
            ReadError: with the line, when it is not UTF-8.
        """
        number = 1
        with self.reading() as stream:
            while data := stream.read(_CHUNK) + stream.readline():
                if number == 1 and data.startswith(BOM):
                    self._dropped_bom()
                    data = data[len(BOM) :]
                try:
                    yield number, data.decode("utf-8").removesuffix("\n")
                except UnicodeDecodeError as error:
                    good = data[: data.rfind(BREAK, 0, error.start) + 1]
                    yield number, good.decode("utf-8").removesuffix("\n")
                    raise self._not_utf8(error, number + good.count(BREAK)) from error
                number += data.count(BREAK)

    def reading(self) -> contextlib.AbstractContextManager[BinaryIO]:
        """The decompressed bytes as a stream for a ``with`` block.

        Raises:
            ReadError: in the block, for every failure to read them.
        """
        return _Reading(self)

    def _dropped_bom(self) -> None:
        repair = Repair(kind="byte-order-mark", where=f"{self.path}:1", before="U+FEFF")
        if repair not in self.repairs:
            self.repairs.append(repair)

    def _not_utf8(self, error: UnicodeDecodeError, line: int) -> ReadError:
        return ReadError(
            f"byte 0x{error.object[error.start]:02x} is not UTF-8",
            path=self.path,
            line=line,
            remedy="Convert the file to UTF-8, for example with iconv -f LATIN1 -t UTF-8.",
        )


class _Reading:
    """Opens a source and turns every failure of reading it into a `ReadError`."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def __enter__(self) -> BinaryIO:
        self.stream = self.source.open()
        return self.stream

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self.stream.close()
        if isinstance(error, EOFError | OSError | zlib.error | zstandard.ZstdError):
            raise ReadError(
                f"can't be read: {error}",
                path=self.source.path,
                remedy="The file may be truncated, or not compressed as it claims.",
            ) from error
