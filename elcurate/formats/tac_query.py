"""A TAC KBP query: a mention as both layouts state it, with what it may refer to."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from elcurate.formats.offsets import INCLUSIVE, Counting
from elcurate.formats.source import Source
from elcurate.formats.visible import VisibleText
from elcurate.formats.xml_text import legal
from elcurate.model.change import Repair
from elcurate.model.corpus import Attributes, Link

MADE_UP = re.compile(r"elcurate(_\d+)?")
"""The ids that our writers invent; readers don't keep them."""

NOWHERE = "no_offsets"
"""The attribute of a mention whose query has no offsets, and whose place is unknown."""

STATED = '<?elcurate ends="inclusive"?>'
"""The instruction before the queries that we write; anybody may write ``exclusive`` there."""

_STATED = re.compile(rb"<\?elcurate ends=[\"'](inclusive|exclusive)[\"']\?>")
_HYPHENATED = re.compile(r"-\s*\n\s*")


@dataclass(slots=True)
class Query:
    """A query, or a line of the one-file layout.

    Attributes:
        document: The document id.
        span: The stated offsets, None for a query without.
        name: The mention string, None when there is none.
        attributes: What else is said of the mention.
        links: What it may refer to.
        line: Where it is in its file.
    """

    document: str
    span: tuple[int, int] | None
    name: str | None
    attributes: Attributes
    links: Sequence[Link]
    line: int


def entity_of(cell: str, where: str, repairs: list[Repair]) -> str | None:
    """The entity in a cell; NIL alone is a NIL without a cluster."""
    if not cell:
        repairs.append(Repair(kind="empty-id", where=where, after="NIL"))
    return None if cell in ("", "NIL") else cell


def best_first(links: Sequence[Link]) -> list[Link]:
    """Candidates by their scores, those without last, otherwise in the order given."""
    return sorted(links, key=lambda one: -(-math.inf if one.score is None else one.score))


def same_name(stated: str, found: str) -> bool:
    """Whether a mention string stands for a stretch of raw source.

    White space counts alike whatever its kind and length, but where it is outside there has to be
    some in both. A line end after a hyphen may be missing, and references such as ``&amp;`` may
    be resolved.
    """
    if stated == found:
        return True
    found = legal(found)
    for end in (0, -1):
        if stated[end:][:1].isspace() != found[end:][:1].isspace():
            return False
    return stated.split() == found.split() or _plain(stated) == _plain(found)


def _plain(text: str) -> list[str]:
    return _HYPHENATED.sub("-", VisibleText.of(text).text).split()


def counting_of(queries: Sequence[Query], source: Source) -> Counting:
    """Whether ends are inclusive: as the file says, else by the lengths of its mention strings.

    A span may be longer than its name (white space, references), never shorter. Ends are exclusive
    only where three spans of two lengths are exactly as long as their names that way, and none
    is too short.
    """
    stated = _STATED.search(source.head)
    if stated is not None:
        return Counting(inclusive=stated[1] == b"inclusive")
    surplus = [
        (query.span[1] - query.span[0] - len(query.name), len(query.name))
        for query in queries
        if query.span is not None and query.name
    ]
    exact = [length for more, length in surplus if more == 0]
    if len(exact) < 3 or len(set(exact)) < 2 or min(more for more, _ in surplus) < 0:
        return INCLUSIVE
    other = Counting(inclusive=False)
    source.repairs.append(
        Repair(kind="offsets", where=source.path, before=str(INCLUSIVE), after=str(other))
    )
    return other
