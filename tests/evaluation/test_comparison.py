"""Comparisons, ranks and correlations: against brute force, scipy and by hand."""

from __future__ import annotations

import itertools
import string

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from measures.tools import corpus, link, mention
from scipy import stats

import elcurate
from elcurate.errors import EvaluationError, SpecError
from elcurate.evaluation.compare import compare
from elcurate.evaluation.correlation import correlate
from elcurate.evaluation.evaluate import evaluate, evaluate_signature
from elcurate.evaluation.ranking import rank, ranked, tied_groups
from elcurate.evaluation.sampling import Intervals, Sampling, Significance
from elcurate.evaluation.setup import make_setup
from elcurate.evaluation.statistics import confidence, significance
from elcurate.evaluation.tallies import tally
from elcurate.model.corpus import Corpus
from elcurate.model.table import Table

VALUES = ("precision", "recall", "f1")
SAMPLING = Sampling(trials=500, fewest=0)
DOCUMENTS = 12


def made(*right: int) -> Corpus:
    """A document per number: of four mentions so many have the right entity."""
    return corpus(
        *(
            [mention(5 * i, link("A" if i < number else "B", "base_form=alias")) for i in range(4)]
            for number in right
        )
    )


GOLD = made(*[4] * DOCUMENTS)
SYSTEMS = {
    "best": made(*[4, 3] * 6),
    "good": made(*[3, 3] * 6),
    "fair": made(*[3, 2] * 6),
    "poor": made(*[1, 0] * 6),
}


def test_compare_is_public_and_puts_scores_and_tests_together():
    found = elcurate.compare(GOLD, SYSTEMS, by=["base_form"], sampling=SAMPLING)
    assert found == compare(GOLD, SYSTEMS, by=["base_form"], sampling=SAMPLING)
    setup = make_setup(by=["base_form"])
    tallies = tally(Table.of(GOLD), {n: Table.of(s) for n, s in SYSTEMS.items()}, setup)
    assert found.differences == tuple(significance(tallies, SAMPLING))
    result = evaluate(GOLD, SYSTEMS, by=["base_form"])
    for place, cell in enumerate(found.tables):
        assert [score.system for score in cell.scores] == list(SYSTEMS)
        for score, system in zip(cell.scores, result.systems, strict=True):
            expected = system.scores[place]
            assert (cell.measure, cell.slice, cell.gold) == (
                expected.measure,
                expected.slice,
                expected.gold,
            )
            assert score.value == {name: getattr(expected, name) for name in VALUES}
            assert score.signature == expected.signature
            assert score.intervals == {}


def test_a_system_beats_what_is_significantly_lower():
    found = compare(GOLD, SYSTEMS, measures=["strong_link_match"], sampling=SAMPLING)
    (cell,) = found.tables
    beats = {score.system: set(score.beats["f1"]) for score in cell.scores}
    assert beats["poor"] == set()
    assert "poor" in beats["best"] & beats["good"] & beats["fair"]
    by_pair = {(one.first, one.second): one for one in found.differences}
    for (first, second), one in by_pair.items():
        for value in VALUES:
            values = {score.system: score.beats[value] for score in cell.scores}
            significant = one.holm[value] <= 0.05
            assert (second in values[first]) == (significant and one.difference[value] < 0)
            assert (first in values[second]) == (significant and one.difference[value] > 0)
    strict = compare(
        GOLD,
        SYSTEMS,
        measures=["strong_link_match"],
        sampling=SAMPLING,
        significance=Significance(alpha=0.001),
    )
    assert all(not names for one in strict.tables[0].scores for names in one.beats.values())


def test_intervals_are_those_of_confidence():
    how = Intervals((0.9,), "bca")
    found = compare(GOLD, SYSTEMS, measures=["entity_match"], sampling=SAMPLING, intervals=how)
    setup = make_setup(measures=["entity_match"])
    tallies = tally(Table.of(GOLD), {n: Table.of(s) for n, s in SYSTEMS.items()}, setup)
    estimates = confidence(tallies, SAMPLING, how)
    assert found.method == "bca"
    for score in found.tables[0].scores:
        (expected,) = estimates[score.system]
        assert score.intervals == {name: one[0] for name, one in expected.intervals.items()}
        assert score.signature == expected.signature
        again = evaluate_signature(GOLD, {"s": SYSTEMS[score.system]}, score.signature)
        assert again.systems[0].scores[0].f1 == score.value["f1"]


def test_measures_of_the_profile_that_cannot_be_tested_are_left_out():
    found = compare(GOLD, SYSTEMS, profile="neleval", sampling=SAMPLING)
    assert "b_cubed" in found.left_out
    assert "b_cubed" not in {cell.measure for cell in found.tables}
    assert found.left_out["muc"].startswith("compares clusters")
    with pytest.raises(EvaluationError, match="b_cubed"):
        compare(GOLD, SYSTEMS, profile="neleval", measures=["tac11"])


def test_equal_outputs_tie_everywhere():
    found = compare(
        GOLD, {"one": GOLD, "two": GOLD}, measures=["strong_link_match"], sampling=SAMPLING
    )
    (one,) = found.differences
    assert set(one.p.values()) == set(one.holm.values()) == {1.0}
    assert (one.wins, one.ties, one.losses, one.exact) == (0, DOCUMENTS, 0, True)
    assert all(not names for score in found.tables[0].scores for names in score.beats.values())


