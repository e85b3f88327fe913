"""The commands for statistics: every output says the same, and every wrong argument is named."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from measures.tools import cli_json, cli_text, corpus, evaluate_json, link, mention, run_cli
from typer.main import get_command

from elcurate.cli.main import app
from elcurate.formats.outputs import write
from elcurate.model.corpus import Corpus

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "datasets" / "sample"
GOLD = SAMPLE / "gold.jsonl"
NAMES = ("names", "everything", "sloppy")
INPUTS = ["-g", GOLD, *(SAMPLE / "systems" / f"{name}.jsonl" for name in NAMES)]
FEW = ["--trials", "200"]
VALUES = ("precision", "recall", "f1")
TESTED = ("significance", "compare", "rank")
COMMANDS = ("confidence", *TESTED, "correlate")
DRAWN = ("confidence", *TESTED)


def options(command: str) -> list[str]:
    return FEW if command in DRAWN else []


def found(command: str, *arguments: str | Path) -> dict[str, Any]:
    return cli_json(command, *INPUTS, *options(command), *arguments)


def rows(command: str, form: str, *arguments: str) -> list[dict[str, str]]:
    text = cli_text(command, *INPUTS, *options(command), *arguments, "--format", form)
    return list(csv.DictReader(io.StringIO(text), delimiter="\t" if form == "tsv" else ","))


@pytest.mark.parametrize(
    ("schema", "arguments"),
    [
        ("confidence", ["confidence", "--by", "categories", "--method", "bca"]),
        ("significance", ["significance", "--by", "reference", "--test", "bootstrap"]),
        ("comparison", ["compare", "--interval", "0.9", "--by", "base_form"]),
        ("comparison", ["compare", "--membership", "strict-relaxed(0.25)"]),
        ("ranking", ["rank", "--value", "recall"]),
        ("ranking", ["rank", "--test", "none", "-m", "b_cubed"]),
        ("correlation", ["correlate", "-m", "all-tagging"]),
    ],
)
def test_json_fits_its_schema(schema, arguments):
    text = (ROOT / "schemas" / f"{schema}.schema.json").read_text("utf-8")
    jsonschema.validate(found(*arguments), json.loads(text))


@pytest.mark.parametrize("command", COMMANDS)
def test_reports_say_what_was_done(command):
    said = found(command, "--policy", "nil=exclude", "--where", "base_form=proper_form")
    assert said["gold"] == evaluate_json(*INPUTS)["gold"]
    assert said["settings"] == {"where": "base_form=proper_form", "nil": "exclude"}
    if command in DRAWN:
        assert (said["trials"], said["seed"], said["min_gold"]) == (200, 0, 30)
        assert [one["name"] for one in said["systems"]] == list(NAMES)


@pytest.mark.parametrize(
    "how",
    [
        ["--by", "reference"],
        ["--linkable-by", INPUTS[3], "-p", "emnlp2019"],
        ["--membership", "strict-relaxed(0.25)", "--where", "nil=false"],
        ["-m", "strong_typed_mention_match", "--type-weights", "weights.tsv"],
        ["--title-map", "titles.tsv", "--policy", "zero=bat"],
    ],
)
def test_scores_and_signatures_are_those_of_evaluate(how, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("weights.tsv").write_text("PER\tORG\t0.5\n", "utf-8")
    Path("titles.tsv").write_text("Galileo_Galilei\tGalileo\n", "utf-8")
    scores = {
        (system["name"], score["measure"], str(score["slice"])): score
        for system in evaluate_json(*INPUTS, *how)["systems"]
        for score in system["scores"]
    }
    estimates = {
        (system["name"], one["measure"], str(one["slice"])): one
        for system in found("confidence", *how)["systems"]
        for one in system["estimates"]
    }
    compared = {
        (one["system"], table["measure"], str(table["slice"])): one
        for table in found("compare", *how)["tables"]
        for one in table["scores"]
    }
    assert set(scores) == set(estimates) == set(compared)
    for key, score in scores.items():
        values = {name: score[name] for name in VALUES}
        assert estimates[key]["value"] == compared[key]["value"] == values
        assert compared[key]["signature"] == score["signature"]
        assert score["signature"] in estimates[key]["signature"]


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_scored_can_be_said_as_for_evaluate(command):
    """Whatever evaluate lets one say of scores, but for policies that --policy names.

    An option of evaluate belongs to the others too, or to what only evaluate has.
    """
    commands = get_command(app).commands
    own = {"alphas", "cumulative", "averages_only", "signature", "fail_under", "measure"}
    policies = {"links", "nil", "alternatives", "missing", "restrict", "zero"}
    scored = {option.name for option in commands["evaluate"].params} - own - policies
    assert scored <= {option.name for option in commands[command].params}


def test_the_signature_of_an_interval_computes_its_score():
    one = found("confidence", "-m", "entity_match")["systems"][1]["estimates"][0]
    again = evaluate_json("-g", GOLD, INPUTS[3], "--signature", one["signature"])
    assert again["systems"][0]["scores"][0]["f1"] == one["value"]["f1"]


@pytest.mark.parametrize("form", ["tsv", "csv"])
def test_lines_of_confidence(form):
    lines = iter(rows("confidence", form, "--by", "overlap", "--levels", "0.8,0.95"))
    for system in found("confidence", "--by", "overlap", "--levels", "0.8,0.95")["systems"]:
        for one in system["estimates"]:
            for value in VALUES:
                for interval in one["intervals"][value]:
                    line = next(lines)
                    expected = {
                        "name": system["name"],
                        **{key: one[key] for key in ("measure", "gold", "warning", "signature")},
                        "value": value,
                        "score": one["value"][value],
                        **interval,
                        "overlap": one["slice"].get("overlap"),
                        "method": "percentile",
                        "trials": 200,
                        "seed": 0,
                    }
                    check(line, expected)
    assert next(lines, None) is None


@pytest.mark.parametrize("form", ["tsv", "csv"])
def test_lines_of_significance(form):
    lines = iter(rows("significance", form, "--by", "overlap"))
    for one in found("significance", "--by", "overlap")["differences"]:
        for value in VALUES:
            of_f1 = ("wins", "ties", "losses", "effect")
            expected = {
                **{key: one[key] for key in ("first", "second", "measure", "gold", "exact")},
                **{key: one[key] if value == "f1" else None for key in of_f1},
                **{key: one[key][value] for key in ("difference", "p", "holm")},
                "first_score": one["values"][0][value],
                "signature": one["signature"],
                "second_score": one["values"][1][value],
                "value": value,
                "test": "randomisation",
                "tail": "two-sided",
                "trials": 200,
                "seed": 0,
            }
            check(next(lines), expected)
    assert next(lines, None) is None


def test_lines_of_compare_rank_and_correlate():
    lines = iter(rows("compare", "tsv", "--interval", "0.9"))
    for table in found("compare", "--interval", "0.9")["tables"]:
        for one in table["scores"]:
            for value in VALUES:
                beats = "|".join(one["beats"][value]) or None
                expected = {"name": one["system"], "score": one["value"][value], "beats": beats}
                check(next(lines), expected | {"alpha": 0.05, **one["intervals"][value]})
    lines = iter(rows("rank", "csv"))
    for ranking in found("rank")["rankings"]:
        for one in ranking["systems"]:
            groups = "|".join(map(str, one["groups"]))
            expected = {"name": one["system"], "score": one["value"], "groups": groups}
            check(next(lines), expected | {key: one[key] for key in ("rank", "best", "worst")})
    lines = iter(rows("correlate", "csv"))
    for one in found("correlate")["correlations"]:
        check(next(lines), one | {"value": "f1"})


def check(line: dict[str, str], expected: dict[str, Any]) -> None:
    """Whether a line says what JSON does, numbers unrounded."""
    for name, value in expected.items():
        if isinstance(value, float):
            assert float(line[name]) == value, name
        else:
            assert line[name] == ("" if value is None else str(value)), name


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
def test_tables_show_the_numbers_of_json(form):
    text = cli_text("confidence", *INPUTS, *FEW, "--by", "overlap", "-f", form)
    dash = "--" if form == "latex" else "–"
    for system in found("confidence", "--by", "overlap")["systems"]:
        for one in system["estimates"]:
            for value in VALUES:
                interval = one["intervals"][value][1]
                if interval["low"] is not None:
                    assert f"{interval['low']:.3f}{dash}{interval['high']:.3f}" in text
    text = cli_text("significance", *INPUTS, *FEW, "-f", form)
    for one in found("significance")["differences"]:
        for value in VALUES:
            assert f"{one['p'][value]:.4f}" in text
            assert f"{one['holm'][value]:.4f}" in text
            difference = f"{one['difference'][value]:+.3f}".replace("-", "−")
            assert (difference.replace("−", "$-$") if form == "latex" else difference) in text


def test_a_level_that_needs_decimals_is_shown():
    assert "99.5 %" in cli_text("confidence", *INPUTS, *FEW, "--levels", "0.995")


@pytest.fixture
def small(tmp_path):
    """Gold of eight documents, and two systems of which one is right everywhere."""

    def saved(name: str, *right: int) -> Path:
        path = tmp_path / f"{name}.jsonl"
        documents = [
            [mention(5 * i, link("A" if i < number else "B")) for i in range(2)] for number in right
        ]
        write(corpus(*documents), path)
        return path

    paths = {"gold": saved("gold", *[2] * 8), "good_1": saved("good_1", *[2] * 8)}
    paths["poor"] = saved("poor", *[1, 0] * 4)
    paths["short"] = saved("short", 2, 2)
    return paths


MARKDOWN = """\
## strong\\_link\\_match (16\\* gold units)

