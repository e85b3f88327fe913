"""``elcurate validate`` and ``elcurate fix``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from rules.cases import CASES, corpus, document, link, mention
from typer.testing import CliRunner

from elcurate.cli.main import app
from elcurate.curation.apply import apply
from elcurate.curation.patch import read_patch
from elcurate.errors import ElcurateError
from elcurate.formats.io import read
from elcurate.formats.outputs import write
from elcurate.report.rule_pages import rule_pages
from elcurate.rules.all import RULES

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "datasets" / "sample" / "gold.jsonl"
WAIVER = "[[waiver]]\nrule = 'S204'\nreason = 'so'\nauthor = 'A'\ndate = 2024-02-29\n"


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def bad(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "In Berlin, \x1b[31m and [Bonn] or Köln"
    plain = link("Berlin", "")
    mentions = (mention(3, 10, plain), mention(2, 9, plain), mention(30, 99, plain))
    path = tmp_path / "bad, 100%.jsonl"
    write(corpus(document(text, *mentions, id_="d:1")), path)
    return path


def test_the_sample_has_no_error_or_warning():
    result = run("validate", SAMPLE)
    assert result.exit_code == 0
    assert "0 errors, 0 warnings" in result.stdout
    assert run("validate", SAMPLE, "--fail-on", "info").exit_code == 1


def test_text_shows_the_place(bad):
    result = run("validate", bad)
    assert result.exit_code == 1
    assert "error S101 span-outside-text d:1 30-99: " in result.stdout
    assert "    In [Berlin,] \\x1b[31m and [Bonn] or Köln\n" in result.stdout
    assert "fix (safe): span 2-9 → 3-9" in result.stdout
    assert "\x1b" not in result.stdout


def test_json(bad):
    result = run("validate", bad, "-f", "json", "--select", "spans")
    report = json.loads(result.stdout)
    assert list(report["findings"][0]) == [
        *("code", "slug", "level", "severity", "document", "begin", "end"),
        *("surface", "found", "message", "fix"),
    ]
    assert report["summary"]["rules"] == {"S101": 1, "S203": 1, "S204": 1, "S207": 1}
    assert report["summary"]["findings"] == len(report["findings"]) == 4
    kinds = [one["fix"] and one["fix"]["kind"] for one in report["findings"]]
    assert kinds == ["safe", "unsafe", None, None]


def test_sarif(bad):
    log = json.loads(run("validate", bad, "-f", "sarif").stdout)
    assert log["version"] == "2.1.0"
    (part,) = log["runs"]
    for found in part["results"]:
        assert part["tool"]["driver"]["rules"][found["ruleIndex"]]["id"] == found["ruleId"]
        assert found["level"] in ("error", "warning", "note")
        assert found["message"]["text"]
        uri = found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert uri.endswith("bad%2C%20100%25.jsonl")


def test_github(bad):
    lines = run("validate", bad, "-f", "github").stdout.splitlines()
    assert all(
        line.startswith(("::error file=", "::warning file=", "::notice file=")) for line in lines
    )
    assert "bad%2C 100%25.jsonl,title=S101 span-outside-text::d:1 30-99" in lines[-1]


def test_configuration_and_waivers_beside_the_corpus(bad):
    Path("elcurate.toml").write_text(
        "[validate]\nselect=['S']\nfail-on='error'\n", encoding="utf-8"
    )
    Path("waivers.toml").write_text(WAIVER, encoding="utf-8")
    report = json.loads(run("validate", bad, "-f", "json").stdout)
    assert report["summary"]["rules"] == {"S101": 1, "S203": 1, "S207": 1}
    assert report["summary"]["waived"] == 1
    assert run("validate", bad, "--ignore", "S101").exit_code == 0
    assert run("validate", bad, "--ignore", "S101", "--fail-on", "warning").exit_code == 1


def test_repeated_ids_are_a_finding(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(corpus(document("a", id_="x"), document("b", id_="x")), "twice.jsonl")
    assert "error F104 repeated-id x~2" in run("validate", "twice.jsonl").stdout


def test_all_wrong_arguments_at_once(tmp_path):
    wrong = ("--fail-on", "bad", "--severity", "S", "--select", "Q", "-f", "xml", "--from", "doc")
    wrong += ("--waivers", "w.toml", "--gold", "g.ttl", "--kb", "kb.sqlite")
    with pytest.raises(ElcurateError) as caught:
        CliRunner().invoke(app, ["validate", "none", *wrong], catch_exceptions=False)
    for part in (
        "none",
        "w.toml",
        "g.ttl",
        "kb.sqlite",
        "--fail-on",
        "'S'",
        "'Q'",
        "'xml'",
        "'doc'",
    ):
        assert part in str(caught.value)


def test_mentions_that_become_one_are_one(bad, tmp_path):
    out = tmp_path / "out.jsonl"
    result = run("fix", bad, "-o", out, "--diff", "--unsafe")
    assert result.exit_code == 0
    assert result.stdout.count("@@ d:1 ") == 3
    assert "-mention: " in result.stdout
    assert [found.span for found in read(out).documents[0].mentions] == [(3, 9), (30, 99)]


def test_fix_writes_the_corrected_corpus(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(CASES["C201"][1][1].corpus, "in.jsonl")
    result = run("fix", "in.jsonl", "--diff")
    assert result.exit_code == 0
    assert "-categories.overlap: minimal\n+categories.overlap: maximal\n" in result.stdout
    assert run("fix", "in.jsonl", "-o", "out.jsonl").exit_code == 0
    assert run("validate", "out.jsonl", "--select", "C201").exit_code == 0
    report = json.loads(run("fix", "out.jsonl", "--diff", "-f", "json").stdout)
    assert report["changes"] == []


def test_documents_left_alone_make_it_exit_with_1(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    clash = mention(0, 1, link("A", "")), mention(0, 2, link("B", ""))
    write(corpus(document("a b", *clash)), "in.jsonl")
    result = run("fix", "in.jsonl", "-o", "out.jsonl", "--select", "S203")
    assert result.exit_code == 1
    assert "left as it is: d: S209 would find more" in result.stderr
    assert read("out.jsonl").documents == read("in.jsonl").documents


def test_fix_writes_a_patch(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(CASES["C201"][1][1].corpus, "in.jsonl")
    assert run("fix", "in.jsonl", "-o", "out.jsonl", "--patch", "p.jsonl").exit_code == 0
    patched = apply(read("in.jsonl"), read_patch("p.jsonl"))
    assert patched.documents == read("out.jsonl").documents
    assert {entry.rule for entry in read_patch("p.jsonl").entries} == {"C201"}


def test_fix_needs_an_output():
    with pytest.raises(ElcurateError, match="--diff"):
        CliRunner().invoke(app, ["fix", str(SAMPLE)], catch_exceptions=False)


def test_rules_are_listed_and_explained():
    entries = json.loads(run("list", "rules", "-f", "json").stdout)["rules"]
    assert [entry["name"] for entry in entries] == [rule.code for rule in RULES]
    for name in ("C201", "overlap-leaf"):
        assert run("explain", name).stdout.startswith("C201 (rules)")


def test_every_rule_has_a_page():
    pages = rule_pages()
    assert sorted(pages) == [f"{rule.code}.md" for rule in RULES]
    for rule in RULES:
        assert rule.slug in pages[f"{rule.code}.md"]
        assert rule.text in pages[f"{rule.code}.md"]


def test_the_hook_is_a_command():
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert run(*hook["entry"].split()[1:], SAMPLE).exit_code == 0
