"""ELEVANT's articles, its simple format, ZELDA, KILT and GERBIL's SimpleJson."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from shared_data import SHARED, needs_shared

from elcurate.errors import ReadError
from elcurate.formats.all import FORMATS, detect
from elcurate.formats.base import ReadOptions
from elcurate.formats.io import read
from elcurate.formats.json_keys import json_keys
from elcurate.formats.outputs import write
from elcurate.formats.source import Source
from elcurate.kb.pages import wikidata_iri, wikipedia_iri
from elcurate.model.categories import Categories
from elcurate.model.corpus import Corpus, Document, Link, Mention, Tag

ELEVANT = SHARED / "elevant"
LINKED = ".linked_articles.jsonl"
SAMPLES = [
    ("benchmarks/error-category-examples.benchmark.jsonl", "elevant", 20, 25, 1, 0),
    ("benchmarks/kore50.benchmark.jsonl", "elevant", 50, 144, 0, 1),
    ("benchmarks/oke-2015-eval.benchmark.jsonl", "elevant", 101, 664, 128, 0),
    (f"results/refined__aida_.kore50{LINKED}", "elevant-linked", 50, 148, 26, 0),
    (f"results/refined__aida_.oke-2015-eval{LINKED}", "elevant-linked", 101, 473, 60, 0),
    (f"results/rel__2014_.kore50{LINKED}", "elevant-linked", 50, 146, 0, 0),
    (f"results/wat.kore50{LINKED}", "elevant-linked", 50, 121, 0, 0),
]
SYSTEMS = {"wat": 79, "rel__2014_": 92, "refined__aida_": 91}
Json = dict[str, Any]


def put(folder: Path, name: str, content: object) -> Path:
    """A file of one line per object, or of the string."""
    path = folder / name
    if isinstance(content, list):
        content = "".join(json.dumps(one) + "\n" for one in content)
    path.write_bytes(content.encode() if isinstance(content, str) else content)  # type: ignore
    return path


def rows(path: Path) -> list[Json]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def saved(corpus: Corpus, folder: Path, form: str) -> tuple[Path, Corpus]:
    path = folder / f"saved{FORMATS.get(form).suffixes[0]}"
    write(corpus, path, format=form)
    return path, read(path)


def fails(path: Path, match: str, **options: Any) -> ReadError:
    with pytest.raises(ReadError, match=match) as caught:
        read(path, **options)
    assert str(path) in str(caught.value)
    assert caught.value.remedy
    return caught.value


def kinds(corpus: Corpus) -> dict[str, int]:
    return dict(Counter(repair.kind for repair in corpus.repairs))


def entities(corpus: Corpus) -> list[str | None]:
    return [link.entity for _, _, link in corpus.links()]


@needs_shared
class TestSamples:
    @pytest.mark.parametrize(("name", "form", "articles", "mentions", "nil", "unmapped"), SAMPLES)
    def test_counts(
        self, name: str, form: str, articles: int, mentions: int, nil: int, unmapped: int
    ) -> None:
        path = ELEVANT / name
        assert detect(Source(path)).name == form
        corpus = read(path)
        firsts = [mention.links[0] for _, mention in corpus.mentions()]
        assert len(corpus.documents) == articles
        assert len(firsts) == mentions
        assert sum(link.is_nil for link in firsts) == nil
        entity = [link.entity or "" for link in firsts]
        assert sum(one.startswith("<NO_MAPPING>:") for one in entity) == unmapped
        assert corpus.repairs == ()
        assert corpus.name == path.name.removesuffix(FORMATS.get(form).suffixes[0])

        found = rows(path)
        key = "labels" if form == "elevant" else "entity_mentions"
        name_key = "entity_id" if form == "elevant" else "id"
        given = Counter(one[name_key] for article in found for one in article.get(key, []))
        assert len(found) == articles
        assert given.total() == mentions
        assert given["<NIL>"] == nil
        assert given["<NO_MAPPING>"] == unmapped
        numbers = Counter(one.rpartition("/")[2] for one in entity if one.startswith("http"))
        assert numbers == Counter({one: n for one, n in given.items() if one.startswith("Q")})
        for document, article in zip(corpus.documents, found, strict=True):
            assert (document.id, document.text) == (str(article["id"]), article["text"])
            spans = sorted(one["span"] for one in article.get(key, []))
            assert sorted(list(mention.span) for mention in document.mentions) == spans

    @pytest.mark.parametrize(("name", "form"), [sample[:2] for sample in SAMPLES])
    def test_written_again(self, name: str, form: str, tmp_path: Path) -> None:
        corpus = read(ELEVANT / name)
        path, back = saved(corpus, tmp_path, form)
        assert back.documents == corpus.documents
        found = rows(ELEVANT / name)
        if form == "elevant-linked":
            found = [{"entity_mentions": [], **article} for article in found]
        assert rows(path) == found

    @pytest.mark.parametrize("system", SYSTEMS)
    def test_cases_agree(self, system: str) -> None:
        gold = read(ELEVANT / "benchmarks/kore50.benchmark.jsonl")
        linked = read(ELEVANT / f"results/{system}.kore50.linked_articles.jsonl")
        cases = rows_of_lists(ELEVANT / f"results/{system}.kore50.eval_cases.jsonl")
        for labels, mentions, ours in zip(gold.documents, linked.documents, cases, strict=True):
            true = {stated_in(one, "true_entity") for one in ours} - {None}
            predicted = {stated_in(one, "predicted_entity") for one in ours} - {None}
            assert labelled(labels) == true
            assert labelled(mentions) == predicted
            for one in ours:
                assert (labels.text or "")[slice(*one["span"])] == one["text"]

    @pytest.mark.parametrize(("system", "expected"), SYSTEMS.items())
    def test_true_positives_are_those_of_elevant(self, system: str, expected: int) -> None:
        gold = read(ELEVANT / "benchmarks/kore50.benchmark.jsonl")
        linked = read(ELEVANT / f"results/{system}.kore50.linked_articles.jsonl")
        results = json.loads((ELEVANT / f"results/{system}.kore50.eval_results.json").read_text())
        published = results["IGNORED"]["mention_types"]["all"]["true_positives"]
        assert len(known(gold) & known(linked)) == published == expected

    def test_values(self) -> None:
        gold = read(ELEVANT / "benchmarks/kore50.benchmark.jsonl")
        first = gold.documents[0]
        assert first.metadata["evaluation_span"] == [0, 118]
        assert str(first.metadata["title"]).endswith("BUS01#char=0,")
        apple = first.mentions[1]
        assert first.surface(apple) == "Apple"
        assert apple.attributes == {"id": 1}
        assert apple.links == (
            Link(
                entity="http://www.wikidata.org/entity/Q312",
                type="Q2424752|Q431289|Q43229",
                attributes={"name": "Apple"},
            ),
        )
        other = read(ELEVANT / "benchmarks/error-category-examples.benchmark.jsonl")
        assert other.documents[15].metadata["hyperlinks"] == [[[33, 47], "Shooting sports"]]

    def test_system(self) -> None:
        refined = read(ELEVANT / "results/refined__aida_.kore50.linked_articles.jsonl")
        steve, apple, _ = refined.documents[0].mentions
        assert steve.links[0].is_nil
        assert len(steve.links) == 31
        assert entities_of(apple)[:3] == ["Q312", "Q104819", "Q104850348"]
        assert len(apple.links) == 30
        assert apple.attributes == {"recognized_by": "ReFinED", "linked_by": "ReFinED"}
        assert [label["entity_id"] for label in refined.documents[0].metadata["labels"]] == [  # type: ignore
            "Q19837",
            "Q312",
            "Q41506",
        ]

    def test_the_name_of_a_label_is_not_its_surface(self) -> None:
        gold = read(ELEVANT / "benchmarks/kore50.benchmark.jsonl")
        same = [
            document.surface(mention) == mention.links[0].attributes["name"]
            for document, mention in gold.mentions()
        ]
        assert Counter(same) == {False: 111, True: 33}

    def test_the_gold_labels_of_linked_articles(self) -> None:
        path = ELEVANT / "results/wat.kore50.linked_articles.jsonl"
        labels = read(path, format="elevant")
        gold = read(ELEVANT / "benchmarks/kore50.benchmark.jsonl")
        mentions = [document.mentions for document in gold.documents]
        assert [document.mentions for document in labels.documents] == mentions


def rows_of_lists(path: Path) -> list[list[Json]]:
    return rows(path)  # type: ignore[return-value]


def stated_in(case: Json, key: str) -> tuple[int, int, str] | None:
    entity = case.get(key)
    return (*case["span"], entity["entity_id"]) if entity else None


def entities_of(mention: Mention) -> list[str]:
    return [(link.entity or "<NIL>").rpartition("/")[2] for link in mention.links]


def labelled(document: Document) -> set[tuple[int, int, str]]:
    return {
        (*mention.span, entities_of(mention)[0].partition(":")[0]) for mention in document.mentions
    }


def known(corpus: Corpus) -> set[tuple[str, int, int, str]]:
    return {
        (document.id, *mention.span, str(mention.links[0].entity))
        for document, mention in corpus.mentions()
        if not mention.links[0].is_nil
    }


def article(*labels: Json, **fields: Any) -> Json:
    return {"id": 7, "title": "T", "text": "Zürich 😀 in Paris", "labels": list(labels), **fields}


def label(number: int, begin: int, end: int, entity: str, **fields: Any) -> Json:
    return {"id": number, "span": [begin, end], "entity_id": entity, **fields}


class TestElevant:
    def test_all_fields_survive(self, tmp_path: Path) -> None:
        given = article(
            label(3, 0, 18, "Q1", name="all", type="Q5|Q6", children=[4], optional=True),
            label(4, 0, 6, "<NIL>", name="Unknown", type="OTHER", parent=3, desc=True, coref=False),
            label(9, 12, 17, "DATETIME", type="DATETIME", parent=None, children=[], new={"a": [1]}),
            url="https://example.org/7",
            title_synonyms=[[0, 3]],
            evaluation_span=[0, 18],
            more={"x": None},
        )
        corpus = read(put(tmp_path, "x.jsonl", [given]))
        (document,) = corpus.documents
        outer, inner, date = document.mentions
        assert outer.attributes == {"id": 3, "children": [4], "optional": True}
        assert inner.attributes == {"id": 4, "parent": 3, "desc": True, "coref": False}
        assert inner.links[0].entity is None
        assert date.links[0].entity == "DATETIME"
        assert date.attributes["new"] == {"a": [1]}
        assert document.metadata["more"] == {"x": None}
        path, back = saved(corpus, tmp_path, "elevant")
        assert back.documents == corpus.documents
        assert rows(path) == [given]

    def test_unmapped_entities_are_never_equal(self, tmp_path: Path) -> None:
        gold = [article(label(0, 0, 6, "<NO_MAPPING>"), label(1, 12, 17, "<NO_MAPPING>"))]
        mention = {"span": [0, 6], "id": "<NO_MAPPING>", "candidates": ["<NO_MAPPING>"]}
        system = [{**gold[0], "entity_mentions": [mention]}]
        one = read(put(tmp_path, "a.jsonl", gold))
        two = read(put(tmp_path, "b.jsonl", system))
        assert len({*entities(one), *entities(two)}) == 3
        assert not any(link.is_nil for _, _, link in one.links())
        again = read(put(tmp_path, "c.jsonl", gold))
        assert entities(again) == entities(one)
        for corpus, form, given in ((one, "elevant", gold), (two, "elevant-linked", system)):
            path, back = saved(corpus, tmp_path, form)
            assert rows(path) == given
            assert back.documents == corpus.documents

    def test_unknown_entities_of_old_files_are_nil(self, tmp_path: Path) -> None:
        corpus = read(put(tmp_path, "x.jsonl", [article(label(0, 0, 6, "Unknown12"))]))
        ((_, _, link),) = corpus.links()
        assert (link.entity, link.is_nil) == ("NIL:Unknown12", True)
        path, back = saved(corpus, tmp_path, "elevant")
        assert rows(path)[0]["labels"][0]["entity_id"] == "<NIL>"
        assert back.documents == corpus.documents

    def test_alternatives_become_nested_labels(self, tmp_path: Path) -> None:
        links = tuple(Link(entity=wikidata_iri(f"Q{n}")) for n in (1, 2, 3))
        kinds_ = Categories.of([("reference", "direct")])
        others = (Link(entity=wikidata_iri("Q4"), score=0.5, categories=kinds_),)
        corpus = Corpus(
            documents=(
                Document(
                    id="a doc",
                    text="Paris, Rome",
                    mentions=(
                        Mention(begin=0, end=5, links=links),
                        Mention(begin=7, end=11, links=others),
                    ),
                ),
            )
        )
        path, back = saved(corpus, tmp_path, "elevant")
        (written,) = rows(path)
        assert (written["id"], written["title"]) == (0, "a doc")
        bare = [{k: v for k, v in one.items() if k != "elcurate"} for one in written["labels"]]
        assert bare == [
            {"id": 0, "span": [0, 5], "entity_id": "Q1", "children": [1]},
            {"id": 1, "span": [0, 5], "entity_id": "Q2", "parent": 0, "children": [2]},
            {"id": 2, "span": [0, 5], "entity_id": "Q3", "parent": 1},
            {"id": 3, "span": [7, 11], "entity_id": "Q4"},
        ]
        assert back.documents == corpus.documents

    def test_ids_are_free_numbers(self, tmp_path: Path) -> None:
        mentions = (
            Mention(begin=0, end=1, links=(Link(entity="x"),)),
            Mention(begin=1, end=2, links=(Link(entity="x"),), attributes={"id": 0}),
            Mention(begin=2, end=3, links=(Link(entity="x"),), attributes={"id": 0}),
            Mention(begin=3, end=4, links=(Link(entity="x"),), attributes={"id": "b"}),
        )
        names = ("1", "x", "y", "01")
        documents = tuple(Document(id=name, text="abcd", mentions=mentions) for name in names)
        path, back = saved(Corpus(documents=documents), tmp_path, "elevant")
        assert [one["id"] for one in rows(path)] == [1, 2, 3, 4]
        assert all(len({one["id"] for one in row["labels"]}) == 4 for row in rows(path))
        assert back.documents == documents

    def test_what_elevant_cannot_hold(self, tmp_path: Path) -> None:
        documents = (
            Document(id="0", mentions=(Mention(begin=0, end=1, links=(Link(entity="Q1"),)),)),
            Document(id="1", text="ab", mentions=(Mention(begin=0, end=1),)),
        )
        for form in ("elevant", "zelda"):
            path = tmp_path / f"x.{form}"
            losses = write(Corpus(documents=documents), path, format=form)
            assert {(loss.kind, loss.where) for loss in losses} == {
                ("no-text", "0"),
                ("document", "0"),
                ("bare-mentions", "1 0-1"),
            }
            assert [one.id for one in read(path, format=form).documents] == ["1"]

    def test_tools_edits_win(self, tmp_path: Path) -> None:
        links = (Link(entity=wikidata_iri("Q1"), score=0.5),)
        mention = Mention(begin=0, end=1, links=links)
        corpus = Corpus(documents=(Document(id="0", text="ab", mentions=(mention,)),))
        path, _ = saved(corpus, tmp_path, "elevant")
        changed = path.read_text().replace('"Q1"', '"Q2"')
        back = read(put(tmp_path, "x.jsonl", changed))
        assert entities(back) == [wikidata_iri("Q2")]
        assert kinds(back) == {"edited-elsewhere": 1}

    def test_candidates(self, tmp_path: Path) -> None:
        def mention(**fields: Any) -> Json:
            return {"span": [0, 6], **fields}

        given = [
            mention(id="Q2", candidates=["Q1", "Q2", "Q3"]),
            mention(id="Q2", candidates=["Q3", "Q1"]),
            mention(id="<NIL>", candidates=["Q1"]),
            mention(candidates=[]),
            mention(candidates=["Q1"]),
            mention(id="Q9", candidates=None),
        ]
        corpus = read(put(tmp_path, "x.jsonl", [article(entity_mentions=given)]))
        (document,) = corpus.documents
        assert [entities_of(one) for one in document.mentions] == [
            ["Q2", "Q1", "Q3"],
            ["Q2", "Q3", "Q1"],
            ["<NIL>", "Q1"],
            [],
            [],
            ["Q9"],
        ]
        path, back = saved(corpus, tmp_path, "elevant-linked")
        assert back.documents == corpus.documents
        written = rows(path)[0]["entity_mentions"]
        assert written[:5] == given[:5]
        assert written[5] == mention(id="Q9", candidates=["Q9"])

    def test_a_ranking_stays_one(self, tmp_path: Path) -> None:
        links = tuple(
            Link(entity=wikidata_iri(name), score=score)
            for name, score in (("Q5", 0.5), ("Q9", 0.4), ("Q1", 0.1))
        )
        document = Document(id="0", text="ab", mentions=(Mention(begin=0, end=1, links=links),))
        path, back = saved(Corpus(documents=(document,)), tmp_path, "elevant-linked")
        assert rows(path)[0]["entity_mentions"][0]["candidates"] == ["Q5", "Q9", "Q1"]
        assert back.documents == (document,)


class TestSimple:
    def test_labels(self, tmp_path: Path) -> None:
        references = ["Q42", "Angelina Jolie", "https://en.wikipedia.org/wiki/Jon_Voight"]
        references += ["", "NIL", "<NIL>", "<unk>", "http://aksw.org/notInWiki/Bob"]
        labels = [
            {"entity_reference": one, "start_char": n, "end_char": n + 1, "coref": False}
            for n, one in enumerate(references)
        ]
        given = [{"text": "a" * 9, "title": "T", "labels": labels}, {"text": "b", "labels": []}]
        corpus = read(put(tmp_path, "x.jsonl", given))
        assert [document.id for document in corpus.documents] == ["0", "1"]
        assert corpus.documents[0].metadata == {"title": "T"}
        assert entities(corpus) == [
            wikidata_iri("Q42"),
            wikipedia_iri("Angelina Jolie"),
            wikipedia_iri("Jon Voight"),
            *[None] * 5,
        ]
        path, back = saved(corpus, tmp_path, "elevant-simple")
        assert back.documents == corpus.documents
        assert rows(path)[1] == given[1]
        assert rows(path)[0]["labels"][2] == labels[2]

    def test_predictions_meet_the_benchmark(self, tmp_path: Path) -> None:
        one = {"entity_reference": "Q1", "start_char": 0, "end_char": 8, "candidates": ["Q2", "Q1"]}
        given = [{"predictions": []}, {"predictions": [one]}]
        corpus = read(put(tmp_path, "x.jsonl", "\n".join(map(json.dumps, given))))
        empty, full = corpus.documents
        assert (empty.id, full.id, full.text) == ("0", "1", None)
        assert entities(corpus) == [wikidata_iri("Q1"), wikidata_iri("Q2")]
        for form in ("elevant-simple", "elevant-predictions"):
            path, back = saved(corpus, tmp_path, form)
            assert back.documents == corpus.documents
            assert [list(row) for row in rows(path)] == [["predictions"]] * 2

    def test_predictions_of_a_corpus_with_texts(self, tmp_path: Path) -> None:
        mention = Mention(begin=0, end=1, links=(Link(entity="http://e.org/x"),))
        corpus = Corpus(documents=(Document(id="0", text="ab", mentions=(mention,)),))
        path = tmp_path / "x.predictions.jsonl"
        assert [loss.kind for loss in write(corpus, path)] == ["text"]
        assert rows(path) == [
            {
                "predictions": [
                    {"start_char": 0, "end_char": 1, "entity_reference": "http://e.org/x"}
                ]
            }
        ]

    def test_nil_addresses_of_the_user(self, tmp_path: Path) -> None:
        one = {"entity_reference": "http://none.org/7", "start_char": 0, "end_char": 1}
        path = put(tmp_path, "x.jsonl", [{"text": "ab", "labels": [one]}])
        assert entities(read(path)) == ["http://none.org/7"]
        options = ReadOptions(nil_iris=("http://none.org/",))
        assert entities(read(path, options=options)) == [None]


JAPAN: Json = {
    "id": "1163testb SOCCER",
    "bracket": "0.8-0.9",
    "text": "SOCCER - JAPAN GET 😀, CHINA",
    "index": [[22, 27], [9, 14]],
    "wikipedia_titles": ["China", "Japan_national_football_team"],
    "wikipedia_ids": [5405, 993546],
}


class TestZelda:
    def test_document(self, tmp_path: Path) -> None:
        corpus = read(put(tmp_path, "x.jsonl", [JAPAN]))
        (document,) = corpus.documents
        assert document.metadata == {"bracket": "0.8-0.9"}
        assert [document.surface(one) for one in document.mentions] == ["JAPAN", "CHINA"]
        assert document.mentions[0].links == (
            Link(
                entity=wikipedia_iri("Japan national football team"),
                attributes={"wikipedia_id": 993546},
            ),
        )
        path, back = saved(corpus, tmp_path, "zelda")
        assert back.documents == corpus.documents
        assert rows(path) == [
            {
                **JAPAN,
                "index": [[9, 14], [22, 27]],
                "wikipedia_titles": ["Japan national football team", "China"],
                "wikipedia_ids": [993546, 5405],
            }
        ]

    def test_numbers_and_missing_ids(self, tmp_path: Path) -> None:
        given = [
            {"id": 1000, "text": "ab", "index": [], "wikipedia_titles": [], "wikipedia_ids": []},
            {"id": 1001, "index": [[0, 1]], "text": "ab", "wikipedia_titles": ["B:C"]},
        ]
        corpus = read(put(tmp_path, "x.jsonl", given))
        assert [document.id for document in corpus.documents] == ["1000", "1001"]
        path, back = saved(corpus, tmp_path, "zelda")
        assert back.documents == corpus.documents
        assert [row["id"] for row in rows(path)] == [1000, 1001]
        assert rows(path)[1]["wikipedia_ids"] == [None]

    def test_other_entities(self, tmp_path: Path) -> None:
        names = [
            "http://www.wikidata.org/entity/Q1",
            "http://dbpedia.org/resource/Paris",
            "https://de.wikipedia.org/wiki/Bern",
            None,
            "NIL7",
        ]
        mentions = tuple(
            Mention(begin=n, end=n + 1, links=(Link(entity=name),)) for n, name in enumerate(names)
        )
        document = Document(id="d", text="abcdefg", mentions=mentions)
        path, back = saved(Corpus(documents=(document,)), tmp_path, "zelda")
        titles = [names[0], "Paris", names[2], None, None]
        assert rows(path)[0]["wikipedia_titles"] == titles
        assert back.documents == (document,)


class TestSimpleJson:
    def test_offsets_count_utf_16(self, tmp_path: Path) -> None:
        given = [
            {
                "id": 0,
                "iri": "http://e.org/d",
                "text": "😀 Paris",
                "annotations": [{"start": 3, "end": 8, "meaning": ["http://e.org/Paris"]}],
            }
        ]
        corpus = read(put(tmp_path, "x.json", json.dumps(given)))
        (document,) = corpus.documents
        assert document.surface(document.mentions[0]) == "Paris"
        path, back = saved(corpus, tmp_path, "simplejson")
        assert back.documents == corpus.documents
        assert json.loads(path.read_text()) == given

    def test_annotations(self, tmp_path: Path) -> None:
        person = "http://dbpedia.org/ontology/Person"
        known, nowhere = "http://e.org/a", "http://aksw.org/notInWiki/"
        annotations = [
            {"start": 0, "end": 1},
            {"start": 0, "end": 1, "confidence": 0.25, "meaning": [known]},
            {"start": 1, "end": 2, "meaning": [known, "http://f.org/a"], "types": [person]},
            {"start": 2, "end": 3, "meaning": [f"{nowhere}c"], "types": [person, "x"]},
            {"start": 3, "end": 4, "meaning": []},
            {"start": 4, "end": 5, "types": [person]},
            {"meaning": ["http://e.org/t"], "confidence": 0.5},
            {"meaning": ["http://e.org/u", "http://f.org/u"]},
        ]
        given = [{"id": 5, "text": "abcde", "annotations": annotations, "note": 1}]
        corpus = read(put(tmp_path, "x.json", json.dumps(given, indent=1)))
        (document,) = corpus.documents
        assert (document.id, document.metadata) == ("5", {"note": 1})
        links = [mention.links for mention in document.mentions]
        assert links == [
            (),
            (Link(entity="http://e.org/a", score=0.25),),
            (
                Link(entity="http://e.org/a", type=person),
                Link(entity="http://f.org/a", type=person),
            ),
            (Link(entity=None, type=person),),
            (Link(entity=None),),
            (),
        ]
        assert document.mentions[5].attributes == {"types": [person]}
        assert document.tags == (
            Tag(entity="http://e.org/t", score=0.5),
            Tag(
                entity="http://e.org/u",
                attributes={"meaning": ["http://e.org/u", "http://f.org/u"]},
            ),
        )
        path, back = saved(corpus, tmp_path, "simplejson")
        assert back.documents == corpus.documents
        annotations[4]["meaning"] = [f"{nowhere}d"]
        assert json.loads(path.read_text()) == given

    def test_ids(self, tmp_path: Path) -> None:
        given = [{"iri": "http://e.org/0", "annotations": []}, {"annotations": []}, {"id": 9}]
        given += [{"id": 7, "iri": "http://e.org/7", "text": "", "annotations": []}]
        corpus = read(put(tmp_path, "x.gerbil.json", json.dumps(given)))
        names = ["http://e.org/0", "1", "9", "http://e.org/7"]
        assert [document.id for document in corpus.documents] == names
        assert [document.text for document in corpus.documents] == [None, None, None, ""]
        path, back = saved(corpus, tmp_path, "simplejson")
        assert back.documents == corpus.documents
        assert [row["id"] for row in json.loads(path.read_text())] == [0, 1, 9, 7]

    @pytest.mark.parametrize(
        ("content", "match"),
        [
            ("[\n{", "not JSON"),
            ('{"text": "a"}', "no JSON array"),
            ("[" * 9999, "nested too deeply"),
            ('[{"text": "a", "annotations": [{"start": NaN}]}]', "not finite"),
            ("[1]", "document 1 of the array: it is no object"),
            ('[{"id": "a"}, {"annotations": 5}]', "document 2 of the array: annotations is 5"),
            ('[{"annotations": [{"start": 1}]}]', r"annotations\[0\]: end is missing"),
            ('[{"annotations": [{}]}]', "meaning is not a list"),
            ('[{"annotations": [{"meaning": []}]}]', "neither a span nor a meaning"),
            ('[{"annotations": [{"start": 0, "end": 1, "meaning": "x"}]}]', "not a list"),
            (
                '[{"annotations": [{"start": 0, "end": 1, "meaning": [], "confidence": ""}]}]',
                "confidence is '', not a number",
            ),
            ('[{"iri": 5}]', "iri is 5"),
        ],
    )
    def test_bad(self, content: str, match: str, tmp_path: Path) -> None:
        fails(put(tmp_path, "x.gerbil.json", content), match, format="simplejson")

    def test_place_of_a_syntax_error(self, tmp_path: Path) -> None:
        path = put(tmp_path, "x.json", '[\n{"id": 1,\n]')
        assert fails(path, "not JSON", format="simplejson").line == 3


SENTENCES = [
    ["EU", "rejects", "German", "call", "."],
    ["Peter", "Blackburn"],
    ["BRUSSELS", "1996"],
]
MENTIONS = {(0, 0): (1, "European Union"), (0, 2): (1, "Germany"), (1, 0): (2, "Peter Blackburn")}
UUID = "e6e47a58-6b63-40e0-9d32-ad9d69cb42ba"


def kilt(width: int = 0) -> list[Json]:
    """Records as KILT makes them of a file of tokens, whose blank lines are empty tokens."""
    flat = [[(s, t, token) for t, token in enumerate(row)] for s, row in enumerate(SENTENCES)]
    tokens = [one for row in flat for one in [*row, (-1, -1, "")]]
    records = []
    for place, (s, t, _) in enumerate(tokens):
        if (s, t) not in MENTIONS:
            continue
        length, title = MENTIONS[s, t]
        end = place + length
        before = [token for *_, token in tokens[:place]]
        surface = " ".join(token for *_, token in tokens[place:end])
        after = [token for *_, token in tokens[end:]]
        left, right = " ".join(before[-width:]).strip(), " ".join(after[: width or None]).strip()
        records.append(
            {
                "id": f"{UUID}_1 EU:{len(records)}",
                "input": f"{left} [START_ENT] {surface} [END_ENT] {right}",
                "output": [
                    {
                        "answer": title,
                        "provenance": [{"wikipedia_id": str(place), "title": title}],
                    }
                ],
                "meta": {
                    "left_context": " ".join(before).strip(),
                    "mention": surface,
                    "right_context": " ".join(after).strip(),
                },
            }
        )
    return records


class TestKilt:
    def test_records_of_one_document_are_one(self, tmp_path: Path) -> None:
        for width in (0, 2):
            corpus = read(put(tmp_path, "x.jsonl", kilt(width)))
            (document,) = corpus.documents
            assert document.id == "1 EU"
            assert document.text == "EU rejects German call .  Peter Blackburn  BRUSSELS 1996"
            found = [document.surface(mention) for mention in document.mentions]
            assert found == ["EU", "German", "Peter Blackburn"]
            assert document.mentions[1].attributes["id"] == f"{UUID}_1 EU:1"
            assert document.mentions[0].links == (
                Link(entity=wikipedia_iri("European Union"), attributes={"wikipedia_id": "0"}),
            )
            assert kinds(corpus) == {"blanks-differ": 1}
            path, back = saved(corpus, tmp_path, "kilt")
            assert back.documents == corpus.documents
            assert kinds(back) == {}
            assert squeezed(rows(path)) == squeezed(kilt(width))

    def test_an_input_keeps_its_window(self, tmp_path: Path) -> None:
        corpus = read(put(tmp_path, "x.jsonl", kilt(2)))
        path, _ = saved(corpus, tmp_path, "kilt")
        assert [row["input"] for row in rows(path)] == [
            "[START_ENT] EU [END_ENT] rejects German",
            "EU rejects [START_ENT] German [END_ENT] call .",
            ".  [START_ENT] Peter Blackburn [END_ENT]  BRUSSELS",
        ]

    def test_records_that_do_not_belong_together(self, tmp_path: Path) -> None:
        one, two, three = kilt()
        three["meta"]["left_context"] = "other text"
        three["input"] = "other text [START_ENT] Peter Blackburn [END_ENT] ."
        corpus = read(put(tmp_path, "x.jsonl", [one, three, two]))
        assert [document.id for document in corpus.documents] == ["1 EU", f"{UUID}_1 EU:2"]
        assert kinds(corpus)["scattered-records"] == 1
        records = [one, {**two, "id": "b:0"}, {**two, "id": "1 EU:9"}]
        corpus = read(put(tmp_path, "x.jsonl", records))
        assert [document.id for document in corpus.documents] == ["1 EU", "b", "1 EU:9"]
        assert kinds(corpus) == {"scattered-records": 1}
        _, back = saved(corpus, tmp_path, "kilt")
        assert back.documents == corpus.documents

    def test_plain_records(self, tmp_path: Path) -> None:
        given = [
            {"id": "EL1", "input": "a [START_ENT] b [END_ENT] c", "output": [], "x": 1},
            {"id": "EL2", "input": "[START_ENT]b[END_ENT]s", "meta": {"left_context": "more"}},
            {"id": 3, "input": "( [START_ENT] b [END_ENT])", "output": [{"answer": "NIL"}]},
            {
                "id": "4",
                "input": " [START_ENT] b [END_ENT] ",
                "output": [
                    {"answer": "B (letter)", "score": 0.5},
                    {"answer": "http://e.org/b", "score": 0.75, "provenance": [{"y": 2}]},
                    {"provenance": [{"wikipedia_id": 5, "title": "B"}], "score": 0},
                ],
                "candidates": ["B", "C"],
            },
        ]
        corpus = read(put(tmp_path, "x.jsonl", given))
        assert [document.text for document in corpus.documents] == ["a b c", "bs", "( b)", "b"]
        surfaces = [document.surface(mention) for document, mention in corpus.mentions()]
        assert surfaces == ["b"] * 4
        assert entities(corpus) == [
            None,
            "http://e.org/b",
            wikipedia_iri("B (letter)"),
            wikipedia_iri("B"),
        ]
        first, second, _, last = (mention for _, mention in corpus.mentions())
        assert first.attributes == {"id": "EL1", "x": 1}
        assert second.attributes["meta"] == {"left_context": "more"}
        assert last.attributes["candidates"] == ["B", "C"]
        assert [link.attributes for link in last.links] == [
            {"provenance": [{"y": 2}]},
            {},
            {"wikipedia_id": 5},
        ]
        path, back = saved(corpus, tmp_path, "kilt")
        assert back.documents == corpus.documents
        assert [row["id"] for row in rows(path)] == ["EL1", "EL2", "3", "4"]

    def test_markers_in_the_text(self, tmp_path: Path) -> None:
        text = " x [START_ENT] y [END_ENT]"
        mentions = tuple(
            Mention(begin=begin, end=end, links=(Link(entity="Q1"),))
            for begin, end in ((0, 1), (1, 2), (15, 16), (26, 26))
        )
        document = Document(id="d", text=text, mentions=mentions, metadata={"a": 1})
        _, back = saved(Corpus(documents=(document,)), tmp_path, "kilt")
        assert back.documents == (document,)

    def test_losses(self, tmp_path: Path) -> None:
        outside = Mention(begin=0, end=9, links=(Link(entity="Q1"),))
        documents = (
            Document(id="a", text="ab", mentions=(outside,)),
            Document(id="b", mentions=(outside,)),
            Document(id="c", text="ab"),
        )
        losses = write(Corpus(documents=documents), tmp_path / "x.kilt.jsonl")
        assert {(loss.kind, loss.where) for loss in losses} == {
            ("mention", "a 0-9"),
            ("no-text", "b"),
            ("document", "b"),
            ("empty-documents", "c"),
        }

    @pytest.mark.parametrize(
        ("record", "match"),
        [
            ({"input": None}, "input is missing"),
            ({"input": 5}, "input is 5"),
            ({"input": "a question"}, "has no .START_ENT"),
            ({"input": "[END_ENT] [START_ENT]"}, "has no .START_ENT"),
            ({"id": []}, "id is "),
            ({"output": 5}, "output is 5"),
            ({"output": [5]}, "output.0. is 5"),
            ({"output": [{"answer": 5}]}, "answer is 5"),
            ({"output": [{"answer": "b", "score": "x"}]}, "score"),
        ],
    )
    def test_bad(self, record: Json, match: str, tmp_path: Path) -> None:
        path = put(tmp_path, "x.jsonl", [*kilt(), {**LINE["kilt"], **record}])
        assert fails(path, match, format="kilt").line == 4


def squeezed(records: list[Json]) -> list[Json]:
    """Records without the blanks that the text of one document evens out."""
    return json.loads(" ".join(json.dumps(records).split()).replace('" ', '"').replace(' "', '"'))


LINE = {
    "elevant": article(label(0, 0, 6, "Q1")),
    "elevant-linked": article(entity_mentions=[{"span": [0, 6], "id": "Q1"}]),
    "elevant-simple": {
        "text": "Paris",
        "labels": [{"start_char": 0, "end_char": 5, "entity_reference": "Q1"}],
    },
    "zelda": {"id": "a", "text": "Paris", "index": [[0, 5]], "wikipedia_titles": ["Paris"]},
    "kilt": {"id": "a", "input": "[START_ENT] a [END_ENT]", "output": [{"answer": "b"}]},
}
lines = pytest.mark.parametrize("form", LINE)


class TestBadLines:
    @lines
    @pytest.mark.parametrize(
        ("line", "match"),
        [
            ('{"id": "a", "text": "x', "not JSON"),
            ("[1]", "the line is no JSON object"),
            ('"a"', "the line is no JSON object"),
            ('{"id": "a", "x": NaN}', "not finite"),
            ('{"id": "a", "x": 1e999}', "not finite"),
            ('{"id": "\\ud800"}', "not JSON"),
            ('{"id": ' + "9" * 5000 + "}", "not JSON"),
            ('{"id": "a", "x": ' + "[" * 99999, "nested too deeply"),
            ('{"id": "a\0"}', "not JSON"),
            ('{"elcurate": 5}', "should be a valid"),
            ('{"elcurate": {"unknown": 5}}', "unknown: Extra inputs"),
        ],
    )
    def test_bad_line(self, form: str, line: str, match: str, tmp_path: Path) -> None:
        good = json.dumps(LINE[form])
        path = put(tmp_path, "x.jsonl", f"{good}\n\n{line}\n")
        assert fails(path, match, format=form).line == 3

    @lines
    def test_other_lines_go_on(self, form: str, tmp_path: Path) -> None:
        first = {**LINE[form], "id": "0"}
        last = {**LINE[form], "id": "2"}
        content = f"{json.dumps(first)}\n{{oops\n{json.dumps(last)}\n"
        options = ReadOptions(errors=[])
        corpus = read(put(tmp_path, "x.jsonl", content), options=options, format=form)
        assert [document.id for document in corpus.documents] == ["0", "2"]
        assert [error.line for error in options.errors or []] == [2]

    @lines
    def test_byte_order_mark_and_crlf(self, form: str, tmp_path: Path) -> None:
        content = b"\xef\xbb\xbf" + json.dumps(LINE[form]).encode() + b"\r\n\r\n"
        path = tmp_path / "x.jsonl"
        path.write_bytes(content)
        corpus = read(path)
        assert detect(Source(path)).name == form
        assert len(corpus.documents) == 1
        assert kinds(corpus) == {"byte-order-mark": 1}

    @lines
    def test_the_same_id_twice(self, form: str, tmp_path: Path) -> None:
        one = {**LINE[form], "id": "a"}
        other = json.loads(json.dumps(one).replace("Q1", "Q2").replace("[END_ENT]", "[END_ENT] c"))
        path = put(tmp_path, "x.jsonl", [one, other])
        assert fails(path, "occurs twice", format=form).document == "a"

    @lines
    def test_empty(self, form: str, tmp_path: Path) -> None:
        path = put(tmp_path, "x.jsonl", "")
        fails(path, "the file is empty")
        assert read(path, format=form).documents == ()

    @lines
    def test_not_utf8(self, form: str, tmp_path: Path) -> None:
        path = tmp_path / "x.jsonl"
        path.write_bytes(json.dumps(LINE[form]).encode() + b"\n\xff\n")
        assert fails(path, "is not UTF-8", format=form).line == 2

    @pytest.mark.parametrize("form", [name for name in LINE if name != "kilt"])
    @pytest.mark.parametrize("end", [-1, 10**12, 10**30])
    def test_absurd_offsets(self, form: str, end: int, tmp_path: Path) -> None:
        text = json.dumps(LINE[form])
        for known in ("[0, 6]", "[0, 5]"):
            text = text.replace(known, f"[0, {end}]")
        text = text.replace('"end_char": 5', f'"end_char": {end}')
        path = put(tmp_path, "x.jsonl", text)
        if end > 2**53:
            fails(path, "absurd", format=form)
        else:
            assert kinds(read(path, format=form)) == {"span-outside-text": 1}

    @pytest.mark.parametrize(
        ("form", "change", "match"),
        [
            ("elevant", {"text": None}, "text is missing"),
            ("elevant", {"text": 5}, "text is 5, not a string"),
            ("elevant", {"id": 1.5}, "id is 1.5"),
            ("elevant", {"id": True}, "id is True"),
            ("elevant", {"labels": {}}, "labels is {}, not a list"),
            ("elevant", {"labels": [5]}, "labels.0. is 5"),
            ("elevant", {"labels": [{}]}, r"labels\[0\]: span is missing"),
            ("elevant", {"labels": [{"span": [1]}]}, r"span is \[1\]"),
            ("elevant", {"labels": [{"span": [0, 1.0]}]}, "span is"),
            ("elevant", {"labels": [{"span": [True, 1]}]}, "span is"),
            ("elevant", {"labels": [{"span": [0, 1]}]}, "entity_id is missing"),
            ("elevant", {"labels": [{"span": [0, 1], "entity_id": 5}]}, "entity_id is 5"),
            ("elevant", {"labels": [{"span": [0, 1], "entity_id": "", "type": []}]}, "type is"),
            ("elevant", {"labels": [{"span": [0, 1], "entity_id": "", "elcurate": 5}]}, "labels"),
            ("elevant-linked", {"entity_mentions": [{"span": "0-1"}]}, "span is '0-1'"),
            ("elevant-linked", {"entity_mentions": [{"span": [0, 1], "id": 5}]}, "id is 5"),
            ("elevant-simple", {"labels": [{"start_char": "0"}]}, "start_char is '0'"),
            ("elevant-simple", {"labels": [{"start_char": 0}]}, "end_char is missing"),
            ("zelda", {"index": [[0, 1], [1, 2]]}, "index has 2 spans, wikipedia_titles 1"),
            ("zelda", {"index": [5]}, "index is 5"),
            ("zelda", {"wikipedia_titles": [5]}, "has 5, not a title"),
            ("zelda", {"elcurate": {"mentions": [{}, {}]}}, "has 2 mentions, index 1"),
            ("zelda", {"text": None}, "text is missing"),
        ],
    )  # fmt: skip
    def test_bad_fields(self, form: str, change: Json, match: str, tmp_path: Path) -> None:
        path = put(tmp_path, "x.jsonl", [{**LINE[form], "id": 0}, {**LINE[form], **change}])
        assert fails(path, match, format=form).line == 2


class TestDetection:
    @lines
    def test_by_keys(self, form: str, tmp_path: Path) -> None:
        for name in ("x", "x.jsonl", "x.txt", "x.json"):
            assert detect(Source(put(tmp_path, name, [LINE[form]]))).name == form

    @lines
    def test_a_long_first_line(self, form: str, tmp_path: Path) -> None:
        key = "input" if form == "kilt" else "text"
        row = {**LINE[form], key: LINE[form][key] + ' "x": [{' * 40_000}
        path = put(tmp_path, "x.jsonl", [row])
        assert path.stat().st_size > 1 << 18
        assert detect(Source(path)).name == form
        assert read(path, format=form).documents[0].text

    @pytest.mark.parametrize("size", [1000, 1 << 16])
    def test_a_head_that_is_cut(self, size: int) -> None:
        long = "x" * (1 << 17)
        heads = {
            "elevant": {**LINE["elevant"], "text": long},
            "kilt": {**LINE["kilt"], "input": f"[START_ENT] a [END_ENT] {long}"},
            "zelda": {"id": "a", "index": [[0, 1]], "text": long},
            "elevant-simple": {"labels": LINE["elevant-simple"]["labels"], "text": long},
        }
        for form, row in heads.items():
            head = json.dumps(row).encode()[:size]
            sure = {one.name: one.sniff(head, "x.jsonl") for one in FORMATS}
            best = max(sure.values())
            assert [name for name, value in sure.items() if value == best] == [form]
        head = json.dumps(heads["elevant"]).encode()[:size]
        assert FORMATS.get("elevant-linked").sniff(head, "x.linked_articles.jsonl") == 90
        assert FORMATS.get("elevant").sniff(head, "x.linked_articles.jsonl") == 0

    def test_linked_articles_that_begin_without_mentions(self, tmp_path: Path) -> None:
        first = article(evaluation_span=[0, 5])
        path = put(tmp_path, "x.jsonl", [first, {**LINE["elevant-linked"], "id": 8}])
        assert detect(Source(path)).name == "elevant-linked"

    def test_keys(self) -> None:
        head = b' {"a": {"b": [{"c": "\\"d\\": {"}, {"e" : 1}], "f": 1}, "g": "h"}\n{"i": {"j'
        expected = {"a", "a.b", "a.b.c", "a.b.e", "a.f", "g", "i"}
        assert json_keys(head) == expected
        assert json_keys(b"\xef\xbb\xbf[{" + head) >= {"a"}
        assert json_keys(b'@prefix "a": 1') == frozenset()
        assert json_keys(b"{}]}{") == frozenset()
        assert json_keys(b'{"a') == frozenset()
        assert json_keys(b"") == frozenset()

    def test_our_own_lines_are_ours(self, tmp_path: Path) -> None:
        for row in ({"id": "a", "text": "b"}, {"id": "a", "mentions": []}):
            assert detect(Source(put(tmp_path, "x.jsonl", [row]))).name == "jsonl"
