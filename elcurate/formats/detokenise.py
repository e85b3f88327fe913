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
_LONGEST = 32
_FURTHEST = 1 << 16
_Numbers = npt.NDArray[np.int64]
_Tables = tuple[npt.NDArray[np.object_], npt.NDArray[np.bool_]]


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
    ends = begins[lasts] + lengths[lasts]
    return Made(
        text,
        tuple(_KNOWN.take(begins, lengths)),
        tuple(
            Span(begin=begin, end=end)
            for begin, end in zip(begins[firsts].tolist(), ends.tolist(), strict=True)
        ),
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


class _Known:
    """Spans of tokens by length and begin: documents begin alike, and to find is less than to make.

    The tables grow with the longest text that was made, up to `_FURTHEST`.
    """

    def __init__(self) -> None:
        self.tables = _tables(1)

    def take(self, begins: _Numbers, lengths: _Numbers) -> list[Span]:
        """The spans of these begins and lengths; those that are not usual are made anew."""
        usual = (lengths < _LONGEST) & (begins < _FURTHEST)
        spans, made = self.wide(int(begins.max(where=usual, initial=0)))
        places = np.where(usual, lengths * spans.shape[1] + begins, 0)
        for number in np.flatnonzero(usual & ~made.take(places)):
            begin, length = int(begins[number]), int(lengths[number])
            spans[length, begin] = Span(begin=begin, end=begin + length)
            made[length, begin] = True
        found: list[Span] = spans.take(places).tolist()
        for number in np.flatnonzero(~usual):
            begin, length = int(begins[number]), int(lengths[number])
            found[number] = Span(begin=begin, end=begin + length)
        return found

    def wide(self, last: int) -> _Tables:
        """The tables, with room for spans that begin at ``last``."""
        width = self.tables[0].shape[1]
        if last >= width:
            wider = _tables(1 << last.bit_length())
            for old, new in zip(self.tables, wider, strict=True):
                new[:, :width] = old
            self.tables = wider
        return self.tables


def _tables(width: int) -> _Tables:
    size = (_LONGEST, width)
    return np.full(size, None, dtype=object), np.zeros(size, dtype=bool)


_KNOWN = _Known()
