"""The lines of an ``.ann`` file, each brought to the annotation that it is about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from elcurate.errors import ReadError
from elcurate.formats.brat_terms import EQUIV, Spans
from elcurate.formats.source import Source
from elcurate.model.change import Repair

_ID = re.compile(r"(?:\*|(?:[A-Za-z]+|#[A-Za-z]*)[0-9]+\S*)\t")
_SPAN = "-?[0-9]{1,300} +-?[0-9]{1,300}"
_TEXT_BOUND = re.compile(rf"(\S+) +({_SPAN}(?:;{_SPAN})*) *")
_NORMALISATION = re.compile(r"(\S+) +(\S+) +([^\s:]+):(.*\S) *")
_EVENT = re.compile(r"\S+:(\S+)((?: +[^\s:]+:\S+)*) *")
_RELATION = re.compile(r"\S+ +[^\s:]+:(\S+) +[^\s:]+:(\S+) *")
_GROUP = re.compile(r"(\S+) +(\S+(?: +\S+)+) *")


@dataclass(frozen=True)
class Line:
    """One line: an id, what it says, and what follows behind the second tab."""

    number: int
    text: str
    id: str
    data: str
    tail: str


@dataclass(eq=False)
class Bound:
    """A text-bound annotation (``T``) with what is said of it.

    Attributes:
        line: Where it stands.
        type: Its type in brat.
        spans: As the file counts them.
        surface: As the file states it.
        values: Names and values of attributes; True for those without a value.
        normalisations: Databases, identifiers and labels.
        notes: Types and texts.
    """

    line: Line
    type: str
    spans: Spans
    surface: str | None
    values: list[tuple[str, str | bool]] = field(default_factory=list)
    normalisations: list[tuple[str, str, str]] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)


class Standoff:
    """The annotations of one document.

    Attributes:
        bounds: The mentions, in the order of the file.
        triggers: The text-bound annotations that are triggers of events.
        equivs: Groups of mentions with the line that makes them.
        kept: The lines of relations, events and their triggers, and what is said of them.

    Args:
        lines: The lines of the file.
        path: The file, for the repairs.
        repairs: Is added to.
    """

    def __init__(self, lines: Iterable[Line], path: str, repairs: list[Repair]) -> None:
        self.path = path
        self.repairs = repairs
        self.bounds: list[Bound] = []
        self.triggers: list[Bound] = []
        self.equivs: list[tuple[Line, list[Bound]]] = []
        self.kept: list[Line] = []
        self._bounds: dict[str, list[Bound]] = {}
        self._ids: set[str] = set()
        rest = [line for line in lines if not self._bound(line)]
        self._triggers = {match[1] for line in rest if (match := _event(line)) is not None}
        for name, found in self._bounds.items():
            (self.triggers if name in self._triggers else self.bounds).extend(found)
        for place in (self.bounds, self.triggers):
            place.sort(key=lambda bound: bound.line.number)
        self.kept += [bound.line for bound in self.triggers]
        for line in rest:
            if not self._placed(line):
                self.repair("unreadable-line", line, "left out")
        self.kept.sort(key=lambda line: line.number)

    def repair(self, kind: str, line: Line, after: str = "") -> None:
        """Reports what is wrong with a line."""
        where = f"{self.path}:{line.number}"
        self.repairs.append(Repair(kind=kind, where=where, before=line.text, after=after))

    def mentions_in(self, line: Line) -> list[Bound]:
        """The mentions that a line which is kept names."""
        names = [name for name in _named(line) or () if name not in self._triggers]
        found = [self._nearest(name, line.number) for name in names]
        return [bound for bound in found if bound is not None]

    def _bound(self, line: Line) -> bool:
        """Takes a line in; whether it is a text-bound annotation."""
        if line.id in self._ids:
            self.repair("repeated-id", line, "kept")
        elif line.id != "*":
            self._ids.add(line.id)
        match = _TEXT_BOUND.fullmatch(line.data) if line.id[0] == "T" else None
        if match is None:
            return False
        spans = tuple(_span(part) for part in match[2].split(";"))
        bound = Bound(line, match[1], spans, line.tail or None)
        self._bounds.setdefault(line.id, []).append(bound)
        return True

    def _placed(self, line: Line) -> bool:
        """Puts another line where it belongs; False when it can't be read."""
        named = _named(line)
        if named is None:
            return False
        unknown = [name for name in named if name not in self._ids]
        if unknown:
            self.repair("unknown-reference", line, "left out")
            return True
        target = self._nearest(named[0], line.number) if line.id[0] in "AMN#" else None
        if target is not None and named[0] not in self._triggers:
            self._said(line, target)
        elif line.id == "*" and line.data.startswith(f"{EQUIV} "):
            self.equivs.append((line, self.mentions_in(line)))
        else:
            self.kept.append(line)
        return True

    def _said(self, line: Line, target: Bound) -> None:
        """Adds an attribute, a normalisation or a note to its mention."""
        if line.id[0] == "N":
            match = _NORMALISATION.fullmatch(line.data)
            assert match is not None
            name = re.sub(r"\s+", "_", match[4])
            if name != match[4]:
                self.repair("blank-in-id", line, name)
            if match[1] != "Reference":
                self.repair("normalisation-type", line, "Reference")
            target.normalisations.append((match[3], name, line.tail.lstrip("\t")))
        elif line.id[0] == "#":
            target.notes.append((line.data.split()[0], line.tail))
        else:
            name, _, *value = line.data.split(maxsplit=2)
            target.values.append((name, value[0].rstrip() if value else True))
            if line.tail.strip():
                self.repair("surplus-text", line, "left out")

    def _nearest(self, name: str, number: int) -> Bound | None:
        """Of several annotations of one id the last above a line, or else the first."""
        found = self._bounds.get(name, [])
        above = [bound for bound in found if bound.line.number < number]
        return above[-1] if above else found[0] if found else None


