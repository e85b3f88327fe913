"""The lines of an ``.ann`` file of a document."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from elcurate.formats.brat_entities import name_of, normalisation_of
from elcurate.formats.brat_kept import Kept, kept_lines
from elcurate.formats.brat_notes import Note
from elcurate.formats.brat_said import is_label, reference_in, sayable, taken_notes
from elcurate.formats.brat_terms import (
    ATTRIBUTES,
    EQUIV,
    LABEL,
    LINES,
    NIL,
    NOTE,
    REFERENCES,
    VALUES,
    Spans,
    mention_at,
    spelled,
    surface_of,
    written_spans,
)
from elcurate.formats.brat_vocabulary import Vocabulary
from elcurate.formats.features import place
from elcurate.model.change import Loss
from elcurate.model.corpus import Attributes, Document, Link, Mention

_OWN_ID = re.compile(r"T[0-9]{1,9}")


class DocumentWriter:
    """Writes the annotations of one document.

    Attributes:
        lines: What is written.
        types: The exact entity types of the names that stand for others.
        metadata: The metadata that is not in the lines.

    Args:
        document: With its text.
        names: Takes in the names that are used.
        losses: Is added to.
    """

    def __init__(self, document: Document, names: Vocabulary, losses: list[Loss]) -> None:
        assert document.text is not None
        self.text: str = document.text
        self.names = names
        self.lines: list[str] = []
        self.types: dict[str, str] = {}
        self.metadata = dict(document.metadata)
        self._numbers: Counter[str] = Counter()
        self._clusters: dict[str, list[str]] = {}
        spans = [(mention, written_spans(self.text, mention)) for mention in document.mentions]
        written = [(mention, found) for mention, found in spans if found is not None]
        self._kept = self._keep([mention for mention, _ in written])
        self._taken = self._kept.ids | self._kept.named
        self._write_mentions(written)
        self.lines += [
            f"*\t{EQUIV} {' '.join(ids)}" for ids in self._clusters.values() if len(ids) > 1
        ]
        self.lines += self._kept.lines
        for mention, found in spans:
            if found is None:
                where, reason = place(document, mention), "no visible character in the text"
                losses.append(Loss(kind="mention", where=where, reason=reason))

    def content(self) -> bytes:
        """The content of the file."""
        return "".join(f"{line}\n" for line in self.lines).encode()

    def _keep(self, mentions: list[Mention]) -> Kept:
        """The lines of relations and events, taken out of the metadata if they can be written."""
        stated = [pair for mention in mentions for pair in _annotations(mention)]
        ids = Counter(_own_id(attributes) for _, attributes in stated)
        links = {
            name: link
            for link, attributes in stated
            if (name := _own_id(attributes)) is not None and ids[name] == 1
        }
        kept = kept_lines(self.metadata.get(LINES), self.text, links, self.names)
        if kept is None or not kept.lines:
            return Kept()
        del self.metadata[LINES]
        return kept

    def _write_mentions(self, written: list[tuple[Mention, Spans]]) -> None:
        numbers: Counter[Spans] = Counter()
        for mention, spans in written:
            numbers[spans] += bool(mention.links)
            number = numbers[spans] if mention.links else 1
            rest = self._rest(mention, spans)
            for link, attributes in _annotations(mention):
                if link is None:
                    self._bare(spans, dict(attributes), rest)
                else:
                    self._link(link, spans, Note(number, link.score, {}, rest))
                rest = None

    def _rest(self, mention: Mention, spans: Spans) -> Mention | None:
        """The mention without links, where it isn't what a reader makes of the spans."""
        found = mention_at(self.text, spans)
        same = found.span == mention.span and found.fragments == mention.fragments
        attributes = mention.attributes if mention.links else {}
        if same and mention.surface is None and not attributes:
            return None
        return mention.model_copy(update={"links": (), "attributes": attributes})

    def _bare(self, spans: Spans, attributes: Attributes, rest: Mention | None) -> None:
        """Writes a mention without link; its attributes are those of the annotation."""
        type_ = attributes.get("type")
        if isinstance(type_, str):
            del attributes["type"]
        name = self._bound(self._type(type_ if isinstance(type_, str) else None), spans, attributes)
        self._attributes(name, attributes, None)
        notes = taken_notes(attributes)
        if attributes:
            bare = rest or mention_at(self.text, spans)
            rest = bare.model_copy(update={"attributes": attributes})
        self._notes(name, Note(mention=rest), notes)

    def _link(self, link: Link, spans: Spans, note: Note) -> None:
        """Writes one link of a mention."""
        attributes = dict(link.attributes)
        name = self._bound(self._type(link.type), spans, attributes)
        for dimension, leaf in link.categories.pairs():
            self._add("A", f"{ATTRIBUTES[dimension]} {name} {VALUES[dimension, leaf]}")
        if link.is_nil:
            self._add("A", f"{NIL} {name}")
        self._attributes(name, attributes, link)
        if link.entity is not None:
            self._normalise(name, link.entity, attributes)
            if link.is_nil and link.entity != NIL:
                self._clusters.setdefault(link.entity, []).append(name)
        notes = taken_notes(attributes)
        self._notes(name, replace(note, attributes=attributes), notes)

    def _bound(self, type_: str, spans: Spans, attributes: Attributes) -> str:
        """Writes the span, under its own id if others refer to it; returns the id."""
        name = _own_id(attributes)
        if name in self._kept.named:
            del attributes[LINES]
        else:
            name = None
        line = f"{type_} {spelled(spans)}\t{surface_of(self.text, spans)}"
        return self._add("T", line, name)

    def _type(self, exact: str | None) -> str:
        name = self.names.type_name(exact)
        if exact is not None and exact != name:
            self.types[name] = exact
        return name

    def _attributes(self, name: str, attributes: Attributes, link: Link | None) -> None:
        """Writes the attributes that brat can hold, and takes them out."""
        for key, value in list(attributes.items()):
            values = sayable(key, value, link)
            if values and all(self.names.attribute(key, one) for one in values):
                for one in values:
                    self._add("A", f"{key} {name}" + ("" if one is True else f" {one}"))
                del attributes[key]

    def _normalise(self, name: str, entity: str, attributes: Attributes) -> None:
        """Writes the entity, its label and its identifiers in further databases."""
        database, identifier = normalisation_of(entity)
        shown = name_of(database, identifier)
        label = attributes.get(LABEL)
        numeric = database == "Wikipedia" and identifier.isdigit()
        if isinstance(label, str) and is_label(label) and label != shown and not numeric:
            shown = label
            del attributes[LABEL]
        self._add("N", f"Reference {name} {database}:{identifier}\t{shown}")
        self.names.databases[database] = None
        others = attributes.get(REFERENCES)
        if not isinstance(others, list) or not others:
            return
        found = [reference_in(other, database, shown) for other in others]
        if all(found) and len(set(found)) == len(found):
            for other in found:
                assert other is not None
                self._add("N", f"Reference {name} {other[0]}:{other[1]}\t{other[2]}")
                self.names.databases[other[0]] = None
            del attributes[REFERENCES]

    def _notes(self, name: str, note: Note, notes: list[tuple[str, str]]) -> None:
        """Writes our note first, so that brat shows what people noted in its own way."""
        own = note.to_json()
        for kind, text in [*([(NOTE, own)] if own else []), *notes]:
            self._add("#", f"{kind} {name}\t{text}")

    def _add(self, kind: str, line: str, name: str | None = None) -> str:
        """Writes a line under the next free id of its kind."""
        while name is None:
            self._numbers[kind] += 1
            name = f"{kind}{self._numbers[kind]}"
            name = None if name in self._taken else name
        self.lines.append(f"{name}\t{line}")
        return name


def _annotations(mention: Mention) -> list[tuple[Link | None, Attributes]]:
    """What becomes an annotation each, with its attributes: the links, or the bare mention."""
    if mention.links:
        return [(link, link.attributes) for link in mention.links]
    return [(None, mention.attributes)]


def _own_id(attributes: Attributes) -> str | None:
    name = attributes.get(LINES)
    return name if isinstance(name, str) and _OWN_ID.fullmatch(name) else None
