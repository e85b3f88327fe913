"""How measures agree about systems: correlations of their scores."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
from pydantic import Field

from elcurate.errors import EvaluationError
from elcurate.evaluation.records import CorpusInfo, Entities, Evaluation, Score
from elcurate.measures.assignment import Floats
from elcurate.model.record import Record
from elcurate.spec import parse_form, show

COEFFICIENTS = ("pearson", "spearman", "kendall")
FEWEST = 3
"""Fewer systems have no correlation worth the name."""


class Spread(Record):
    """The scores of one measure over the systems.

    Attributes:
        signature: What the scores can be computed from again, but for the systems.
        systems: How many have a score.
        quartiles: Least, lower quartile, median, upper quartile, greatest; interpolated.
    """

    measure: str
    signature: str
    systems: int
    quartiles: tuple[float, float, float, float, float] | None


class Correlation(Record):
    """Two measures over the systems that both are defined for.

    Attributes:
        systems: How many those are.
        pearson: The product-moment correlation of the scores.
        spearman: That of their ranks, equal scores sharing the mean of theirs.
        kendall: τ-b, which corrects for equal scores.
    """

    first: str
    second: str
    systems: int
    pearson: float | None
    spearman: float | None
    kendall: float | None


class CorrelationReport(Record):
    """What ``elcurate correlate --format json`` prints.

    Attributes:
        value: ``precision``, ``recall`` or ``f1``.
        systems: Their names.
    """

    elcurate: str
    profile: str
    settings: dict[str, str] = Field(default_factory=dict)
    gold: CorpusInfo
    entities: Entities | None = None
    value: str
    systems: tuple[str, ...]
    measures: tuple[Spread, ...]
    correlations: tuple[Correlation, ...]


def correlate(found: Evaluation, value: str = "f1") -> CorrelationReport:
    """Correlates every two measures over the systems of an evaluation.

    A coefficient is None where a measure gives all systems the same score, or fewer than three
    systems have both scores.

    Args:
        found: The scores; those of slices and groups don't count.
        value: ``precision``, ``recall`` or ``f1``.

    Raises:
        EvaluationError: for fewer than three systems or two measures.
    """
    columns: dict[str, dict[str, Score]] = {}
    for system in found.systems:
        for score in system.scores:
            if not score.slice and not score.group:
                columns.setdefault(score.measure, {})[system.name] = score
    names = tuple(system.name for system in found.systems)
    if len(names) < FEWEST:
        raise EvaluationError(
            f"correlations need at least {FEWEST} systems, not {len(names)}",
            remedy="Two or less always agree or disagree perfectly.",
        )
    if len(columns) < 2:
        raise EvaluationError(
            f"correlations need at least two measures, not {len(columns)}",
            remedy="Name several with -m.",
        )
    scores = {
        measure: np.array([_number(column.get(name), value) for name in names])
        for measure, column in columns.items()
    }
    return CorrelationReport(
        elcurate=found.elcurate,
        profile=found.profile,
        settings=found.settings,
        gold=found.gold,
        entities=found.entities,
        value=value,
        systems=names,
        measures=tuple(
            _spread(name, next(iter(columns[name].values())), column)
            for name, column in scores.items()
        ),
        correlations=tuple(
            _correlation(pair, scores[pair[0]], scores[pair[1]])
            for pair in itertools.combinations(scores, 2)
        ),
    )


def _number(score: Score | None, value: str) -> float:
    number = None if score is None else getattr(score, value)
    return np.nan if number is None else float(number)


def _spread(measure: str, one: Score, scores: Floats) -> Spread:
    form = parse_form(one.signature)
    of_all = {name: stated for name, stated in form.kwargs.items() if name != "system"}
    known = scores[~np.isnan(scores)]
    quartiles = np.percentile(known, [0, 25, 50, 75, 100]).tolist() if len(known) else None
    return Spread(
        measure=measure,
        signature=show(replace(form, kwargs=of_all)),
        systems=len(known),
        quartiles=quartiles and tuple(quartiles),
    )


def _correlation(pair: tuple[str, str], first: Floats, second: Floats) -> Correlation:
    both = ~(np.isnan(first) | np.isnan(second))
    x, y = first[both], second[both]
    values: dict[str, float | None] = dict.fromkeys(COEFFICIENTS)
    if len(x) >= FEWEST and np.ptp(x) > 0 and np.ptp(y) > 0:
        values = {
            "pearson": _pearson(x, y),
            "spearman": _pearson(_ranks(x), _ranks(y)),
            "kendall": _kendall(x, y),
        }
    return Correlation(first=pair[0], second=pair[1], systems=len(x), **values)


def _pearson(x: Floats, y: Floats) -> float:
    a, b = x - x.mean(), y - y.mean()
    return float(np.clip((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum()), -1, 1))


def _ranks(x: Floats) -> Floats:
    """Ranks, equal values sharing the mean of theirs."""
    _, places, times = np.unique(x, return_inverse=True, return_counts=True)
    last = np.cumsum(times)
    ranks: Floats = (last - (times - 1) / 2)[places]
    return ranks


def _kendall(x: Floats, y: Floats) -> float:
    """Kendall, Rank correlation methods (1948), chapter 3: τ-b."""
    upper = np.triu_indices(len(x), 1)
    a = np.sign(x[:, None] - x)[upper]
    b = np.sign(y[:, None] - y)[upper]
    return float((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum()))