|  | system | P | R | F1 |
| :-- | :-- | :-- | :-- | :-- |
| a | good\\_1 | **1.000**<sup>b</sup> | **1.000**<sup>b</sup> | **1.000**<sup>b</sup> |
| b | poor | 0.250 | 0.250 | 0.250 |

Raised letters: the systems that are significantly lower, p ≤ 0.05, adjusted after Holm for 1 pair. \
Two-sided approximate randomisation test over 8 documents (400 trials, seed 3). Best values in bold.

## strong\\_link\\_match: documents won/tied/lost

|  | system | a | b |
| :-- | :-- | --: | --: |
| a | good\\_1 | – | 8/0/0 |
| b | poor | 0/0/8 | – |

Each row's system against each column's, by F1 of the document.

- \\*: fewer than 30 gold units, too few to rely on
"""  # noqa: E501
LATEX = r"""
\begin{table}
\centering\small
\begin{tabular}{lllll}
\toprule
 & system & P & R & F1 \\
\midrule
a & good\_1 & \textbf{1.000}\textsuperscript{b} & \textbf{1.000}\textsuperscript{b} & \textbf{1.000}\textsuperscript{b} \\
b & poor & 0.250 & 0.250 & 0.250 \\
\bottomrule
\end{tabular}
\caption{strong\_link\_match (16* gold units). Raised letters: the systems that are significantly lower, p $\leq$ 0.05, adjusted after Holm for 1 pair. Two-sided approximate randomisation test over 8 documents (400 trials, seed 3). Best values in bold.}
\end{table}
"""  # noqa: E501
TEXT = """\
 a  good_1  1.000ᵇ  1.000ᵇ  1.000ᵇ
 b  poor     0.250   0.250   0.250
