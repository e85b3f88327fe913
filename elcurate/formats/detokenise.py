"""A text made of tokens, for the formats that have no other.

Tokens and sentences become spans of the made text, so that writing gives the same tokens back.
Readers take the style from `elcurate.formats.base.ReadOptions` and record it in the metadata
under `KEY`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from operator import add
from typing import NamedTuple

from elcurate.model.corpus import Span
from elcurate.registry import Registry

KEY = "detokenise"
"""Where metadata name the style."""

_NOT_WORD = re.compile(r"\W", re.ASCII)
_NOTHING: Mapping[int, str] = {}


@dataclass(frozen=True)
class Style:
    """How tokens become a text: one blank between two, a line end between two sentences.

    Attributes:
        name: As given to `ReadOptions.detokenise`.
        text: What it is, in a few words.
        glues: Whether a token that begins with a non-word character (ASCII letters, digits and
            ``_`` are word characters) follows the one before it directly, also over a sentence's
            end.
        ends: Whether a line end follows the last sentence too.
    """

    name: str
    text: str
    glues: bool = False
    ends: bool = False


STYLES: Registry[Style] = Registry("detokenisation")
"""Every style by name."""

for _style in (
    Style("space", "a blank between tokens, a line end between sentences"),
    Style("bat", "as the BAT framework: no blank before punctuation", glues=True, ends=True),
):
    STYLES.add(_style.name, _style)


class Made(NamedTuple):
    """A text made of tokens.

    Attributes:
        text: The text.
        tokens: The span of each token, over all sentences.
        sentences: The span of each sentence that has tokens.
    """

    text: str
    tokens: tuple[Span, ...]
    sentences: tuple[Span, ...]


def detokenise(
    sentences: Sequence[Sequence[str]], style: Style, after: Mapping[int, str] = _NOTHING
) -> Made:
    """Makes a text of the tokens of sentences.

    Args:
        sentences: The tokens, sentence by sentence.
        style: One of `STYLES`.
        after: What follows a token, by its number in the document, where the file states it
            (``SpaceAfter=No``); the style decides for the others.
    """
    sentences = [sentence for sentence in sentences if sentence]
    if style.glues or after:
        text, begins, ends = _pieced(sentences, style, after)
    else:
        text = "\n".join(map(" ".join, sentences))
        text += "\n" if style.ends and text else ""
        lengths = [len(token) for sentence in sentences for token in sentence]
        ends = [end - 1 for end in accumulate(length + 1 for length in lengths)]
        begins = [end - length for end, length in zip(ends, lengths, strict=True)]
    last = list(accumulate(map(len, sentences)))
    return Made(
        text,
        tuple(map(span, begins, ends)),
        tuple(
            span(begins[stop - len(sentence)], ends[stop - 1])
            for sentence, stop in zip(sentences, last, strict=True)
        ),
    )


def _pieced(
    sentences: Sequence[Sequence[str]], style: Style, after: Mapping[int, str]
) -> tuple[str, list[int], list[int]]:
    """The text, and where each token begins and ends."""
    pieces: list[str] = []
    numbers = range(sum(map(len, sentences)))
    stops = {stop - 1 for stop in accumulate(map(len, sentences))}
    tokens = (token for sentence in sentences for token in sentence)
    for number, token in zip(numbers, tokens, strict=True):
        if style.glues and number and number - 1 not in after and _NOT_WORD.match(token):
            pieces[-1] = ""
        pieces += (token, after.get(number, "\n" if number in stops else " "))
    if pieces and not style.ends and numbers[-1] not in after:
        pieces[-1] = ""
    lengths = list(map(len, pieces))
    begins = [0, *accumulate(map(add, lengths[::2], lengths[1::2]))][:-1]
    return "".join(pieces), begins, list(map(add, begins, lengths[::2]))


@lru_cache(maxsize=1 << 17)
def span(begin: int, end: int) -> Span:
    """A span; those made before are made once, since documents begin alike."""
    return Span(begin=begin, end=end)
