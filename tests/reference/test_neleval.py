"""Agreement with neleval 3.1.1 on synthetic cases, by the profile ``neleval``.

Source: the output of Hachey, Nothman and Radford's neleval 3.1.1 for 24 made-up gold and system
files of twelve kinds: clean, missing documents, nested spans, duplicates with equal and other
entities, several candidates, sparse columns, mixed, large, degenerate (empty gold), JSON types,
and other scripts.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from shared_data import SHARED, needs_shared

from elcurate.evaluation.evaluate import evaluate
from elcurate.evaluation.records import Score
from elcurate.formats.io import read_table
from elcurate.measures.named import find_measures, measure_name
from elcurate.measures.weights import TypeWeights

pytestmark = needs_shared

ORACLE = SHARED / "neleval" / "oracle"
SEEDS = sorted(path.name for path in ORACLE.glob("seed_*"))
BY = {
    "overall": (),
    "by_doc": ("document",),
    "by_type": ("type",),
    "by_doc_type": ("document", "type"),
    "by_kbid": ("entity",),
    "by_is_nil": ("nil",),
}
FIELDS = {"document": "docid", "type": "type", "entity": "kbid", "nil": "is_nil"}


def result(seed: str) -> dict[str, Any]:
    return json.loads((ORACLE / seed / "result.json").read_text("utf-8"))


def corrected(seed: str) -> dict[str, Any]:
    return json.loads((ORACLE / seed / "corrected.json").read_text("utf-8"))


def is_filtered_overlap(name: str) -> bool:
    """neleval filters the pairs of these, but not the mentions that it divides by."""
    return name.startswith("overlap-") and ":None:" not in name


def wrong_there(seed: str, section: str, measure: str) -> bool:
    """Whether neleval's own values differ from run to run, or from the definition."""
    named = {*result(seed)["_meta"]["unstable"], *corrected(seed)["affected"]}
    return f"{section}|{measure}" in named or is_filtered_overlap(measure)


def row_name(measure: str, score: Score, by: tuple[str, ...]) -> str:
    """The name under which neleval prints a score."""
    parts = []
    for field in by:
        if "average" in score.group:
            macro = score.group["average"] == "macro" and score.group.get("over", field) == field
            parts.append(f"{FIELDS[field]}=<{'macro' if macro else 'micro'}>")
        else:
            value = score.group[field]
            shown = value if field == "nil" else json.dumps(value)
            parts.append(f"{FIELDS[field]}={shown}")
    return ";".join([measure, *parts])


def scores(
    seed: str, names: list[str], by: tuple[str, ...], weights: TypeWeights | None = None
) -> dict[str, Score]:
    """Our scores by neleval's names."""
    gold, system = (read_table(ORACLE / seed / f"{name}.tsv", format="neleval") for name in FILES)
    found = evaluate(
        gold, {"sys": system}, measures=names, profile="neleval", by=by, weights=weights
    )
    theirs = {measure_name(measure): name for name in names for measure in find_measures([name])}
    return {
        row_name(theirs[score.measure], score, by): score
        for score in found.systems[0].scores
        if bool(score.group) == bool(by)
    }


FILES = ("gold", "sys")


def check(expected: dict[str, float], score: Score, name: str) -> None:
    ours = {
        "ptp": score.tp,
        "rtp": score.tp if score.recall_tp is None else score.recall_tp,
        "fp": score.fp,
        "fn": score.fn,
        "precision": score.precision,
        "recall": score.recall,
        "fscore": score.f1,
    }
    if not expected:  # the mean of no group
        assert score.averaged == {"precision": 0, "recall": 0, "f1": 0}, name
        return
    assert ours == {field: pytest.approx(value, abs=1e-9) for field, value in expected.items()}, (
        name
    )


def check_sane(score: Score) -> None:
    """What neleval could not compute."""
    for value in (score.tp, score.fp, score.fn):
        assert math.isfinite(value)
        assert value >= 0
    for value in (score.precision, score.recall, score.f1):
        assert value is None or 0 <= value <= 1


@pytest.mark.parametrize("section", BY)
@pytest.mark.parametrize("seed", SEEDS)
def test_measures_are_those_of_neleval(seed, section):
    """neleval 3.1.1: ``evaluate``, ``--by-doc``, ``--by-type`` and both."""
    oracle, by = result(seed)[section], BY[section]
    textbook = {} if by else corrected(seed)["ceaf_corrected_overall"]
    assert len(oracle) >= 19
    ours = scores(seed, list(oracle), by)
    for name, entry in oracle.items():
        mine = {row: score for row, score in ours.items() if row.partition(";")[0] == name}
        if "error" in entry:
            assert section != "by_doc"
        if "error" in entry or (wrong_there(seed, section, name) and name not in textbook):
            assert len(mine) >= (2 if by else 1)
            for score in mine.values():
                check_sane(score)
            continue
        rows = entry if by else {name: textbook.get(name, entry)}
        assert set(mine) == set(rows)
        for row, expected in rows.items():
            check(expected, mine[row], row)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("system", ["sys", "sys2"])
def test_counts_per_document_are_those_of_neleval(seed, system):
    """neleval 3.1.1: its per-document counts [ptp, fp, rtp, fn] of both systems."""
    per_doc = result(seed)["per_doc"][system]
    files = (read_table(ORACLE / seed / f"{name}.tsv", format="neleval") for name in FILES[:1])
    (gold,) = files
    other = read_table(ORACLE / seed / f"{system}.tsv", format="neleval")
    names = list(per_doc)
    assert names
    found = evaluate(gold, {"s": other}, measures=names, profile="neleval", by=["document"])
    of_gold = set(gold.documents["document"])
    for name in names:
        mine = [score for score in found.systems[0].scores if score.measure == name]
        check(per_doc[name]["overall"], mine[0], name)
        docs = {
            score.group["document"]: [score.tp, score.fp, score.tp, score.fn]
            for score in mine
            if "document" in score.group
        }
        theirs = {doc: cells for doc, cells in per_doc[name]["docs"].items() if doc in of_gold}
        assert docs == theirs


@pytest.mark.parametrize("section", ["type_weights", "type_weights_by_doc"])
@pytest.mark.parametrize("seed", SEEDS)
def test_type_weights_are_those_of_neleval(seed, section):
    """neleval 3.1.1: ``--type-weights``; of equal keys it gives up, and of types it takes none."""
    weights = TypeWeights.read(ORACLE / seed / "weights.tsv")
    by = ("document",) if section.endswith("by_doc") else ()
    oracle = {
        name: entry
        for name, entry in result(seed)[section].items()
        if find_measures([name])[0].kind == "sets"
    }
    ours = scores(seed, list(oracle), by, weights)
    compared = 0
    for name, entry in oracle.items():
        mine = {row: score for row, score in ours.items() if row.partition(";")[0] == name}
        if "error" in entry:
            for score in mine.values():
                check_sane(score)
            continue
        for row, expected in (entry if by else {name: entry}).items():
            check(expected, mine[row], row)
            compared += 1
    assert compared or all("error" in entry for entry in oracle.values())


def test_the_cases_are_there():
    assert len(SEEDS) == 24
    assert all(Path(ORACLE / seed / "result.json").is_file() for seed in SEEDS)
