"""Choosing among gold alternatives against the documented steps, written out slowly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from measures.small import corpora
from measures.tools import corpus, link, mention

from elcurate.errors import SpecError
from elcurate.evaluation.alternatives import BACKOFFS, FIELDS, Selected, select_alternatives
from elcurate.kb.iri import canonical
from elcurate.match.policy import Policy
from elcurate.model.categories import DIMENSIONS
from elcurate.model.corpus import Corpus, Link, Mention, is_nil

STEPS = st.permutations(list(BACKOFFS)).flatmap(
    lambda steps: st.integers(0, len(steps)).map(lambda size: steps[:size])
)
ASKED = st.lists(st.sampled_from(list(FIELDS)), min_size=1, max_size=3, unique=True) | st.just(
    ["*"]
)


def with_attributes(made: Corpus) -> Corpus:
    """The corpus with an attribute on each second link, so that ``*`` has more to compare."""
    documents = []
    for document in made.documents:
        mentions = [
            one.model_copy(
                update={
                    "links": tuple(
                        found.model_copy(update={"attributes": {"n": place % 2}})
                        for place, found in enumerate(one.links)
                    )
                }
            )
            for one in document.mentions
        ]
        documents.append(document.model_copy(update={"mentions": tuple(mentions)}))
    return made.model_copy(update={"documents": tuple(documents)})


def agree(one: Link, other: Link, fields: list[str]) -> bool:
    """Whether two links agree in every field."""
    checks = {
        "kbid": (None if is_nil(one.entity) else canonical(one.entity))
        == (None if is_nil(other.entity) else canonical(other.entity)),
        "type": one.type == other.type,
        "attributes": one.attributes == other.attributes,
        **{
            name: one.categories.leaves(name) == other.categories.leaves(name)
            for name in DIMENSIONS
        },
    }
    both = is_nil(one.entity), is_nil(other.entity)
    checks["eid"] = checks["kbid"] and (
        both != (True, True) or (one.entity or "NIL") == (other.entity or "NIL")
    )
    names = ["eid", "type", "attributes", *DIMENSIONS] if fields == ["*"] else fields
    return all(checks[name] for name in names)


def predictions(system: Corpus, document: str, one: Mention, step: str) -> list[Link]:
    """The best candidates that a step looks at."""
    found = []
    for other, said in system.mentions():
        here = other.id == document
        if not said.links or (step != "collection" and not here):
            continue
        if step == "span" and said.span != one.span:
            continue
        ranked = [
            (-1e9 if link.score is None else link.score, -i) for i, link in enumerate(said.links)
        ]
        found.append(said.links[-max(ranked)[1]])
    return found


def choice(
    system: Corpus, document: str, one: Mention, fields: list[str], steps: list[str]
) -> tuple[int, str] | None:
    """The place of the alternative that is left, and the step that decides."""
    for step in steps:
        if step == "first":
            return 0, step
        said = predictions(system, document, one, step)
        for place, alternative in enumerate(one.links):
            if any(agree(alternative, other, fields) for other in said):
                return place, step
    return None


@given(corpora(most=4), corpora(most=4), ASKED, STEPS)
def test_choices_are_those_of_the_steps(gold, system, fields, steps):
    gold, system = with_attributes(gold), with_attributes(system)
    found = select_alternatives(gold, system, fields=fields, backoff=steps)
    report = found.report
    chosen = iter(report.choices)
    for (document, before), (_, after) in zip(
        gold.mentions(), found.corpus.mentions(), strict=True
    ):
        expected = choice(system, document.id, before, fields, steps)
        if len(before.links) < 2 or expected is None:
            assert after == before
            continue
        place, step = expected
        assert after == before.model_copy(update={"links": (before.links[place],)})
        assert next(chosen) == Selected(
            document=document.id,
            begin=before.begin,
            end=before.end,
            surface=None,
            alternatives=tuple(link.entity for link in before.links),
            chosen=place,
            backoff=step,
        )
    assert not list(chosen)
    assert report.ambiguous == sum(len(one.links) > 1 for _, one in gold.mentions())
    assert list(report.counts) == list(steps)
    assert sum(report.counts.values()) == len(report.choices)
    if "first" in steps:
        assert len(report.choices) == report.ambiguous


def test_the_same_span_goes_before_the_document():
    gold = corpus([mention(0, "A", "B")])
    system = corpus([mention(0, "B"), mention(9, "A")])
    (found,) = select_alternatives(gold, system).report.choices
    assert (found.chosen, found.backoff) == (1, "span")
    steps = ("document", "collection", "first")
    (found,) = select_alternatives(gold, system, backoff=steps).report.choices
    assert (found.chosen, found.backoff) == (0, "document")


def test_entities_are_the_same_under_the_link_relation():
    gold = corpus([mention(0, "http://dbpedia.org/resource/A", "https://en.wikipedia.org/wiki/B")])
    system = corpus([mention(0, "http://en.wikipedia.org/wiki/b")])
    (found,) = select_alternatives(gold, system).report.choices
    assert (found.chosen, found.backoff) == (1, "span")
    policy = Policy(links="raw")
    (found,) = select_alternatives(gold, system, policy=policy).report.choices
    assert (found.chosen, found.backoff) == (0, "first")


def test_nil_clusters_differ_as_ids_and_not_as_entities():
    gold = corpus([mention(0, "A", "NIL1")])
    system = corpus([mention(0, "NIL2")])
    (found,) = select_alternatives(gold, system).report.choices
    assert found.backoff == "first"
    (found,) = select_alternatives(gold, system, fields=["kbid"]).report.choices
    assert (found.chosen, found.backoff) == (1, "span")


def test_the_score_is_never_compared():
    gold = corpus([mention(0, "A", link("B", score=0.1, type="T"))])
    system = corpus([mention(0, link("B", score=0.9, type="T"))])
    (found,) = select_alternatives(gold, system, fields=["*"]).report.choices
    assert (found.chosen, found.backoff) == (1, "span")


def test_unknown_names_are_refused_together():
    nothing = corpus()
    with pytest.raises(SpecError, match=r"'kbidd'.*kbid.*\n.*'spann'.*span"):
        select_alternatives(nothing, nothing, fields=["kbidd"], backoff=["spann"])
    with pytest.raises(SpecError, match="no field"):
        select_alternatives(nothing, nothing, fields=["*", "eid"])
