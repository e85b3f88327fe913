"""Scores from counts: values, what is shown of a group, and the signature."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from elcurate.evaluation.records import Score
from elcurate.evaluation.setup import Setup
from elcurate.evaluation.slices import Slice
from elcurate.measures.assignment import Floats
from elcurate.measures.base import Measure
from elcurate.measures.named import measure_name
from elcurate.measures.scores import prf_of_arrays
from elcurate.spec import show

_VALUES = ("precision", "recall", "f1")
_GROUP = "group={}"

Group = Mapping[str, str | None]


class ScoreMaker:
    """Makes the scores of one measure on one slice.

    Counts are arrays of gold units, system units, system units that are right, and gold units
    that are found, a row for each score.

    Args:
        setup: What is scored and how.
        measure: The measure.
        part: The slice.
        inputs: What signatures say of the inputs; without any, scores have no signature.
    """

    def __init__(
        self, setup: Setup, measure: Measure, part: Slice, inputs: Mapping[str, str]
    ) -> None:
        real = measure.kind != "sets" or setup.weights_for(measure) is not None
        self.number = float if real else int
        self.gold_number = float if real or measure.fuzzy else int
        self.weighted = real or measure.fuzzy
        self.zero = setup.policy.zero
        self.hidden = ("by",) if len(setup.group_by) > 1 else ("by", "over")
        self.fields = {"measure": measure_name(measure), "slice": dict(part.leaves)}
        self.around: tuple[str, str] | None = None
        if inputs:
            before, _, after = setup.signature(measure, part, {}, inputs).rpartition(_GROUP)
            self.around = before + _GROUP[:-2], after

    def each(self, groups: Iterable[Group], counts: Floats) -> Iterator[Score]:
        """A score of each group."""
        values = self._values(counts).tolist()
        for group, row, scored in zip(groups, counts.tolist(), values, strict=True):
            gold, system, right, found = row
            precision, recall, f1 = (None if value != value else value for value in scored)
            both = self.weighted or right != found
            yield Score(
                **self._stated(group),
                gold=self.gold_number(gold),
                system=self.number(system),
                tp=self.number(right),
                fp=self.number(system - right),
                fn=self.gold_number(gold - found),
                precision=precision,
                recall=recall,
                f1=f1,
                precision_tp=self.number(right) if both else None,
                recall_tp=self.gold_number(found) if both else None,
            )

    def mean(self, group: Group, counts: Floats) -> Score:
        """The mean of every number that is defined, over all rows."""
        gold, system, right, found = counts.T
        values = self._values(counts)
        known = {
            name: column[~np.isnan(column)] for name, column in zip(_VALUES, values.T, strict=True)
        }
        columns = {
            "gold": gold,
            "system": system,
            "tp": right,
            "fp": system - right,
            "fn": gold - found,
        }
        both = self.weighted or bool((right != found).any())
        return Score(
            **self._stated(group),
            **{name: _mean(column) or 0.0 for name, column in columns.items()},
            **{name: _mean(column) for name, column in known.items()},
            precision_tp=_mean(right) if both else None,
            recall_tp=_mean(found) if both else None,
            averaged={name: len(column) for name, column in known.items()},
        )

    def _values(self, counts: Floats) -> Floats:
        gold, system, right, found = counts.T
        return prf_of_arrays(gold, system, right, found, self.zero)

    def _stated(self, group: Group) -> dict[str, object]:
        shown = {key: value for key, value in group.items() if key not in self.hidden}
        before, after = self.around or ("", "")
        signature = f"{before}{show(group)}{after}" if self.around else ""
        return {**self.fields, "signature": signature, "group": shown}


def _mean(column: Floats) -> float | None:
    """The mean, added up in order."""
    return sum(column.tolist()) / len(column) if len(column) else None
