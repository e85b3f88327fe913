"""Every measure against the documented definition, written out slowly."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from measures.brute_force import Leaves, Question, Row, brute_force
from measures.small import corpora

from elcurate.evaluation.evaluate import evaluate
from elcurate.evaluation.records import Score
from elcurate.measures.membership import STRICT_LEAVES
from elcurate.model.corpus import Corpus

FORMS = {
    "strong_mention_match": ":span",
    "strong_typed_mention_match": ":span+type",
    "strong_linked_mention_match": "is_linked:span",
    "strong_link_match": "is_linked:span+kbid",
    "strong_nil_match": "is_nil:span",
    "strong_all_match": ":span+kbid",
    "strong_typed_link_match": "is_linked:span+type+kbid",
    "strong_typed_nil_match": "is_nil:span+type",
    "strong_typed_all_match": ":span+type+kbid",
    "entity_match": "is_linked:docid+kbid",
    "sets:None:kbid": ":kbid",
    "sets:is_first:span+eid": "is_first:span+eid",
    "sets:None:docid+start": ":docid+start",
    "sets:None:eid+type": ":eid+type",
    "sets:is_linked:end+score": "is_linked:end+score",
    "sets:None:span+base_form": ":span+base_form",
    "sets:None:docid+is_nil+is_linked": ":docid+is_nil+is_linked",
}
WHERE = {
    "base_form=proper_form": lambda row: (
        {
            ("base_form", "full_name"),
            ("base_form", "alias"),
        }
        & row.leaves
    ),
    "overlap=missing | nil=true": lambda row: (
        row.nil or not any(dimension == "overlap" for dimension, _ in row.leaves)
    ),
    "!(type=PER,LOC) & reference!=related": lambda row: (
        row.type is None and ("reference", "related") not in row.leaves
    ),
    "document=d1": lambda row: row.doc == "d1",
}
LEAF = ("base_form", "alias")


def lowest(degrees: dict[tuple[str, str], float], leaves: Leaves) -> float:
    return min([degrees.get(leaf, 1.0) for leaf in leaves], default=1.0)


def strict(variant: str, alpha: float, leaves: Leaves) -> float:
    return 1.0 if leaves <= STRICT_LEAVES[variant] else alpha


MEMBERSHIPS = {
    "strict-relaxed(0.25)": (lambda leaves: strict("emnlp2019-paper", 0.25, leaves), "link", 0),
    "strict-relaxed(0.5, emnlp2019)": (
        lambda leaves: strict("emnlp2019", 0.5, leaves),
        "mention",
        0,
    ),
    "strict-relaxed(0, emnlp2019, link)": (
        lambda leaves: strict("emnlp2019", 0.0, leaves),
        "link",
        0,
    ),
    "per-leaf({alias: 0.5, verb: 0.25, related: 0}, level=mention)": (
        lambda leaves: lowest(
            {LEAF: 0.5, ("part_of_speech", "verb"): 0.25, ("reference", "related"): 0}, leaves
        ),
        "mention",
        0,
    ),
    "per-leaf({proper_form: 0.75, related: 0.25}, combine=product, cutoff=0.5)": (
        lambda leaves: (
            (0.75 ** len({LEAF, ("base_form", "full_name")} & leaves))
            * (0.25 if ("reference", "related") in leaves else 1)
        ),
        "link",
        0.5,
    ),
    "constant(0.5)": (lambda leaves: 0.5, "link", 0),
}
SETTINGS = settings(deadline=None, max_examples=30)
POLICIES = st.fixed_dictionaries(
    {
        "links": st.sampled_from(["canonical", "raw", "last-segment", "title"]),
        "nil": st.sampled_from(["one-class", "separate", "exclude"]),
        "alternatives": st.sampled_from(["any", "any", "first"]),
        "missing": st.sampled_from(["fn", "fn", "skip"]),
        "unknown": st.sampled_from(["count", "ignore"]),
        "duplicates": st.sampled_from(["collapse", "count"]),
        "sentences": st.sampled_from(["cross", "cut"]),
        "restrict": st.sampled_from(["none", "slices", "slices", "gold"]),
    }
)


def numbers(score: Score) -> tuple[float, float, float, float]:
    weighted = score.tp if score.recall_tp is None else score.recall_tp
    return score.gold, score.system, score.tp, weighted


def compare(gold: Corpus, system: Corpus, question: Question, **options: object) -> None:
    found = evaluate(
        gold, {"s": system}, measures=list(FORMS), policies=question.policies, **options
    )
    scores = found.systems[0].scores
    slice_ = {} if question.chosen is not in_leaf else {LEAF[0]: LEAF[1]}
    for name, form in FORMS.items():
        shown = name if "membership" not in options else f"fuzzy({name})"
        (score,) = [one for one in scores if one.measure == shown and one.slice == slice_]
        expected = brute_force(gold, system, form, question)
        assert numbers(score) == pytest.approx(expected, abs=1e-12), (name, expected)


def in_leaf(row: Row) -> bool:
    return LEAF in row.leaves


@SETTINGS
@given(corpora(), corpora(), POLICIES)
def test_all_policies(gold, system, policies):
    compare(gold, system, Question(policies))


@SETTINGS
@given(corpora(), corpora(), POLICIES)
def test_slices(gold, system, policies):
    compare(gold, system, Question(policies, in_leaf), by=["base_form"])


@SETTINGS
@given(corpora(), corpora(), POLICIES, st.sampled_from(sorted(WHERE)))
def test_filters(gold, system, policies, where):
    compare(gold, system, Question(policies, lambda row: bool(WHERE[where](row))), where=where)


@settings(deadline=None, max_examples=60)
@given(corpora(), corpora(), POLICIES, st.sampled_from(sorted(MEMBERSHIPS)))
def test_memberships(gold, system, policies, membership):
    degree, level, cutoff = MEMBERSHIPS[membership]
    question = Question(policies, None, degree, level, cutoff)
    compare(gold, system, question, membership=membership)


@SETTINGS
@given(corpora(), corpora(), POLICIES, st.sampled_from(sorted(MEMBERSHIPS)))
def test_memberships_of_slices(gold, system, policies, membership):
    degree, level, cutoff = MEMBERSHIPS[membership]
    question = Question(policies, in_leaf, degree, level, cutoff)
    compare(gold, system, question, membership=membership, by=["base_form"])


@settings(deadline=None, max_examples=30)
@given(corpora(("d0",), most=6), corpora(("d0",), most=6), st.sampled_from(sorted(MEMBERSHIPS)))
def test_crowded_documents(gold, system, membership):
    degree, level, cutoff = MEMBERSHIPS[membership]
    policies = {"unknown": "count"}
    compare(gold, system, Question(policies))
    compare(gold, system, Question(policies, None, degree, level, cutoff), membership=membership)


@settings(deadline=None, max_examples=30)
@given(corpora(), corpora(), st.sampled_from(["any", "first"]))
def test_documents_and_types_as_groups(gold, system, alternatives):
    policies = {"unknown": "count", "alternatives": alternatives}
    found = evaluate(
        gold, {"s": system}, measures=list(FORMS), policies=policies, by=["document", "type"]
    )
    for name, form in FORMS.items():
        groups = [one for one in found.systems[0].scores if one.measure == name and one.group]
        for score in groups:
            if "average" in score.group:
                continue
            doc, type_ = score.group["document"], score.group["type"]
            ours, theirs = (part(corpus, doc) for corpus in (gold, system))
            question = Question(policies, lambda row, type_=type_: row.type == type_)
            assert numbers(score) == brute_force(ours, theirs, form, question), score.group


def part(corpus: Corpus, name: str | None) -> Corpus:
    documents = tuple(document for document in corpus.documents if document.id == name)
    return corpus.model_copy(update={"documents": documents})
