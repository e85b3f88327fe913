"""Problem files: what annotators said of one text, in the XML of MSNBC, AQUAINT and ACE2004."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from lxml import etree

from elcurate.errors import ReadError
from elcurate.formats.page_names import entity_of
from elcurate.formats.source import Source
from elcurate.formats.xml_fields import Fields
from elcurate.formats.xml_read import text_of
from elcurate.formats.xml_repair import parse_repaired
from elcurate.model.change import Repair
from elcurate.model.corpus import Link

NULL = "*null*"
ADDRESS = "http://en.wikipedia.org/wiki/"
INSTANCE = (
    "SurfaceForm",
    "Offset",
    "Length",
    "ChosenAnnotation",
    "NumAnnotators",
    "AnnotatorId",
    "Annotation",
)
_TAGS = frozenset({*INSTANCE, "ReferenceProblem", "ReferenceFileName", "ReferenceInstance"})
_DOUBLED = re.compile(
    r"(?:https?://en\.wikipedia\.org/wiki/)+(?=https?://en\.wikipedia\.org/wiki/)"
)
_NULLS = (NULL, "---", "none", "")


class Instance:
    """One annotation of a problem."""

    def __init__(self, element: etree._Element, path: str, document: str | None = None) -> None:
        self.fields = Fields(element, path, document)

    @property
    def span(self) -> tuple[int, int, str | None]:
        """Offset, length, and surface, if one is stated."""
        number = self.fields.number
        return number("Offset"), number("Length"), self.fields.first("SurfaceForm") or None

    def links(self, annotators: tuple[str, ...], repairs: list[Repair]) -> tuple[Link, ...]:
        """What was chosen, or what some of the annotators said; empty when they said nothing."""
        names, said = self.fields.all("AnnotatorId"), self.fields.all("Annotation")
        if annotators:
            pairs = zip(names, said, strict=False)
            return self._of([(name, value) for name, value in pairs if name in annotators], repairs)
        chosen = self.fields.needed("ChosenAnnotation")
        attributes = self.fields.extras(INSTANCE)
        if names:
            attributes["annotators"] = list(names)
        if said != [chosen] * len(names):
            attributes["Annotation"] = list(said)
        number = self.fields.first("NumAnnotators")
        if number is not None and number != str(len(names)):
            attributes["NumAnnotators"] = number
        return (Link(entity=self.entity(chosen, repairs), attributes=attributes),)

    def _of(self, pairs: list[tuple[str, str]], repairs: list[Repair]) -> tuple[Link, ...]:
        found: dict[str | None, list[str]] = {}
        for name, value in pairs:
            found.setdefault(self.entity(value, repairs), []).append(name)
        return tuple(
            Link(entity=entity, attributes={"annotators": list(names)})
            for entity, names in found.items()
        )

    def entity(self, value: str, repairs: list[Repair]) -> str | None:
        """The entity that an annotation means; what had to be repaired is reported."""
        found, slips = meant(value)
        where = f"{self.fields.path}:{self.fields.line}"
        for kind in slips:
            repairs.append(Repair(kind=kind, where=where, before=value, after=found or NULL))
        return found


@dataclass(frozen=True)
class Problem:
    """A problem file.

    Attributes:
        source: Where it was read.
        root: Its root element.
    """

    source: Source
    root: etree._Element

    @classmethod
    def of(cls, source: Source) -> Problem:
        """Reads a file.

        Raises:
            ReadError: when it is no problem.
        """
        if not source.head:
            raise ReadError("the file is empty", path=source.path)
        root = parse_repaired(source, _TAGS)
        if root.tag != "ReferenceProblem":
            raise ReadError(
                "there is no ReferenceProblem in it",
                path=source.path,
                remedy="The file may be truncated, or not of this format.",
            )
        return cls(source, root)

    @property
    def name(self) -> str:
        """The name of the text, as the file states it; empty when it doesn't."""
        return text_of(self.root.find("ReferenceFileName")).strip()

    @cached_property
    def instances(self) -> list[Instance]:
        """The annotations."""
        found = self.root.iterfind("ReferenceInstance")
        return [Instance(element, self.source.path, self.source.name) for element in found]


def meant(value: str) -> tuple[str | None, list[str]]:
    """The entity in an annotation, and the slips of real files that it is read in spite of."""
    if value in _NULLS:
        return None, [] if value in (NULL, "---") else ["null-spelling"]
    slips = []
    if value.count('"') == 1 and value.endswith('"'):
        value, slips = value[:-1].rstrip(), ["stray-quote"]
    again = _DOUBLED.match(value)
    if again is not None:
        value, slips = value[again.end() :], [*slips, "doubled-address"]
    return entity_of(value), slips
