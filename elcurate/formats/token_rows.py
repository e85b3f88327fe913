"""A document as rows of one token each, with one mention at most in every row."""

from __future__ import annotations

import re
from itertools import groupby
from typing import NamedTuple

from elcurate.formats.base import Writing
from elcurate.formats.detokenise import KEY, STYLES, detokenise
from elcurate.formats.docstart import START
from elcurate.formats.features import outermost, place
from elcurate.formats.tokenise import Cut, tokenise
from elcurate.model.change import Loss
from elcurate.model.corpus import Document, Mention, Span

WITH_BLANKS = re.compile(r"\S(?:[^\t\r\n]*[^\s])?")
"""What a token may be where tabs separate the columns."""
WITHOUT_BLANKS = re.compile(r"\S+")
"""What a token may be where blanks do."""


class Marked(NamedTuple):
    """The mentions of one span.

    Attributes:
        numbers: The tokens.
        mentions: The mentions; several where the document repeats a span.
    """

    numbers: range
    mentions: list[Mention]


class Rows(NamedTuple):
    """The rows of a document.

    Attributes:
        sentences: The tokens, sentence by sentence.
        marked: The mentions, in order; none crosses another or a sentence's end.
        stated: Whether the tokens are the document's own.
    """

    sentences: list[list[str]]
    marked: list[Marked]
    stated: bool


def token_rows(document: Document, writing: Writing, token: re.Pattern[str]) -> Rows | None:
    """The rows of a document, None when it has no text; what does not fit in is reported.

    Args:
        document: With or without tokens of its own.
        writing: Where to report.
        token: What a token may be; others are cut.
    """
    text = document.text
    if text is None:
        reason = "the format consists of tokens"
        writing.losses.append(Loss(kind="document", where=document.id, reason=reason))
        return None
    kept = _kept(document, text, writing)
    tokens = _tokens(document, text, writing, token)
    cut = tokenise(document.model_copy(update={"mentions": kept, "tokens": tokens}), text, writing)
    marked = _marked(document, kept, cut, writing)
    sentences = _sentences(document, cut, text, marked, writing)
    words = [
        [_word(text[cut.begins[number] : cut.ends[number]]) for number in numbers]
        for numbers in sentences
    ]
    _check_text(document, words, writing)
    stated = cut.begins == [span.begin for span in document.tokens]
    stated = stated and cut.ends == [span.end for span in document.tokens]
    return Rows(words, marked, stated)


def _kept(document: Document, text: str, writing: Writing) -> list[Mention]:
    """The mentions that rows can hold."""
    kept = []
    for mention in document.mentions:
        if not 0 <= mention.begin < mention.end <= len(text):
            lose(writing, document, mention, "mention", "it has no characters in the text")
        elif text[mention.begin : mention.end].isspace():
            lose(writing, document, mention, "mention", "it has no tokens")
        else:
            kept.append(mention)
    outer = outermost(kept)
    known = {*map(id, outer), *_reported(document)}
    for mention in kept:
        if id(mention) not in known:
            lose(writing, document, mention, "nesting", "a row has one mention")
    return outer


def _reported(document: Document) -> set[int]:
    """The mentions whose nesting is reported already: all mentions count there."""
    return {*map(id, document.mentions)} - {*map(id, outermost(document.mentions))}


def _tokens(
    document: Document, text: str, writing: Writing, token: re.Pattern[str]
) -> tuple[Span, ...]:
    """The document's tokens, cut where they hold what a row can't."""
    if any(not 0 <= span.begin <= span.end <= len(text) for span in document.tokens):
        return document.tokens
    if all(token.fullmatch(text, span.begin, span.end) for span in document.tokens):
        return document.tokens
    reason = "tokens can't hold what separates rows and columns"
    what = f"{len(document.tokens)} tokens"
    writing.losses.append(Loss(kind="tokens", where=document.id, what=what, reason=reason))
    return tuple(
        Span(begin=match.start(), end=match.end())
        for span in document.tokens
        for match in token.finditer(text, span.begin, span.end)
    )


def _marked(
    document: Document, mentions: list[Mention], cut: Cut, writing: Writing
) -> list[Marked]:
    """Mentions by span, with their tokens."""
    marked: list[Marked] = []
    for span, found in groupby(mentions, key=lambda mention: mention.span):
        one = Marked(cut.inside(*span), list(found))
        marked.append(one)
        if (cut.begins[one.numbers[0]], cut.ends[one.numbers[-1]]) != span:
            reason = "white space at the edge of a mention is no token"
            what = place(document, one.mentions[0])
            writing.losses.append(Loss(kind="offsets", where=document.id, what=what, reason=reason))
    return marked


def _sentences(
    document: Document, cut: Cut, text: str, marked: list[Marked], writing: Writing
) -> list[range]:
    """The document's sentences, or its lines; a mention holds them together."""
    stops = {numbers.stop for numbers in cut.sentences}
    if not document.sentences:
        gaps = zip(cut.ends, cut.begins[1:], strict=False)
        stops |= {at for at, (end, begin) in enumerate(gaps, 1) if "\n" in text[end:begin]}
    inner = {number for one in marked for number in one.numbers[1:]}
    if document.sentences and stops & inner and cut.sentence_spans() == document.sentences:
        reason = "a mention goes over the end of a sentence"
        what = f"{len(document.sentences)} sentences"
        writing.losses.append(Loss(kind="sentences", where=document.id, what=what, reason=reason))
    found, first = [], 0
    for stop in sorted(stops - inner - {0}):
        found.append(range(first, stop))
        first = stop
    return found


def _word(token: str) -> str:
    return f"_{token[1:]}" if token.startswith(START) else token


def _check_text(document: Document, sentences: list[list[str]], writing: Writing) -> None:
    """Reports a text that reading the tokens will not give back."""

    def again(style: object) -> bool:
        known = isinstance(style, str) and style in STYLES
        return known and detokenise(sentences, STYLES.get(str(style))).text == document.text

    if again("space"):
        return
    style = writing.metadata.get(KEY)
    reason = "the text is made of the tokens when it is read"
    if again(style):
        reason = f"only --detokenise {style} makes the tokens this text again"
    what = f"{(document.text or '')[:40]}…"
    writing.losses.append(Loss(kind="text", where=document.id, what=what, reason=reason))
    writing.losses.append(Loss(kind="offsets", where=document.id, reason=reason))


def lose(
    writing: Writing, document: Document, mention: Mention, kind: str, reason: str, what: str = ""
) -> None:
    """Reports what is not written of a mention."""
    where = place(document, mention)
    what = what or document.surface(mention) or ""
    writing.losses.append(Loss(kind=kind, where=where, what=what, reason=reason))


def lose_metadata(writing: Writing, document: Document, kept: set[str]) -> None:
    """Reports the document's metadata besides those."""
    gone = [name for name in document.metadata if name not in kept]
    if gone:
        reason = "no place for facts about the document"
        writing.losses.append(
            Loss(kind="metadata", where=document.id, what=", ".join(gone), reason=reason)
        )
