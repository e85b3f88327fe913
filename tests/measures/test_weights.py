"""Credit for types: files, hierarchies, and counts against all one-to-one pairings."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from measures.small import corpora
from measures.tools import first_score, link, mention

from elcurate.errors import SpecError
from elcurate.evaluation.evaluate import evaluate, evaluate_signature
from elcurate.measures.weights import TypeWeights
from elcurate.model.corpus import Corpus, Document

TYPES = ("PER", "LOC", "ORG")
WEIGHTS = st.dictionaries(
    st.tuples(st.sampled_from(TYPES), st.sampled_from(TYPES)), st.sampled_from([0, 0.25, 0.5, 1])
).map(TypeWeights)


def worth(weights: TypeWeights, gold: str | None, system: str | None) -> float:
    return weights.values.get((gold or "", system or ""), float(gold == system))


def units(corpus: Corpus) -> set[tuple[tuple[str, int, int], str | None]]:
    """(place, type) of each mention's best link."""
    return {
        (
            (document.id, one.begin, one.end),
            max(one.links, key=lambda link: link.score or -1.0).type if one.links else None,
        )
        for document in corpus.documents
        for one in document.mentions
    }


def best(weights: TypeWeights, gold: list[str | None], system: list[str | None]) -> float:
    """The greatest total of a one-to-one pairing, by trying all."""
    padded = [*system, *["nothing"] * len(gold)]
    return max(
        sum(worth(weights, a, b) for a, b in zip(gold, chosen, strict=True))
        for chosen in itertools.permutations(padded, len(gold))
    )


@settings(max_examples=80, deadline=None)
@given(corpora(single=True), corpora(single=True), WEIGHTS)
def test_counts_are_those_of_the_best_pairing(gold, system, weights):
    found = first_score(
        gold, system, "strong_typed_mention_match", weights=weights, policies={"unknown": "count"}
    )
    ours, theirs = units(gold), units(system)
    assert found.gold == pytest.approx(sum(worth(weights, one, one) for _, one in ours))
    assert found.system == pytest.approx(sum(worth(weights, one, one) for _, one in theirs))
    total = 0.0
    for place in {place for place, _ in ours}:
        sides = [sorted((t for p, t in side if p == place), key=str) for side in (ours, theirs)]
        total += best(weights, *sides)
    assert found.tp == pytest.approx(total)


def typed(*types: str) -> Corpus:
    found = tuple(mention(5 * place, link("A", type=name)) for place, name in enumerate(types))
    return Corpus(documents=(Document(id="d", mentions=found),))


def test_only_measures_that_compare_types_are_weighted():
    weights = TypeWeights({("PER", "ORG"): 0.5})
    options = {"weights": weights}
    gold, system = typed("PER", "PER"), typed("ORG", "PER")
    assert first_score(gold, system, "strong_typed_mention_match", **options).tp == 1.5
    plain = first_score(gold, system, "strong_mention_match", **options)
    assert plain.tp == 2
    assert "type_weights=null" in plain.signature


@settings(max_examples=40, deadline=None)
@given(corpora(single=True), corpora(single=True), WEIGHTS)
def test_repeated_system_mentions_are_wrong_if_they_count(gold, system, weights):
    once, each = (
        first_score(
            gold,
            system,
            "strong_typed_mention_match",
            weights=weights,
            policies={"unknown": "count", "duplicates": value},
        )
        for value in ("collapse", "count")
    )
    assert (each.gold, each.tp, each.fn) == (once.gold, once.tp, once.fn)
    types = [one.links[0].type for _, one in system.mentions()]
    assert each.system == pytest.approx(sum(worth(weights, one, one) for one in types))


def test_the_signature_needs_the_same_weights():
    weights = TypeWeights({("PER", "ORG"): 0.5})
    gold, system = typed("PER"), typed("ORG")
    found = first_score(gold, system, "strong_typed_mention_match", weights=weights)
    assert weights.digest in found.signature
    again = evaluate_signature(gold, {"s": system}, found.signature, weights)
    assert again.systems[0].scores[0] == found
    for other in (None, TypeWeights({})):
        with pytest.raises(SpecError, match="type weights"):
            evaluate_signature(gold, {"s": system}, found.signature, other)


def test_a_file_of_weights(tmp_path: Path):
    path = tmp_path / "weights.tsv"
    path.write_text("PER\tORG\t0.5\n\nPER\tORG\t0.7\nA B\tC\t1e-3\n")
    assert TypeWeights.read(path).values == {("PER", "ORG"): 0.7, ("A B", "C"): 0.001}


@pytest.mark.parametrize(
    "line", ["PER\tORG", "PER\tORG\tx", "PER\tORG\tnan", "A\tB\t-1", "A\tB\t1\t"]
)
def test_a_line_that_is_no_weight(line, tmp_path: Path):
    path = tmp_path / "weights.tsv"
    path.write_text(f"A\tB\t1\n{line}\n")
    with pytest.raises(SpecError, match=r"weights\.tsv:2"):
        TypeWeights.read(path)


def test_ancestors_of_the_gold_type_get_credit(tmp_path: Path):
    path = tmp_path / "types.json"
    path.write_text(json.dumps({"Thing": ["Agent", "Place"], "Agent": ["Person"]}))
    values = TypeWeights.of_hierarchy(path, 0.5).values
    assert values == {
        ("Agent", "Thing"): 0.5,
        ("Place", "Thing"): 0.5,
        ("Person", "Thing"): 0.25,
        ("Person", "Agent"): 0.5,
    }
    gold, system = typed("Person"), typed("Thing")
    weights = TypeWeights.of_hierarchy(path)
    assert first_score(gold, system, "strong_typed_mention_match", weights=weights).recall == 0.25
    assert first_score(system, gold, "strong_typed_mention_match", weights=weights).recall == 0


@pytest.mark.parametrize(
    ("content", "decay"),
    [("[]", 0.5), ("{", 0.5), ('{"a": "b"}', 0.5), ('{"a": ["a"]}', 0.5), ("{}", 2)],
)
def test_what_is_no_hierarchy(content, decay, tmp_path: Path):
    path = tmp_path / "types.json"
    path.write_text(content)
    with pytest.raises(SpecError):
        TypeWeights.of_hierarchy(path, decay)


def test_missing_files(tmp_path: Path):
    for read in (TypeWeights.read, TypeWeights.of_hierarchy):
        with pytest.raises(SpecError):
            read(tmp_path / "none")


@settings(max_examples=40, deadline=None)
@given(corpora(single=True), corpora(single=True), st.sampled_from(["entity", "nil"]))
def test_groups_by_entity_and_nil_add_up(gold, system, field):
    """Each side is grouped by its own field, so links that agree are in one group."""
    found = evaluate(
        gold,
        {"s": system},
        measures=["strong_all_match"],
        by=[field],
        policies={"unknown": "count", "alternatives": "first", "restrict": "none"},
    )
    whole, *groups = found.systems[0].scores
    cells = [score for score in groups if field in score.group]
    for name in ("gold", "system", "tp"):
        assert sum(getattr(score, name) for score in cells) == getattr(whole, name)


def test_bare_mentions_are_a_group_of_their_own():
    gold = Corpus(documents=(Document(id="d", mentions=(mention(0), mention(5, "NIL"))),))
    found = evaluate(gold, {"s": gold}, measures=["strong_mention_match"], by=["nil"])
    cells = [score.group for score in found.systems[0].scores if "nil" in score.group]
    assert cells == [{"nil": "true"}, {"nil": None}]
