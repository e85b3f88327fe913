"""Relations, events and what is said of them: lines that are kept as they are.

They are written only where brat accepts every one of them; one wrong line could hide a document.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from elcurate.formats.brat_terms import (
    EQUIV,
    FIXED,
    NAME,
    VALUE,
    has_break,
    overlapping,
    surface_of,
)
from elcurate.formats.brat_vocabulary import Vocabulary
from elcurate.model.corpus import Link

_NAME = rf"({NAME.pattern})"
_ID = r"([A-Z#][0-9]{1,9})"
_ARGUMENT = r"(?: [A-Za-z][A-Za-z0-9_-]*:[TE][0-9]{1,9})"
_FORMS = {
    "T": re.compile(rf"{_ID}\t{_NAME} ([0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*)\t(.*)"),
    "E": re.compile(rf"{_ID}\t{_NAME}:(T[0-9]+)({_ARGUMENT}*) *(?:\t.*)?"),
    "R": re.compile(rf"{_ID}\t{_NAME}({_ARGUMENT}{{2}}) *(?:\t.*)?"),
    "A": re.compile(rf"{_ID}\t{_NAME} {_ID}(?: (.*))?"),
    "M": re.compile(rf"{_ID}\t{_NAME} {_ID}"),
    "N": re.compile(rf"{_ID}\tReference {_ID} {_NAME}:\S+(?:\t.*)?"),
    "#": re.compile(rf"{_ID}\t{_NAME} {_ID}(?:\t.*)?"),
    "*": re.compile(rf"\*\t{_NAME} (T[0-9]+(?: T[0-9]+)+)"),
}


@dataclass
class Kept:
    """Lines that can be written.

    Attributes:
        lines: As they are.
        ids: The ids that they have.
        named: The ids of mentions that they name.
    """

    lines: list[str] = field(default_factory=list)
    ids: set[str] = field(default_factory=set)
    named: set[str] = field(default_factory=set)


def kept_lines(
    stated: JsonValue, text: str, mentions: Mapping[str, Link | None], names: Vocabulary
) -> Kept | None:
    """The lines of relations and events, or None when brat would not accept them all.

    Args:
        stated: What is to be written, a list of lines.
        text: The text of the document.
        mentions: The ids that lines may name, with their links.
        names: Takes in the names that the lines use.
    """
    check = _Check(text, mentions, names)
    good = isinstance(stated, list) and all(map(check.read, stated)) and check.sound()
    return check.kept if good else None


class _Check:
    """Reads lines one after the other, and says of each whether brat accepts it."""

    def __init__(self, text: str, mentions: Mapping[str, Link | None], names: Vocabulary) -> None:
        self.text = text
        self.mentions = mentions
        self.names = names
        self.kept = Kept()
        self.triggers: dict[str, str] = {}
        self.events: list[tuple[str, str]] = []
        self.arguments: set[str] = set()
        self.targets: set[str] = set()
        self.readers: dict[str, Callable[[re.Match[str]], bool]] = {
            "T": self._trigger,
            "E": self._event,
            "R": self._relation,
            "A": self._attribute,
            "M": self._attribute,
            "N": self._normalisation,
            "#": self._note,
            "*": self._group,
        }

    def read(self, line: JsonValue) -> bool:
        """Takes a line in; False when brat doesn't read it."""
        if not isinstance(line, str) or has_break(line) or line[:1] not in _FORMS:
            return False
        match = _FORMS[line[0]].fullmatch(line)
        if match is None:
            return False
        if line[0] != "*":
            if match[1] in self.kept.ids or match[1] in self.mentions:
                return False
            self.kept.ids.add(match[1])
        self.kept.lines.append(line)
        return self.readers[line[0]](match)

    def sound(self) -> bool:
        """Whether the lines that were read fit together."""
        ids = self.kept.ids
        self.kept.named = self.arguments & self.mentions.keys()
        return (
            {trigger for trigger, _ in self.events} == self.triggers.keys()
            and all(self.triggers[trigger] == type_ for trigger, type_ in self.events)
            and self.arguments <= self.mentions.keys() | {name for name in ids if name[0] == "E"}
            and self.targets <= {name for name in ids if name[0] in "ER"}
        )

    def _trigger(self, match: re.Match[str]) -> bool:
        name, type_, stated, surface = match.groups()
        numbers = [int(number) for number in re.findall("[0-9]+", stated)]
        spans = tuple(zip(numbers[::2], numbers[1::2], strict=True))
        pieces = [self.text[begin:end] for begin, end in spans]
        self.triggers[name] = type_
        return (
            self.names.take(type_, "event")
            and all(piece and piece == piece.strip() and not has_break(piece) for piece in pieces)
            and all(end - begin == len(p) for (begin, end), p in zip(spans, pieces, strict=True))
            and not overlapping(spans)
            and surface_of(self.text, spans) == surface
        )

    def _event(self, match: re.Match[str]) -> bool:
        _, type_, trigger, arguments = match.groups()
        if not self.names.take(type_, "event"):
            return False
        roles = self.names.events.setdefault(type_, {})
        for role, target in _arguments(arguments):
            roles[role.rstrip("0123456789")] = None
            self.arguments.add(target)
        self.events.append((trigger, type_))
        return True

    def _relation(self, match: re.Match[str]) -> bool:
        (one, first), (two, second) = _arguments(match[3])
        if one == two or not self.names.take(match[2], "relation"):
            return False
        self.arguments |= {first, second}
        self.names.relations[match[2], one, two] = None
        return True

    def _attribute(self, match: re.Match[str]) -> bool:
        _, name, target, *value = match.groups()
        self.targets.add(target)
        if name in FIXED or not VALUE.fullmatch(value[0] if value and value[0] else "-"):
            return False
        return self.names.attribute(name, value[0] if value and value[0] else True)

    def _normalisation(self, match: re.Match[str]) -> bool:
        self.targets.add(match[2])
        self.names.databases[match[3]] = None
        return True

    def _note(self, match: re.Match[str]) -> bool:
        self.targets.add(match[3])
        return True

    def _group(self, match: re.Match[str]) -> bool:
        members = match[2].split()
        self.arguments |= set(members)
        links = [self.mentions.get(name) for name in members]
        nils = {link.entity for link in links if link is not None and link.is_nil} - {None}
        cluster = all(link is not None and link.is_nil for link in links) and len(nils) < 2
        if not self.names.take(match[1], "group") or (match[1] == EQUIV and cluster):
            return False
        self.names.groups[match[1]] = None
        return True


def _arguments(text: str) -> Iterator[tuple[str, str]]:
    for part in text.split():
        role, _, target = part.partition(":")
        yield role, target
