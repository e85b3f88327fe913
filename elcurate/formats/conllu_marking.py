"""The brackets of a document's mentions, and what they leave unsaid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from elcurate.formats.conllu_entity import Header, Naming
from elcurate.formats.conllu_mentions import Nodes, Pieces, placed
from elcurate.formats.conllu_pairing import Pairing
from elcurate.model.corpus import Mention


class Marking:
    """The brackets of a document's mentions.

    Attributes:
        cells: The brackets at each node.
        fresh: The numbers of the mentions that begin at each node, in the order of the brackets.
    """

    def __init__(
        self,
        document: str,
        header: Header,
        mentions: Sequence[Mention],
        pieces: Sequence[Pieces],
        names: dict[str, str],
    ) -> None:
        self.document = document
        self.header = header
        self.mentions = mentions
        values = Naming(header, document, mentions, names).stated
        opening: dict[int, list[tuple[str, int | None]]] = {}
        single: dict[int, list[tuple[str, int | None]]] = {}
        closing: dict[int, list[str]] = {}
        for number, (stated, found) in enumerate(zip(values, pieces, strict=True)):
            for part, (first, last) in enumerate(found, 1):
                mark = f"[{part}/{len(found)}]" if len(found) > 1 else ""
                text = header.bracket(stated, mark)
                fresh = number if part == 1 else None
                if first == last:
                    single.setdefault(first, []).append((f"{text})", fresh))
                else:
                    opening.setdefault(first, []).append((text, fresh))
                    closing.setdefault(last, []).insert(0, f"{stated[header.id]}{mark})")
        self.cells: dict[int, str] = {}
        self.fresh: dict[int, list[int]] = {}
        for node in opening.keys() | single.keys() | closing.keys():
            begun = [*opening.get(node, ()), *single.get(node, ())]
            texts = [text for text, _ in begun]
            ends = closing.get(node, [])
            self.cells[node] = "".join([*ends, *texts] if node in opening else [*texts, *ends])
            self.fresh[node] = [number for _, number in begun if number is not None]
        self.order = [number for node in sorted(self.cells) for number in self.fresh[node]]
        self.pairing = Pairing(header, "", document)
        for node, cell in sorted(self.cells.items()):
            for _ in self.pairing.node(node, cell, 0):
                pass
        self.found = self.pairing.closed()

    def pairs(self) -> bool:
        """Whether the brackets are read as they are meant."""
        return len(self.found) == len(self.mentions) and not self.pairing.repairs

    def extras(self, nodes: Nodes) -> dict[int, dict[str, Any]]:
        """What the brackets don't say of mentions, by number."""
        found = placed(self.found, self.header, nodes, self.document, "")
        extras = {}
        for number, read in zip(self.order, found, strict=True):
            mention = self.mentions[number]
            if read != mention:
                extra = mention.model_dump(mode="json", exclude_defaults=True)
                for name in ("begin", "end"):
                    if getattr(read, name) == getattr(mention, name):
                        del extra[name]
                if read.fragments == mention.fragments:
                    extra.pop("fragments", None)
                else:
                    extra.setdefault("fragments", [])
                extras[number] = extra
        return extras
