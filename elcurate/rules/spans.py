"""Rules on single spans."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from pydantic import JsonValue

from elcurate.formats.surfaces import alike
from elcurate.kb.pages import wikipedia_title
from elcurate.model.corpus import Document, Mention
from elcurate.rules.base import Problem, reader_rule, rule

LONG = 12
"""Mentions of more words are descriptions."""

_WORD = re.compile(r"\w+(?:['’-]\w+)*")
_CLOSERS = ",;:)]}"
_OPENERS = ",;:([{"
_PAIRS = {"(": ")", "[": "]", "{": "}", "“": "”"}
_LAST_STOP = re.compile(r"(?:^|\s)[a-z]{5,}\.$")
_SUFFIX = re.compile(r"(?:(?<=a)ns?|i?ans?|e?s|ers?|ish|ese|is?|ic|ites?)(?!\w)")
_NO_BLANKS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff]"
)


@rule(
    "S101",
    "span-outside-text",
    "error",
    repairs=("span-outside-text", "impossible-span"),
    example="`120-131` in a text of 125 characters",
    source="offsets of another version of the text",
)
def outside_text(mention: Mention, document: Document) -> Iterator[Problem]:
    """The span begins before the text or ends after it."""
    length = None if document.text is None else len(document.text)
    if mention.begin < 0 or (length is not None and mention.end > length):
        size = "" if length is None else f", which has {length} characters"
        yield Problem(f"the span is not within the text{size}", _span(mention))


@rule("S102", "inverted-span", "error", example="`20-10`", source="begin and end exchanged")
def inverted(mention: Mention) -> Iterator[Problem]:
    """The span ends before it begins."""
    if mention.end < mention.begin:
        yield Problem("the span ends before it begins", _span(mention))


@rule("S103", "empty-span", "error", example="`10-10`", source="an annotation left over")
def empty(mention: Mention) -> Iterator[Problem]:
    """The span has no character, so nothing can match it."""
    if mention.end == mention.begin:
        yield Problem("the span is empty", _span(mention))


OFFSET_UNIT = reader_rule(
    "S201",
    "offset-unit",
    "warning",
    "The offsets count something else than the format says (UTF-16 units, bytes, inclusive ends); "
    "the stated surfaces prove it. Readers without surfaces get other spans.",
    repairs=("offsets",),
    example="offsets after `😀` that are one too great",
    source="tools written in Java and JavaScript count UTF-16 units",
)


@rule(
    "S202",
    "surface-differs",
    "error",
    repairs=("surface-differs",),
    example="the file says `Merkel`, the text has `Angela` there",
    source="nif:anchorOf and its like repeat what the offsets say",
)
def surface_differs(mention: Mention, document: Document) -> Iterator[Problem]:
    """The surface that the file states is not the text at the span.

    Differences in white space, quotes and dashes don't count.
    """
    if mention.surface is None or document.text is None:
        return
    found = document.surface(mention) or ""
    if not alike(mention.surface, found):
        yield Problem(f"the file states {mention.surface!r}", mention.surface)


@rule(
    "S203",
    "blank-edge",
    "warning",
    fix="safe",
    example="`Paris ` with the blank",
    source="selections with a mouse",
)
def blank_edge(mention: Mention, document: Document) -> Iterator[Problem]:
    """The span begins or ends with white space, so strong matching misses the mention."""
    if document.text is None or mention.fragments:
        return
    surface = document.text[mention.begin : mention.end]
    if not surface or not (surface[0].isspace() or surface[-1].isspace()):
        return
    inner = surface.strip()
    begin = mention.begin + len(surface) - len(surface.lstrip())
    new: list[JsonValue] = [begin, begin + len(inner)]
    message = "white space at the edge of the span"
    yield Problem(message, surface, (("span", new),) if inner else ())


@rule(
    "S204",
    "punctuation-edge",
    "warning",
    fix="unsafe",
    example="`Paris,` or `(Texas`",
    source="selections with a mouse; tokenisers that split at blanks only",
)
def punctuation_edge(mention: Mention, document: Document) -> Iterator[Problem]:
    """The span begins or ends with punctuation that isn't part of a name.

    Brackets that are closed within the span, and the stops of abbreviations, belong to it.
    """
    if document.text is None or mention.fragments:
        return
    surface = document.text[mention.begin : mention.end]
    begin, end = _inner(surface)
    if 0 < end - begin < len(surface) and not (surface[0].isspace() or surface[-1].isspace()):
        new: list[JsonValue] = [mention.begin + begin, mention.begin + end]
        yield Problem("punctuation at the edge of the span", surface, (("span", new),))


@rule(
    "S205",
    "inside-word",
    "warning",
    fix="unsafe",
    example="`Berli` in `Berlin`",
    source="offsets that are off by one",
)
def inside_word(mention: Mention, document: Document) -> Iterator[Problem]:
    """The span begins or ends inside a word.

    Ends before the suffix of a plural, a possessive or a demonym (`Russia|n`), unless the whole
    word is one of the page's title, boundaries between letters and digits and within `CamelCase`,
    and scripts without blanks are as they should be.
    """
    text = document.text
    if text is None or mention.fragments or mention.begin >= mention.end:
        return
    begin, end = mention.span
    while begin > 0 and _joined(text, begin) and mention.begin - begin < 40:
        begin -= 1
    while end < len(text) and _joined(text, end) and end - mention.end < 40:
        end += 1
    if end > mention.end and text[mention.begin].isupper() and _SUFFIX.match(text, mention.end):
        end = end if _in_a_title(text[begin:end], mention) else mention.end
    if (begin, end) != mention.span:
        message = f"part of a word; whole words are {text[begin:end]!r}"
        yield Problem(message, text[slice(*mention.span)], (("span", [begin, end]),))


@rule(
    "S206",
    "crosses-sentence",
    "warning",
    example="a mention from the last word of a sentence to the first of the next",
    source="sentence-based formats can't carry it",
)
def crosses_sentence(document: Document) -> Iterator[Problem]:
    """The span lies in two sentences that the corpus states."""
    ends = sorted(sentence.end for sentence in document.sentences)
    if not ends:
        return
    for number, mention in enumerate(document.mentions):
        at = bisect_right(ends, mention.begin)
        if at < len(ends) - 1 and ends[at] < mention.end:
            yield Problem("the mention crosses the end of a sentence", mention=number)


@rule(
    "S302",
    "long-mention",
    "info",
    example="a whole clause",
    source="descriptions that were taken for mentions",
)
def long_mention(mention: Mention, document: Document) -> Iterator[Problem]:
    """The mention has more than twelve words: a description rather than a mention."""
    if mention.end - mention.begin <= 2 * LONG:
        return
    words = len(_WORD.findall(document.surface(mention) or ""))
    if words > LONG:
        yield Problem("a very long mention", f"{words} words")


def _span(mention: Mention) -> str:
    return f"{mention.begin}-{mention.end}"


def _inner(surface: str) -> tuple[int, int]:
    """Where the surface begins and ends without stray punctuation."""
    begin, end = 0, len(surface)
    while begin < end and surface[begin] in _CLOSERS:
        begin += 1
    while begin < end and surface[end - 1] in _OPENERS:
        end -= 1
    if surface[begin:end] and _LAST_STOP.search(surface[begin:end]):
        end -= 1
    for opener, closer in _PAIRS.items():
        inner = surface[begin:end]
        if inner.startswith(opener) and closer not in inner:
            begin += 1
        elif inner.endswith(closer) and opener not in inner:
            end -= 1
    return begin, end


def _in_a_title(words: str, mention: Mention) -> bool:
    titles = (wikipedia_title(link.entity) for link in mention.links if link.entity)
    return any(words in _WORD.findall(title) for title in titles if title)


def _joined(text: str, at: int) -> bool:
    """Whether the characters around an offset belong to one word."""
    one, two = text[at - 1], text[at]
    if not (one.isalpha() and two.isalpha()) and not (one.isdigit() and two.isdigit()):
        return False
    return not (one.islower() and two.isupper()) and not _NO_BLANKS.match(one)
