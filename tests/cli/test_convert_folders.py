"""``elcurate convert`` on folders and on inputs some of which can't be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result
from strategies import torture_corpus
from typer.testing import CliRunner

from elcurate.cli.main import app
from elcurate.errors import WriteError
from elcurate.formats.io import read
from elcurate.formats.outputs import atomic_folder, write


def convert(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["convert", *map(str, arguments)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two good files around two that are none, and a hidden one."""
    inputs = tmp_path / "inputs"
    (inputs / "deep").mkdir(parents=True)
    write(torture_corpus(), inputs / "deep" / "b.jsonl")
    (inputs / "a.tsv").write_bytes(b"x\t0\t4\tQ1\ny\t0\t3\tQ1\tbad\n")
    (inputs / "c.tsv").write_bytes(b"z\t0\t4\tQ1\n")
    (inputs / "d.bin").write_bytes(b"\x00\x01\x02")
    (inputs / ".hidden").write_bytes(b"?")
    return inputs


def test_one_bad_file_stops_a_conversion(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert convert(folder, "-o", out).exit_code != 0
    assert not out.exists()


def test_keep_going_goes_on_and_lists(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    result = convert(folder, "-o", out, "--keep-going")
    assert result.exit_code == 1
    lines = [line for line in result.stderr.splitlines() if line.startswith("not read: ")]
    assert [Path(line.split(": ")[1].split(":")[0]).name for line in lines] == ["a.tsv", "d.bin"]
    assert "a.tsv:2" in lines[0]
    names = [document.id for document in read(out).documents]
    assert names == ["x", "z", *(document.id for document in torture_corpus().documents)]


def test_keep_going_with_repeated_ids(folder: Path, tmp_path: Path) -> None:
    result = convert(folder / "c.tsv", folder / "c.tsv", "-o", tmp_path / "o.tsv", "--keep-going")
    assert result.exit_code == 1
    assert "occurs twice" in result.stderr
    assert len(read(tmp_path / "o.tsv").documents) == 1


def test_errors_in_json(folder: Path, tmp_path: Path) -> None:
    result = convert(folder, "-o", tmp_path / "out.jsonl", "--keep-going", "--format", "json")
    report = json.loads(result.stdout)
    assert report["summary"]["errors"] == len(report["errors"]) == 2


def test_nothing_failed(folder: Path, tmp_path: Path) -> None:
    assert convert(folder / "c.tsv", "-o", tmp_path / "o.tsv", "--keep-going").exit_code == 0


class TestAtomicFolder:
    def test_new(self, tmp_path: Path) -> None:
        with atomic_folder(tmp_path / "new") as inner:
            (inner / "x").write_text("1")
        assert [path.name for path in tmp_path.rglob("*")] == ["new", "x"]

    def test_an_empty_one_is_filled(self, tmp_path: Path) -> None:
        (tmp_path / "new").mkdir()
        with atomic_folder(tmp_path / "new") as inner:
            (inner / "x").write_text("1")
        assert (tmp_path / "new" / "x").read_text() == "1"

    def test_what_holds_something_stays(self, tmp_path: Path) -> None:
        (tmp_path / "old").mkdir()
        (tmp_path / "old" / "x").write_text("1")
        with pytest.raises(WriteError, match="not empty"), atomic_folder(tmp_path / "old"):
            raise AssertionError("is not reached")
        with atomic_folder(tmp_path / "old", overwrite=True) as inner:
            (inner / "y").write_text("2")
        assert [path.name for path in (tmp_path / "old").iterdir()] == ["y"]

    def test_a_failure_leaves_the_old(self, tmp_path: Path) -> None:
        (tmp_path / "old").mkdir()
        (tmp_path / "old" / "x").write_text("1")
        with pytest.raises(KeyError), atomic_folder(tmp_path / "old", overwrite=True):
            raise KeyError
        assert [path.name for path in tmp_path.rglob("*")] == ["old", "x"]

    def test_not_over_a_file_and_not_to_a_stream(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("1")
        for place in (tmp_path / "file", "-", tmp_path / "no" / "such"):
            with pytest.raises(WriteError), atomic_folder(place, overwrite=True):
                raise AssertionError("is not reached")
        assert (tmp_path / "file").read_text() == "1"
