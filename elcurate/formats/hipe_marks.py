"""The tags and links of HIPE-2022's columns."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from elcurate.formats.base import Writing
from elcurate.formats.features import place
from elcurate.formats.hipe_columns import (
    BREAKS,
    COARSE,
    FINE,
    LINKS,
    METONYMIC,
    NESTED,
    OUTSIDE,
    PLACE,
)
from elcurate.formats.tokenise import Cut
from elcurate.kb.pages import wikidata_id, wikidata_iri
from elcurate.model.categories import NO_CATEGORIES
from elcurate.model.change import Loss
from elcurate.model.corpus import Document, Link, Mention

UNKNOWN = "unk"
"""The tag of entities that have no type."""
_KNOWN = frozenset((*COARSE, *FINE, NESTED))


class Marks:
    """Writes mentions into rows.

    Args:
        document: The document.
        cut: Its tokens.
        rows: The cells of each row; they are changed.
        writing: Where to report.
    """

    def __init__(
        self, document: Document, cut: Cut, rows: Sequence[list[str]], writing: Writing
    ) -> None:
        self.document = document
        self.cut = cut
        self.rows = rows
        self.writing = writing
        self.where = ""
        self.taken: dict[str, set[int]] = {NESTED: set(), COARSE[0]: set(), COARSE[1]: set()}

    def write(self) -> None:
        """Writes all mentions that fit in."""
        moved = False
        seen: set[tuple[int, int]] = set()
        for mention in self._merged():
            self.where = place(self.document, mention)
            first = bisect_right(self.cut.ends, mention.begin)
            stop = bisect_left(self.cut.begins, mention.end)
            if first >= stop:
                self.lose("mention", "it covers no token")
                continue
            if NESTED not in mention.attributes and (first, stop) in seen:
                self.lose("mention", "its tokens are another entity's")
                continue
            seen.add((first, stop))
            edges = self.cut.begins[first], self.cut.ends[stop - 1]
            moved = moved or edges != mention.span
            self._mention(mention, range(first, stop))
        if moved:
            self.where = self.document.id
            self.lose("offsets", "a mention begins or ends beside a token")

    def _merged(self) -> list[Mention]:
        """Mentions of one span as one, nested entities apart."""
        spans: dict[tuple[int, int, bool], Mention] = {}
        for mention in self.document.mentions:
            key = (*mention.span, NESTED in mention.attributes)
            known = spans.setdefault(key, mention)
            if known is not mention:
                links = known.links + mention.links
                spans[key] = known.model_copy(update={"links": links})
        return list(spans.values())

    def _mention(self, mention: Mention, numbers: range) -> None:
        stated = {
            name: value
            for name, value in mention.attributes.items()
            if name in _KNOWN and isinstance(value, str)
        }
        if len(stated) < len(mention.attributes):
            gone = ", ".join(mention.attributes.keys() - stated.keys())
            self.lose("mention-attributes", "no column", gone)
        if NESTED in stated:
            self._nested(mention, numbers, stated[NESTED])
            return
        sides: tuple[list[Link], list[Link]] = [], []
        for link in mention.links:
            side = int(link.categories.reference == ("metonymic",))
            sides[side].append(link)
            if link.categories != (METONYMIC if side else NO_CATEGORIES):
                leaves = " ".join(leaf for _, leaf in link.categories.pairs())
                self.lose("categories", "only metonymic reference has a column", leaves)
        if [*sides[0], *sides[1]] != list(mention.links):
            self.lose("link-order", "literal links come before metonymic ones")
        present = [
            bool(links) or COARSE[side] in stated or FINE[side] in stated
            for side, links in enumerate(sides)
        ]
        present[0] = present[0] or not present[1]
        free = [self.taken[name].isdisjoint(numbers) for name in COARSE]
        if present[0] and not free[0]:
            label = self._label(0, sides[0], stated) or UNKNOWN
            if present[1]:
                self.lose("mention", "its tokens are another entity's")
            else:
                self._nested(mention, numbers, label)
            return
        if present[1] and not free[1]:
            if not present[0]:
                self.lose("mention", "its tokens are another entity's")
                return
            self.lose("link", "its tokens are another metonymic entity's")
            self.lose("mention-attributes", "its tokens are another metonymic entity's")
            present[1] = False
        for side in (0, 1):
            if present[side]:
                self._side(side, sides[side], stated, numbers)

    def _side(self, side: int, links: list[Link], stated: dict[str, str], numbers: range) -> None:
        """Writes the literal or the metonymic entity of a mention."""
        self.taken[COARSE[side]].update(numbers)
        label = self._label(side, links, stated)
        if label:
            self._tag(COARSE[side], label, numbers)
        fine = stated.get(FINE[side])
        if fine:
            self._tag(FINE[side], self._flat(fine, "mention-attributes"), numbers)
        if links:
            cell = "|".join(map(self._name, links))
            for number in numbers:
                self.rows[number][PLACE[LINKS[side]]] = cell

    def _label(self, side: int, links: list[Link], stated: dict[str, str]) -> str:
        """The coarse tag; empty for none."""
        coarse = stated.get(COARSE[side])
        if not links:
            if coarse is None:
                self.lose("mention-attributes", "an entity without type needs a tag", UNKNOWN)
                return UNKNOWN
            return self._flat(coarse, "mention-attributes")
        types = {link.type for link in links}
        if coarse == "" and types == {None}:
            return ""
        if coarse is not None:
            self.lose("mention-attributes", "the tag is the type of the links", coarse)
        label = next((link.type for link in links if link.type), UNKNOWN)
        if types != {label}:
            what = ", ".join(sorted(filter(None, types))) or UNKNOWN
            self.lose("types", "all links of an entity have one tag", what)
        return self._flat(label, "types")

    def _nested(self, mention: Mention, numbers: range, label: str) -> None:
        """Writes a nested entity: a tag and no link."""
        if not self.taken[NESTED].isdisjoint(numbers):
            self.lose("mention", "its tokens are another entity's")
            return
        if mention.links:
            self.lose("link", "nested entities have no links")
        if NESTED not in mention.attributes:
            self.lose("mention-attributes", "written as a nested entity", label)
        self.taken[NESTED].update(numbers)
        self._tag(NESTED, self._flat(label, "mention-attributes") or UNKNOWN, numbers)

    def _tag(self, column: str, label: str, numbers: range) -> None:
        for number in numbers:
            prefix = "B-" if number == numbers[0] else "I-"
            self.rows[number][PLACE[column]] = prefix + label

    def _name(self, link: Link) -> str:
        """An entity as a cell: the number of a Wikidata item, NIL, or what it is."""
        entity = link.entity
        if entity is None or entity == "NIL":
            if entity is not None:
                self.lose("nil-clusters", "NIL is no cluster", entity)
            return "NIL"
        number = wikidata_id(entity)
        if number is not None and number[0] == "Q":
            if entity != wikidata_iri(number):
                self.lose("entity-spelling", "items are written by their numbers", entity)
            return number
        changed = BREAKS.sub(" ", entity).replace("|", "%7C")
        if changed in OUTSIDE:
            changed = "".join(f"%{byte:02X}" for byte in changed.encode()) or "%"
        if changed != entity:
            kind = "nil-clusters" if link.is_nil else "entity"
            self.lose(kind, f"written as {changed}", entity)
        return changed

    def _flat(self, label: str, kind: str) -> str:
        changed = BREAKS.sub(" ", label)
        if changed != label:
            self.lose(kind, "tabs and line ends become blanks", label)
        return changed

    def lose(self, kind: str, reason: str, what: str = "") -> None:
        """Reports what is not written as it was."""
        self.writing.losses.append(Loss(kind=kind, where=self.where, what=what, reason=reason))
