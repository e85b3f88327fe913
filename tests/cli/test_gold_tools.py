"""``elcurate select-alternatives``, ``to-weak`` and ``check-spans``."""

from __future__ import annotations

import json

import pytest
from measures.tools import cli_json, cli_text, corpus, link, mention, run_cli

from elcurate.formats.io import read
from elcurate.formats.outputs import write
from elcurate.model.corpus import Corpus, Document, Mention


@pytest.fixture
def files(tmp_path):
    made = {
        "gold": corpus(
            [mention(0, "A", "B"), mention(4, "C", "D"), mention(9, "X")],
            [mention(0, "E", "F"), mention(4, "G", "H"), mention(9)],
        ),
        "system": corpus([mention(0, link("B", score=0.5)), mention(20, "D")], [mention(8, "F")]),
    }
    for name, one in made.items():
        write(one, tmp_path / f"{name}.jsonl")
    return tmp_path


def test_choices_are_written_and_reported(files):
    arguments = ["select-alternatives", files / "gold.jsonl", files / "system.jsonl"]
    found = cli_json(*arguments, "-o", files / "out.jsonl")
    assert found["counts"] == {"span": 1, "document": 2, "collection": 0, "first": 1}
    assert (found["mentions"], found["ambiguous"], found["fields"]) == (6, 4, ["eid"])
    chosen = [one["alternatives"][one["chosen"]] for one in found["choices"]]
    assert chosen == ["B", "D", "F", "G"]
    out = read(files / "out.jsonl")
    assert [[one.entity for one in found.links] for _, found in out.mentions()] == [
        *(["B"], ["D"], ["X"], ["F"], ["G"], [])
    ]
    text = cli_text(*arguments, "-o", files / "out.tsv")
    assert [line.split()[0] for line in text.splitlines()[:4]] == [
        one["backoff"] for one in found["choices"]
    ]
    assert "4 ambiguous mentions of 6, 4 decided, by eid:" in text
    assert read(files / "out.tsv").documents[0].mentions[0].links[0].entity == "B"


def test_choices_without_a_last_step_and_on_standard_output(files, monkeypatch, capsys):
    code, out, err = run_cli(
        *(monkeypatch, capsys, "select-alternatives", files / "gold.jsonl"),
        *(files / "system.jsonl", "-o", "-", "--to", "neleval", "--backoff", "span", "-f", "json"),
    )
    assert code == 0
    assert "4\t6\tC\t1.0\t\tD\t1.0" in out
    report = json.loads(next(line for line in err.splitlines() if line.startswith("{")))
    assert report["counts"] == {"span": 1}
    assert (report["ambiguous"], len(report["choices"])) == (4, 1)


def test_weak_mentions_in_any_format(files, monkeypatch, capsys):
    found = cli_json("to-weak", files / "gold.jsonl", "-o", files / "weak.tsv")
    assert (found["summary"]["mentions"], found["summary"]["links"]) == (18, 27)
    spans = [one.span for one in read(files / "weak.tsv").documents[0].mentions]
    assert spans == [(i, i + 1) for i in (0, 1, 2, 4, 5, 6, 9, 10, 11)]
    code, out, err = run_cli(
        monkeypatch, capsys, "to-weak", files / "gold.jsonl", "-o", "-", "--to", "neleval"
    )
    assert (code, out) == (0, (files / "weak.tsv").read_text("utf-8"))
    assert "18 mentions" in err


@pytest.fixture
def spans(tmp_path):
    mentions = [(0, 8), (0, 4), (2, 6), (2, 6), (8, 9)]
    found = tuple(Mention(begin=begin, end=end) for begin, end in mentions)
    documents = (Document(id="d", text="One\ntwo three", mentions=found),)
    write(Corpus(name="c", documents=documents), tmp_path / "c.jsonl")
    write(Corpus(name="c", documents=documents), tmp_path / "c.tsv")
    return tmp_path


def test_span_relations_with_their_places(spans):
    found, flat = cli_json("check-spans", spans / "c.jsonl", spans / "c.tsv")["corpora"]
    counts = {"duplicate": 1, "crossing": 1, "nested": 2}
    assert found["counts"] == flat["counts"] == counts
    assert [
        (one["relation"], one["first"]["surface"], one["second"] and one["second"]["surface"])
        for one in found["findings"]
    ] == [
        ("duplicate", "e\ntw", None),
        ("crossing", "One\n", "e\ntw"),
        ("nested", "One\ntwo ", "One\n"),
        ("nested", "One\ntwo ", "e\ntw"),
    ]
    assert [one["mentions"] for one in found["findings"]] == [2, 3, 2, 3]
    assert flat["findings"][0]["first"] == {"begin": 2, "end": 6, "surface": None}
    assert cli_text("check-spans", spans / "c.jsonl", spans / "c.tsv", "--only", "crossing") == (
        "c: 1 repeated span, 1 crossing pair, 2 nested pairs in 1 document\n"
        "  crossing  d 0-4 [One ] crosses 2-6 [e tw]\n"
        "c: 1 repeated span, 1 crossing pair, 2 nested pairs in 1 document\n"
        "  crossing  d 0-4 crosses 2-6\n"
    )


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], 0),
        (["--fail-on", "duplicate,crossing"], 1),
        (["--fail-on", "crossing", "--fail-on", "nested"], 1),
        (["--fail-on", "nested", "--only", "duplicate"], 1),
    ],
)
def test_exit_codes_of_span_checks(spans, monkeypatch, capsys, options, expected):
    path = spans / "c.jsonl"
    assert run_cli(monkeypatch, capsys, "check-spans", path, *options)[0] == expected
    write(Corpus(documents=(Document(id="d", mentions=(mention(0),)),)), spans / "fine.jsonl")
    assert run_cli(monkeypatch, capsys, "check-spans", spans / "fine.jsonl", *options)[0] == 0


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (
            ["check-spans", "nowhere", "--only", "crosing", "--fail-on", "x", "--format", "tsv"],
            ["nowhere", "crossing?", "'x'", "'tsv'"],
        ),
        (["to-weak", "nowhere", "-o", "x.tsv", "--to", "nelevel"], ["nowhere", "neleval or"]),
        (
            [
                *("select-alternatives", "nowhere", "elsewhere", "-o", "x.tsv", "--fields", "id"),
                *("--backoff", "sentence", "-p", "defalt", "-f", "xml", "--from", "tzv"),
            ],
            ["nowhere", "elsewhere", "eid", "'sentence'", "default?", "'xml'", "'tzv'"],
        ),
    ],
)
def test_wrong_arguments_are_reported_together(monkeypatch, capsys, arguments, parts):
    code, out, err = run_cli(monkeypatch, capsys, *arguments)
    assert (code, out) == (2, "")
    assert [part for part in parts if part not in err] == []
