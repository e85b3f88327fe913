"""Mentions cut into their characters."""

from __future__ import annotations

from collections import Counter

import pytest
import strategies
from hypothesis import given
from measures.small import corpora
from measures.tools import corpus, first_score, mention

from elcurate.errors import EvaluationError
from elcurate.evaluation.weak import LIMIT, to_weak
from elcurate.model.corpus import Corpus, Mention, Span, in_order


def characters(one: Mention) -> set[int]:
    """The characters of a mention."""
    parts = one.fragments or (one,)
    return {place for part in parts for place in range(part.begin, part.end)}


@given(strategies.corpora())
def test_each_character_of_each_mention_is_a_mention(made):
    for document in made.documents:
        weak = to_weak(document)
        expected = Counter(
            (place, place + 1, str(one.links))
            for one in document.mentions
            for place in characters(one)
        )
        assert Counter((one.begin, one.end, str(one.links)) for one in weak.mentions) == expected
        assert weak.mentions == in_order(list(weak.mentions))
        assert weak.model_copy(update={"mentions": document.mentions}) == document


def weak(made: Corpus) -> Corpus:
    return made.model_copy(update={"documents": tuple(map(to_weak, made.documents))})


@given(corpora(full=True, nil=False), corpora(full=True, nil=False))
def test_exact_measures_then_count_characters(gold, system):
    covered = [
        {(document.id, place) for document, one in side.mentions() for place in characters(one)}
        for side in (gold, system)
    ]
    score = first_score(weak(gold), weak(system), "strong_mention_match")
    assert (score.gold, score.system) == tuple(map(len, covered))
    assert score.tp == len(covered[0] & covered[1])


def test_surfaces_that_the_text_does_not_give():
    document = corpus([Mention(begin=2, end=5, surface="abc")]).documents[0]
    assert [one.surface for one in to_weak(document).mentions] == ["a", "b", "c"]
    parts = (Span(begin=2, end=3), Span(begin=4, end=5))
    document = corpus([Mention(begin=2, end=5, surface="a c", fragments=parts)]).documents[0]
    assert [(one.begin, one.surface) for one in to_weak(document).mentions] == [
        (2, None),
        (4, None),
    ]


def test_a_mention_of_absurd_length_is_refused():
    document = corpus([mention(0, "A", end=LIMIT + 1)]).documents[0]
    with pytest.raises(EvaluationError, match="0-1000001 of document d0 is too long"):
        to_weak(document)
