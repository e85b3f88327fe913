"""What an error analysis returns: frozen records that dump to the documented JSON."""

from __future__ import annotations

from pydantic import Field

from elcurate.evaluation.analysis import Kind
from elcurate.evaluation.records import CorpusInfo
from elcurate.model.record import Record


class Named(Record):
    """A link as one side has it; the entity of an unclustered NIL is None."""

    entity: str | None
    type: str | None = None
    score: float | None = None


class Instance(Record):
    """One gold mention, one prediction, or both on one span.

    Attributes:
        kind: Its class.
        surface: None where nothing states it.
        before, after: The text around it; None without a text.
        gold: The links that count as right, none for a bare mention; None for an extra one.
        system: The prediction; None for a missing one.
        times: How often the error occurs in the document, if each is listed once.
    """

    kind: Kind
    document: str
    begin: int
    end: int
    surface: str | None = None
    before: str | None = None
    after: str | None = None
    gold: tuple[Named, ...] | None = None
    system: Named | None = None
    times: int = 1


class Confusion(Record):
    """How often a system said one entity where the gold accepts others."""

    gold: tuple[str | None, ...]
    system: str | None
    times: int


class ClassCounts(Record):
    """The counts of each class in a part of the gold.

    Attributes:
        slice: Leaf per dimension; empty where categories don't matter.
        group: ``{"document": …}`` or ``{"type": …}``, or empty.
    """

    slice: dict[str, str] = Field(default_factory=dict)
    group: dict[str, str | None] = Field(default_factory=dict)
    counts: dict[Kind, int]


class AnalysedSystem(Record):
    """The system of an analysis."""

    name: str
    fingerprint: str
    documents: int
    mentions: int
    missing_documents: tuple[str, ...]
    unknown_documents: tuple[str, ...]


class AnalysisSummary(Record):
    """Everything but the instances.

    Attributes:
        settings: What departs from the profile.
        unique: Whether equal errors of one document count once.
        counts: The instances of each class.
        by: The counts of parts of the gold.
        confusions: The most frequent wrong links.
    """

    elcurate: str
    profile: str
    settings: dict[str, str]
    gold: CorpusInfo
    system: AnalysedSystem
    unique: bool
    counts: dict[Kind, int]
    by: tuple[ClassCounts, ...]
    confusions: tuple[Confusion, ...]


class AnalysisReport(AnalysisSummary):
    """What ``elcurate analyze --format json`` prints."""

    instances: tuple[Instance, ...]
