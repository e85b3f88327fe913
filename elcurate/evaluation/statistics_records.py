"""What the statistics return: frozen records that dump to JSON."""

from __future__ import annotations

from pydantic import Field

from elcurate.evaluation.records import CorpusInfo, Entities, SystemInfo
from elcurate.model.record import Record


class Interval(Record):
    """Where a score lies with some confidence; no ends where it was never defined."""

    level: float
    low: float | None
    high: float | None


class Estimate(Record):
    """One score with its intervals.

    Attributes:
        measure: Its name or form.
        signature: What the score and its intervals can be computed from again.
        slice: Leaf per dimension; empty for the whole gold.
        gold: Gold units.
        value: Precision, recall and F1, None where undefined.
        intervals: Of each of them.
        warning: Why not to trust it, if there is a reason.
    """

    measure: str
    signature: str
    slice: dict[str, str] = Field(default_factory=dict)
    gold: float
    value: dict[str, float | None]
    intervals: dict[str, tuple[Interval, ...]]
    warning: str | None = None


class Difference(Record):
    """One measure of two systems.

    Attributes:
        measure, slice, gold, warning: As in `Estimate`.
        signature: What the test can be repeated from.
        first, second: The systems' names.
        values: Precision, recall and F1 of each.
        difference: Second less first; what is undefined counts as 0.
        p: The p-value of each difference.
        holm: The same, adjusted for all pairs of systems.
        wins, ties, losses: Documents on which the second system's F1 is higher, equal, lower.
        effect: The mean difference of documents' F1 over its standard deviation; None for one
            document or no spread.
        exact: Whether all ways to exchange documents were taken.
    """

    measure: str
    signature: str
    slice: dict[str, str] = Field(default_factory=dict)
    gold: float
    first: str
    second: str
    values: tuple[dict[str, float | None], dict[str, float | None]]
    difference: dict[str, float]
    p: dict[str, float]
    holm: dict[str, float]
    wins: int
    ties: int
    losses: int
    effect: float | None
    exact: bool
    warning: str | None = None


class Study(Record):
    """What all statistics over documents say of their inputs.

    Attributes:
        settings: What departs from the profile.
        documents: How many documents are drawn from.
        left_out: Measures of the profile that documents can't be drawn for, and why.
        min_gold: Parts of the gold with fewer units have a warning.
        entities: What was done to entities before they were compared, None for nothing.
    """

    elcurate: str
    profile: str
    settings: dict[str, str] = Field(default_factory=dict)
    gold: CorpusInfo
    documents: int
    left_out: dict[str, str] = Field(default_factory=dict)
    min_gold: int | None = None
    entities: Entities | None = None


class EstimatedSystem(SystemInfo):
    """One system with the intervals of its scores."""

    estimates: tuple[Estimate, ...]


class ConfidenceReport(Study):
    """What ``elcurate confidence --format json`` prints."""

    method: str
    trials: int
    seed: int
    systems: tuple[EstimatedSystem, ...]


class PairedStudy(Study):
    """A study that tests systems against each other."""

    test: str
    tail: str
    trials: int
    seed: int
    systems: tuple[SystemInfo, ...]


class SignificanceReport(PairedStudy):
    """What ``elcurate significance --format json`` prints."""

    differences: tuple[Difference, ...]


class ComparedScore(Record):
    """One system's scores beside those of others.

    Attributes:
        signature: What they can be computed from again.
        value: Precision, recall and F1, None where undefined.
        intervals: Of each of them, if asked for.
        beats: The systems that each of them is significantly higher than.
    """

    system: str
    signature: str
    value: dict[str, float | None]
    intervals: dict[str, Interval] = Field(default_factory=dict)
    beats: dict[str, tuple[str, ...]]


class ComparedCell(Record):
    """All systems on one measure and slice; attributes as in `Estimate`."""

    measure: str
    slice: dict[str, str] = Field(default_factory=dict)
    gold: float
    warning: str | None = None
    scores: tuple[ComparedScore, ...]


class Comparison(SignificanceReport):
    """What ``elcurate compare --format json`` prints.

    Attributes:
        alpha: The largest adjusted p-value that is significant.
        method: How intervals were made; None without any.
    """

    alpha: float
    method: str | None = None
    tables: tuple[ComparedCell, ...]
