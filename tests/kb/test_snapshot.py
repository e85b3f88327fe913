"""Asking a snapshot: every outcome, aliases, other identifiers, and files that are none."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from kb.dump_files import page, redirect, small_wiki, write_dumps

from elcurate.errors import SnapshotError
from elcurate.kb.dumps import build_snapshot, find_dumps
from elcurate.kb.follow import Asked, Page, follow
from elcurate.kb.iri import canonical, parse
from elcurate.kb.resolution import OUTCOMES
from elcurate.kb.snapshot import Snapshot
from elcurate.kb.titles import fragment, split

WIKI = "https://en.wikipedia.org/wiki/"


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("kb")
    build_snapshot(find_dumps(write_dumps(folder / "dumps", small_wiki())), folder / "kb.sqlite")
    return folder / "kb.sqlite"


@pytest.fixture
def snapshot(file):
    with Snapshot(file) as opened:
        yield opened


CASES = [
    ("New York City", "ok", "New_York_City", None),
    ("Big Apple", "redirect", "New_York_City", "New_York_City"),
    ("NYC", "redirect", "New_York_City", "New_York_City"),
    ("the Big Apple", "double-redirect", "New_York_City", "New_York_City"),
    ("Harlem (section)", "section-redirect", "New_York_City#Upper_Manhattan", "New_York_City"),
    ("Harlem (section)#Own", "redirect", "New_York_City#Own", "New_York_City"),
    (
        "Sections twice",
        "double-redirect",
        "New_York_City#Upper_Manhattan",
        "New_York_City",
    ),
    ("Loop A", "loop", "Loop_A", "Loop_A"),
    ("Self", "loop", "Self", "Self"),
    ("Paris FR", "interwiki", "Paris_FR", "fr:Paris"),
    ("Manual", "wrong-namespace", "Manual", "Wikipedia:Style"),
    ("Broken", "missing", "Broken", "Nothing_here"),
    ("No row", "missing", "No_row", None),
    ("Nothing here", "missing", "Nothing_here", None),
    ("new_york_city", "missing", "New_york_city", None),
    ("Mercury", "disambiguation", "Mercury", None),
    ("Mercurius", "disambiguation", "Mercury", "Mercury"),
    ("Stale", "ok", "Stale", None),
    ("To R&", "section-redirect", "R%26#38;", "R&"),
    ("What?", "ok", "What%3F", None),
    ("""O'Brien "X"\\Y""", "ok", """O'Brien_"X"\\Y""", None),
]


@pytest.mark.parametrize(("identifier", "outcome", "entity", "target"), CASES)
def test_outcomes(snapshot, identifier, outcome, entity, target):
    found = snapshot.resolve(identifier)
    assert (found.outcome, found.entity, found.target) == (outcome, WIKI + entity, target)
    assert canonical(found.entity) == found.entity


@pytest.mark.parametrize(
    ("identifier", "outcome"),
    [
        ("Category:Cities", "wrong-namespace"),
        ("Talk:New York City", "wrong-namespace"),
        ("A[b]", "invalid"),
        (f"{WIKI}A%7Cb", "invalid"),
        ("http://de.wikipedia.org/wiki/Paris", "other-wiki"),
        ("http://de.dbpedia.org/resource/Paris", "other-wiki"),
        ("m.02_286", "other-kind"),
        ("E0123456", "other-kind"),
        ("http://example.org/New_York_City", "other-kind"),
        ("NIL", "other-kind"),
        ("NIL001", "other-kind"),
        ("Q1", "not-covered"),
        ("http://www.wikidata.org/entity/P31", "other-kind"),
        ("https://en.wikipedia.org/?curid=99", "missing"),
    ],
)
def test_no_article_of_this_wiki(snapshot, identifier, outcome):
    found = snapshot.resolve(identifier)
    assert (found.outcome, found.entity, found.item) == (outcome, None, None)


def test_every_outcome_is_described_and_tested(snapshot):
    found = {case[1] for case in CASES} | {"invalid", "other-wiki", "other-kind", "not-covered"}
    assert found == set(OUTCOMES)


@pytest.mark.parametrize(
    "identifier",
    [
        "http://dbpedia.org/resource/NYC",
        "http://www.wikidata.org/entity/Q60",
        "Q60",
        "https://en.m.wikipedia.org/wiki/big%20Apple",
        "https://en.wikipedia.org/w/index.php?title=NYC",
        "https://en.wikipedia.org/?curid=3",
    ],
)
def test_identifiers_map_to_each_other(snapshot, identifier):
    found = snapshot.resolve(identifier)
    assert found.entity == f"{WIKI}New_York_City"
    assert found.wikidata == "http://www.wikidata.org/entity/Q60"
    assert found.dbpedia == "http://dbpedia.org/resource/New_York_City"


def test_the_path_of_redirects(snapshot):
    assert snapshot.resolve("The Big Apple").path == ("Big_Apple", "New_York_City")
    assert snapshot.resolve("Loop A").path == ("Loop_B", "Loop_A")


def test_aliases_and_labels(snapshot):
    assert snapshot.aliases("New york City") == ()
    assert snapshot.aliases("New York City") == ("Big_Apple", "NYC")
    assert snapshot.labels("New York City") == ("New York City", "Big Apple", "NYC")
    assert snapshot.labels("Zürich (city)") == ("Zürich",)


def test_many_at_once_are_as_one_by_one(snapshot):
    every = [case[0] for case in CASES] * 40 + ["Q60", "Q1", "E0123456"]
    assert snapshot.resolve_all(every) == [snapshot.resolve(one) for one in every]


def test_what_it_knows_of_itself(snapshot):
    known = snapshot.info
    assert (known.wiki, known.language, known.date) == ("enwiki", "en", "2024-01-01")
    assert (known.pages, known.redirects) == (21, 14)
    assert (known.disambiguations, known.items, known.absent) == (1, 2, 0)
    assert known.id == f"enwiki-20240101-{known.digest}"


def test_it_is_read_only(snapshot):
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        snapshot._connection.execute("DELETE FROM pages")


def test_files_that_are_no_snapshots(tmp_path, file):
    with pytest.raises(SnapshotError, match="there is no file"):
        Snapshot(tmp_path / "none.sqlite")
    text = tmp_path / "text.sqlite"
    text.write_text("this is no database at all" * 99)
    with pytest.raises(SnapshotError, match="is no snapshot"):
        Snapshot(text)
    other = tmp_path / "other.sqlite"
    sqlite3.connect(other).execute("CREATE TABLE pages (id)").connection.close()
    with pytest.raises(SnapshotError, match="is no snapshot"):
        Snapshot(other)
    cut = tmp_path / "cut.sqlite"
    cut.write_bytes(file.read_bytes()[:4096])
    with pytest.raises(SnapshotError, match="is no snapshot"):
        Snapshot(cut)


def test_a_snapshot_of_another_version(tmp_path, file):
    old = tmp_path / "old.sqlite"
    old.write_bytes(file.read_bytes())
    connection = sqlite3.connect(old)
    connection.execute("PRAGMA user_version = 77")
    connection.close()
    with pytest.raises(SnapshotError, match=r"version 77, not 1.*kb build"):
        Snapshot(old)


@given(st.text(max_size=30), st.none() | st.text(max_size=10))
def test_entities_are_canonical(text, section):
    namespace, title, _, problem = split(text, "en")
    assume(problem is None and namespace is None)
    part = None if section is None else fragment(section)
    pages = {title: Page(title, 0, None, None, None, None, 0, None)}
    found = follow(Asked(text, title, part), pages, WIKI, lambda _: "missing")
    assert canonical(found.entity) == found.entity
    assert (parse(found.entity).title, parse(found.entity).fragment) == (title, part)


def test_a_damaged_snapshot(tmp_path, file):
    content = file.read_bytes()
    damaged = tmp_path / "damaged.sqlite"
    damaged.write_bytes(content[:-12288] + b"\xff" * 12288)
    with Snapshot(damaged) as snapshot, pytest.raises(SnapshotError, match="is damaged"):
        snapshot.resolve_all([case[0] for case in CASES])


@st.composite
def wikis(draw):
    names = [f"P{i}" for i in range(6)]
    targets = draw(st.lists(st.sampled_from([*names, "Gone", None]), min_size=6, max_size=6))
    return dict(zip(names, targets, strict=True))


@settings(max_examples=30)
@given(wikis())
def test_following_ends_where_a_walk_by_hand_ends(tmp_path_factory, targets):
    folder = tmp_path_factory.mktemp("random")
    ids = {name: number for number, name in enumerate(targets, 1)}
    rows = {
        "page": [page(ids[name], name, target is not None) for name, target in targets.items()],
        "redirect": [redirect(ids[name], to) for name, to in targets.items() if to is not None],
    }
    build_snapshot(find_dumps(write_dumps(folder / "d", rows)), folder / "kb")
    with Snapshot(folder / "kb") as snapshot:
        for name in targets:
            walk = [name]
            while targets.get(walk[-1]) is not None and walk[-1] not in walk[:-1]:
                walk.append(targets[walk[-1]])
            expected = (
                "missing"
                if walk[-1] == "Gone"
                else "loop"
                if walk[-1] in walk[:-1]
                else {1: "ok", 2: "redirect"}.get(len(walk), "double-redirect")
            )
            found = snapshot.resolve(name)
            assert (found.outcome, [name, *found.path]) == (expected, walk)
