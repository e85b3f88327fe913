"""Intervals and tests: against exact enumeration, against each other, and on bad input."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from measures.small import corpora
from measures.tools import link, mention

from elcurate.errors import EvaluationError, SpecError
from elcurate.evaluation.evaluate import evaluate, evaluate_signature
from elcurate.evaluation.paired import Paired, randomisation
from elcurate.evaluation.resampling import (
    bca,
    bootstrap,
    holm,
    jackknife,
    percentiles,
    values_of,
)
from elcurate.evaluation.sampling import Draws, Intervals, Sampling, Significance
from elcurate.evaluation.setup import make_setup
from elcurate.evaluation.statistics import confidence, significance
from elcurate.evaluation.tallies import tally
from elcurate.match.policy import CHOICES
from elcurate.measures.scores import prf, prf_of_arrays
from elcurate.model.corpus import Corpus, Document
from elcurate.model.table import Table

SAMPLING = Sampling(trials=2000, fewest=0)
COUNTS = st.lists(
    st.tuples(*(st.integers(0, 3) for _ in range(4))).map(
        lambda row: (row[0], row[1], min(row[1], row[2]), min(row[0], row[3]))
    ),
    min_size=2,
    max_size=6,
).map(lambda rows: np.array(rows, dtype=float).T[None])


def made(*right: int, size: int = 4) -> Corpus:
    """A document per number, with that many of its mentions linked to the right entity."""
    return Corpus(
        documents=tuple(
            Document(
                id=f"d{place}",
                mentions=tuple(
                    mention(5 * i, link("A" if i < number else "B")) for i in range(size)
                ),
            )
            for place, number in enumerate(right)
        )
    )


GOLD = made(4, 4, 4, 4, 4, 4)
GOOD, POOR = made(4, 3, 4, 2, 3, 4), made(2, 3, 1, 2, 0, 3)


def tallies(systems: dict[str, Corpus], gold: Corpus = GOLD, **options):
    setup = make_setup(measures=options.pop("measures", ["strong_link_match"]), **options)
    return tally(Table.of(gold), {name: Table.of(one) for name, one in systems.items()}, setup)


@settings(max_examples=40, deadline=None)
@given(corpora(), corpora(), st.sampled_from([None, "strict-relaxed(0.25)"]))
def test_counts_of_documents_add_up_to_the_score(gold, system, membership):
    options = {
        "measures": ["strong_mention_match", "strong_all_match", "entity_match"],
        "by": ["base_form"],
        "policies": {"unknown": "count"},
        "membership": membership,
    }
    found = tally(Table.of(gold), {"s": Table.of(system)}, make_setup(**options))
    scores = evaluate(gold, {"s": system}, **options).systems[0].scores
    assert len(scores) == len(found.cells)
    for score, counts in zip(scores, found.counts["s"], strict=True):
        sums = counts.sum(axis=1)
        assert sums.tolist() == pytest.approx(
            [score.gold, score.system, score.tp, score.gold - score.fn]
        )


@given(
    st.lists(st.tuples(*(st.integers(0, 3) for _ in range(4)))),
    st.sampled_from(list(CHOICES["zero"])),
)
def test_scores_of_arrays_are_those_of_numbers(rows, zero):
    columns = np.array(rows, dtype=float).reshape(-1, 4).T
    found = prf_of_arrays(*columns, zero)
    for row, values in zip(rows, found.tolist(), strict=True):
        one = prf(*row, zero)
        expected = [
            np.nan if value is None else value for value in (one.precision, one.recall, one.f1)
        ]
        assert values == pytest.approx(expected, nan_ok=True)


@settings(max_examples=20, deadline=None)
@given(COUNTS)
def test_bootstrap_approaches_all_resamples(counts):
    """The mean over resamples is near that over all of them, which few documents allow."""
    counts = counts[:, :, :4]
    documents = counts.shape[2]
    ways = np.array(list(itertools.product(range(documents), repeat=documents)))
    weights = np.array([np.bincount(way, minlength=documents) for way in ways], dtype=float)
    sums = np.einsum("wd,cnd->wcn", weights, counts)
    everything = values_of(sums, "zero")
    drawn = bootstrap(counts, Draws(8000, 3), "zero")
    error = everything.std(axis=0) / np.sqrt(8000)
    assert (np.abs(drawn.mean(axis=0) - everything.mean(axis=0)) <= 5 * error + 1e-12).all()


@settings(max_examples=60, deadline=None)
@given(COUNTS, st.sampled_from([1, 0.1]), st.sampled_from(["zero", "gerbil"]), st.data())
def test_randomisation_is_exact_where_it_can_be(first, weight, zero, data):
    """Gold may have weights that don't add up exactly; the second system may lack documents."""
    documents = first.shape[2]
    first[0, [0, 3]] *= weight
    row = st.tuples(st.integers(0, 3), st.integers(0, 3), st.booleans())
    rows = data.draw(st.lists(row, min_size=documents, max_size=documents))
    second = first.copy()
    for place, (system, right, present) in enumerate(rows):
        found = min(first[0, 0, place], right * weight)
        second[0, 1:, place] = system, min(system, right), found
        second[0, :, place] *= present
    differences = []
    for ways in itertools.product((False, True), repeat=documents):
        swap = np.array(ways)
        one = np.where(swap, second, first).sum(axis=2)
        two = np.where(swap, first, second).sum(axis=2)
        differences.append((values_of(two, zero) - values_of(one, zero))[0])
    observed = (values_of(second.sum(axis=2), zero) - values_of(first.sum(axis=2), zero))[0]
    everything = np.array(differences)
    sign = np.where(observed < 0, -1, 1)
    expected = {
        "two-sided": np.abs(everything) >= np.abs(observed) - 1e-12,
        "one-sided": everything * sign >= observed * sign - 1e-12,
    }
    for tail, extreme in expected.items():
        paired = Paired(np.stack([first, second]), [(0, 1)], zero, tail)
        p, exact = randomisation(paired, Draws(64))
        assert exact.tolist() == [True]
        assert p[0, 0] == pytest.approx(extreme.mean(axis=0))


