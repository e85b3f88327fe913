"""The tokens of a document, for the writers of formats that have one token a line.

A document's own tokens are taken where they cover its text; otherwise words and punctuation marks
are. Tokens are cut where a mention or a sentence begins or ends.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from elcurate.formats.base import Writing
from elcurate.model.change import Loss
from elcurate.model.corpus import Document, Span

_MARKS = (
    "!-/:-@\\[-^`{-~\xa1\xa7\xab\xb6\xb7\xbb\xbf\u2010-\u2027\u2030-\u205e"
    "\u3001-\u3003\u3008-\u3011\u3014-\u301f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
)
_TOKEN = re.compile(rf"[^\s{_MARKS}]+|[{_MARKS}]")


class Cut(NamedTuple):
    """A text cut into tokens.

    Attributes:
        begins: Where each token begins.
        ends: Where each token ends.
        sentences: The numbers of the tokens of each sentence.
    """

    begins: list[int]
    ends: list[int]
    sentences: list[range]

    def inside(self, begin: int, end: int) -> range:
        """The numbers of the tokens inside a span."""
        first = bisect_left(self.begins, begin)
        return range(first, max(first, bisect_right(self.ends, end)))

    def sentence_spans(self) -> tuple[Span, ...]:
        """The sentences, each from its first token to its last."""
        return tuple(
            Span(begin=self.begins[numbers[0]], end=self.ends[numbers[-1]])
            for numbers in self.sentences
        )


def tokenise(
    document: Document, text: str, writing: Writing, words: re.Pattern[str] = _TOKEN
) -> Cut:
    """Cuts a document into tokens, and reports stated tokens and sentences that are not kept.

    Args:
        document: With or without tokens of its own.
        text: Its text.
        writing: Where to report.
        words: What the tokens are of a document without any; by default words and marks.
    """
    edges = {place for part in document.sentences for place in (part.begin, part.end)}
    places = edges | {place for mention in document.mentions for place in mention.span}
    for mention in document.mentions:
        places |= {place for part in mention.fragments for place in (part.begin, part.end)}
    spans = [(token.begin, token.end) for token in document.tokens]
    if not spans or not _covers(spans, text):
        spans = [match.span() for match in words.finditer(text)]
    spans = _cut(spans, sorted(places), text)
    begins, ends = [begin for begin, _ in spans], [end for _, end in spans]
    marks = sorted({0, len(spans), *(bisect_left(begins, edge) for edge in edges)})
    cut = Cut(begins, ends, [range(first, stop) for first, stop in pairwise(marks)])
    if document.tokens and spans != [(token.begin, token.end) for token in document.tokens]:
        _report(writing, document, "tokens", len(document.tokens))
    if document.sentences and cut.sentence_spans() != document.sentences:
        _report(writing, document, "sentences", len(document.sentences))
    return cut


def _covers(spans: Sequence[tuple[int, int]], text: str) -> bool:
    """Whether tokens are in order and apart, and only white space is outside of them."""
    place = 0
    for begin, end in spans:
        if not place <= begin < end <= len(text) or text[place:begin].strip():
            return False
        if text[begin].isspace() or text[end - 1].isspace():
            return False
        place = end
    return not text[place:].strip()


def _cut(spans: list[tuple[int, int]], places: list[int], text: str) -> list[tuple[int, int]]:
    """Tokens cut at places, without white space at their edges."""
    found = []
    for begin, end in spans:
        inner = places[bisect_right(places, begin) : bisect_left(places, end)]
        if not inner:
            found.append((begin, end))
            continue
        for first, stop in pairwise([begin, *inner, end]):
            piece = text[first:stop]
            blank = len(piece) - len(piece.lstrip())
            if blank < len(piece):
                found.append((first + blank, first + len(piece.rstrip())))
    return found


def _report(writing: Writing, document: Document, kind: str, count: int) -> None:
    reason = "tokens and sentences have to cover the text once, and mentions whole tokens"
    writing.losses.append(Loss(kind=kind, where=document.id, what=f"{count} {kind}", reason=reason))
