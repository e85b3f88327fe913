"""The cards of public corpora, fetching one from a server, and the commands."""

from __future__ import annotations

import hashlib
import io
import json
import re
import tomllib
import zipfile
from pathlib import Path

import jsonschema
import pytest
from curation.server import serving
from typer.testing import CliRunner

import elcurate
from elcurate import Corpus, Document, Link, Mention
from elcurate.cli.main import app
from elcurate.curation import cards as cards_module
from elcurate.curation.cards import Card, Counts, DatasetError, cards, get_card, read_card
from elcurate.curation.fetch import cache_folder, fetch
from elcurate.errors import ReadError, SpecError
from elcurate.formats.all import FORMATS

ROOT = Path(__file__).parents[2]
ASKED = {
    *("kore50", "voxel", "ace2004", "kore50-categorized", "voxel-categorized", "msnbc", "meij"),
    *("ace2004-categorized", "aida", "aquaint", "iitb", "n3-reuters-128", "n3-rss-500"),
    *("n3-news-100", "oke-2015-eval", "gerdaq-test", "dbpedia-spotlight", "wned-wiki"),
    *("wned-clueweb", "news-fair", "wiki-fair", "sample"),
}
CORPUS = Corpus(
    name="made",
    documents=(
        Document(
            id="d", text="ab cd", mentions=(Mention(begin=0, end=2, links=(Link(entity="Q1"),)),)
        ),
    ),
)


def run(*arguments, code=0):
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output
    return result


def conforms(text, name):
    schema = json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(found := json.loads(text), schema)
    return found


@pytest.fixture
def jsonl(tmp_path):
    path = tmp_path / "made.jsonl"
    elcurate.write(CORPUS, path)
    return path.read_bytes()


@pytest.fixture
def site():
    with serving() as found:
        yield found


def card(site, **fields):
    given = {"name": "made", "title": "Made", "licence": "CC0-1.0", "language": "en"}
    return Card(**{**given, "format": "jsonl", "url": f"{site.url}/made.jsonl", **fields})


@pytest.mark.parametrize("name", sorted(cards()))
def test_cards(name):
    found = get_card(name)
    assert FORMATS.get(found.format).read is not None
    assert found.homepage or name == "sample"
    assert found.reference or name == "sample"
    assert re.fullmatch(r"|https://\S+", found.url)
    assert found.url or found.note or name == "sample"
    assert found.verified == (name == "sample")


def test_the_corpora_that_everybody_asks_for():
    assert set(cards()) >= ASKED


def test_every_card_is_in_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    for path in sorted((ROOT / "datasets").glob("*/dataset.toml")):
        place = path.relative_to(ROOT).as_posix()
        assert included[place] == f"elcurate/_data/{path.parent.name}/dataset.toml"


def test_cards_that_are_wrong(tmp_path, monkeypatch):
    path = tmp_path / "made" / "dataset.toml"
    path.parent.mkdir()
    for text, message in [
        ("name = ", "not TOML"),
        ('name = "made"', "title: Field required"),
        ('name = "x"\ntitle = ""\nlicence = ""\nlanguage = ""\nformat = ""', "of another"),
        ('name = "made"\nsha256 = "12"', "sha256|title"),
    ]:
        path.write_text(text, encoding="utf-8")
        with pytest.raises(ReadError, match=message):
            read_card(path)
    monkeypatch.setattr(cards_module, "datasets_folder", lambda: tmp_path / "none")
    with pytest.raises(SpecError, match="no dataset"):
        get_card("made")


def test_names_that_are_nearly_right():
    with pytest.raises(SpecError, match="n3-reuters-128"):
        get_card("n3-reuters128")


def test_fetching_a_file(site, tmp_path, jsonl):
    site.files["/made.jsonl"] = jsonl
    made = card(site, sha256=hashlib.sha256(jsonl).hexdigest(), counts=Counts(documents=1, nil=0))
    out = tmp_path / "out.jsonl"
    found = fetch(made, out, cache=tmp_path / "cache", pause=0.001)
    assert found.counts == Counts(documents=1, sentences=0, mentions=1, links=1, nil=0, tags=0)
    assert found.differences == ()
    assert elcurate.read(out).documents == CORPUS.documents
    fetch(made, out, cache=tmp_path / "cache")
    assert len(site.requests) == 1, "what is there is not downloaded again"


