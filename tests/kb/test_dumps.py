"""Snapshots from dumps: versions of the tables, ways of writing, damage, locks, a full disk."""

from __future__ import annotations

import contextlib
import gzip
import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kb.dump_files import COLUMNS, dump_text, page, prop, redirect, small_wiki, write_dumps

from elcurate.errors import ElcurateError, ReadError, SnapshotError
from elcurate.kb.dumps import PAGE, build_snapshot, find_dumps
from elcurate.kb.snapshot import Snapshot
from elcurate.kb.snapshot_file import SnapshotInfo, new_snapshot
from elcurate.kb.sqldump import SqlDump, unescaped

OLD = b"the older file"


def build(folder, rows=None, **how):
    dumps = write_dumps(folder / "dumps", small_wiki() if rows is None else rows, **how)
    return build_snapshot(find_dumps(dumps), folder / "kb.sqlite")


def content(file):
    with Snapshot(file) as snapshot:
        rows = snapshot._connection
        return {
            name: rows.execute(f"SELECT * FROM {name} ORDER BY 1").fetchall()
            for name in ("pages", "redirects", "disambiguations", "items")
        }


@pytest.mark.parametrize(
    "how",
    [
        {"page_kind": "page of 2010"},
        {"row_lines": True},
        {"per_statement": 1},
        {"per_statement": 1000},
        {"name": "enwiki-20240101-{}.sql"},
        {"name": "{}.sql.gz"},
    ],
)
def test_every_way_of_writing_gives_the_same(tmp_path, how):
    usual, other = tmp_path / "usual", tmp_path / "other"
    usual.mkdir()
    other.mkdir()
    build(usual)
    build(other, **how)
    assert content(other / "kb.sqlite") == content(usual / "kb.sqlite")


def test_the_wiki_and_day_are_those_of_the_names_or_of_the_files(tmp_path):
    (tmp_path / "a").mkdir()
    named = build(tmp_path / "a", database="dewiki", name="frwiki-20230401-{}.sql.gz")
    assert (named.wiki, named.language, named.date) == ("frwiki", "fr", "2023-04-01")
    (tmp_path / "b").mkdir()
    latest = build(tmp_path / "b", database="zh_min_nanwiki", name="{}.sql")
    assert (latest.wiki, latest.language, latest.date) == (
        *("zh_min_nanwiki", "zh-min-nan"),
        "2024-01-02",
    )
    assert named.digest != build(tmp_path / "b", {"page": [page(1, "A")]}, name="{}.sql").digest


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), unique=True))
@settings(max_examples=60)
def test_any_string_survives(tmp_path_factory, strings):
    path = tmp_path_factory.mktemp("any") / "page.sql.gz"
    rows = [page(number, text) for number, text in enumerate(strings)]
    path.write_bytes(gzip.compress(dump_text("page", rows).encode()))
    found = [row for block in SqlDump(path, "page").blocks(PAGE) for row in block]
    assert [unescaped(row[2]) for row in found] == strings


def test_other_escapes_and_literals(tmp_path):
    path = tmp_path / "page.sql"
    text = dump_text("page", []).replace(
        "-- Dump completed",
        "INSERT INTO `page` (`page_title`,`page_id`,`page_is_redirect`,`page_namespace`) VALUES "
        "(_binary 'It''s',7,0,0),('',-8,1,-1), (NULL,9,0x1F,0);\n-- Dump completed",
    )
    path.write_text(text)
    wanted = {name: kind for name, kind in PAGE.items() if name != "page_is_redirect"}
    (rows,) = SqlDump(path, "page").blocks(wanted)
    assert rows == [("7", "0", "It''s", ""), ("-8", "-1", "", ""), ("9", "0", "", "")]
    assert unescaped(rows[0][2]) == "It's"


def test_damaged_bytes(tmp_path):
    rows = {
        "page": [page(1, "Good"), page(2, "B\udcffd"), page(3, "R", redirect=True)],
        "redirect": [redirect(3, "Good", fragment="Caf\udcc3")],
    }
    build(tmp_path, rows)
    found = content(tmp_path / "kb.sqlite")
    assert [row[1] for row in found["pages"]] == ["Good", "R"]
    assert found["redirects"] == [(3, 0, "Good", "", "Caf")]


