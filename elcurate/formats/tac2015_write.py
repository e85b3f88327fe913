"""Writing TAC KBP entity mentions in one file: 8 columns, 11 where the last three say something."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

from elcurate.formats.base import Writing
from elcurate.formats.features import place
from elcurate.formats.rows import Cells, flat, one_per_span
from elcurate.formats.tac_links import FLAGS, MORE
from elcurate.formats.tac_query import MADE_UP, best_first
from elcurate.formats.tac_write import mention_name, write_entity
from elcurate.model.corpus import Attributes, Document, Link, Mention

FIRST = ("run_id", "mention_id", "mention_type")
"""The attributes of a mention that have a column."""

_RUN = "elcurate"


def write_tac2015(writing: Writing, out: BinaryIO) -> None:
    """Writes one line per link."""
    cells = Cells(writing)
    number = 0
    for document in writing.documents:
        name = cells.name(document)
        if document.mentions and not any(mention.links for mention in document.mentions):
            cells.lose("document", document.id, "", "a document without a link has no line")
        for mention in one_per_span(document.mentions):
            number += bool(mention.links)
            lines = _Lines(document, mention, f"{_RUN}_{number:06d}", cells)
            for link in lines.links:
                out.write("\t".join(lines.of(link, name)).encode() + b"\n")


class _Lines:
    """The lines of a mention, those first that say nothing else of it.

    Args:
        document: Where the mention is.
        mention: Nothing is reported where it has no links.
        made_up: Its id if it has none.
        cells: Makes values cells.
    """

    def __init__(self, document: Document, mention: Mention, made_up: str, cells: Cells) -> None:
        self.mention = mention
        self.cells = cells
        self.where = place(document, mention)
        self.links = sorted(mention.links, key=lambda link: bool(_kept(link.attributes, FIRST)))
        if not mention.links:
            return
        self.surface = cells.cell(mention_name(document, mention), "surfaces", self.where)
        stated = _kept(mention.attributes, FIRST)
        self.fields = {"run_id": _RUN, "mention_id": made_up, "mention_type": "NAM"} | stated
        if dropped := [key for key in mention.attributes if key not in stated]:
            self._lose("mention-attributes", ", ".join(dropped), "no column for them")
        if "mention_type" not in stated:
            self._lose("mention-attributes", "mention_type=NAM", "the format needs one")
        if best_first(_scored(self.links)) != _scored(mention.links):
            self._lose("link-order", "", "candidates are read best score first")
        if _kept(self.links[0].attributes, FIRST):
            self._lose("link", "", "the mention has no line of its own")

    def of(self, link: Link, document: str) -> list[str]:
        """The cells of a link's line."""
        own, flags = _kept(link.attributes, FIRST), _kept(link.attributes, FLAGS)
        fields = self.fields | own
        stated = link.attributes.get(MORE)
        more = [str(cell) for cell in stated if _is_cell(cell)] if isinstance(stated, list) else []
        kept = {*own, *flags} | ({MORE} if more and more == stated else set())
        if dropped := [key for key in link.attributes if key not in kept]:
            self._lose("link-attributes", ", ".join(dropped), "no column for them")
        if link.score is None:
            self._lose("scores", "1.0", "the format needs a confidence")
        return [
            fields["run_id"],
            fields["mention_id"],
            self.surface,
            f"{document}:{self.mention.begin}-{self.mention.end - 1}",
            write_entity(link, self.cells, self.where),
            self.cells.cell(link.type or "", "types", self.where),
            fields["mention_type"],
            "1.0" if link.score is None else repr(link.score),
            *([flags.get(key, "") for key in FLAGS] if flags or more else []),
            *more,
        ]

    def _lose(self, kind: str, what: str, reason: str) -> None:
        self.cells.lose(kind, self.where, what, reason)


def _kept(attributes: Attributes, names: Sequence[str]) -> dict[str, str]:
    """The attributes with these names that can be cells."""
    return {name: str(attributes[name]) for name in names if _is_cell(attributes.get(name))}


def _is_cell(value: object) -> bool:
    """Whether a value can be a cell that is read back as it is."""
    return (
        isinstance(value, str)
        and value != ""
        and value == flat(value)
        and not MADE_UP.fullmatch(value)
    )


def _scored(links: Sequence[Link]) -> list[Link]:
    """The links with the scores that are written."""
    return [
        link if link.score is not None else link.model_copy(update={"score": 1.0}) for link in links
    ]
