"""Archives of strangers."""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile

import pytest

from elcurate.curation.cards import DatasetError
from elcurate.curation.unpack import Limits, is_archive, unpack

OUTSIDE = ["../evil", "/evil", "a/../../evil", "C:/evil", "a\\..\\..\\evil", "..", "a/\0b"]


def zipped(path, files, **options):
    with zipfile.ZipFile(path, "w", **options) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return path


def tarred(path, members, mode="w"):
    with tarfile.open(path, mode) as archive:
        for name, data, kind in members:
            info = tarfile.TarInfo(name)
            info.type = kind
            if kind in (tarfile.SYMTYPE, tarfile.LNKTYPE):
                info.linkname = data
                archive.addfile(info)
            else:
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))
    return path


def everything(folder):
    found = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_tar(tmp_path, mode):
    files = [
        ("a", b"", tarfile.DIRTYPE),
        ("a/b", b"one", tarfile.REGTYPE),
        ("c", b"", tarfile.REGTYPE),
    ]
    archive = tarred(tmp_path / "x", files, mode)
    assert is_archive(archive)
    unpack(archive, tmp_path / "out")
    assert everything(tmp_path / "out") == {"a/b": b"one", "c": b""}


def test_zip_and_what_is_wanted(tmp_path):
    files = [("a/b", b"one"), ("a/c/d", b"two"), ("ab", b"three"), ("e/", b"")]
    archive = zipped(tmp_path / "x", files)
    unpack(archive, tmp_path / "out")
    assert everything(tmp_path / "out") == {"a/b": b"one", "a/c/d": b"two", "ab": b"three"}
    unpack(archive, tmp_path / "some", ["a/c", "ab"])
    assert everything(tmp_path / "some") == {"a/c/d": b"two", "ab": b"three"}


@pytest.mark.parametrize("name", OUTSIDE)
def test_names_that_lead_outside(tmp_path, name):
    folder = tmp_path / "deep" / "out"
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        info = zipfile.ZipInfo("placeholder")
        info.filename = name
        archive.writestr(info, b"evil")
    if "\0" not in name:
        with pytest.raises(DatasetError, match="outside"):
            unpack(tmp_path / "x.zip", folder)
    tarred(tmp_path / "x.tar", [(name.replace("\0", "\\"), b"evil", tarfile.REGTYPE)])
    with pytest.raises(DatasetError, match="outside"):
        unpack(tmp_path / "x.tar", folder)
    assert everything(tmp_path).keys() == {"x.zip", "x.tar"}


@pytest.mark.parametrize(
    ("kind", "to"),
    [
        (tarfile.SYMTYPE, "/etc/passwd"),
        (tarfile.SYMTYPE, "b"),
        (tarfile.LNKTYPE, "../x"),
        (tarfile.FIFOTYPE, b""),
        (tarfile.CHRTYPE, b""),
    ],
)
def test_links_and_devices_in_tar(tmp_path, kind, to):
    archive = tarred(tmp_path / "x", [("a", to, kind), ("a/b", b"evil", tarfile.REGTYPE)])
    with pytest.raises(DatasetError, match="link or device: 'a'"):
        unpack(archive, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_links_in_zip(tmp_path):
    with zipfile.ZipFile(tmp_path / "x", "w") as archive:
        info = zipfile.ZipInfo("a")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    with pytest.raises(DatasetError, match="link or device"):
        unpack(tmp_path / "x", tmp_path / "out")


def test_limits(tmp_path):
    bomb = zipped(tmp_path / "x", [("a", b"0" * 10**6)], compression=zipfile.ZIP_DEFLATED)
    assert bomb.stat().st_size < 2000
    with pytest.raises(DatasetError, match="allowed size"):
        unpack(bomb, tmp_path / "out", limits=Limits(bytes=10**6 - 1))
    unpack(bomb, tmp_path / "enough", limits=Limits(bytes=10**6))
    many = zipped(tmp_path / "y", [(str(n), b"") for n in range(11)])
    with pytest.raises(DatasetError, match="more than 10 files"):
        unpack(many, tmp_path / "many", limits=Limits(files=10))


def test_a_name_twice(tmp_path):
    archive = tarred(tmp_path / "x", [("a", b"1", tarfile.REGTYPE), ("a", b"2", tarfile.REGTYPE)])
    with pytest.raises(DatasetError, match="'a' twice"):
        unpack(archive, tmp_path / "out")


def test_damaged_archives(tmp_path):
    data = zipped(tmp_path / "x", [("a", bytes(range(256)) * 100)]).read_bytes()
    changed = bytearray(data)
    changed[1000] ^= 255
    (tmp_path / "crc").write_bytes(changed)
    with pytest.raises(DatasetError, match="can't be unpacked"):
        unpack(tmp_path / "crc", tmp_path / "out")
    (tmp_path / "cut").write_bytes(data[: len(data) // 2])
    assert not is_archive(tmp_path / "cut")
    whole = tarred(tmp_path / "t", [("a", bytes(10**5), tarfile.REGTYPE)], "w:gz").read_bytes()
    (tmp_path / "half").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DatasetError, match="can't be unpacked"):
        unpack(tmp_path / "half", tmp_path / "out2")
