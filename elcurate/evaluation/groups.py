"""Groups of a score: by document, by type, and their micro and macro averages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np

from elcurate.evaluation.setup import Setup
from elcurate.evaluation.slices import Choice
from elcurate.match.encode import Pair, Side
from elcurate.match.numbering import Bools, Ints
from elcurate.measures.sets import Counts, Floats

Label = tuple[str | None, ...]


class Numbers(NamedTuple):
    """The counts behind one score."""

    gold: float
    system: float
    tp: float
    recall_tp: float

    @classmethod
    def of(cls, counts: Counts) -> Numbers:
        """The counts of the whole."""
        return cls(*counts.columns[:, 0].tolist())


@dataclass(frozen=True)
class Grouping:
    """How rows fall into groups.

    Attributes:
        fields: Names from `GROUP_FIELDS`, in the order asked for.
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

    @cached_property
    def groups(self) -> list[dict[str, str | None]]:
        """The reported labels as groups of scores."""
        return [dict(zip(self.fields, label, strict=True)) for label in self.wanted]

    def cells(self, counted: Callable[[Choice], Counts], choice: Choice) -> Floats:
        """The counts of each reported label: a row of gold, system, right and found units.

        Args:
            counted: Counts some gold rows.
            choice: The gold rows of the slice.
        """
        cells = np.zeros((len(self.wanted), 4))
        for rows, known, places in self._places:
            cells[places] = counted(choice.narrowed(rows)).columns[:, known].T
        return cells

    @cached_property
    def _places(self) -> list[tuple[Bools | None, Ints, Ints]]:
        """Per slice of types: its rows, the group numbers that are reported, and where."""
        place = {label: number for number, label in enumerate(self.wanted)}
        slices: list[tuple[str | None, Bools]] | list[tuple[None, None]] = self.types
        found = []
        for name, rows in slices or [(None, None)]:
            to = [place.get(self._label(label, name), -1) for label in self.labels]
            places = np.array(to, dtype=np.int64)
            known = np.flatnonzero(places >= 0)
            found.append((rows, known, places[known]))
        return found

    def averages(self, cells: Floats) -> Iterator[tuple[dict[str, str | None], Floats]]:
        """The groups whose scores each average is the mean of; micro has one, their sum.

        What an average is over says which groups are its terms; where there are several fields,
        what the counts were grouped by (``by``) matters too.
        """
        over = "+".join(self.fields)
        by = {"by": over} if len(self.fields) > 1 else {}
        yield {"average": "micro", "over": over}, cells.sum(axis=0, keepdims=True)
        for place, field in enumerate(self.fields):
            values = dict.fromkeys(label[place] for label in self.wanted)
            number = {value: order for order, value in enumerate(values)}
            parts = np.zeros((len(number), 4))
            np.add.at(parts, [number[label[place]] for label in self.wanted], cells)
            yield {"average": "macro", "over": field, **by}, parts

    def _label(self, label: Label, name: str | None) -> Label:
        values = dict(zip(self.coded, label, strict=True))
        return tuple(values.get(field, name) for field in self.fields)


def make_grouping(pair: Pair, setup: Setup, gold: list[str], system: list[str]) -> Grouping:
    """The grouping that a setup asks for.

    Both sides are grouped by their own documents, entities and NIL-ness; with the policy
    ``groups=own`` by their own types too, and then groups come from the gold alone.

    Args:
        pair: The encoded gold and system.
        setup: The setup.
        gold: The gold's document ids, in order.
        system: The system's document ids.
    """
    own = setup.policy.groups == "own"
    fields = setup.group_by
    coded = tuple(field for field in fields if field != "type" or own)
    values = {field: _values(pair, field, own) for field in fields if field != "document"}
    if "document" in fields:
        values["document"] = _documents(pair, setup, gold, system)
    codes, labels = _codes(pair, coded)
    wanted: list[Label] = list(product(*(values[field] for field in fields)))
    masks = []
    if "type" in fields and not own:
        number: dict[str | None, int] = {name: place for place, name in enumerate(pair.types)}
        masks = [(name, pair.gold.type == number.get(name, -1)) for name in values["type"]]
    return Grouping(fields, codes, labels, coded, masks, wanted)


def _documents(pair: Pair, setup: Setup, gold: list[str], system: list[str]) -> list[str | None]:
    if setup.policy.groups == "own":
        return _values(pair, "document", True)
    documents: list[str | None] = [*gold]
    if setup.policy.missing == "skip":
        kept = set(system)
        documents = [name for name in documents if name in kept]
    if setup.policy.unknown == "count":
        documents += sorted(set(system) - set(gold))
    return documents


def _numbers(field: str, side: Side) -> Ints:
    """The value of a field in each row as a number, -1 for none."""
    numbers: Ints = {
        "document": side.doc,
        "type": side.type,
        "entity": side.kbid,
        "nil": np.where(side.link < 0, -1, side.nil),
    }[field]
    return numbers


def _names(field: str, pair: Pair) -> list[str]:
    return {
        "document": pair.documents,
        "type": pair.types,
        "entity": pair.entities,
        "nil": ["false", "true"],
    }[field]


def _values(pair: Pair, field: str, own: bool) -> list[str | None]:
    """The values of a field that occur in the gold, or unless ``own`` on either side, sorted."""
    used = set(_numbers(field, pair.gold).tolist())
    if not own and field != "type":
        used |= set(_numbers(field, pair.system).tolist())
    names = _names(field, pair)
    found: list[str | None] = sorted(names[number] for number in used if number >= 0)
    return [*found, None] if -1 in used else found


def _codes(pair: Pair, coded: tuple[str, ...]) -> tuple[tuple[Ints, Ints] | None, list[Label]]:
    """Group numbers of the rows: one per combination of the fields' values that occurs."""
    if not coded:
        return None, [()]
    total: Ints = np.zeros(len(pair.gold) + len(pair.system), dtype=np.int64)
    sizes = [len(_names(field, pair)) + 1 for field in coded]
    for field, size in zip(coded, sizes, strict=True):
        numbers = [_numbers(field, side) for side in (pair.gold, pair.system)]
        total = total * size + np.concatenate(numbers) % size
    used, codes = np.unique(total, return_inverse=True)
    columns: list[list[str | None]] = []
    rest = used
    for field, size in reversed(list(zip(coded, sizes, strict=True))):
        values: list[str | None] = [*_names(field, pair), None]
        columns.append([values[number] for number in (rest % size).tolist()])
        rest = rest // size
    labels: list[Label] = list(zip(*reversed(columns), strict=True))
    return (codes[: len(pair.gold)], codes[len(pair.gold) :]), labels