"""


@pytest.mark.parametrize(
    ("form", "shown"), [("markdown", MARKDOWN), ("latex", LATEX), ("text", TEXT)]
)
def test_a_small_comparison(small, form, shown):
    arguments = ["-g", small["gold"], small["good_1"], small["poor"], "-m", "strong_link_match"]
    text = cli_text("compare", *arguments, "--trials", "400", "--seed", "3", "-f", form)
    if form == "text":
        text = "\n".join(line.rstrip() for line in text.splitlines()).replace("0.250 ", "0.250")
        shown = shown.replace("0.250 ", "0.250")
    assert shown in text


def test_p_values_of_a_small_test(small):
    """All 2⁸ exchanges: only those of nothing and of everything are as extreme."""
    arguments = ["-g", small["gold"], small["good_1"], small["poor"], "-m", "strong_link_match"]
    (one,) = cli_json("significance", *arguments, "--trials", "256")["differences"]
    assert one["exact"]
    assert one["p"]["f1"] == 2 / 256
    (one,) = cli_json("significance", *arguments, "--tail", "one-sided")["differences"]
    assert one["p"]["f1"] == 1 / 256
    text = cli_text("significance", *arguments)
    assert "0.0078ᵉ" in text
    assert "e: exact" in text
    (one,) = cli_json("significance", *arguments, "--trials", "100")["differences"]
    assert not one["exact"]


@pytest.mark.parametrize("command", DRAWN)
def test_the_same_seed_gives_the_same_output(command):
    one, two, other = (
        cli_text(
            command,
            *INPUTS,
            *FEW,
            "--test" if command != "confidence" else "--method",
            "bootstrap" if command != "confidence" else "bca",
            "--seed",
            seed,
            "-j",
            jobs,
            "-f",
            "json",
        )
        for seed, jobs in (("5", "1"), ("5", "3"), ("6", "1"))
    )
    assert one == two != other


def test_measures_that_cannot_be_tested(monkeypatch, capsys):
    arguments = [*INPUTS, *FEW, "-p", "neleval", "-f", "json"]
    code, out, err = run_cli(monkeypatch, capsys, "confidence", *arguments)
    assert code == 0
    left = json.loads(out)["left_out"]
    assert {"b_cubed", "muc"} <= set(left)
    assert len(err.splitlines()) == 1
    assert "left out: " in err
    assert "documents can't be drawn" in err
    for measure, why in (
        ("b_cubed", "across documents"),
        ("conll", "mean of"),
        ("ratio(muc, b_cubed)", "ratio of"),
        ("sets::kbid", "whole corpus"),
    ):
        for command in DRAWN:
            code, out, err = run_cli(monkeypatch, capsys, command, *INPUTS, "-m", measure)
            assert (code, out) == (2, "")
            assert why in err
    within = ["-m", "b_cubed", "--policy", "clusters=document"]
    assert run_cli(monkeypatch, capsys, "compare", *INPUTS, *FEW, *within)[0] == 0
    assert run_cli(monkeypatch, capsys, "rank", *INPUTS, "-m", "conll", "--test", "none")[0] == 0
    assert run_cli(monkeypatch, capsys, "correlate", *INPUTS, "-p", "neleval")[0] == 0


def test_all_wrong_arguments_are_reported_together(monkeypatch, capsys):
    wrong = {
        "-m": ("strong_link_mach", "strong_link_match"),
        "-p": ("emnlp", "emnlp2019"),
        "--by": ("categorys", "categories"),
        "--where": ("bas_form=alias", "base_form"),
        "--membership": ("strict-relaxd(1)", "strict-relaxed"),
        "--policy": ("nill=exclude", "no policy 'nill'"),
        "--format": ("jsn", "json"),
        "--from": ("jsnl", "jsonl"),
        "--trials": ("0", "from 1 up"),
        "--alpha": ("5", "between 0 and 1"),
        "--interval": ("95", "between 0 and 1"),
    }
    arguments = [part for name, (value, _) in wrong.items() for part in (name, value)]
    code, out, err = run_cli(
        monkeypatch, capsys, "compare", "-g", "no-gold.ttl", "s=no-system.ttl", *arguments
    )
    assert (code, out) == (2, "")
    expected = (text for _, text in wrong.values())
    for text in ("no-gold.ttl", "no-system.ttl", "at least 2 systems, not 1", *expected):
        assert text in err, text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["confidence", "--levels", "95"], "between 0 and 1"),
        (["confidence", "--levels", "high"], "0.9,0.95,0.99"),
        (["confidence", "--method", "bc"], "bca"),
        (["confidence", "--seed", "-1"], "seed from 0 up"),
        (["confidence", "--by", "document"], "no groups by document"),
        (["significance", "--test", "t"], "no test 't'"),
        (["significance", "--tail", "left"], "one-sided"),
        (["rank", "--value", "f2"], "f1"),
        (["rank", "--test", "some"], "no test 'some'"),
        (["correlate", "--by", "base_form"], "use --where"),
        (["correlate", "--value", "precison"], "precision"),
        (["compare", "--missing-as-nil"], "need --kb"),
        (["compare", "--kb", "none.sqlite"], "none.sqlite"),
        (["compare", "--type-weights", "w", "--type-hierarchy", "h"], "exclude each other"),
    ],
)
def test_wrong_arguments(monkeypatch, capsys, arguments, message):
    command, *others = arguments
    code, out, err = run_cli(monkeypatch, capsys, command, *INPUTS, *others)
    assert (code, out) == (2, "")
    assert message in err


def test_names_of_systems(small, tmp_path, monkeypatch, capsys):
    twin = tmp_path / "twin" / "poor.jsonl"
    twin.parent.mkdir()
    twin.write_bytes(small["poor"].read_bytes())
    gold = ["-g", small["gold"]]
    for systems, message in (
        ([small["poor"], small["poor"]], "is given twice"),
        ([f"a={twin}", f"a={twin}", small["poor"]], "is given twice"),
        ([small["poor"], twin], f"2 systems are called poor. Name them: poor1={small['poor']}"),
    ):
        code, out, err = run_cli(monkeypatch, capsys, "compare", *gold, *systems)
        assert (code, out) == (2, "")
        assert message in err
    named = [f"one={small['poor']}", f"two={twin}", small["good_1"]]
    text = cli_text("compare", *gold, *named, *FEW)
    assert "one and two are the same output" in text
    same, *_ = cli_json("significance", *gold, *named)["differences"]
    assert set(same["p"].values()) == {1.0}
    assert (same["wins"], same["losses"], same["effect"]) == (0, 0, None)


def test_documents_that_systems_lack_or_have_besides(small, monkeypatch, capsys):
    gold = ["-g", small["gold"]]
    text = cli_text("compare", *gold, small["good_1"], small["short"], *FEW)
    assert "short lacks 6 documents" in text
    arguments = ["-g", small["short"], small["good_1"], small["poor"]]
    code, out, err = run_cli(monkeypatch, capsys, "compare", *arguments)
    assert (code, out) == (2, "")
    assert "--ignore-unknown-documents" in err
    ignored = cli_json("compare", *arguments, "--ignore-unknown-documents")
    assert (ignored["documents"], ignored["systems"][0]["documents"]) == (2, 8)
    counted = cli_json("compare", *arguments, "--policy", "unknown=count")
    assert counted["documents"] == 8


@pytest.mark.parametrize("command", DRAWN)
def test_empty_inputs(tmp_path, small, monkeypatch, capsys, command):
    empty = tmp_path / "empty.jsonl"
    write(Corpus(name="empty"), empty)
    bare = tmp_path / "bare.jsonl"
    write(corpus([], [], []), bare)
    code, out, err = run_cli(
        monkeypatch, capsys, command, "-g", empty, f"a={empty}", f"b={bare}",
        "--ignore-unknown-documents",
    )  # fmt: skip
    assert (code, out) == (2, "")
    assert "need at least two, not 0" in err
    systems = [f"a={empty}", f"b={bare}", small["poor"]]
    nothing = cli_json(command, "-g", bare, *systems, *FEW, "--policy", "unknown=count")
    text = json.dumps(nothing)
    assert "NaN" not in text
    silent = cli_text(command, "-g", small["gold"], *systems, *FEW)
    assert "0.000" in silent


def test_one_document(tmp_path, monkeypatch, capsys):
    path = tmp_path / "one.jsonl"
    write(corpus([mention(0, "A")]), path)
    for command in DRAWN:
        code, out, err = run_cli(monkeypatch, capsys, command, "-g", path, f"a={path}", f"b={path}")
        assert (code, out) == (2, "")
        assert "need at least two, not 1" in err


def test_correlations_need_three_systems(small, monkeypatch, capsys):
    arguments = ["-g", small["gold"], small["good_1"], small["poor"]]
    code, out, err = run_cli(monkeypatch, capsys, "correlate", *arguments)
    assert (code, out) == (2, "")
    assert "at least 3 systems" in err


def test_output_goes_to_a_file(tmp_path):
    path = tmp_path / "out.json"
    assert cli_text("rank", *INPUTS, *FEW, "-f", "json", "-o", path) == ""
    assert json.loads(path.read_text("utf-8")) == found("rank")


def test_many_systems_have_letters_of_their_own(tmp_path):
    """More than there are letters: two for each then, parted by commas."""
    paths = []
    for number in range(27):
        path = tmp_path / f"s{number:02}.jsonl"
        right = [mention(5 * i, link("A" if i >= number else "B")) for i in range(28)]
        write(corpus(*[right] * 14), path)
        paths.append(path)
    gold = tmp_path / "gold.jsonl"
    write(corpus(*[[mention(5 * i, link("A")) for i in range(28)]] * 14), gold)
    text = cli_text(
        "compare", "-g", gold, *paths, "-m", "strong_link_match", "--trials", "16384", "-f", "latex"
    )
    first = next(line for line in text.splitlines() if line.startswith("a & s00"))
    marks = re.findall(r"superscript\{([^}]*(?:\{\}[^}]*)*)\}", first)
    assert marks
    letters = marks[0].replace("{}", "").split(",")
    assert len(letters) == len(set(letters)) == 26
    assert "ab" in letters
