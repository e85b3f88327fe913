"""Span relations against their definition, pair by pair."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from elcurate.match.spans import span_pairs
from elcurate.model.corpus import Span

Place = tuple[int, int, int]
PLACES = st.tuples(st.integers(0, 1), st.integers(-2, 6), st.integers(-1, 5)).map(
    lambda place: (place[0], place[1], place[1] + place[2])
)


def relation(one: Place, other: Place) -> str | None:
    """How the first span lies to the second."""
    spans = [Span(begin=begin, end=end) for _, begin, end in (one, other)]
    if one[0] != other[0] or one == other:
        return None
    if spans[0].contains(spans[1]):
        return "contains"
    shared = min(one[2], other[2]) - max(one[1], other[1])
    return "crosses" if shared > 0 and not spans[1].contains(spans[0]) else None


@given(st.lists(PLACES, max_size=12))
def test_pairs_are_those_of_the_definition(places):
    columns = [np.array([place[i] for place in places], dtype=np.int64) for i in range(3)]
    found = span_pairs(*columns)
    possible = [place for place in places if place[1] <= place[2]]
    spans = sorted(set(possible), key=lambda place: (place[0], place[1], -place[2]))
    assert [places[row] for row in found.row] == spans
    assert [places.index(span) for span in spans] == found.row.tolist()
    assert [possible.count(span) for span in spans] == found.mentions.tolist()
    pairs = [
        (spans[first], spans[second], "contains" if nested else "crosses")
        for first, second, nested in zip(found.first, found.second, found.nested, strict=True)
    ]
    expected = {
        (one, other, relation(one, other))
        for one in spans
        for other in spans
        if relation(one, other) == "contains" or (one < other and relation(one, other))
    }
    assert len(pairs) == len(expected)
    assert set(pairs) == expected


def test_offsets_may_be_as_large_as_readers_let_them():
    limit = 2**53 - 1
    begin, end = np.array([0, 5, limit - 1]), np.array([limit, limit - 2, limit])
    found = span_pairs(np.array([7, 7, 7]), begin, end)
    pairs = zip(found.first.tolist(), found.second.tolist(), found.nested.tolist(), strict=True)
    assert sorted(pairs) == [(0, 1, True), (0, 2, True)]
