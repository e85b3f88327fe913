"""The published gold through every annotation tool and back."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from shared_data import SHARED, needs_shared

from elcurate.formats.all import detect
from elcurate.formats.annotation_tools import ANNOTATION_TOOLS
from elcurate.formats.base import Format
from elcurate.formats.io import read
from elcurate.formats.outputs import write
from elcurate.formats.source import Source
from elcurate.model.corpus import Corpus

COUNTS = {"KORE50": (1, 372), "VoxEL": (15, 1107)}

tools = pytest.mark.parametrize("form", ANNOTATION_TOOLS, ids=lambda form: form.name)


@cache
def gold(name: str) -> Corpus:
    return read(SHARED / "finegrained" / "gold" / f"{name}.ttl")


@tools
@needs_shared
@pytest.mark.parametrize("name", COUNTS)
def test_published_gold(form: Format, name: str, tmp_path: Path) -> None:
    corpus = gold(name)
    documents, links = COUNTS[name]
    assert (len(corpus.documents), sum(1 for _ in corpus.links())) == (documents, links)
    path = tmp_path / (name if form.write_folder else f"{name}{form.suffixes[0]}")
    losses = write(corpus, path, format=form.name)
    assert {loss.kind for loss in losses} <= {"document-order"}
    assert detect(Source(path)) is form
    back = read(path)
    assert back.repairs == ()
    order = {document.id: place for place, document in enumerate(corpus.documents)}
    found = sorted(back.documents, key=lambda document: order[document.id])
    assert tuple(found) == corpus.documents
    assert leaves(back) == leaves(corpus)


def leaves(corpus: Corpus) -> Counter[tuple[str, str]]:
    return Counter(pair for _, _, link in corpus.links() for pair in link.categories.pairs())
