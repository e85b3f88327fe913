"""Measures of clusters against their definitions written out slowly, and worked examples."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from measures.small import corpora
from measures.tools import first_score, link, mention
from scipy.optimize import linear_sum_assignment

from elcurate.evaluation.evaluate import evaluate
from elcurate.measures.assignment import heaviest_pairing
from elcurate.measures.clustering import CLUSTERING
from elcurate.measures.clusters import Clustering, Compared
from elcurate.model.corpus import Corpus, Document, Mention

Sets = Mapping[int, set[int]]
ITEMS = 8
PARTITIONS = st.lists(st.integers(-1, 3), min_size=ITEMS, max_size=ITEMS).map(
    lambda labels: {
        name: {item for item, label in enumerate(labels) if label == name}
        for name in sorted({label for label in labels if label >= 0})
    }
)


def compared(gold: Sets, system: Sets) -> Compared:
    sides = []
    for clusters in (gold, system):
        pairs = [(item, name) for name, items in clusters.items() for item in sorted(items)]
        item, label = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        sides.append(Clustering.of(item, label, ITEMS))
    return Compared(*sides, np.zeros(ITEMS, dtype=np.int64), 1)


def counts(name: str, gold: Sets, system: Sets) -> tuple[float, float, float, float]:
    """Numerator and denominator of precision and recall."""
    found = CLUSTERING[name](compared(gold, system))
    return tuple(float(part[0]) for part in (found.tp, found.system, found.recall_tp, found.gold))


def pairs(clusters: Sets) -> set[tuple[int, int]]:
    return {
        pair for items in clusters.values() for pair in itertools.combinations(sorted(items), 2)
    }


def best_total(gold: Sets, system: Sets, similarity) -> Fraction:
    """The best one-to-one pairing, by trying all."""
    ours, theirs = list(gold.values()), list(system.values())
    if len(ours) > len(theirs):
        ours, theirs = theirs, ours
    return max(
        (
            sum((similarity(a, b) for a, b in zip(ours, chosen, strict=True)), Fraction(0))
            for chosen in itertools.permutations(theirs, len(ours))
        ),
        default=Fraction(0),
    )


def dice(a: set[int], b: set[int]) -> Fraction:
    return Fraction(2 * len(a & b), len(a) + len(b))


def half(name: str, own: Sets, other: Sets) -> tuple[Fraction, Fraction]:
    """Precision (or recall) of one side against the other, by the definitions."""
    of = {item: items for items in other.values() for item in items}
    if name == "muc":
        parts = [
            {min(of[item]) if item in of else (item, None) for item in items}
            for items in own.values()
        ]
        top = sum(len(items) - len(cut) for items, cut in zip(own.values(), parts, strict=True))
        return Fraction(top), Fraction(sum(len(items) - 1 for items in own.values()))
    if name == "b_cubed":
        shares = [
            Fraction(len(items & of.get(item, set())), len(items))
            for items in own.values()
            for item in items
        ]
        return sum(shares, Fraction(0)), Fraction(len(shares))
    total = Fraction(0)  # LEA
    for items in own.values():
        links = pairs({0: items}) or {(item, item) for item in items}
        others = pairs(other) | {(item, item) for item, found in of.items() if len(found) == 1}
        total += Fraction(len(items) * len(links & others), len(links))
    return total, Fraction(sum(map(len, own.values())))


@settings(max_examples=150, deadline=None)
@given(PARTITIONS, PARTITIONS, st.sampled_from(["muc", "b_cubed", "lea"]))
def test_measures_whose_halves_are_alike(gold, system, name):
    expected = (*half(name, system, gold), *half(name, gold, system))
    assert counts(name, gold, system) == pytest.approx([float(part) for part in expected])


@settings(max_examples=100, deadline=None)
@given(PARTITIONS, PARTITIONS)
def test_ceaf_is_the_best_pairing_of_all(gold, system):
    total = float(best_total(gold, system, lambda a, b: Fraction(len(a & b))))
    sizes = [sum(map(len, side.values())) for side in (system, gold)]
    assert counts("mention_ceaf", gold, system) == (total, sizes[0], total, sizes[1])
    total = float(best_total(gold, system, dice))
    expected = (total, len(system), total, len(gold))
    assert counts("entity_ceaf", gold, system) == pytest.approx(expected)


@settings(max_examples=150, deadline=None)
@given(PARTITIONS, PARTITIONS)
def test_pairs(gold, system):
    both = pairs(gold) & pairs(system)
    expected = (len(both), len(pairs(system)), len(both), len(pairs(gold)))
    assert counts("pairwise", gold, system) == expected
    negative = [
        set(itertools.combinations(sorted(set().union(*side.values())), 2)) - pairs(side)
        for side in (gold, system)
    ]
    both = negative[0] & negative[1]
    expected = (len(both), len(negative[1]), len(both), len(negative[0]))
    assert counts("pairwise_negative", gold, system) == expected


def test_an_item_in_several_clusters_pairs_once():
    gold = {0: {0, 1, 2}, 1: {0, 1, 3}}
    system = {0: {0, 1, 3, 4}}
    stated = set(itertools.combinations(range(4), 2)) - pairs(gold)
    assert stated == {(2, 3)}
    assert counts("pairwise_negative", gold, system) == (0, 0, 0, 1)


@settings(max_examples=100, deadline=None)
@given(
    st.integers(1, 7),
    st.integers(1, 7),
    st.data(),
)
def test_sparse_assignment_equals_dense(rows, columns, data):
    weights = data.draw(
        st.lists(
            st.sampled_from([0, 0, 1, 2, 3, 0.5, 0.4, 2 / 3]),
            min_size=rows * columns,
            max_size=rows * columns,
        )
    )
    table = np.array(weights, dtype=float).reshape(rows, columns)
    left, right = np.nonzero(table)
    taken = heaviest_pairing(left, right, table[left, right])
    assert len(set(left[taken])) == len(set(right[taken])) == taken.sum()
    dense = table[linear_sum_assignment(table, maximize=True)].sum()
    assert table[left, right][taken].sum() == pytest.approx(dense, abs=1e-12)


def test_large_assignments_equal_dense():
    random = np.random.default_rng(7)
    for size in (50, 300):
        table = np.where(random.random((size, size)) < 0.05, random.integers(1, 9, (size, size)), 0)
        left, right = np.nonzero(table)
        taken = heaviest_pairing(left, right, table[left, right].astype(float))
        dense = table[linear_sum_assignment(table, maximize=True)].sum()
        assert table[left, right][taken].sum() == dense


def test_the_example_of_luo():
    """Luo (2005), figure 1: key {1-5} {6,7} {8-12}, response {1-5} {6-12}."""
    key = {0: {0, 1, 2}, 1: {3}, 2: {4, 5, 6, 7}}
    response = {0: {0, 1, 2}, 1: {3, 4, 5, 6, 7}}
    assert counts("mention_ceaf", key, response) == (7, 8, 7, 8)
    assert counts("entity_ceaf", key, response)[0] == pytest.approx(1 + 8 / 9)
    assert counts("muc", key, response) == (5, 6, 5, 5)


def test_the_example_of_lea():
    """Moosavi and Strube (2016), §3.3: two gold and three system entities."""
    key = {0: {0, 1, 2}, 1: {3, 4, 5, 6}}
    response = {0: {0, 1}, 1: {2, 3}, 2: {5, 6, 7}}
    found = counts("lea", key, response)
    assert found[2] / found[3] == pytest.approx((3 * (1 / 3) + 4 * (1 / 6)) / 7)
    assert found[0] / found[1] == pytest.approx((2 * 1 + 2 * 0 + 3 * (1 / 3)) / 7)


def test_means():
    gold = chain(("A", 0, 5, 10), ("B", 20, 25))
    system = chain(("A", 0, 5), ("B", 10, 20, 25))
    f1 = {
        name: first_score(gold, system, name).f1
        for name in ("muc", "b_cubed", "entity_ceaf", "conll", "pairwise", "pairwise_negative")
    }
    assert f1["conll"] == pytest.approx((f1["muc"] + f1["b_cubed"] + f1["entity_ceaf"]) / 3)
    blanc = first_score(gold, system, "blanc")
    assert blanc.f1 == pytest.approx((f1["pairwise"] + f1["pairwise_negative"]) / 2)
    assert "blanc:None:span" in blanc.signature


def test_blanc_leaves_out_the_half_that_is_empty():
    """Luo et al. (2014), §3: only singletons, or only one cluster."""
    alone = chain(("A", 0), ("B", 5))
    assert first_score(alone, alone, "blanc").f1 == 1
    assert first_score(alone, alone, "pairwise").f1 is None
    one = chain(("A", 0, 5))
    assert first_score(one, one, "blanc").f1 == 1
    assert first_score(one, alone, "blanc").f1 == 0


def chain(*clusters: tuple[object, ...]) -> Corpus:
    found = [mention(begin, link(name)) for name, *begins in clusters for begin in begins]
    return Corpus(documents=(Document(id="d", mentions=tuple(found)),))


def test_mentions_without_id_are_alone_or_together():
    gold = Corpus(documents=(Document(id="d", mentions=(mention(0), mention(5))),))
    system = chain(("NIL1", 0, 5))
    assert first_score(gold, system, "pairwise").recall is None
    together = first_score(gold, system, "pairwise", policies={"unclustered": "together"})
    assert together.recall == 1


def test_clusters_end_with_their_document_if_asked():
    mentions: tuple[Mention, ...] = (mention(0, link("A")),)
    gold = Corpus(documents=tuple(Document(id=name, mentions=mentions) for name in "ab"))
    assert first_score(gold, gold, "pairwise").gold == 1
    assert first_score(gold, gold, "pairwise", policies={"clusters": "document"}).gold == 0


@settings(max_examples=25, deadline=None)
@given(corpora(), corpora(), st.sampled_from(sorted(CLUSTERING)))
def test_documents_are_scored_as_if_alone(gold, system, name):
    options = {"measures": [f"{name}::span"], "policies": {"unknown": "count"}}
    found = evaluate(gold, {"s": system}, by=["document"], **options).systems[0].scores
    for score in found:
        if "document" not in score.group:
            continue
        alone = [
            corpus.model_copy(
                update={
                    "documents": tuple(
                        one for one in corpus.documents if one.id == score.group["document"]
                    )
                }
            )
            for corpus in (gold, system)
        ]
        expected = evaluate(alone[0], {"s": alone[1]}, **options).systems[0].scores[0]
        for field in ("gold", "system", "tp", "fn"):
            assert getattr(score, field) == pytest.approx(getattr(expected, field), abs=1e-9)
