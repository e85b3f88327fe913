"""Scores of one system against the gold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from elcurate.evaluation.documents import Documents, compare_documents
from elcurate.evaluation.groups import Grouping, make_grouping
from elcurate.evaluation.making import ScoreMaker
from elcurate.evaluation.means import composed
from elcurate.evaluation.records import Score
from elcurate.evaluation.setup import Setup
from elcurate.evaluation.slices import Choice, Slice, slices_by
from elcurate.match.encode import Pair
from elcurate.match.numbering import Bools, Ints
from elcurate.measures.base import Measure
from elcurate.measures.clustering import CLUSTERING
from elcurate.measures.clusters import compare
from elcurate.measures.composite import Ratio
from elcurate.measures.degrees import Membership
from elcurate.measures.overlaps import count_overlaps
from elcurate.measures.prepared import Prepared, SpanSet, prepare
from elcurate.measures.sets import Counts, count
from elcurate.measures.weights import count_weighted
from elcurate.model.table import Table

Codes = tuple[Ints, Ints] | None


@dataclass
class Scoring:
    """One system against the gold under one setup.

    Attributes:
        setup: What is scored and how.
        pair: The encoded gold and system.
        inputs: What the signatures say of the inputs; without any there are no signatures.
        grouping: The groups, if the setup asks for any.
    """

    setup: Setup
    pair: Pair
    inputs: Mapping[str, str]
    grouping: Grouping | None = None

    def __post_init__(self) -> None:
        where = self.setup.where
        self.filtered: Bools | None = None if where is None else where.test(self.pair)
        self.weights: npt.NDArray[np.float64] | None = None

    def choose(self, part: Slice) -> Choice:
        """The gold rows of a slice under the filter."""
        return Choice(self.pair, self.filtered).narrowed(part.rows(self.pair))

    def parts(self) -> list[Slice]:
        """The slices to score."""
        if self.setup.slices is not None:
            return list(self.setup.slices)
        return slices_by(self.setup.slice_by, self.pair)

    def counter(self, measure: Measure, codes: Codes = None) -> Callable[[Choice], Counts]:
        """A function that counts some gold rows under the setup's policies.

        Args:
            measure: What is counted; not the mean of other measures.
            codes: Group numbers of the rows of both sides, or None.
        """
        if measure.kind == "clusters":
            return lambda choice: self._count_clusters(measure, choice, codes)
        if measure.kind == "overlaps":
            return lambda choice: count_overlaps(
                self.pair,
                measure,
                choice.rows,
                self._spans(measure, choice),
                codes,
                self.setup.policy.pairs,
            )
        weights = self.setup.weights_for(measure)
        if weights is not None:
            return lambda choice: count_weighted(
                self.pair,
                measure,
                weights,
                choice.rows,
                self._spans(measure, choice),
                codes,
                self.setup.policy.duplicates,
            )
        prepared = prepare(self.pair, measure, codes, self.setup.policy.duplicates)
        return lambda choice: self._count(prepared, measure, choice)

    def _spans(self, measure: Measure, choice: Choice) -> SpanSet | None:
        """The spans on which system rows count, None for all."""
        restrict = self.setup.policy_for(measure).restrict
        restricted = restrict == "gold" or (restrict == "slices" and choice.rows is not None)
        return choice.spans if restricted else None

    def _count_clusters(self, measure: Measure, choice: Choice, codes: Codes) -> Counts:
        policy = self.setup.policy
        known = measure.keys, measure.filter, codes is None
        compared = choice.memo.get(known) or compare(
            self.pair,
            measure,
            choice.rows,
            self._spans(measure, choice),
            codes,
            within=policy.clusters,
            unclustered=policy.unclustered,
        )
        if choice.rows is None:
            choice.memo[known] = compared
        return CLUSTERING[measure.aggregator](compared)

    def _count(self, prepared: Prepared, measure: Measure, choice: Choice) -> Counts:
        rows = choice.rows
        weights: npt.NDArray[np.float64] | None = None
        membership = self.setup.membership
        if measure.fuzzy and membership is not None:
            weights = self._weights(membership, rows)
            if membership.cutoff > 0:
                above = weights >= membership.cutoff
                rows = above if rows is None else rows & above
        return count(prepared, rows, self._spans(measure, choice), weights)

    def _weights(self, membership: Membership, rows: Bools | None) -> npt.NDArray[np.float64]:
        """The membership of the gold rows; only that of mentions depends on the slice."""
        if membership.level == "mention" and rows is not None:
            return membership.weights(self.pair.gold, rows)
        if self.weights is None:
            self.weights = membership.weights(self.pair.gold)
        return self.weights

    def scores(self) -> Iterator[Score]:
        """All scores: measure by measure, slice by slice, first the whole, then its groups."""
        choices = [(part, self.choose(part)) for part in self.parts()]
        for measure in self.setup.measures:
            yield from self._scores(measure, choices)

    def _scores(
        self, measure: Measure | Ratio, choices: list[tuple[Slice, Choice]]
    ) -> Iterator[Score]:
        if isinstance(measure, Measure) and not measure.parts:
            yield from self._counted(measure, choices)
            return
        several = [self._scores(part, choices) for part in measure.parts]
        for scores in zip(*several, strict=True):
            yield composed(measure, scores)

    def _counted(self, measure: Measure, choices: list[tuple[Slice, Choice]]) -> Iterator[Score]:
        groups = self.grouping
        whole = self.counter(measure)
        split = None if groups is None else self.counter(measure, groups.codes)
        for part, choice in choices:
            maker = ScoreMaker(self.setup, measure, part, self.inputs)
            yield from maker.each([{}], whole(choice).columns[:, :1].T)
            if groups is None or split is None:
                continue
            cells = groups.cells(split, choice)
            if not self.setup.averages_only:
                yield from maker.each(groups.groups, cells)
            for group, rows in groups.averages(cells):
                if group["average"] == "micro":
                    yield from maker.each([group], rows)
                else:
                    yield maker.mean(group, rows)


def bare_scores(gold: Table, name: str, system: Table, setup: Setup) -> tuple[Score, ...]:
    """The scores of one system without signatures, and without all else that reports say."""
    return tuple(make_scoring(gold, name, system, setup, {})[0].scores())


def make_scoring(
    gold: Table, name: str, system: Table, setup: Setup, inputs: Mapping[str, str]
) -> tuple[Scoring, Documents]:
    """What scores a system of that name, and the documents of both sides.

    Raises:
        EvaluationError: for documents that don't go together.
    """
    documents = compare_documents(name, gold, system, setup.policy)
    pair = setup.encode(gold, system)
    grouping = (
        make_grouping(pair, setup, documents.gold, documents.system) if setup.group_by else None
    )
    return Scoring(setup, pair, inputs, grouping), documents
