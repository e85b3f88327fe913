"""Writing TAC KBP queries and links: ``queries.xml``, ``links.tab`` and ``source_documents``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from elcurate.formats.base import Writing
from elcurate.formats.features import place
from elcurate.formats.rows import Cells, flat
from elcurate.formats.tac_links import link_cells
from elcurate.formats.tac_queries import OWN, ROOT
from elcurate.formats.tac_query import MADE_UP, NOWHERE, STATED, best_first
from elcurate.formats.tac_texts import BESIDE
from elcurate.formats.text_folder import FileNames, write_text
from elcurate.formats.xml_fields import escaped
from elcurate.formats.xml_text import legal
from elcurate.model.corpus import Document, Link, Mention

_ELEMENT = re.compile(r"(?!(?i:xml))[A-Za-z_][A-Za-z0-9_.-]*")
_BLANKS = re.compile(r"\s+")
_HYPHENATED = re.compile(r"-\r?\n")
_NOT_ITS_OWN = "no place for it, or not an id of its own"


def write_tac(writing: Writing, folder: Path) -> None:
    """Writes queries, their links in the layout of 2014, and the texts there are."""
    queries = _Queries(writing)
    cells, files = Cells(writing), FileNames()
    texts = folder / BESIDE[0]
    with (folder / "queries.xml").open("wb") as xml, (folder / "links.tab").open("wb") as tab:
        head = f'<?xml version="1.0" encoding="UTF-8"?>\n{STATED}\n<{ROOT}>\n'
        xml.write(head.encode())
        for document in writing.documents:
            name = cells.name(document, "".join(set(document.id) - set(legal(document.id))))
            if document.mentions and document.text is not None:
                texts.mkdir(exist_ok=True)
                write_text(texts / f"{files.new(name)}.txt", document.text)
            _report_merged(document, cells)
            for mention in document.mentions:
                for query in queries.of(document, mention, name):
                    xml.write(query.xml().encode())
                    lines = query.lines(cells, place(document, mention))
                    tab.writelines(line.encode() for line in lines)
        xml.write(f"</{ROOT}>\n".encode())


def mention_name(document: Document, mention: Mention) -> str:
    """The mention string: stated, or the text with single blanks as the guidelines have it."""
    if mention.surface is not None:
        return mention.surface
    found = (document.text or "")[max(mention.begin, 0) : max(mention.end, 0)]
    return _BLANKS.sub(" ", _HYPHENATED.sub("-", legal(found)))


def write_entity(link: Link, cells: Cells, where: str) -> str:
    """The cell with the KB id or NIL of a link."""
    if link.entity == "NIL":
        cells.lose("nil-clusters", where, "NIL", "NIL alone is a NIL without a cluster")
    if link.entity == "":
        cells.lose("entity", where, "", "no id is NIL")
    return cells.cell(link.entity or "NIL", "entity", where)


def _report_merged(document: Document, cells: Cells) -> None:
    """Reports spans whose mentions are read as one in which something is changed."""
    spans: dict[tuple[int, int], list[Mention]] = {}
    for mention in document.mentions:
        if mention.links:
            spans.setdefault(mention.span, []).append(mention)
    for found in spans.values():
        scores = {link.score for mention in found for link in mention.links}
        changed = len(scores) > 1 or any(mention.attributes for mention in found)
        if len(found) > 1 and changed:
            reason = "mentions of one span become one, with the candidates of all"
            cells.lose("link", place(document, found[0]), f"{len(found)} mentions", reason)


@dataclass
class _Query:
    id: str
    document: str
    name: str
    offsets: tuple[int, int] | None
    fields: dict[str, str]
    links: Sequence[Link]

    def xml(self) -> str:
        parts = {"name": self.name, "docid": self.document}
        if self.offsets is not None:
            parts["beg"], parts["end"] = (str(offset) for offset in self.offsets)
        parts |= self.fields
        lines = [f"    <{tag}>{escaped(text)}</{tag}>\n" for tag, text in parts.items()]
        return f'  <query id="{escaped(self.id)}">\n{"".join(lines)}  </query>\n'

    def lines(self, cells: Cells, where: str) -> Iterator[str]:
        for link in self.links:
            entity = write_entity(link, cells, where)
            type_ = cells.cell(link.type or "", "types", where)
            extra = {key: value for key, value in link.attributes.items() if key != "query_id"}
            found, dropped = link_cells(entity, type_, link.score, extra)
            if dropped:
                cells.lose("link-attributes", where, ", ".join(dropped), "no column for them")
            yield "\t".join([self.id, *found]) + "\n"


class _Queries:
    """Makes mentions queries, each under an id of its own."""

    def __init__(self, writing: Writing) -> None:
        self.cells = Cells(writing)
        self.taken: set[str] = set()
        self.made_up = 0

    def of(self, document: Document, mention: Mention, name: str) -> Iterator[_Query]:
        """The queries of a mention: one, and one for each further id that its links state."""
        where = place(document, mention)
        own = self._take(mention.attributes.get("query_id"))
        fields, dropped = _fields(mention)
        if "query_id" in mention.attributes and own is None:
            dropped.append("query_id")
        if dropped:
            self.cells.lose("mention-attributes", where, ", ".join(dropped), _NOT_ITS_OWN)
        surface = mention_name(document, mention)
        if mention.surface is not None and legal(surface) != surface:
            reason = "XML has no such character: written as U+FFFD"
            self.cells.lose("surfaces", where, surface, reason)
        offsets = None if _is_nowhere(mention) else (mention.begin, mention.end - 1)
        for key, links in self._by_id(mention, where).items():
            yield _Query(key or own or self._new(), name, surface, offsets, fields, links)

    def _by_id(self, mention: Mention, where: str) -> dict[str | None, list[Link]]:
        """The links by the ids of their queries, those of the mention's own under None."""
        groups: dict[str | None, list[Link]] = {None: []}
        own = [link for link in mention.links if "query_id" not in link.attributes]
        for link in mention.links:
            stated = link.attributes.get("query_id")
            key = stated if isinstance(stated, str) and own else None
            if key not in groups and self._take(key) is None:
                key = None
            if key is None and "query_id" in link.attributes:
                self.cells.lose("link-attributes", where, "query_id", _NOT_ITS_OWN)
            groups.setdefault(key, []).append(link)
        if best_first([link for links in groups.values() for link in links]) != [*mention.links]:
            self.cells.lose("link-order", where, "", "candidates are read best score first")
        return groups

    def _take(self, wanted: object) -> str | None:
        """The wanted id, if it can be had."""
        if not isinstance(wanted, str) or not wanted.strip() or wanted in self.taken:
            return None
        if wanted != legal(flat(wanted)) or MADE_UP.fullmatch(wanted):
            return None
        self.taken.add(wanted)
        return wanted

    def _new(self) -> str:
        self.made_up += 1
        return f"elcurate_{self.made_up:06d}"


def _fields(mention: Mention) -> tuple[dict[str, str], list[str]]:
    """The attributes that become elements, and those that can't."""
    fields: dict[str, str] = {}
    dropped: list[str] = []
    for key, value in mention.attributes.items():
        if key == "query_id" or (key == NOWHERE and _is_nowhere(mention)):
            continue
        known = key in (*OWN, "query") or _ELEMENT.fullmatch(key) is None
        if known or not isinstance(value, str) or legal(value) != value:
            dropped.append(key)
        else:
            fields[key] = value
    return fields, dropped


def _is_nowhere(mention: Mention) -> bool:
    return mention.attributes.get(NOWHERE) is True and mention.begin == mention.end
