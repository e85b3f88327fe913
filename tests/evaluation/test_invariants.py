"""What holds for all corpora."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from measures.small import corpora
from measures.tools import first_score
from strategies import corpora as wild_corpora

from elcurate.evaluation.evaluate import evaluate
from elcurate.evaluation.records import Score
from elcurate.measures.named import MEASURES, find_measures
from elcurate.model.corpus import Corpus, Document
from elcurate.model.table import Table

NAMES = [name for name in MEASURES.names() if MEASURES.get(name).kind == "sets"]
CLUSTERS = [
    *(name for name in MEASURES.names() if name not in NAMES),
    *("b_cubed:is_linked:span", "overlap-maxmax::span", "overlap-sumsum::span+kbid"),
]
FORMS = [*NAMES, "sets:is_first:docid+eid", "sets:None:kbid", "sets:is_linked:end+type"]
SPANS = [name for name in NAMES if name != "entity_match" and "nil" not in name]
SETTINGS = settings(deadline=None, max_examples=20)
MEMBERSHIPS = st.sampled_from(
    [
        "strict-relaxed(0.25)",
        "strict-relaxed(0, emnlp2019)",
        "questionnaire",
        "per-leaf({alias: 0, verb: 0.5, related: 0.25}, combine=product, level=mention)",
        "per-leaf({alias: 0.1}, cutoff=0.5)",
    ]
)


def scores(gold: Corpus, system: Corpus, **options: Any) -> list[Score]:
    options.setdefault("measures", FORMS)
    return list(evaluate(gold, {"s": system}, **options).systems[0].scores)


def values(found: list[Score]) -> list[dict[str, Any]]:
    """The scores without their signatures."""
    return [score.model_dump(exclude={"signature"}) for score in found]


def is_perfect(score: Score) -> bool:
    return {score.precision, score.recall, score.f1} <= {1.0, None} and not (score.fp or score.fn)


@SETTINGS
@given(
    corpora(single=True, distinct=True),
    st.sampled_from(["categories", "document", "type", "combination"]),
)
def test_gold_scores_1_against_itself(gold, by):
    for score in scores(gold, gold, by=[by], measures=[*FORMS, *CLUSTERS]):
        assert is_perfect(score), score
        assert (score.f1 is None) == (score.gold == 0)


@SETTINGS
@given(wild_corpora())
def test_gold_with_one_link_per_mention_scores_1_whatever_its_identifiers(gold):
    single = mapped(
        gold,
        lambda mentions: tuple(
            one.model_copy(update={"links": one.links[:1]})
            for one in {one.span: one for one in mentions}.values()
        ),
    )
    for score in scores(single, single, by=["categories"]):
        assert is_perfect(score), score


@SETTINGS
@given(corpora(distinct=True, nil=False))
def test_gold_with_alternatives_scores_1_where_its_first_links_count(gold):
    """The prediction of a mention is its best link, which the gold accepts."""
    for score in scores(gold, gold, measures=NAMES, by=["document"]):
        assert is_perfect(score), score


@SETTINGS
@given(corpora(), corpora(), st.randoms(use_true_random=False))
def test_order_does_not_matter_to_clusters(gold, system, seed):
    options = {"policies": {"unknown": "count"}, "by": ["document"], "measures": CLUSTERS}
    gold, system = (mapped(one, _one_link) for one in (gold, system))
    expected = scores(gold, system, **options)
    other = scores(shuffled(gold, seed), shuffled(system, seed), **options)
    by_group = {(score.measure, str(score.group)): score for score in other}
    for score in expected:
        two = by_group[score.measure, str(score.group)]
        for name in ("gold", "system", "tp", "precision", "recall", "f1"):
            assert getattr(score, name) == pytest.approx(getattr(two, name), abs=1e-12)


def _one_link(mentions: Any) -> Any:
    """One mention a span, one link a mention: no key in several clusters."""
    found = {one.span: one.model_copy(update={"links": one.links[:1]}) for one in mentions}
    return tuple(found.values())


@SETTINGS
@given(corpora(), corpora())
def test_scores_of_clusters_lie_in_0_1(gold, system):
    options = {"policies": {"unknown": "count"}, "by": ["document"], "measures": CLUSTERS}
    for score in scores(gold, system, **options):
        for value in (score.precision, score.recall, score.f1):
            assert value is None or 0 <= value <= 1 + 1e-12
        assert score.fp >= -1e-9
        assert score.fn >= -1e-9


def mapped(corpus: Corpus, change: Any) -> Corpus:
    """A corpus whose documents have other mentions."""
    documents = (
        document.model_copy(update={"mentions": change(document.mentions)})
        for document in corpus.documents
    )
    return corpus.model_copy(update={"documents": tuple(documents)})


def shuffled(corpus: Corpus, seed: random.Random, *, links: bool = False) -> Corpus:
    """Documents, mentions and, if asked, alternatives in another order."""

    def change(mentions: Any) -> Any:
        found = [
            one.model_copy(update={"links": tuple(seed.sample(one.links, len(one.links)))})
            if links
            else one
            for one in mentions
        ]
        return tuple(seed.sample(found, len(found)))

    other = mapped(corpus, change)
    documents = seed.sample(other.documents, len(other.documents))
    return other.model_copy(update={"documents": tuple(documents)})


@SETTINGS
@given(
    corpora(distinct=True),
    corpora(distinct=True),
    st.randoms(use_true_random=False),
    st.none() | MEMBERSHIPS,
)
def test_order_does_not_matter(gold, system, seed, membership):
    options = {"policies": {"unknown": "count"}, "membership": membership, "by": ["base_form"]}
    measures = [form for form in FORMS if "is_first" not in form]
    expected = scores(gold, system, measures=measures, **options)
    other = scores(
        shuffled(gold, seed, links=True), shuffled(system, seed), measures=measures, **options
    )
    for one, two in zip(values(expected), values(other), strict=True):
        assert one == {
            key: pytest.approx(value, abs=1e-12) if isinstance(value, float) else value
            for key, value in two.items()
        }


@SETTINGS
@given(corpora(), corpora(), st.randoms(use_true_random=False))
def test_the_order_of_documents_and_mentions_changes_no_fingerprint_or_signature(
    gold, system, seed
):
    options = {"policies": {"unknown": "count"}}
    others = (shuffled(corpus, seed) for corpus in (gold, system))
    ours, theirs = scores(gold, system, **options), scores(*others, **options)
    assert [score.signature for score in ours] == [score.signature for score in theirs]
    assert Table.of(gold).fingerprint == Table.of(shuffled(gold, seed)).fingerprint


def doubled(corpus: Corpus) -> Corpus:
    copies = tuple(
        document.model_copy(update={"id": f"{document.id} again"}) for document in corpus.documents
    )
    return corpus.model_copy(update={"documents": corpus.documents + copies})


@SETTINGS
@given(corpora(), corpora(), st.none() | MEMBERSHIPS)
def test_a_corpus_twice_has_the_same_scores(gold, system, membership):
    measures = [name for name in FORMS if find_measures([name])[0].by_document]
    options = {"policies": {"unknown": "count"}, "membership": membership, "measures": measures}
    once = scores(gold, system, **options)
    twice = scores(doubled(gold), doubled(system), **options)
    for one, two in zip(once, twice, strict=True):
        assert (two.tp, two.fp) == (2 * one.tp, 2 * one.fp)
        for name in ("precision", "recall", "f1"):
            assert getattr(two, name) == pytest.approx(getattr(one, name), abs=1e-12)


@SETTINGS
@given(corpora(), corpora(), MEMBERSHIPS)
def test_fuzzy_scores_lie_in_0_1(gold, system, membership):
    options = {"policies": {"unknown": "count"}, "by": ["base_form"]}
    crisp = scores(gold, system, **options)
    for one, score in zip(
        crisp, scores(gold, system, membership=membership, **options), strict=True
    ):
        for value in (score.precision, score.recall, score.f1):
            assert value is None or 0 <= value <= 1
        assert score.recall_tp <= score.gold + 1e-12
        if "cutoff" not in membership:
            assert score.recall_tp <= one.gold - one.fn + 1e-12
            assert score.precision == one.precision


@settings(deadline=None, max_examples=8)
@given(corpora(), corpora())
def test_full_membership_gives_crisp_scores(gold, system):
    options = {"policies": {"unknown": "count"}, "by": ["base_form"]}
    crisp = scores(gold, system, **options)
    for membership in ("constant(1)", "strict-relaxed(1)", "per-leaf({alias: 1}, level=mention)"):
        fuzzy = scores(gold, system, membership=membership, **options)
        for one, two in zip(crisp, fuzzy, strict=True):
            assert two.measure == f"fuzzy({one.measure})"
            for name in ("gold", "system", "tp", "fp", "fn", "precision", "recall", "f1"):
                assert getattr(one, name) == getattr(two, name)


@settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.filter_too_much])
@given(corpora(single=True, distinct=True, nil=False, most=5), st.sampled_from(SPANS))
def test_raising_the_membership_of_what_was_missed_lowers_recall(gold, name):
    """The system misses the links with ``alias``, and they become worth more."""
    system = mapped(
        gold,
        lambda mentions: tuple(
            one for one in mentions if "alias" not in one.links[0].categories.base_form
        ),
    )
    low, high = (
        first_score(gold, system, name, membership=f"per-leaf({{alias: {degree}}})")
        for degree in (0.25, 0.75)
    )
    assume(low.recall and high.gold > low.gold)
    assert high.recall < low.recall
    assert high.f1 < low.f1
    assert high.precision == low.precision


@SETTINGS
@given(
    corpora(("a", "b", "c")),
    corpora(("a", "b", "c")),
    st.none() | MEMBERSHIPS,
    st.sampled_from(["fn", "skip"]),
)
def test_documents_add_up_to_the_whole(gold, system, membership, missing):
    policies = {"unknown": "count", "missing": missing}
    found = scores(
        gold, system, measures=NAMES, by=["document"], membership=membership, policies=policies
    )
    for whole in (score for score in found if not score.group):
        rows = [one for one in found if one.measure == whole.measure and "document" in one.group]
        (micro,) = (
            one
            for one in found
            if one.measure == whole.measure and one.group.get("average") == "micro"
        )
        for name in ("gold", "system", "tp", "fp", "fn"):
            total = sum(getattr(row, name) for row in rows)
            assert total == pytest.approx(getattr(whole, name), abs=1e-9)
            assert getattr(micro, name) == pytest.approx(total, abs=1e-9)
        for name in ("precision", "recall", "f1"):
            assert getattr(micro, name) == pytest.approx(getattr(whole, name), abs=1e-12)


@SETTINGS
@given(corpora(("a", "b", "c")), corpora(("a", "b", "c")))
def test_macro_averages_are_means_of_what_is_defined(gold, system):
    found = scores(gold, system, by=["document"], policies={"unknown": "count"})
    for macro in (one for one in found if one.group.get("average") == "macro"):
        rows = [one for one in found if one.measure == macro.measure and "document" in one.group]
        for name in ("precision", "recall", "f1"):
            known = [getattr(row, name) for row in rows if getattr(row, name) is not None]
            mean = sum(known) / len(known) if known else None
            assert getattr(macro, name) == (None if mean is None else pytest.approx(mean))
            assert macro.averaged[name] == len(known)


@SETTINGS
@given(corpora(), corpora(("d0", "d1", "d2")))
def test_scores_are_their_counts(gold, system):
    for score in scores(gold, system, by=["categories"], policies={"unknown": "count"}):
        found = score.tp if score.recall_tp is None else score.recall_tp
        assert score.tp + score.fp == score.system
        assert found + score.fn == score.gold
        assert score.precision == (score.tp / score.system if score.system else None)
        assert score.recall == (found / score.gold if score.gold else None)


def test_inputs_may_be_tables():
    gold = Corpus(name="g", documents=(Document(id="d"),))
    assert values(scores(gold, gold)) == values(
        list(evaluate(Table.of(gold), {"s": Table.of(gold)}, measures=FORMS).systems[0].scores)
    )
