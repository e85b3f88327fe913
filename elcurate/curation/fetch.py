"""Fetching a public corpus: download, unpack, read, count, write."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

from elcurate.curation.cards import BUNDLED, Card, Counts, DatasetError, counted, differences
from elcurate.curation.cards import datasets_folder as bundled_folder
from elcurate.curation.download import Tick, digest_of, download
from elcurate.curation.unpack import is_archive, unpack
from elcurate.formats.io import read
from elcurate.formats.outputs import find_format, write
from elcurate.model.change import Loss, Repair
from elcurate.model.corpus import Corpus
from elcurate.model.record import Record


class Fetched(Record):
    """What ``elcurate datasets fetch --format json`` prints.

    Attributes:
        name: The dataset.
        path: Where the corpus was written.
        sha256: Of what was downloaded; empty for a bundled corpus.
        verified: Whether the card was checked by those who wrote it.
        counts: What the corpus holds.
        differences: Counts that are not those of the card.
        repairs: What the reader repaired.
        losses: What the output format can't carry.
    """

    name: str
    path: str
    sha256: str
    verified: bool
    counts: Counts
    differences: tuple[str, ...] = ()
    repairs: tuple[Repair, ...] = ()
    losses: tuple[Loss, ...] = ()


def cache_folder() -> Path:
    """Where downloads are kept: ``$XDG_CACHE_HOME/elcurate``."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "elcurate"


def fetch(
    card: Card,
    output: Path,
    *,
    format: str | None = None,  # noqa: A002
    cache: Path | None = None,
    tick: Tick | None = None,
    pause: float = 1.0,
) -> Fetched:
    """Downloads a corpus unless it is there, reads it, counts it and writes it.

    Args:
        card: Of the corpus.
        output: Where the corpus goes.
        format: Of the output; by the suffix when None.
        cache: Where downloads are kept.
        tick: Is told about the progress of the download.
        pause: Seconds before a download that stops is continued.

    Raises:
        DatasetError: when it can't be downloaded or unpacked.
    """
    find_format(output, format)
    if card.name == BUNDLED:
        own = [bundled_folder() / BUNDLED / name for name in card.file]
        return _written(card, read(*own, format=card.format, name=card.name), output, format)
    if not card.url:
        raise DatasetError(
            f"{card.title} can't be downloaded. {card.note}".strip(),
            remedy=f"See {card.homepage}" if card.homepage else None,
        )
    store = cache or cache_folder()
    store.mkdir(parents=True, exist_ok=True)
    place = store / _file_name(card.url)
    found = digest_of(place) if place.exists() else ""
    if not found or card.sha256 not in ("", found):
        found = download(card.url, place, sha256=card.sha256, tick=tick, pause=pause)
    with tempfile.TemporaryDirectory(dir=store) as folder:
        files = _files(card, place, Path(folder))
        corpus = read(*files, format=card.format, name=card.name)
        return _written(card, corpus, output, format, found)


def _file_name(url: str) -> str:
    """A name of its own for each address, with the suffix of the address."""
    name = PurePosixPath(urlsplit(url).path).name or "download"
    return f"{hashlib.sha256(url.encode()).hexdigest()[:16]}-{name}"


def _files(card: Card, place: Path, folder: Path) -> Sequence[Path]:
    """The corpus's files, unpacked if the download is an archive."""
    if not card.file:
        return [place]
    if not is_archive(place):
        raise DatasetError(
            f"{card.url} is no ZIP or TAR archive", remedy=f"If it was mended, delete {place}"
        )
    unpack(place, folder, card.file)
    found = [folder / name for name in card.file]
    missing = [name for name, path in zip(card.file, found, strict=True) if not path.exists()]
    if missing:
        raise DatasetError(
            f"{card.url} doesn't hold {', '.join(missing)}", remedy="It may be another version."
        )
    return found


def _written(
    card: Card, corpus: Corpus, output: Path, form: str | None, sha256: str = ""
) -> Fetched:
    losses = write(corpus, output, format=form)
    counts = counted(corpus)
    return Fetched(
        name=card.name,
        path=str(output),
        sha256=sha256,
        verified=card.verified,
        counts=counts,
        differences=tuple(differences(card.counts, counts)),
        repairs=corpus.repairs,
        losses=tuple(losses),
    )
