"""Published numbers of fine-grained entity linking, through the command line.

Source: Henry Rosales-Méndez, Aidan Hogan and Barbara Poblete, "Fine-Grained Entity Linking",
EMNLP-IJCNLP 2019: tables 2 and 3, figures 4 and 5, and the tables of its appendix. The corpora
are the authors' KORE50 and VoxEL with four dimensions of categories; the systems are their runs
of TagME, Babelfy (relaxed), AIDA and FREME NER.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from measures.tools import cli_json, evaluate_json
from shared_data import SHARED, needs_shared

from elcurate.formats.io import read
from elcurate.model.categories import LEAVES
from elcurate.model.corpus import Corpus, Link

pytestmark = needs_shared

FOLDER = SHARED / "finegrained"
SYSTEMS = ("TAGME", "BABELFYr", "AIDA", "FREMENER")
GOLDS = ("KORE50", "VoxEL", "KORE50+VoxEL")
ALPHAS = ("0", "0.25", "0.5", "0.75", "1")
EXACT = {"rel": 0, "abs": 1e-12}


def expected(name: str) -> Any:
    return json.loads((FOLDER / "expected" / f"{name}.json").read_text("utf-8"))


def inputs(gold: str) -> list[str | Path]:
    """The arguments for one gold, or for both pooled: two ``-g``, and each name twice."""
    names = gold.split("+")
    found: list[str | Path] = []
    for name in names:
        found += ["-g", FOLDER / "gold" / f"{name}.ttl"]
    return found + [
        f"{system}={FOLDER / 'systems' / f'{system}_{name}.ttl'}"
        for system in SYSTEMS
        for name in names
    ]


@cache
def run(gold: str, *options: str) -> dict[str, dict[str, Any]]:
    """The result of each system."""
    found = evaluate_json(*inputs(gold), *options)
    assert [system["name"] for system in found["systems"]] == list(SYSTEMS)
    return {system["name"]: system for system in found["systems"]}


def row(score: dict[str, Any]) -> str:
    return " ".join(f"{key}={value}" for key, value in score["slice"].items()) or "all"


@pytest.fixture(scope="module")
def stats() -> dict[str, dict[str, Any]]:
    files = [FOLDER / "gold" / f"{name}.ttl" for name in ("KORE50", "VoxEL")]
    return {corpus["name"]: corpus for corpus in cli_json("stats", *files)["corpora"]}


@pytest.mark.parametrize("gold", ["KORE50", "VoxEL"])
def test_corpus_counts_of_table_2(stats, gold):
    """EMNLP 2019, table 2: annotations are links; every category counts its links."""
    found = stats[gold]
    flat = {name: found[name] for name in ("documents", "sentences", "mentions", "nil")}
    flat["annotations"] = found["links"]
    for dimension, leaves in found["categories"].items():
        flat |= {f"{dimension}={leaf}": count for leaf, count in leaves.items()}
    assert flat == expected("table2")[gold]


@pytest.mark.parametrize("gold", GOLDS)
def test_categories_of_table_3(gold):
    """EMNLP 2019, table 3 and appendix: precision, recall and F1 by category."""
    table = expected("categories")["tables"][gold]
    assert len(table) == 23
    for name, system in run(gold, "-p", "emnlp2019", "--by", "categories").items():
        found = {row(score): score for score in system["scores"]}
        assert set(found) == set(table)
        for label, cells in table.items():
            score = found[label]
            assert score["gold"] == cells["gold_mentions"]
            for field, value in cells[name].items():
                got = score[field]
                assert got == (None if value is None else pytest.approx(value, **EXACT)), (
                    name,
                    label,
                    field,
                )


@pytest.mark.parametrize("gold", ["KORE50", "VoxEL"])
def test_combinations_of_figure_4(gold):
    """EMNLP 2019, figure 4: gold mentions and counts of every occurring combination."""
    table = {tuple(sorted(cells["combination"])): cells for cells in expected("combinations")[gold]}
    for name, system in run(gold, "-p", "emnlp2019", "--by", "combination").items():
        found = {
            tuple(sorted(f"{key}={leaf}" for key, leaf in score["slice"].items())): score
            for score in system["scores"]
            if score["slice"]
        }
        assert set(found) == set(table)
        for label, cells in table.items():
            assert found[label]["gold"] == cells["gold_mentions"], label
            got = {field: found[label][field] for field in ("tp", "fp", "fn")}
            assert got == cells[name], (name, label)


def check_fuzzy(cells: dict[str, float], score: dict[str, Any]) -> None:
    for field, value in {
        "precision": cells["precision"],
        "recall": cells["fuzzy_recall"],
        "f1": cells["fuzzy_f1"],
        "tp": cells["tp"],
        "system": cells["system"],
        "precision_tp": cells["tp"],
        "recall_tp": cells["weighted_tp"],
        "gold": cells["weighted_gold"],
    }.items():
        assert score[field] == pytest.approx(value, **EXACT), field


@pytest.mark.parametrize("alpha", ALPHAS)
@pytest.mark.parametrize("profile", ["emnlp2019", "emnlp2019-paper"])
def test_fuzzy_scores_of_figure_5(profile, alpha):
    """EMNLP 2019, figure 5 (``emnlp2019``), and what its text defines (``emnlp2019-paper``)."""
    for gold in GOLDS if alpha == "0" else ("KORE50",):
        table = expected("fuzzy")[profile][gold][alpha]
        results = run(gold, "-p", profile, "--membership", f"strict-relaxed({alpha})")
        for name, system in results.items():
            (score,) = system["scores"]
            check_fuzzy(table[name], score)


@pytest.mark.parametrize("gold", GOLDS)
@pytest.mark.parametrize("profile", ["emnlp2019", "emnlp2019-paper"])
def test_fuzzy_curves_of_figure_5(profile, gold):
    """EMNLP 2019, figure 5: the curves over α."""
    table = expected("fuzzy")[profile][gold]
    for name, system in run(gold, "-p", profile, "--alphas", "0:1:0.25").items():
        (curve,) = system["curves"]
        assert [f"{point['x']:g}" for point in curve["points"]] == list(ALPHAS)
        for alpha, point in zip(ALPHAS, curve["points"], strict=True):
            cells = table[alpha][name]
            got = [point[field] for field in ("precision", "recall", "f1", "tp", "gold")]
            want = ("precision", "fuzzy_recall", "fuzzy_f1", "weighted_tp", "weighted_gold")
            assert got == [pytest.approx(cells[field], **EXACT) for field in want]


def test_the_choice_at_alpha_0_changes_the_ranking():
    """EMNLP 2019: the published curves and the text's definition rank systems differently."""
    ranked = {}
    for profile in ("emnlp2019", "emnlp2019-paper"):
        results = run("KORE50+VoxEL", "-p", profile, "--membership", "strict-relaxed(0)")
        scores = {name: system["scores"][0] for name, system in results.items()}
        ranked[profile] = sorted(scores, key=lambda name: -scores[name]["f1"])
        assert all(f"variant={profile}" in score["signature"] for score in scores.values())
    table = expected("fuzzy")
    for profile, names in ranked.items():
        cells = table[profile]["KORE50+VoxEL"]["0"]
        assert names == sorted(cells, key=lambda name: -cells[name]["fuzzy_f1"])


