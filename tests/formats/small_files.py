"""Small files and short looks at what was read of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from shared_data import SHARED

from elcurate.errors import ReadError
from elcurate.formats.base import ReadOptions
from elcurate.formats.io import read
from elcurate.formats.outputs import write
from elcurate.model.corpus import Corpus

WIKI = "http://en.wikipedia.org/wiki/"
PAGE = "https://en.wikipedia.org/wiki/"
REAL = SHARED / "formats"


def kinds(corpus: Corpus) -> dict[str, int]:
    found: dict[str, int] = {}
    for repair in corpus.repairs:
        found[repair.kind] = found.get(repair.kind, 0) + 1
    return found


def said(corpus: Corpus, number: int = 0) -> list[tuple[str | None, str | None]]:
    """Surface and first entity of each mention of a document."""
    document = corpus.documents[number]
    return [(document.surface(one), one.links[0].entity) for one in document.mentions]


def put(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def fails(path: Path, match: str, options: ReadOptions | None = None) -> ReadError:
    with pytest.raises(ReadError, match=match) as caught:
        read(path, options=options)
    return caught.value


def again(corpus: Corpus, folder: Path, format_: str) -> Corpus:
    path = folder / "again"
    losses = write(corpus, path, format=format_)
    assert losses == []
    return read(path)
