"""Membership as a value: a degree per leaf, combined per link or mention."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from elcurate.errors import SpecError, suggestion
from elcurate.match.encode import Side
from elcurate.match.numbering import Bools, Ints
from elcurate.model.categories import BITS, LEAVES, Categories
from elcurate.spec import Form, show

Floats = npt.NDArray[np.float64]

COMBINE: Mapping[str, Callable[[list[float]], float]] = {
    "min": min,
    "max": max,
    "mean": lambda degrees: sum(degrees) / len(degrees),
    "product": lambda degrees: float(np.prod(degrees)),
}
"""How the degrees of a link's leaves become one."""

LEVELS = ("link", "mention")


@dataclass(frozen=True)
class Membership:
    """A degree per leaf, and how they become the membership of a link or mention.

    Attributes:
        form: The canonical printed form.
        degrees: Degree per (dimension, leaf); leaves that are not named have 1.
        combine: A name in `COMBINE`.
        level: ``link`` (each by its own leaves) or ``mention`` (by the leaves of all its links).
        cutoff: Gold with a lower membership is left out.
        function: The user's own function of the categories, instead of degrees.
    """

    form: Form
    degrees: Mapping[tuple[str, str], float] = field(default_factory=dict)
    combine: str = "min"
    level: str = "link"
    cutoff: float = 0.0
    function: Callable[[Categories], float] | None = None

    def __post_init__(self) -> None:
        for name, value, known in (
            ("combine", self.combine, list(COMBINE)),
            ("level", self.level, list(LEVELS)),
        ):
            if value not in known:
                raise SpecError(f"{name} can't be {value!r}", remedy=suggestion(value, known))
        for degree in (self.cutoff, *self.degrees.values()):
            check_degree(degree)

    def __str__(self) -> str:
        return show(self.form)

    def of_mask(self, mask: int) -> float:
        """The membership of a set of leaves, given as bits."""
        pairs = [pair for pair in LEAVES if BITS[pair] & mask]
        if self.function is not None:
            try:
                found = self.function(Categories.of(pairs))
            except Exception as error:
                raise SpecError(f"the membership {self.form.name} failed: {error!r}") from error
            try:
                return check_degree(float(found))
            except (TypeError, ValueError):
                return degree_of(found)
        degrees = [self.degrees.get(pair, 1.0) for pair in pairs]
        return COMBINE[self.combine](degrees) if degrees else 1.0

    def weights(self, gold: Side, chosen: Bools | None = None) -> Floats:
        """The membership of each gold row, in [0, 1].

        Args:
            gold: The gold side.
            chosen: The rows that make up the gold (None: all); mentions are made of these.
        """
        masks = gold.mask
        if self.level == "mention" and len(masks):
            masks = _unions(masks if chosen is None else np.where(chosen, masks, 0), gold.mention)
        seen = np.zeros(1 << len(LEAVES), dtype=bool)
        seen[masks] = True
        degrees = np.empty(len(seen))
        values = np.flatnonzero(seen)
        degrees[values] = [self.of_mask(value) for value in values.tolist()]
        found: Floats = degrees[masks]
        return found


def _unions(masks: npt.NDArray[np.uint32], mentions: Ints) -> npt.NDArray[np.uint32]:
    """For each row the union of the masks of its mention."""
    if (mentions[1:] < mentions[:-1]).any():
        order = np.argsort(mentions, kind="stable")
        masks, mentions = masks[order], mentions[order]
    else:
        order = np.arange(len(masks))
    new = np.ones(len(masks), dtype=bool)
    new[1:] = mentions[1:] != mentions[:-1]
    union = np.bitwise_or.reduceat(masks, np.flatnonzero(new))
    found = np.empty_like(masks)
    found[order] = union[np.cumsum(new) - 1]
    return found


def degree_of(value: object) -> float:
    """A stated degree as a number in [0, 1]; anything else is a `SpecError`."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise SpecError(f"a membership is a number in [0, 1], not {value!r}")
    return check_degree(float(value))


def check_degree(degree: float) -> float:
    """The degree, if it is in [0, 1]; else a `SpecError`."""
    if not 0.0 <= degree <= 1.0:
        raise SpecError(f"a membership is a number in [0, 1], not {degree}")
    return degree
