"""W3C Web Annotations: those of other tools, and the JSON-LD that we write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from formats.small_files import PAGE, fails, kinds, put
from strategies import torture_corpus

from elcurate.formats.all import detect
from elcurate.formats.base import ReadOptions
from elcurate.formats.io import read
from elcurate.formats.outputs import write
from elcurate.formats.source import Source
from elcurate.model.categories import FEL, Categories
from elcurate.model.corpus import Corpus, Document, Link, Mention, Tag

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
OA = "http://www.w3.org/ns/oa#"
SOURCE = "http://example.org/page1"
TEXT = "😀 Angela Merkel met Barack Obama in Berlin."
MERKEL = PAGE + "Angela_Merkel"
TERMS = {
    "id": "@id",
    "type": "@type",
    "oa": OA,
    "as": "http://www.w3.org/ns/activitystreams#",
    "Annotation": OA + "Annotation",
    "SpecificResource": OA + "SpecificResource",
    "TextualBody": OA + "TextualBody",
    "TextPositionSelector": OA + "TextPositionSelector",
    "TextQuoteSelector": OA + "TextQuoteSelector",
    "AnnotationPage": "http://www.w3.org/ns/activitystreams#OrderedCollectionPage",
    "Text": "http://purl.org/dc/dcmitype/Text",
    "items": {"@id": "http://www.w3.org/ns/activitystreams#items", "@container": "@list"},
    "body": {"@id": OA + "hasBody", "@type": "@id"},
    "target": {"@id": OA + "hasTarget", "@type": "@id"},
    "source": {"@id": OA + "hasSource", "@type": "@id"},
    "selector": {"@id": OA + "hasSelector", "@type": "@id"},
    "purpose": {"@id": OA + "hasPurpose", "@type": "@vocab"},
    "motivation": {"@id": OA + "motivatedBy", "@type": "@vocab"},
    "identifying": OA + "identifying",
    "classifying": OA + "classifying",
    "tagging": OA + "tagging",
    "highlighting": OA + "highlighting",
    "start": OA + "start",
    "end": OA + "end",
    "exact": OA + "exact",
    "prefix": OA + "prefix",
    "suffix": OA + "suffix",
    "value": "http://www.w3.org/1999/02/22-rdf-syntax-ns#value",
    "format": "http://purl.org/dc/elements/1.1/format",
}
"""The terms of the context of Web Annotations that we use, as its specification has them."""
Json = dict[str, Any]


def annotation(selector: object, *bodies: object, **more: Any) -> Json:
    target = {"source": SOURCE, "selector": selector}
    return {"@context": CONTEXT, "type": "Annotation", "body": bodies, "target": target, **more}


def position(begin: int, end: int) -> Json:
    return {"type": "TextPositionSelector", "start": begin, "end": end}


def quote(exact: str, **around: str) -> Json:
    return {"type": "TextQuoteSelector", "exact": exact, **around}


def identifying(entity: str) -> Json:
    return {"type": "SpecificResource", "purpose": "identifying", "source": entity}


def document() -> Json:
    target = {"id": SOURCE, "type": "Text", "value": TEXT}
    return {"@context": CONTEXT, "type": "Annotation", "target": target}


def saved(folder: Path, *annotations: Json) -> Path:
    return put(folder / "x.jsonld", json.dumps(list(annotations)))


def only(corpus: Corpus) -> Mention:
    (found,) = corpus.documents
    (mention,) = found.mentions
    return mention


class TestReading:
    def test_an_annotation_of_another_tool(self, tmp_path: Path) -> None:
        bodies = (
            identifying(MERKEL),
            {"type": "TextualBody", "purpose": "tagging", "value": "Person"},
            {
                "type": "SpecificResource",
                "purpose": "classifying",
                "source": FEL + "FullProperForm",
            },
            {"type": "TextualBody", "purpose": "commenting", "value": "sure"},
        )
        one = annotation([position(2, 15), quote("Angela Merkel")], *bodies)
        one |= {"id": "http://example.org/anno1", "creator": "http://example.org/me"}
        path = saved(tmp_path, document(), one)
        corpus = read(path)
        assert detect(Source(path)).name == "webannotation"
        assert (corpus.documents[0].id, corpus.documents[0].text) == (SOURCE, TEXT)
        assert corpus.repairs == ()
        assert only(corpus).links == (
            Link(
                entity=MERKEL,
                type="Person",
                categories=Categories.of([("base_form", "full_name")]),
                attributes={
                    "creator": "http://example.org/me",
                    "id": "http://example.org/anno1",
                    "commenting": [bodies[3]],
                },
            ),
        )
        assert write(corpus, tmp_path / "out.anno.jsonld") == []
        again = json.loads((tmp_path / "out.anno.jsonld").read_text(encoding="utf-8"))["items"][1]
        assert (again["id"], again["creator"]) == (one["id"], one["creator"])
        assert read(tmp_path / "out.anno.jsonld").documents == corpus.documents

    def test_tools_that_count_utf_16(self, tmp_path: Path) -> None:
        one = annotation([quote("Angela Merkel"), position(3, 16)], identifying(MERKEL))
        corpus = read(saved(tmp_path, document(), one))
        assert only(corpus).span == (2, 15)
        assert kinds(corpus) == {"offsets": 1}

    @pytest.mark.parametrize(
        ("selector", "span"),
        [
            (quote("Barack Obama"), (20, 32)),
            (quote("e", prefix="Barack Obama in B"), (37, 38)),
            (quote("e", prefix="B", suffix="rlin"), (37, 38)),
            ({"type": "FragmentSelector", "value": "char=20,32"}, (20, 32)),
            ([{"type": "CssSelector", "value": "#a"}, position(20, 32)], (20, 32)),
        ],
    )
    def test_selectors(self, selector: object, span: tuple[int, int], tmp_path: Path) -> None:
        corpus = read(saved(tmp_path, document(), annotation(selector, identifying(MERKEL))))
        assert only(corpus).span == span

    @pytest.mark.parametrize(
        "selector",
        [
            quote("e"),
            quote("nowhere"),
            {"type": "CssSelector", "value": "#a"},
            {**position(0, 1), "refinedBy": position(0, 1)},
            position("0", 1),  # type: ignore[arg-type]
            5,
            [],
        ],
    )
    def test_annotations_without_a_place_are_kept_aside(
        self, selector: object, tmp_path: Path
    ) -> None:
        one = annotation(selector, identifying(MERKEL))
        corpus = read(saved(tmp_path, document(), one))
        assert corpus.documents[0].metadata == {"annotations": [one | {"body": list(one["body"])}]}
        assert kinds(corpus) == {"annotation-without-offsets": 1}
        write(corpus, tmp_path / "y.anno.jsonld")
        assert read(tmp_path / "y.anno.jsonld").documents == corpus.documents

    def test_a_choice_offers_alternatives(self, tmp_path: Path) -> None:
        choice = {
            "type": "Choice",
            "purpose": "identifying",
            "items": [identifying(MERKEL), "http://www.wikidata.org/entity/Q567"],
        }
        links = only(read(saved(tmp_path, annotation(position(2, 15), choice)))).links
        assert [link.entity for link in links] == [MERKEL, "http://www.wikidata.org/entity/Q567"]

    def test_without_a_text_surfaces_are_kept(self, tmp_path: Path) -> None:
        corpus = read(saved(tmp_path, annotation([position(2, 15), quote("A. M.")])))
        assert corpus.documents[0].text is None
        assert only(corpus) == Mention(begin=2, end=15, surface="A. M.")

    def test_tags_of_documents(self, tmp_path: Path) -> None:
        target = {"@context": CONTEXT, "type": "Annotation", "target": SOURCE}
        tag = {"type": "SpecificResource", "purpose": "tagging", "source": MERKEL}
        corpus = read(saved(tmp_path, {**target, "body": tag}))
        assert corpus.documents[0].tags == (Tag(entity=MERKEL),)

    @pytest.mark.parametrize("root", ["list", "page", "collection", "one"])
    def test_roots(self, root: str, tmp_path: Path) -> None:
        one = annotation(position(2, 15), identifying(MERKEL))
        page = {"@context": CONTEXT, "type": "AnnotationPage", "items": [one]}
        roots = {
            "list": [one],
            "page": page,
            "collection": {"@context": [CONTEXT], "type": "AnnotationCollection", "first": page},
            "one": one,
        }
        corpus = read(put(tmp_path / "x.json", json.dumps(roots[root])))
        assert only(corpus).links[0].entity == MERKEL

    def test_an_unknown_class_of_ours_is_reported(self, tmp_path: Path) -> None:
        body = {"purpose": "classifying", "source": "fel:Odd"}
        corpus = read(saved(tmp_path, annotation(position(0, 1), identifying("x:y"), body)))
        assert only(corpus).links[0].attributes == {"classifying": [body]}
        assert kinds(corpus) == {"unknown-category": 1}


class TestWriting:
    def expanded(self, path: Path) -> list[Any]:
        """The triples, under the terms that the context of the specification has."""
        found = json.loads(path.read_text(encoding="utf-8"))
        assert found["@context"][0] == CONTEXT
        found["@context"][0] = TERMS
        self.check_keys(found["items"])
        return list(ox.parse(json.dumps(found).encode(), format=ox.RdfFormat.JSON_LD))

    def check_keys(self, value: Any) -> None:
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, dict):
                for key in one:
                    assert key in TERMS or key.startswith("elc:"), key
                    self.check_keys(one[key])

    def test_it_is_json_ld(self, tmp_path: Path) -> None:
        path = tmp_path / "x.anno.jsonld"
        corpus = torture_corpus()
        write(corpus, path)
        triples = self.expanded(path)
        links = sum(max(len(one.links), 1) for _, one in corpus.mentions())
        kinds = [t.object.value for t in triples if t.predicate.value.endswith("#type")]
        assert kinds.count(OA + "Annotation") == links + len(corpus.documents)
        assert kinds.count(OA + "TextPositionSelector") == links
        classes = {t.object.value for t in triples if t.predicate.value == OA + "hasSource"}
        assert FEL + "AliasProperForm" in classes
        assert "https://w3id.org/elcurate#NIL" in classes

    def test_what_is_written(self, tmp_path: Path) -> None:
        link = Link(entity=MERKEL, type="Person", categories=Categories.of([("overlap", "none")]))
        found = Document(id=SOURCE, text=TEXT, mentions=(Mention(begin=2, end=15, links=(link,)),))
        path = tmp_path / "x.anno.jsonld"
        write(Corpus(documents=(found,)), path)
        items = json.loads(path.read_text(encoding="utf-8"))["items"]
        assert items[1] == {
            "id": f"{SOURCE}#m0.0",
            "type": "Annotation",
            "motivation": "identifying",
            "body": [
                identifying(MERKEL),
                {"type": "TextualBody", "purpose": "classifying", "value": "Person"},
                {"type": "SpecificResource", "purpose": "classifying", "source": FEL + "NoOverlap"},
            ],
            "target": {
                "id": f"{SOURCE}#m0",
                "type": "SpecificResource",
                "source": SOURCE,
                "selector": [
                    position(2, 15),
                    quote("Angela Merkel", prefix="😀 ", suffix=TEXT[15:]),
                ],
            },
        }

    def test_neither_is_taken_for_the_other(self, tmp_path: Path) -> None:
        text = f'"@context": "{CONTEXT}" nif-core#'
        corpus = Corpus(documents=(Document(id="d", text=text, metadata={"a": text}),))
        for name in ("nif-jsonld", "webannotation"):
            path = tmp_path / name
            write(corpus, path, format=name)
            assert detect(Source(path)).name == name
            assert read(path).documents == corpus.documents

    def test_documents_whose_ids_would_collide(self, tmp_path: Path) -> None:
        ids = ("d 1", "https://w3id.org/elcurate/id/d%201")
        corpus = Corpus(documents=tuple(Document(id=name, text=name) for name in ids))
        write(corpus, tmp_path / "x.anno.jsonld")
        assert read(tmp_path / "x.anno.jsonld").documents == corpus.documents


HEAD = f'{{"@context": "{CONTEXT}", '


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (HEAD + '"items": [', "not JSON"),
        (HEAD + '"items": [5]}', "an annotation is no object"),
        (HEAD + '"items": [{"target": {"id": "a", "elc:rest": "["}}]}', "was changed"),
        (HEAD + '"items": [{"target": {"id": "a", "elc:rest": 5}}]}', "was changed"),
        (HEAD + '"items": [{"target": {"id": "a", "elc:rest": "{\\"tokens\\": 5}"}}]}', "tokens"),
        (HEAD + '"items": [{"target": ' + "[" * 99_999, "not JSON"),
        (HEAD + '"items": [], "a": "\\ud800"}', "not JSON"),
        (HEAD + '"items": [], "elc:corpus": "5"}', "was changed"),
    ],
)
def test_bad_input(content: str, match: str, tmp_path: Path) -> None:
    fails(put(tmp_path / "x.json", content), match)


def test_one_bad_document_leaves_the_others(tmp_path: Path) -> None:
    bad = {"@context": CONTEXT, "target": {"id": "a:b", "elc:rest": "[]"}}
    options = ReadOptions(errors=[])
    corpus = read(saved(tmp_path, bad, annotation(position(0, 1))), options=options)
    assert SOURCE in [one.id for one in corpus.documents]
    assert len(options.errors or ()) == 1


@pytest.mark.parametrize("span", [(-1, 2), (0, 10**12), (3, 1)])
def test_places_outside_the_text_are_kept(span: tuple[int, int], tmp_path: Path) -> None:
    corpus = read(saved(tmp_path, document(), annotation(position(*span))))
    assert only(corpus).span == span
    assert kinds(corpus) == {"span-outside-text": 1}


def test_absurd_places(tmp_path: Path) -> None:
    assert fails(saved(tmp_path, annotation(position(0, 10**30))), "absurd").document == SOURCE
