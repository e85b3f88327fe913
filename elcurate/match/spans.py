"""How the mentions of one side lie to each other: repeated, nested, crossing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from elcurate.match.numbering import Bools, Ints, dense


@dataclass(frozen=True)
class SpanPairs:
    """The distinct spans of some mentions, and the pairs of them that overlap.

    Spans that end before they begin are left out. Of two nested spans the outer one is ``first``;
    of two crossing ones it is the one that begins first.

    Attributes:
        row: The first of the mentions on each distinct span, in the order (document, begin, -end).
        mentions: How many mentions stand on each distinct span.
        first, second: Places in ``row`` of the pairs.
        nested: Whether the first contains the second; if not, the two cross.
    """

    row: Ints
    mentions: Ints
    first: Ints
    second: Ints
    nested: Bools


def span_pairs(document: Ints, begin: Ints, end: Ints) -> SpanPairs:
    """Finds repeated spans, and the overlapping pairs of distinct spans of each document.

    A span contains another if that begins and ends within it and is not equal to it; two spans
    cross if they share a character and neither contains the other. The spans that overlap one and
    come after it are a stretch of the sorted spans, so the work is n log n and what is found.

    Args:
        document: The number of each mention's document.
        begin, end: Offsets, half-open.
    """
    rows = np.flatnonzero(begin <= end)
    rows = rows[np.lexsort((rows, -end[rows], begin[rows], document[rows]))]
    fields = document[rows], begin[rows], end[rows]
    new = np.ones(len(rows), dtype=bool)
    new[1:] = np.logical_or.reduce([field[1:] != field[:-1] for field in fields])
    starts = np.flatnonzero(new)
    mentions = np.diff(starts, append=len(rows))
    rows = rows[starts]
    first, second = _overlapping(*(field[starts] for field in fields))
    nested = end[rows[second]] <= end[rows[first]]
    inside = (begin[rows[first]] == end[rows[first]]) & ~nested
    first, second = np.where(inside, second, first), np.where(inside, first, second)
    return SpanPairs(rows, mentions, first, second, nested | inside)


def _overlapping(document: Ints, begin: Ints, end: Ints) -> tuple[Ints, Ints]:
    """The places of all pairs of spans that overlap or contain each other, the earlier first.

    Positions are doubled, so that an empty span can stand between the spans that end and those
    that begin where it is.
    """
    empty = begin == end
    positions = np.concatenate([2 * begin + ~empty, 2 * end + empty])
    ranks = document * len(positions) + dense(positions).reshape(2, -1)
    order = np.argsort(ranks[0], kind="stable")
    start, stop = ranks[:, order]
    places = np.arange(len(order))
    counts = np.searchsorted(start, stop, side="right") - places - 1
    first = np.repeat(places, counts)
    skipped = np.repeat(np.cumsum(counts) - counts, counts)
    second = np.arange(len(first)) - skipped + first + 1
    return order[first], order[second]
