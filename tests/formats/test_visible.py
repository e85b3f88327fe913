"""The visible part of texts with markup, and the way there and back."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elcurate.formats.visible import VisibleText, without_markup
from elcurate.model.corpus import Document, Mention, Span

RAW = (
    '<?xml version="1.0"?>\n<!DOCTYPE doc>\n<doc id="a>b">\n<post author="Ann Lee">\n'
    "AT&amp;T &#38; Zürich<!-- not this --> &lt;b&gt; &nope; 3 < 4 & 5 > 2\n"
    "<![CDATA[<raw>]]> 😀<br/>end <http://e.org> x@y <!-- open\n</post>\n</doc>"
)
SHOWN = "\n\n\n\nAT&T & Zürich <b> &nope; 3 < 4 & 5 > 2\n<raw> 😀end  x@y <!-- open\n\n"
PIECES = ["a", "é😀", "\n", " ", "&amp;", "&", ";", "<b>", "</b>", "<", ">", '<a x="', '"', "'"]
PIECES += ["<!--", "-->", "<![CDATA[", "]]>", "&#65;", "&notit;", "<?pi?>", "\x00"]


def test_what_is_visible() -> None:
    assert VisibleText.of(RAW).text == SHOWN


@pytest.mark.parametrize(
    ("raw", "shown"),
    [("AT&amp;T", "AT&T"), ("Zürich", "Zürich"), ("<raw>", "<raw>"), ("&nope;", "&nope;")],
)
def test_spans_there_and_back(raw: str, shown: str) -> None:
    text = VisibleText.of(RAW)
    begin = RAW.index(raw)
    there = text.to_visible(begin, begin + len(raw))
    assert there is not None
    assert text.text[slice(*there)] == shown
    assert text.to_raw(*there) == (begin, begin + len(raw))


def test_a_span_in_markup_has_no_visible_place() -> None:
    begin = RAW.index("Ann Lee")
    assert VisibleText.of(RAW).to_visible(begin, begin + 7) is None


def test_a_span_across_markup_keeps_its_visible_part() -> None:
    text = VisibleText.of("New <b>York</b> City")
    assert text.to_visible(0, 20) == (0, 13)
    assert text.to_visible(2, 6) == (2, 4)
    assert text.to_raw(0, 13) == (0, 20)


@pytest.mark.parametrize("raw", ["", "<a>", "plain"])
def test_empty_spans(raw: str) -> None:
    text = VisibleText.of(raw)
    for place in range(len(text.text) + 1):
        begin, end = text.to_raw(place, place)
        assert begin == end
        assert text.to_visible(begin, end) == (place, place)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_every_visible_character_is_found_again(raw: str) -> None:
    text = VisibleText.of(raw)
    assert len(text.starts) == len(text.ends) == len(text.text)
    for place, char in enumerate(text.text):
        begin, end = text.to_raw(place, place + 1)
        there = text.to_visible(begin, end)
        assert there is not None
        assert there[0] <= place < there[1]
        assert raw[begin:end] == char or raw[begin] == "&"


@pytest.mark.parametrize(
    "piece", ['<a "', "<a '", "<!--", "<![CDATA[", "&a", "<a", '<a"<', "&amp;", "<a>", "</", "]]>"]
)
def test_hostile_texts_take_linear_time(piece: str) -> None:
    start = time.perf_counter()
    VisibleText.of(piece * 50_000)
    assert time.perf_counter() - start < 5


def test_document_without_markup() -> None:
    author, company = RAW.index("Ann Lee"), RAW.index("AT&amp;T")
    document = Document(
        id="d",
        text=RAW,
        mentions=(
            Mention(begin=author, end=author + 7),
            Mention(begin=company, end=company + 8, attributes={"a": "b"}),
        ),
        tokens=(Span(begin=company, end=company + 8), Span(begin=author, end=author + 3)),
        metadata={"kept": True},
    )
    shown, hidden = without_markup(document)
    assert shown.text == SHOWN
    assert [shown.surface(mention) for mention in shown.mentions] == ["AT&T"]
    assert shown.mentions[0].attributes == {"a": "b"}
    assert [(span.begin, span.end) for span in shown.tokens] == [(4, 8)]
    assert shown.metadata == {"kept": True}
    assert hidden == [document.mentions[0]]


def test_document_without_text() -> None:
    document = Document(id="d", mentions=(Mention(begin=3, end=4),))
    assert without_markup(document) == (document, [])
