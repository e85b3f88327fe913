"""Cards of public corpora as tables and text, and what fetching one gave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO

from elcurate.curation.cards import Card
from elcurate.curation.fetch import Fetched
from elcurate.model.record import Record
from elcurate.report.tables import Cell, Grid
from elcurate.report.text import ROOM, print_grid, rendered


class DatasetList(Record):
    """What ``elcurate datasets list`` and ``show`` print as JSON."""

    datasets: tuple[Card, ...]


def render_cards(found: Sequence[Card], stream: TextIO | None = None) -> str:
    """One line for each corpus."""
    columns = ("name", "title", "language", "licence", "documents", "mentions", "fetch", "verified")
    rows = [
        (
            *(Cell(text) for text in (card.name, card.title, card.language, card.licence)),
            *(Cell(_number(n)) for n in (card.counts.documents, card.counts.mentions)),
            Cell(_way(card)),
            Cell("yes" if card.verified else "no"),
        )
        for card in found
    ]
    grid = Grid("Public corpora", columns, 4, tuple(rows))
    return rendered(lambda console: print_grid(grid, console), stream, ROOM)


def render_card(card: Card) -> str:
    """All that a card says, a line each."""
    counts = ", ".join(f"{number:,} {name}" for name, number in card.counts if number is not None)
    said = {
        "title": card.title,
        "about": card.about,
        "homepage": card.homepage,
        "fetched from": card.url or ("bundled" if _way(card) == "bundled" else "can't be fetched"),
        "licence": card.licence,
        "note": card.note,
        "language": card.language,
        "format": card.format,
        "files": ", ".join(card.file),
        "sha256": card.sha256 or "not known",
        "knowledge base": " of ".join(part for part in (card.kb, card.kb_date) if part),
        "reference": card.reference,
        "counts": counts,
        "verified": "yes" if card.verified else "no: address, sum and counts were not checked",
    }
    lines = [f"  {name}: {value}\n" for name, value in said.items() if value]
    return f"{card.name}\n{''.join(lines)}"


def render_fetched(fetched: Fetched) -> str:
    """What was fetched, and how it differs from the card."""
    counts = ", ".join(f"{number:,} {name}" for name, number in fetched.counts if number)
    lines = [f"{fetched.name}: {counts or 'nothing'} written to {fetched.path}\n"]
    if fetched.sha256:
        lines.append(f"SHA-256 of the download: {fetched.sha256}\n")
    lines += [f"not as stated: {difference}\n" for difference in fetched.differences]
    if not fetched.verified:
        lines.append("the card was not verified: see elcurate datasets show\n")
    return "".join(lines)


def _way(card: Card) -> str:
    if card.url:
        return "yes"
    return "bundled" if card.name == "sample" else "no"


def _number(number: int | None) -> str:
    return "" if number is None else f"{number:,}"
