"""Each value of each policy, where it matters."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from measures.tools import corpus, counts, first_score, link, mention

from elcurate.errors import EvaluationError, SpecError
from elcurate.evaluation.evaluate import evaluate
from elcurate.match.policy import CHOICES, Policy
from elcurate.model.corpus import Corpus, Document, Span

WIKI = "https://en.wikipedia.org/wiki/"
A, B, C = (f"{WIKI}{name}" for name in "ABC")
ALL, LINK, NIL = "strong_all_match", "strong_link_match", "strong_nil_match"


def under(gold: Corpus, system: Corpus, measure: str, **policies: str) -> tuple[float, ...]:
    """(tp, fp, fn) under some policies."""
    return counts(first_score(gold, system, measure, policies=policies))


def test_every_policy_has_its_choices_and_default():
    assert [one.name for one in fields(Policy)] == list(CHOICES)
    for name, values in CHOICES.items():
        assert getattr(Policy(), name) in values
        for value in values:
            assert getattr(Policy().with_values({name: value}), name) == value


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"nils": "exclude"}, "no policy 'nils'.*Did you mean nil"),
        ({"nil": "exclud"}, "nil has no value 'exclud'.*Did you mean exclude"),
        ({"links": "canonic"}, "Did you mean canonical"),
    ],
)
def test_unknown_policies_and_values(values, message):
    with pytest.raises(SpecError, match=message):
        Policy().with_values(values)


def test_spans_strong():
    gold = corpus([mention(0, A)])
    near = corpus([mention(0, A, end=4)])
    assert under(gold, near, LINK, spans="strong") == (0, 1, 1)


def test_align_max_does_not_depend_on_order():
    """Two mentions of one span: a greedy choice would leave one unmatched."""
    gold = corpus([mention(0, A, B), mention(0, A)])
    system = corpus([mention(0, A), mention(0, B)])
    assert under(gold, system, LINK, align="max") == (2, 0, 0)


@pytest.mark.parametrize(
    ("said", "canonical", "raw", "last", "title"),
    [
        (A, 1, 1, 1, 1),
        ("http://en.wikipedia.org/wiki/A", 1, 0, 1, 1),
        ("http://fr.wikipedia.org/wiki/A", 0, 0, 1, 1),
        ("https://en.m.wikipedia.org/wiki/a", 1, 0, 0, 0),
        ("http://dbpedia.org/resource/A", 0, 0, 1, 0),
        ("A", 0, 0, 1, 1),
    ],
)
def test_links(said, canonical, raw, last, title):
    gold, system = corpus([mention(0, A)]), corpus([mention(0, said)])
    assert under(gold, system, LINK, links="canonical")[0] == canonical
    assert under(gold, system, LINK, links="raw")[0] == raw
    assert under(gold, system, LINK, links="last-segment")[0] == last
    assert under(gold, system, LINK, links="title")[0] == title


def test_percent_encoding_and_the_record_of_link_relations():
    """`last-segment` compares without decoding, as the published numbers did."""
    gold = corpus([mention(0, f"{WIKI}Zürich"), mention(5, f"{WIKI}AC/DC"), mention(9, B)])
    said = [mention(0, f"{WIKI}Z%C3%BCrich"), mention(5, "http://x.org/DC"), mention(9, B)]
    system = corpus([*said, mention(20, C)])
    assert under(gold, system, LINK, links="canonical") == (2, 2, 1)
    assert under(gold, system, LINK, links="raw") == (1, 3, 2)
    assert under(gold, system, LINK, links="last-segment") == (2, 2, 1)
    for name in CHOICES["links"]:
        found = evaluate(gold, {"s": system}, policies={"links": name})
        record = found.systems[0].link_relations
        assert record.right == {"canonical": 2, "raw": 1, "last-segment": 2, "title": 1}
        assert record.differ == 2


def test_nil():
    gold = corpus([mention(0, "NIL1"), mention(5, None), mention(10, A), mention(15, "NIL1")])
    said = ("NIL2", None, "NIL1", "NIL1")
    system = corpus([mention(5 * place, entity) for place, entity in enumerate(said)])
    assert under(gold, system, ALL, nil="one-class") == (3, 1, 1)
    assert under(gold, system, ALL, nil="separate") == (2, 2, 2)
    assert under(gold, system, ALL, nil="exclude") == (0, 0, 1)
    assert under(gold, system, NIL, nil="separate") == (3, 1, 0)
    assert under(gold, system, NIL, nil="exclude") == (0, 0, 0)
    assert under(gold, system, LINK, nil="separate") == (0, 0, 1)
    assert under(gold, system, "strong_mention_match", nil="exclude") == (0, 0, 1)
    assert under(gold, system, "sets::span+eid") == (2, 2, 2)


def test_nil_ids():
    """``NILE_River`` is a river; to neleval it is a NIL."""
    gold = corpus([mention(0, "NILE_River"), mention(5, "NIL"), mention(10, "NIL01")])
    assert under(gold, gold, NIL, nil_ids="cluster") == (2, 0, 0)
    assert under(gold, gold, LINK, nil_ids="cluster") == (1, 0, 0)
    assert under(gold, gold, NIL, nil_ids="prefix") == (3, 0, 0)
    assert under(gold, gold, LINK, nil_ids="prefix") == (0, 0, 0)
    found = evaluate(gold, {"s": gold}, profile="neleval", measures=[NIL]).systems[0].scores[0]
    assert found.tp == 3


def test_alternatives():
    gold = corpus([mention(0, A, B), mention(5, None, B)])
    system = corpus([mention(0, B), mention(5, B)])
    assert under(gold, system, ALL, alternatives="any") == (2, 0, 0)
    assert under(gold, system, ALL, alternatives="first") == (0, 2, 2)
    assert under(gold, system, LINK, alternatives="first") == (0, 2, 1)
    ranked = corpus([mention(0, link(A, score=0.1), link(B, score=0.9))])
    assert under(corpus([mention(0, B)]), ranked, LINK, alternatives="any") == (1, 0, 0)


def test_duplicates():
    """Equal gold mentions are always one; equal system mentions are, unless they count."""
    gold = corpus([mention(0, A), mention(0, A), mention(9, B)])
    system = corpus([mention(0, A), mention(0, A), mention(0, A), mention(9, C), mention(9, C)])
    assert under(gold, system, LINK, duplicates="collapse") == (1, 1, 1)
    assert under(gold, system, LINK, duplicates="count") == (1, 4, 1)
    assert under(gold, system, "strong_mention_match", duplicates="count") == (2, 3, 0)
    assert under(gold, system, "entity_match", duplicates="count") == (1, 1, 1)
    where = {"where": f"document=d0 & {'nil=false'}", "policies": {"duplicates": "count"}}
    assert counts(first_score(gold, system, LINK, **where)) == (1, 4, 1)
    found = evaluate(gold, {"s": system}, measures=[LINK], by=["document"], **where)
    assert {counts(score) for score in found.systems[0].scores} == {(1, 4, 1)}


def test_missing_documents():
    gold = corpus([mention(0, A)], [mention(0, B)])
    system = corpus([mention(0, A)])
    assert under(gold, system, LINK, missing="fn") == (1, 0, 1)
    assert under(gold, system, LINK, missing="skip") == (1, 0, 0)
    for value in CHOICES["missing"]:
        found = evaluate(gold, {"s": system}, policies={"missing": value})
        assert found.systems[0].missing_documents == ("d1",)


def with_sentences(corpus_: Corpus, *sentences: tuple[int, int]) -> Corpus:
    spans = tuple(Span(begin=begin, end=end) for begin, end in sentences)
    (document,) = corpus_.documents
    return corpus_.model_copy(
        update={"documents": (document.model_copy(update={"sentences": spans}),)}
    )


def test_missing_sentences():
    """A system that states sentences, but not all of the gold's, lacks the others."""
    mentions = [mention(0, A), mention(10, B), mention(20, C)]
    gold = with_sentences(corpus(mentions), (0, 10), (10, 20), (20, 30))
    some = with_sentences(corpus(mentions[:1]), (0, 10), (20, 30))
    assert under(gold, some, LINK, missing="skip") == (1, 0, 1)
    assert under(gold, some, LINK, missing="fn") == (1, 0, 2)
    silent = corpus(mentions[:1])
    assert under(gold, silent, LINK, missing="skip") == (1, 0, 2)


