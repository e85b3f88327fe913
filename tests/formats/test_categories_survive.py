"""The published corpora score the same after a detour through every format with categories."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from roundtrip import target
from shared_data import SHARED, needs_shared

from elcurate.evaluation.evaluate import evaluate
from elcurate.formats.all import FORMATS
from elcurate.formats.base import Format
from elcurate.formats.io import read
from elcurate.formats.outputs import write
from elcurate.model.corpus import Corpus

pytestmark = needs_shared

DATA = SHARED / "finegrained"
SYSTEMS = ("AIDA", "BABELFYr", "FREMENER", "TAGME")
KEEPING = [form for form in FORMATS if form.read and form.can_write and "categories" in form.keeps]


@cache
def system(name: str, corpus: str) -> Corpus:
    return read(DATA / "systems" / f"{name}_{corpus}.ttl")


def counts(gold: Corpus, corpus: str, missing: str) -> list[tuple[object, ...]]:
    systems = {name: system(name, corpus) for name in SYSTEMS}
    found = evaluate(
        gold,
        systems,
        profile="emnlp2019",
        by=["categories", "combination"],
        policies={"missing": missing},
    )
    return [
        (result.name, tuple(score.slice.items()), score.gold, score.system, score.tp, score.fn)
        for result in found.systems
        for score in result.scores
    ]


@cache
def expected(corpus: str, missing: str) -> list[tuple[object, ...]]:
    return counts(read(DATA / "gold" / f"{corpus}.ttl"), corpus, missing)


@pytest.mark.parametrize("corpus", ["KORE50", "VoxEL"])
@pytest.mark.parametrize("form", KEEPING, ids=lambda form: form.name)
def test_scores_survive(form: Format, corpus: str, tmp_path: Path) -> None:
    path = target(form, tmp_path)
    losses = {
        loss.kind for loss in write(read(DATA / "gold" / f"{corpus}.ttl"), path, format=form.name)
    }
    if "categories" in losses:
        pytest.skip("keeps only some leaves, and says so")
    sentences = "sentences" in form.keeps and "sentences" not in losses
    missing = "skip" if sentences else "fn"
    back = read(path, format=form.name)
    assert counts(back, corpus, missing) == expected(corpus, missing)


def test_there_are_such_formats() -> None:
    assert {"brat", "nif", "jsonl", "neleval", "parquet-links"} <= {form.name for form in KEEPING}
