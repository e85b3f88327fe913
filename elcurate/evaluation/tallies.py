"""Counts per document: all that the statistics over documents need to know of a system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from elcurate.errors import EvaluationError
from elcurate.evaluation.documents import compare_documents
from elcurate.evaluation.evaluate import fingerprints
from elcurate.evaluation.run import Scoring
from elcurate.evaluation.setup import Setup
from elcurate.evaluation.slices import Slice
from elcurate.match.numbering import Ints
from elcurate.match.policy import Policy
from elcurate.measures.assignment import Floats
from elcurate.measures.base import Measure
from elcurate.measures.composite import Ratio
from elcurate.measures.named import measure_name
from elcurate.measures.sets import Counts
from elcurate.model.table import Table


@dataclass(frozen=True)
class Cell:
    """One measure on one slice of the gold."""

    measure: Measure
    part: Slice


@dataclass(frozen=True)
class Tallies:
    """The counts of several systems against one gold.

    Attributes:
        setup: What was counted and how.
        documents: Document ids, those of the gold first.
        cells: The measures and slices.
        counts: Per system an array of cells × 4 × documents: gold units, system units, system
            units that are right, gold units that are found.
        inputs: What the signatures say of gold and system, per system.
    """

    setup: Setup
    documents: tuple[str, ...]
    cells: tuple[Cell, ...]
    counts: Mapping[str, Floats]
    inputs: Mapping[str, Mapping[str, str]]


def tally(gold: Table, systems: Mapping[str, Table], setup: Setup) -> Tallies:
    """Counts each system per document, documents being aligned by their ids.

    A document that a system lacks is an empty one, unless the setup skips it; one that only
    systems have counts as the policy ``unknown`` says.

    Raises:
        EvaluationError: for a measure whose counts don't add up over documents, for groups in
            the setup, for repeated document ids, and for a document that the gold lacks unless
            the policy allows it.
    """
    measures = countable(setup)
    order = {name: place for place, name in enumerate(gold.documents["document"].to_list())}
    for name, table in systems.items():
        unknown = compare_documents(name, gold, table, setup.policy).unknown
        if setup.policy.unknown == "count":
            for document in unknown:
                order.setdefault(document, len(order))
    parts: list[Slice] = []
    counts, inputs = {}, {}
    for name, table in systems.items():
        pair = setup.encode(gold, table)
        inputs[name] = fingerprints(gold, table)
        scoring = Scoring(setup, pair, inputs[name])
        parts = parts or scoring.parts()
        counts[name] = _counts(scoring, measures, parts, order)
    cells = tuple(Cell(measure, part) for measure in measures for part in parts)
    return Tallies(setup, tuple(order), cells, counts, inputs)


def countable(setup: Setup) -> list[Measure]:
    """The measures of a setup, if they can all be counted document by document.

    Raises:
        EvaluationError: for those that can't, and for groups, all together.
    """
    found, problems = [], []
    for measure in setup.measures:
        try:
            found.append(additive(measure, setup.policy))
        except EvaluationError as error:
            problems.append(str(error))
    if setup.group_by:
        problems.append(
            f"statistics over documents know no groups by {' or '.join(setup.group_by)}. "
            "Use --by with categories, a dimension or combination, or --where."
        )
    if problems:
        raise EvaluationError("\n".join(problems))
    return found


def only_countable(setup: Setup) -> tuple[Setup, dict[str, str]]:
    """A setup without the measures that can't be counted document by document.

    Returns:
        The setup, and why each of the others was left out, by its name.

    Raises:
        EvaluationError: when nothing is left.
    """
    kept: list[Measure | Ratio] = []
    left: dict[str, str] = {}
    for measure in setup.measures:
        try:
            kept.append(additive(measure, setup.policy))
        except EvaluationError as error:
            name = measure_name(measure)
            left[name] = error.message.removeprefix(f"{name} ")
    if not kept:
        reasons = "\n".join(f"{name} {reason}" for name, reason in left.items())
        raise EvaluationError(reasons, remedy="Name measures with -m.")
    return replace(setup, measures=tuple(kept)), left


def additive(measure: Measure | Ratio, policy: Policy) -> Measure:
    """A measure whose counts over a corpus are the sum of those of its documents.

    Raises:
        EvaluationError: for another, with the reason.
    """
    name = measure_name(measure)
    if isinstance(measure, Ratio):
        raise EvaluationError(
            f"{name} is a ratio of scores, and has no counts of documents",
            remedy="Test the measures that it is made of.",
        )
    if measure.kind == "mean":
        raise EvaluationError(
            f"{name} is the mean of other measures, and has no counts of documents",
            remedy="Test the measures that it is the mean of.",
        )
    if measure.kind == "clusters" and policy.clusters != "document":
        raise EvaluationError(
            f"{name} compares clusters that go across documents, so that documents can't be drawn",
            remedy="Use --policy clusters=document to end clusters with their document.",
        )
    if measure.kind != "overlaps" and not measure.by_document:
        raise EvaluationError(
            f"{name} compares sets of the whole corpus, not of its documents",
            remedy="Add the key docid to it.",
        )
    return measure


def _counts(
    scoring: Scoring, measures: list[Measure], parts: list[Slice], order: Mapping[str, int]
) -> Floats:
    pair = scoring.pair
    codes = pair.gold.doc, pair.system.doc
    places = np.array([order.get(name, -1) for name in pair.documents], dtype=np.int64)
    choices = [scoring.choose(part) for part in parts]
    rows = []
    for measure in measures:
        counted = scoring.counter(measure, codes)
        rows += [_placed(counted(choice), places, len(order)) for choice in choices]
    return np.array(rows) if rows else np.zeros((0, 4, len(order)))


def _placed(counts: Counts, places: Ints, size: int) -> Floats:
    """The counts of each document at its place."""
    found = np.zeros((4, size))
    columns = counts.columns
    here = places[: columns.shape[1]]
    found[:, here[here >= 0]] = columns[:, : len(here)][:, here >= 0]
    return found