def test_a_damaged_cache_is_downloaded_again(site, tmp_path, jsonl):
    site.files["/made.jsonl"] = jsonl
    made = card(site, sha256=hashlib.sha256(jsonl).hexdigest())
    fetch(made, tmp_path / "out.jsonl", cache=tmp_path / "cache", pause=0.001)
    (kept,) = (tmp_path / "cache").iterdir()
    kept.write_bytes(b"damaged")
    fetch(made, tmp_path / "out.jsonl", cache=tmp_path / "cache", pause=0.001)
    assert kept.read_bytes() == jsonl


def archive(jsonl, name="inner/made.jsonl"):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as found:
        found.writestr(name, jsonl)
        found.writestr("inner/other.txt", "no corpus")
    return data.getvalue()


def test_fetching_a_part_of_an_archive(site, tmp_path, jsonl):
    site.files["/made.zip"] = archive(jsonl)
    made = card(site, url=f"{site.url}/made.zip", file="inner/made.jsonl")
    cache = tmp_path / "cache"
    assert fetch(made, tmp_path / "out.jsonl", cache=cache).counts.documents == 1
    assert len(list(cache.iterdir())) == 1, "what was unpacked is gone"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (lambda jsonl: archive(jsonl, "elsewhere"), "doesn't hold inner/made.jsonl"),
        (lambda jsonl: archive(jsonl, "../../evil"), "outside"),
        (lambda jsonl: b"<html>gone</html>", "no ZIP or TAR archive"),
    ],
)
def test_archives_that_are_not_as_the_card_says(site, tmp_path, jsonl, content, message):
    site.files["/made.zip"] = content(jsonl)
    made = card(site, url=f"{site.url}/made.zip", file="inner/made.jsonl")
    out = tmp_path / "out.jsonl"
    out.write_text("before", encoding="utf-8")
    with pytest.raises(DatasetError, match=message):
        fetch(made, out, cache=tmp_path / "cache")
    assert out.read_text(encoding="utf-8") == "before"
    assert not list(tmp_path.glob("**/evil"))


def test_counts_that_are_not_those_of_the_card(site, tmp_path, jsonl):
    site.files["/made.jsonl"] = jsonl
    made = card(site, counts=Counts(documents=1, mentions=2))
    found = fetch(made, tmp_path / "out.jsonl", cache=tmp_path / "cache")
    assert found.differences == ("1 mentions, the card says 2",)


def test_what_can_not_be_downloaded(tmp_path):
    with pytest.raises(DatasetError, match="Reuters corpus"):
        fetch(get_card("aida"), tmp_path / "out.jsonl")


def test_the_cache_is_where_the_system_wants_it(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "elcurate"


def test_commands(monkeypatch, site, tmp_path, jsonl):
    found = conforms(run("datasets", "list", "-f", "json").stdout, "datasets")
    assert {one["name"] for one in found["datasets"]} == set(cards())
    assert "kore50" in run("datasets", "list").stdout
    conforms(run("datasets", "show", "kore50", "-f", "json").stdout, "datasets")
    assert "licence: CC-BY-SA-3.0" in run("datasets", "show", "kore50").stdout
    fetched = run("datasets", "fetch", "sample", "-o", tmp_path / "s.jsonl", "-f", "json")
    assert conforms(fetched.stdout, "fetched")["differences"] == []
    site.files["/made.jsonl"] = jsonl
    made = card(site, counts=Counts(documents=9))
    monkeypatch.setattr(cards_module, "get_card", lambda name: made)
    place = ("-o", tmp_path / "m.jsonl", "--cache", tmp_path / "cache")
    said = run("datasets", "fetch", "made", *place, code=1).stderr
    assert "not as stated: 1 documents, the card says 9" in said
    assert "not verified" in said


@pytest.mark.parametrize("command", ["list", "show", "fetch"])
def test_help_has_examples(command):
    shown = run("datasets", command, "--help").stdout
    assert f"elcurate datasets {command}" in shown
    assert "Examples" in shown
