"""``elcurate evaluate``: every output says the same, and every wrong argument is named."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from measures.tools import cli_text, evaluate_json, link, mention, run_cli

from elcurate.formats.outputs import write
from elcurate.model.corpus import Corpus, Document
from elcurate.version import VERSION

SAMPLE = Path(__file__).parents[2] / "datasets" / "sample"
GOLD = SAMPLE / "gold.jsonl"
SYSTEMS = [f"{name}={SAMPLE / 'systems' / f'{name}.jsonl'}" for name in ("names", "sloppy")]
INPUTS = ["-g", GOLD, *SYSTEMS]
WIKI = "https://en.wikipedia.org/wiki/"


def number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def scores(found: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(system["name"], one) for system in found["systems"] for one in system["scores"]]


@pytest.fixture
def small(tmp_path):
    """Two small files of pooled gold, and their systems."""
    paths = {}
    for side, entity in (("gold", "A"), ("sys", "B")):
        for name in ("d0", "d1"):
            links = [link(f"{WIKI}A", "base_form=alias")], [link(f"{WIKI}{entity}")]
            document = Document(
                id=name, mentions=tuple(mention(5 * i, *one) for i, one in enumerate(links))
            )
            paths[side, name] = tmp_path / f"{side}-{name}.jsonl"
            write(Corpus(name=name, documents=(document,)), paths[side, name])
    return paths


def test_json_has_the_documented_shape():
    found = evaluate_json(*INPUTS, "--by", "categories", "--by", "document")
    assert list(found) == ["elcurate", "profile", "settings", "gold", "systems"]
    assert found["elcurate"] == VERSION
    assert {"fingerprint", "documents", "mentions", "links"} <= set(found["gold"])
    assert [system["name"] for system in found["systems"]] == ["names", "sloppy"]
    for system in found["systems"]:
        assert {"fingerprint", "missing_documents", "unknown_documents", "scores"} <= set(system)
        for score in system["scores"]:
            optional = {"averaged"} if score["group"].get("average") == "macro" else set()
            if score["measure"] == "entity_match":
                optional |= {"precision_tp", "recall_tp"}
            assert set(score) - optional == {
                *("measure", "signature", "slice", "group", "gold", "system", "tp", "fp", "fn"),
                *("precision", "recall", "f1"),
            }
    everything = [score for _, score in scores(found)]
    assert {len(score["slice"]) for score in everything} == {0, 1}
    assert {"average": "macro"} in [score["group"] for score in everything]
    assert any(score["precision"] is None for score in everything)


def test_json_of_weighted_scores():
    found = evaluate_json(*INPUTS, "--membership", "strict-relaxed(0.25)", "--alphas", "0,1")
    for _, score in scores(found):
        assert score["measure"].startswith("fuzzy(")
        assert score["precision_tp"] == score["tp"]
        assert score["recall"] == pytest.approx(score["recall_tp"] / score["gold"])
    assert [len(curve["points"]) for curve in found["systems"][0]["curves"]] == [2] * 5


@pytest.mark.parametrize("form", ["tsv", "csv"])
def test_delimited_scores_are_those_of_json(form):
    options = [*INPUTS, "--by", "categories", "--by", "type"]
    text = cli_text("evaluate", *options, "--format", form)
    rows = list(csv.DictReader(io.StringIO(text), delimiter="\t" if form == "tsv" else ","))
    found = scores(evaluate_json(*options))
    assert len(rows) == len(found)
    for row, (name, score) in zip(rows, found, strict=True):
        expected = {**score, **score["slice"], **score["group"], "name": name}
        for column, cell in row.items():
            value = expected.get(column)
            if isinstance(value, float):
                assert float(cell) == value
            else:
                assert cell == ("" if value is None else str(value))


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
@pytest.mark.parametrize("by", ["categories", "document", "combination"])
def test_tables_show_the_numbers_of_json(form, by):
    options = [*INPUTS, "--by", by]
    text = cli_text("evaluate", *options, "--format", form)
    rows = [re.findall(r"(?:[01]\.\d{3}|–|--)(?![-:\d])", line) for line in text.splitlines()]
    if form == "latex":
        text = text.replace("\\_", "_")
    shown = [tuple("–" if cell == "--" else cell for cell in row) for row in rows]
    by_row: dict[tuple[str, str, str], list[str]] = {}
    for _, score in scores(evaluate_json(*options)):
        key = score["measure"], str(score["slice"]), str(score["group"])
        cells = [number(score[name]) for name in ("precision", "recall", "f1")]
        by_row.setdefault(key, []).extend(cells)
        assert score["measure"].replace("_", "\\_" if form == "markdown" else "_") in text
    missing = [
        key for key, row in by_row.items() if (key[1:] != ("{}", "{}")) and tuple(row) not in shown
    ]
    assert not missing
    assert "slice={}" in text or by == "combination"


def test_html_is_one_page_that_needs_no_network():
    text = cli_text("evaluate", *INPUTS, "--by", "categories", "--alphas", "0:1:0.5", "-f", "html")
    assert text.lstrip().lower().startswith("<!doctype html>")
    assert not re.search(r"<(?:script|link|img)[^>]+(?:src|href)=[\"']?https?:", text)
    for _, score in scores(evaluate_json(*INPUTS)):
        assert number(score["f1"]) in text


def test_many_systems_are_all_shown_in_full():
    inputs = [f"system-number-{i}={SAMPLE / 'systems' / 'names.jsonl'}" for i in range(14)]
    text = cli_text("evaluate", "-g", GOLD, *inputs, "--by", "categories")
    assert "…" not in text
    assert all(f"system-number-{i}" in text for i in range(14))


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_the_score_of_a_signature(form):
    found = scores(evaluate_json("-g", GOLD, SYSTEMS[0], "--by", "categories", "--by", "document"))
    for _, score in found[:: len(found) // 6]:
        options = ["-g", GOLD, SYSTEMS[0], "--signature", score["signature"]]
        again = evaluate_json(*options)
        assert scores(again) == [("names", score)]
        text = cli_text("evaluate", *options, "--format", form)
        assert score["signature"] in text
        assert number(score["f1"]) in text


def test_a_signature_with_other_gold(small, monkeypatch, capsys):
    text = scores(evaluate_json("-g", GOLD, SYSTEMS[0]))[0][1]["signature"]
    inputs = ("-g", small["gold", "d0"], SYSTEMS[0])
    code, out, err = run_cli(monkeypatch, capsys, "evaluate", *inputs, "--signature", text)
    assert (code, out) == (2, "")
    assert "another gold" in err


def test_pooled_inputs(small):
    gold = ["-g", small["gold", "d0"], "-g", small["gold", "d1"]]
    found = evaluate_json(*gold, f"s={small['sys', 'd0']}", f"s={small['sys', 'd1']}")
    assert [system["name"] for system in found["systems"]] == ["s"]
    assert found["gold"]["documents"] == 2
    (score,) = (one for _, one in scores(found) if one["measure"] == "strong_link_match")
    assert (score["tp"], score["fp"], score["fn"]) == (2, 2, 2)


def test_names_of_systems(small):
    found = evaluate_json("-g", small["gold", "d0"], small["sys", "d0"])
    assert found["systems"][0]["name"] == "sys-d0"
    odd = small["sys", "d0"].with_name("a=b.jsonl")
    odd.write_bytes(small["sys", "d0"].read_bytes())
    assert evaluate_json("-g", small["gold", "d0"], odd)["systems"][0]["name"] == "a=b"
    assert evaluate_json("-g", small["gold", "d0"], f"x={odd}")["systems"][0]["name"] == "x"


@pytest.mark.parametrize(("least", "code"), [("0.5", 0), ("0.51", 1), ("1", 1), ("0", 0)])
@pytest.mark.parametrize("by", [[], ["--by", "document"], ["--by", "categories"]])
def test_fail_under(small, monkeypatch, capsys, least, code, by):
    options = ["-m", "strong_link_match", "--fail-under", least, *by]
    inputs = ["-g", small["gold", "d0"], small["sys", "d0"]]
    found, out, _ = run_cli(monkeypatch, capsys, "evaluate", *inputs, *options)
    assert found == code
    assert "strong_link_match" in out


def test_an_undefined_score_fails(small, monkeypatch, capsys):
    options = ["-m", "strong_nil_match", "--fail-under", "0"]
    inputs = ["-g", small["gold", "d0"], small["sys", "d0"]]
    assert run_cli(monkeypatch, capsys, "evaluate", *inputs, *options)[0] == 1


def test_all_wrong_arguments_are_reported_together(monkeypatch, capsys):
    wrong = {
        "-m": ("strong_link_mach", "strong_link_match"),
        "-p": ("emnlp", "emnlp2019"),
        "--by": ("categorys", "categories"),
        "--where": ("bas_form=alias", "base_form"),
        "--membership": ("strict-relaxd(1)", "strict-relaxed"),
        "--alphas": ("0,2", "0:1:0.1"),
        "--links": ("canonic", "canonical"),
        "--format": ("jsn", "json"),
        "--from": ("jsnl", "jsonl"),
        "--signature": ("Scor()", "no signature"),
    }
    options = [part for name, (value, _) in wrong.items() for part in (name, value)]
    code, out, err = run_cli(
        monkeypatch, capsys, "evaluate", "-g", "no-gold.ttl", "s=no-system.ttl", *options
    )
    assert (code, out) == (2, "")
    for text in ("no-gold.ttl", "no-system.ttl", *(remedy for _, remedy in wrong.values())):
        assert text in err, text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-m", "fuzzy(strong_all_match)"], "needs a membership"),
        (["--alphas", "0:1"], "no list of α"),
        (["--alphas", "x"], "no list of α"),
        (["--alphas", "0:1:0"], "no list of α"),
        (["--nil", "some"], "nil has no value"),
        (["--fail-under", "80"], "between 0 and 1"),
        (["--signature", "Score(measure=entity_match)", "--by", "document"], "leave out"),
    ],
)
def test_wrong_arguments(monkeypatch, capsys, options, message):
    code, out, err = run_cli(monkeypatch, capsys, "evaluate", *INPUTS, *options)
    assert (code, out) == (2, "")
    assert message in err


def test_options_reach_the_policies(small):
    options = ["--links", "raw", "--nil", "exclude", "--alternatives", "first", "--missing", "skip"]
    options += ["--restrict", "gold", "--zero-division", "bat", "--ignore-unknown-documents"]
    inputs = ["-g", small["gold", "d0"], f"s={small['sys', 'd0']}", f"s={small['sys', 'd1']}"]
    found = evaluate_json(*inputs, *options)
    assert found["systems"][0]["unknown_documents"] == ["d1"]
    for part in [
        "links=raw",
        "nil=exclude",
        "nil_ids=cluster",
        "alternatives=first",
        "missing=skip",
        "unknown=ignore",
        "restrict=gold",
        "groups=gold",
        "zero=bat",
    ]:
        assert part in scores(found)[0][1]["signature"]


def test_unknown_documents_are_an_error(small, monkeypatch, capsys):
    inputs = ["-g", small["gold", "d0"], small["sys", "d1"]]
    code, _, err = run_cli(monkeypatch, capsys, "evaluate", *inputs)
    assert code == 2
    assert "d1" in err
    assert "--ignore-unknown-documents" in err


def test_output_goes_to_a_file(tmp_path):
    path = tmp_path / "out.json"
    assert cli_text("evaluate", *INPUTS, "--format", "json", "-o", path) == ""
    assert json.loads(path.read_text("utf-8")) == evaluate_json(*INPUTS)


def test_notes_say_what_is_missing_and_how_links_differ(small):
    gold = ["-g", small["gold", "d0"], "-g", small["gold", "d1"]]
    text = cli_text("evaluate", *gold, small["sys", "d0"])
    assert "sys-d0 lacks 1 document: d1" in text


def test_a_named_format_wins_over_what_a_file_looks_like(tmp_path, small, monkeypatch, capsys):
    path = tmp_path / "links.parquet"
    from elcurate.formats.io import read

    write(read(small["gold", "d0"]), path)
    assert evaluate_json("-g", path, path)["gold"]["links"] == 2
    code, _, _ = run_cli(monkeypatch, capsys, "evaluate", "-g", path, path, "--from", "neleval")
    assert code == 2