def test_sentences():
    """A system mention is cut where the gold sentence ends in which it begins."""
    mentions = [mention(8, A, end=10), mention(12, B, end=14), mention(19, C, end=23)]
    gold = with_sentences(corpus(mentions), (0, 10), (11, 18))
    long = corpus([mention(8, A, end=14), mention(12, B, end=99), mention(19, C, end=23)])
    assert under(gold, long, LINK, sentences="cross") == (1, 2, 2)
    assert under(gold, long, LINK, sentences="cut") == (2, 1, 1)
    assert under(long, gold, LINK, sentences="cut") == (1, 2, 2)
    found = evaluate(gold, {"s": long}, policies={"sentences": "cut"}).systems[0]
    assert found.cut_mentions == 2
    assert evaluate(gold, {"s": long}).systems[0].cut_mentions == 0


def test_unknown_documents():
    gold, system = corpus([mention(0, A)]), corpus([mention(0, A)], [mention(0, B)])
    with pytest.raises(EvaluationError, match="system s has 1 documents that the gold lacks: d1"):
        under(gold, system, LINK, unknown="error")
    assert under(gold, system, LINK, unknown="ignore") == (1, 0, 0)
    assert under(gold, system, LINK, unknown="count") == (1, 1, 0)
    found = evaluate(gold, {"s": system}, policies={"unknown": "count"}, by=["document"])
    documents = {score.group.get("document") for score in found.systems[0].scores}
    assert documents == {None, "d0", "d1"}
    assert found.systems[0].unknown_documents == ("d1",)


