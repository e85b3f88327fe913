"""Reads GERDAQ: the content of an instance is its text, annotations are mentions in it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

from lxml import etree

from elcurate.errors import ReadError
from elcurate.formats.base import Reading, ReadOptions
from elcurate.formats.page_names import entity_of
from elcurate.formats.source import Source
from elcurate.formats.xml_read import parse_xml
from elcurate.model.change import Repair
from elcurate.model.corpus import Attributes, Document, Link, Mention, in_order

NIL = "NIL"
RANKED = re.compile(r"rank_([0-9]{1,9})_(.+)", re.DOTALL)


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads the instances, which are numbered from 1 where they have no id.

    Raises:
        ReadError: when it is not XML, or XML of something else.
    """
    root = parse_xml(source)
    if root.tag != "dataset":
        raise ReadError(
            f"the root element is {root.tag}",
            path=source.path,
            line=_line(root),
            remedy="A GERDAQ file is a <dataset> of <instance>.",
        )
    return Reading(
        source.stem, _documents(root, source, options), _attributes(root), source.repairs
    )


def _documents(root: etree._Element, source: Source, options: ReadOptions) -> Iterator[Document]:
    number = 0
    _report_text(source, root, root.text)
    for child in root:
        _report_text(source, child, child.tail)
        if child.tag != "instance":
            _report(source, child)
            continue
        number += 1
        fields = _attributes(child)
        name = str(fields.pop("id", number))
        try:
            instance = _Instance(source, name)
            instance.add(child)
            yield instance.document(fields)
        except ReadError as error:
            options.fail(error)


class _Instance:
    """The text and the mentions of an instance as they come."""

    def __init__(self, source: Source, name: str) -> None:
        self.source = source
        self.name = name
        self.pieces: list[str] = []
        self.length = 0
        self.mentions: list[Mention] = []

    def document(self, metadata: Attributes) -> Document:
        """The document, when all is added."""
        text = "".join(self.pieces)
        return Document(
            id=self.name, text=text, mentions=in_order(self.mentions), metadata=metadata
        )

    def add(self, element: etree._Element) -> None:
        """Adds an element's content."""
        self._text(element.text)
        for child in element:
            begin = self.length
            if child.tag == "annotation":
                self.add(child)
                self.mentions.append(self._mention(child, begin))
            else:
                _report(self.source, child)
                if isinstance(child.tag, str):
                    self.add(child)
            self._text(child.tail)

    def _text(self, piece: str | None) -> None:
        self.pieces.append(piece or "")
        self.length += len(piece or "")

    def _mention(self, element: etree._Element, begin: int) -> Mention:
        ranks: dict[int, Attributes] = {}
        rest: Attributes = {}
        for key, value in _attributes(element).items():
            match = RANKED.fullmatch(key)
            if match is None:
                rest[key] = value
            else:
                ranks.setdefault(int(match[1]), {})[match[2]] = value
        if list(range(len(ranks))) != sorted(ranks):
            self._repair("missing-rank", element, ", ".join(map(str, sorted(ranks))))
        links = tuple(self._link(element, ranks[rank]) for rank in sorted(ranks))
        return Mention(begin=begin, end=self.length, links=links, attributes=rest)

    def _link(self, element: etree._Element, fields: Attributes) -> Link:
        """The link of a rank: by title, or by the number of the page where there is none."""
        title = fields.pop("title", None)
        score = self._score(element, fields.pop("score", None))
        if title is None and "id" in fields:
            self._repair("no-title", element, str(fields["id"]))
            entity = f"https://en.wikipedia.org/?curid={fields['id']}"
        elif title is None or title == "":
            raise self._error(element, "a rank has neither title nor id")
        else:
            entity = entity_of(str(title))
        return Link(entity=None if entity == NIL else entity, score=score, attributes=fields)

    def _score(self, element: etree._Element, text: object) -> float | None:
        if text is None:
            return None
        try:
            score = float(str(text))
        except ValueError:
            raise self._error(element, f"{str(text)[:40]!r} is no score") from None
        if math.isfinite(score):
            return score
        self._repair("score-not-finite", element, str(text), "no score")
        return None

    def _repair(self, kind: str, element: etree._Element, before: str, after: str = "") -> None:
        where = f"{self.source.path}:{_line(element)}"
        self.source.repairs.append(Repair(kind=kind, where=where, before=before, after=after))

    def _error(self, element: etree._Element, message: str) -> ReadError:
        return ReadError(
            message,
            path=self.source.path,
            line=_line(element),
            document=self.name,
            remedy="An annotation has rank_0_title, rank_0_id and rank_0_score.",
        )


def _line(element: etree._Element) -> int | None:
    found: Any = element.sourceline
    return int(found) if isinstance(found, int) else None


def _attributes(element: etree._Element) -> Attributes:
    return {str(key): str(value) for key, value in element.attrib.items()}


def _report_text(source: Source, element: etree._Element, text: str | None) -> None:
    """Reports text that is in no instance."""
    if text is not None and text.strip():
        where = f"{source.path}:{_line(element)}"
        before = text.strip()[:80]
        source.repairs.append(
            Repair(kind="text-outside", where=where, before=before, after="left out")
        )


def _report(source: Source, element: etree._Element) -> None:
    """Reports an element that is not known, or a comment; its text is kept, a comment's is not."""
    is_element = isinstance(element.tag, str)
    what = str(element.tag) if is_element else etree.tostring(element, with_tail=False).decode()
    source.repairs.append(
        Repair(
            kind="unknown-element",
            where=f"{source.path}:{_line(element)}",
            before=what[:80],
            after="its text is kept" if is_element else "left out",
        )
    )
