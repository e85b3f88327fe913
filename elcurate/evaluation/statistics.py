"""How sure scores are: intervals of one system, and tests between systems, over documents."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from elcurate.errors import EvaluationError, SpecError, suggestion
from elcurate.evaluation.resampling import (
    VALUES,
    bca,
    bootstrap,
    holm,
    jackknife,
    percentiles,
    randomised,
    share_as_extreme,
    values_of,
)
from elcurate.evaluation.statistics_records import Difference, Estimate, Interval
from elcurate.evaluation.tallies import Cell, Tallies
from elcurate.measures.assignment import Floats
from elcurate.measures.named import measure_name

METHODS = ("percentile", "bca")
TESTS = ("randomisation", "bootstrap")
TAILS = ("two-sided", "one-sided")


@dataclass(frozen=True)
class Sampling:
    """How resamples are drawn.

    Attributes:
        trials: How many.
        seed: From 0 up; the same seed gives the same numbers.
        jobs: How many threads; the numbers don't depend on it.
        fewest: Slices with fewer gold units get a warning.

    Raises:
        SpecError: for numbers that make no sense.
    """

    trials: int = 10_000
    seed: int = 0
    jobs: int = 1
    fewest: int = 30

    def __post_init__(self) -> None:
        if self.trials < 1 or self.jobs < 1 or self.seed < 0:
            raise SpecError(
                "trials and jobs are numbers from 1 up, a seed from 0 up",
                remedy="Use --trials 10000 --seed 0 --jobs 1.",
            )


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
        samples = bootstrap(counts, sampling.trials, sampling.seed, zero, sampling.jobs)
        without = jackknife(counts, zero) if method == "bca" else None
        found[name] = [
            _estimate(tallies, name, place, samples[:, place], without, levels, sampling)
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
    pairs = list(itertools.combinations(tallies.counts, 2))
    counts = [(tallies.counts[first], tallies.counts[second]) for first, second in pairs]
    zero = tallies.setup.policy.zero
    options = (sampling.trials, sampling.seed, zero, sampling.jobs)
    if test == "randomisation":
        drawn = randomised(counts, *options)
    else:
        samples = {name: bootstrap(one, *options) for name, one in tallies.counts.items()}
        drawn = [(_centred(tallies, samples, *pair), False) for pair in pairs]
    found = [
        difference
        for pair, (samples_, exact) in zip(pairs, drawn, strict=True)
        for difference in _differences(tallies, pair, sampling, samples_, tail, exact=exact)
    ]
    return _adjusted(found, len(tallies.cells))


def _observed(tallies: Tallies, name: str) -> Floats:
    return values_of(tallies.counts[name].sum(axis=2), tallies.setup.policy.zero)


def _centred(tallies: Tallies, samples: Mapping[str, Floats], first: str, second: str) -> Floats:
    """Differences of resamples less the observed difference."""
    drawn = np.nan_to_num(samples[second]) - np.nan_to_num(samples[first])
    observed = np.nan_to_num(_observed(tallies, second)) - np.nan_to_num(_observed(tallies, first))
    centred: Floats = drawn - observed
    return centred


def _estimate(
    tallies: Tallies,
    name: str,
    place: int,
    samples: Floats,
    without: Floats | None,
    levels: Sequence[float],
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
    return Estimate(
        **_of_cell(cell, float(sums[0]), sampling),
        signature=tallies.setup.signature(cell.measure, cell.part, {}, tallies.inputs[name]),
        value=_named(values),
        intervals=intervals,
    )


def _differences(
    tallies: Tallies,
    pair: tuple[str, str],
    sampling: Sampling,
    samples: Floats,
    tail: str,
    *,
    exact: bool,
) -> Iterator[Difference]:
    first, second = pair
    ours, theirs = tallies.counts[first], tallies.counts[second]
    values = _observed(tallies, first), _observed(tallies, second)
    observed = np.nan_to_num(values[1]) - np.nan_to_num(values[0])
    p = share_as_extreme(samples, observed, tail, exact=exact)
    zero = tallies.setup.policy.zero
    f1 = [values_of(np.moveaxis(counts, 2, 0), zero)[..., 2] for counts in (ours, theirs)]
    for place, cell in enumerate(tallies.cells):
        step = np.nan_to_num(f1[1][:, place]) - np.nan_to_num(f1[0][:, place])
        spread = float(step.std(ddof=1))
        gold = float(max(ours[place, 0].sum(), theirs[place, 0].sum()))
        yield Difference(
            **_of_cell(cell, gold, sampling),
            first=first,
            second=second,
            values=(_named(values[0][place]), _named(values[1][place])),
            difference=dict(zip(VALUES, observed[place].tolist(), strict=True)),
            p=dict(zip(VALUES, p[place].tolist(), strict=True)),
            holm={},
            wins=int(np.count_nonzero(step > 1e-12)),
            ties=int(np.count_nonzero(np.abs(step) <= 1e-12)),
            losses=int(np.count_nonzero(step < -1e-12)),
            effect=float(step.mean()) / spread if spread > 0 else None,
            exact=exact,
        )


def _adjusted(found: list[Difference], cells: int) -> list[Difference]:
    """With p-values adjusted over the pairs of systems, cell by cell."""
    changed = list(found)
    for place in range(cells):
        group = range(place, len(found), cells)
        adjusted = {
            value: holm(np.array([found[number].p[value] for number in group])) for value in VALUES
        }
        for order, number in enumerate(group):
            values = {value: float(adjusted[value][order]) for value in VALUES}
            changed[number] = found[number].model_copy(update={"holm": values})
    return changed


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
            f"statistics over documents need at least two, and here {len(tallies.documents)} is",
            remedy="Split the corpus into documents.",
        )


def _known(kind: str, name: str, known: Sequence[str]) -> None:
    if name not in known:
        raise SpecError(f"there is no {kind} {name!r}", remedy=suggestion(name, list(known)))
