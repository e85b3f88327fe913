"""The instances of an error analysis as records: links as written, surfaces, the text around."""

from __future__ import annotations

from collections.abc import Iterator
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
        self.entities, self.entity = _strings(table, "entity", side.row)
        self.types, self.type = _strings(table, "type", side.row)
        self.scores = table.links["score"].gather(side.row).to_list()

    def link(self, row: int) -> Named:
        """The link in a row of the side."""
        entity, type_ = self.entities[self.entity[row]], self.types[self.type[row]]
        return Named(entity=entity, type=type_, score=self.scores[row])


def _strings(table: Table, column: str, rows: Ints) -> tuple[list[str | None], list[int]]:
    """The distinct strings of a column, then None, and the place of the string of each row."""
    values, places = table.column(column)
    return [*values, None], places[rows].tolist()


@dataclass(frozen=True)
class Listing:
    """The records of instances.

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

    def instances(self, places: Ints, times: Ints, width: int) -> Iterator[Instance]:
        """Some instances.

        Args:
            places: Which.
            times: How often the error of each occurs.
            width: How many characters of text are shown on each side.
        """
        found, names = self.found, self.pair.documents
        columns = [
            found.values(getattr(self.pair.gold, name), getattr(self.pair.system, name))[places]
            for name in ("doc", "begin", "end")
        ]
        columns += [found.kind[places], found.gold[places], found.system[places], places, times]
        for doc, begin, end, kind, gold, system, place, number in zip(
            *(column.tolist() for column in columns), strict=True
        ):
            surface, before, after = self._excerpt(names[doc], begin, end, gold, system, width)
            yield Instance(
                kind=KINDS[kind],
                document=names[doc],
                begin=begin,
                end=end,
                surface=surface,
                before=before,
                after=after,
                gold=None if gold < 0 else self.accepted(place),
                system=None if system < 0 else self.link(system),
                times=number,
            )

    def accepted(self, place: int) -> tuple[Named, ...]:
        """The gold links of an instance; none for a bare mention."""
        order, starts, mention, link = self._rows
        rows = order[starts[place] : starts[place + 1]]
        own = mention[rows[0]]
        links = self._links[0]
        return tuple(links.link(row) for row in rows if mention[row] == own and link[row] >= 0)

    def link(self, row: int) -> Named:
        """The link in a row of the system."""
        return self._links[1].link(row)

    def _excerpt(
        self, document: str, begin: int, end: int, gold: int, system: int, width: int
    ) -> tuple[str | None, str | None, str | None]:
        """The surface of an instance, and the text on both sides."""
        ours, theirs = self._excerpts
        surface = ours.surface(self.pair.gold.mention[gold]) if gold >= 0 else None
        if surface is None and system >= 0:
            surface = theirs.surface(self.pair.system.mention[system])
        text = ours.text(document)
        text = theirs.text(document) if text is None else text
        if text is None:
            return surface, None, None
        before, after = text[max(begin - width, 0) : begin], text[end : end + width]
        return text[begin:end] if surface is None else surface, before, after

    @cached_property
    def _links(self) -> tuple[_Links, _Links]:
        gold, system = self.tables
        return _Links(gold, self.pair.gold), _Links(system, self.pair.system)

    @cached_property
    def _excerpts(self) -> tuple[Excerpts, Excerpts]:
        gold, system = self.inputs
        return Excerpts(gold), Excerpts(system)

    @cached_property
    def _rows(self) -> tuple[list[int], list[int], list[int], list[int]]:
        """The gold rows by instance, where those of each begin, and the mentions and links."""
        of_gold, side = self.found.of_gold, self.pair.gold
        order = np.argsort(of_gold, kind="stable")
        starts = np.searchsorted(of_gold[order], np.arange(len(self.found) + 1))
        return order.tolist(), starts.tolist(), side.mention.tolist(), side.link.tolist()
