"""Meij's tweets: a list of tweets, the Wikipedia pages of each, and TREC's qrels.

A tweet is ``id author status date text``, an annotation ``id page title`` with a negative page for
none, a judgement ``id 0 page relevance``; a fourth file has ``id user md5``. Pages are concepts of
the whole tweet: tags.
"""

from __future__ import annotations

import re
from pathlib import Path

from elcurate.formats.base import Format, Writing
from elcurate.formats.features import place
from elcurate.formats.meij_files import (
    ANNOTATIONS,
    CHECKSUMS,
    NAMES,
    QRELS,
    TWEETS,
    claim,
    sniff,
)
from elcurate.formats.meij_read import (
    ALL_WELL,
    NO_TITLE,
    NOT_FOUND,
    RELEVANT,
    UNKNOWN_PAGE,
    metadata_of,
    read,
    tag_of,
)
from elcurate.formats.page_names import name_of
from elcurate.formats.rows import Cells, flat
from elcurate.model.corpus import Document, Tag

_PAGE = re.compile(r"[0-9]{1,18}")
_NONE = re.compile(r"-[0-9]{1,17}")
_RELEVANCE = re.compile(r"-?[0-9]{1,17}")
_REST = ("username", "md5", "page_id")

Rows = dict[str, list[tuple[str, str]]]
"""The rows of each file with the ids that they begin with."""


def write_folder(writing: Writing, folder: Path) -> None:
    """Writes the files under their published names; all but the tweets are sorted by id."""
    cells = Cells(writing)
    rows: Rows = {ANNOTATIONS: [], QRELS: [], CHECKSUMS: []}
    with (folder / NAMES[TWEETS]).open("wb") as tweets:
        for document in writing.documents:
            name = cells.name(document, forbidden=" ")
            tweets.write(f"{name}\t{_tweet(name, document, rows, cells)}\n".encode())
            _add_tags(name, document, rows, cells)
            for mention in document.mentions:
                reason = "there are only concepts of whole tweets"
                cells.lose("mention", place(document, mention), reason=reason)
    for kind, found in rows.items():
        if found or kind != CHECKSUMS:
            lines = [f"{row}\n" for _, row in sorted(found, key=lambda one: one[0])]
            (folder / NAMES[kind]).write_bytes("".join(lines).encode())


def _tweet(name: str, document: Document, rows: Rows, cells: Cells) -> str:
    """What follows the id in the list; what other files say of the tweet goes to their rows."""
    has_text = document.text is not None
    stated = {
        key: flat(one) for key, one in document.metadata.items() if isinstance(one, str) and one
    }
    usual = ALL_WELL if has_text else NOT_FOUND
    listed = [stated.get("author", ""), stated.get("status", usual), stated.get("date", "")]
    rest = {key: stated[key] for key in _REST if key in stated}
    if "page_id" in rest and not _NONE.fullmatch(rest["page_id"]):
        del rest["page_id"]
    if "page_id" in rest:
        rows[ANNOTATIONS].append((name, f"{name}\t{rest['page_id']}\t{NO_TITLE}"))
    if "username" in rest or "md5" in rest:
        row = f"{name}\t{rest.get('username', '')}\t{rest.get('md5', '')}"
        rows[CHECKSUMS].append((name, row))
    kept = {**metadata_of(listed, has_text), **rest}
    lost = [key for key, value in document.metadata.items() if kept.get(key, ...) != value]
    if lost:
        cells.lose("metadata", document.id, ", ".join(lost), "no place for them")
    if document.text is not None:
        listed.append(cells.cell(document.text, "text", document.id))
    return "\t".join(listed)


def _add_tags(name: str, document: Document, rows: Rows, cells: Cells) -> None:
    """The concepts, each with its judgement if the page has a number."""
    judged: dict[str, str] = {}
    for tag in document.tags:
        page = _stated(tag, "page_id", _PAGE, UNKNOWN_PAGE)
        relevance = RELEVANT
        if page != UNKNOWN_PAGE:
            is_new = page not in judged
            relevance = judged.setdefault(page, _stated(tag, "relevance", _RELEVANCE, RELEVANT))
            if is_new:
                rows[QRELS].append((name, f"{name} 0 {page} {relevance}"))
        by_number = tag_of(page, NO_TITLE, relevance)
        title = NO_TITLE if by_number == tag else flat(name_of(tag.entity)[0])
        back = tag_of(page, title, relevance)
        if back != tag:
            cells.lose("tags", document.id, tag.entity, f"read as {back.entity}")
        rows[ANNOTATIONS].append((name, f"{name}\t{page}\t{title}"))


def _stated(tag: Tag, key: str, form: re.Pattern[str], default: str) -> str:
    value = tag.attributes.get(key)
    return value if isinstance(value, str) and form.fullmatch(value) else default


MEIJ = Format(
    name="meij",
    text="Meij's tweets with their Wikipedia pages",
    suffixes=(),
    keeps=frozenset({"text", "no-text", "empty-documents", "tags", "metadata"}),
    sniff=sniff,
    read=read,
    claim=claim,
    write_folder=write_folder,
)
