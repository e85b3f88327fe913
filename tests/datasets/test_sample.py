import hashlib
import importlib.util
import re
import tomllib
from collections import Counter
from pathlib import Path
from urllib.parse import unquote

import pytest

from elcurate.model.categories import DIMENSIONS, GROUPS, LEAVES
from elcurate.model.corpus import Document

SAMPLE = Path(__file__).parents[2] / "datasets" / "sample"
OUTPUTS = ["gold.jsonl", *(f"systems/{n}.jsonl" for n in ("names", "everything", "sloppy"))]
RARE = {"extended_name", "adverb", "metaphoric", "metonymic", "intermediate"}


def read(name: str) -> dict[str, Document]:
    lines = (SAMPLE / name).read_bytes().decode().split("\n")[1:-1]
    documents = [Document.model_validate_json(line) for line in lines]
    assert len({document.id for document in documents}) == len(documents)
    return {document.id: document for document in documents}


@pytest.fixture(scope="module")
def gold() -> dict[str, Document]:
    return read("gold.jsonl")


@pytest.fixture(scope="module")
def links(gold):
    return [
        (document, mention, link)
        for document in gold.values()
        for mention in document.mentions
        for link in mention.links
    ]


@pytest.fixture(scope="module")
def leaf_counts(links):
    return Counter(pair for _, _, link in links for pair in link.categories.pairs())


def test_build_reproduces_the_committed_files(tmp_path):
    spec = importlib.util.spec_from_file_location("sample_build", SAMPLE / "build.py")
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    build.main(tmp_path)
    written = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.jsonl")}
    assert written == set(OUTPUTS)
    for name in OUTPUTS:
        assert (tmp_path / name).read_bytes() == (SAMPLE / name).read_bytes(), name


def test_counts_and_checksum_are_those_of_dataset_toml(gold, links):
    stated = tomllib.loads((SAMPLE / "dataset.toml").read_text("utf-8"))
    assert stated["sha256"] == hashlib.sha256((SAMPLE / "gold.jsonl").read_bytes()).hexdigest()
    assert stated["counts"] == {
        "documents": len(gold),
        "sentences": sum(len(document.sentences) for document in gold.values()),
        "mentions": sum(len(document.mentions) for document in gold.values()),
        "links": len(links),
        "nil": sum(link.is_nil for _, _, link in links),
    }


def test_the_data_card_has_the_counts(gold, leaf_counts):
    card = (SAMPLE / "README.md").read_text("utf-8")
    for dimension, leaf in LEAVES:
        assert f"| {dimension} | {leaf} | {leaf_counts[dimension, leaf]} |" in card
    for document in gold.values():
        each = [len(mention.links) for mention in document.mentions]
        numbers = [len(document.text.split()), len(document.sentences), len(each), sum(each)]
        cells = [f"`{document.id}`", document.metadata["kind"], *map(str, numbers)]
        assert f"| {' | '.join(cells)} |" in card


@pytest.mark.parametrize(("dimension", "leaf"), LEAVES)
def test_every_leaf_occurs_often_enough(leaf_counts, dimension, leaf):
    assert leaf_counts[dimension, leaf] >= (4 if leaf in RARE else 8)


def test_size_and_variety(gold, links):
    assert len(gold) >= 14
    assert len({document.metadata["kind"] for document in gold.values()}) == len(gold)
    assert all(90 <= len(document.text.split()) <= 220 for document in gold.values())
    assert len(links) >= 340
    mentions = [mention for document in gold.values() for mention in document.mentions]
    assert sum(len(mention.links) > 1 for mention in mentions) >= 15


def test_texts_have_what_breaks_offsets(gold):
    texts = [document.text for document in gold.values()]
    assert sum(any(ord(char) > 0xFFFF for char in text) for text in texts) >= 2
    assert any("e\u0301" in text for text in texts)
    assert any("\r\n\r\n" in text and "\n" not in text.replace("\r\n", "") for text in texts)
    for script in ("[\u0370-\u03ff]", "[\u0400-\u04ff]", "[\u0600-\u06ff]", "[\u4e00-\u9fff]"):
        assert any(re.search(script, text) for text in texts)


def test_nil(links):
    clusters = {}
    for document, _, link in links:
        if link.is_nil:
            clusters.setdefault(link.entity, []).append(document.id)
    assert len(clusters.pop(None)) >= 6
    assert sum(len(places) for places in clusters.values()) >= 6
    assert any(len(set(places)) == 2 for places in clusters.values())


