"""``elcurate stats``: its JSON shape, and counts by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from measures.tools import cli_json, cli_text, link, run_cli

from elcurate.evaluation.corpus_stats import corpus_stats
from elcurate.formats.outputs import write
from elcurate.model.categories import DIMENSIONS
from elcurate.model.corpus import Corpus, Document, Mention, Span

SAMPLE = Path(__file__).parents[2] / "datasets" / "sample"
WIKI = "https://en.wikipedia.org/wiki/"


@pytest.fixture
def made(tmp_path):
    text = "Al met Al Gore in New York."
    spans = [(0, 2), (7, 14), (7, 9), (7, 9), (18, 26), (22, 26), (22, 26)]
    links = [
        (link(f"{WIKI}Al_Gore", "base_form=alias", "base_form=short_name", type="PER"),),
        (link(f"{WIKI}Al_Gore", "base_form=full_name", type="PER"), link(f"{WIKI}Gore")),
        (link(f"{WIKI}Gore"),),
        (),
        (link("NIL1", type="LOC"),),
        (link(None),),
        (link("http://en.wikipedia.org/wiki/al_Gore"),),
    ]
    mentions = [Mention(begin=b, end=e, links=x) for (b, e), x in zip(spans, links, strict=True)]
    documents = (
        Document(
            id="a",
            text=text,
            mentions=tuple(mentions),
            sentences=(Span(begin=0, end=27),),
            tokens=(Span(begin=0, end=2), Span(begin=3, end=6)),
        ),
        Document(id="b"),
    )
    path = tmp_path / "made.jsonl"
    write(Corpus(name="made", documents=documents), path)
    return path


def test_counts_by_hand(made):
    (found,) = cli_json("stats", made)["corpora"]
    categories = found.pop("categories")
    assert {dimension: tuple(leaves) for dimension, leaves in categories.items()} == DIMENSIONS
    counted = {name: n for leaves in categories.values() for name, n in leaves.items() if n}
    assert counted == {"alias": 1, "short_name": 1, "full_name": 1}
    assert found == {
        "name": "made",
        "documents": 2,
        "sentences": 1,
        "tokens": 2,
        "words": 7,
        "mentions": 7,
        "links": 7,
        "nil": 2,
        "entities": 2,
        "nil_share": pytest.approx(2 / 7),
        "mentions_per_document": 3.5,
        "mentions_per_100_words": 100,
        "links_per_mention": 1,
        "entities_per_surface": {"mean": pytest.approx(5 / 3), "max": 2},
        "surfaces_per_entity": {"mean": 2.5, "max": 3},
        "nested_share": pytest.approx(4 / 7),
        "types": {"PER": 2, "LOC": 1},
    }


def test_nothing_to_count(tmp_path):
    path = tmp_path / "empty.jsonl"
    write(Corpus(name="empty"), path)
    (found,) = cli_json("stats", path)["corpora"]
    assert found["documents"] == found["links"] == 0
    for name in ("nil_share", "mentions_per_document", "links_per_mention", "nested_share"):
        assert found[name] is None
    assert "–" in cli_text("stats", path)


def test_several_corpora_side_by_side(made):
    found = cli_json("stats", made, SAMPLE / "gold.jsonl")["corpora"]
    assert [corpus["name"] for corpus in found] == ["made", found[1]["name"]]
    text = cli_text("stats", made, SAMPLE / "gold.jsonl")
    assert f"{found[1]['mentions']:,}" in text
    assert "entities per surface" in text


def test_stats_of_a_corpus_without_text():
    mention = Mention(begin=0, end=3, surface="Abc", links=(link(f"{WIKI}Abc"),))
    found = corpus_stats(Corpus(documents=(Document(id="d", mentions=(mention,)),)))
    assert (found.words, found.entities, found.mentions_per_100_words) == (0, 1, None)


def test_wrong_arguments(made, monkeypatch, capsys):
    code, _, err = run_cli(monkeypatch, capsys, "stats", made, "no-such.ttl", "nor-this.ttl")
    assert code == 2
    assert "no-such.ttl" in err
    assert "nor-this.ttl" in err
    assert run_cli(monkeypatch, capsys, "stats", made, "--format", "xml")[0] == 2


def test_output_to_a_file(made, tmp_path):
    path = tmp_path / "stats.json"
    assert cli_text("stats", made, "--format", "json", "-o", path) == ""
    assert json.loads(path.read_text("utf-8"))["corpora"][0]["links"] == 7
