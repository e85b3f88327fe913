"""Which attributes of links and mentions brat can say in its own way."""

from __future__ import annotations

import re

from pydantic import JsonValue

from elcurate.formats.brat_entities import rank
from elcurate.formats.brat_terms import (
    CHOICES,
    DIMENSION_OF,
    LABEL,
    LEAF_OF,
    LINES,
    NAME,
    NIL,
    NOTE,
    REFERENCES,
    REMARK,
    VALUE,
    has_break,
)
from elcurate.model.corpus import Attributes, Link

_REFERENCE = re.compile(r"([A-Za-z][A-Za-z0-9_-]*):(\S+?)(?:\t([^\t].*))?")


def sayable(key: str, value: JsonValue, link: Link | None) -> list[str | bool]:
    """The values of an attribute of brat that are read as this attribute; none if they aren't.

    Args:
        key: The attribute.
        value: Its value, or several.
        link: Whose it is; None for a mention without link.
    """
    values: list[str | bool] = []
    for one in value if isinstance(value, list) and len(value) > 1 else [value]:
        if one is not True and not (isinstance(one, str) and VALUE.fullmatch(one)):
            return []
        if one in values:
            return []
        values.append(one)
    if key in (LINES, LABEL, REFERENCES, REMARK) or (link is None and key == "type"):
        return []
    if key == NIL:
        return values if link is not None and not link.is_nil and values == [True] else []
    if key in CHOICES:
        leaves = [(DIMENSION_OF[key], value) in LEAF_OF for value in values]
        if not set(values) <= set(CHOICES[key]) or (link is not None and any(leaves)):
            return []
    return values


def is_label(text: str) -> bool:
    """Whether a text can be the label of a normalisation."""
    return text != "" and not text.startswith("\t") and not has_break(text)


def reference_in(stated: JsonValue, database: str, shown: str) -> tuple[str, str, str] | None:
    """A further identifier in parts; None when reading would not give it back."""
    match = _REFERENCE.fullmatch(stated) if isinstance(stated, str) else None
    if match is None or has_break(match[0]) or match[3] == shown:
        return None
    if match[1] == database or rank(match[1]) < rank(database):
        return None
    return match[1], match[2], shown if match[3] is None else match[3]


def taken_notes(attributes: Attributes) -> list[tuple[str, str]]:
    """Takes the notes of people and other tools out of attributes."""
    found = []
    for key, value in list(attributes.items()):
        kind = key.removeprefix("#")
        if key != REMARK and (key == kind or kind in (REMARK, NOTE) or not NAME.fullmatch(kind)):
            continue
        texts = value if isinstance(value, list) and len(value) > 1 else [value]
        if all(isinstance(text, str) and not has_break(text) for text in texts):
            found += [(kind, str(text)) for text in texts]
            del attributes[key]
    return found
