"""IITB: `CSAW_Annotations.xml` with what several people annotated, beside crawled texts."""

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
from elcurate.formats.offsets import Counting
from elcurate.formats.source import Source
from elcurate.formats.text_folder import FileNames, write_text
from elcurate.formats.xml_read import line_of
from elcurate.model.change import Loss

FILE, TEXTS = "CSAW_Annotations.xml", "crawledDocs"
_ROOT = "iitb.CSAW.entityAnnotations"


def groups(source: Source, root: etree._Element, options: ReadOptions) -> Iterator[Group]:
    """The annotations of each document, which may stand anywhere in the file."""
    found: dict[str, Group] = {}
    for element in known_children(source, root, "annotation"):
        name = (element.findtext("docName") or "").strip()
        if not name:
            options.fail(
                ReadError(
                    "an annotation without docName",
                    path=source.path,
                    line=line_of(element),
                    remedy="The file may be truncated.",
                )
            )
        else:
            id_ = (element.findtext("docId") or "").strip() or name
            found.setdefault(name, Group(id_, name, [])).elements.append(element)
    yield from found.values()


LAYOUT = Layout(
    root=re.compile(rf"<({re.escape(_ROOT)})[\s/>]".encode()),
    names=re.compile(rb"<docName>\s*([^<]*?)\s*</docName>"),
    tags=frozenset({*KNOWN, _ROOT, "annotation"}),
    groups=groups,
    nil="",
    nils=frozenset({""}),
    counting=Counting("crlf-as-one"),
    stated=False,
    annotators=True,
)


def sniff(head: bytes, name: str) -> int:
    """Sure of the root element."""
    return 98 if LAYOUT.root.search(head[:HEAD]) else 0


def claim(path: Path) -> int:
    """Sure of the folder with the annotations, of the texts beside them, and of one of these."""
    return annotation_files.claim(path, LAYOUT)


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads all annotations, or those of the people asked for."""
    return annotation_read.read(source, options, LAYOUT)


def write_folder(writing: Writing, folder: Path) -> None:
    """Writes one annotation for each link and annotator, and the annotated texts."""
    texts = folder / TEXTS
    texts.mkdir()
    names = FileNames()
    with (folder / FILE).open("w", encoding="utf-8", newline="\n") as out:
        out.write(f"<{_ROOT}>\n")
        for document, id_ in with_texts(writing):
            rows = list(Rows(writing, document, LAYOUT).rows())
            if not rows:
                if document.mentions:
                    reason = "none of its mentions can be written"
                    writing.losses.append(Loss(kind="document", where=document.id, reason=reason))
                continue
            name = names.new(id_)
            first = [("docName", name)] + ([("docId", id_)] if name != id_ else [])
            out.writelines(annotation([*first, *row], "\t") for row in rows)
            write_text(texts / name, document.text or "")
        out.write(f"</{_ROOT}>\n")


IITB = Format(
    name="iitb",
    text="IITB: one XML file of annotations, and crawled texts",
    suffixes=(),
    keeps=frozenset(
        {"text", "offsets", "nesting", "several-links", "nil", "nil-clusters", "link-attributes"}
    ),
    sniff=sniff,
    read=read,
    claim=claim,
    write_folder=write_folder,
)
