"""``elcurate analyze``: its formats agree, wrong arguments are reported together."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from measures.tools import cli_json, cli_text, run_cli

from elcurate.evaluation.analysis import ERRORS, KINDS
from elcurate.formats.outputs import write
from elcurate.model.corpus import Corpus, Document, Link, Mention

SAMPLE = Path(__file__).parents[2] / "datasets" / "sample"
GOLD, SYSTEM = SAMPLE / "gold.jsonl", SAMPLE / "systems" / "sloppy.jsonl"
INPUTS = ["-g", GOLD, SYSTEM]


@pytest.fixture(scope="module")
def found():
    return cli_json("analyze", *INPUTS, "--by", "categories")


def test_instances_make_the_counts(found):
    kinds = [one["kind"] for one in found["instances"]]
    assert {kind: kinds.count(kind) for kind in KINDS} == found["counts"]
    assert sum(found["counts"].values()) - found["counts"]["extra"] == found["gold"]["mentions"]
    places = [(one["begin"], -one["end"]) for one in found["instances"]]
    assert len({one["document"] for one in found["instances"]}) == found["gold"]["documents"]
    assert places != sorted(places)
    for one in found["instances"]:
        text = one["before"] + one["surface"] + one["after"]
        assert len(one["before"]) <= 40 >= len(one["after"])
        assert one["surface"] in text
        assert len(one["surface"]) == one["end"] - one["begin"]


def test_categories_are_those_of_evaluate(found):
    scores = cli_json("evaluate", *INPUTS, "--by", "categories", "-m", "strong_all_match")
    slices = {str(one["slice"]): one for one in scores["systems"][0]["scores"] if one["slice"]}
    assert len(found["by"]) == len(slices) == 22
    for part in found["by"]:
        score, counts = slices[str(part["slice"])], part["counts"]
        assert counts["correct-link"] + counts["correct-nil"] == score["tp"]
        assert sum(counts.values()) - counts["extra"] == score["gold"]


@pytest.mark.parametrize("form", ["tsv", "csv"])
def test_delimited_instances_are_those_of_json(found, form):
    text = cli_text("analyze", *INPUTS, "--format", form)
    rows = list(csv.DictReader(io.StringIO(text), delimiter="\t" if form == "tsv" else ","))
    assert len(text.splitlines()) == len(rows) + 1
    assert len(rows) == len(found["instances"])
    for row, one in zip(rows, found["instances"], strict=True):
        assert row["kind"] == one["kind"]
        assert (row["document"], int(row["begin"])) == (one["document"], one["begin"])
        assert row["before"].split() == one["before"].split()
        links = [link["entity"] or "NIL" for link in one["gold"] or ()]
        assert row["gold"] == "|".join(links)
        said = one["system"]
        assert row["system"] == ("" if said is None else said["entity"] or "NIL")
        assert row["score"] == ("" if said is None or said["score"] is None else str(said["score"]))


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_what_is_for_reading_shows_all_errors(found, form):
    text = cli_text("analyze", *INPUTS, "--by", "categories", "--format", form)
    text = text.replace("\\", "").replace("–", "-")
    for one in found["instances"]:
        lines = [line for line in text.splitlines() if f"[{one['surface']}]" in line]
        here = [line for line in lines if f"{one['begin']}-{one['end']}" in line]
        if one["kind"] in ERRORS:
            assert any(one["document"] in line for line in here), one
    for kind, number in found["counts"].items():
        assert f"{number}" in text
        assert kind in text
    assert found["confusions"][0]["system"] in text
    assert "Not listed: correct-link" in text
    assert "sloppy lacks 1 document: minutes-astronomers" in text


def test_classes_that_are_asked_for():
    found = cli_json("analyze", *INPUTS, "--only", "wrong-link,extra", "--only", "correct")
    assert {one["kind"] for one in found["instances"]} == {"wrong-link", "extra", "correct-link"}
    text = cli_text("analyze", *INPUTS, "--only", "correct")
    assert "\ncorrect-link:" in text
    assert "\nmissing:" not in text
    assert "Not listed: missing, extra, wrong-link, nil-as-link" in text


def test_unique_errors_say_how_often():
    found = cli_json("analyze", *INPUTS, "--unique", "--context", "0", "--confusions", "2")
    every = cli_json("analyze", *INPUTS)
    assert sum(one["times"] for one in found["instances"]) == len(every["instances"])
    assert len(found["instances"]) == sum(found["counts"].values()) < len(every["instances"])
    assert {one["before"] for one in found["instances"]} == {""}
    assert len(found["confusions"]) == 2
    assert "times)" in cli_text("analyze", *INPUTS, "--unique")


def test_the_filter_and_the_policies_are_those_of_evaluate():
    options = ["--where", "base_form=alias", "--policy", "alternatives=first"]
    found = cli_json("analyze", *INPUTS, *options)
    scores = cli_json("evaluate", *INPUTS, *options, "-m", "strong_mention_match")
    (score,) = scores["systems"][0]["scores"]
    assert sum(found["counts"].values()) - found["counts"]["missing"] == score["tp"]
    assert found["counts"]["extra"] == 0
    assert found["settings"] == {"where": "base_form=alias", "alternatives": "first"}
    assert "where base_form=alias; alternatives first" in cli_text("analyze", *INPUTS, *options)


def test_texts_can_neither_move_the_cursor_nor_break_lines(tmp_path):
    text = "One\n\x1b[31mtwo\u202e three\tfour"
    document = Document(
        id="a\x1bb", text=text, mentions=(Mention(begin=9, end=12, links=(Link(entity="T\x07"),)),)
    )
    path = tmp_path / "gold.jsonl"
    write(Corpus(name="g\x1b", documents=(document,)), path)
    write(Corpus(documents=(Document(id="a\x1bb"),)), tmp_path / "system.jsonl")
    for form in ("text", "markdown", "tsv", "csv"):
        shown = cli_text("analyze", "-g", path, tmp_path / "system.jsonl", "-f", form)
        assert "two" in shown
        if form in ("text", "markdown"):
            assert not {"\x1b", "\x07", "\u202e"} & set(shown)
        else:
            assert shown.count("\n") == 2


def test_wrong_arguments_are_reported_together(monkeypatch, capsys):
    code, out, err = run_cli(
        *(
            monkeypatch,
            capsys,
            "analyze",
            "-g",
            GOLD,
            "nowhere.tsv",
            "-f",
            "xml",
            "--only",
            "wrong",
        ),
        *("--by", "entity", "--policy", "zero", "-p", "neleva", "--where", "base=x"),
    )
    assert (code, out) == (2, "")
    for part in ("nowhere.tsv", "'xml'", "wrong-link?", "'entity'", "'zero'", "neleval?", "'base'"):
        assert part in err


def test_documents_of_the_system_alone_are_refused_or_left_out(monkeypatch, capsys, tmp_path):
    write(Corpus(documents=(Document(id="other"),)), tmp_path / "other.jsonl")
    arguments = ["analyze", "-g", GOLD, tmp_path / "other.jsonl", "-f", "json"]
    code, _, err = run_cli(monkeypatch, capsys, *arguments)
    assert code == 2
    assert "other" in err
    code, out, _ = run_cli(monkeypatch, capsys, *arguments, "--ignore-unknown-documents")
    assert code == 0
    assert '"unknown_documents":["other"]' in out
