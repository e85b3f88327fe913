"""The cells of an AIDA row after the mention's name, as links and back.

AIDA: YAGO title or ``--NME--``, URL, Wikipedia id, Freebase id. The conll03_nel_eval forms: page
title and score, nothing for NIL.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from elcurate.kb.pages import wikipedia_iri, wikipedia_title
from elcurate.kb.titles import without_escapes
from elcurate.model.corpus import Attributes, Link

NIL = "--NME--"
NARROWEST, WIDEST = 4, 7
_MID = "/m/"
_STATED = "columns"
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_NOT_YAGO = re.compile(r"[^A-Za-z0-9_]")
_SIMPLE = re.compile(
    r"https?://en\.wikipedia\.org/wiki/([A-Z0-9][A-Za-z0-9]*+(?:_[A-Za-z0-9]++)*+)"
)
_PLAIN = re.compile(r"[A-Za-z0-9_]*")


@dataclass(frozen=True)
class Layout:
    """How a file writes its rows.

    Attributes:
        width: How many columns a row with a link has.
        scored: Whether it is a conll03_nel_eval file: titles without escapes, scores, and three
            columns for NIL.
    """

    width: int = WIDEST
    scored: bool = False


AIDA = Layout()
SCORED = Layout(NARROWEST, scored=True)


class Read(NamedTuple):
    """A link as read.

    Attributes:
        link: The link.
        problem: The score that is none, empty otherwise.
    """

    link: Link
    problem: str = ""


def yago(title: str) -> str:
    r"""A title as YAGO has it: blanks as ``_``, all but ASCII letters and digits as ``\uXXXX``."""
    return _NOT_YAGO.sub(_escape, title.replace(" ", "_"))


def read_link(cells: Sequence[str], layout: Layout) -> Read:
    """The link in the cells after the name.

    What can't be made of the link again goes to its attributes: ``yago``, ``wikipedia_id``,
    ``freebase_mid``, and the cells under ``columns`` where their number is unusual.
    """
    first, second, *ids = [*cells, "", ""][: max(len(cells), 2)]
    entity = _entity(first)
    score, problem = None, ""
    if len(cells) == 2 and not _IRI.match(second):
        score, problem = _score(second)
    elif second:
        entity = second
    if first == NIL:
        entity = None
    attributes: Attributes = {}
    if entity is not None and not layout.scored and first != _title(entity, layout):
        attributes["yago"] = first
    if len(ids) == 1 and ids[0].startswith(_MID):
        ids = ["", *ids]
    for name, value in zip(("wikipedia_id", "freebase_mid"), ids, strict=False):
        if value:
            attributes[name] = value
    link = Link(entity=entity, score=score, attributes=attributes)
    if link_cells(link, layout) != list(cells):
        link = link.model_copy(update={"attributes": {**attributes, _STATED: list(cells)}})
    return Read(link, problem)


def link_cells(link: Link, layout: Layout) -> list[str]:
    """The cells after the name for a link; those that it was read from, if it is still the same."""
    stated = link.attributes.get(_STATED)
    if isinstance(stated, list) and all(isinstance(cell, str) for cell in stated):
        cells = [str(cell) for cell in stated]
        if read_link(cells, layout).link == link:
            return cells
    if link.is_nil:
        return _nil_cells(link, layout)
    entity = link.entity or ""
    title = _title(entity, layout)
    if layout.scored:
        return [title] if link.score is None else [title, repr(link.score)]
    stated_title = _cell(link, "yago")
    if stated_title and (layout.width > NARROWEST or _entity(stated_title) == entity):
        title = stated_title
    ids = [_cell(link, "wikipedia_id"), _cell(link, "freebase_mid")]
    if layout.width == 6:
        ids = [ids[0] or ids[1]]
    return [title, entity, *ids][: layout.width - 3]


def find_layout(rows: Sequence[Sequence[str]]) -> Layout | None:
    """The layout of rows with a tag; None when there are none.

    A row of three columns, a fifth column that is no address, or a title with signs that YAGO
    escapes are signs of a conll03_nel_eval file, unless other rows show that it is AIDA's.
    """
    if not rows:
        return None
    width = max(map(len, rows))
    titles = {row[3] for row in rows if len(row) > 3}
    if (
        width > 5
        or NIL in titles
        or any("\\u" in title for title in titles)
        or any(len(row) == 5 and _IRI.match(row[4]) for row in rows)
    ):
        return Layout(min(max(width, NARROWEST), WIDEST))
    if min(map(len, rows)) == 3 or width == 5 or not all(map(_PLAIN.fullmatch, titles)):
        return SCORED
    return Layout(NARROWEST)


def _nil_cells(link: Link, layout: Layout) -> list[str]:
    if not layout.scored:
        return [NIL]
    return [] if link.score is None else ["", repr(link.score)]


def _entity(title: str) -> str | None:
    if not title or _IRI.match(title):
        return title or None
    return wikipedia_iri(without_escapes(title))


@lru_cache(maxsize=1 << 10)
def _title(entity: str, layout: Layout) -> str:
    simple = _SIMPLE.fullmatch(entity)
    if simple is not None:
        return simple[1]
    title = wikipedia_title(entity)
    if layout.scored:
        return entity if title is None else title.replace(" ", "_")
    return yago(entity if title is None else title)


def _score(cell: str) -> tuple[float | None, str]:
    try:
        score = float(cell) if cell else None
    except ValueError:
        return None, cell
    return (score, "") if score is None or math.isfinite(score) else (None, cell)


def _cell(link: Link, name: str) -> str:
    value = link.attributes.get(name)
    return value if isinstance(value, str) else ""


def _escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
