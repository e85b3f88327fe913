"""TAC KBP entity linking, 2009 to 2014: queries in XML, their links in a file with tabs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from elcurate.errors import ReadError
from elcurate.formats import tac_files
from elcurate.formats.base import Format, Reading, ReadOptions
from elcurate.formats.features import EVERYTHING
from elcurate.formats.source import Source
from elcurate.formats.tac_documents import Assembly, read_regions
from elcurate.formats.tac_links import Lines, link_of, read_links
from elcurate.formats.tac_queries import read_queries
from elcurate.formats.tac_query import MADE_UP, Query, counting_of
from elcurate.formats.tac_texts import Texts
from elcurate.formats.tac_write import write_tac
from elcurate.model.change import Repair
from elcurate.model.corpus import Document, Link

_KB_ID = re.compile(rb"[^\t\n]+\t(?:NIL\w*|E\d{4,}|m\.0\w+)(?:\t[^\n]*)?\r?")
_HEADER = "query_id"
_LOST = {
    "empty-documents",
    "sentences",
    "tokens",
    "tags",
    "metadata",
    "fragments",
    "repeated-spans",
    "categories",
}


def sniff(head: bytes, name: str) -> int:
    """Sure of the queries; lines of ids and TAC's KB ids may be their links."""
    if tac_files.is_queries(head):
        return 95
    if not tac_files.is_links(head):
        return 0
    lines = [line for line in head.lstrip(b"\xef\xbb\xbf").split(b"\n")[:20] if line.strip()]
    return 30 if all(_KB_ID.fullmatch(line) for line in lines[1:] or lines) else 0


def claim(path: Path) -> int:
    """Sure of a folder with one file of queries, and of links beside their queries."""
    try:
        if path.is_dir():
            return _claim_folder(path)
        if not tac_files.may_be_links(path):
            return 0
        return 70 if tac_files.partner(path, (), is_query=False) else 0
    except OSError:
        return 0
    except ReadError:
        return 50


def _claim_folder(folder: Path) -> int:
    queries = tac_files.query_files(folder)
    if len(queries) != 1:
        return 0
    links = tac_files.partner(queries[0], (), is_query=True)
    return 70 if links is not None or not tac_files.link_files(folder) else 0


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads the queries, then documents in the order of their first query."""
    queries, links = tac_files.both(source)
    if queries is None:
        raise ReadError(
            "there are no queries for these links",
            path=source.path,
            remedy="Put the XML with the queries beside them, or name both.",
        )
    documents = _Pair(source, queries, links, options).documents()
    return Reading(source.stem, documents, repairs=source.repairs)


class _Pair:
    """Queries and their links.

    Args:
        source: The input that both belong to.
        queries: The queries.
        links: Their links, if there are any.
        options: What the reader was told.
    """

    def __init__(
        self, source: Source, queries: Source, links: Source | None, options: ReadOptions
    ) -> None:
        self.source = source
        self.queries = queries
        self.links = links
        self.options = options
        self.lines: Lines = {}

    def documents(self) -> Iterator[Document]:
        """Documents in the order of their first query."""
        found: dict[str, list[Query]] = {}
        known: set[str] = set()
        if self.links is not None:
            self.lines = read_links(self.links, self.options)
        for name, query in read_queries(self.queries, self.options):
            found.setdefault(query.document, []).append(query)
            known.add(name or "")
        flat = [query for some in found.values() for query in some]
        if self.links is None and flat and not any(query.links for query in flat):
            self._report("no-links", self.queries.path, "", "mentions without links")
        self._check_lines(known)
        assembly = Assembly(
            options=self.options,
            repairs=self.source.repairs,
            texts=Texts(self.source, self.queries.path, self.options, found),
            counting=counting_of(flat, self.queries),
            excluded=read_regions(self.source, self.options),
        )
        del flat
        for name, some in found.items():
            for query in some:
                self._complete(query)
            yield assembly.document(name, some)
            some.clear()

    def _check_lines(self, known: set[str]) -> None:
        """Reports the links whose queries are missing, but for a line of column names."""
        for name, rows in self.lines.items():
            if name in known or (name.lower() == _HEADER and rows[0].line == 1):
                continue
            for row in rows:
                row.repair("link-without-query", before=row.text, after="left out")

    def _complete(self, query: Query) -> None:
        """Gives a query its links; those in lines go before its own ``<entity>``."""
        name = query.attributes.get("query_id")
        if not isinstance(name, str):
            return
        if MADE_UP.fullmatch(name):
            del query.attributes["query_id"]
        where = f"{self.queries.path}:{query.line}"
        read = [link_of(row, self.options) for row in self.lines.pop(name, [])]
        links = [link for link in read if link is not None]
        if links and not _agree(query.links, links):
            before, after = str(query.links[0].entity), str(links[0].entity)
            self._report("entity-differs", where, before, after)
        if self.links is not None and not links and not query.links:
            self._report("query-without-link", where, name, "a mention without link")
        query.links = links or query.links

    def _report(self, kind: str, where: str, before: str, after: str) -> None:
        repair = Repair(kind=kind, where=where, before=before, after=after)
        self.source.repairs.append(repair)


def _agree(stated: Sequence[Link], links: Sequence[Link]) -> bool:
    return all(one.entity in [link.entity for link in links] for one in stated)


TAC = Format(
    name="tac",
    text="TAC KBP queries and links, 2009 to 2014",
    suffixes=(),
    keeps=EVERYTHING - _LOST,
    sniff=sniff,
    read=read,
    claim=claim,
    write_folder=write_tac,
)
