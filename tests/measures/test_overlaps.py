"""Measures of overlap against their definition, and the example of neleval's manual."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from measures.small import corpora
from measures.tools import first_score, mention

from elcurate.errors import SpecError
from elcurate.measures.named import find_measures
from elcurate.model.corpus import Corpus, Document

KEYS = {"span": lambda link: None, "span+type": lambda link: link.type if link else None}


def rows(corpus: Corpus, key: str):
    """Document, what has to be equal, begin and end of each mention's best link."""
    for document in corpus.documents:
        for one in document.mentions:
            best = max(
                one.links,
                key=lambda link: float("-inf") if link.score is None else link.score,
                default=None,
            )
            yield document.id, KEYS[key](best), one.begin, one.end


def shares(own, others, how: str) -> float:
    total = 0.0
    for document, key, begin, end in own:
        parts = [
            set(range(max(begin, b), min(end, e)))
            for d, k, b, e in others
            if (d, k) == (document, key)
        ]
        size = max(map(len, parts), default=0) if how == "max" else len(set().union(*parts))
        total += size / (end - begin)
    return total


@settings(max_examples=120, deadline=None)
@given(
    corpora(most=5),
    corpora(most=5),
    st.sampled_from(["max", "sum"]),
    st.sampled_from(["max", "sum"]),
    st.sampled_from(sorted(KEYS)),
)
def test_definition(gold, system, recall, precision, key):
    found = first_score(
        gold, system, f"overlap-{recall}{precision}::{key}", policies={"unknown": "count"}
    )
    ours, theirs = list(rows(gold, key)), list(rows(system, key))
    assert (found.gold, found.system) == (len(ours), len(theirs))
    assert found.tp == pytest.approx(shares(theirs, ours, precision))
    assert found.recall_tp == pytest.approx(shares(ours, theirs, recall))


def spans(*pairs: tuple[int, int]) -> Corpus:
    found = tuple(mention(begin, end=end + 1) for begin, end in pairs)
    return Corpus(documents=(Document(id="d", mentions=found),))


@pytest.mark.parametrize(
    ("name", "precision", "recall"),
    [("maxmax", 6 / 7, 0.75), ("maxsum", 13 / 14, 0.75), ("summax", 6 / 7, 1)],
)
def test_the_example_of_the_manual(name, precision, recall):
    """neleval 3.1.1: gold 1–10 and 12–12, system 1–5 and 6–12, ends inclusive."""
    gold, system = spans((1, 10), (12, 12)), spans((1, 5), (6, 12))
    found = first_score(gold, system, f"overlap-{name}::span")
    assert (found.precision, found.recall) == (pytest.approx(precision, abs=0.001), recall)


def test_the_filter_applies_to_what_is_divided_by():
    """neleval filters the pairs but divides by all mentions."""
    gold = Corpus(documents=(Document(id="d", mentions=(mention(0, "Q1"), mention(5, None))),))
    found = first_score(gold, gold, "overlap-maxmax:is_linked:span+kbid")
    assert (found.gold, found.precision, found.recall) == (1, 1, 1)


def test_a_sweep_misses_pairs_of_nested_mentions():
    """neleval 3.1.1 drops the later of the two last mentions: 0–100 never meets 50–60."""
    gold, system = spans((50, 60)), spans((0, 100), (5, 6))
    assert first_score(gold, system, "overlap-maxmax::span").recall == 1
    found = first_score(gold, system, "overlap-maxmax::span", policies={"pairs": "sweep"})
    assert found.recall == 0


def test_empty_mentions_cover_nothing():
    gold = Corpus(documents=(Document(id="d", mentions=(mention(3, end=3), mention(3, end=5))),))
    found = first_score(gold, gold, "overlap-sumsum::span")
    assert (found.gold, found.tp) == (2, 1)


def test_spans_are_needed():
    with pytest.raises(SpecError, match="span"):
        find_measures(["overlap-maxmax::type"])
