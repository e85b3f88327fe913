"""Label Studio: exports of every age, pre-annotated tasks, and the project that we write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from formats.small_files import fails, kinds, put
from lxml import etree
from strategies import torture_corpus

from elcurate.formats.all import detect
from elcurate.formats.base import ReadOptions
from elcurate.formats.io import read
from elcurate.formats.outputs import write
from elcurate.formats.source import Source
from elcurate.model.categories import DIMENSIONS, Categories
from elcurate.model.corpus import Corpus, Document, Link, Mention

PARIS = "http://www.wikidata.org/entity/Q90"
TEXT = "I 😀 love\nParis and Rome"
Json = dict[str, Any]


def result(name: str, kind: str, begin: int, end: int, id_: str = "a", **value: Any) -> Json:
    value = {"start": begin, "end": end, **value}
    return {"id": id_, "from_name": name, "to_name": "text", "type": kind, "value": value}


def label(begin: int, end: int, *labels: str, id_: str = "a", text: str | None = None) -> Json:
    stated = {} if text is None else {"text": text}
    return result("label", "labels", begin, end, id_, labels=list(labels), **stated)


def task(*results: Json, text: str = TEXT, **more: Any) -> Json:
    return {"id": 7, "annotations": [{"result": list(results)}], "data": {"text": text}, **more}


def saved(folder: Path, *tasks: Any, name: str = "export.json") -> Path:
    return put(folder / name, json.dumps(list(tasks)))


def only(corpus: Corpus) -> Mention:
    (mention,) = corpus.documents[0].mentions
    return mention


REGION = (
    label(9, 14, "City", id_="BtfOIVC3G2", text="Paris"),
    result("kb_id", "textarea", 9, 14, "BtfOIVC3G2", text=[PARIS]),
    result("Base Form", "choices", 9, 14, "BtfOIVC3G2", text="Paris", choices=["Full name"]),
    result("reference", "taxonomy", 9, 14, "BtfOIVC3G2", taxonomy=[["Ref", "metonymic"]]),
    result("sure", "rating", 9, 14, "BtfOIVC3G2", rating=4),
)


class TestReading:
    def test_controls_of_a_region_make_a_link(self, tmp_path: Path) -> None:
        path = saved(tmp_path, task(*REGION))
        corpus = read(path)
        assert detect(Source(path)).name == "labelstudio"
        assert corpus.documents[0].id == "7"
        assert corpus.documents[0].surface(only(corpus)) == "Paris"
        assert corpus.repairs == ()
        pairs = [("base_form", "full_name"), ("reference", "metonymic")]
        assert only(corpus).links == (
            Link(
                entity=PARIS,
                type="City",
                categories=Categories.of(pairs),
                attributes={"sure": {"rating": 4}},
            ),
        )
        assert only(corpus).attributes == {"id": "BtfOIVC3G2"}

    def test_old_versions_count_utf_16_and_escape_line_ends(self, tmp_path: Path) -> None:
        regions = (
            label(5, 15, "X", text="love\\nParis"),
            label(20, 24, "City", id_="b", text="Rome"),
        )
        corpus = read(saved(tmp_path, task(*regions)))
        document = corpus.documents[0]
        assert [document.surface(one) for one in document.mentions] == ["love\nParis", "Rome"]
        assert [(one.kind, one.after) for one in corpus.repairs] == [
            ("offsets", "UTF-16 units from 0, ends exclusive")
        ]

    def test_a_surface_that_is_nowhere_is_kept(self, tmp_path: Path) -> None:
        corpus = read(saved(tmp_path, task(label(9, 14, "City", text="London"))))
        assert only(corpus).surface == "London"
        assert kinds(corpus) == {"surface-differs": 1}

    def test_without_an_entity_it_is_a_mention_with_attributes(self, tmp_path: Path) -> None:
        corpus = read(saved(tmp_path, task(*(REGION[0], REGION[2]))))
        assert only(corpus).links == ()
        assert only(corpus).attributes == {
            "type": "City",
            "Base Form": {"choices": ["Full name"]},
            "id": "BtfOIVC3G2",
        }

    def test_several_entities_are_alternatives(self, tmp_path: Path) -> None:
        texts = result("entity", "textarea", 9, 14, text=[PARIS, "Paris_(Texas)"])
        links = only(read(saved(tmp_path, task(REGION[0] | {"id": "a"}, texts)))).links
        assert [link.entity for link in links] == [PARIS, "Paris_(Texas)"]
        assert {link.type for link in links} == {"City"}

    def test_an_unknown_category_stays_an_attribute(self, tmp_path: Path) -> None:
        odd = result("overlap", "choices", 9, 14, "BtfOIVC3G2", choices=["sideways"])
        corpus = read(saved(tmp_path, task(*REGION[:2], odd)))
        assert only(corpus).links[0].attributes == {"overlap": {"choices": ["sideways"]}}
        assert kinds(corpus) == {"unknown-category": 1}

    def test_predictions_are_read_where_nobody_annotated(self, tmp_path: Path) -> None:
        scored = {**label(9, 14, "City", text="Paris"), "score": 0.5}
        entity = result("entity", "textarea", 9, 14, text=[PARIS])
        made = {"data": {"text": TEXT}, "predictions": [{"result": [scored, entity]}]}
        corpus = read(saved(tmp_path, made))
        assert only(corpus).links[0].score == 0.5
        assert corpus.documents[0].id == "export-1"
        corpus = read(saved(tmp_path, {**made, **task(*REGION)}))
        assert only(corpus).links[0].score is None
        assert kinds(corpus) == {"predictions-ignored": 1}

    def test_the_oldest_exports_have_completions(self, tmp_path: Path) -> None:
        old = {"completions": [{"result": [REGION[0]]}], "data": {"text": TEXT}}
        assert only(read(saved(tmp_path, old))).attributes["type"] == "City"

    def test_annotators(self, tmp_path: Path) -> None:
        one = {"completed_by": 1, "result": [label(9, 14, "City")]}
        two = {"completed_by": {"id": 2, "email": "b@c.de"}, "result": [label(19, 23, "City")]}
        skipped = {"completed_by": 3, "was_cancelled": True, "result": [label(0, 1, "X")]}
        path = saved(tmp_path, {"data": {"text": TEXT}, "annotations": [one, two, skipped]})
        corpus = read(path)
        assert kinds(corpus) == {"skipped-annotations": 1}
        people = [one.attributes["annotator"] for one in corpus.documents[0].mentions]
        assert people == ["1", "b@c.de"]
        alone = read(path, options=ReadOptions(annotators=("b@c.de",)))
        assert only(alone).span == (19, 23)

    def test_pages_of_html(self, tmp_path: Path) -> None:
        value = {"start": "/p[1]/text()[1]", "end": "/p[1]/text()[1]", "startOffset": 0}
        there = {"globalOffsets": {"start": 9, "end": 14}, "hypertextlabels": ["City"]}
        region = {"id": "a", "type": "hypertextlabels", "value": {**value, **there}}
        assert only(read(saved(tmp_path, task(region)))).span == (9, 14)

    def test_relations_and_answers_about_the_text_are_kept(self, tmp_path: Path) -> None:
        relation = {"type": "relation", "from_id": "a", "to_id": "b", "labels": ["near"]}
        answer = {
            "id": "q",
            "from_name": "quality",
            "type": "choices",
            "value": {"choices": ["ok"]},
        }
        first = task(*REGION, relation, answer, project=3)
        first["data"]["source"] = "web"
        first["annotations"][0] |= {"completed_by": 1, "was_cancelled": False}
        corpus = read(saved(tmp_path, first))
        assert corpus.documents[0].metadata == {
            "source": "web",
            "labelstudio": {
                "task": {"id": 7, "project": 3},
                "annotation": {"completed_by": 1, "was_cancelled": False},
                "results": [relation, answer],
            },
        }
        write(corpus, tmp_path / "again", format="labelstudio")
        again = json.loads((tmp_path / "again" / "tasks.json").read_text(encoding="utf-8"))[0]
        assert again["annotations"][0]["result"][-2:] == [relation, answer]
        assert (again["project"], again["data"]["source"]) == (3, "web")
        assert "elcurate" not in json.dumps(again)
        assert read(tmp_path / "again").documents == corpus.documents


class TestWriting:
    def test_the_project(self, tmp_path: Path) -> None:
        every = Categories.of((name, leaves[-1]) for name, leaves in DIMENSIONS.items())
        links = (Link(entity=PARIS, type="City", categories=every), Link(type="Town"), Link())
        mention = Mention(begin=9, end=14, links=links)
        corpus = Corpus(documents=(Document(id="d", text=TEXT, mentions=(mention,)),))
        assert write(corpus, tmp_path / "x", format="labelstudio") == []
        text = (tmp_path / "x" / "tasks.json").read_text(encoding="utf-8")
        results = json.loads(text)[0]["annotations"][0]["result"]
        root = etree.parse(tmp_path / "x" / "config.xml").getroot()
        names = {one.get("name"): one for one in root.iter() if one.get("toName") == "text"}
        assert {"label", "entity", "nil", *DIMENSIONS} == set(names)
        tags = {"Labels": "labels", "TextArea": "textarea", "Choices": "choices"}
        for one in results:
            control = names[one["from_name"]]
            assert tags[control.tag] == one["type"]
            offered = {option.get("value") for option in control}
            assert set(one["value"].get("labels", one["value"].get("choices", []))) <= offered
            assert TEXT[one["value"]["start"] : one["value"]["end"]] == "Paris"
            if control.tag != "Labels":
                assert control.get("perRegion") == "true"
        assert [option.get("value") for option in names["label"]] == ["City", "Town", "Untyped"]
        assert {one["id"] for one in results} == {"m0", "m0-1", "m0-2"}

    def test_either_file_and_the_folder_lead_to_the_corpus(self, tmp_path: Path) -> None:
        folder = tmp_path / "x"
        write(torture_corpus(), folder, format="labelstudio")
        whole = read(folder)
        assert len(whole.documents) == 2
        for name in ("tasks.json", "config.xml"):
            assert read(folder / name).documents == whole.documents
        assert read(folder / "tasks.json", folder / "config.xml").documents == whole.documents

    def test_an_alternative_that_was_moved_is_a_mention_of_its_own(self, tmp_path: Path) -> None:
        links = (Link(entity="Q1"), Link(entity="Q2"))
        document = Document(id="d", text=TEXT, mentions=(Mention(begin=9, end=14, links=links),))
        write(Corpus(documents=(document,)), tmp_path / "x", format="labelstudio")
        tasks = json.loads((tmp_path / "x" / "tasks.json").read_text(encoding="utf-8"))
        for one in tasks[0]["annotations"][0]["result"]:
            if one["id"] == "m0-1":
                one["value"] |= {"start": 19, "end": 23}
                one["value"] |= {"text": "Rome"} if one["type"] == "labels" else {}
        mentions = read(saved(tmp_path, *tasks)).documents[0].mentions
        assert [(one.span, one.links[0].entity) for one in mentions] == [
            ((9, 14), "Q1"),
            ((19, 23), "Q2"),
        ]

    def test_a_type_named_like_no_type_is_reported(self, tmp_path: Path) -> None:
        link = Link(entity="Q1", type="Untyped")
        document = Document(id="d", text=TEXT, mentions=(Mention(begin=0, end=1, links=(link,)),))
        losses = write(Corpus(documents=(document,)), tmp_path / "x", format="labelstudio")
        assert [(loss.kind, loss.where) for loss in losses] == [("types", "d 0-1")]


@pytest.mark.parametrize(
    ("content", "match"),
    [
        ('[{"annotations": [{"result": []}], "data": {"x": 1}}]', "no text"),
        ('[{"annotations": [{"result": []}], "data": {"a": "x", "b": "y"}}]', "no text"),
        ('[{"annotations": [{"result": []}], "data": 5}]', "data of task 1: no object"),
        ('[{"annotations": [], "data": {"text": ""}}, 5]', "task 2: no object"),
        ('[{"annotations": [5], "data": {"text": ""}}]', "one of the annotations: no object"),
        ('[{"predictions": [], "annotations": 5, "data": {"text": ""}}]', "are no list"),
        ('[{"annotations": [{"result": 5}], "data": {"text": ""}}]', "the result are no list"),
        ('[{"annotations": [{"result": []}], "data": {"text": "", "elcurate": 5}}]', "no object"),
        (
            '[{"annotations": [{"result": []}], "data": {"text": "", "elcurate": {"tags": 5}}}]',
            "was changed: tags",
        ),
        ('[{"annotations": [{"result": []}], "data": {"text": "x"}}', "not JSON"),
        ('[{"annotations": [{"result": []}], "data": {"text": "\\ud800"}}]', "not JSON"),
        ('[{"annotations": [{"result": ' + "[" * 99_999, "not JSON"),
    ],
)
def test_bad_input(content: str, match: str, tmp_path: Path) -> None:
    assert str(tmp_path) in str(fails(put(tmp_path / "x.json", content), match))


def test_one_bad_task_leaves_the_others(tmp_path: Path) -> None:
    options = ReadOptions(errors=[])
    corpus = read(saved(tmp_path, task(*REGION), {"annotations": [], "data": {}}), options=options)
    assert [document.id for document in corpus.documents] == ["7"]
    assert [error.document for error in options.errors or ()] == ["export-2"]


@pytest.mark.parametrize(("begin", "end"), [(-3, 1), (0, 10**12), (5, 2)])
def test_places_outside_the_text_are_kept(begin: int, end: int, tmp_path: Path) -> None:
    corpus = read(saved(tmp_path, task(label(begin, end, "X", text="Paris"))))
    assert only(corpus).span == (begin, end)
    assert only(corpus).surface == "Paris"
    assert kinds(corpus) == {"surface-differs": 1, "span-outside-text": 1}
    write(corpus, tmp_path / "again", format="labelstudio")
    assert read(tmp_path / "again").documents == corpus.documents


def test_absurd_places(tmp_path: Path) -> None:
    assert fails(saved(tmp_path, task(label(0, 10**30, "X"))), "absurd").document == "7"


def test_tasks_are_missing_beside_the_configuration(tmp_path: Path) -> None:
    fails(put(tmp_path / "config.xml", "<View/>"), "can't tell its format")
    (tmp_path / "tasks.json").mkdir()
    with pytest.raises(Exception, match="can't be opened"):
        read(tmp_path / "config.xml", format="labelstudio")
