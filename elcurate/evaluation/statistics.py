"""How sure scores are: intervals of one system, and tests between systems, over documents."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import numpy as np

from elcurate.errors import EvaluationError
from elcurate.evaluation.paired import Paired, paired_bootstrap, randomisation
from elcurate.evaluation.resampling import (
    VALUES,
    bca,
    bootstrap,
    holm,
    jackknife,
    percentiles,
    values_of,
)
from elcurate.evaluation.sampling import Intervals, Sampling, Significance
from elcurate.evaluation.statistics_records import Difference, Estimate, Interval
from elcurate.evaluation.tallies import Cell, Tallies
from elcurate.measures.assignment import Floats
from elcurate.measures.named import measure_name
from elcurate.spec import Form, show


def confidence(
    tallies: Tallies, sampling: Sampling, intervals: Intervals | None = None
) -> dict[str, list[Estimate]]:
    """Bootstrap intervals of every system's scores.

    Raises:
        EvaluationError: when there are fewer than two documents.
    """
    _need_documents(tallies)
    how = intervals or Intervals()
    zero = tallies.setup.policy.zero
    found = {}
    for name, counts in tallies.counts.items():
        samples = bootstrap(counts, sampling, zero)
        without = jackknife(counts, zero) if how.method == "bca" else None
        found[name] = [
            _estimate(tallies, name, place, samples[:, place], without, how, sampling)
            for place in range(len(tallies.cells))
        ]
    return found


def significance(
    tallies: Tallies, sampling: Sampling, options: Significance | None = None
) -> list[Difference]:
    """Paired tests between every two systems, p-values adjusted over the pairs of each measure.

    Raises:
        EvaluationError: when there are fewer than two systems or documents.
    """
    _need_documents(tallies)
    how = options or Significance()
    if len(tallies.counts) < 2:
        raise EvaluationError("a test needs at least two systems")
    names = list(tallies.counts)
    paired = Paired(
        np.stack(list(tallies.counts.values())),
        list(itertools.combinations(range(len(names)), 2)),
        tallies.setup.policy.zero,
        how.tail,
    )
    if how.test == "randomisation":
        p, exact = randomisation(paired, sampling)
    else:
        p, exact = paired_bootstrap(paired, sampling), np.zeros(len(paired.pairs), dtype=bool)
    adjusted = np.apply_along_axis(holm, 0, p)
    drawn = {"test": how.test, "tail": how.tail, "trials": sampling.trials, "seed": sampling.seed}
    return [
        _difference(tallies, paired, sampling, (place, cell), (p, adjusted), drawn, exact=known)
        for place, known in enumerate(exact.tolist())
        for cell in range(len(tallies.cells))
    ]


def _estimate(
    tallies: Tallies,
    name: str,
    place: int,
    samples: Floats,
    without: Floats | None,
    how: Intervals,
    sampling: Sampling,
) -> Estimate:
    cell = tallies.cells[place]
    sums = tallies.counts[name][place].sum(axis=1)
    values = values_of(sums, tallies.setup.policy.zero)
    intervals = {}
    for number, value in enumerate(VALUES):
        column = samples[:, number]
        ends = [
            percentiles(column, level)
            if without is None
            else bca(column, without[:, place, number], float(values[number]), level)
            for level in how.levels
        ]
        intervals[value] = tuple(
            Interval(level=level, low=end and end[0], high=end and end[1])
            for level, end in zip(how.levels, ends, strict=True)
        )
    score = tallies.setup.form(cell.measure, cell.part, {}, tallies.inputs[name])
    drawn = {"method": how.method, "trials": sampling.trials, "seed": sampling.seed}
    return Estimate(
        **of_cell(cell, float(sums[0]), sampling),
        signature=show(Form("Confidence", (), {"score": score, **drawn})),
        value=named_values(values),
        intervals=intervals,
    )


def _difference(
    tallies: Tallies,
    paired: Paired,
    sampling: Sampling,
    at: tuple[int, int],
    p: tuple[Floats, Floats],
    drawn: Mapping[str, object],
    *,
    exact: bool,
) -> Difference:
    """The difference of one pair in one cell, at those places."""
    pair, place = at
    cell, names = tallies.cells[place], list(tallies.counts)
    first, second = paired.pairs[pair]
    step = paired.f1_of_documents[second, place] - paired.f1_of_documents[first, place]
    spread = float(step.std(ddof=1))
    gold = float(paired.counts[[first, second], place, 0].sum(axis=1).max())
    inputs = {name: tallies.inputs[names[first]][name] for name in ("gold", "elcurate")}
    systems = {
        side: tallies.inputs[names[number]]["system"]
        for side, number in (("first", first), ("second", second))
    }
    score = tallies.setup.form(cell.measure, cell.part, {}, inputs)
    return Difference(
        **of_cell(cell, gold, sampling),
        signature=show(Form("Difference", (), {"score": score, **systems, **drawn})),
        first=names[first],
        second=names[second],
        values=(
            named_values(paired.values[first, place]),
            named_values(paired.values[second, place]),
        ),
        difference=_by_value(paired.observed[pair, place]),
        p=_by_value(p[0][pair, place]),
        holm=_by_value(p[1][pair, place]),
        wins=int(np.count_nonzero(step > 1e-12)),
        ties=int(np.count_nonzero(np.abs(step) <= 1e-12)),
        losses=int(np.count_nonzero(step < -1e-12)),
        effect=float(step.mean()) / spread if spread > 0 else None,
        exact=exact,
    )


def _by_value(numbers: Floats) -> dict[str, float]:
    return dict(zip(VALUES, numbers.tolist(), strict=True))


def of_cell(cell: Cell, gold: float, sampling: Sampling) -> Mapping[str, object]:
    """What every record of a cell says, with a warning where there is little gold."""
    few = f"only {gold:g} gold units" if gold < sampling.fewest else None
    return {
        "measure": measure_name(cell.measure),
        "slice": dict(cell.part.leaves),
        "gold": gold,
        "warning": few,
    }


def named_values(values: Floats) -> dict[str, float | None]:
    """Precision, recall and F1 by name; None for NaN."""
    return {
        name: None if np.isnan(value) else float(value)
        for name, value in zip(VALUES, values, strict=True)
    }


def _need_documents(tallies: Tallies) -> None:
    if len(tallies.documents) < 2:
        raise EvaluationError(
            f"statistics over documents need at least two, not {len(tallies.documents)}",
            remedy="Split the corpus into documents.",
        )
