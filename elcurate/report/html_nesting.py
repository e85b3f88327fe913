"""Spans in a text as properly nested HTML elements, whether they nest, cross or coincide."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup


class Mark(NamedTuple):
    """A span to mark; where two cross, a gold one stays whole if it can."""

    begin: int
    end: int
    gold: bool
    number: int


class Piece(NamedTuple):
    """An opening (``first`` and ``last`` say which piece of its mark), a closing or text."""

    mark: Mark | None
    text: str = ""
    opens: bool = False
    first: bool = True
    last: bool = True


def fits(text: str, begin: int, end: int) -> bool:
    """Whether a span is a stretch of the text."""
    return 0 <= begin < end <= len(text)


def marked_text(text: str, marks: Sequence[Mark], opening: Callable[[Piece], Markup]) -> Markup:
    """The text with an element around each mark, in as few pieces as crossings need.

    Args:
        text: The text; all marks must fit.
        marks: The marks.
        opening: The start tag of a ``span`` element for a piece.
    """
    parts: list[str | Markup] = []
    for piece in pieces(text, marks):
        if piece.mark is None:
            parts.append(piece.text)
        else:
            parts.append(opening(piece) if piece.opens else Markup("</span>"))
    return Markup("").join(parts)


def pieces(text: str, marks: Sequence[Mark]) -> list[Piece]:
    """The text as a well-nested sequence of openings, closings and text."""
    found = list(_sweep(text, marks))
    seen: set[Mark] = set()
    for place, piece in enumerate(found):
        if piece.mark is not None and piece.opens:
            found[place] = piece._replace(first=piece.mark not in seen)
            seen.add(piece.mark)
    for place in reversed(range(len(found))):
        mark = found[place].mark
        if mark is not None and found[place].opens:
            found[place] = found[place]._replace(last=mark in seen)
            seen.discard(mark)
    return found


def _sweep(text: str, marks: Sequence[Mark]) -> Iterator[Piece]:
    starting: dict[int, list[Mark]] = {}
    for mark in marks:
        starting.setdefault(mark.begin, []).append(mark)
    places = {len(text), *starting, *(mark.end for mark in marks)}
    stack: list[Mark] = []
    at = 0
    for place in sorted(places):
        if at < place:
            yield Piece(None, text[at:place])
            at = place
        waiting = starting.get(place, [])
        depth = _keep(stack, place, waiting)
        for mark in reversed(stack[depth:]):
            yield Piece(mark)
        waiting = [*waiting, *(mark for mark in stack[depth:] if mark.end > place)]
        waiting.sort(key=lambda mark: (-mark.end, not mark.gold, mark.number))
        stack[depth:] = waiting
        for mark in waiting:
            yield Piece(mark, opens=True)


def _keep(stack: list[Mark], place: int, waiting: list[Mark]) -> int:
    """How many open elements stay open.

    Those above one that ends must be closed, and so must system mentions that a starting gold
    mention outlasts.
    """
    depth = next((i for i, mark in enumerate(stack) if mark.end <= place), len(stack))
    longest = max((mark.end for mark in waiting if mark.gold), default=0)
    while depth and not stack[depth - 1].gold and stack[depth - 1].end < longest:
        depth -= 1
    return depth