def damaged(folder, table, change):
    path = folder / "dumps" / f"enwiki-20240101-{table}.sql.gz"
    path.write_bytes(change(path.read_bytes()))


def edited(old, new):
    return lambda data: gzip.compress(gzip.decompress(data).replace(old, new))


DAMAGE = [
    ("page", lambda data: data[: len(data) // 2], "truncated or damaged"),
    ("page_props", lambda data: data[:-4], "truncated or damaged"),
    ("redirect", lambda data: data[:40] + b"\xff\xff" + data[42:], "truncated or damaged"),
    ("page", lambda _: gzip.compress(b"hello\n"), "no CREATE TABLE"),
    ("page", lambda _: b"", "no CREATE TABLE"),
    ("page", edited(b"`page_is_redirect`", b"`page_kind`"), "no column page_is_redirect.*page_id"),
    ("redirect", edited(b"`redirect`", b"`langlinks`"), "is the table langlinks, not redirect"),
    ("page", edited(b"INSERT INTO `page`", b"INSERT INTO `text`"), "no INSERT INTO `page`"),
    ("page", edited(b",'wikitext',", b",wikitext,"), r"gz:23: no row of 12 columns begins with"),
    ("page", edited(b",NULL),", b",NULL,0),"), "no row of 12 columns"),
    ("page", edited(b"CREATE TABLE", b"CREATE VIEW"), "before CREATE TABLE"),
    ("redirect", lambda d: gzip.compress(gzip.decompress(d)[:-95]), "within a statement"),
    ("page", edited(b"(3,0,'NYC'", b"(2,0,'NYC'"), "a page twice"),
    ("page", edited(b"(3,0,'NYC'", b"(3,0,'Big_Apple'"), "a page twice"),
]


@pytest.mark.parametrize(("table", "change", "message"), DAMAGE)
def test_damage_is_named_and_the_old_file_stays(tmp_path, table, change, message):
    write_dumps(tmp_path / "dumps", small_wiki())
    damaged(tmp_path, table, change)
    (tmp_path / "kb.sqlite").write_bytes(OLD)
    with pytest.raises(ElcurateError, match=message):
        build_snapshot(find_dumps(tmp_path / "dumps"), tmp_path / "kb.sqlite")
    assert (tmp_path / "kb.sqlite").read_bytes() == OLD
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dumps", "kb.sqlite"]


@settings(max_examples=40)
@given(st.data())
def test_damaged_dumps_give_rows_or_an_error_of_reading(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("damage")
    text = dump_text("page", small_wiki()["page"]).encode()
    place = data.draw(st.integers(0, len(text) - 1))
    noise = data.draw(st.binary(max_size=5))
    path = folder / "page.sql"
    path.write_bytes(text[:place] + noise + text[place + data.draw(st.integers(0, 5)) :])
    with contextlib.suppress(ReadError):
        for block in SqlDump(path, "page").blocks(PAGE):
            assert all(len(row) == 5 and row[0].lstrip("-").isdecimal() for row in block)


def test_a_line_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("elcurate.kb.sqldump._LONGEST_LINE", 500)
    path = tmp_path / "page.sql"
    path.write_text(dump_text("page", [page(1, "x" * 999)]))
    with pytest.raises(ReadError, match="longer than any"):
        list(SqlDump(path, "page").blocks(PAGE))


def test_folders_that_wont_do(tmp_path):
    with pytest.raises(SnapshotError, match="there is no folder"):
        find_dumps(tmp_path / "none")
    with pytest.raises(SnapshotError, match="page and none of page_props and none of redirect"):
        find_dumps(tmp_path)
    write_dumps(tmp_path / "d", {})
    (tmp_path / "d" / "enwiki-20240101-redirect.sql.gz").unlink()
    with pytest.raises(SnapshotError, match="no dump of the table redirect"):
        find_dumps(tmp_path / "d")
    write_dumps(tmp_path / "d", {}, name="enwiki-20240101-{}.sql.gz")
    write_dumps(tmp_path / "d", {}, name="dewiki-20240101-{}.sql.gz")
    with pytest.raises(SnapshotError, match="several wikis or days: dewiki-20240101, enwiki"):
        find_dumps(tmp_path / "d")


@pytest.mark.parametrize("wiki", ["commonswiki", "wikidatawiki", "enwiktionary", "Berlin"])
def test_wikis_that_are_no_wikipedias(tmp_path, wiki):
    with pytest.raises(SnapshotError, match="is no Wikipedia"):
        build(tmp_path, name=f"{wiki}-20240101-{{}}.sql.gz")


def test_dumps_that_dont_tell_their_day(tmp_path):
    folder = write_dumps(tmp_path / "d", small_wiki(), name="{}.sql")
    for path in folder.iterdir():
        path.write_text(path.read_text().partition("-- Dump completed")[0])
    with pytest.raises(SnapshotError, match="--date"):
        build_snapshot(find_dumps(folder), tmp_path / "kb")
    with pytest.raises(SnapshotError, match="is no date"):
        build_snapshot(find_dumps(folder), tmp_path / "kb", date="tomorrow")
    assert build_snapshot(find_dumps(folder), tmp_path / "kb", date="2020-02-02").id.startswith(
        "enwiki-20200202-"
    )


def test_two_builders_at_once(tmp_path):
    dumps = find_dumps(write_dumps(tmp_path / "dumps", small_wiki()))
    entered, leave = threading.Event(), threading.Event()

    def first():
        with new_snapshot(tmp_path / "kb.sqlite") as writer:
            entered.set()
            leave.wait(20)
            writer.finish(
                SnapshotInfo(
                    wiki="enwiki", language="en", date="2000-01-01", source="dumps", digest="first"
                )
            )

    thread = threading.Thread(target=first)
    thread.start()
    assert entered.wait(20)
    try:
        with pytest.raises(SnapshotError, match="being written by another process"):
            build_snapshot(dumps, tmp_path / "kb.sqlite")
    finally:
        leave.set()
        thread.join()
    assert Snapshot(tmp_path / "kb.sqlite").info.digest == "first"
    assert build_snapshot(dumps, tmp_path / "kb.sqlite").digest != "first"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dumps", "kb.sqlite"]


def test_places_that_cant_be_written(tmp_path):
    dumps = find_dumps(write_dumps(tmp_path / "dumps", small_wiki()))
    with pytest.raises(SnapshotError, match="is a folder"):
        build_snapshot(dumps, tmp_path)
    with pytest.raises(SnapshotError, match="can't be written"):
        build_snapshot(dumps, tmp_path / "none" / "kb.sqlite")


def test_a_full_disk(tmp_path):
    """A limit on the size of files, in a process of its own, stands for it."""
    rows = [page(number, f"Page_{random.Random(number).random()}") for number in range(20_000)]
    write_dumps(tmp_path / "dumps", {"page": rows}, per_statement=1000)
    (tmp_path / "kb.sqlite").write_bytes(OLD)
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000));"
        "from elcurate.cli.main import run; sys.argv[1:] = ['kb', 'build', 'dumps', '-o', "
        "'kb.sqlite']; run()"
    )
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert found.returncode == 2
    assert found.stderr.startswith("elcurate: kb.sqlite can't be written: ")
    assert (tmp_path / "kb.sqlite").read_bytes() == OLD
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dumps", "kb.sqlite"]


def test_progress_reaches_the_end_of_every_file(tmp_path, monkeypatch):
    monkeypatch.setattr("elcurate.kb.sqldump._BLOCK", 64)
    dumps = find_dumps(write_dumps(tmp_path / "dumps", small_wiki(), name="{}.sql"))
    seen = {}
    build_snapshot(
        dumps,
        Path(tmp_path / "kb"),
        progress=lambda table, done, size: seen.setdefault(table, []).append(done / size),
    )
    assert list(seen) == ["page", "redirect", "page_props", "indexes"]
    assert all(parts == sorted(parts) and parts[-1] == 1 for parts in seen.values())


def test_properties_of_pages_that_are_no_articles_dont_count(tmp_path):
    rows = {"page": [page(1, "A"), page(2, "B", namespace=14)], "page_props": []}
    rows["page_props"] = [prop(2, "wikibase_item", "Q5"), prop(3, "disambiguation")]
    known = build(tmp_path, rows)
    assert (known.pages, known.items, known.disambiguations) == (1, 0, 0)


def test_the_versions_of_page_have_what_is_needed():
    assert all(set(PAGE) <= set(COLUMNS[kind]) for kind in ("page", "page of 2010"))
