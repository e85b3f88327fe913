"""The overlap leaf, computed from spans."""

from __future__ import annotations

from collections.abc import Iterable

_LEAVES = {
    (False, False): "none",
    (True, False): "maximal",
    (True, True): "intermediate",
    (False, True): "minimal",
}


def overlap_leaves(spans: Iterable[tuple[int, int]]) -> dict[tuple[int, int], str]:
    """The overlap leaf of each distinct span.

    Equal spans are one; crossing spans don't count.
    """
    ordered = sorted(set(spans), key=lambda span: (span[0], -span[1]))
    contains: list[bool] = []
    least: int | None = None
    for _, end in reversed(ordered):
        contains.append(least is not None and least <= end)
        least = end if least is None else min(least, end)
    leaves = {}
    reach: int | None = None
    for span, outer in zip(ordered, reversed(contains), strict=True):
        inner = reach is not None and span[1] <= reach
        leaves[span] = _LEAVES[outer, inner]
        reach = span[1] if reach is None else max(reach, span[1])
    return leaves
