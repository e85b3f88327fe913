"""The child elements of an annotation in XML: numbers, texts, and what has no other place."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from lxml import etree

from elcurate.errors import ReadError
from elcurate.formats.checks import LIMIT
from elcurate.formats.xml_read import line_of, text_of
from elcurate.formats.xml_text import legal
from elcurate.model.corpus import Attributes

_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_TAG = re.compile(r"(?!(?i:xml))[A-Za-z_][A-Za-z0-9_.-]*")
_BREAKS = {ord(char): f"&#{ord(char)};" for char in "\t\n\r"}


class Fields:
    """The texts of an element's children, by tag, without the blanks around them.

    Args:
        element: The annotation.
        path: The file, for errors.
        document: The document's id, for errors.
    """

    def __init__(self, element: etree._Element, path: str, document: str | None = None) -> None:
        self.line = line_of(element)
        self.path = path
        self.document = document
        self._values: dict[str, list[str]] = {}
        for child in element:
            if isinstance(child.tag, str):
                self._values.setdefault(child.tag, []).append(text_of(child).strip())

    def all(self, tag: str) -> list[str]:
        """Every value of a tag."""
        return self._values.get(tag, [])

    def first(self, tag: str) -> str | None:
        """The first value of a tag, None when there is none."""
        return next(iter(self.all(tag)), None)

    def needed(self, tag: str) -> str:
        """The value of a tag; `ReadError` when there is none."""
        value = self.first(tag)
        if value is None:
            raise self.error(f"there is no {tag}", "The file may be truncated.")
        return value

    def number(self, tag: str) -> int:
        """The whole number in a tag; `ReadError` when it is none, or absurd."""
        value = self.needed(tag)
        if not _WHOLE.fullmatch(value):
            shown = value if len(value) < 40 else f"{value[:40]}…"
            raise self.error(f"{tag} {shown!r} is no whole number", "Offsets count characters.")
        if abs(int(value)) > LIMIT:
            raise self.error(f"{tag} {value} is absurd", "Offsets count characters.")
        return int(value)

    def extras(self, known: Iterable[str]) -> Attributes:
        """The tags that are not among the known ones, where they say anything."""
        rest = {tag: values for tag, values in self._values.items() if tag not in known}
        return {
            tag: values[0] if len(values) == 1 else list(values)
            for tag, values in rest.items()
            if any(values)
        }

    def error(self, message: str, remedy: str) -> ReadError:
        """An error with the place of the annotation."""
        return ReadError(
            message, path=self.path, line=self.line, document=self.document, remedy=remedy
        )


def extra_values(key: str, value: object, known: Iterable[str]) -> list[str] | None:
    """The texts of the elements that carry an attribute; None when elements can't."""
    if key in known or not _TAG.fullmatch(key):
        return None
    values = value if isinstance(value, list) and len(value) > 1 else [value]
    texts = [one for one in values if isinstance(one, str) and one == legal(one).strip()]
    return texts if len(texts) == len(values) and any(texts) else None


def escaped(text: str) -> str:
    """A text as the content of an element or of an attribute in double quotes, on one line."""
    return escape(legal(text)).translate(_BREAKS)