def relations(draw: st.DrawFn) -> tuple[list[str], dict[str, set[str]]]:
    names = list(string.ascii_lowercase[: draw(st.integers(1, 8))])
    beats = {
        name: {other for other in names[place + 1 :] if draw(st.booleans())}
        for place, name in enumerate(names)
    }
    return names, beats


@settings(max_examples=200, deadline=None)
@given(st.composite(relations)())
def test_systems_share_a_group_if_and_only_if_they_are_tied(made):
    names, beats = made
    groups = tied_groups(names, beats)
    for first, second in itertools.combinations(names, 2):
        shared = any({first, second} <= group for group in groups)
        assert shared == (second not in beats[first])
    assert set().union(*groups) == set(names)
    assert all(not a < b for a in groups for b in groups)
    assert names[0] in groups[0]


def test_ranks_by_hand():
    values = {"a": 0.5, "b": 0.9, "c": 0.5, "d": None, "e": 0.7}
    beats = {"a": {"d"}, "b": {"a", "c", "d"}, "c": {"d"}, "d": set(), "e": {"d"}}
    found = list(ranked(values, dict.fromkeys(values, "…"), beats))
    assert [(one.system, one.rank, one.best, one.worst, one.groups) for one in found] == [
        ("b", 1, 1, 2, (1,)),
        ("e", 2, 1, 4, (1, 2)),
        ("a", 3, 2, 4, (2,)),
        ("c", 3, 2, 4, (2,)),
        ("d", None, 5, 5, (3,)),
    ]


def test_ranks_of_a_comparison_and_of_an_evaluation_agree_but_for_ties():
    options = {"measures": ["strong_link_match"], "by": ["base_form"]}
    tested = rank(compare(GOLD, SYSTEMS, sampling=SAMPLING, **options), "recall")
    plain = rank(evaluate(GOLD, SYSTEMS, **options), "recall")
    assert (tested.test, tested.alpha) == ("randomisation", 0.05)
    assert (plain.test, plain.alpha) == (None, None)
    for one, other in zip(tested.rankings, plain.rankings, strict=True):
        assert (one.measure, one.slice, one.gold) == (other.measure, other.slice, other.gold)
        for first, second in zip(one.systems, other.systems, strict=True):
            keys = ("system", "signature", "value", "rank")
            assert [getattr(first, k) for k in keys] == [getattr(second, k) for k in keys]
            assert (second.best, second.worst, second.groups) == (None, None, None)
            assert first.rank is None or first.best <= first.rank <= first.worst
    assert [one.system for one in tested.rankings[0].systems] == list(SYSTEMS)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=3, max_size=7))
def test_correlations_are_those_of_scipy(rows):
    """Two measures that differ: links, and mentions, of which some systems lack some."""
    systems = {
        f"s{place}": corpus(
            [mention(5 * i, "A" if i < right else "B") for i in range(4 - less)], [mention(0, "A")]
        )
        for place, (right, less) in enumerate(rows)
    }
    result = evaluate(made(4, 4), systems, measures=["strong_link_match", "strong_mention_match"])
    found = correlate(result)
    x, y = (np.array([system.scores[number].f1 for system in result.systems]) for number in (0, 1))
    (one,) = found.correlations
    assert (one.first, one.second, one.systems) == (*(s.measure for s in found.measures), len(rows))
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        assert one.pearson is one.spearman is one.kendall is None
    else:
        assert one.pearson == pytest.approx(stats.pearsonr(x, y).statistic)
        assert one.spearman == pytest.approx(stats.spearmanr(x, y).statistic)
        assert one.kendall == pytest.approx(stats.kendalltau(x, y).statistic)
    for spread, numbers in zip(found.measures, (x, y), strict=True):
        assert spread.quartiles == pytest.approx(np.quantile(numbers, [0, 0.25, 0.5, 0.75, 1]))


def test_undefined_scores_have_no_correlation():
    found = correlate(evaluate(GOLD, SYSTEMS, measures=["strong_nil_match", "strong_link_match"]))
    (one,) = found.correlations
    assert (one.systems, one.pearson) == (0, None)
    assert (found.measures[0].systems, found.measures[0].quartiles) == (0, None)


def test_signatures_of_correlated_measures_fit_every_system():
    found = correlate(evaluate(GOLD, SYSTEMS))
    for spread in found.measures:
        for system in SYSTEMS.values():
            evaluate_signature(GOLD, {"s": system}, spread.signature)


def test_what_is_refused():
    two = dict(list(SYSTEMS.items())[:2])
    with pytest.raises(EvaluationError, match="at least 3 systems, not 2"):
        correlate(evaluate(GOLD, two))
    with pytest.raises(EvaluationError, match="two measures"):
        correlate(evaluate(GOLD, SYSTEMS, measures=["entity_match"]))
    with pytest.raises(EvaluationError, match="two systems"):
        compare(GOLD, {"one": GOLD})
    with pytest.raises(EvaluationError, match="at least two"):
        compare(made(4), {"one": made(4), "two": made(4)})
    with pytest.raises(SpecError, match="no measure"):
        compare(GOLD, SYSTEMS, measures=["strong_link_mach"])
