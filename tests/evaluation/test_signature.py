"""Signatures: equal exactly where scores are, and enough to compute a score again."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from measures.small import corpora
from measures.tools import corpus, link, mention

from elcurate.errors import EvaluationError, SpecError
from elcurate.evaluation.evaluate import evaluate, evaluate_signature
from elcurate.evaluation.records import Score
from elcurate.match.policy import CHOICES, Policy
from elcurate.model.corpus import Corpus
from elcurate.spec import parse_form

A, B = (f"https://en.wikipedia.org/wiki/{name}" for name in "AB")
WHOLE = ("base_form=alias", "part_of_speech=verb", "overlap=none", "reference=direct")
GOLD = corpus(
    [mention(0, link(A, *WHOLE, type="PER"), B), mention(5, link(B, "base_form=full_name"))],
    [mention(0, link(None, type="null")), mention(9)],
    **{"doc 2, ü": [mention(0, A)], "null": [mention(0, B)]},
)
SYSTEM = corpus(
    [mention(0, link(B, type="PER")), mention(5, link(A, type="LOC"))],
    [mention(0, A), mention(2, B)],
    null=[mention(0, B)],
)
LINK = "strong_link_match"


def scores(gold: Corpus = GOLD, system: Corpus = SYSTEM, **options: Any) -> tuple[Score, ...]:
    return evaluate(gold, {"s": system}, **options).systems[0].scores


OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {"measures": None},
    "categories": {"by": ["categories"]},
    "dimensions": {"by": ["base_form", "overlap"]},
    "combination": {"by": ["combination"]},
    "document": {"by": ["document"]},
    "type": {"by": ["type"]},
    "type of documents": {"by": ["type", "document"]},
    "document of types": {"by": ["document", "type"], "measures": ["entity_match"]},
    "fuzzy": {"membership": "strict-relaxed(0.25)", "by": ["document", "overlap"]},
    "fuzzy mention": {"membership": "per-leaf({alias: 0.5}, level=mention, cutoff=0.1)"},
    "constant": {"membership": "constant(0.5)"},
    "where": {"where": 'base_form=alias | document="doc 2, ü" | nil=true', "by": ["type"]},
    "forms": {"measures": ["sets:is_first:docid+eid", "sets::span+base_form"]},
    "neleval": {"profile": "neleval", "by": ["document", "type"], "where": "nil=false"},
    "emnlp2019": {"profile": "emnlp2019", "by": ["categories"]},
    "fuzzy emnlp2019": {"profile": "emnlp2019", "membership": "strict-relaxed(0)"},
    "policies": {
        "policies": {"nil": "separate", "alternatives": "first", "restrict": "gold", "zero": "bat"},
        "membership": "questionnaire",
    },
}


def check(gold: Corpus, system: Corpus, found: tuple[Score, ...]) -> None:
    for score in found:
        (again,) = evaluate_signature(gold, {"s": system}, score.signature).systems[0].scores
        assert again == score


@pytest.mark.parametrize("name", OPTIONS)
def test_every_score_can_be_computed_from_its_signature(name):
    found = scores(**{"measures": [LINK], **OPTIONS[name]})
    check(GOLD, SYSTEM, found)
    assert len({score.signature for score in found}) == len(found)


@settings(deadline=None, max_examples=15)
@given(corpora(), corpora(), st.sampled_from(sorted(OPTIONS)), st.randoms(use_true_random=False))
def test_scores_of_any_corpus_can_be_computed_from_their_signatures(gold, system, name, seed):
    options = {**OPTIONS[name]}
    options["policies"] = {"unknown": "count", **options.get("policies", {})}
    found = scores(gold, system, **options)
    check(gold, system, tuple(seed.sample(found, min(len(found), 6))))


def signature(**options: Any) -> str:
    options.setdefault("measures", [LINK])
    return scores(**options)[0].signature


@pytest.mark.parametrize("name", CHOICES)
def test_every_policy_changes_the_signature(name):
    assert f"{name}={getattr(Policy(), name)}" in signature()
    found = {signature(policies={name: value}) for value in CHOICES[name]}
    assert len(found) == len(CHOICES[name])


def test_every_parameter_changes_the_signature():
    texts = [
        signature(),
        signature(measures=["strong_all_match"]),
        signature(where="base_form=alias"),
        signature(where="base_form!=alias"),
        signature(membership="constant(1)"),
        signature(membership="constant(0.5)"),
        signature(membership="strict-relaxed(0.5)"),
        signature(membership="strict-relaxed(0.5, emnlp2019)"),
        signature(membership="strict-relaxed(0.5, cutoff=0.1)"),
        signature(membership="per-leaf({alias: 0.5})"),
        signature(membership="per-leaf({alias: 0.5}, level=mention)"),
        signature(membership="per-leaf({alias: 0.5}, combine=mean)"),
        *(score.signature for score in scores(measures=[LINK], by=["categories"])[1:]),
        *(score.signature for score in scores(measures=[LINK], by=["document"])[1:]),
        *(score.signature for score in scores(measures=[LINK], by=["type"])[1:]),
        *(score.signature for score in scores(measures=[LINK], by=["document", "type"])[1:]),
    ]
    assert len(set(texts)) == len(texts)


def test_the_same_filter_written_otherwise_has_the_same_signature():
    one = signature(where="base_form=alias,full_name and not (nil=true)")
    assert one == signature(where="base_form=full_name,alias & !nil=true")


FIRST = GOLD.documents[0].mentions[0].links[0]


@pytest.mark.parametrize(
    "change",
    [
        {"entity": "other"},
        {"entity": None},
        {"score": 0.5},
        {"type": "LOC"},
        {"categories": link(A).categories},
    ],
)
@pytest.mark.parametrize("side", ["gold", "system"])
def test_every_change_of_a_link_changes_the_signature(change, side):
    def changed(base: Corpus, change: dict[str, Any]) -> Corpus:
        document, *others = base.documents
        first, *rest = document.mentions
        before = first.links[0].model_copy(update={"categories": FIRST.categories})
        links = (before.model_copy(update=change), *first.links[1:])
        mentions = (first.model_copy(update={"links": links}), *rest)
        document = document.model_copy(update={"mentions": mentions})
        return base.model_copy(update={"documents": (document, *others)})

    inputs = {"gold": GOLD, "system": SYSTEM}
    before, after = (inputs | {side: changed(inputs[side], one)} for one in ({}, change))
    assert signature(**before) != signature(**after)


def test_added_or_moved_links_and_empty_documents_change_the_signature():
    variants = [
        GOLD,
        corpus([mention(0, A)]),
        corpus([mention(0, A, A)]),
        corpus([mention(0, A), mention(0, A)]),
        corpus([mention(0, A, B)]),
        corpus([mention(0, B, A)]),
        corpus([mention(1, A)]),
        corpus([mention(0, A, end=2)]),
        corpus([mention(0, A)], []),
        corpus([], [mention(0, A)]),
        corpus([]),
        Corpus(name="none"),
    ]
    system = Corpus(name="none")
    assert len({signature(gold=gold, system=system) for gold in variants}) == len(variants)


def test_other_inputs_are_refused_by_name():
    text = signature()
    other = corpus([mention(0, A)])
    with pytest.raises(EvaluationError, match="another gold"):
        evaluate_signature(other, {"s": SYSTEM}, text)
    with pytest.raises(EvaluationError, match="another system"):
        evaluate_signature(GOLD, {"s": other}, text)
    form = parse_form(text)
    kept = {name: value for name, value in form.kwargs.items() if name not in ("gold", "system")}
    free = str(type(form)(form.name, (), kept))
    assert evaluate_signature(GOLD, {"s": other}, free).systems[0].scores[0].gold == 4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a value"),
        ("Score", "lacks measure"),
        ("Score()", "lacks measure"),
        ("Other(measure=strong_link_match)", "no signature of a score"),
        ("Score(measure=strong_link_match, colour=red)", "no parameter 'colour'"),
        ("Score(measure=strong_link_match, links=some)", "links has no value 'some'"),
        ("Score(measure=strong_link_match, slice=alias)", "slice in a signature is a map"),
        ("Score(measure=strong_link_match, slice={base_form: aliass})", "Did you mean alias"),
        ("Score(measure=strong_link_match, slice={base_fork: alias})", "Did you mean base_form"),
        ("Score(measure=strong_lnk_match)", "Did you mean strong_link_match"),
        ("Score(measure=strong_link_match, slice={base_form: null})", "has no leaf 'None'"),
    ],
)
def test_what_is_no_signature(text, message):
    with pytest.raises(SpecError, match=message):
        evaluate_signature(GOLD, {"s": SYSTEM}, text)


def test_a_group_that_does_not_occur():
    with pytest.raises(EvaluationError, match="does not occur"):
        evaluate_signature(
            GOLD, {"s": SYSTEM}, "Score(measure=strong_link_match, group={document: nowhere})"
        )


def test_a_short_signature_stands_for_the_defaults():
    (score,) = (
        evaluate_signature(GOLD, {"s": SYSTEM}, "Score(measure=strong_link_match)")
        .systems[0]
        .scores
    )
    assert score == scores(measures=[LINK])[0]
