"""`compare`: systems side by side, with intervals and tests over documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from elcurate.evaluation.documents import check_documents, compare_documents
from elcurate.evaluation.evaluate import Input, as_table, corpus_info, entities_info, system_info
from elcurate.evaluation.records import SystemInfo
from elcurate.evaluation.resampling import VALUES, values_of
from elcurate.evaluation.sampling import Intervals, Sampling, Significance
from elcurate.evaluation.setup import Setup, make_setup
from elcurate.evaluation.statistics import confidence, named_values, of_cell, significance
from elcurate.evaluation.statistics_records import (
    ComparedCell,
    ComparedScore,
    Comparison,
    ConfidenceReport,
    Difference,
    Estimate,
    EstimatedSystem,
    SignificanceReport,
)
from elcurate.evaluation.tallies import Tallies, only_countable, tally
from elcurate.kb.canonicalise import EntityMap
from elcurate.measures.membership import Membership
from elcurate.measures.weights import TypeWeights
from elcurate.version import VERSION


@dataclass(frozen=True)
class Counted:
    """Gold and systems, counted document by document.

    Attributes:
        tallies: The counts.
        head: What every report says of them.
        systems: What it says of each system.
    """

    tallies: Tallies
    head: Mapping[str, object]
    systems: tuple[SystemInfo, ...]


def count_documents(
    gold: Input,
    systems: Mapping[str, Input],
    setup: Setup,
    left_out: Mapping[str, str] | None = None,
) -> Counted:
    """Counts systems document by document.

    Args:
        gold: The gold corpus or its table.
        systems: System outputs by name.
        setup: What is counted and how.
        left_out: Measures that were left out of the setup, and why.

    Raises:
        EvaluationError: as `elcurate.evaluation.tallies.tally`.
    """
    table = as_table(gold)
    check_documents("the gold", table)
    tables = {name: as_table(system) for name, system in systems.items()}
    tallies = tally(table, tables, setup)
    head = {
        "elcurate": VERSION,
        "profile": setup.profile,
        "settings": setup.settings(),
        "gold": corpus_info(table),
        "documents": len(tallies.documents),
        "left_out": dict(left_out or {}),
        "entities": entities_info(
            setup, table, {name: setup.moves(one) for name, one in tables.items()}
        ),
    }
    infos = (
        system_info(name, one, compare_documents(name, table, one, setup.policy))
        for name, one in tables.items()
    )
    return Counted(tallies, head, tuple(infos))


def estimate(counted: Counted, sampling: Sampling, intervals: Intervals) -> ConfidenceReport:
    """Intervals of all scores, as a report."""
    found = confidence(counted.tallies, sampling, intervals)
    return ConfidenceReport(
        **counted.head,
        min_gold=sampling.fewest,
        method=intervals.method,
        trials=sampling.trials,
        seed=sampling.seed,
        systems=tuple(
            EstimatedSystem(**dict(system), estimates=tuple(found[system.name]))
            for system in counted.systems
        ),
    )


def contrast(counted: Counted, sampling: Sampling, options: Significance) -> SignificanceReport:
    """Tests of all pairs of systems, as a report."""
    return SignificanceReport(
        **counted.head,
        min_gold=sampling.fewest,
        test=options.test,
        tail=options.tail,
        trials=sampling.trials,
        seed=sampling.seed,
        systems=counted.systems,
        differences=tuple(significance(counted.tallies, sampling, options)),
    )


def compare(
    gold: Input,
    systems: Mapping[str, Input],
    *,
    measures: Sequence[str] | None = None,
    profile: str = "default",
    by: Sequence[str] = (),
    where: str | None = None,
    membership: str | Membership | None = None,
    policies: Mapping[str, str] | None = None,
    weights: TypeWeights | None = None,
    entities: EntityMap | None = None,
    linkable: Input | None = None,
    sampling: Sampling | None = None,
    significance: Significance | None = None,
    intervals: Intervals | None = None,
) -> Comparison:
    """Compares systems on one gold corpus, with tests of all pairs over documents.

    Args:
        gold, systems: As for `elcurate.evaluation.evaluate.evaluate`, two systems or more.
        measures, profile, by, where, membership, policies, weights, entities, linkable: As there.
            Measures of the profile that documents can't be drawn for are left out.
        sampling: How resamples are drawn.
        significance: How pairs are tested, and which p-values are significant.
        intervals: How intervals are made; none by default. Only the first level is reported.

    Raises:
        SpecError: for names, values or expressions that don't exist or parse.
        EvaluationError: for measures that can't be tested, fewer than two systems or documents,
            and documents that don't fit.
    """
    setup = make_setup(
        measures=measures,
        profile=profile,
        by=by,
        where=where,
        membership=membership,
        policies=policies,
        weights=weights,
        entities=entities,
        linkable=None if linkable is None else as_table(linkable),
    )
    left_out: dict[str, str] = {}
    if measures is None:
        setup, left_out = only_countable(setup)
    counted = count_documents(gold, systems, setup, left_out)
    return compare_counted(
        counted, sampling or Sampling(), significance or Significance(), intervals
    )


def compare_counted(
    counted: Counted,
    sampling: Sampling,
    options: Significance,
    intervals: Intervals | None = None,
) -> Comparison:
    """`compare` for systems that are already counted."""
    tested = contrast(counted, sampling, options)
    estimates = None if intervals is None else confidence(counted.tallies, sampling, intervals)
    tables = []
    for place, cell in enumerate(counted.tallies.cells):
        differences = tested.differences[place :: len(counted.tallies.cells)]
        beaten = _beaten(differences, options.alpha)
        scores = tuple(
            ComparedScore(
                system=name,
                beats={value: beaten.get((name, value), ()) for value in VALUES},
                **_values(
                    counted.tallies, name, place, estimates[name][place] if estimates else None
                ),
            )
            for name in counted.tallies.counts
        )
        gold = max(difference.gold for difference in differences)
        tables.append(ComparedCell(**of_cell(cell, gold, sampling), scores=scores))
    return Comparison(
        **dict(tested),
        alpha=options.alpha,
        method=intervals and intervals.method,
        tables=tuple(tables),
    )


def _values(
    tallies: Tallies, name: str, place: int, estimated: Estimate | None
) -> Mapping[str, object]:
    """Signature and values of one score, and its intervals if they were made."""
    if estimated is not None:
        first = {value: several[0] for value, several in estimated.intervals.items()}
        return {
            "signature": estimated.signature,
            "value": estimated.value,
            "intervals": first,
        }
    cell = tallies.cells[place]
    values = values_of(tallies.counts[name][place].sum(axis=1), tallies.setup.policy.zero)
    return {
        "signature": tallies.setup.signature(cell.measure, cell.part, {}, tallies.inputs[name]),
        "value": named_values(values),
    }


def _beaten(
    differences: Sequence[Difference], alpha: float
) -> dict[tuple[str, str], tuple[str, ...]]:
    """Per system and value the systems that it is significantly higher than."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for one in differences:
        for value, higher, lower in _significant(one, alpha):
            found[higher, value] = (*found.get((higher, value), ()), lower)
    return found


def _significant(one: Difference, alpha: float) -> Iterator[tuple[str, str, str]]:
    """Value, higher and lower system, where the adjusted p-value is small enough."""
    for value in VALUES:
        if one.holm[value] <= alpha and one.difference[value]:
            pair = (one.second, one.first) if one.difference[value] > 0 else (one.first, one.second)
            yield value, *pair
