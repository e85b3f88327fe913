"""How sure scores are: intervals of one system, and tests between systems, over documents."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from elcurate.errors import EvaluationError, SpecError, suggestion
from elcurate.evaluation.paired import Paired, paired_bootstrap, randomisation
from elcurate.evaluation.resampling import (
    VALUES,
    Draws,
    bca,
    bootstrap,
    holm,
    jackknife,
    percentiles,
    values_of,
)
from elcurate.evaluation.statistics_records import Difference, Estimate, Interval
from elcurate.evaluation.tallies import Cell, Tallies
from elcurate.measures.assignment import Floats
from elcurate.measures.named import measure_name
from elcurate.spec import Form, show

METHODS = ("percentile", "bca")
TESTS = ("randomisation", "bootstrap")
TAILS = ("two-sided", "one-sided")


@dataclass(frozen=True)
class Sampling(Draws):
    """How resamples are drawn.

    Attributes:
        fewest: Slices with fewer gold units get a warning.
    """

    fewest: int = 30


def confidence(
    tallies: Tallies,
    sampling: Sampling,
    levels: Sequence[float] = (0.9, 0.95, 0.99),
    method: str = "percentile",
) -> dict[str, list[Estimate]]:
    """Bootstrap intervals of every system's scores.

    Raises:
        EvaluationError: when there are fewer than two documents.
        SpecError: for an unknown method, or a level outside (0, 1).
    """
    _known("method", method, METHODS)
    _need_documents(tallies)
    if not all(0 < level < 1 for level in levels):
        raise SpecError("levels of confidence lie between 0 and 1", remedy="Use 0.95.")
    zero = tallies.setup.policy.zero
    found = {}
    for name, counts in tallies.counts.items():
        samples = bootstrap(counts, sampling, zero)
        without = jackknife(counts, zero) if method == "bca" else None
        found[name] = [
            _estimate(tallies, name, place, samples[:, place], without, levels, method, sampling)
            for place in range(len(tallies.cells))
        ]
    return found


def significance(
    tallies: Tallies, sampling: Sampling, test: str = "randomisation", tail: str = "two-sided"
) -> list[Difference]:
    """Paired tests between every two systems, p-values adjusted over the pairs of each measure.

    Raises:
        EvaluationError: when there are fewer than two systems or documents.
        SpecError: for an unknown test or tail.
    """
    _known("test", test, TESTS)
    _known("tail", tail, TAILS)
    _need_documents(tallies)
    if len(tallies.counts) < 2:
        raise EvaluationError("a test needs at least two systems")
    names = list(tallies.counts)
    paired = Paired(
        np.stack(list(tallies.counts.values())),
        list(itertools.combinations(range(len(names)), 2)),
        tallies.setup.policy.zero,
        tail,
    )
    if test == "randomisation":
        p, exact = randomisation(paired, sampling)
    else:
        p, exact = paired_bootstrap(paired, sampling), np.zeros(len(paired.pairs), dtype=bool)
    adjusted = np.apply_along_axis(holm, 0, p)
    drawn = {"test": test, "tail": tail, "trials": sampling.trials, "seed": sampling.seed}
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
    levels: Sequence[float],
    method: str,
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
            for level in levels
        ]
        intervals[value] = tuple(
            Interval(level=level, low=end and end[0], high=end and end[1])
            for level, end in zip(levels, ends, strict=True)
        )
    score = tallies.setup.form(cell.measure, cell.part, {}, tallies.inputs[name])
    drawn = {"method": method, "trials": sampling.trials, "seed": sampling.seed}
    return Estimate(
        **_of_cell(cell, float(sums[0]), sampling),
        signature=show(Form("Confidence", (), {"score": score, **drawn})),
        value=_named(values),
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
        **_of_cell(cell, gold, sampling),
        signature=show(Form("Difference", (), {"score": score, **systems, **drawn})),
        first=names[first],
        second=names[second],
        values=(_named(paired.values[first, place]), _named(paired.values[second, place])),
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


def _of_cell(cell: Cell, gold: float, sampling: Sampling) -> Mapping[str, object]:
    few = f"only {gold:g} gold units" if gold < sampling.fewest else None
    return {
        "measure": measure_name(cell.measure),
        "slice": dict(cell.part.leaves),
        "gold": gold,
        "warning": few,
    }


def _named(values: Floats) -> dict[str, float | None]:
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


def _known(kind: str, name: str, known: Sequence[str]) -> None:
    if name not in known:
        raise SpecError(f"there is no {kind} {name!r}", remedy=suggestion(name, list(known)))
