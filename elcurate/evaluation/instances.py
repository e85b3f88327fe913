"""The instances of an error analysis as records: links as written, surfaces, the text around."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from elcurate.evaluation.analysis import KINDS, Instances
from elcurate.evaluation.analysis_records import Instance, Named
from elcurate.evaluation.evaluate import Input
from elcurate.evaluation.excerpts import Excerpts
from elcurate.match.encode import Pair, Side
from elcurate.match.numbering import Ints
from elcurate.model.table import Table


class _Links:
    """The links of one side as its file writes them."""

    def __init__(self, table: Table, side: Side) -> None:
        self.rows = side.row
        self.entities, self.entity = _strings(table, "entity")
        self.types, self.type = _strings(table, "type")
        self.scores = table.links["score"].to_list()

    def link(self, row: int) -> Named:
        """The link in a row of the side."""
        row = int(self.rows[row])
        return Named(
            entity=self.entities[self.entity[row]],
            type=self.types[self.type[row]],
            score=self.scores[row],
        )


def _strings(table: Table, column: str) -> tuple[list[str | None], Ints]:
    """The distinct strings of a column, then None, and the place of each row's."""
    values, places = table.column(column)
    return [*values, None], places


@dataclass(frozen=True)
class Listing:
    """The records of instances, made one by one.

    Attributes:
        found: The instances.
        pair: The rows that they name.
        inputs: Gold and system.
        tables: Their tables.
    """

    found: Instances
    pair: Pair
    inputs: tuple[Input, Input]
    tables: tuple[Table, Table]

    def instance(self, place: int, times: int, width: int) -> Instance:
        """One instance.

        Args:
            place: Which.
            times: How often its error occurs.
            width: How many characters of text are shown on each side.
        """
        gold, system = int(self.found.gold[place]), int(self.found.system[place])
        side, row = (self.pair.gold, gold) if gold >= 0 else (self.pair.system, system)
        document = self.pair.documents[side.doc[row]]
        begin, end = int(side.begin[row]), int(side.end[row])
        ours, theirs = self._excerpts
        text = ours.text(document) or theirs.text(document)
        surface = None
        if gold >= 0:
            surface = ours.surface(int(self.pair.gold.mention[gold]))
        if surface is None and system >= 0:
            surface = theirs.surface(int(self.pair.system.mention[system]))
        if surface is None and text is not None:
            surface = text[begin:end]
        return Instance(
            kind=KINDS[self.found.kind[place]],
            document=document,
            begin=begin,
            end=end,
            surface=surface,
            before=None if text is None else text[max(begin - width, 0) : begin],
            after=None if text is None else text[end : end + width],
            gold=None if gold < 0 else self.accepted(place),
            system=None if system < 0 else self.link(system),
            times=times,
        )

    def accepted(self, place: int) -> tuple[Named, ...]:
        """The gold links of an instance; none for a bare mention."""
        order, starts = self._rows
        rows = order[starts[place] : starts[place + 1]]
        side = self.pair.gold
        own = rows[side.mention[rows] == side.mention[self.found.gold[place]]]
        return tuple(self._links[0].link(row) for row in own.tolist() if side.link[row] >= 0)

    def link(self, row: int) -> Named:
        """The link in a row of the system."""
        return self._links[1].link(row)

    @cached_property
    def _links(self) -> tuple[_Links, _Links]:
        gold, system = self.tables
        return _Links(gold, self.pair.gold), _Links(system, self.pair.system)

    @cached_property
    def _excerpts(self) -> tuple[Excerpts, Excerpts]:
        gold, system = self.inputs
        return Excerpts(gold), Excerpts(system)

    @cached_property
    def _rows(self) -> tuple[Ints, Ints]:
        """The gold rows by instance, and where those of each instance begin."""
        order = np.argsort(self.found.of_gold, kind="stable")
        places = np.arange(len(self.found) + 1)
        return order, np.searchsorted(self.found.of_gold[order], places)
