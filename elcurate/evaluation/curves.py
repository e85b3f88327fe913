"""Curves: fuzzy scores over α, and scores over cumulated combinations of leaves.

Source: Rosales-Méndez, Hogan and Poblete, EMNLP 2019, figures 4 and 5.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from elcurate.evaluation.groups import Numbers
from elcurate.evaluation.profiles import PROFILES
from elcurate.evaluation.records import Curve, Point
from elcurate.evaluation.run import Scoring
from elcurate.evaluation.slices import Choice, Slice, combinations
from elcurate.match.numbering import Bools
from elcurate.measures.composite import Ratio
from elcurate.measures.membership import parse_membership
from elcurate.measures.named import measure_name
from elcurate.measures.scores import prf

RANKINGS = ("precision", "recall", "f1")


def alpha_curves(scoring: Scoring, alphas: Sequence[float]) -> Iterator[Curve]:
    """Each set measure, fuzzy under ``strict-relaxed(alpha)``, at each α."""
    setup = scoring.setup
    variant = (
        PROFILES.get(setup.profile).variant if setup.profile in PROFILES else "emnlp2019-paper"
    )
    for measure in setup.measures:
        if isinstance(measure, Ratio) or measure.kind != "sets":
            continue
        fuzzy = measure.as_fuzzy()
        points = []
        for alpha in alphas:
            membership = parse_membership(f"strict-relaxed({alpha})", variant)
            part = Scoring(
                replace(setup, membership=membership, measures=(fuzzy,)),
                scoring.pair,
                scoring.inputs,
            )
            numbers = Numbers.of(part.counter(fuzzy)(part.choose(Slice())))
            points.append(_point(part, alpha, f"α = {alpha:g}", numbers))
        yield Curve(kind="alpha", measure=measure_name(fuzzy), points=tuple(points))


def cumulative_curves(scoring: Scoring) -> Iterator[Curve]:
    """For each score, the union of the first k combinations, ranked by that score.

    Combinations with an undefined score rank last; ties keep the order of the tables.
    """
    parts = [Slice(leaves) for leaves in combinations(scoring.pair)]
    choices = [scoring.choose(part) for part in parts]
    for measure in scoring.setup.measures:
        if isinstance(measure, Ratio) or measure.parts:
            continue
        counted = scoring.counter(measure)
        numbers = [Numbers.of(counted(choice)) for choice in choices]
        for ranked_by in RANKINGS:
            order = sorted(
                range(len(parts)), key=lambda place: -_rank(scoring, numbers[place], ranked_by)
            )
            points = []
            union: Bools = np.zeros(len(scoring.pair.gold), dtype=bool)
            for k, place in enumerate(order, 1):
                rows = choices[place].rows
                union = union if rows is None else union | rows
                label = " ".join(parts[place].leaves.values())
                pooled = Numbers.of(counted(Choice(scoring.pair, union)))
                points.append(_point(scoring, k, label, pooled))
            yield Curve(
                kind="cumulative",
                measure=measure_name(measure),
                ranked_by=ranked_by,
                points=tuple(points),
            )


def _rank(scoring: Scoring, numbers: Numbers, ranked_by: str) -> float:
    value = getattr(prf(*numbers, scoring.setup.policy.zero), ranked_by)
    return -1.0 if value is None else float(value)


def _point(scoring: Scoring, x: float, label: str, numbers: Numbers) -> Point:
    values = prf(*numbers, scoring.setup.policy.zero)
    return Point(
        x=x,
        label=label,
        gold=numbers.gold,
        system=numbers.system,
        tp=numbers.recall_tp,
        precision=values.precision,
        recall=values.recall,
        f1=values.f1,
    )