def test_restrict():
    gold = corpus([mention(0, link(A, "base_form=alias")), mention(5, B)])
    system = corpus([mention(0, A), mention(5, A), mention(10, C)])

    def cells(value: str, **options: Any) -> tuple[float, ...]:
        score = first_score(gold, system, LINK, policies={"restrict": value}, **options)
        return counts(score)

    where = {"where": "base_form=alias"}
    assert cells("none") == cells("slices") == (1, 2, 1)
    assert cells("gold") == (1, 1, 1)
    assert cells("none", **where) == (1, 2, 0)
    assert cells("slices", **where) == cells("gold", **where) == (1, 0, 0)
    fuzzy = {"membership": "constant(1)"}
    assert cells("gold", **fuzzy) == (1, 1, 1)
    assert cells("slices", **fuzzy) == cells("none", **fuzzy) == (1, 2, 1)


def test_a_cut_off_leaves_precision_over_all_system_mentions():
    gold = corpus([mention(0, link(A, "base_form=alias")), mention(5, B)])
    system = corpus([mention(0, A), mention(5, B), mention(10, C)])
    text = "per-leaf({{alias: 0.25}}, cutoff={})"
    whole = first_score(gold, system, LINK, membership=text.format(0))
    assert (whole.tp, whole.system, whole.gold) == (2, 3, 1.25)
    low = first_score(gold, system, LINK, membership=text.format(0.1))
    assert (low.tp, low.system, low.gold) == (2, 3, 1.25)
    high = first_score(gold, system, LINK, membership=text.format(0.5))
    assert (high.tp, high.system, high.gold, high.recall) == (1, 3, 1, 1)


def test_groups():
    """Types slice the gold; neleval instead groups each side by its own types."""
    gold = corpus([mention(0, link(A, type="PER")), mention(5, link(B, type="LOC"))])
    system = corpus([mention(0, link(A, type="LOC")), mention(9, link(C, type="ORG"))])

    def by_type(value: str) -> dict[str | None, tuple[float, ...]]:
        found = evaluate(
            gold, {"s": system}, measures=[LINK], by=["type"], policies={"groups": value}
        )
        scores = found.systems[0].scores
        return {one.group["type"]: counts(one) for one in scores if "type" in one.group}

    assert by_type("gold") == {"LOC": (0, 0, 1), "PER": (1, 0, 0)}
    assert by_type("own") == {"LOC": (0, 1, 1), "PER": (0, 0, 1)}


def test_groups_of_documents_come_from_both_sides_or_the_gold():
    gold = corpus([mention(0, A)], [])
    system = corpus([], d2=[mention(0, A)])

    def documents(value: str) -> set[str | None]:
        policies = {"groups": value, "unknown": "count"}
        found = evaluate(gold, {"s": system}, by=["document"], policies=policies)
        scores = found.systems[0].scores
        return {one.group["document"] for one in scores if "document" in one.group}

    assert documents("gold") == {"d0", "d1", "d2"}
    assert documents("own") == {"d0"}


@pytest.mark.parametrize("value", CHOICES["zero"])
def test_zero(value):
    """What each convention gives is in the table of the tests of `prf`; here that it is used."""
    nothing = corpus([])
    found = first_score(nothing, nothing, LINK, policies={"zero": value})
    expected = {"undefined": None, "zero": 0, "emnlp2019": None}.get(value, 1)
    assert found.precision == expected


EMPTY = Corpus(name="empty")


@pytest.mark.parametrize("gold", [EMPTY, corpus([]), corpus([mention(0, A)], [mention(3)])])
@pytest.mark.parametrize("system", [EMPTY, corpus([]), corpus([mention(0, A)]), corpus(d9=[])])
@pytest.mark.parametrize(
    "by", [(), ("document",), ("type",), ("document", "type"), ("categories",)]
)
def test_empty_and_one_sided_inputs(gold, system, by):
    for profile in ("default", "emnlp2019", "neleval"):
        found = evaluate(
            gold, {"s": system}, profile=profile, by=by, policies={"unknown": "count"}, alphas=[0.5]
        )
        assert found.systems[0].scores
        for score in found.systems[0].scores:
            assert min(score.gold, score.system, score.tp, score.fp, score.fn) >= 0


def test_bare_mentions():
    gold = corpus([mention(0), mention(5, A), mention(10, None)])
    found = evaluate(gold, {"s": gold}).systems[0].scores
    assert {score.measure: counts(score) for score in found} == {
        "strong_mention_match": (3, 0, 0),
        "strong_link_match": (1, 0, 0),
        "strong_nil_match": (1, 0, 0),
        "strong_all_match": (3, 0, 0),
        "entity_match": (1, 0, 0),
    }


@pytest.mark.parametrize("side", ["gold", "system"])
def test_repeated_document_ids(side):
    document = Document(id="d0", mentions=(mention(0, A),))
    twice = Corpus(name="twice", documents=(document, document))
    once = Corpus(name="once", documents=(document,))
    pair = (twice, once) if side == "gold" else (once, twice)
    with pytest.raises(EvaluationError, match=f"{side}.*d0"):
        evaluate(pair[0], {"s": pair[1]})
