"""A document of the lines of an ``.ann`` file."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import count

from pydantic import JsonValue

from elcurate.formats.brat_conf import Declared
from elcurate.formats.brat_lines import Bound, Line, Standoff
from elcurate.formats.brat_links import LinkReader, add, merged
from elcurate.formats.brat_notes import Note, read_note
from elcurate.formats.brat_terms import (
    LINES,
    NOTE,
    REMARK,
    UNTYPED,
    Spans,
    has_break,
    mention_at,
    overlapping,
    written_spans,
)
from elcurate.formats.offsets import Stated, settle
from elcurate.model.change import Repair
from elcurate.model.corpus import Attributes, Document, Link, Mention, in_order


@dataclass
class _Made:
    """What a text-bound annotation is made to: a link of a mention, several, or a bare mention."""

    bound: Bound
    spans: Spans
    surface: str | None
    note: Note
    links: list[Link] = field(default_factory=list)
    attributes: Attributes = field(default_factory=dict)


class DocumentReader:
    """Makes a document of annotations.

    Args:
        found: The annotations.
        base: The document as far as it is known without them.
        declared: What the configuration declares.
        types: The entity types of the names in brat that stand for others.
        nil_iris: Beginnings of entities that mean NIL.
        repairs: Is added to.
    """

    def __init__(
        self,
        found: Standoff,
        base: Document,
        declared: Declared,
        types: dict[str, str],
        nil_iris: tuple[str, ...],
        repairs: list[Repair],
    ) -> None:
        self.found = found
        self.base = base
        self.text = base.text
        self.types = types
        self.repairs = repairs
        self.links = LinkReader(found, declared, nil_iris)

    def document(self) -> Document:
        """The document with its mentions, and what brat can't say of them in its metadata."""
        made = [
            self._made(bound, place)
            for bound, place in zip(self.found.bounds, self._places(), strict=True)
        ]
        by_bound = {id(one.bound): one for one in made}
        kept = [*self.found.kept, *self._clusters(by_bound)]
        for line in kept:
            for bound in self.found.mentions_in(line):
                self._name(by_bound[id(bound)])
        metadata = dict(self.base.metadata)
        if kept:
            before = metadata.get(LINES, [])
            lines: list[JsonValue] = list(before) if isinstance(before, list) else [before]
            lines += [line.text for line in sorted(kept, key=lambda line: line.number)]
            metadata[LINES] = lines
        mentions = in_order(self._mentions(made))
        return self.base.model_copy(update={"mentions": mentions, "metadata": metadata})

    def _places(self) -> list[Stated]:
        """Where the mentions are; wrong spans of them and of triggers are reported."""
        bounds = [*self.found.bounds, *self.found.triggers]
        stated = [_stated(bound) for bound in bounds]
        if self.text is not None:
            stated = [
                self._checked(bound, one, self.text)
                for bound, one in zip(bounds, stated, strict=True)
            ]
        places = settle(self.text, stated, self.repairs, self.base.id, same=_same)
        return places[: len(self.found.bounds)]

    def _checked(self, bound: Bound, one: Stated, text: str) -> Stated:
        """Reports what brat refuses in spans; the surface in the spelling of today."""
        pieces = [text[max(begin, 0) : max(end, 0)] for begin, end in bound.spans]
        kinds = ["overlapping-fragments"] if overlapping(bound.spans) else []
        if any(map(has_break, pieces)):
            kinds.append("newline-in-span")
        if len(pieces) > 1 and one.surface == "".join(pieces):
            kinds.append("joined-fragments")
            one = replace(one, surface=" ".join(pieces))
        for kind in kinds:
            self.found.repair(kind, bound.line, "kept")
        return one

    def _made(self, bound: Bound, place: Stated) -> _Made:
        note = Note()
        notes: Attributes = {}
        for kind, text in bound.notes:
            stated = read_note(text) if kind == NOTE else None
            if stated is not None and note == Note():
                note = stated
                continue
            if kind == NOTE:
                self.found.repair("unreadable-note", bound.line, "kept")
            key = kind if kind == REMARK else f"#{kind}"
            add(notes, key, text)
        spans = place.fragments or ((place.begin, place.end),)
        made = _Made(bound, spans, place.surface, note)
        type_ = self.types.get(bound.type, None if bound.type == UNTYPED else bound.type)
        made.links = self.links.of(bound, type_, note, notes)
        if not made.links:
            made.attributes = self.links.bare(bound, type_, notes)
        return made

    def _clusters(self, made: dict[int, _Made]) -> list[Line]:
        """Makes NIL clusters of groups of NIL mentions; returns the lines of all other groups."""
        groups = _Groups()
        kept, lines = [], []
        for line, bounds in self.found.equivs:
            ones = [made[id(bound)] for bound in bounds]
            named = {one.links[0].entity for one in ones if one.links} - {None}
            if not all(one.links and one.links[0].is_nil for one in ones):
                kept.append(line)
            elif len(named) > 1:
                self.found.repair("conflicting-clusters", line, "kept apart")
                kept.append(line)
            else:
                groups.join(ones)
                lines.append((line, ones))
        taken = {link.entity for one in made.values() for link in one.links}
        fresh = (name for number in count(1) if (name := self._cluster(number)) not in taken)
        for group in groups.all():
            names = {one.links[0].entity for one in group} - {None}
            if len(names) > 1:
                wrong = [line for line, ones in lines if any(ones[0] is one for one in group)]
                for line in wrong:
                    self.found.repair("conflicting-clusters", line, "kept apart")
                kept += wrong
                continue
            update = {"entity": names.pop() if names else next(fresh)}
            for one in group:
                one.links = [link.model_copy(update=update) for link in one.links]
        return kept

    def _cluster(self, number: int) -> str:
        return f"NIL:{self.base.id}:{number}"

    def _name(self, made: _Made) -> None:
        """Keeps the id of an annotation that others refer to."""
        name: Attributes = {LINES: made.bound.line.id}
        if made.links:
            first = made.links[0]
            changed = first.model_copy(update={"attributes": first.attributes | name})
            made.links = [changed, *made.links[1:]]
        else:
            made.attributes = made.attributes | name

    def _mentions(self, made: list[_Made]) -> list[Mention]:
        """Annotations with links on one span are alternatives of one mention."""
        groups: dict[object, list[_Made]] = {}
        for one in made:
            key = (one.spans, one.note.number) if one.links else id(one)
            groups.setdefault(key, []).append(one)
        return [self._mention(group) for group in groups.values()]

    def _mention(self, group: list[_Made]) -> Mention:
        spans = group[0].spans
        stated = next((one.note.mention for one in group if one.note.mention is not None), None)
        more = {
            "links": tuple(link for one in group for link in one.links),
            "attributes": merged(stated.attributes if stated else {}, group[0].attributes),
            "surface": next((one.surface for one in group if one.surface is not None), None),
        }
        if stated is None or not self._stands_at(stated, spans):
            return mention_at(self.text, spans).model_copy(update=more)
        if stated.surface is not None:
            more["surface"] = stated.surface
        return stated.model_copy(update=more)

    def _stands_at(self, mention: Mention, spans: Spans) -> bool:
        """Whether a mention would be written with these spans, which nobody moved then."""
        return self.text is None or written_spans(self.text, mention) == spans


class _Groups:
    """Sets of annotations that are joined where they have one in common."""

    def __init__(self) -> None:
        self._group: dict[int, list[_Made]] = {}

    def join(self, ones: list[_Made]) -> None:
        joined = {id(other): other for one in ones for other in self._group.get(id(one), [one])}
        group = list(joined.values())
        self._group |= dict.fromkeys(joined, group)

    def all(self) -> list[list[_Made]]:
        return list({id(group): group for group in self._group.values()}.values())


def _stated(bound: Bound) -> Stated:
    begin = min(begin for begin, _ in bound.spans)
    end = max(end for _, end in bound.spans)
    fragments = bound.spans if len(bound.spans) > 1 else ()
    return Stated(begin, end, bound.surface, fragments)


def _same(stated: str, found: str) -> bool:
    """Whether surfaces agree but for blanks behind, and where a line breaks."""
    if stated.rstrip() == found.rstrip() and stated.startswith(found):
        return True
    return has_break(found) and stated.split() == found.split()
