"""Rules on the check itself."""

from __future__ import annotations

from elcurate.rules.base import reader_rule

CRASHED = reader_rule(
    "X101",
    "rule-crashed",
    "error",
    "A rule failed with an error of its own; it was not asked again. What it would have found "
    "is not known, so the corpus counts as not checked by it.",
    example="a third party's rule that divides by zero",
    source="the engine of elcurate",
    scope="engine",
)
UNUSED_WAIVER = reader_rule(
    "X102",
    "unused-waiver",
    "warning",
    "A waiver matches no finding: the fault was corrected, or the waiver names another place.",
    example="a waiver for a document that no longer exists",
    source="the engine of elcurate",
    scope="engine",
)
