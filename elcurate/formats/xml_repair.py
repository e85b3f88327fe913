"""XML files that were written as plain text: stray ``&`` and ``<``, other encodings, cut ends."""

from __future__ import annotations

import contextlib
import html
import re

from lxml import etree

from elcurate.errors import ReadError
from elcurate.formats.source import Source
from elcurate.formats.xml_read import parse_bytes
from elcurate.formats.xml_text import legal
from elcurate.model.change import Repair

_DECLARATION = re.compile(r"\s*<\?xml[^>]*\?>")
_ROOT = re.compile(r"<([A-Za-z_][\w.-]*)")
_REFERENCE = re.compile(r"&(?:(amp|lt|gt|quot|apos);|#([0-9]{1,7}|x[0-9A-Fa-f]{1,6});|(\w+);)?")


def parse_repaired(source: Source, tags: frozenset[str]) -> etree._Element:
    """The root element of a file whose elements have one of these names and no attributes of note.

    What is not well-formed is repaired, and reported: ``xml-encoding`` where only the characters
    are encoded otherwise than stated, ``stray-markup`` where it is enough to take every ``&`` and
    ``<`` that begins no reference and no element for itself, ``malformed-xml`` where besides only
    the last end tag is missing, or where the parser had to skip something.

    Raises:
        ReadError: with the line, when the file ends too early, or when it declares entities.
    """
    data = source.bytes()
    try:
        return parse_bytes(source, data)
    except ReadError as error:
        if b"<!ENTITY" in data or b"<!DOCTYPE" in data:
            raise
        first = error
    plain = _DECLARATION.sub("", source.decoded(data, "cp1252"), count=1)
    text = _without_stray_markup(plain, tags)
    start = _ROOT.search(text)
    if start is None:
        raise first
    end = f"</{start[1]}>"
    attempts = [("xml-encoding", "as decoded", plain, False)]
    attempts.append(("stray-markup", "read as text", text, False))
    if text.rstrip().endswith(end):
        attempts.append(("malformed-xml", "skipped", text, True))
    else:
        attempts.append(("malformed-xml", f"{end} added", text + end, False))
    where = source.path if first.line is None else f"{source.path}:{first.line}"
    for kind, after, attempt, recover in attempts:
        with contextlib.suppress(ReadError):
            root = parse_bytes(source, attempt.encode(), recover=recover)
            source.repairs.append(Repair(kind=kind, where=where, before=first.message, after=after))
            return root
    raise first


def _without_stray_markup(text: str, tags: frozenset[str]) -> str:
    names = "|".join(map(re.escape, sorted(tags)))
    stray = re.compile(rf"<(?!/?(?:{names})(?:\s[^<>]*)?/?>|!--)")
    return stray.sub("&lt;", _REFERENCE.sub(_reference, legal(text)))


def _reference(found: re.Match[str]) -> str:
    """A reference that XML knows as it is, one that HTML knows as its character, else escaped."""
    known, number, name = found.groups()
    if known is not None:
        return found[0]
    if number is not None:
        shown = html.unescape(found[0])
        return html.escape(legal(shown), quote=False)
    shown = html.unescape(found[0]) if name else "&"
    return html.escape(shown, quote=False)
