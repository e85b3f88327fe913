"""What brat's standoff is made of: names, spans of text, and the spelling of categories."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from elcurate.model.categories import DIMENSIONS, FEL_CLASSES, GROUPS, LEAVES, find_leaf
from elcurate.model.corpus import Mention, Span

Spans = tuple[tuple[int, int], ...]

BREAKS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
"""The characters at which brat cuts lines, and which no span may hold therefore."""

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*")
"""What brat takes as the name of a type, an attribute or a database."""

VALUE = re.compile(r"[^\s|,<>]{1,64}")
"""What can be declared as the value of an attribute."""

UNTYPED = "Untyped"
NIL = "NIL"
EQUIV = "Equiv"
REMARK = "AnnotatorNotes"
"""The type of the notes that brat shows and edits."""
NOTE = "Elcurate"
"""The type of the notes that hold, as JSON, what brat has no place for."""
LINES = "brat"
"""The metadata field of relations, events and the like, and the attribute of the ids they name."""
REFERENCES = "references"
"""The attribute of the identifiers of a link in further databases."""
LABEL = "label"
"""The attribute of a link's name where it isn't its identifier's."""


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


ATTRIBUTES: Mapping[str, str] = {dimension: _camel(dimension) for dimension in DIMENSIONS}
"""The attribute of each dimension."""

VALUES: Mapping[tuple[str, str], str] = {
    (dimension, leaf): fel if dimension == "base_form" else _camel(leaf)
    for (dimension, leaf), fel in FEL_CLASSES.items()
}
"""The value of each leaf."""

CHOICES: Mapping[str, tuple[str, ...]] = {
    name: (
        *(map(_camel, GROUPS[dimension]) if dimension == "base_form" else ()),
        *(value for (of, _), value in VALUES.items() if of == dimension),
    )
    for dimension, name in ATTRIBUTES.items()
}
"""The values that each of these attributes may have; the group of names is one, but no leaf."""

FIXED = frozenset({*ATTRIBUTES.values(), NIL})
"""The attributes that say something of a link."""

DIMENSION_OF: Mapping[str, str] = {name: dimension for dimension, name in ATTRIBUTES.items()}
LEAF_OF: Mapping[tuple[str, str], str] = {
    (dimension, value): leaf for (dimension, leaf), value in VALUES.items()
}


def leaf_of(dimension: str, value: str) -> tuple[str | None, bool]:
    """The leaf that a value names, if it does, and whether it is spelled as it should be."""
    leaf = LEAF_OF.get((dimension, value))
    if leaf is not None:
        return leaf, True
    found = find_leaf(value) or (dimension, value)
    return (found[1] if found[0] == dimension and found in LEAVES else None), False


_PIECE = re.compile(rf"\S(?:[^{BREAKS}]*\S)?")
_VISIBLE = re.compile(r"\S")


def written_spans(text: str, mention: Mention) -> Spans | None:
    """Where brat is told that a mention is: without line breaks, outer blanks and overlaps.

    A mention without any visible character stands at the nearest one; None when there is none.
    """
    parts = [(part.begin, part.end) for part in mention.fragments] or [mention.span]
    found = tuple(
        (begin + match.start(), begin + match.end())
        for begin, end in ((max(begin, 0), max(end, 0)) for begin, end in parts)
        for match in _PIECE.finditer(text[begin:end])
    )
    if found:
        return _merged(found) if overlapping(found) else found
    place = min(max(mention.begin, 0), len(text))
    after = _VISIBLE.search(text, place)
    start = len(text[:place].rstrip()) - 1 if after is None else after.start()
    return None if start < 0 else ((start, start + 1),)


def joined_spans(text: str, spans: Spans) -> Spans:
    """Spans with those put together that only a line break, with blanks or without, parts."""
    found: list[tuple[int, int]] = []
    for begin, end in spans:
        gap = text[max(found[-1][1], 0) : max(begin, 0)] if found else ""
        if gap.isspace() and has_break(gap):
            found[-1] = (found[-1][0], end)
        else:
            found.append((begin, end))
    return tuple(found)


def mention_at(text: str | None, spans: Spans) -> Mention:
    """The mention that spans are read as."""
    whole = spans if text is None else joined_spans(text, spans)
    return Mention(
        begin=min(begin for begin, _ in whole),
        end=max(end for _, end in whole),
        fragments=tuple(Span(begin=b, end=e) for b, e in whole) if len(whole) > 1 else (),
    )


def overlapping(spans: Spans) -> bool:
    """Whether brat takes fragments as overlapping: also where one ends at an earlier one."""
    return any(
        end >= begin_before and begin < end_before
        for place, (begin, end) in enumerate(spans)
        for begin_before, end_before in spans[:place]
    )


def has_break(text: str) -> bool:
    """Whether brat cuts a text into lines."""
    return any(character in text for character in BREAKS)


def surface_of(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text of a mention as brat states it."""
    return " ".join(text[begin:end] for begin, end in spans)


def spelled(spans: Spans) -> str:
    """Spans as a line states them."""
    return ";".join(f"{begin} {end}" for begin, end in spans)


def _merged(spans: Spans) -> Spans:
    found: list[tuple[int, int]] = []
    for begin, end in sorted(spans):
        if found and begin < found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((begin, end))
    return tuple(found)
