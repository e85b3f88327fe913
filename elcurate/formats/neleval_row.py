"""One line of neleval's annotations, cell by cell."""

from __future__ import annotations

import math
from typing import Any

from elcurate.errors import ReadError
from elcurate.formats.checks import LIMIT, load_json
from elcurate.model.categories import DIMENSIONS, LEAVES, NO_CATEGORIES, Categories
from elcurate.model.change import Repair
from elcurate.model.corpus import Link, Mention


class Row:
    """One line, read cell by cell."""

    def __init__(self, path: str, number: int, repairs: list[Repair]) -> None:
        self.path = path
        self.number = number
        self.repairs = repairs

    def mention(self, line: str) -> tuple[str, Mention]:
        """The document and the mention with its candidates."""
        cells = line.split("\t")
        if len(cells) < 3:
            raise self.error(f"{len(cells)} columns", "A row has at least docid, start and end.")
        document, begin, end, *rest = cells
        rest = _without_surplus(rest)
        span = {"begin": self.offset(begin), "end": self.offset(end) + 1}
        if len(rest) > 3 and len(rest) % 3:
            raise self.error(
                f"{len(rest)} columns after the end",
                "Several candidates need id, score and type each.",
            )
        links = [self.link(rest[i : i + 3]) for i in range(0, len(rest), 3)]
        links.sort(key=lambda link: -(-math.inf if link.score is None else link.score))
        return document, Mention(**span, links=tuple(links))

    def link(self, cells: list[str]) -> Link:
        """A candidate from its entity, score and type."""
        entity, score, type_ = [*cells, "", ""][:3]
        fields: dict[str, Any] = {"type": type_ or None}
        if type_.startswith("{"):
            fields = self.fields(type_)
        if not entity:
            self.repair("empty-id", "", "NIL")
        return Link(entity=entity or None, score=self.score(score), **fields)

    def fields(self, text: str) -> dict[str, Any]:
        """The type column as a JSON object: type, categories, and attributes."""
        try:
            found = load_json(text)
        except ValueError as error:
            raise self.error(
                f"the type is not JSON: {error}", "Write a name or an object."
            ) from error
        pairs = []
        for dimension in DIMENSIONS:
            leaves = found.get(dimension)
            if leaves is None:
                continue
            listed = [leaves] if isinstance(leaves, str) else leaves
            known = isinstance(listed, list) and all(
                (dimension, leaf) in LEAVES for leaf in listed if isinstance(leaf, str)
            )
            if known and all(isinstance(leaf, str) for leaf in listed):
                pairs += [(dimension, leaf) for leaf in listed]
                del found[dimension]
            else:
                self.repair("unknown-category", f"{dimension}={leaves}", "kept as an attribute")
        type_ = found.pop("type", None) if isinstance(found.get("type"), str) else None
        categories = Categories.of(pairs) if pairs else NO_CATEGORIES
        return {"type": type_, "categories": categories, "attributes": found}

    def offset(self, cell: str) -> int:
        """A cell as an offset."""
        try:
            number = int(cell)
        except ValueError:
            raise self.error(f"{cell!r} is no offset", "Offsets are whole numbers.") from None
        if abs(number) >= LIMIT:
            raise self.error(f"the offset {number} is absurd", "Offsets are below 2^53.")
        return number

    def score(self, cell: str) -> float | None:
        """A cell as a score."""
        if not cell:
            return None
        try:
            score = float(cell)
        except ValueError:
            raise self.error(f"{cell!r} is no score", "Scores are numbers.") from None
        if math.isfinite(score):
            return score
        self.repair("score-not-finite", cell, "no score")
        return None

    def repair(self, kind: str, before: str, after: str) -> None:
        """Reports a repair on this line."""
        where = f"{self.path}:{self.number}"
        self.repairs.append(Repair(kind=kind, where=where, before=before, after=after))

    def error(self, message: str, remedy: str) -> ReadError:
        """An error on this line."""
        return ReadError(message, path=self.path, line=self.number, remedy=remedy)


def _without_surplus(cells: list[str]) -> list[str]:
    """Cells without empty ones at the end, except those that complete a candidate."""
    filled = len(cells)
    while filled and not cells[filled - 1]:
        filled -= 1
    return cells[:filled] if filled < 3 else cells[: filled + -filled % 3]
