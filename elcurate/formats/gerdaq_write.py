"""Writes corpora as GERDAQ."""

from __future__ import annotations

import re
from typing import BinaryIO

from lxml import etree

from elcurate.formats.base import Writing
from elcurate.formats.features import outermost, place
from elcurate.formats.gerdaq_read import NIL, RANKED
from elcurate.formats.page_names import name_of
from elcurate.formats.rows import Cells, one_per_span
from elcurate.formats.xml_text import for_xml
from elcurate.model.corpus import Attributes, Document, Link, Mention

_NAME = re.compile(r"(?!(?i:xml))[A-Za-z_][A-Za-z0-9_.-]*")
_OWN = {"id", "score", "title"}


def write(writing: Writing, out: BinaryIO) -> None:
    """Writes the documents that have a text; ids only where they are not the number."""
    writing = for_xml(writing)
    cells = Cells(writing)
    root = etree.Element("dataset", _plain(writing.metadata))
    head = etree.tostring(root, encoding="unicode").removesuffix("/>")
    out.write(f"<?xml version='1.0' encoding='UTF-8'?>\n{head}>".encode())
    count = 0
    for document in writing.documents:
        if document.text is None:
            cells.lose("document", document.id, reason="an instance is a text")
            continue
        count += 1
        instance = etree.Element("instance", _instance_fields(document, count, cells))
        _fill(instance, document, document.text, cells)
        instance.tail = "\n"
        out.write(etree.tostring(instance, encoding="unicode").encode())
    out.write(b"</dataset>\n")


def _instance_fields(document: Document, number: int, cells: Cells) -> dict[str, str]:
    fields = _plain(document.metadata)
    fields.pop("id", None)
    lost = [key for key in document.metadata if key not in fields]
    if lost:
        cells.lose("metadata", document.id, ", ".join(lost), "only texts with plain names fit")
    return fields if document.id == str(number) else {"id": document.id, **fields}


def _fill(instance: etree._Element, document: Document, text: str, cells: Cells) -> None:
    """Puts the text into an instance, with annotations around the outermost mentions."""
    inside = []
    for mention in document.mentions:
        if 0 <= mention.begin <= mention.end <= len(text):
            inside.append(mention)
        else:
            cells.lose("mention", place(document, mention), reason="it is outside of the text")
    done, last = 0, None
    for mention in outermost(one_per_span(inside)):
        if not mention.links:
            continue
        before = text[done : mention.begin]
        if last is None:
            instance.text = before
        else:
            last.tail = before
        where = place(document, mention)
        last = etree.SubElement(instance, "annotation", _fields(mention, where, cells))
        last.text, done = text[mention.begin : mention.end], mention.end
    if last is None:
        instance.text = text
    else:
        last.tail = text[done:]


def _fields(mention: Mention, where: str, cells: Cells) -> dict[str, str]:
    fields = _plain(mention.attributes)
    fields = {key: value for key, value in fields.items() if not RANKED.fullmatch(key)}
    lost = [key for key in mention.attributes if key not in fields]
    if lost:
        cells.lose("mention-attributes", where, ", ".join(lost), "only texts with plain names fit")
    for rank, link in enumerate(mention.links):
        for key, value in sorted(_link_fields(link, where, cells).items()):
            fields[f"rank_{rank}_{key}"] = value
    return fields


def _link_fields(link: Link, where: str, cells: Cells) -> dict[str, str]:
    fields = _plain(link.attributes)
    known = [key for key in fields if key not in _OWN or key == "id"]
    lost = [key for key in link.attributes if key not in known]
    if lost:
        cells.lose("link-attributes", where, ", ".join(lost), "only texts with plain names fit")
    fields = {key: fields[key] for key in known}
    if link.score is not None:
        fields["score"] = repr(link.score)
    return {**fields, "title": _title(link, where, cells)}


def _title(link: Link, where: str, cells: Cells) -> str:
    if link.entity is None:
        return NIL
    title, loss = name_of(link.entity)
    if link.entity in ("", NIL) or (link.is_nil and loss is not None):
        kind = "nil-clusters" if link.is_nil else "link"
        cells.lose(kind, where, link.entity, "it means a NIL without a cluster")
        return NIL
    if loss is not None:
        cells.lose(loss, where, link.entity, f"written as {title}")
    return title


def _plain(attributes: Attributes) -> dict[str, str]:
    """The attributes that can be XML's."""
    return {
        key: value
        for key, value in attributes.items()
        if isinstance(value, str) and _NAME.fullmatch(key)
    }
