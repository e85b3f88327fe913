"""Groups of a score: by document, by type, and their micro and macro averages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np

from elcurate.evaluation.setup import Setup
from elcurate.evaluation.slices import Choice
from elcurate.match.encode import Pair
from elcurate.match.numbering import Bools, Ints
from elcurate.measures.sets import Counts

Label = tuple[str | None, ...]


class Numbers(NamedTuple):
    """The counts behind one score."""

    gold: float
    system: float
    tp: float
    recall_tp: float

    @classmethod
    def of(cls, counts: Counts, place: int = 0) -> Numbers:
        """The counts of one group."""
        return cls(
            float(counts.gold[place]),
            float(counts.system[place]),
            float(counts.tp[place]),
            float(counts.recall_tp[place]),
        )

    def __add__(self, other: object) -> Numbers:
        if not isinstance(other, Numbers):
            return NotImplemented
        return Numbers(*(a + b for a, b in zip(self, other, strict=True)))


NOTHING = Numbers(0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Grouping:
    """How rows fall into groups.

    Attributes:
        fields: ``document`` and ``type``, in the order asked for.
        codes: The group number of each gold and system row, for the fields by which both sides
            are grouped alike.
        labels: The label of each group number.
        coded: The fields that the labels name.
        types: Type names, when types slice the gold instead.
        wanted: The labels to report, in order.
    """

    fields: tuple[str, ...]
    codes: tuple[Ints, Ints] | None
    labels: list[Label]
    coded: tuple[str, ...]
    types: list[tuple[str | None, Bools]]
    wanted: list[Label]

    def cells(self, counted: Callable[[Choice], Counts], choice: Choice) -> dict[Label, Numbers]:
        """The counts of each reported label.

        Args:
            counted: Counts some gold rows.
            choice: The gold rows of the slice.
        """
        cells = dict.fromkeys(self.wanted, NOTHING)
        slices: list[tuple[str | None, Bools]] | list[tuple[None, None]] = self.types
        for name, rows in slices or [(None, None)]:
            counts = counted(choice.narrowed(rows))
            for place, label in enumerate(self.labels):
                whole = self._label(label, name)
                if whole in cells:
                    cells[whole] = Numbers.of(counts, place)
        return cells

    def _label(self, label: Label, name: str | None) -> Label:
        values = dict(zip(self.coded, label, strict=True))
        return tuple(values.get(field, name) for field in self.fields)


def make_grouping(pair: Pair, setup: Setup, gold: list[str], system: list[str]) -> Grouping:
    """The grouping that a setup asks for.

    Args:
        pair: The encoded gold and system.
        setup: The setup; with the policy ``groups=own`` groups come from the gold alone.
        gold: The gold's document ids, in order.
        system: The system's document ids.
    """
    own = setup.policy.groups == "own"
    fields = setup.group_by
    coded = tuple(field for field in fields if field == "document" or own)
    names: Mapping[str, list[str]] = {"document": pair.documents, "type": pair.types}
    documents: list[str | None] = [*gold]
    if setup.policy.missing == "skip":
        kept = set(system)
        documents = [name for name in documents if name in kept]
    if not own and setup.policy.unknown == "count":
        documents += sorted(set(system) - set(gold))
    if own:
        used = set(pair.gold.doc.tolist())
        documents = [*sorted(name for i, name in enumerate(pair.documents) if i in used)]
    types = _types(pair)
    codes, labels = _codes(pair, coded, names)
    values: Mapping[str, list[str | None]] = {"document": documents, "type": types}
    wanted: list[Label] = list(product(*(values[field] for field in fields)))
    masks = []
    if "type" in fields and not own:
        number: dict[str | None, int] = {name: place for place, name in enumerate(pair.types)}
        masks = [(name, pair.gold.type == number.get(name, -1)) for name in types]
    return Grouping(fields, codes, labels, coded, masks, wanted)


def averages(
    fields: tuple[str, ...], cells: Mapping[Label, Numbers]
) -> Iterator[tuple[dict[str, str | None], list[Numbers]]]:
    """The groups whose scores each average is the mean of; micro has one, their sum.

    What an average is over says which groups are its terms; where there are several fields, what
    the counts were grouped by (``by``) matters too.
    """
    over = "+".join(fields)
    by = {"by": over} if len(fields) > 1 else {}
    yield {"average": "micro", "over": over}, [sum_of(list(cells.values()))]
    for place, field in enumerate(fields):
        parts: dict[str | None, list[Numbers]] = {}
        for label, numbers in cells.items():
            parts.setdefault(label[place], []).append(numbers)
        yield {"average": "macro", "over": field, **by}, [sum_of(part) for part in parts.values()]


def sum_of(parts: list[Numbers]) -> Numbers:
    """The sum of counts."""
    if not parts:
        return NOTHING
    return Numbers(*np.array(parts).sum(axis=0).tolist())


def _types(pair: Pair) -> list[str | None]:
    used = sorted(set(pair.gold.type.tolist()))
    names: list[str | None] = sorted(pair.types[number] for number in used if number >= 0)
    return [*names, None] if -1 in used else names


def _codes(
    pair: Pair, coded: tuple[str, ...], names: Mapping[str, list[str]]
) -> tuple[tuple[Ints, Ints] | None, list[Label]]:
    """Group numbers of the rows: one per combination of the fields' values."""
    if not coded:
        return None, [()]
    attribute = {"document": "doc", "type": "type"}
    total: Ints = np.zeros(len(pair.gold) + len(pair.system), dtype=np.int64)
    labels: list[Label] = [()]
    for field in coded:
        numbers = [getattr(side, attribute[field]) for side in (pair.gold, pair.system)]
        values: list[str | None] = [*names[field], None]
        total = total * len(values) + np.concatenate(numbers) % len(values)
        labels = [(*label, value) for label in labels for value in values]
    used, codes = np.unique(total, return_inverse=True)
    kept = [labels[number] for number in used.tolist()]
    return (codes[: len(pair.gold)], codes[len(pair.gold) :]), kept