def test_sampled_p_values_are_near_the_exact_ones():
    gold = made(*[4] * 12)
    systems = {"one": made(*[3, 1, 4, 2, 3, 2] * 2), "two": made(*[2, 3, 2, 1, 2, 3] * 2)}
    found = tallies(systems, gold)
    exact, sampled = (significance(found, Sampling(trials))[0] for trials in (1 << 12, 4000))
    assert (exact.exact, sampled.exact) == (True, False)
    for name, p in exact.p.items():
        assert 0.05 < p < 0.95
        assert sampled.p[name] == pytest.approx(p, abs=5 * (p * (1 - p) / 4000) ** 0.5)


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
def test_a_better_system_is_told_from_a_poorer_one(test):
    gold = made(*[4] * 40)
    systems = {"poor": made(*[1, 2] * 20), "good": made(*[3, 4] * 20)}
    found = significance(tallies(systems, gold), SAMPLING, Significance(test))[0]
    assert found.difference["f1"] == pytest.approx(0.5)
    assert max(found.p.values()) < 0.01
    assert (found.wins, found.ties, found.losses) == (40, 0, 0)
    same = significance(
        tallies({"a": systems["poor"], "b": systems["poor"]}, gold), SAMPLING, Significance(test)
    )[0]
    assert set(same.p.values()) == {1.0}
    assert (same.ties, same.effect) == (40, None)


def test_the_same_seed_gives_the_same_numbers_on_any_number_of_threads():
    found = tallies({"good": GOOD, "poor": POOR}, by=["base_form"])
    for trials in (1, 250, 1003):
        runs = [
            (
                confidence(found, Sampling(trials, 7, jobs)),
                significance(found, Sampling(trials, 7, jobs)),
            )
            for jobs in (1, 2, 5)
        ]
        assert runs[0] == runs[1] == runs[2]
    assert confidence(found, Sampling(500, 0)) != confidence(found, Sampling(500, 1))


def test_the_order_of_documents_changes_nothing_of_a_test():
    reordered = GOOD.model_copy(update={"documents": GOOD.documents[::-1]})
    one = significance(tallies({"good": GOOD, "poor": POOR}), SAMPLING)
    two = significance(tallies({"good": reordered, "poor": POOR}), SAMPLING)
    assert one == two  # the fingerprints in the signatures too


def test_a_missing_document_is_an_empty_one():
    shorter = GOOD.model_copy(update={"documents": GOOD.documents[1:]})
    empty = GOOD.model_copy(update={"documents": (Document(id="d0"), *GOOD.documents[1:])})
    one, two = (significance(tallies({"g": g, "p": POOR}), SAMPLING)[0] for g in (shorter, empty))
    assert one.signature != two.signature  # they are not the same output
    assert one == two.model_copy(update={"signature": one.signature})


def test_intervals_hold_the_value_and_nest():
    for method in ("percentile", "bca"):
        estimate = confidence(tallies({"poor": POOR}), SAMPLING, Intervals((0.9, 0.99), method))[
            "poor"
        ][0]
        for name, value in estimate.value.items():
            narrow, wide = estimate.intervals[name]
            assert wide.low <= narrow.low <= value <= narrow.high <= wide.high


def test_percentiles_by_hand():
    """The place p (n + 1) of 1 … 9 at 80 % is 1 and 9."""
    samples = np.arange(1.0, 10.0)
    assert percentiles(samples, 0.8) == pytest.approx((1, 9))
    assert percentiles(np.array([np.nan, 2.0]), 0.9) == (2.0, 2.0)
    assert percentiles(np.array([np.nan]), 0.9) is None


