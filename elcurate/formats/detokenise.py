"""A text made of tokens, for the formats that have no other.

Tokens and sentences become spans of the made text, so that writing gives the same tokens back.
Readers take the style from `elcurate.formats.base.ReadOptions` and record it in the metadata
under `KEY`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from elcurate.model.corpus import Span
from elcurate.registry import Registry

KEY = "detokenise"
"""Where metadata name the style."""

_NOT_WORD = re.compile(r"\W", re.ASCII)
_NOTHING: Mapping[int, str] = {}
_MOST_KNOWN = 1 << 18
_FURTHEST = 1 << 22


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
    tokens = list(chain.from_iterable(sentences))
    stops = list(accumulate(map(len, sentences)))
    lengths = np.fromiter(map(len, tokens), np.int64, len(tokens))
    if style.glues or after:
        gaps = _gaps(tokens, stops, style, after)
        text = "".join(chain.from_iterable(zip(tokens, gaps, strict=True)))
        steps = lengths + np.fromiter(map(len, gaps), np.int64, len(gaps))
    else:
        text = "\n".join(map(" ".join, sentences)) + ("\n" if style.ends and tokens else "")
        steps = lengths + 1
    begins = steps.cumsum() - steps
    firsts = np.array([0, *stops[:-1]] if stops else [], np.int64)
    lasts = np.array(stops, np.int64) - 1
    return Made(
        text,
        _spans(begins, lengths),
        _spans(begins[firsts], begins[lasts] + lengths[lasts] - begins[firsts]),
    )


def _gaps(
    tokens: Sequence[str], stops: Sequence[int], style: Style, after: Mapping[int, str]
) -> list[str]:
    """What follows each token."""
    gaps = [" "] * len(tokens)
    for stop in stops:
        gaps[stop - 1] = "\n"
    if gaps and not style.ends:
        gaps[-1] = ""
    if style.glues:
        for number, token in enumerate(tokens):
            if number and _NOT_WORD.match(token):
                gaps[number - 1] = ""
    for number in after.keys() & set(range(len(tokens))):
        gaps[number] = after[number]
    return gaps


class _Known(dict[int, Span]):
    """Spans by length and begin, made when they are asked for first: documents begin alike.

    The begin is in the low bits, so that a document's tokens are close together in the table.
    """

    def __missing__(self, key: int) -> Span:
        if len(self) >= _MOST_KNOWN:
            self.clear()
        length, begin = divmod(key, _FURTHEST)
        span = self[key] = Span(begin=begin, end=begin + length)
        return span


_KNOWN = _Known()


def _spans(begins: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64]) -> tuple[Span, ...]:
    if begins.size and begins[-1] >= _FURTHEST:
        pairs = zip(begins.tolist(), lengths.tolist(), strict=True)
        return tuple([Span(begin=begin, end=begin + length) for begin, length in pairs])
    return tuple(map(_KNOWN.__getitem__, (lengths * _FURTHEST + begins).tolist()))