def leaves_of(link: Link) -> frozenset[str]:
    return frozenset(f"{dimension}={leaf}" for dimension, leaf in link.categories.pairs())


def pooled_scores(gold: Corpus, system: Corpus, union: list[frozenset[str]]) -> dict[str, Any]:
    """What `emnlp2019` makes of the links within some combinations, by hand."""
    accepted: dict[tuple[str, int, int], set[str]] = {}
    for document, mention, link in gold.links():
        if any(leaves_of(link) <= combination for combination in union):
            span = document.id, mention.begin, mention.end
            entity = "NIL" if link.is_nil else str(link.entity).rpartition("/")[2]
            accepted.setdefault(span, set()).add(entity)
    said = {
        (document.id, mention.begin, mention.end): str(mention.links[0].entity).rpartition("/")[2]
        for document, mention in system.mentions()
    }
    on_gold = [span for span in accepted if span in said]
    tp = sum(said[span] in accepted[span] for span in on_gold)
    precision = tp / len(on_gold) if on_gold else None
    recall = tp / len(accepted)
    total = (precision or 0) + recall
    f1 = 2 * (precision or 0) * recall / total if total else 0.0
    return {"precision": precision, "recall": recall, "f1": f1, "gold": len(accepted)}


def test_cumulative_curves_of_figure_4():
    """EMNLP 2019, figure 4: the best k combinations together, scored again by hand.

    The order is checked against that of ``combinations.json``, the scores of each union against
    a slow count over the corpora.
    """
    gold = read(FOLDER / "gold" / "KORE50.ttl")
    order = {leaf: place for place, (_, leaf) in enumerate(LEAVES)}
    dimension_of = {leaf: dimension for dimension, leaf in LEAVES}
    results = run("KORE50", "-p", "emnlp2019", "--cumulative")
    for name in ("TAGME",):
        system = read(FOLDER / "systems" / f"{name}_KORE50.ttl")
        for curve in results[name]["curves"]:
            ranked = curve["ranked_by"]
            cells = []
            for one in expected("combinations")["KORE50"]:
                union = [frozenset(one["combination"])]
                value = pooled_scores(gold, system, union)[ranked]
                places = sorted(order[leaf.partition("=")[2]] for leaf in one["combination"])
                cells.append((-1 if value is None else value, places))
            cells.sort(key=lambda cell: (-cell[0], cell[1]))
            labels = [" ".join(LEAVES[place][1] for place in places) for _, places in cells]
            assert [point["label"] for point in curve["points"]] == labels
            union = []
            for k, point in enumerate(curve["points"], 1):
                parts = point["label"].split()
                union.append(frozenset(f"{dimension_of[leaf]}={leaf}" for leaf in parts))
                assert point["x"] == k
                for field, value in pooled_scores(gold, system, union).items():
                    assert point[field] == (
                        None if value is None else pytest.approx(value, **EXACT)
                    )


@pytest.mark.parametrize("gold", ["KORE50", "VoxEL"])
def test_the_three_link_relations_are_all_available(gold):
    """What the paper compares by, what is right, and how many links differ, side by side."""
    by_relation = {
        name: run(gold, "-p", "emnlp2019", "--links", name)
        for name in ("canonical", "raw", "last-segment")
    }
    for name in SYSTEMS:
        right = by_relation["canonical"][name]["link_relations"]["right"]
        for relation, results in by_relation.items():
            assert results[name]["link_relations"]["right"] == right
            assert results[name]["scores"][0]["tp"] == right[relation]
