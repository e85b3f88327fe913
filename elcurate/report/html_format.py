"""Numbers and labels as the HTML report prints them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from elcurate.model.categories import DIMENSIONS

UNDEFINED = "–"

METRICS: Mapping[str, str] = {"precision": "Precision", "recall": "Recall", "f1": "F1"}
"""The fields of a score that are plotted and tabulated, with their headings."""

_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff]")


def score(value: float | None) -> str:
    """A score with three decimals; – where it is undefined."""
    return UNDEFINED if value is None or math.isnan(value) else f"{value:.3f}"


def count(value: float | None) -> str:
    """A count: whole numbers without decimals, weighted ones with two."""
    if value is None or math.isnan(value):
        return UNDEFINED
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"


def counts(values: list[float]) -> str:
    """Counts that should agree: one number, or their range when they don't."""
    if not values:
        return UNDEFINED
    low, high = min(values), max(values)
    return count(low) if low == high else f"{count(low)} to {count(high)}"


def plural(number: int, noun: str) -> str:
    """A count with its noun: "1 document", "2 documents"."""
    return f"{count(number)} {noun}{'' if number == 1 else 's'}"


def words(name: str) -> str:
    """An identifier as words: ``full_name`` is "full name"."""
    return name.replace("_", " ")


def heading(name: str) -> str:
    """An identifier as a heading: ``base_form`` is "Base form"."""
    text = re.sub(r"\bnil\b", "NIL", words(name))
    return text[:1].upper() + text[1:]


def leaf_order(dimension: str, leaf: str) -> tuple[int, int, str]:
    """A sort key that follows the published tables; unknown names come last."""
    dimensions = list(DIMENSIONS)
    leaves = DIMENSIONS.get(dimension, ())
    return (
        dimensions.index(dimension) if dimension in dimensions else len(dimensions),
        leaves.index(leaf) if leaf in leaves else len(leaves),
        leaf,
    )


def printable(text: str) -> str:
    """Text without the characters that HTML or UTF-8 can't carry."""
    return _UNPRINTABLE.sub("\ufffd", text)
