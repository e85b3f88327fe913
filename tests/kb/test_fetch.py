"""Snapshots from the action API, against a server that answers as MediaWiki does, faults too."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from kb.api_server import serving, small_api

from elcurate.errors import SnapshotError
from elcurate.kb.fetch import fetch_snapshot, titles_of
from elcurate.kb.mediawiki import WikiApi
from elcurate.kb.snapshot import Snapshot

WIKI = "https://en.wikipedia.org/wiki/"
CASES = {
    "New York City": ("ok", "New_York_City"),
    "Big Apple": ("redirect", "New_York_City"),
    "the Big Apple": ("double-redirect", "New_York_City"),
    "Harlem (section)": ("section-redirect", "New_York_City#Upper_Manhattan"),
    "Mercury": ("disambiguation", "Mercury"),
    "Mercurius": ("disambiguation", "Mercury"),
    "Loop A": ("loop", "Loop_A"),
    "Loop B": ("loop", "Loop_B"),
    "Self": ("loop", "Self"),
    "Paris FR": ("interwiki", "Paris_FR"),
    "fr:Paris": ("interwiki", "Fr:Paris"),
    "Manual": ("wrong-namespace", "Manual"),
    "Broken": ("missing", "Broken"),
    "Nothing here": ("missing", "Nothing_here"),
    "What?": ("ok", "What%3F"),
    "Zuerich": ("redirect", "Zürich_(city)"),
}
BUSY = (503, {}, b"")


@pytest.fixture
def wiki():
    with serving(small_api()) as running:
        yield running


class Client:
    """An API whose waits are noted, not waited for."""

    def __init__(self, wiki, **how):
        self.waits = []
        self.api = WikiApi(wiki.url, sleep=self.waits.append, **how)


@pytest.fixture
def client(wiki):
    made = Client(wiki)
    yield made
    made.api.close()


def test_every_outcome(wiki, client, tmp_path):
    info = fetch_snapshot(CASES, client.api, tmp_path / "kb")
    with Snapshot(tmp_path / "kb") as snapshot:
        found = {title: snapshot.resolve(title) for title in CASES}
        assert {title: (one.outcome, one.entity) for title, one in found.items()} == {
            title: (outcome, WIKI + entity) for title, (outcome, entity) in CASES.items()
        }
        assert snapshot.resolve("Never asked for").outcome == "not-covered"
        assert snapshot.resolve("Q60").entity == f"{WIKI}New_York_City"
        assert found["Big Apple"].item == "Q60"
        assert found["Manual"].target == "Wikipedia:Style"
        assert found["Paris FR"].target == "fr:Paris"
        assert snapshot.aliases("New York City") == ("Big_Apple",)
    assert (info.wiki, info.date, info.source) == ("enwiki", "2024-05-06", "api")
    assert (info.pages, info.disambiguations, info.items, info.absent) == (16, 1, 2, 1)
    assert [path.name for path in tmp_path.iterdir()] == ["kb"]


def test_calls_are_few_and_say_who_asks(wiki, tmp_path):
    api = Client(wiki, contact="me@example.org").api
    fetch_snapshot([f"{WIKI}Page_{i}" for i in range(120)], api, tmp_path / "kb")
    api.close()
    sizes = [call["titles"].count("|") + 1 for call in wiki.calls[1:]]
    assert sizes == [50, 50, 20]
    assert all(call["maxlag"] == "5" for call in wiki.calls)
    assert wiki.headers["User-Agent"].startswith("elcurate/")
    assert "me@example.org" in wiki.headers["User-Agent"]


def test_answers_in_parts(wiki, client, tmp_path):
    fetch_snapshot(CASES, client.api, tmp_path / "whole")
    wiki.per_part = 1
    before = len(wiki.calls)
    fetch_snapshot(CASES, client.api, tmp_path / "parts")
    assert len(wiki.calls) - before == 4
    with Snapshot(tmp_path / "whole") as whole, Snapshot(tmp_path / "parts") as parts:
        assert parts.info == whole.info


def test_an_answer_that_never_ends(wiki, client, tmp_path):
    part = {"query": {}, "continue": {"ppcontinue": "1", "continue": "||"}}
    wiki.faults = [None, *[(200, {}, json.dumps(part).encode())] * 9]
    with pytest.raises(SnapshotError, match="goes on without end"):
        fetch_snapshot(["A"], client.api, tmp_path / "kb")


def lagged(code):
    return (200, {"Retry-After": "7"}, json.dumps({"error": {"code": code, "info": "…"}}).encode())


@pytest.mark.parametrize(
    ("fault", "wait"),
    [
        (BUSY, 1),
        ((500, {}, b"<html>"), 1),
        ((429, {"Retry-After": "11"}, b""), 11),
        ((503, {"Retry-After": "99999"}, b""), 300),
        ((429, {"Retry-After": "soon"}, b""), 1),
        (lagged("maxlag"), 7),
        (lagged("ratelimited"), 7),
        (lagged("internal_api_error_DBQueryError"), 7),
        ((200, {}, b'{"query": {"pages": [{"ti'), 1),
        ((200, {}, b""), 1),
    ],
)
def test_faults_that_pass(wiki, client, tmp_path, fault, wait):
    wiki.faults = [fault, None, fault]
    assert fetch_snapshot(["Mercury"], client.api, tmp_path / "kb").pages == 1
    assert client.waits == [wait, wait]


def test_retry_after_as_a_date(wiki, client, tmp_path):
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    wiki.faults = [(503, {"Retry-After": date}, b"")]
    fetch_snapshot(["Mercury"], client.api, tmp_path / "kb")
    assert 50 < client.waits[0] <= 60


def test_the_waits_grow(wiki, client, tmp_path):
    wiki.faults = [BUSY] * 20
    with pytest.raises(SnapshotError, match="no answer after 7 attempts: status 503"):
        fetch_snapshot(["Mercury"], client.api, tmp_path / "kb")
    assert client.waits == [1, 2, 4, 8, 16, 32]


def test_time_outs_pass_too(wiki, tmp_path):
    def slow():
        time.sleep(0.6)

    client = Client(wiki, timeout=0.2)
    wiki.faults = [slow, None]
    assert fetch_snapshot(["Mercury"], client.api, tmp_path / "kb").pages == 1
    assert client.waits == [1]
    client.api.close()


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ((404, {}, b""), "status 404.*api.php"),
        ((403, {}, b""), "status 403"),
        ((200, {}, b"[]"), "unknown form"),
        ((200, {}, b'{"query": []}'), "names no wiki"),
        (lagged("badvalue"), "the API says badvalue"),
    ],
)
def test_faults_that_stay(wiki, client, tmp_path, fault, message):
    wiki.faults = [fault]
    (tmp_path / "kb").write_bytes(b"old")
    with pytest.raises(SnapshotError, match=message):
        fetch_snapshot(["Mercury"], client.api, tmp_path / "kb")
    assert client.waits == []
    assert (tmp_path / "kb").read_bytes() == b"old"


@pytest.mark.parametrize("query", [{"pages": [{"ns": 0}]}, {"redirects": [{}]}, {"pages": 3}, []])
def test_answers_of_an_unknown_form(wiki, client, tmp_path, query):
    wiki.faults = [None, (200, {}, json.dumps({"query": query}).encode())]
    with pytest.raises(SnapshotError, match="unknown form"):
        fetch_snapshot(["Mercury"], client.api, tmp_path / "kb")


@pytest.mark.parametrize("url", ["ftp://example.org/api.php", "api.php"])
def test_addresses_that_are_none(tmp_path, url):
    api = WikiApi(url, sleep=lambda _: None)
    with pytest.raises(SnapshotError, match="no address of an API"):
        fetch_snapshot(["Mercury"], api, tmp_path / "kb")
    api.close()


def test_nobody_answers(tmp_path):
    client = type("Nobody", (), {"url": "http://127.0.0.1:9/w/api.php"})
    waits = []
    api = WikiApi(client.url, sleep=waits.append)
    with pytest.raises(SnapshotError, match="no answer after 7 attempts"):
        fetch_snapshot(["Mercury"], api, tmp_path / "kb")
    api.close()
    assert len(waits) == 6


def test_it_goes_on_where_it_stopped(wiki, client, tmp_path):
    asked = [f"Page {i}" for i in range(150)] + list(CASES)
    wiki.faults = [None, None, None, *[BUSY] * 7]
    with pytest.raises(SnapshotError, match="no answer"):
        fetch_snapshot(asked, client.api, tmp_path / "kb")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".kb.fetched"]
    with (tmp_path / ".kb.fetched").open("a") as kept:
        kept.write('\n{"titles": ["Page_1')
    before = len(wiki.calls)
    info = fetch_snapshot(asked, client.api, tmp_path / "kb")
    assert len(wiki.calls) - before == 2
    fetch_snapshot(asked, client.api, tmp_path / "at once")
    assert Snapshot(tmp_path / "at once").info == info
    assert sorted(path.name for path in tmp_path.iterdir()) == ["at once", "kb"]


def test_what_is_too_old_or_from_elsewhere_is_asked_for_again(wiki, client, tmp_path):
    wiki.faults = [None, *[BUSY] * 7]
    with pytest.raises(SnapshotError):
        fetch_snapshot(["Mercury"], client.api, tmp_path / "kb")
    kept = tmp_path / ".kb.fetched"
    head = json.loads(kept.read_text())
    for change in ({"begun": "2020-01-01T00:00:00+00:00"}, {"api": "http://example.org/"}):
        line = {"titles": ["Mercury"], "pages": {}}
        kept.write_text(json.dumps(head | change) + "\n" + json.dumps(line))
        assert fetch_snapshot(["Mercury"], client.api, tmp_path / "kb").pages == 1


def test_titles_of_identifiers():
    entities = [
        "http://en.wikipedia.org/wiki/b%20c",
        "http://dbpedia.org/resource/B_c",
        "a title",
        "http://de.wikipedia.org/wiki/X",
        "http://www.wikidata.org/entity/Q5",
        "https://en.wikipedia.org/?curid=7",
        "https://en.wikipedia.org/wiki/Category:C",
        "https://en.wikipedia.org/wiki/A%5Bb%5D",
        "E0001",
        "NIL3",
        "http://example.org/x",
    ]
    assert titles_of(entities, "en") == ["A_title", "B_c"]


def test_nothing_to_ask_for(wiki, client, tmp_path):
    with pytest.raises(SnapshotError, match="no link names an article of enwiki"):
        fetch_snapshot(["http://de.wikipedia.org/wiki/X"], client.api, tmp_path / "kb")
