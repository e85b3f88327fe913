"""neleval's columns, number by number, as its command line printed them.

Source: the standard output of neleval 3.1.1 for the 24 made-up cases of the other tests here.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from measures.tools import cli_text, corpus, link, mention, run_cli
from reference.test_neleval import BY, ORACLE, SEEDS, corrected, result, wrong_there
from shared_data import needs_shared

from elcurate.evaluation.evaluate import evaluate
from elcurate.formats.outputs import write
from elcurate.measures.named import find_measures
from elcurate.report.neleval import render_neleval

HEAD = "ptp\tfp\trtp\tfn\tprecis\trecall\tfscore\tmeasure"
OPTIONS: dict[str, list[str]] = {
    "evaluate": [],
    "by_doc": ["--by", "document"],
    "by_doc_overall": ["--by", "document", "--averages-only"],
}


def printed(seed: str, *options: str) -> str:
    files = ("-g", ORACLE / seed / "gold.tsv", ORACLE / seed / "sys.tsv")
    return cli_text("evaluate", *files, "-p", "neleval", "--from", "neleval", "-f", "tsv", *options)


def measure_of(line: str) -> str:
    return line.rpartition("\t")[2].partition(";")[0]


@needs_shared
@pytest.mark.parametrize("section", OPTIONS)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_output_is_that_of_neleval(seed, section):
    """Byte by byte, but for measures whose value neleval has wrong."""
    theirs = result(seed)["cli"][section]["stdout"].splitlines()
    ours = printed(seed, *OPTIONS[section])
    assert ours.endswith("\n")
    compared = "overall" if section == "evaluate" else "by_doc"
    wrong = {name for name in map(measure_of, theirs) if wrong_there(seed, compared, name)}
    assert len(wrong) <= 5
    ours = ours.splitlines()
    assert ours[0] == HEAD
    assert [line.rpartition("\t")[2] for line in ours] == [
        line.rpartition("\t")[2] for line in theirs
    ]
    for line, expected in zip(ours, theirs, strict=True):
        assert line == expected or measure_of(line) in wrong


FIELDS = ("ptp", "fp", "rtp", "fn", "precision", "recall", "fscore")


def check_row(cells: list[str], entry: dict[str, float], name: str) -> None:
    """Whole numbers are printed plain, others with three decimals, and nothing as 0."""
    for cell, field in zip(cells, FIELDS, strict=True):
        value = entry.get(field, 0)
        assert (f"{value:.3f}" if isinstance(value, float) else str(value)) == cell or (
            # a tie, which sums of fractions in another order may break otherwise
            isinstance(value, float)
            and "." in cell
            and abs(float(cell) - value) <= 0.0005 + 1e-9
            and abs(value * 2000 - round(value * 2000)) < 1e-6
        ), name


def rows_of(text: str) -> dict[str, list[str]]:
    found = [line.split("\t") for line in text.splitlines()[1:]]
    names = [row[-1] for row in found]
    assert names == sorted(names)
    assert len(set(names)) == len(names)
    return {row[-1]: row[:-1] for row in found}


def right(seed: str, section: str) -> dict[str, dict[str, Any]]:
    """neleval's rows by measure, those of the textbook where it is wrong."""
    found = result(seed)[section]
    textbook = {} if BY[section] else corrected(seed)["ceaf_corrected_overall"]
    rows = {}
    for name, entry in found.items():
        if name in textbook:
            whole = {field: round(value) for field, value in textbook[name].items()}
            values = {field: textbook[name][field] for field in FIELDS[4:]}
            real = {field: float(value) for field, value in textbook[name].items()}
            rows[name] = {name: real if name.startswith("entity") else whole | values}
        elif "error" not in entry and not wrong_there(seed, section, name):
            rows[name] = entry if BY[section] else {name: entry}
    return rows