def test_one_leaf_per_dimension(links):
    for _, _, link in links:
        assert all(len(link.categories.leaves(dimension)) == 1 for dimension in DIMENSIONS)
        anaphoric = link.categories.reference == ("anaphoric",)
        assert (link.categories.base_form == ("pro_form",)) == anaphoric


def test_overlap_is_what_the_spans_say(gold):
    chains = 0
    for document in gold.values():
        spans = {mention.span for mention in document.mentions}
        for mention in document.mentions:
            begin, end = mention.span
            others = spans - {mention.span}
            inside = [span for span in others if span[0] <= begin and end <= span[1]]
            around = [span for span in others if begin <= span[0] and span[1] <= end]
            leaf = (("none", "maximal"), ("minimal", "intermediate"))[bool(inside)][bool(around)]
            assert {link.categories.overlap for link in mention.links} == {(leaf,)}
            chains += leaf == "intermediate"
    assert chains >= 5


def test_types_are_consistent_and_set_on_names(links):
    types = {}
    for _, _, link in links:
        if link.entity is not None:
            types.setdefault(link.entity, set()).add(link.type)
        if link.categories.base_form[0] in GROUPS["base_form"]["proper_form"]:
            assert link.type in {"Person", "Organisation", "Place", "Miscellany"}
    assert all(len(found) == 1 for found in types.values())


@pytest.mark.parametrize("name", OUTPUTS)
def test_spans_lie_in_the_text_and_in_one_sentence(name):
    for document in read(name).values():
        spans = [mention.span for mention in document.mentions]
        assert len(set(spans)) == len(spans)
        assert spans == sorted(spans, key=lambda span: (span[0], -span[1]))
        for begin, end in spans:
            surface = document.text[begin:end]
            assert surface
            assert surface == surface.strip()
            homes = [part for part in document.sentences if part.begin <= begin < part.end]
            assert len(homes) == 1
            assert end <= homes[0].end


def test_sentences_cover_the_text(gold):
    for document in gold.values():
        left = document.text
        for part in reversed(document.sentences):
            sentence = document.text[part.begin : part.end]
            assert sentence
            assert sentence == sentence.strip()
            left = left[: part.begin] + left[part.end :]
        assert not left.strip()


def test_entities_are_plain_titles(links):
    for _, _, link in links:
        if not link.is_nil:
            title = link.entity.removeprefix("https://en.wikipedia.org/wiki/")
            assert title != link.entity
            assert re.fullmatch(r"[^\s%#?\[\]|]+", title)
            assert title[0] == title[0].upper()


@pytest.mark.parametrize("name", OUTPUTS[1:])
def test_systems_have_ranked_candidates_and_no_categories(gold, name):
    system = read(name)
    missing = {"minutes-astronomers"} if "sloppy" in name else set()
    assert set(gold) - set(system) == missing
    for document in system.values():
        assert document.text == gold[document.id].text
        assert document.sentences == gold[document.id].sentences
        for mention in document.mentions:
            scores = [link.score for link in mention.links]
            assert 1 <= len(scores) <= 3
            assert all(0 <= score <= 1 for score in scores)
            assert scores == sorted(scores, reverse=True)
            assert not any(list(link.categories.pairs()) for link in mention.links)


def test_systems_differ_as_described(gold):
    right = {
        (document.id, mention.span): {link.entity for link in mention.links}
        for document in gold.values()
        for mention in document.mentions
    }
    found = {}
    for name in OUTPUTS[1:]:
        first = {
            (document.id, mention.span): mention.links[0].entity
            for document in read(name).values()
            for mention in document.mentions
        }
        plain = {key: unquote(entity).replace("http:", "https:") for key, entity in first.items()}
        correct = sum(entity in right.get(key, ()) for key, entity in plain.items())
        nil = sum(entity.startswith("NIL") for entity in first.values())
        respelled = sum(first[key] != plain[key] for key in first)
        found[name] = (correct / len(first), correct / len(right), nil, respelled)
    names, everything, sloppy = (found[name] for name in OUTPUTS[1:])
    assert names[0] > everything[0] > sloppy[0]
    assert everything[1] > sloppy[1] > names[1]
    assert (names[2], sloppy[2]) == (0, 0)
    assert everything[2] > 0
    assert names[3] > 0
