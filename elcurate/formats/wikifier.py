"""The output of the Illinois Wikifier: a text with its mentions, scores and candidates."""

from __future__ import annotations

import math
from collections.abc import Iterator

from lxml import etree

from elcurate.errors import ReadError
from elcurate.formats.base import Format, Reading, ReadOptions
from elcurate.formats.offsets import Stated, settle
from elcurate.formats.page_names import entity_of
from elcurate.formats.source import Source
from elcurate.formats.surfaces import alike, report_spellings
from elcurate.formats.xml_fields import Fields
from elcurate.formats.xml_read import text_of
from elcurate.formats.xml_repair import parse_repaired
from elcurate.model.change import Repair
from elcurate.model.corpus import Attributes, Document, Link, Mention, in_order

_MARK = b"<WikifierOutput"
_ENTITY = ("EntitySurfaceForm", "EntityTextStart", "EntityTextEnd", "LinkerScore")
_LINK = ("WikiTitle", "WikiTitleID", "RankerScore", "Attributes")
_PARTS = ("TopDisambiguation", "DisambiguationCandidates", "Candidate")
_TAGS = frozenset(
    {
        *_ENTITY,
        *_LINK,
        *_PARTS,
        "WikifierOutput",
        "InputFilename",
        "InputText",
        "WikifiedEntities",
        "Entity",
    }
)
_NULL = ("", "*null*")


def sniff(head: bytes, name: str) -> int:
    """Sure of the root element."""
    return 95 if _MARK in head[:4096] else 0


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads the one document of a file."""
    return Reading(source.stem, _documents(source), repairs=source.repairs)


def _documents(source: Source) -> Iterator[Document]:
    root = parse_repaired(source, _TAGS)
    shown = root.find("InputText")
    if root.tag != "WikifierOutput" or shown is None:
        raise ReadError(
            "there is no InputText in it",
            path=source.path,
            remedy="The full XML output of the Wikifier is needed.",
        )
    name = text_of(root.find("InputFilename")).strip() or source.stem
    text = text_of(shown).removeprefix("\n").removesuffix("\n")
    yield Document(id=name, text=text, mentions=_Reader(source, name).mentions(root, text))


class _Reader:
    def __init__(self, source: Source, name: str) -> None:
        self.source = source
        self.repairs = source.repairs
        self.name = name

    def mentions(self, root: etree._Element, text: str) -> tuple[Mention, ...]:
        elements = list(root.iterfind("WikifiedEntities/Entity"))
        rows = [Fields(element, self.source.path, self.name) for element in elements]
        places = [
            Stated(
                row.number("EntityTextStart"),
                row.number("EntityTextEnd"),
                row.first("EntitySurfaceForm") or None,
            )
            for row in rows
        ]
        settled = settle(text, places, self.repairs, self.name, same=alike)
        report_spellings(text, places, settled, self.repairs, self.name)
        return in_order(
            [
                Mention(
                    begin=one.begin,
                    end=one.end,
                    surface=one.surface,
                    links=self.links(element),
                    attributes=self.linker_score(row),
                )
                for element, row, one in zip(elements, rows, settled, strict=True)
            ]
        )

    def linker_score(self, row: Fields) -> Attributes:
        """How sure the system is that there is something to link, and other facts."""
        attributes = row.extras((*_ENTITY, *_PARTS))
        score = self.score(row, row.first("LinkerScore"))
        return attributes if score is None else {"LinkerScore": score, **attributes}

    def links(self, entity: etree._Element) -> tuple[Link, ...]:
        """The page that the system chose, then the others by their scores."""
        top = entity.find("TopDisambiguation")
        chosen = [] if top is None else [self.link(Fields(top, self.source.path, self.name))]
        known = {(link.entity, link.score) for link in chosen}
        others = [self.link(row) for row in self.candidates(entity)]
        others = [link for link in others if (link.entity, link.score) not in known]
        others.sort(key=lambda link: -(-math.inf if link.score is None else link.score))
        return (*chosen, *others)

    def candidates(self, entity: etree._Element) -> Iterator[Fields]:
        """The candidates; older versions list their parts without an element around them."""
        listed = entity.find("DisambiguationCandidates")
        if listed is None:
            return
        for candidate in listed.iterfind("Candidate"):
            yield Fields(candidate, self.source.path, self.name)
        bare = [child for child in listed if child.tag in _LINK]
        for at, child in enumerate(bare):
            if child.tag == "WikiTitle":
                wrapped = etree.Element("Candidate")
                wrapped.sourceline = child.sourceline
                wrapped.extend([child, *_until_title(bare[at + 1 :])])
                yield Fields(wrapped, self.source.path, self.name)

    def link(self, row: Fields) -> Link:
        title = row.needed("WikiTitle")
        attributes = row.extras(("WikiTitle", "RankerScore"))
        words = row.first("Attributes")
        if words:
            attributes["Attributes"] = list(words.split("\t"))
        return Link(
            entity=None if title in _NULL else entity_of(title),
            score=self.score(row, row.first("RankerScore")),
            attributes=attributes,
        )

    def score(self, row: Fields, stated: str | None) -> float | None:
        """A score; one that is no finite number is left out, which is a repair."""
        if stated is None:
            return None
        try:
            score = float(stated)
        except ValueError:
            raise row.error(f"{stated[:40]!r} is no score", "Scores are numbers.") from None
        if math.isfinite(score):
            return score
        where = f"{self.source.path}:{row.line}"
        self.repairs.append(
            Repair(kind="score-not-finite", where=where, before=stated, after="no score")
        )
        return None


def _until_title(elements: list[etree._Element]) -> Iterator[etree._Element]:
    for element in elements:
        if element.tag == "WikiTitle":
            return
        yield element


WIKIFIER = Format(
    name="wikifier",
    text="output of the Illinois Wikifier",
    suffixes=(".tagged.full.xml",),
    keeps=frozenset(),
    sniff=sniff,
    read=read,
)
