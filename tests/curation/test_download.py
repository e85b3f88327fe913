"""Downloads: resuming, sums, and what servers do wrong."""

from __future__ import annotations

import fcntl
import hashlib

import pytest
from curation.server import serving

from elcurate.curation.cards import DatasetError
from elcurate.curation.download import download

DATA = bytes(range(256)) * 1000
SUM = hashlib.sha256(DATA).hexdigest()


@pytest.fixture
def site():
    with serving() as found:
        found.files["/a.bin"] = DATA
        yield found


def get(site, target, path="/a.bin", **options):
    return download(site.url + path, target, pause=0.001, **options)


def left(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_file_with_its_progress(site, tmp_path):
    seen = []
    found = get(site, tmp_path / "a", sha256=SUM, tick=lambda *args: seen.append(args))
    assert found == SUM
    assert (tmp_path / "a").read_bytes() == DATA
    assert left(tmp_path) == ["a"]
    assert seen[-1] == (len(DATA), len(DATA))
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})


def test_a_connection_that_breaks_is_continued(site, tmp_path):
    site.failures = [100_000, 50_000]
    get(site, tmp_path / "a", sha256=SUM)
    assert (tmp_path / "a").read_bytes() == DATA
    assert site.requests == ["", "bytes=100000-", "bytes=150000-"]


def test_a_later_run_continues(site, tmp_path):
    site.failures = [100_000] * 2
    with pytest.raises(DatasetError, match="run the same again"):
        get(site, tmp_path / "a", tries=2)
    assert left(tmp_path) == ["a.part", "a.part.json"]
    get(site, tmp_path / "a")
    assert site.requests[-1] == "bytes=200000-"
    assert (tmp_path / "a").read_bytes() == DATA
    assert left(tmp_path) == ["a"]


def test_a_part_of_another_version_is_not_continued(site, tmp_path):
    site.failures = [100_000]
    with pytest.raises(DatasetError):
        get(site, tmp_path / "a", tries=1)
    site.files["/a.bin"], site.etag = DATA[::-1], '"two"'
    get(site, tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == DATA[::-1]


@pytest.mark.parametrize(("etag", "again"), [("", ""), ('W/"weak"', "")])
def test_without_a_sum_and_a_version_nothing_is_continued(site, tmp_path, etag, again):
    site.failures, site.etag = [100_000], etag
    get(site, tmp_path / "a")
    assert site.requests == ["", again]
    assert (tmp_path / "a").read_bytes() == DATA


def test_a_server_that_can_not_continue(site, tmp_path):
    site.failures, site.ranges = [100_000], False
    get(site, tmp_path / "a", sha256=SUM)
    assert (tmp_path / "a").read_bytes() == DATA


def test_a_part_that_is_complete(site, tmp_path):
    site.failures = [100_000]
    with pytest.raises(DatasetError):
        get(site, tmp_path / "a", tries=1)
    (tmp_path / "a.part").write_bytes(DATA)
    get(site, tmp_path / "a", sha256=SUM)
    assert (tmp_path / "a").read_bytes() == DATA
    site.failures = [100_000]
    with pytest.raises(DatasetError):
        get(site, tmp_path / "b", tries=1)
    (tmp_path / "b.part").write_bytes(DATA + b"more")
    get(site, tmp_path / "b", sha256=SUM)
    assert (tmp_path / "b").read_bytes() == DATA


def test_a_wrong_sum_leaves_the_old_file(site, tmp_path):
    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(DatasetError, match=f"has the SHA-256 {SUM}, the card says 0000"):
        get(site, tmp_path / "a", sha256="0" * 64)
    assert (tmp_path / "a").read_bytes() == b"old"
    assert left(tmp_path) == ["a"]


def test_statuses(site, tmp_path):
    with pytest.raises(DatasetError, match="404 Not Found") as error:
        get(site, tmp_path / "a", "/none")
    assert error.value.exit_code == 2
    assert len(site.requests) == 1
    assert left(tmp_path) == []
    site.failures = [503, 429]
    get(site, tmp_path / "a", sha256=SUM)
    site.failures = [503] * 4
    with pytest.raises(DatasetError, match="503"):
        get(site, tmp_path / "b")


def test_redirects(site, tmp_path):
    site.moved["/old"] = "/a.bin"
    get(site, tmp_path / "a", "/old", sha256=SUM)
    site.moved["/loop"] = "/loop"
    with pytest.raises(DatasetError, match="redirect"):
        get(site, tmp_path / "b", "/loop")


def test_two_at_once(site, tmp_path):
    with (tmp_path / "a.part").open("ab") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(DatasetError, match="another process"):
            get(site, tmp_path / "a")
    assert site.requests == []
    get(site, tmp_path / "a", sha256=SUM)
    assert left(tmp_path) == ["a"]


def test_too_much(site, tmp_path):
    with pytest.raises(DatasetError, match="more than 1,000"):
        get(site, tmp_path / "a", limit=1000)
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("url", ["", "file:///etc/passwd", "ftp://a/b", "http://[", "http://"])
def test_addresses_that_are_none(tmp_path, url):
    with pytest.raises(DatasetError):
        download(url, tmp_path / "a", tries=1)


def test_a_server_that_is_not_there(tmp_path):
    with serving() as site:
        gone = site.url
    with pytest.raises(DatasetError):
        download(gone, tmp_path / "a", tries=2, pause=0.001)
