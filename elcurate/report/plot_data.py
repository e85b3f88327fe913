"""What plots show: scores by system, measure and part of the gold, from saved reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from elcurate.errors import EvaluationError, SpecError, suggestion
from elcurate.evaluation.records import Evaluation
from elcurate.evaluation.statistics_records import Comparison, ConfidenceReport, Interval
from elcurate.report.tables import slice_label

Scored = Evaluation | ConfidenceReport | Comparison


@dataclass(frozen=True)
class Shown:
    """One score.

    Attributes:
        part: The leaves of its slice in words, ``all`` for the whole gold.
        dimension: The dimension of a slice by one leaf; else empty.
        gold: Gold units.
        value: Precision, recall and F1, None where undefined.
        intervals: Of each of them, by level.
    """

    system: str
    measure: str
    part: str
    dimension: str
    gold: float
    value: Mapping[str, float | None]
    intervals: Mapping[str, Mapping[float, tuple[float, float]]]


@dataclass(frozen=True)
class Scores:
    """The scores of a plot.

    Attributes:
        gold: The name of the gold.
        shown: The scores, system by system.
    """

    gold: str
    shown: tuple[Shown, ...]

    @property
    def systems(self) -> list[str]:
        """The systems' names."""
        return list(dict.fromkeys(one.system for one in self.shown))

    @property
    def measures(self) -> list[str]:
        """The measures' names."""
        return list(dict.fromkeys(one.measure for one in self.shown))

    @property
    def parts(self) -> list[str]:
        """The parts of the gold, those of one dimension together."""
        whole = [one.part for one in self.shown if one.part == "all"]
        order: dict[str, list[str]] = {}
        for one in self.shown:
            order.setdefault(one.dimension, []).append(one.part)
        return list(dict.fromkeys([*whole, *(part for some in order.values() for part in some)]))

    @property
    def levels(self) -> list[float]:
        """The levels of confidence that there are intervals of."""
        return sorted({level for one in self.shown for level in one.intervals.get("f1", {})})

    def only(self, **chosen: Sequence[str]) -> Scores:
        """The scores of some systems, measures or parts, in the order in which they are named.

        Where none is named, all are kept.

        Raises:
            SpecError: for a name that there is no score of.
        """
        found = self.shown
        for field, names in chosen.items():
            known = list(dict.fromkeys(getattr(one, field) for one in self.shown))
            for name in names:
                if name not in known:
                    raise SpecError(
                        f"there is no score of the {field} {name!r} here",
                        remedy=suggestion(name, known),
                    )
            if names:
                found = tuple(one for name in names for one in found if getattr(one, field) == name)
        return replace(self, shown=found)

    def at(self, system: str, measure: str, part: str) -> Shown | None:
        """One score, if there is one."""
        return self._index.get((system, measure, part))

    @cached_property
    def _index(self) -> dict[tuple[str, str, str], Shown]:
        return {(one.system, one.measure, one.part): one for one in self.shown}


def scores_of(reports: Mapping[str, Scored]) -> Scores:
    """The scores of reports on one gold.

    Args:
        reports: Reports by the names of their files.

    Raises:
        EvaluationError: for reports on different gold, a system that several report, and reports
            without any score.
    """
    some, first = next((path, report.gold) for path, report in reports.items())
    said = _said(reports[some])
    homes: dict[str, str] = {}
    shown: list[Shown] = []
    for path, report in reports.items():
        if report.gold.fingerprint != first.fingerprint:
            raise EvaluationError(
                f"{path} is about another gold: {report.gold.name} {report.gold.fingerprint}, "
                f"not {first.name} {first.fingerprint}",
                remedy="Plots compare scores on one gold.",
            )
        if _said(report) != said:
            raise EvaluationError(
                f"{some} and {path} were scored in different ways",
                remedy="Score all systems with the same profile, policies and filters.",
            )
        for system in report.systems:
            if homes.setdefault(system.name, path) != path:
                raise EvaluationError(
                    f"both {homes[system.name]} and {path} report on a system {system.name}",
                    remedy="Name systems NAME=PATH when scoring them.",
                )
        shown += _shown(report)
    if not shown:
        raise EvaluationError("there are no scores to plot")
    return Scores(first.name, tuple(shown))


def _said(report: Scored) -> tuple[str, dict[str, str]]:
    settings = {name: value for name, value in report.settings.items() if name != "groups"}
    return report.profile, settings


def _shown(report: Scored) -> Iterator[Shown]:
    if isinstance(report, Evaluation):
        for scored in report.systems:
            for score in scored.scores:
                if not score.group:
                    value = {name: getattr(score, name) for name in ("precision", "recall", "f1")}
                    yield _one(scored.name, score.measure, score.slice, score.gold, value, {})
    elif isinstance(report, ConfidenceReport):
        for estimated in report.systems:
            for one in estimated.estimates:
                yield _one(
                    estimated.name, one.measure, one.slice, one.gold, one.value, one.intervals
                )
    else:
        for system in report.systems:
            for cell in report.tables:
                for compared in cell.scores:
                    if compared.system == system.name:
                        several = {name: (one,) for name, one in compared.intervals.items()}
                        yield _one(
                            system.name,
                            cell.measure,
                            cell.slice,
                            cell.gold,
                            compared.value,
                            several,
                        )


def _one(
    system: str,
    measure: str,
    leaves: Mapping[str, str],
    gold: float,
    value: Mapping[str, float | None],
    intervals: Mapping[str, Sequence[Interval]],
) -> Shown:
    known = {
        name: {
            one.level: (one.low, one.high)
            for one in several
            if one.low is not None and one.high is not None
        }
        for name, several in intervals.items()
    }
    dimension = next(iter(leaves)) if len(leaves) == 1 else ""
    return Shown(system, measure, slice_label(leaves), dimension, gold, value, known)
