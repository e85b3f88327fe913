"""Measures as values: names, forms, sets of names, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from measures.tools import first_score, link, mention

from elcurate.errors import SpecError
from elcurate.measures.base import FILTERS, KEYS, Measure
from elcurate.measures.named import MEASURE_SETS, MEASURES, find_measures, measure_name
from elcurate.model.corpus import Corpus, Document

KEY_TUPLES = st.lists(st.sampled_from(sorted(KEYS)), min_size=1, max_size=4).map(tuple)
FORMS = st.builds(
    Measure, KEY_TUPLES, st.none() | st.sampled_from(sorted(FILTERS)), fuzzy=st.booleans()
)


@given(FORMS)
def test_every_measure_parses_back(measure):
    assert Measure.parse(str(measure)) == measure
    assert find_measures([str(measure)]) == [measure]
    assert find_measures([measure_name(measure)]) == [measure]


@pytest.mark.parametrize("name", MEASURES.names())
def test_names_stand_for_forms(name):
    measure = MEASURES.get(name)
    assert measure_name(measure) == name
    if measure.kind != "sets":
        with pytest.raises(SpecError, match="no fuzzy form"):
            find_measures([f"fuzzy({name})"])
        return
    assert find_measures([f"fuzzy({name})"]) == [measure.as_fuzzy()]
    assert measure_name(measure.as_fuzzy()) == f"fuzzy({name})"


@pytest.mark.parametrize("name", sorted(MEASURE_SETS))
def test_sets_of_names(name):
    members = [MEASURES.get(member) for member in MEASURE_SETS[name]]
    assert find_measures([name]) == members
    if all(member.kind == "sets" for member in members):
        assert find_measures([f"fuzzy({name})"]) == [member.as_fuzzy() for member in members]


def test_one_measure_under_two_names_is_scored_once():
    assert len(find_measures(["sets::span", "strong_mention_match", " sets:None:span "])) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("strong_link_mach", "no measure named 'strong_link_mach'.*Did you mean strong_link_match"),
        ("hachy", "Did you mean hachey"),
        ("sets:is_link:span", "no filter 'is_link'.*Did you mean is_linked"),
        ("set::span", "no aggregator 'set'.*Did you mean sets"),
        ("sets::spam", "no key 'spam'.*Did you mean span"),
        ("sets::", "no key ''"),
        ("sets:span", "is no measure.*aggregator:filter:key"),
        ("a:b:c:d", "is no measure"),
        ("fuzzy(strong_x)", "no measure named"),
        ("", "no measure named ''"),
    ],
)
def test_what_is_refused_and_what_is_near(text, message):
    with pytest.raises(SpecError, match=message):
        find_measures([text])


def test_all_wrong_names_are_reported_together():
    with pytest.raises(SpecError) as error:
        find_measures(["one", "strong_all_match", "sets:two:span"])
    assert "'one'" in str(error.value)
    assert "'two'" in str(error.value)


def test_a_measure_needs_a_key():
    with pytest.raises(SpecError, match="at least one key"):
        Measure(())


def test_which_measures_add_up_over_documents():
    whole = {str(m) for m in (Measure.parse(f"sets::{k}") for k in KEYS) if not m.by_document}
    assert "sets:None:kbid" in whole
    assert "sets:None:span" not in whole
    assert "sets:None:docid" not in whole


def test_candidates_are_compared_as_sets():
    gold = Corpus(documents=(Document(id="d", mentions=(mention(0, "A", "B"), mention(5, "A"))),))
    same = Corpus(
        documents=(
            Document(
                id="d",
                mentions=(
                    mention(0, link("B", score=0.9), link("A", score=0.1), link("B", score=0.05)),
                    mention(5, "A", "C"),
                ),
            ),
        )
    )
    assert first_score(gold, same, "sets::span+candidates").tp == 1
    assert first_score(gold, gold, "sets::span+candidates").f1 == 1
    assert first_score(same, same, "sets::candidates").f1 == 1
