"""WNED: one XML file with the mentions of all documents, beside `RawText`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from elcurate.errors import ReadError
from elcurate.formats import annotation_files, annotation_read
from elcurate.formats.annotation_files import HEAD, KNOWN, Group, Layout, known_children
from elcurate.formats.annotation_write import Rows, annotation, with_texts
from elcurate.formats.base import Format, Reading, ReadOptions, Writing
from elcurate.formats.offsets import CHARACTERS
from elcurate.formats.source import Source
from elcurate.formats.text_folder import FileNames, file_name, write_text
from elcurate.formats.xml_fields import escaped
from elcurate.formats.xml_read import line_of
from elcurate.model.change import Repair

TEXTS = "RawText"
_NO_NAME = re.compile(r"^[^A-Za-z]+|[^A-Za-z0-9_-]+")


def groups(source: Source, root: etree._Element, options: ReadOptions) -> Iterator[Group]:
    """The documents, each with its annotations."""
    found: dict[str, Group] = {}
    for element in known_children(source, root, "document"):
        name = (element.get("docName") or "").strip()
        if not name:
            options.fail(
                ReadError("a document without docName", path=source.path, line=line_of(element))
            )
        else:
            if name in found:
                where = f"{source.path}:{element.sourceline}"
                source.repairs.append(
                    Repair(kind="repeated-document", where=where, before=name, after="joined")
                )
            id_ = (element.get("docId") or "").strip() or name
            group = found.setdefault(name, Group(id_, name, []))
            group.elements += known_children(source, element, "annotation")
    yield from found.values()


LAYOUT = Layout(
    root=re.compile(rb"<([\w-]+\.entityAnnotations?)[\s/>]"),
    names=re.compile(rb'docName\s*=\s*"([^"]*)"'),
    tags=frozenset({*KNOWN, "document", "annotation", "entity"}),
    groups=groups,
    nil="NIL",
    nils=frozenset({"NIL", ""}),
    counting=CHARACTERS,
    stated=True,
    annotators=False,
)


def sniff(head: bytes, name: str) -> int:
    """Sure of the root element."""
    return 96 if LAYOUT.root.search(head[:HEAD]) else 0


def claim(path: Path) -> int:
    """Sure of the folder with the annotations, of the texts beside them, and of one of these."""
    return annotation_files.claim(path, LAYOUT)


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads all annotations."""
    return annotation_read.read(source, options, LAYOUT)


def write_folder(writing: Writing, folder: Path) -> None:
    """Writes one annotation for each link, and the texts."""
    texts = folder / TEXTS
    texts.mkdir()
    names = FileNames()
    root = f"{_NO_NAME.sub('', writing.name) or 'corpus'}.entityAnnotation"
    path = folder / f"{file_name(writing.name or 'corpus')}.xml"
    with path.open("w", encoding="utf-8", newline="\n") as out:
        out.write(f'<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<{root}>\n')
        for document, id_ in with_texts(writing):
            name = names.new(id_)
            more = f' docId="{escaped(id_)}"' if name != id_ else ""
            out.write(f'\t<document docName="{escaped(name)}"{more}>\n')
            rows = Rows(writing, document, LAYOUT).rows()
            out.writelines(annotation(row, "\t\t") for row in rows)
            out.write("\t</document>\n")
            write_text(texts / name, document.text or "")
        out.write(f"</{root}>\n")


WNED = Format(
    name="wned",
    text="WNED: one XML file of mentions, and raw texts",
    suffixes=(),
    keeps=frozenset(
        {
            "text",
            "empty-documents",
            "offsets",
            "nesting",
            "surfaces",
            "several-links",
            "nil",
            "nil-clusters",
            "link-attributes",
        }
    ),
    sniff=sniff,
    read=read,
    claim=claim,
    write_folder=write_folder,
)
