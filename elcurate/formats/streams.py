"""Compressed files as streams that notice when they are truncated."""

from __future__ import annotations

import bz2
import gzip
import io
from typing import Any, BinaryIO, cast

import zstandard

_CHUNK = 1 << 16


class _Unpacked(io.BufferedReader):
    """A decompressed stream that closes the file below it."""

    def __init__(self, raw: Any, below: BinaryIO) -> None:
        super().__init__(raw)
        self._below = below

    def close(self) -> None:
        try:
            super().close()
        finally:
            self._below.close()


class _Zstd(io.RawIOBase):
    """Zstandard frames as a stream; unlike the library's own, it notices a truncated file."""

    def __init__(self, below: BinaryIO) -> None:
        self._below = below
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._packed = self._plain = b""
        self._inside = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._plain:
            chunk = self._packed or self._below.read(_CHUNK)
            if not chunk:
                if self._inside:
                    raise EOFError("the compressed data end too early")
                return 0
            if self._frame.eof:
                self._frame = zstandard.ZstdDecompressor().decompressobj()
            self._plain = self._frame.decompress(chunk)
            self._packed = self._frame.unused_data
            self._inside = not self._frame.eof
        size = min(len(buffer), len(self._plain))
        buffer[:size], self._plain = self._plain[:size], self._plain[size:]
        return size


def decompressed(raw: BinaryIO) -> BinaryIO:
    """The stream that gzip, bzip2 or Zstandard packed, by its first bytes; others as they are."""
    below = raw if isinstance(raw, io.BufferedReader) else io.BufferedReader(cast("Any", raw))
    magic = below.peek(4)[:4]
    if magic.startswith(b"\x1f\x8b"):
        return _Unpacked(gzip.GzipFile(fileobj=below), below)
    if magic.startswith(b"BZh"):
        return _Unpacked(bz2.BZ2File(below), below)
    if magic == b"\x28\xb5\x2f\xfd":
        return _Unpacked(_Zstd(below), below)
    return below
