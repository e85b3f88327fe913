"""Classes of errors against their definition, and against the counts of `evaluate`."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from measures.small import corpora
from measures.tools import corpus, link, mention

from elcurate.errors import EvaluationError, SpecError
from elcurate.evaluation.analysis import KINDS
from elcurate.evaluation.analysis_records import Instance, Named
from elcurate.evaluation.analyze import analyze
from elcurate.evaluation.evaluate import evaluate
from elcurate.kb.iri import canonical
from elcurate.model.corpus import Corpus, Document, Mention, is_nil
from elcurate.model.table import Table

Key = str | None
POLICIES = st.fixed_dictionaries(
    {},
    optional={
        "links": st.sampled_from(["raw", "last-segment"]),
        "nil": st.sampled_from(["separate", "exclude"]),
        "alternatives": st.just("first"),
        "missing": st.just("skip"),
        "unknown": st.sampled_from(["ignore", "count"]),
        "restrict": st.sampled_from(["gold", "none"]),
        "nil_ids": st.just("prefix"),
    },
).map(lambda policies: {"unknown": "ignore", **policies})


def key(entity: str | None) -> Key:
    """What entities are compared by; None for NIL."""
    return None if is_nil(entity) else canonical(entity)


def keys(one: Instance) -> frozenset[Key]:
    return frozenset(key(named.entity) for named in one.gold) or frozenset([None])


def kind_of(one: Instance) -> str:
    """The class of an instance from its links alone."""
    if one.system is None:
        return "missing"
    if one.gold is None:
        return "extra"
    said = key(one.system.entity)
    if said in keys(one):
        return "correct-nil" if said is None else "correct-link"
    if said is None:
        return "link-as-nil"
    return "nil-as-link" if keys(one) == {None} else "wrong-link"


def most_right(units: list[frozenset[Key]], said: list[Key]) -> int:
    """How many predictions can be right, each for a unit of its own."""
    if len(units) > len(said):
        return max(
            sum(one in unit for unit, one in zip(some, said, strict=True))
            for some in permutations(units, len(said))
        )
    return max(
        sum(one in unit for unit, one in zip(units, some, strict=True))
        for some in permutations(said, len(units))
    )


def sides(
    gold: Corpus, system: Corpus
) -> tuple[dict[tuple[str, int, int], dict[frozenset[Key], None]], ...]:
    """The distinct gold units and predictions of each span."""
    units: dict[tuple[str, int, int], dict[frozenset[Key], None]] = {}
    said: dict[tuple[str, int, int], dict[frozenset[Key], None]] = {}
    for document, one in gold.mentions():
        found = frozenset(key(link.entity) for link in one.links) or frozenset([None])
        units.setdefault((document.id, *one.span), {})[found] = None
    for document, one in system.mentions():
        ranked = sorted(one.links, key=lambda link: -(link.score or float("-inf")))
        found = frozenset([key(ranked[0].entity) if ranked else None])
        said.setdefault((document.id, *one.span), {})[found] = None
    return units, said


@given(corpora(most=4), corpora(most=4))
def test_instances_are_those_of_the_definition(gold, system):
    units, said = sides(gold, system)
    found = analyze(gold, system, policies={"unknown": "count"})
    by_span: dict[tuple[str, int, int], list[Instance]] = {}
    for one in found.instances():
        assert one.kind == kind_of(one)
        by_span.setdefault((one.document, one.begin, one.end), []).append(one)
    assert set(by_span) == {*units, *said}
    for span, instances in by_span.items():
        ours, theirs = units.get(span, {}), said.get(span, {})
        accepted = [keys(one) for one in instances if one.gold is not None]
        assert Counter(accepted) == Counter(list(ours))
        answers = [frozenset([key(one.system.entity)]) for one in instances if one.system]
        assert Counter(answers) == Counter(list(theirs))
        assert len(instances) == max(len(ours), len(theirs))
        right = sum(one.kind.startswith("correct") for one in instances)
        assert right == most_right(list(ours), [next(iter(one)) for one in theirs])


@given(corpora(), corpora(), POLICIES, st.sampled_from([None, "base_form=alias", "nil=false"]))
def test_counts_add_up_to_those_of_evaluate(gold, system, policies, where):
    options = {"policies": policies, "where": where, "by": ["categories", "reference"]}
    scores = evaluate(gold, {"s": system}, measures=["strong_all_match"], **options)
    whole, *parts = scores.systems[0].scores
    found = analyze(gold, system, **options).summary
    assert [part.slice for part in found.by] == [part.slice for part in parts]
    for counts, score in zip(
        [found.counts, *(part.counts for part in found.by)], [whole, *parts], strict=True
    ):
        right = counts["correct-link"] + counts["correct-nil"]
        assert sum(counts.values()) - counts["extra"] == score.gold
        assert sum(counts.values()) - counts["missing"] == score.system
        assert right == score.tp


@given(corpora(), corpora(), st.booleans())
def test_groups_add_up(gold, system, unique):
    options = {"policies": {"unknown": "count"}, "unique": unique}
    found = analyze(gold, system, by=["document"], **options).summary
    documents = {*(one.id for one in gold.documents), *(one.id for one in system.documents)}
    assert {part.group["document"] for part in found.by} == documents
    for kind in KINDS:
        assert sum(part.counts[kind] for part in found.by) == found.counts[kind]
    types = analyze(gold, system, by=["type"], **options).summary.by
    expected = {one.type for _, _, one in gold.links()}
    expected |= {None for _, one in gold.mentions() if not one.links}
    assert {part.group["type"] for part in types} == expected


@given(corpora(), corpora())
def test_unique_errors_are_the_distinct_ones(gold, system):
    def shown(one: Instance) -> tuple[object, ...]:
        said = "nothing" if one.system is None else key(one.system.entity)
        return one.kind, one.document, one.gold is not None and keys(one), said

    options = {"policies": {"unknown": "count"}}
    every = Counter(shown(one) for one in analyze(gold, system, **options).instances())
    once = list(analyze(gold, system, unique=True, **options).instances())
    assert {shown(one): one.times for one in once} == every
    assert len(once) == len(every)


@given(corpora(full=True, most=5), corpora(full=True, most=5), st.booleans())
def test_confusions_are_the_most_frequent_wrong_links(gold, system, unique):
    found = analyze(gold, system, unique=unique, top=99)
    wrong = Counter(
        (keys(one), key(one.system.entity))
        for one in found.instances(["wrong-link"])
        if one.system is not None
    )
    ranked = found.summary.confusions
    assert {(frozenset(map(key, one.gold)), key(one.system)): one.times for one in ranked} == dict(
        wrong
    )
    assert [one.times for one in ranked] == sorted(wrong.values(), reverse=True)
    assert analyze(gold, system, unique=unique, top=1).summary.confusions == ranked[:1]


@given(corpora(full=True), corpora(full=True))
def test_tables_give_the_same(gold, system):
    ours = analyze(gold, system)
    theirs = analyze(Table.of(gold), Table.of(system))
    assert ours.summary == theirs.summary
    assert list(ours.instances()) == list(theirs.instances())


def test_surfaces_and_the_text_around():
    text = "One two three."
    gold = Corpus(
        name="g",
        documents=(
            Document(id="a", text=text, mentions=(mention(4, "A"),)),
            Document(id="b", mentions=(Mention(begin=0, end=2, surface="Bo"),)),
            Document(id="c", mentions=(mention(0, "C"),)),
        ),
    )
    system = Corpus(
        name="s",
        documents=(
            Document(id="a", mentions=(mention(4, "B"), mention(8, "X", end=13))),
            Document(id="c", text=text, mentions=()),
        ),
    )
    found = list(analyze(gold, system).instances(context=3))
    shown = [(one.document, one.before, one.surface, one.after) for one in found]
    assert shown == [
        ("a", "ne ", "two", " th"),
        ("a", "wo ", "three", "."),
        ("b", None, "Bo", None),
        ("c", "", "One", " tw"),
    ]
    assert [one.kind for one in found] == ["wrong-link", "extra", "missing", "missing"]
    assert found[0].gold == (Named(entity="A"),)
    assert found[2].gold == ()


def test_the_last_mention_of_a_span_counts_in_the_profile_neleval():
    gold = corpus([mention(0, "A"), mention(0, "B")])
    system = corpus([mention(0, "B"), mention(0, "A")])
    assert analyze(gold, system).summary.counts["correct-link"] == 2
    found = analyze(gold, system, profile="neleval").summary
    assert {kind: number for kind, number in found.counts.items() if number} == {"wrong-link": 1}


def test_another_nil_cluster_is_a_wrong_link_where_clusters_count():
    gold, system = corpus([mention(0, "NIL1")]), corpus([mention(0, "NIL2")])
    assert analyze(gold, system).summary.counts["correct-nil"] == 1
    found = analyze(gold, system, policies={"nil": "separate"}).summary
    assert found.counts["wrong-link"] == 1
    assert found.confusions[0].gold == ("NIL1",)


def test_settings_and_documents_are_reported():
    gold = corpus(a=[mention(0, link("A", "base_form=alias"))], b=[mention(0, "B")])
    system = corpus(b=[mention(0, "B")], c=[mention(0, "B")])
    found = analyze(
        gold, system, name="mine", where="base_form=alias", policies={"unknown": "ignore"}
    ).summary
    assert found.settings == {"where": "base_form=alias", "unknown": "ignore"}
    assert found.system.missing_documents == ("a",)
    assert found.system.unknown_documents == ("c",)
    assert (found.system.name, found.system.mentions) == ("mine", 2)


def test_refusals():
    gold, system = corpus([mention(0, "A")]), corpus(x=[mention(0, "A")])
    with pytest.raises(EvaluationError, match="1 documents that the gold lacks: x"):
        analyze(gold, system)
    with pytest.raises(SpecError, match="errors are not counted by 'entity'"):
        analyze(gold, gold, by=["entity"])
    with pytest.raises(SpecError, match="no profile"):
        analyze(gold, gold, profile="x")


def test_nothing_on_either_side():
    for gold, system in ((corpus(), corpus()), (corpus([]), corpus([]))):
        found = analyze(gold, system, by=["categories", "document", "type", "combination"])
        assert not any(found.summary.counts.values())
        assert list(found.instances()) == []
