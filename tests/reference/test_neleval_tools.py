"""Agreement of the tools with neleval 3.1.1: analyze, select-alternatives, validate-spans.

Source: the same 24 cases as in ``test_neleval``, and the files of neleval's own test of
``select-alternatives``.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from measures.tools import cli_json, cli_text
from shared_data import SHARED, needs_shared

from elcurate.evaluation.alternatives import PROFILE_BACKOFFS, select_alternatives
from elcurate.evaluation.analysis_records import Instance, Named
from elcurate.evaluation.analyze import analyze
from elcurate.evaluation.profiles import PROFILES
from elcurate.evaluation.span_checks import SPAN_RELATIONS, check_spans
from elcurate.formats.io import read, read_table
from elcurate.model.corpus import Corpus

pytestmark = needs_shared

ORACLE = SHARED / "neleval" / "oracle"
SMALL = SHARED / "neleval" / "select-alternatives"
SEEDS = sorted(path.name for path in ORACLE.glob("seed_*"))
POLICY = PROFILES.get("neleval").policy
AMBIGUOUS = {"seed_005", "seed_007", "seed_017", "seed_019"}


def result(seed: str) -> dict[str, Any]:
    return json.loads((ORACLE / seed / "result.json").read_text("utf-8"))


def entity(side: str, named: Named | None) -> str:
    """A link as neleval prints it."""
    if named is None:
        return ""
    is_nil = named.entity is None or named.entity.startswith("NIL")
    return f"{side}NIL" if is_nil else f'{side}"{named.entity}"'


def printed(one: Instance) -> str:
    """The line that neleval prints for an instance."""
    gold = None if one.gold is None else (*one.gold, Named(entity=None))[0]
    kind = one.kind.replace("correct-", "correct ")
    return "\t".join([kind, one.document, entity("g", gold), entity("s", one.system)])


@pytest.mark.parametrize("section", ["analyze", "analyze_unique"])
@pytest.mark.parametrize("seed", SEEDS)
def test_errors_are_those_of_neleval(seed, section):
    """neleval 3.1.1: ``analyze`` and ``analyze --unique``."""
    gold, system = (
        read_table(ORACLE / seed / f"{name}.tsv", format="neleval") for name in ("gold", "sys")
    )
    found = analyze(gold, system, profile="neleval", unique=section == "analyze_unique")
    expected = result(seed)[section]
    assert Counter(map(printed, found.instances())) == Counter(expected)
    counts = Counter(line.split("\t")[0].replace("correct ", "correct-") for line in expected)
    assert {kind: n for kind, n in found.summary.counts.items() if n} == counts


def test_the_command_gives_the_same_instances():
    seed = ORACLE / "seed_004"
    found = cli_json("analyze", "-g", seed / "gold.tsv", seed / "sys.tsv", "-p", "neleval")
    lines = [printed(Instance.model_validate(one)) for one in found["instances"]]
    assert Counter(lines) == Counter(result("seed_004")["analyze"])


def rows(corpus: Corpus) -> list[tuple[object, ...]]:
    """The rows of a corpus in neleval's format, values parsed."""
    return [
        (document.id, *one.span, *((link.entity, link.score, link.type) for link in one.links))
        for document, one in corpus.mentions()
    ]


@pytest.mark.parametrize("fields", ["eid", "eid,type"])
@pytest.mark.parametrize("seed", SEEDS)
def test_alternatives_are_those_of_neleval(seed, fields, tmp_path):
    """neleval 3.1.1: ``select-alternatives``, which never takes its first back-off."""
    lines = result(seed)[f"select_alternatives:{fields}"]
    gold, system = (
        read(ORACLE / seed / f"{name}.tsv", format="neleval") for name in ("gold", "sys")
    )
    options = {"fields": fields.split(","), "policy": POLICY}
    ours = select_alternatives(gold, system, backoff=PROFILE_BACKOFFS["neleval"], **options)
    if isinstance(lines, dict):  # a prediction without candidates
        assert any(not one.links for _, one in system.mentions())
        assert all(len(one.links) < 2 for _, one in ours.corpus.mentions())
        return
    path = tmp_path / "theirs.tsv"
    path.write_text("\n".join(filter(None, lines)) + "\n", encoding="utf-8")
    theirs = rows(read(path, format="neleval")) if any(lines) else []
    assert rows(ours.corpus) == theirs
    documented = select_alternatives(gold, system, **options)
    differ = [
        (place, one)
        for place, (one, other) in enumerate(zip(rows(documented.corpus), theirs, strict=True))
        if one != other
    ]
    by_place = {(one.document, one.begin, one.end): one for one in documented.report.choices}
    assert bool(differ) == (seed in AMBIGUOUS)
    assert all(by_place[one[:3]].backoff == "span" for _, one in differ)


@pytest.mark.parametrize("profile", ["default", "neleval"])
@pytest.mark.parametrize("fields", ["eid", "eid,type"])
def test_alternatives_of_the_files_of_neleval(fields, profile, tmp_path):
    out = tmp_path / "chosen.tsv"
    inputs = [SMALL / "gold.txt", SMALL / "sys.txt", "--from", "neleval"]
    found = cli_json(
        *("select-alternatives", *inputs, "-o", out, "--fields", fields, "--profile", profile)
    )
    expected = SMALL / f"gold_exp_{fields.replace(',', '')}.txt"
    assert out.read_text("utf-8") == expected.read_text("utf-8")
    steps = {"E2": "span", "E1": "first", "E4": "document", "E7": "collection", "E8": "first"}
    if profile == "neleval":
        steps["E2"] = "document"
    assert [one["backoff"] for one in found["choices"]] == [
        steps[line.split("\t")[3]] for line in expected.read_text("utf-8").splitlines()[:-1]
    ]


@pytest.mark.parametrize("name", ["gold", "sys", "sys2"])
@pytest.mark.parametrize("seed", SEEDS)
def test_spans_are_refused_where_neleval_refuses_them(seed, name):
    """neleval 3.1.1: ``validate-spans`` counts documents, or stops at the first instance."""
    found = check_spans(read_table(ORACLE / seed / f"{name}.tsv", format="neleval"))
    for relation in SPAN_RELATIONS:
        expected = result(seed)["validate"][f"{name}:{relation}"]
        if isinstance(expected, dict):
            assert found.counts[relation] > 0
            assert f"{relation} span" in expected["error"]
        else:
            assert found.counts[relation] == 0
            assert found.report().documents == expected


@pytest.mark.parametrize("relation", SPAN_RELATIONS)
def test_the_command_lists_what_neleval_stops_at(relation):
    path: Path = ORACLE / "seed_007" / "gold.tsv"
    (found,) = cli_json("check-spans", path, "--only", relation)["corpora"]
    assert len(found["findings"]) == found["counts"][relation] > 0
    assert {one["relation"] for one in found["findings"]} == {relation}
    lines = cli_text("check-spans", path, "--only", relation).splitlines()
    assert len(lines) == 1 + found["counts"][relation]
