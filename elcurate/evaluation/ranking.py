"""`rank`: systems by their scores, with the ties that tests leave."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from pydantic import Field

from elcurate.evaluation.records import Evaluation, SystemInfo
from elcurate.evaluation.statistics_records import Comparison, Study
from elcurate.model.record import Record


class RankedSystem(Record):
    """One system's place.

    Attributes:
        value: Its score, None where undefined.
        rank: One more than how many systems score higher; None for an undefined score.
        best, worst: The ranks that the tests leave open: behind all that are significantly higher,
            before all that are significantly lower. None without tests.
        group: Systems of one group are tied. A group ends where every system so far is
            significantly higher than every system to come. None without tests.
    """

    system: str
    value: float | None
    rank: int | None
    best: int | None = None
    worst: int | None = None
    group: int | None = None


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

    Groups of systems are those of the WMT campaigns (Koehn, Simulating human judgment in machine
    translation evaluation campaigns, IWSLT 2012, section 4).

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
        said = cell.model_dump(exclude={"scores"})
        rankings.append(Ranking(**said, systems=tuple(ranked(values, beats))))
    head = {name: getattr(found, name) for name in RankReport.model_fields if hasattr(found, name)}
    return RankReport(**head, value=value, rankings=tuple(rankings))


def _untested(found: Evaluation, value: str) -> RankReport:
    cells: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for system in found.systems:
        for place, score in enumerate(system.scores):
            if not score.group:
                key = score.measure, str(score.slice)
                cells.setdefault(key, []).append((system.name, place))
    scores = {system.name: system.scores for system in found.systems}
    rankings = []
    for places in cells.values():
        several = {name: scores[name][place] for name, place in places}
        first = next(iter(several.values()))
        values = {name: getattr(score, value) for name, score in several.items()}
        gold = max(score.gold for score in several.values())
        systems = tuple(ranked(values, None))
        rankings.append(
            Ranking(measure=first.measure, slice=first.slice, gold=gold, systems=systems)
        )
    return RankReport(
        elcurate=found.elcurate,
        profile=found.profile,
        settings=found.settings,
        gold=found.gold,
        documents=found.gold.documents,
        value=value,
        systems=tuple(_info(system) for system in found.systems),
        rankings=tuple(rankings),
    )


def _info(system: SystemInfo) -> SystemInfo:
    return SystemInfo(**{name: getattr(system, name) for name in SystemInfo.model_fields})


def ranked(
    values: Mapping[str, float | None], beats: Mapping[str, Collection[str]] | None
) -> Iterator[RankedSystem]:
    """The systems, best first; those of equal scores in the order given, undefined ones last.

    Args:
        values: The score of each.
        beats: Which systems each is significantly higher than; None when nothing was tested.
    """
    known = {name: value for name, value in values.items() if value is not None}
    order = [
        *sorted(known, key=lambda name: -known[name]),
        *(set_ for set_ in values if set_ not in known),
    ]
    groups = _groups(order, beats) if beats is not None else {}
    for name in order:
        value = values[name]
        higher = None if value is None else sum(other > value for other in known.values())
        place: dict[str, int | None] = {}
        if beats is not None:
            beaten_by = sum(name in beaten for beaten in beats.values())
            place = {
                "best": 1 + beaten_by,
                "worst": len(values) - len(beats[name]),
                "group": groups[name],
            }
        rank_ = None if higher is None else 1 + higher
        yield RankedSystem(system=name, value=value, rank=rank_, **place)


def _groups(order: list[str], beats: Mapping[str, Collection[str]]) -> dict[str, int]:
    groups: dict[str, int] = {}
    number = 1
    for place, name in enumerate(order):
        rest = set(order[place:])
        if place and all(rest <= set(beats[before]) for before in order[:place]):
            number += 1
        groups[name] = number
    return groups