@needs_shared
@pytest.mark.parametrize("section", BY)
@pytest.mark.parametrize("seed", SEEDS)
def test_all_measures_and_groups(seed, section):
    """Every measure of the oracle by the name it was asked for, and every way to group."""
    rows = right(seed, section)
    if not rows:
        assert section not in ("overall", "by_doc")
        return
    options = [part for field in BY[section] for part in ("--by", field)]
    options += [part for name in rows for part in ("-m", name)]
    ours = rows_of(printed(seed, *options))
    expected = {row: entry for entries in rows.values() for row, entry in entries.items()}
    assert set(ours) == set(expected)
    for name, cells in ours.items():
        # of nothing that could be assigned neleval prints 0 instead of 0.000
        if not name.startswith("entity_cs_ceaf"):
            check_row(cells, expected[name], name)


@needs_shared
@pytest.mark.parametrize("seed", SEEDS)
def test_type_weights(seed):
    entries = {
        name: entry
        for name, entry in result(seed)["type_weights"].items()
        if "error" not in entry and find_measures([name])[0].kind == "sets"
    }
    if entries:
        options = [part for name in entries for part in ("-m", name)]
        weights = ("--type-weights", str(ORACLE / seed / "weights.tsv"))
        ours = rows_of(printed(seed, *options, *weights))
        assert set(ours) == set(entries)
        for name, cells in ours.items():
            check_row(cells, entries[name], name)


GOLD = corpus([mention(0, link("A", "base_form=alias", type='"Ü"\t')), mention(5, link("B"))])
SYSTEM = corpus([mention(0, link("A", type='"Ü"\t'))])


def test_names_are_quoted_and_forms_are_kept(tmp_path):
    gold, system = tmp_path / "gold.jsonl", tmp_path / "sys.jsonl"
    write(GOLD, gold)
    write(SYSTEM, system)
    found = cli_text(
        *("evaluate", "-g", gold, system, "-p", "neleval", "-f", "tsv", "--by", "type"),
        *("--by", "nil", "-m", "sets::docid+span", "-m", "muc"),
    )
    names = [line.rpartition("\t")[2] for line in found.splitlines()[1:]]
    assert names == sorted(names)
    assert 'sets::docid+span;type="\\"\\u00dc\\"\\t";is_nil=false' in names
    assert "muc;type=null;is_nil=false" in names
    assert "muc;type=<macro>;is_nil=<micro>" in names
    assert len(names) == 2 * (2 + 3)


def test_slices_memberships_and_undefined_values():
    found = evaluate(
        GOLD,
        {"s": SYSTEM},
        profile="neleval",
        measures=["strong_link_match"],
        by=["base_form"],
        membership="constant(0.5)",
        policies={"zero": "undefined"},
    )
    by_name = rows_of(render_neleval(found.systems[0].scores, ()))
    assert by_name["fuzzy(strong_link_match)"] == (
        ["1.000", "0.000", "0.500", "0.500", "1.000", "0.500", "0.667"]
    )
    assert by_name['fuzzy(strong_link_match);base_form="full_name"'][4] == "nan"


def test_several_systems_have_no_place(tmp_path, monkeypatch, capsys):
    gold, system = tmp_path / "gold.jsonl", tmp_path / "sys.jsonl"
    write(GOLD, gold)
    write(SYSTEM, system)
    inputs = ("evaluate", "-g", gold, f"a={system}", f"b={system}", "-p", "neleval")
    code, out, err = run_cli(monkeypatch, capsys, *inputs, "-f", "tsv")
    assert (code, out) == (2, "")
    assert "--format csv" in err
    assert run_cli(monkeypatch, capsys, *inputs, "-f", "csv")[0] == 0
    code, _, err = run_cli(monkeypatch, capsys, *inputs, "--averages-only")
    assert code == 2
    assert "averages need groups: --by document" in err


def test_averages_only_leaves_out_the_groups_of_every_report(tmp_path):
    gold, system = tmp_path / "gold.jsonl", tmp_path / "sys.jsonl"
    write(GOLD, gold)
    write(SYSTEM, system)
    options = ("evaluate", "-g", gold, system, "-m", "muc", "--by", "document", "--averages-only")
    found = json.loads(cli_text(*options, "-f", "json"))
    groups = [score["group"] for score in found["systems"][0]["scores"]]
    assert groups == [{}, {"average": "micro"}, {"average": "macro"}]
    assert "d0" not in cli_text(*options)
