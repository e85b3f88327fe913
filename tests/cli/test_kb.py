"""``elcurate kb``: its commands, their JSON and their exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from kb.api_server import serving, small_api
from kb.dump_files import small_wiki, write_dumps
from measures.tools import corpus, mention
from typer.testing import CliRunner

from elcurate.cli.main import app
from elcurate.formats.outputs import write
from elcurate.kb.snapshot import Snapshot

SCHEMAS = Path(__file__).parents[2] / "schemas"


def run(*arguments, **how):
    return CliRunner().invoke(app, ["kb", *(str(one) for one in arguments)], **how)


def schema(name):
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))


@pytest.fixture
def file(tmp_path):
    dumps = write_dumps(tmp_path / "dumps", small_wiki())
    found = run("build", dumps, "-o", tmp_path / "kb.sqlite", "--format", "json")
    assert found.exit_code == 0, found.output
    report = json.loads(found.stdout)
    jsonschema.validate(report, schema("snapshot"))
    assert report["info"]["pages"] == 21
    return tmp_path / "kb.sqlite"


def test_info(file):
    with Snapshot(file) as snapshot:
        name = snapshot.info.id
    found = run("info", "--kb", file)
    assert found.stdout.splitlines()[:2] == [f"{'snapshot':<16}{name}", f"{'wiki':<16}enwiki"]
    report = json.loads(run("info", "--kb", file, "-f", "json").stdout)
    assert (report["snapshot"], report["file"]) == (name, str(file))


def test_resolve(file):
    found = run("resolve", "The Big Apple", "Q60", "--kb", file)
    assert found.exit_code == 0
    page = "https://en.wikipedia.org/wiki/New_York_City"
    assert found.stdout.splitlines() == [
        f"The Big Apple\tdouble-redirect\tBig_Apple → New_York_City\t{page}\tQ60",
        f"Q60\tok\t\t{page}\tQ60",
    ]


@pytest.mark.parametrize(
    "title", ["Mercury", "Loop A", "Nothing", "Talk:X", "Paris FR", "[", "m.0b"]
)
def test_what_leads_to_no_article_is_a_finding(file, title):
    assert run("resolve", "NYC", title, "--kb", file).exit_code == 1


def test_lines_of_standard_input(file):
    found = run("resolve", "-", "--kb", file, "-f", "json", input="NYC\n\nQ72\n")
    report = json.loads(found.stdout)
    jsonschema.validate(report, schema("resolutions"))
    assert [one["title"] for one in report["resolutions"]] == ["NYC", "Zürich_(city)"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("info", "--kb", "none.sqlite"), "there is no file none.sqlite"),
        (("resolve", "X", "--kb", "none.sqlite"), "there is no file none.sqlite"),
        (("fetch", "--titles-of", "none.ttl", "-o", "kb.sqlite"), "there is no file none.ttl"),
        (("build", "nowhere", "-o", "kb.sqlite"), "there is no file nowhere"),
        (
            ("info", "--kb", "none.sqlite", "-f", "xml"),
            "there is no file none.sqlite\n--format is text or json",
        ),
    ],
)
def test_what_cant_run(arguments, message):
    found = run(*arguments)
    assert message in str(found.exception)
    assert found.exception.exit_code == 2


def test_fetch(tmp_path):
    links = [f"https://en.wikipedia.org/wiki/{name}" for name in ("Big_Apple", "Mercury", "None")]
    write(corpus([mention(9 * i, link) for i, link in enumerate(links)]), tmp_path / "gold.jsonl")
    file = tmp_path / "kb.sqlite"
    with serving(small_api()) as wiki:
        found = run("fetch", "--titles-of", tmp_path / "gold.jsonl", "-o", file, "--api", wiki.url)
    assert found.exit_code == 0, found.output
    assert f"{'source':<16}api\n" in found.stdout
    with Snapshot(file) as snapshot:
        outcomes = [one.outcome for one in snapshot.resolve_all(links)]
    assert outcomes == ["redirect", "disambiguation", "missing"]


@pytest.mark.parametrize("command", ["build", "fetch", "info", "resolve"])
def test_help_has_examples(command):
    text = run(command, "--help").output
    assert "Examples" in text
    assert f"elcurate kb {command}" in text
