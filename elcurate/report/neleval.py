"""Scores in the columns of neleval 3.1.1, for scripts that read its output."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from elcurate.evaluation.records import Score
from elcurate.measures.base import Measure
from elcurate.measures.named import find_measures, measure_name

COLUMNS = ("ptp", "fp", "rtp", "fn", "precis", "recall", "fscore", "measure")
FIELDS = {"document": "docid", "type": "type", "entity": "kbid", "nil": "is_nil"}
"""What it calls the fields of groups."""

_WHOLE = {"sets", "muc", "mention_ceaf", "mention_cs_ceaf", "pairwise", "pairwise_negative"}
"""The aggregators that count in whole numbers."""
_NOTHING = "0\t" * 7
_PLAIN = "{:.0f}\t" * 4
_DECIMALS = "{:.3f}\t" * 4


def render_neleval(
    scores: Iterable[Score],
    fields: Sequence[str],
    given: Mapping[str, str] | None = None,
    *,
    weighted: bool = False,
) -> str:
    """The scores of one system as ``neleval evaluate`` prints them, by the names of their rows.

    With groups there are no rows for the whole, as there. Slices, which it doesn't know, are named
    as groups are. Undefined values are ``nan``.

    Args:
        scores: All scores.
        fields: The fields of their groups, in the order asked for.
        given: Names to print for those of measures (`given_names`).
        weighted: Whether there are type weights, with which it counts in fractions.
    """
    rows = []
    for (measure, _), some in _by_measure(scores).items():
        shown = _Rows((given or {}).get(measure, measure), fields, _form(measure, some, weighted))
        rows += [shown.row(score) for score in some if bool(score.group) == bool(fields)]
    rows.sort()
    return "".join(["\t".join(COLUMNS), "\n", *(f"{cells}{name}\n" for name, cells in rows)])


def given_names(asked: Iterable[str]) -> dict[str, str]:
    """Forms of measures as they were written, by the names that elcurate gives them."""
    return {
        measure_name(measure): name
        for name in asked
        if ":" in name
        for measure in find_measures([name])
    }


def _by_measure(scores: Iterable[Score]) -> dict[tuple[str, str], list[Score]]:
    """The scores of each measure and slice."""
    found: dict[tuple[str, str], list[Score]] = {}
    for score in scores:
        found.setdefault((score.measure, str(score.slice)), []).append(score)
    return found


def _form(name: str, scores: Sequence[Score], weighted: bool) -> str:
    """How the counts of a measure are written: ``whole``, ``real``, or ``none`` without a group."""
    if any(score.averaged is not None and not any(score.averaged.values()) for score in scores):
        return "none"
    (measure,) = find_measures([name])
    aggregator = measure.aggregator if isinstance(measure, Measure) else ""
    if aggregator == "entity_ceaf":
        return aggregator
    whole = aggregator in _WHOLE and not weighted and not measure.fuzzy
    return "whole" if whole else "real"


class _Rows:
    """The rows of one measure and slice.

    Args:
        name: The measure's.
        fields: Those of groups.
        form: How counts are written.
    """

    def __init__(self, name: str, fields: Sequence[str], form: str) -> None:
        self.name = name
        self.fields = fields
        self.form = form

    def row(self, score: Score) -> tuple[str, str]:
        """Name and numbers, each number before a tab."""
        slices = "".join(f';{dimension}="{leaf}"' for dimension, leaf in score.slice.items())
        name = self.name + slices + "".join(self._group(score))
        if score.averaged is not None and self.form == "none":
            return name, _NOTHING
        found = score.tp if score.recall_tp is None else score.recall_tp
        counts = score.tp, score.fp, found, score.fn
        values = "".join(
            "nan\t" if value is None else f"{value:.3f}\t"
            for value in (score.precision, score.recall, score.f1)
        )
        return name, self._counts(score).format(*counts) + values

    def _counts(self, score: Score) -> str:
        if score.averaged is None and self.form in ("whole", "none"):
            return _PLAIN
        if self.form == "entity_ceaf" and not (score.gold or score.system):
            return "{:.0f}\t{:.3f}\t" * 2  # what can't be assigned is a whole 0 there
        return _DECIMALS

    def _group(self, score: Score) -> Iterator[str]:
        average = score.group.get("average")
        for field in self.fields:
            if average is None:
                label = score.group[field]
                value = label if field == "nil" and label is not None else json.dumps(label)
            else:
                over = score.group.get("over", field)
                value = f"<{average if over == field else 'micro'}>"
            yield f";{FIELDS[field]}={value}"
