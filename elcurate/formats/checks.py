"""What every input has to hold, whatever its format."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from typing import Any

from elcurate.errors import ReadError
from elcurate.formats.features import place
from elcurate.model.change import Repair
from elcurate.model.corpus import Document, Mention, Span

LIMIT = 2**53
"""Offsets beyond this are no offsets."""


def checked(document: Document, repairs: list[Repair], path: str) -> Document:
    """The document itself; spans that its text doesn't have are reported.

    Raises:
        ReadError: for offsets beyond `LIMIT` and for scores that are not finite.
    """
    absurd = _absurd(document)
    if absurd is not None:
        raise ReadError(
            f"the span {absurd.begin}-{absurd.end} is absurd",
            path=path,
            document=document.id,
            remedy="Offsets count the characters of the text.",
        )
    for score in _scores(document):
        if score is not None and not math.isfinite(score):
            raise ReadError(
                f"the score {score} is not finite",
                path=path,
                document=document.id,
                remedy="Leave the score out where there is none.",
            )
    end = LIMIT if document.text is None else len(document.text)
    for mention in document.mentions:
        if not 0 <= mention.begin <= mention.end <= end:
            _report(repairs, document, mention)
    return document


def load_json(text: str) -> Any:
    """JSON without NaN, infinite numbers and lone surrogates, which other tools can't read.

    Raises:
        ValueError: for these, and for what is not JSON or nested too deeply.
    """
    try:
        found = json.loads(text, parse_constant=_finite, parse_float=_finite)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if "\\ud" in text or "\\uD" in text:
        json.dumps(found, ensure_ascii=False).encode()
    return found


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"the number {text} is not finite")
    return number


def _absurd(document: Document) -> Mention | Span | None:
    """The first span with an offset beyond `LIMIT`."""
    fragments = [part for mention in document.mentions for part in mention.fragments]
    parts: Sequence[Mention | Span]
    for parts in (document.mentions, document.sentences, document.tokens, fragments):
        offsets = [part.begin for part in parts]
        offsets += [part.end for part in parts]
        if offsets and (min(offsets) < -LIMIT or max(offsets) > LIMIT):
            return next(one for one in parts if max(abs(one.begin), abs(one.end)) > LIMIT)
    return None


def _scores(document: Document) -> Iterable[float | None]:
    for mention in document.mentions:
        for link in mention.links:
            yield link.score
    for tag in document.tags:
        yield tag.score


def _report(repairs: list[Repair], document: Document, mention: Mention) -> None:
    kind = "impossible-span" if document.text is None else "span-outside-text"
    where = place(document, mention)
    if not any(repair.kind == kind and repair.where == where for repair in repairs[-100:]):
        repairs.append(Repair(kind=kind, where=where, after="kept as it is"))
