"""Offsets of every kind to code points, and the diagnosis of offsets that miss their surfaces.

A format says how it counts (`Counting`). Where the surfaces that a file states show that a
document counts otherwise (UTF-16 units, UTF-8 bytes, inclusive ends, a first character numbered 1,
other line ends), and one other way of counting explains all of them, that way is taken for the
whole document and reported as one repair. Otherwise each mismatch is reported and kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal

import numpy as np
import numpy.typing as npt

from elcurate.model.change import Repair

Unit = Literal["characters", "utf-16", "utf-8", "crlf-as-one", "lf-as-two"]
_UNITS: dict[Unit, str] = {
    "characters": "characters",
    "utf-16": "UTF-16 units",
    "utf-8": "UTF-8 bytes",
    "crlf-as-one": "characters, CRLF as one",
    "lf-as-two": "characters, LF as two",
}


@dataclass(frozen=True)
class Counting:
    """How a file counts offsets.

    Attributes:
        unit: What one step is.
        inclusive: Whether ends name the last unit of a mention rather than the one after it.
        first: The number of the text's first unit.
    """

    unit: Unit = "characters"
    inclusive: bool = False
    first: int = 0

    def __str__(self) -> str:
        ends = "ends inclusive" if self.inclusive else "ends exclusive"
        return f"{_UNITS[self.unit]} from {self.first}, {ends}"


CHARACTERS = Counting()
INCLUSIVE = Counting(inclusive=True)
UTF_16 = Counting("utf-16")


@dataclass(frozen=True, slots=True)
class Stated:
    """What a file says of a mention's place.

    Attributes:
        begin, end: As the file counts.
        surface: The surface, if the file states one.
        fragments: The pieces of a discontinuous mention, as the file counts.
    """

    begin: int
    end: int
    surface: str | None = None
    fragments: tuple[tuple[int, int], ...] = ()


Same = Callable[[str, str], bool]


def exactly(stated: str, found: str) -> bool:
    """Two surfaces are the same string."""
    return stated == found


def but_for_blanks(stated: str, found: str) -> bool:
    """Two surfaces are the same but for the length and kind of their white space."""
    return stated == found or stated.split() == found.split()


def settle(
    text: str | None,
    stated: Sequence[Stated],
    repairs: list[Repair],
    document: str,
    counting: Counting = CHARACTERS,
    same: Same = exactly,
) -> list[Stated]:
    """The places of a document's mentions in code points, half-open.

    Args:
        text: The document's text, if there is one; without it nothing can be checked, and only
            the end convention and the first number are applied.
        stated: What the file says.
        repairs: What had to be repaired is added here.
        document: The document's id, for the repairs.
        counting: How the format counts.
        same: When a stated surface and the text's agree.

    Returns:
        In the same order; a surface is kept only where the text does not agree with it.
    """
    if text is None:
        return converted("", stated, replace(counting, unit="characters"))
    placed = converted(text, stated, counting)
    missed = [one for one in placed if not _agrees(text, one, same)]
    if missed:
        other = diagnose(text, stated, counting, same)
        if other is not None:
            where = _where(document, missed[0])
            repairs.append(
                Repair(kind="offsets", where=where, before=str(counting), after=str(other))
            )
            placed, missed, counting = converted(text, stated, other), [], other
    if counting.unit != "characters":
        repairs += _rounded(text, stated, placed, document, counting)
    for one in missed:
        repairs.append(
            Repair(
                kind="surface-differs",
                where=_where(document, one),
                before=one.surface or "",
                after=_surface(text, one),
            )
        )
    wrong = set(map(id, missed))
    return [one if id(one) in wrong else replace(one, surface=None) for one in placed]


def _rounded(
    text: str, stated: Sequence[Stated], placed: Sequence[Stated], document: str, counting: Counting
) -> Iterator[Repair]:
    """Reports places in the midst of a character, which became those before or after it."""
    there = counted(text, [(one.begin, one.end) for one in placed], counting)
    for one, found, (begin, end) in zip(stated, placed, there, strict=True):
        if (one.begin, one.end) != (begin, end):
            before, after = f"{one.begin}-{one.end}", f"{begin}-{end}"
            where, kind = _where(document, found), "offset-inside-character"
            yield Repair(kind=kind, where=where, before=before, after=after)


def diagnose(
    text: str, stated: Sequence[Stated], counting: Counting, same: Same = exactly
) -> Counting | None:
    """The likeliest other counting under which all surfaces agree with the text, or None."""
    for other in _others(text, counting):
        if all(_agrees(text, one, same) for one in converted(text, stated, other)):
            return other
    return None


def converted(text: str, stated: Sequence[Stated], counting: Counting) -> list[Stated]:
    """Places as a file counts them in code points, unchecked."""
    ruler = _ruler(text, counting.unit)
    return [_placed(one, ruler, counting) for one in stated]


def counted(
    text: str, spans: Sequence[tuple[int, int]], counting: Counting
) -> list[tuple[int, int]]:
    """Spans in code points as a format counts them: the inverse of `settle`, for writers."""
    starts = _starts(text, counting.unit)
    last = len(starts) - 1

    def number(place: int) -> int:
        inside = min(max(place, 0), last)
        return int(starts[inside]) + place - inside + counting.first

    return [(number(begin), number(end) - counting.inclusive) for begin, end in spans]


def _where(document: str, one: Stated) -> str:
    return f"{document} {one.begin}-{one.end}"


def _agrees(text: str, one: Stated, same: Same) -> bool:
    if one.surface is None:
        return True
    return 0 <= one.begin <= one.end <= len(text) and same(one.surface, _surface(text, one))


def _surface(text: str, one: Stated) -> str:
    if one.fragments:
        return " ".join(text[max(begin, 0) : max(end, 0)] for begin, end in one.fragments)
    return text[max(one.begin, 0) : max(one.end, 0)]


_Ruler = Callable[[int], int]


def _placed(one: Stated, ruler: _Ruler, counting: Counting) -> Stated:
    def place(begin: int, end: int) -> tuple[int, int]:
        return ruler(begin - counting.first), ruler(end - counting.first + counting.inclusive)

    begin, end = place(one.begin, one.end)
    fragments = tuple(place(*fragment) for fragment in one.fragments)
    return Stated(begin, end, one.surface, fragments)


def _others(text: str, counting: Counting) -> Iterator[Counting]:
    """Other ways of counting, the likely ones first; those that differ nowhere are left out."""
    units: list[Unit] = [counting.unit]
    known = [_starts(text, counting.unit)]
    for unit in _UNITS:
        starts = _starts(text, unit)
        if not any(np.array_equal(starts, other) for other in known):
            known.append(starts)
            units.append(unit)
    ways = [
        Counting(unit, inclusive, counting.first + shift)
        for unit, inclusive, shift in product(units, (False, True), (0, 1, -1))
    ]
    ways.sort(key=lambda way: replace(way, unit=counting.unit) != counting)
    yield from ways[1:]


def _ruler(text: str, unit: Unit) -> _Ruler:
    """The code point at an offset; outside the text offsets go on by ones."""
    if unit == "characters":
        return int
    starts = _starts(text, unit)
    total = int(starts[-1])

    def place(offset: int) -> int:
        if not 0 <= offset < total:
            return offset if offset < 0 else len(text) + offset - total
        return int(np.searchsorted(starts, offset))

    return place


def _starts(text: str, unit: Unit) -> npt.NDArray[np.int64]:
    """The offset of each code point and of the end."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    widths = np.ones(len(points), dtype=np.int64)
    if unit == "utf-16":
        widths += points > 0xFFFF
    elif unit == "utf-8":
        for limit in (0x7F, 0x7FF, 0xFFFF):
            widths += points > limit
    elif unit == "crlf-as-one":
        widths[:-1] -= (points[:-1] == 13) & (points[1:] == 10)
    elif unit == "lf-as-two":
        lone = points == 10
        lone[1:] &= points[:-1] != 13
        widths += lone
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(widths)])
