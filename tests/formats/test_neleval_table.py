"""The reader by columns gives what the reader by rows gives, or leaves the file to it."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared_data import SHARED, needs_shared
from strategies import corpora, torture_corpus

from elcurate.errors import ReadError
from elcurate.formats.base import ReadOptions
from elcurate.formats.io import read, read_table
from elcurate.formats.neleval_table import read_neleval_table
from elcurate.formats.outputs import write
from elcurate.formats.source import Source
from elcurate.model.corpus import Corpus
from elcurate.model.table import Table

CELLS = st.sampled_from(["", "Q1", "NIL", "NIL01", "NILE", "0.5", "-1", "PER", "é", "{}", "x y"])
ROWS = st.tuples(
    st.sampled_from(["a", "b", "", "ü"]),
    st.integers(-2, 9).map(str),
    st.integers(-2, 9).map(str),
    *(CELLS for _ in range(3)),
).map("\t".join)


def by_columns(path: Path) -> Table | None:
    return read_neleval_table(Source(path), ReadOptions())


def check(path: Path) -> None:
    table = by_columns(path)
    if table is None:
        return
    slow = Table.of(read(path, format="neleval"))
    assert table.links.equals(slow.links)
    assert table.documents.equals(slow.documents)
    assert table.fingerprint == slow.fingerprint


@settings(max_examples=60)
@given(corpus=corpora(controls=False))
def test_what_we_write_is_regular(corpus: Corpus) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.tsv"
        write(corpus, path)
        if b"\r" not in path.read_bytes() and path.stat().st_size:
            check(path)
            assert by_columns(path) is not None


@settings(max_examples=200)
@given(rows=st.lists(ROWS | st.text(st.sampled_from("a\t1 0."), max_size=12), max_size=6))
def test_any_rows(rows: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.tsv"
        path.write_text("\n".join(rows), encoding="utf-8")
        try:
            read(path, format="neleval")
        except ReadError:
            assert by_columns(path) is None
        else:
            check(path)


def test_torture(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    write(torture_corpus(), path)
    assert by_columns(path) is not None
    check(path)


def test_chunks_join(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("elcurate.formats.neleval_table._CHUNK", 20)
    path = tmp_path / "x.tsv"
    path.write_text("".join(f"d{i // 3}\t{i}\t{i}\tQ{i % 2}\n" for i in range(50)))
    check(path)
    path.write_text("".join(f"d{i % 3}\t{i}\t{i}\tQ{i}\t1\tT\tQ9\t{i}\tU\n" for i in range(50)))
    check(path)
    assert by_columns(path) is not None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"a\t0\t1\tQ\r\n",
        b"\xef\xbb\xbfa\t0\t1\n",
        b"a\t0\t1\tQ\tnan\n",
        b"a\t0\t1\t\t1\n",
        b'a\t0\t1\tQ\t1\t{"base_form": "odd"}\n',
        b"a\t0\t1\tQ\t1\t{no json\n",
        b"a\t0\t1\n\nb\t0\t1\n",
        b"a\t0\t9007199254740992\n",
        b"a\t0\t1\tQ\t1\tT\tQ2\n",
        b"a\t0\n",
        b"a\t0\t\xff\n",
    ],
)
def test_irregular_files_are_left_to_the_other_reader(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_bytes(content)
    assert by_columns(path) is None


def test_errors_still_name_their_line(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_bytes(b"a\t0\t1\tQ\nb\t0\tx\tQ\n")
    with pytest.raises(ReadError, match=r"x\.tsv:2"):
        read_table(path, format="neleval")


@needs_shared
def test_the_oracle_cases_are_regular() -> None:
    files = sorted((SHARED / "neleval" / "oracle").glob("*/*.tsv"))
    assert files
    regular = [path for path in files if by_columns(path) is not None]
    for path in regular:
        check(path)
    assert len(regular) > len(files) // 2
