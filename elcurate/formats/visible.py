"""What is visible of a text with SGML or XML markup, and where: raw offsets to visible and back."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from elcurate.model.corpus import Document, Mention, Span

_MARKUP = re.compile(
    r"<!--|<!\[CDATA\["
    r"|<[/!?]?[A-Za-z](?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*+>"
    r"|<[/!?]?[A-Za-z][^<>]*+>"
    r"|&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
)
_CLOSERS = {"<!--": "-->", "<![CDATA[": "]]>"}


@dataclass(frozen=True)
class VisibleText:
    """The visible part of a raw text.

    Tags, comments, declarations and processing instructions are left out, references such as
    ``&amp;`` are the characters they stand for, and everything else is as it is.

    Attributes:
        text: The visible characters.
        starts: Where each visible character begins in the raw text.
        ends: Where each visible character ends in the raw text.
    """

    text: str
    starts: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]

    @classmethod
    def of(cls, raw: str) -> VisibleText:
        """The visible part of a text."""
        pieces: list[str] = []
        starts: list[npt.NDArray[np.int64]] = []
        ends: list[npt.NDArray[np.int64]] = []

        def add(begin: int, end: int, shown: str | None = None) -> None:
            if shown is not None:
                pieces.append(shown)
                starts.append(np.full(len(shown), begin, dtype=np.int64))
                ends.append(np.full(len(shown), end, dtype=np.int64))
            elif begin < end:
                pieces.append(raw[begin:end])
                starts.append(np.arange(begin, end, dtype=np.int64))
                ends.append(np.arange(begin + 1, end + 1, dtype=np.int64))

        done = place = 0
        last = {opener: raw.rfind(closer) for opener, closer in _CLOSERS.items()}
        while (found := _MARKUP.search(raw, place)) is not None:
            begin, place = found.span()
            mark = found.group()
            if mark in _CLOSERS and last[mark] < place:
                continue  # never closed: it is text
            add(done, begin)
            done = begin
            if mark in _CLOSERS:
                end = raw.index(_CLOSERS[mark], place)
                if mark != "<!--":
                    add(place, end)
                done = place = end + 3
            elif mark[0] == "<":
                done = place
            elif (shown := html.unescape(mark)) != mark:
                add(begin, place, shown)
                done = place
        add(done, len(raw))
        return cls("".join(pieces), _joined(starts), _joined(ends))

    def to_visible(self, begin: int, end: int) -> tuple[int, int] | None:
        """The visible span of a raw one; None when nothing of it is visible."""
        first = int(np.searchsorted(self.ends, begin, side="right"))
        last = int(np.searchsorted(self.starts, end, side="left"))
        if first < last:
            return first, last
        return (first, first) if begin == end else None

    def to_raw(self, begin: int, end: int) -> tuple[int, int]:
        """The raw span of a visible one, from its first character to the end of its last."""
        if begin < end:
            return int(self.starts[begin]), int(self.ends[end - 1])
        if begin < len(self.starts):
            at = int(self.starts[begin])
        else:
            at = int(self.ends[-1]) if len(self.ends) else 0
        return at, at


def without_markup(document: Document) -> tuple[Document, list[Mention]]:
    """A document whose text is the visible part of its own, with every span in its new place.

    Returns:
        The document, and the mentions (in raw offsets) that lie inside markup, such as the name
        in ``<post author="…">``: they have no place in the visible text and are left out.
    """
    if document.text is None:
        return document, []
    visible = VisibleText.of(document.text)
    mentions, hidden = [], []
    for mention in document.mentions:
        span = visible.to_visible(*mention.span)
        if span is None:
            hidden.append(mention)
            continue
        places = {"begin": span[0], "end": span[1], "fragments": _moved(mention.fragments, visible)}
        mentions.append(mention.model_copy(update=places))
    fields = {
        "text": visible.text,
        "mentions": tuple(mentions),
        "sentences": _moved(document.sentences, visible),
        "tokens": _moved(document.tokens, visible),
    }
    return document.model_copy(update=fields), hidden


def _moved(spans: tuple[Span, ...], visible: VisibleText) -> tuple[Span, ...]:
    places = (visible.to_visible(span.begin, span.end) for span in spans)
    return tuple(Span(begin=place[0], end=place[1]) for place in places if place is not None)


def _joined(parts: list[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)