def lines_of(source: Source, repairs: list[Repair]) -> Iterator[Line]:
    """The lines of a file; a surface with line breaks goes on in the next lines.

    Raises:
        ReadError: when the file can't be read, or no line of it is an annotation.
    """
    last: Line | None = None
    wrong: list[Repair] = []
    crlf = False
    for number, raw in source.lines():
        text = raw.removesuffix("\r")
        where = f"{source.path}:{number}"
        if text != raw and not crlf:
            repairs.append(Repair(kind="crlf", where=where))
            crlf = True
        if _ID.match(text) is not None:
            if last is not None:
                yield last
            last = _line(number, text)
        elif last is not None and _goes_on(last, text):
            repairs.append(Repair(kind="broken-line", where=where, before=text, after="joined"))
            last = _line(last.number, f"{last.text}\n{text}")
        elif text.strip():
            wrong.append(Repair(kind="unreadable-line", where=where, before=text, after="left out"))
    if last is None and wrong:
        raise ReadError(
            "no line is an annotation",
            path=source.path,
            remedy="Each line is an id such as T1, a tab, and what the annotation says.",
        )
    repairs += wrong
    if last is not None:
        yield last


def _line(number: int, text: str) -> Line:
    name, _, rest = text.partition("\t")
    data, _, tail = rest.partition("\t")
    return Line(number, text, name, data, tail)


def _goes_on(line: Line, text: str) -> bool:
    """Whether a line is the rest of the surface above it, which is too short for its span."""
    match = _TEXT_BOUND.fullmatch(line.data) if line.id[0] == "T" and line.tail else None
    if match is None:
        return False
    spans = [_span(part) for part in match[2].split(";")]
    length = sum(end - begin + 1 for begin, end in spans) - 1
    return len(text) < length - len(line.tail)


def _span(text: str) -> tuple[int, int]:
    begin, end = text.split()
    return int(begin), int(end)


def _event(line: Line) -> re.Match[str] | None:
    return _EVENT.fullmatch(line.data) if line.id[0] == "E" else None


def _named(line: Line) -> list[str] | None:
    """The ids that a line refers to, the one that it is about first; None for a wrong line."""
    kind = line.id[0]
    if kind in "AM#":
        words = line.data.split(maxsplit=2)
        return [words[1]] if len(words) > 1 and (kind == "A" or len(words) == 2) else None
    if kind == "N":
        match = _NORMALISATION.fullmatch(line.data)
        return None if match is None else [match[2]]
    if kind == "E":
        match = _event(line)
        if match is None:
            return None
        return [match[1], *(part.partition(":")[2] for part in match[2].split())]
    match = _RELATION.fullmatch(line.data) if kind == "R" else None
    if match is not None:
        return [match[1], match[2]]
    match = _GROUP.fullmatch(line.data) if kind == "*" else None
    return None if match is None else match[2].split()
