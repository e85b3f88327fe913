"""XML through lxml without what makes XML dangerous: entities, external files, endless depth."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from lxml import etree

from elcurate.errors import ReadError
from elcurate.formats.source import Source

_SAFE = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "dtd_validation": False,
    "huge_tree": False,
}


def parse_xml(source: Source) -> etree._Element:
    """The root element of a whole file.

    Raises:
        ReadError: with the line, when it is not well-formed, holds entities of its own, or is
            nested deeper than 256 elements.
    """
    return parse_bytes(source, source.bytes())


def parse_bytes(source: Source, data: bytes, *, recover: bool = False) -> etree._Element:
    """The root element of what was read from a source.

    Args:
        source: For the place of errors.
        data: The XML.
        recover: Whether to skip over what is not well-formed.

    Raises:
        ReadError: as `parse_xml`; with ``recover`` only when there is no element at all, or for
            entities.
    """
    parser = etree.XMLParser(recover=recover, **_SAFE)  # type: ignore[arg-type]
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise _malformed(source, error) from error
    except ValueError as error:
        raise ReadError(f"not XML: {error}", path=source.path) from error
    if root is None:
        raise ReadError("not XML", path=source.path, remedy="There is no element in it.")
    _refuse_entities(source, root.getroottree())
    return root


def elements(source: Source, tag: str) -> Iterator[etree._Element]:
    """Every element of that name, one after the other, each forgotten afterwards.

    Raises:
        ReadError: as `parse_xml`, when the place of the error is reached.
    """
    stream = io.BytesIO(source.bytes())
    try:
        found = etree.iterparse(stream, events=("end",), tag=tag, **_SAFE)
        for _, element in found:
            _refuse_entities(source, element.getroottree())
            yield element
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]
    except etree.XMLSyntaxError as error:
        raise _malformed(source, error) from error


def line_of(element: etree._Element) -> int | None:
    """The line where an element begins, if it was read from a file."""
    line = element.sourceline
    return line if isinstance(line, int) else None


def text_of(element: etree._Element | None) -> str:
    """The text directly in an element, empty when there is none."""
    return (element.text or "") if element is not None else ""


def _refuse_entities(source: Source, tree: etree._ElementTree) -> None:
    declared: Any = tree.docinfo.internalDTD
    if declared is not None and any(True for _ in declared.iterentities()):
        raise ReadError(
            "it declares XML entities of its own",
            path=source.path,
            remedy="Write their text where they are used, and drop the declarations.",
        )


def _malformed(source: Source, error: etree.XMLSyntaxError) -> ReadError:
    line, column = error.position
    message = (error.msg or "empty").split(", line ")[0]
    return ReadError(
        f"not well-formed XML: {message}",
        path=source.path,
        line=line or None,
        column=column or None,
        remedy="The file may be truncated, or not XML.",
    )
