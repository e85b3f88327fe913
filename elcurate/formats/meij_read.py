"""Reads Meij's tweets: texts, the concepts of each tweet, their relevance, and checksums."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import md5
from typing import TypeVar

from elcurate.errors import ReadError
from elcurate.formats.base import Reading, ReadOptions
from elcurate.formats.meij_files import ANNOTATIONS, CHECKSUMS, QRELS, TWEETS, find
from elcurate.formats.page_names import entity_of
from elcurate.formats.rows import Row, rows
from elcurate.formats.source import Source
from elcurate.model.corpus import Attributes, Document, Tag

NO_TITLE = "-"
UNKNOWN_PAGE = "0"
RELEVANT = "1"
NOT_JUDGED = "0"
ALL_WELL, NOT_FOUND = "200", "404"
_PAGE = re.compile(r"-?[0-9]{1,18}")
T = TypeVar("T")


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads the corpus that a file or folder belongs to."""
    reading = _Reader(find(source), options)
    return Reading(source.stem, reading.documents(), repairs=source.repairs)


def tag_of(page: str, title: str, relevance: str) -> Tag:
    """The concept in a row; by the number of its page where it has no title."""
    attributes: Attributes = {} if page == UNKNOWN_PAGE else {"page_id": page}
    if relevance != RELEVANT:
        attributes["relevance"] = relevance
    by_number = title == NO_TITLE and page != UNKNOWN_PAGE
    entity = f"https://en.wikipedia.org/?curid={page}" if by_number else entity_of(title)
    return Tag(entity=entity, attributes=attributes)


def metadata_of(cells: list[str], has_text: bool) -> Attributes:
    """What the list of tweets says of one: author, status and date, unless it is the usual."""
    fields = dict(zip(("author", "status", "date"), cells, strict=True))
    usual = {"author": "", "status": ALL_WELL if has_text else NOT_FOUND, "date": ""}
    return {key: value for key, value in fields.items() if value != usual[key]}


@dataclass
class _Tweet:
    """What the annotations, the qrels and the checksums say of a tweet."""

    row: Row
    concepts: list[tuple[str, str]] = field(default_factory=list)
    relevance: dict[str, str] = field(default_factory=dict)
    metadata: Attributes = field(default_factory=dict)


class _Reader:
    def __init__(self, files: dict[str, Source], options: ReadOptions) -> None:
        self.files = files
        self.options = options
        self.tweets: dict[str, _Tweet] = {}

    def documents(self) -> Iterator[Document]:
        """The tweets in the order of their list, then those that are only annotated."""
        for kind, use in (
            (CHECKSUMS, self._checksum),
            (ANNOTATIONS, self._annotation),
            (QRELS, self._judgement),
        ):
            for row in self._rows(kind):
                self._try(use, row)
        for row in self._rows(TWEETS):
            document = self._try(self._listed, row)
            if document is not None:
                yield document
        for name, tweet in self.tweets.items():
            if TWEETS in self.files:
                tweet.row.repair("unknown-document", name, "a document without text")
            yield Document(id=name, tags=self._tags(tweet), metadata=tweet.metadata)

    def _rows(self, kind: str) -> Iterator[Row]:
        return rows(self.files[kind]) if kind in self.files else iter(())

    def _try(self, use: Callable[[Row], T], row: Row) -> T | None:
        try:
            return use(row)
        except ReadError as error:
            self.options.fail(error)
            return None

    def _tweet(self, name: str, row: Row) -> _Tweet:
        return self.tweets.setdefault(name, _Tweet(row))

    def _checksum(self, row: Row) -> None:
        if len(row.cells) != 3:
            raise row.error(f"{len(row.cells)} columns", "A row is a tweet's id, user and MD5.")
        name, user, checksum = row.cells
        fields = {"username": user, "md5": checksum}
        self._tweet(name, row).metadata.update({key: one for key, one in fields.items() if one})

    def _annotation(self, row: Row) -> None:
        if len(row.cells) != 3:
            raise row.error(f"{len(row.cells)} columns", "A row is a tweet's id, page and title.")
        name, page, title = row.cells
        if not _PAGE.fullmatch(page):
            raise row.error(f"{page[:40]!r} is no page", "Pages are numbers, none is negative.")
        tweet = self._tweet(name, row)
        if not page.startswith("-"):
            tweet.concepts.append((page, title))
            return
        if "page_id" in tweet.metadata or title != NO_TITLE:
            row.repair("surplus-cells", f"{page} {title}", page)
        tweet.metadata["page_id"] = page

    def _judgement(self, row: Row) -> None:
        cells = re.split(r"[ \t]+", row.text.strip(" \t"))
        if len(cells) != 4 or not _PAGE.fullmatch(cells[3]):
            raise row.error("this is no judgement", "A row is a tweet's id, 0, page and relevance.")
        name, _, page, relevance = cells
        if not _PAGE.fullmatch(page):
            raise row.error(f"{page[:40]!r} is no page", "Pages are numbers.")
        self._tweet(name, row).relevance[page] = relevance

    def _listed(self, row: Row) -> Document:
        cells = row.text.split("\t", 4)
        if len(cells) < 4:
            raise row.error(
                f"{len(cells)} columns", "A row is a tweet's id, author, status, date and text."
            )
        text = cells[4] if len(cells) > 4 else None
        tweet = self.tweets.pop(cells[0], _Tweet(row))
        checksum = tweet.metadata.get("md5")
        if text is not None and checksum is not None:
            found = md5(text.encode(), usedforsecurity=False).hexdigest()
            if found != checksum:
                row.repair("checksum-differs", str(checksum), found)
        metadata = {**metadata_of(cells[1:4], text is not None), **tweet.metadata}
        return Document(id=cells[0], text=text, tags=self._tags(tweet), metadata=metadata)

    def _tags(self, tweet: _Tweet) -> tuple[Tag, ...]:
        """The concepts in the order of the annotations, then what is only in the qrels."""
        usual = NOT_JUDGED if QRELS in self.files else RELEVANT
        tags = []
        for page, title in tweet.concepts:
            default = RELEVANT if page == UNKNOWN_PAGE else usual
            tags.append(tag_of(page, title, tweet.relevance.get(page, default)))
        annotated = {page for page, _ in tweet.concepts}
        for page, relevance in tweet.relevance.items():
            if page not in annotated:
                if ANNOTATIONS in self.files:
                    tweet.row.repair("page-without-title", page)
                tags.append(tag_of(page, NO_TITLE, relevance))
        return tuple(tags)
