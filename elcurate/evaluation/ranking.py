"""`rank`: systems by their scores, with the ties that tests leave."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from pydantic import Field

from elcurate.evaluation.records import Evaluation, Score, SystemInfo
from elcurate.evaluation.statistics_records import Comparison, Study
from elcurate.model.record import Record


class RankedSystem(Record):
    """One system's place.

    Attributes:
        signature: What the score can be computed from again.
        value: Its score, None where undefined.
        rank: One more than how many systems score higher; None for an undefined score.
        best, worst: The ranks that the tests leave open: behind all that are significantly higher,
            before all that are significantly lower. None without tests.
        groups: Two systems are in a common group if and only if the tests don't tell them apart.
            Groups are numbered from the best down; None without tests.
    """

    system: str
    signature: str
    value: float | None
    rank: int | None
    best: int | None = None
    worst: int | None = None
    groups: tuple[int, ...] | None = None


class Ranking(Record):
    """The systems by one measure on one slice; other attributes as in `Estimate`."""

    measure: str
    slice: dict[str, str] = Field(default_factory=dict)
    gold: float
    warning: str | None = None
    systems: tuple[RankedSystem, ...]


class RankReport(Study):
    """What ``elcurate rank --format json`` prints; without tests their attributes are None.

    Attributes:
        value: ``precision``, ``recall`` or ``f1``.
        test, tail, alpha, trials, seed: As in `Comparison`.
    """

    value: str
    test: str | None = None
    tail: str | None = None
    alpha: float | None = None
    trials: int | None = None
    seed: int | None = None
    systems: tuple[SystemInfo, ...]
    rankings: tuple[Ranking, ...]


def rank(found: Comparison | Evaluation, value: str = "f1") -> RankReport:
    """Ranks the systems of a comparison, or without ties those of an evaluation.

    Args:
        found: The scores.
        value: ``precision``, ``recall`` or ``f1``.
    """
    if isinstance(found, Comparison):
        return _tested(found, value)
    return _untested(found, value)


def _tested(found: Comparison, value: str) -> RankReport:
    rankings = []
    for cell in found.tables:
        values = {score.system: score.value[value] for score in cell.scores}
        beats = {score.system: set(score.beats[value]) for score in cell.scores}
        signatures = {score.system: score.signature for score in cell.scores}
        systems = tuple(ranked(values, signatures, beats))
        rankings.append(Ranking(**cell.model_dump(exclude={"scores"}), systems=systems))
    head = {name: getattr(found, name) for name in RankReport.model_fields if hasattr(found, name)}
    return RankReport(**head, value=value, rankings=tuple(rankings))


def _untested(found: Evaluation, value: str) -> RankReport:
    cells: dict[tuple[str, str], dict[str, Score]] = {}
    for system in found.systems:
        for score in system.scores:
            if not score.group:
                cells.setdefault((score.measure, str(score.slice)), {})[system.name] = score
    rankings = []
    for scores in cells.values():
        first = next(iter(scores.values()))
        values = {name: getattr(score, value) for name, score in scores.items()}
        signatures = {name: score.signature for name, score in scores.items()}
        rankings.append(
            Ranking(
                measure=first.measure,
                slice=first.slice,
                gold=max(score.gold for score in scores.values()),
                systems=tuple(ranked(values, signatures)),
            )
        )
    return RankReport(
        elcurate=found.elcurate,
        profile=found.profile,
        settings=found.settings,
        gold=found.gold,
        documents=found.gold.documents,
        entities=found.entities,
        value=value,
        systems=found.systems,
        rankings=tuple(rankings),
    )


def ranked(
    values: Mapping[str, float | None],
    signatures: Mapping[str, str],
    beats: Mapping[str, Collection[str]] | None = None,
) -> Iterator[RankedSystem]:
    """The systems, best first; those of equal scores in the order given, undefined ones last.

    Args:
        values, signatures: The score of each, and its signature.
        beats: Which systems each is significantly higher than; None when nothing was tested.
    """
    known = {name: value for name, value in values.items() if value is not None}
    order = sorted(known, key=lambda name: -known[name])
    order += [name for name in values if name not in known]
    groups = [] if beats is None else tied_groups(order, beats)
    for name in order:
        value = values[name]
        higher = None if value is None else sum(other > value for other in known.values())
        found = RankedSystem(
            system=name,
            signature=signatures[name],
            value=value,
            rank=None if higher is None else 1 + higher,
        )
        if beats is not None:
            ties = {
                "best": 1 + sum(name in beaten for beaten in beats.values()),
                "worst": len(values) - len(beats[name]),
                "groups": tuple(place for place, group in enumerate(groups, 1) if name in group),
            }
            found = found.model_copy(update=ties)
        yield found


def tied_groups(order: Sequence[str], beats: Mapping[str, Collection[str]]) -> list[set[str]]:
    """Groups such that two systems share one if and only if neither beats the other.

    Piepho, An algorithm for a letter-based representation of all-pairwise comparisons (Journal of
    Computational and Graphical Statistics, 2004): insert and absorb.

    Args:
        order: The systems, best first.
        beats: Which systems each is significantly higher than.
    """
    groups = [set(order)]
    for higher, lower in ((name, other) for name in order for other in beats[name]):
        split = [group for group in groups if {higher, lower} <= group]
        groups = [group for group in groups if group not in split]
        for part in (group - {name} for group in split for name in (higher, lower)):
            if not any(part <= group for group in groups):
                groups = [group for group in groups if not group <= part] + [part]
    places = {name: place for place, name in enumerate(order)}
    return sorted(groups, key=lambda group: sorted(places[name] for name in group))
