"""Offsets in every unit, and the diagnosis of documents that count otherwise than they should."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import texts

from elcurate.formats.offsets import (
    CHARACTERS,
    Counting,
    Stated,
    but_for_blanks,
    counted,
    settle,
)
from elcurate.model.change import Repair

UNITS = ("characters", "utf-16", "utf-8", "crlf-as-one", "lf-as-two")
COUNTINGS = [
    Counting(unit, inclusive, first)
    for unit, inclusive, first in itertools.product(UNITS, (False, True), (0, 1))
]
TEXT = "Ä 😀 Angela\r\nin Köln\nund e\u0301"


def spans_of(text: str) -> list[tuple[int, int]]:
    starts = [(text.index(surface), surface) for surface in ("Angela", "Köln", "und")]
    return [(begin, begin + len(surface)) for begin, surface in starts]


def _stated(text: str, counting: Counting) -> list[Stated]:
    spans = spans_of(text)
    return [
        Stated(*there, surface=text[slice(*here)])
        for here, there in zip(spans, counted(text, spans, counting), strict=True)
    ]


@pytest.mark.parametrize("counting", COUNTINGS, ids=str)
def test_every_counting_is_read_as_stated(counting: Counting) -> None:
    repairs: list[Repair] = []
    found = settle(TEXT, _stated(TEXT, counting), repairs, "d", counting)
    assert [(one.begin, one.end) for one in found] == spans_of(TEXT)
    assert repairs == []


@pytest.mark.parametrize("counting", COUNTINGS[1:], ids=str)
def test_every_counting_is_diagnosed(counting: Counting) -> None:
    repairs: list[Repair] = []
    found = settle(TEXT, _stated(TEXT, counting), repairs, "d")
    assert [(one.begin, one.end, one.surface) for one in found] == [
        (begin, end, None) for begin, end in spans_of(TEXT)
    ]
    assert [repair.kind for repair in repairs] == ["offsets"]


@given(text=texts(), data=st.data())
def test_counted_is_the_inverse(text: str, data: st.DataObject) -> None:
    counting = data.draw(st.sampled_from(COUNTINGS))
    assume(counting.unit != "crlf-as-one" or "\r\n" not in text)
    ends = st.integers(0, len(text))
    spans = [tuple(sorted(pair)) for pair in data.draw(st.lists(st.tuples(ends, ends)))]
    stated = [Stated(*pair) for pair in counted(text, spans, counting)]
    found = settle(text, stated, [], "d", counting)
    assert [(one.begin, one.end) for one in found] == spans


def test_one_that_disagrees_keeps_all_as_stated() -> None:
    stated = [*_stated(TEXT, Counting("utf-8")), Stated(0, 3, "Ulm")]
    repairs: list[Repair] = []
    found = settle(TEXT, stated, repairs, "d")
    assert [(one.begin, one.end) for one in found] == [(one.begin, one.end) for one in stated]
    assert {repair.kind for repair in repairs} == {"surface-differs"}
    assert found[-1].surface == "Ulm"


def test_mentions_without_surface_follow_the_others() -> None:
    utf8 = Counting("utf-8")
    stated = [*_stated(TEXT, utf8), Stated(*counted(TEXT, [(0, 1)], utf8)[0])]
    assert settle(TEXT, stated, [], "d")[-1] == Stated(0, 1)


def test_fragments_move_along() -> None:
    text = "😀 left and right"
    spans = [(2, 6), (11, 16)]
    there = counted(text, spans, Counting("utf-16"))
    one = Stated(there[0][0], there[1][1], "left right", tuple(there))
    found = settle(text, [one], [], "d")
    assert found == [Stated(2, 16, None, ((2, 6), (11, 16)))]


def test_blanks_may_differ() -> None:
    stated = [Stated(0, 6, "New York")]
    assert settle("New\n York", [Stated(0, 9, "New York")], [], "d", same=but_for_blanks) == [
        Stated(0, 9)
    ]
    assert settle("New\n York", stated, [], "d", same=but_for_blanks)[0].surface is not None


def test_without_text_only_the_convention_applies() -> None:
    stated = [Stated(5, 9, "Köln")]
    assert settle(None, stated, [], "d", Counting("utf-8", inclusive=True)) == [
        Stated(5, 10, "Köln")
    ]


@pytest.mark.parametrize("offset", [-5, 10**12, 2**60])
@pytest.mark.parametrize("counting", COUNTINGS, ids=str)
def test_absurd_offsets_stay_outside(offset: int, counting: Counting) -> None:
    found = settle(TEXT, [Stated(offset, offset + 1)], [], "d", counting)[0]
    assert not 0 <= found.begin < len(TEXT)


def test_nothing_stated() -> None:
    assert settle("", [], [], "d", CHARACTERS) == []


def test_another_unit_is_likelier_than_another_first_number() -> None:
    repairs: list[Repair] = []
    settle("😀 Köln", [Stated(3, 7, "Köln")], repairs, "d")
    assert [repair.after for repair in repairs] == ["UTF-16 units from 0, ends exclusive"]


def test_a_place_inside_a_character_is_reported() -> None:
    repairs: list[Repair] = []
    found = settle("a😀b", [Stated(2, 4), Stated(3, 4)], repairs, "d", Counting("utf-16"))
    assert [(one.begin, one.end) for one in found] == [(2, 3), (2, 3)]
    assert repairs == [
        Repair(kind="offset-inside-character", where="d 2-3", before="2-4", after="3-4")
    ]