def test_bca_of_a_symmetric_sample_is_the_percentile_interval():
    random = np.random.default_rng(0).normal(size=20_000)
    samples = np.concatenate([random, -random])
    without = np.linspace(-1, 1, 101)
    assert bca(samples, without, 0.0, 0.9) == pytest.approx(percentiles(samples, 0.9), abs=1e-3)


def test_jackknife_leaves_out_each_document():
    counts = tallies({"poor": POOR}).counts["poor"]
    found = jackknife(counts, "zero")
    for place in range(counts.shape[2]):
        rest = np.delete(counts, place, axis=2).sum(axis=2)
        assert found[place] == pytest.approx(values_of(rest, "zero"))


def test_holm_by_hand():
    """Holm (1979): 0.01, 0.02, 0.03, 0.04 of four tests."""
    assert holm(np.array([0.04, 0.01, 0.03, 0.02])) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm(np.array([0.9, 0.8])).tolist() == [1, 1]


def test_p_values_are_adjusted_over_the_pairs_of_a_measure():
    systems = {"a": GOOD, "b": POOR, "c": made(0, 1, 0, 1, 0, 1)}
    found = significance(tallies(systems, by=["base_form"]), SAMPLING)
    for cell in {str(one.slice) for one in found}:
        group = [one for one in found if str(one.slice) == cell]
        assert len(group) == 3
        adjusted = holm(np.array([one.p["f1"] for one in group]))
        assert [one.holm["f1"] for one in group] == pytest.approx(adjusted.tolist())


def test_signatures_say_how_numbers_were_drawn():
    found = tallies({"good": GOOD, "poor": POOR}, by=["base_form"])
    score = evaluate(GOLD, {"poor": POOR}, measures=["strong_link_match"]).systems[0].scores[0]
    estimate = confidence(found, Sampling(300, 5), Intervals(method="bca"))["poor"][0]
    drawn = "method=bca, trials=300, seed=5"
    assert estimate.signature == f"Confidence(score={score.signature}, {drawn})"
    again = evaluate_signature(GOLD, {"poor": POOR}, estimate.signature)
    assert again.systems[0].scores == (score,)
    difference = significance(found, Sampling(300, 5), Significance("bootstrap", "one-sided"))[0]
    assert difference.signature.startswith("Difference(score=Score(measure=sets:is_linked:span+")
    assert "test=bootstrap, tail=one-sided, trials=300, seed=5)" in difference.signature
    prints = {
        one: Table.of(corpus).fingerprint for one, corpus in (("first", GOOD), ("second", POOR))
    }
    assert all(f"{side}={text}," in difference.signature for side, text in prints.items())


def test_small_slices_are_warned_of():
    found = confidence(tallies({"good": GOOD}, by=["base_form"]), Sampling(100))["good"]
    assert found[0].warning == "only 24 gold units"
    assert confidence(tallies({"good": GOOD}), Sampling(100, fewest=24))["good"][0].warning is None


def test_empty_slices_have_no_interval():
    alias = confidence(tallies({"g": GOOD}, by=["base_form"]), Sampling(100))["g"][-1]
    assert alias.value == {"precision": None, "recall": None, "f1": None}
    assert alias.intervals["f1"][0].low is None


@pytest.mark.parametrize(
    ("measures", "match"),
    [(["b_cubed"], "across documents"), (["conll"], "mean of"), (["sets::kbid"], "whole corpus")],
)
def test_measures_that_do_not_add_up_are_refused(measures, match):
    with pytest.raises(EvaluationError, match=match):
        tallies({"good": GOOD}, measures=measures)


def test_clusters_within_documents_add_up():
    policies = {"clusters": "document"}
    found = tallies({"poor": POOR}, measures=["b_cubed"], policies=policies)
    score = (
        evaluate(GOLD, {"p": POOR}, measures=["b_cubed"], policies=policies).systems[0].scores[0]
    )
    assert found.counts["poor"][0].sum(axis=1)[2] == pytest.approx(score.tp)


def test_what_is_refused():
    with pytest.raises(EvaluationError, match="at least two"):
        confidence(tallies({"s": made(1)}, made(4)), SAMPLING)
    with pytest.raises(EvaluationError, match="two systems"):
        significance(tallies({"s": GOOD}), SAMPLING)
    with pytest.raises(EvaluationError, match="groups"):
        tallies({"s": GOOD}, by=["document"])
    with pytest.raises(EvaluationError, match="lacks"):
        tallies({"s": made(*[1] * 9)})
    for wrong in ({"trials": 0}, {"seed": -1}, {"jobs": 0}):
        with pytest.raises(SpecError):
            Sampling(**wrong)
    for wrong in ({"levels": (1.5,)}, {"levels": ()}, {"method": "odd"}):
        with pytest.raises(SpecError):
            Intervals(**wrong)
    for wrong in ({"test": "odd"}, {"tail": "left"}, {"alpha": 0.0}, {"alpha": 5}):
        with pytest.raises(SpecError):
            Significance(**wrong)
