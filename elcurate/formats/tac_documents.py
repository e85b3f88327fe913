"""Documents made of TAC KBP queries, with their source texts and without excluded regions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from elcurate.formats.base import ReadOptions
from elcurate.formats.checks import LIMIT
from elcurate.formats.offsets import INCLUSIVE, Counting, Stated, settle
from elcurate.formats.rows import rows
from elcurate.formats.source import Source
from elcurate.formats.tac_query import NOWHERE, Query, best_first, same_name
from elcurate.formats.tac_texts import Texts, locate
from elcurate.formats.visible import VisibleText, without_markup
from elcurate.model.change import Repair
from elcurate.model.corpus import Document, Mention, in_order

Regions = dict[str, list[tuple[int, int]]]


@dataclass
class Assembly:
    """What is needed to make queries a document.

    Attributes:
        options: What the reader was told.
        repairs: Grows with each document.
        texts: The source documents.
        counting: How the file counts.
        excluded: The regions whose mentions don't count, per document.
    """

    options: ReadOptions
    repairs: list[Repair]
    texts: Texts
    counting: Counting = INCLUSIVE
    excluded: Regions = field(default_factory=dict)

    def document(self, name: str, queries: Sequence[Query]) -> Document:
        """The document of these queries."""
        text = self.texts.text(name)
        groups: dict[object, list[tuple[Query, Stated]]] = {}
        for number, (query, place) in enumerate(self._placed(name, text, queries)):
            if not self._is_excluded(name, query, place):
                alone = not query.links or NOWHERE in query.attributes
                key = number if alone else (place.begin, place.end)
                groups.setdefault(key, []).append((query, place))
        mentions = [_mention(group) for group in groups.values()]
        document = Document(id=name, text=text, mentions=in_order(mentions))
        if not self.options.hide_markup:
            return document
        shown, hidden = without_markup(document)
        for mention in hidden:
            surface = document.surface(mention)
            self._left_out("inside-markup", name, mention.begin, mention.end, surface)
        return shown

    def _placed(
        self, name: str, text: str | None, queries: Sequence[Query]
    ) -> Iterator[tuple[Query, Stated]]:
        stated = [Stated(*query.span, query.name) for query in queries if query.span is not None]
        found = iter(settle(text, stated, self.repairs, name, self.counting, same_name))
        visible = None
        nowhere = 0
        for query in queries:
            if query.span is not None:
                yield query, next(found)
                continue
            if text is not None and visible is None:
                visible = VisibleText.of(text)
            yield query, self._located(name, text, visible, query, nowhere)
            nowhere += NOWHERE in query.attributes

    def _located(
        self, name: str, text: str | None, visible: VisibleText | None, query: Query, number: int
    ) -> Stated:
        """The place of a query without offsets; its number where the text doesn't tell."""
        place = None
        if text is not None and visible is not None and query.name is not None:
            place = locate(query.name, text, visible)
        if text is None or place is None:
            query.attributes = {**query.attributes, NOWHERE: True}
            where, after = f"{name} {number}-{number}", "a mention without a place"
            self.repairs.append(
                Repair(kind="no-offsets", where=where, before=query.name or "", after=after)
            )
            return Stated(number, number, query.name)
        surface = text[place[0] : place[1]]
        where, before = f"{name} {place[0]}-{place[1]}", query.name or ""
        self.repairs.append(Repair(kind="located", where=where, before=before, after=surface))
        return Stated(*place, None if same_name(before, surface) else query.name)

    def _is_excluded(self, name: str, query: Query, place: Stated) -> bool:
        regions = self.excluded.get(name)
        if not regions or NOWHERE in query.attributes:
            return False
        if not any(_inside(at, regions) for at in (place.begin, place.end - 1)):
            return False
        self._left_out("excluded-region", name, place.begin, place.end, query.name)
        return True

    def _left_out(self, kind: str, name: str, begin: int, end: int, surface: str | None) -> None:
        where = f"{name} {begin}-{end}"
        repair = Repair(kind=kind, where=where, before=surface or "", after="left out")
        self.repairs.append(repair)


def read_regions(source: Source, options: ReadOptions) -> Regions:
    """The excluded regions, inclusive, sorted and disjoint, per document.

    Raises:
        ReadError: with the line, when it is not a document id and two offsets.
    """
    if options.excluded is None:
        return {}
    regions: Regions = {}
    for row in rows(source.part(options.excluded)):
        name, begin, end = (*row.cells[:3], "", "")[:3]
        span = row.whole(begin.strip(), "offset"), row.whole(end.strip(), "offset")
        regions.setdefault(name, []).append(span)
    return {name: _disjoint(found) for name, found in regions.items()}


def _disjoint(regions: list[tuple[int, int]]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for begin, end in sorted(regions):
        if kept and begin <= kept[-1][1] + 1:
            kept[-1] = (kept[-1][0], max(end, kept[-1][1]))
        else:
            kept.append((begin, end))
    return kept


def _inside(at: int, regions: list[tuple[int, int]]) -> bool:
    number = bisect_right(regions, (at, LIMIT)) - 1
    return number >= 0 and at <= regions[number][1]


def _mention(group: list[tuple[Query, Stated]]) -> Mention:
    """One mention; what a further query on its span says otherwise goes with that one's links."""
    host, place = group[0]
    links = list(host.links)
    for query, _ in group[1:]:
        stated = query.attributes.items()
        other = {key: value for key, value in stated if host.attributes.get(key) != value}
        links += [
            link.model_copy(update={"attributes": {**other, **link.attributes}}) if other else link
            for link in query.links
        ]
    return Mention(
        begin=place.begin,
        end=place.end,
        links=tuple(best_first(links)),
        surface=place.surface or None,
        attributes=host.attributes,
    )
