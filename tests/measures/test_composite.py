"""Ratios of measures: printed form, values, signatures, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from measures.small import corpora
from measures.tools import corpus, link, mention

from elcurate.errors import EvaluationError, SpecError
from elcurate.evaluation.evaluate import evaluate, evaluate_signature
from elcurate.evaluation.setup import make_setup
from elcurate.evaluation.tallies import countable, only_countable
from elcurate.measures.named import find_measures, measure_name

LINKS_OF_MENTIONS = "ratio(strong_link_match, strong_mention_match)"
VALUES = ("precision", "recall", "f1")


@pytest.mark.parametrize(
    ("text", "name", "form"),
    [
        (LINKS_OF_MENTIONS, LINKS_OF_MENTIONS, "ratio(sets:is_linked:span+kbid, sets:None:span)"),
        (" ratio( sets::span,muc ) ", "ratio(strong_mention_match, muc)", None),
        ("ratio(conll,sets::span+score)", "ratio(conll, sets:None:span+score)", None),
        (
            "fuzzy(ratio(sets::span, entity_match))",
            "ratio(fuzzy(strong_mention_match), fuzzy(entity_match))",
            None,
        ),
    ],
)
def test_printed_forms(text, name, form):
    (ratio,) = find_measures([text])
    assert measure_name(ratio) == name
    assert find_measures([name]) == find_measures([str(ratio)]) == [ratio]
    assert form in (None, str(ratio))


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("ratio(muc)", "ratio\\(MEASURE, MEASURE\\)"),
        ("ratio(muc, muc, muc)", "is no ratio"),
        ("ratio(muc,)", "is no ratio"),
        ("ratio(muc, b_cubed", "is no ratio"),
        ("ratio(muc, bcubed)", "b_cubed"),
        ("ratio(all, muc)", "no single one"),
        ("ratio(ratio(muc, muc), muc)", "is no ratio"),
        ("ratio(muc, fuzzy(muc))", "no fuzzy form"),
    ],
)
def test_what_is_no_ratio(text, match):
    with pytest.raises(SpecError, match=match):
        find_measures([text])


@settings(max_examples=40, deadline=None)
@given(corpora(), corpora())
def test_each_value_is_divided(gold, system):
    parts = ["conll", "strong_mention_match"]
    options = {"by": ["base_form", "document"], "policies": {"unknown": "count"}}
    ratio, *others = (
        evaluate(gold, {"s": system}, measures=[name], **options).systems[0].scores
        for name in (f"ratio({', '.join(parts)})", *parts)
    )
    assert len(ratio) == len(others[0]) == len(others[1])
    for found, first, second in zip(ratio, *others, strict=True):
        assert (found.slice, found.group) == (first.slice, first.group)
        assert (found.gold, found.system, found.tp) == (first.gold, first.system, first.tp)
        for name in VALUES:
            above, below = getattr(first, name), getattr(second, name)
            if above is None or not below:
                assert getattr(found, name) is None
            else:
                assert getattr(found, name) == pytest.approx(above / below)


def test_by_hand():
    """Three of four mentions are found, and two of these are linked rightly."""
    gold = corpus([mention(5 * place, "A") for place in range(4)])
    system = corpus([mention(0, "A"), mention(5, "A"), mention(10, "B")])
    score = evaluate(gold, {"s": system}, measures=[LINKS_OF_MENTIONS]).systems[0].scores[0]
    assert (score.precision, score.recall) == pytest.approx((2 / 3, (2 / 4) / (3 / 4)))
    assert score.f1 == pytest.approx((2 * 2 / 7) / (2 * 3 / 7))


def test_signatures_can_be_run(tmp_path):
    weights = tmp_path / "weights.tsv"
    weights.write_text("PER\tORG\t0.5\n", "utf-8")
    from elcurate.measures.weights import TypeWeights

    found = TypeWeights.read(weights)
    gold = corpus([mention(0, link("A", type="PER")), mention(5, link("B", "base_form=alias"))])
    system = corpus([mention(0, link("A", type="ORG")), mention(5, "B")])
    for measure in (LINKS_OF_MENTIONS, "ratio(strong_mention_match, strong_typed_mention_match)"):
        result = evaluate(
            gold, {"s": system}, measures=[measure], by=["base_form", "document"], weights=found
        )
        for score in result.systems[0].scores:
            again = evaluate_signature(gold, {"s": system}, score.signature, found)
            assert again.systems[0].scores == (score,)


def test_ratios_are_not_tested():
    setup = make_setup(measures=[LINKS_OF_MENTIONS, "conll", "entity_match"], by=["document"])
    with pytest.raises(EvaluationError, match=r"ratio of scores(.|\n)*mean of(.|\n)*groups"):
        countable(setup)
    kept, left = only_countable(setup)
    assert [measure_name(one) for one in kept.measures] == ["entity_match"]
    assert list(left) == [LINKS_OF_MENTIONS, "conll"]
    with pytest.raises(EvaluationError, match="Name measures"):
        only_countable(make_setup(measures=["conll", "b_cubed"]))
