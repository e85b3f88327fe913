"""Archives of strangers: nothing is written outside the folder, no links, no bombs."""

from __future__ import annotations

import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from elcurate.curation.cards import DatasetError

_CHUNK = 1 << 16
_BROKEN = (zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError)


@dataclass(frozen=True)
class Limits:
    """What an archive may hold.

    Attributes:
        bytes: In all files together.
        files: How many.
    """

    bytes: int = 4 << 30
    files: int = 200_000


@dataclass(frozen=True)
class _Member:
    """A file in an archive."""

    name: str
    is_folder: bool
    is_plain: bool
    info: zipfile.ZipInfo | tarfile.TarInfo


def is_archive(path: Path) -> bool:
    """Whether a file is a ZIP or TAR archive, compressed or not."""
    return zipfile.is_zipfile(path) or tarfile.is_tarfile(path)


def unpack(
    archive: Path, folder: Path, wanted: Sequence[str] = (), limits: Limits | None = None
) -> None:
    """Unpacks an archive.

    Args:
        archive: A ZIP or TAR file.
        folder: Where to; everything that is written is inside.
        wanted: Files and folders of the archive; everything by default.
        limits: What it may hold.

    Raises:
        DatasetError: for names that lead out of the folder, links, devices, encrypted, repeated
            or damaged files, and when there is more than the limits allow.
    """
    limits = limits or Limits()
    try:
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as opened:
                _unpack(_zipped(opened), opened, folder, (wanted, limits))
        else:
            with tarfile.open(archive) as opened_tar:
                _unpack(_tarred(opened_tar), opened_tar, folder, (wanted, limits))
    except DatasetError as error:
        raise DatasetError(f"{archive.name}: {error.message}", remedy=error.remedy) from error
    except (*_BROKEN, RuntimeError, NotImplementedError) as error:
        raise DatasetError(f"{archive.name} can't be unpacked: {error}") from error


def _zipped(archive: zipfile.ZipFile) -> Iterator[_Member]:
    for info in archive.infolist():
        kind = stat.S_IFMT(info.external_attr >> 16)
        plain = kind in (0, stat.S_IFREG, stat.S_IFDIR)
        yield _Member(info.filename, info.is_dir(), plain, info)


def _tarred(archive: tarfile.TarFile) -> Iterator[_Member]:
    for info in archive:
        yield _Member(info.name, info.isdir(), info.isfile() or info.isdir(), info)


def _unpack(
    members: Iterator[_Member],
    archive: zipfile.ZipFile | tarfile.TarFile,
    folder: Path,
    allowed: tuple[Sequence[str], Limits],
) -> None:
    wanted, limits = allowed
    room = limits.bytes
    for number, member in enumerate(members, 1):
        if number > limits.files:
            raise DatasetError(f"the archive holds more than {limits.files:,} files")
        path = _inside(member)
        if member.is_folder or not _is_wanted(path, wanted):
            continue
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            raise DatasetError(f"the archive holds {member.name!r} twice")
        with _opened(archive, member) as stream:
            room -= _copy(stream, target, room)


def _inside(member: _Member) -> PurePosixPath:
    """The path of a member; an error if it leads out of the folder or is no file."""
    name = member.name
    path = PurePosixPath(name)
    unsafe = "\\" in name or "\0" in name or ":" in name.split("/")[0]
    if not name or unsafe or path.is_absolute() or ".." in path.parts:
        raise DatasetError(f"the archive names a file outside of it: {name!r}")
    if not member.is_plain:
        raise DatasetError(f"the archive holds a link or device: {name!r}")
    return path


def _is_wanted(path: PurePosixPath, wanted: Sequence[str]) -> bool:
    return not wanted or any(path.is_relative_to(PurePosixPath(one)) for one in wanted)


def _opened(archive: zipfile.ZipFile | tarfile.TarFile, member: _Member) -> IO[bytes]:
    if isinstance(archive, zipfile.ZipFile) and isinstance(member.info, zipfile.ZipInfo):
        return archive.open(member.info)
    if isinstance(archive, tarfile.TarFile) and isinstance(member.info, tarfile.TarInfo):
        stream = archive.extractfile(member.info)
        if stream is not None:
            return stream
    raise DatasetError(f"{member.name!r} can't be read")


def _copy(stream: IO[bytes], target: Path, room: int) -> int:
    """Writes a file of at most ``room`` bytes; returns its size."""
    size = 0
    with target.open("xb") as out:
        while chunk := stream.read(_CHUNK):
            size += len(chunk)
            if size > room:
                raise DatasetError("the archive holds more than the allowed size")
            out.write(chunk)
    return size
