"""`analyze`: every error of a system, with its place and the text around it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from elcurate.errors import SpecError
from elcurate.evaluation.analysis import (
    KINDS,
    Errors,
    Instances,
    Kind,
    classify,
    confusions,
    distinct,
)
from elcurate.evaluation.analysis_records import (
    AnalysedSystem,
    AnalysisReport,
    AnalysisSummary,
    ClassCounts,
    Confusion,
    Instance,
)
from elcurate.evaluation.documents import Documents, compare_documents
from elcurate.evaluation.evaluate import Input, as_table, corpus_info
from elcurate.evaluation.instances import Listing
from elcurate.evaluation.setup import Setup, make_setup
from elcurate.evaluation.slices import SLICE_FIELDS, Choice, slices_by
from elcurate.match.encode import Pair
from elcurate.match.numbering import Bools
from elcurate.version import VERSION

BY_FIELDS = ("document", "type", *SLICE_FIELDS)
_LAST_OF_SPAN = ("neleval",)
"""Profiles of tools that keep the last mention of a span."""


def analyze(
    gold: Input,
    system: Input,
    *,
    name: str = "system",
    profile: str = "default",
    policies: Mapping[str, str] | None = None,
    where: str | None = None,
    by: Sequence[str] = (),
    unique: bool = False,
    top: int = 10,
) -> Analysis:
    """Puts every gold mention and every prediction of a system into a class of errors.

    Args:
        gold, system: Corpora or tables.
        name: The system's.
        profile: A name from `elcurate.evaluation.profiles.PROFILES`.
        policies: Values that replace those of the profile.
        where: A filter over gold links.
        by: ``document``, ``type``, ``categories``, ``combination`` or a dimension.
        unique: Takes errors of one document with the same links as one.
        top: How many confusions are listed.

    Raises:
        SpecError: for names, values or expressions that don't exist or parse.
        EvaluationError: as `elcurate.evaluation.evaluate.evaluate`.
    """
    setup = make_setup(profile=profile, by=by, where=where, policies=policies)
    return analyze_setup(gold, system, setup, name=name, unique=unique, top=top)


def check_by(fields: Sequence[str]) -> None:
    """Refuses fields by which errors are not counted.

    Raises:
        SpecError: with those by which they are.
    """
    for field in fields:
        if field not in BY_FIELDS:
            raise SpecError(
                f"errors are not counted by {field!r}", remedy=f"Known: {', '.join(BY_FIELDS)}"
            )


def analyze_setup(
    gold: Input, system: Input, setup: Setup, *, name: str, unique: bool = False, top: int = 10
) -> Analysis:
    """`analyze` with a setup that is already put together."""
    check_by(setup.by)
    tables = as_table(gold), as_table(system)
    documents = compare_documents(name, *tables, setup.policy)
    pair = setup.encode(*tables)
    classes = _Classes(pair, setup, unique)
    found = classes.of()
    errors = classes.errors(found)
    listing = Listing(found, pair, (gold, system), tables)
    most = confusions(found, pair, errors.place)
    said = corpus_info(tables[1])
    summary = AnalysisSummary(
        elcurate=VERSION,
        profile=setup.profile,
        settings=setup.settings(),
        gold=corpus_info(tables[0]),
        system=AnalysedSystem(
            name=name,
            fingerprint=said.fingerprint,
            documents=said.documents,
            mentions=said.mentions,
            missing_documents=documents.missing,
            unknown_documents=documents.unknown,
        ),
        unique=unique,
        counts=classes.counts(found),
        by=tuple(classes.parts(found, documents)),
        confusions=tuple(_confusions(listing, most, top)),
    )
    return Analysis(summary, listing, errors)


@dataclass(frozen=True)
class Analysis:
    """An error analysis; its instances are made when they are asked for.

    Attributes:
        summary: Everything else.
        listing: Makes them.
        errors: Which of them are listed, and how often each occurs.
    """

    summary: AnalysisSummary
    listing: Listing
    errors: Errors

    def instances(self, only: Collection[str] = KINDS, context: int = 40) -> Iterator[Instance]:
        """The instances of some classes, by document and position.

        Args:
            only: The classes.
            context: How many characters of text are shown on each side.
        """
        wanted = np.isin(KINDS, list(only))[self.listing.found.kind[self.errors.place]]
        places, times = self.errors.place[wanted], self.errors.times[wanted]
        return self.listing.instances(places, times, context)

    def report(self, only: Collection[str] = KINDS, context: int = 40) -> AnalysisReport:
        """The whole analysis as a record."""
        instances = tuple(self.instances(only, context))
        return AnalysisReport(**dict(self.summary), instances=instances)


@dataclass(frozen=True)
class _Classes:
    """Classes under a setup, of the whole gold and of its parts."""

    pair: Pair
    setup: Setup
    unique: bool

    def of(self, rows: Bools | None = None) -> Instances:
        """The instances of some gold rows under the filter; None for all."""
        where = self.setup.where
        choice = Choice(self.pair, None if where is None else where.test(self.pair))
        chosen = choice.narrowed(rows).rows
        restrict = self.setup.policy.restrict
        return classify(
            self.pair,
            chosen,
            restricted=restrict == "gold" or (restrict == "slices" and chosen is not None),
            last=self.setup.profile in _LAST_OF_SPAN,
        )

    def errors(self, found: Instances) -> Errors:
        """The instances that count."""
        if self.unique:
            return distinct(found, self.pair)
        return Errors(np.arange(len(found)), np.ones(len(found), dtype=np.int64))

    def counts(self, found: Instances) -> dict[Kind, int]:
        """How many of each class count."""
        numbers = np.bincount(found.kind[self.errors(found).place], minlength=len(KINDS))
        return dict(zip(KINDS, numbers.tolist(), strict=True))

    def parts(self, found: Instances, documents: Documents) -> Iterator[ClassCounts]:
        """The counts of the slices and groups that the setup asks for."""
        for part in slices_by(self.setup.slice_by, self.pair)[1:]:
            counts = self.counts(self.of(part.rows(self.pair)))
            yield ClassCounts(slice=dict(part.leaves), counts=counts)
        if "type" in self.setup.by:
            numbers = np.unique(self.pair.gold.type)
            names = dict(enumerate(self.pair.types))
            for number in sorted(numbers.tolist(), key=lambda one: (one < 0, names.get(one, ""))):
                counts = self.counts(self.of(self.pair.gold.type == number))
                yield ClassCounts(group={"type": names.get(number)}, counts=counts)
        if "document" in self.setup.by:
            yield from self._documents(found, documents)

    def _documents(self, found: Instances, documents: Documents) -> Iterator[ClassCounts]:
        places = self.errors(found).place
        document = found.values(self.pair.gold.doc, self.pair.system.doc)[places]
        cells = document * len(KINDS) + found.kind[places]
        size = len(self.pair.documents)
        table = np.bincount(cells, minlength=size * len(KINDS)).reshape(size, len(KINDS)).tolist()
        rows = dict(zip(self.pair.documents, table, strict=True))
        unknown = documents.unknown if self.setup.policy.unknown == "count" else ()
        skipped = set(documents.missing) if self.setup.policy.missing == "skip" else ()
        for name in (*documents.gold, *unknown):
            if name not in skipped:
                numbers = rows.get(name, [0] * len(KINDS))
                counts = dict(zip(KINDS, numbers, strict=True))
                yield ClassCounts(group={"document": name}, counts=counts)


def _confusions(listing: Listing, errors: Errors, top: int) -> Iterator[Confusion]:
    """The first confusions, links as they are written at their first instances."""
    for place, times in zip(errors.place[:top].tolist(), errors.times[:top].tolist(), strict=True):
        gold = tuple(link.entity for link in listing.accepted(place))
        system = listing.link(int(listing.found.system[place]))
        yield Confusion(gold=gold, system=system.entity, times=times)
