"""The published fine-grained corpora and system outputs, whose quirks break strict readers."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from roundtrip import check_kept, through
from shared_data import SHARED, needs_shared

from elcurate.errors import ReadError
from elcurate.formats.all import FORMATS
from elcurate.formats.io import read
from elcurate.model.corpus import Corpus

FOLDER = SHARED / "finegrained"
GOLD = {
    "KORE50": {"documents": 1, "sentences": 50, "mentions": 348, "links": 372, "nil": 4},
    "VoxEL": {"documents": 15, "sentences": 94, "mentions": 979, "links": 1107, "nil": 4},
}
SYSTEMS = {
    "AIDA_KORE50": (109, 10),
    "AIDA_VoxEL": (219, 4),
    "BABELFYr_KORE50": (189, 16),
    "BABELFYr_VoxEL": (668, 16),
    "FREMENER_KORE50": (132, 16),
    "FREMENER_VoxEL": (230, 3),
    "TAGME_KORE50": (292, 38),
    "TAGME_VoxEL": (788, 15),
}

pytestmark = needs_shared


@cache
def gold(name: str) -> Corpus:
    return read(FOLDER / "gold" / f"{name}.ttl")


@pytest.mark.parametrize("name", GOLD)
def test_gold_counts(name: str) -> None:
    corpus = gold(name)
    assert {
        "documents": len(corpus.documents),
        "sentences": sum(len(document.sentences) for document in corpus.documents),
        "mentions": sum(1 for _ in corpus.mentions()),
        "links": sum(1 for _ in corpus.links()),
        "nil": sum(link.is_nil for _, _, link in corpus.links()),
    } == GOLD[name]
    kinds = Counter(repair.kind for repair in corpus.repairs)
    assert kinds == {"undeclared-prefix": 2, "nil-as-page": 4}
    assert corpus.name == name


@pytest.mark.parametrize("name", SYSTEMS)
def test_system_counts(name: str) -> None:
    mentions, shared = SYSTEMS[name]
    corpus = read(FOLDER / "systems" / f"{name}.ttl")
    want = GOLD[name.partition("_")[2]]
    assert len(corpus.documents) == want["documents"]
    assert sum(len(document.sentences) for document in corpus.documents) == want["sentences"]
    assert sum(1 for _ in corpus.mentions()) == sum(1 for _ in corpus.links()) == mentions
    assert Counter(repair.kind for repair in corpus.repairs) == {
        "undeclared-prefix": 3,
        "shared-iri": shared,
        "text-from-sentences": want["documents"],
    }
    assert not any(link.categories.mask for _, _, link in corpus.links())


@pytest.mark.parametrize("name", GOLD)
def test_surfaces_are_in_the_text(name: str) -> None:
    stated = [mention for _, mention in gold(name).mentions() if mention.surface is not None]
    assert stated == []


@pytest.mark.parametrize("name", GOLD)
def test_documents_agree_with_those_of_the_systems(name: str) -> None:
    texts = {document.id: document.text for document in gold(name).documents}
    for system in SYSTEMS:
        if system.endswith(name):
            documents = read(FOLDER / "systems" / f"{system}.ttl").documents
            assert {document.id for document in documents} == set(texts)


@pytest.mark.parametrize("name", GOLD)
def test_every_link_has_categories(name: str) -> None:
    for _, _, link in gold(name).links():
        assert link.categories.mask


@pytest.mark.parametrize("name", GOLD)
@pytest.mark.parametrize("form", [one for one in FORMATS if one.write], ids=lambda one: one.name)
def test_round_trip(name: str, form: object, tmp_path: Path) -> None:
    corpus = gold(name)
    back, losses, _ = through(corpus, form, tmp_path)
    check_kept(corpus, back, form, losses)


def test_without_repair_the_first_is_named() -> None:
    with pytest.raises(ReadError, match="6 repairs would be needed, the first undeclared-prefix"):
        read(FOLDER / "gold" / "KORE50.ttl", repair=False)


def test_corpora_in_a_folder_are_one() -> None:
    corpus = read(FOLDER / "gold")
    assert len(corpus.documents) == 16
    assert sum(1 for _ in corpus.links()) == 372 + 1107
