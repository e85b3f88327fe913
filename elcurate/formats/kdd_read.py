"""Reads KDD queries: a token a line, mentions with their links at their first tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from elcurate.errors import ReadError
from elcurate.formats.base import ReadOptions
from elcurate.formats.detokenise import STYLES, Style, detokenise
from elcurate.formats.page_names import entity_of, name_of
from elcurate.formats.rows import Row, rows
from elcurate.formats.source import Source
from elcurate.kb.iri import parse
from elcurate.model.change import Repair
from elcurate.model.corpus import Document, Link, Mention

END = ".\tO\tO\t#"
OUTSIDE = "O"
NONE = "NONE"
_REMEDY = "A row is a token, a mention or O, O, and O, B-type or I-type, then titles and addresses."


def documents(source: Source, options: ReadOptions) -> Iterator[Document]:
    """The queries, numbered from 1."""
    style = STYLES.get(options.detokenise)
    for number, query in enumerate(_queries(source), 1):
        try:
            yield _document(str(number), query, style, source.repairs)
        except ReadError as error:
            options.fail(error)


def title_of(entity: str) -> str:
    """The title that stands before an address: that of the page, or the address again."""
    return name_of(entity)[0].replace(" ", "_") if parse(entity).language == "en" else entity


def link_of(title: str, address: str, type_: str | None) -> Link:
    """The link to an address; to a page by its title where there is no address."""
    if address not in ("", NONE):
        attributes = {} if title == title_of(address) else {"title": title}
        return Link(entity=address, type=type_, attributes={**attributes})
    return Link(entity=None if title in ("", NONE) else entity_of(title), type=type_)


def _queries(source: Source) -> Iterator[list[Row]]:
    """The rows of each query; a row of dots stands before the first and after each."""
    query: list[Row] = []
    began = False
    for row in rows(source):
        if row.text != END:
            query.append(row)
            continue
        if query or began:
            yield query
        query, began = [], True
    if query:
        yield query


@dataclass
class _Draft:
    """A mention whose tokens are still coming."""

    first: int
    last: int
    type: str | None
    links: tuple[Link, ...] = ()
    text: str | None = None
    tokens: list[str] = field(default_factory=list)


def _document(name: str, query: Sequence[Row], style: Style, repairs: list[Repair]) -> Document:
    tokens: list[str] = []
    drafts: list[_Draft] = []
    inside = False
    for row in query:
        cells = row.cells
        token, tag = cells[0], cells[3] if len(cells) > 3 else ""
        if not token or not (tag == OUTSIDE or tag[:2] in ("B-", "I-")) or len(cells) % 2:
            raise row.error(f"{row.text[:40]!r} is no token with its tag", _REMEDY)
        begins = tag.startswith("B-") or (tag.startswith("I-") and not inside)
        if begins:
            drafts.append(_draft(row, len(tokens), tag))
        inside = tag != OUTSIDE
        _check(row, cells if not begins else [OUTSIDE, OUTSIDE, cells[2], OUTSIDE])
        if inside:
            drafts[-1].last = len(tokens)
            drafts[-1].tokens.append(token)
        tokens.append(token)
    made = detokenise([tokens], style)
    mentions = []
    for draft in drafts:
        begin, end = made.tokens[draft.first].begin, made.tokens[draft.last].end
        mentions.append(_mention(draft, begin, end, f"{name} {begin}-{end}", repairs))
    return Document(id=name, text=made.text, mentions=tuple(mentions), tokens=made.tokens)


def _check(row: Row, cells: Sequence[str]) -> None:
    """Reports what a row says that has no meaning in it."""
    surplus = [cell for cell in (*cells[1:3], *cells[4:]) if cell != OUTSIDE]
    if surplus:
        row.repair("surplus-cells", " ".join(surplus), "left out")


def _draft(row: Row, number: int, tag: str) -> _Draft:
    cells = row.cells
    if tag.startswith("I-"):
        row.repair("inside-without-beginning", tag, f"B-{tag[2:]}")
    elif cells[1] in ("", OUTSIDE) and cells[0] != OUTSIDE:
        row.repair("mention-without-surface", cells[0])
    type_ = tag[2:] or None
    links = []
    for title, address in zip(cells[4::2], cells[5::2], strict=True):
        links.append(link_of(title, address, type_))
        if address in ("", NONE) and not links[-1].is_nil:
            row.repair("title-without-address", title)
    text = None if cells[1] in ("", OUTSIDE) else cells[1]
    return _Draft(number, number, type_, tuple(links), text)


def _mention(draft: _Draft, begin: int, end: int, where: str, repairs: list[Repair]) -> Mention:
    """The mention, whose stated surface has ``_`` for blanks."""
    surface = None
    if draft.text is not None and draft.text != "_".join(draft.tokens):
        surface = draft.text.replace("_", " ")
        found = " ".join(draft.tokens)
        repairs.append(Repair(kind="surface-differs", where=where, before=surface, after=found))
    attributes = {} if draft.links or draft.type is None else {"type": draft.type}
    return Mention(
        begin=begin, end=end, links=draft.links, surface=surface, attributes={**attributes}
    )
