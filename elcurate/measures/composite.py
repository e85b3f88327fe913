"""Composite measures: the ratio of two others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from elcurate.errors import SpecError

if TYPE_CHECKING:
    from elcurate.measures.base import Measure

PREFIX = "ratio("


@dataclass(frozen=True)
class Ratio:
    """Precision, recall and F1 of one measure, each divided by that of another.

    So the ratio of strong_link_match to strong_mention_match says how much of a system's mention
    detection survives linking.

    Attributes:
        of: The measure above the line.
        to: The measure below it.
    """

    of: Measure
    to: Measure

    def __str__(self) -> str:
        return f"{PREFIX}{self.of}, {self.to})"

    @property
    def parts(self) -> tuple[Measure, Measure]:
        """Both measures."""
        return self.of, self.to

    @property
    def fuzzy(self) -> bool:
        """Whether a membership matters."""
        return self.of.fuzzy or self.to.fuzzy

    def as_fuzzy(self) -> Ratio:
        """The ratio of both with recall weighted by membership."""
        return Ratio(self.of.as_fuzzy(), self.to.as_fuzzy())


def ratio_parts(text: str) -> tuple[str, str]:
    """The two measures in ``ratio(MEASURE, MEASURE)``.

    Raises:
        SpecError: for another form.
    """
    inner = text.strip()[len(PREFIX) : -1]
    parts = [part.strip() for part in inner.split(",")]
    if not text.strip().endswith(")") or len(parts) != 2 or not all(parts):
        raise SpecError(
            f"{text!r} is no ratio",
            remedy="Write ratio(MEASURE, MEASURE), such as "
            "ratio(strong_link_match, strong_mention_match).",
        )
    return parts[0], parts[1]
