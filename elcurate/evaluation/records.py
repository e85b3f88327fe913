"""What an evaluation returns: frozen records that dump to the documented JSON."""

from __future__ import annotations

from typing import Any

from pydantic import Field, SerializationInfo, SerializerFunctionWrapHandler, model_serializer

from elcurate.kb.canonicalise import Moves
from elcurate.model.record import Record

Number = int | float


class Score(Record):
    """One measure on one slice and group.

    Attributes:
        measure: Its name, or its form when it has none.
        signature: Everything from which the score can be computed again.
        slice: Leaf per dimension; empty for the whole gold.
        group: ``{"document": …}``, ``{"type": …}``, ``{"average": "macro"}`` or empty.
        gold: Gold units; with memberships the sum of their weights. Means in macro rows.
        system: System units.
        tp, fp, fn: True positives, false positives and false negatives.
        precision, recall, f1: Unrounded; None where undefined.
        precision_tp, recall_tp: Matched system units and the weight of the matched gold, only
            with memberships.
        averaged: How many groups have the value, for each mean of a macro row.
    """

    measure: str
    signature: str
    slice: dict[str, str] = Field(default_factory=dict)
    group: dict[str, str | None] = Field(default_factory=dict)
    gold: Number
    system: Number
    tp: Number
    fp: Number
    fn: Number
    precision: float | None
    recall: float | None
    f1: float | None
    precision_tp: Number | None = None
    recall_tp: Number | None = None
    averaged: dict[str, int] | None = None

    @model_serializer(mode="wrap")
    def _without_unused(
        self, handler: SerializerFunctionWrapHandler, info: SerializationInfo
    ) -> dict[str, Any]:
        optional = ("precision_tp", "recall_tp", "averaged")
        fields: dict[str, Any] = handler(self)
        return {k: v for k, v in fields.items() if v is not None or k not in optional}


class CorpusInfo(Record):
    """The gold of an evaluation."""

    name: str
    fingerprint: str
    documents: int
    mentions: int
    links: int


class Point(Record):
    """One point of a curve.

    Attributes:
        x: α, or how many combinations are pooled.
        label: What was added at this point.
    """

    x: float
    label: str = ""
    gold: Number
    system: Number
    tp: Number
    precision: float | None
    recall: float | None
    f1: float | None


class Curve(Record):
    """A row of scores over a parameter.

    Attributes:
        kind: ``alpha`` or ``cumulative``.
        measure: What was scored.
        ranked_by: For cumulative curves the score by which the combinations were ranked.
    """

    kind: str
    measure: str
    ranked_by: str = ""
    points: tuple[Point, ...]


class LinkRelations(Record):
    """How many system links are right under each link relation.

    Attributes:
        right: Right links per relation, on gold spans.
        differ: System links that are right under some relations only.
    """

    right: dict[str, int]
    differ: int


class SystemInfo(Record):
    """One system."""

    name: str
    fingerprint: str
    documents: int
    mentions: int
    missing_documents: tuple[str, ...]
    unknown_documents: tuple[str, ...]


class SystemResult(SystemInfo):
    """All scores of one system.

    Attributes:
        cut_mentions: How many of its mentions were cut at the end of a sentence.
    """

    cut_mentions: int = 0
    link_relations: LinkRelations
    scores: tuple[Score, ...]
    curves: tuple[Curve, ...] = ()


class Entities(Record):
    """What was done to entities before they were compared.

    Attributes:
        map: What replaced them.
        gold: How many of the gold.
        systems: How many of each system.
    """

    map: str
    gold: Moves
    systems: dict[str, Moves]


class Evaluation(Record):
    """Gold, systems and scores; `to_dict` gives the documented JSON.

    Attributes:
        settings: What departs from the profile: filter, membership, policies, groups.
        entities: What was done to entities before they were compared, None for nothing.
    """

    elcurate: str
    profile: str
    settings: dict[str, str] = Field(default_factory=dict)
    gold: CorpusInfo
    systems: tuple[SystemResult, ...]
    entities: Entities | None = None

    def to_dict(self) -> dict[str, Any]:
        """The JSON of ``evaluate --format json``."""
        unused = {"entities"} if self.entities is None else None
        return self.model_dump(mode="json", exclude=unused)
