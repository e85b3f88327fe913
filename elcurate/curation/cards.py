"""Cards of public corpora: where a corpus is, under which licence, and what it should hold."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field, ValidationError

from elcurate.errors import ElcurateError, ReadError, SpecError, suggestion
from elcurate.model.corpus import Corpus
from elcurate.model.record import Record

CARD = "dataset.toml"
BUNDLED = "sample"


class DatasetError(ElcurateError):
    """A public corpus that can't be fetched, unpacked or read."""


def _several(value: object) -> object:
    return (value,) if isinstance(value, str) else value


class Counts(Record):
    """How much a corpus holds; None is not stated."""

    documents: int | None = None
    sentences: int | None = None
    mentions: int | None = None
    links: int | None = None
    nil: int | None = None
    tags: int | None = None


class Card(Record):
    """What is known of a public corpus.

    Attributes:
        name: As given to ``datasets fetch``.
        title: The corpus's own name.
        about: What it is, in a sentence.
        homepage: Where it is described.
        url: What is downloaded; empty when it can't be, or is bundled.
        licence: The SPDX identifier where there is one, else its name or "unknown".
        note: What to know before use: conditions, other versions, how to get the texts.
        language: ISO 639-1.
        format: Of the files, as in ``list formats``.
        file: The files or folders in the archive that are the corpus; empty for the download
            itself.
        sha256: Of the download; empty when it is not known.
        kb: The knowledge base of the links.
        kb_date: Its date, as far as it is known.
        reference: The publication.
        verified: Whether address, sum and counts were checked by those who wrote the card.
        counts: What the corpus should hold.
    """

    name: str
    title: str
    about: str = ""
    homepage: str = ""
    url: str = ""
    licence: str
    note: str = ""
    language: str
    format: str
    file: Annotated[tuple[str, ...], BeforeValidator(_several)] = ()
    sha256: str = Field(default="", pattern="^([0-9a-f]{64})?$")
    kb: str = ""
    kb_date: str = ""
    reference: str = ""
    verified: bool = False
    counts: Counts = Counts()


def datasets_folder() -> Path:
    """The folder of the cards, in an installed package or in a checkout."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "_data", package.parent / "datasets"):
        if folder.is_dir():
            return folder
    raise ReadError("the cards of the corpora are missing", remedy="Install elcurate again.")


def cards(folder: Path | None = None) -> Mapping[str, Card]:
    """All cards by name.

    Args:
        folder: The folder that has a folder for each corpus; the bundled one by default.
    """
    found = sorted((folder or datasets_folder()).glob(f"*/{CARD}"))
    return {path.parent.name: read_card(path) for path in found}


def get_card(name: str) -> Card:
    """The card of that name.

    Raises:
        SpecError: with the nearest names, when there is none.
    """
    known = cards()
    if name not in known:
        raise SpecError(f"there is no dataset {name!r}", remedy=suggestion(name, list(known)))
    return known[name]


def read_card(path: Path) -> Card:
    """Reads a card.

    Raises:
        ReadError: when it is no TOML or something is missing.
    """
    try:
        card = Card.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except tomllib.TOMLDecodeError as error:
        raise ReadError(f"not TOML: {error}", path=path) from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise ReadError(f"{place}: {first['msg']}", path=path) from error
    if card.name != path.parent.name:
        raise ReadError(f"the card of {card.name!r} is in the folder of another", path=path)
    return card


def counted(corpus: Corpus) -> Counts:
    """What a corpus holds."""
    links = [link for _, _, link in corpus.links()]
    return Counts(
        documents=len(corpus.documents),
        sentences=sum(len(document.sentences) for document in corpus.documents),
        mentions=sum(len(document.mentions) for document in corpus.documents),
        links=len(links),
        nil=sum(link.is_nil for link in links),
        tags=sum(len(document.tags) for document in corpus.documents),
    )


def differences(stated: Counts, found: Counts) -> list[str]:
    """A sentence for every count that is another one than the card states."""
    return [
        f"{found_number:,} {name}, the card says {number:,}"
        for name in Counts.model_fields
        if (number := getattr(stated, name)) is not None
        and (found_number := getattr(found, name)) != number
    ]
