"""UIMA CAS, as XMI and as JSON: exports of INCEpTION, those of cassis, and ours in its hands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cassis
import pytest
from formats.small_files import PAGE, fails, kinds, put
from strategies import torture_corpus

from elcurate.formats.all import detect
from elcurate.formats.base import ReadOptions
from elcurate.formats.io import read
from elcurate.formats.outputs import write
from elcurate.formats.source import Source
from elcurate.model.categories import Categories
from elcurate.model.corpus import Corpus, Document, Link, Mention, Span

MERKEL = PAGE + "Angela_Merkel"
Q567 = "http://www.wikidata.org/entity/Q567"
DKPRO = "de.tudarmstadt.ukp.dkpro.core.api"
NER = f"{DKPRO}.ner.type.NamedEntity"
NAMESPACES = "".join(
    f' xmlns:{name}="http:///{path}.ecore"'
    for name, path in {
        "cas": "uima/cas",
        "meta": "de/tudarmstadt/ukp/dkpro/core/api/metadata/type",
        "ner": "de/tudarmstadt/ukp/dkpro/core/api/ner/type",
        "seg": "de/tudarmstadt/ukp/dkpro/core/api/segmentation/type",
        "pos": "de/tudarmstadt/ukp/dkpro/core/api/lexmorph/type/pos",
        "custom": "custom",
        "webanno": "webanno/custom",
    }.items()
)
TYPES = """<?xml version="1.0" encoding="UTF-8"?>
<typeSystemDescription xmlns="http://uima.apache.org/resourceSpecifier"><types>
<typeDescription><name>custom.Base</name><description/>
 <supertypeName>uima.tcas.Annotation</supertypeName><features>
 <featureDescription><name>sure</name><description/>
  <rangeTypeName>uima.cas.Boolean</rangeTypeName></featureDescription>
 <featureDescription><name>rank</name><description/>
  <rangeTypeName>uima.cas.Integer</rangeTypeName></featureDescription>
</features></typeDescription>
<typeDescription><name>custom.Span</name><description/>
 <supertypeName>custom.Base</supertypeName><features>
 <featureDescription><name>concept</name><description/>
  <rangeTypeName>uima.cas.String</rangeTypeName></featureDescription>
</features></typeDescription>
</types></typeSystemDescription>
"""
TEXT = "😀 Angela Merkel met Obama."


def xmi(*elements: str, text: str = TEXT, members: str | None = None, head: str = "") -> str:
    numbered = [
        one.replace(" ", f' xmi:id="{number}" sofa="1" ', 1)
        for number, one in enumerate(elements, 2)
    ]
    listed = " ".join(str(number) for number in range(2, len(elements) + 2))
    return (
        f"{head or '<?xml version=' + chr(34) + '1.0' + chr(34) + '?>'}"
        f'<xmi:XMI xmlns:xmi="http://www.omg.org/XMI"{NAMESPACES} xmi:version="2.0">\n'
        + "\n".join(numbered)
        + f'\n<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" sofaString="{text}"/>'
        f'<cas:View sofa="1" members="{listed if members is None else members}"/></xmi:XMI>'
    )


META = (
    '<meta:DocumentMetaData begin="0" end="27" documentTitle="news.txt" documentId="news.txt"'
    ' language="x-unspecified" documentUri="file:/news.txt"/>'
)
ENTITY = f'<ner:NamedEntity begin="3" end="16" value="PER" identifier="{Q567}"/>'


class TestInception:
    def test_an_export(self, tmp_path: Path) -> None:
        elements = (
            META,
            '<seg:Sentence begin="0" end="27"/>',
            '<seg:Token begin="0" end="2"/>',
            '<seg:Token begin="3" end="9"/>',
            '<pos:POS begin="3" end="9" PosValue="NE"/>',
            '<pos:POS begin="10" end="16" PosValue="NE"/>',
            ENTITY,
            '<ner:NamedEntity begin="3" end="16" identifier="http://x.org/y" base_form="alias"/>',
            '<ner:NamedEntity begin="21" end="26" value="PER"/>',
            '<ner:Person begin="21" end="26"/>',
        )
        path = put(tmp_path / "admin.xmi", xmi(*elements))
        corpus = read(path)
        assert detect(Source(path)).name == "xmi"
        assert [(one.kind, one.before) for one in corpus.repairs] == [
            ("layer-left-out", f"2 {DKPRO}.lexmorph.type.pos.POS")
        ]
        (found,) = corpus.documents
        assert (found.id, found.text) == ("news.txt", TEXT)
        assert found.sentences == (Span(begin=0, end=26),)
        assert found.tokens == (Span(begin=0, end=1), Span(begin=2, end=8))
        assert found.metadata == {"language": "x-unspecified", "documentUri": "file:/news.txt"}
        alias = Categories.of([("base_form", "alias")])
        person = {"layer": f"{DKPRO}.ner.type.Person", "value": "Person"}
        assert found.mentions == (
            Mention(begin=2, end=15, links=(Link(entity=Q567, type="PER"),)),
            Mention(begin=2, end=15, links=(Link(entity="http://x.org/y", categories=alias),)),
            Mention(begin=20, end=25, attributes={"type": "PER"}),
            Mention(begin=20, end=25, attributes=person),
        )

    def test_layers_of_a_project(self, tmp_path: Path) -> None:
        elements = (
            f'<custom:Span begin="3" end="16" concept="{MERKEL}" sure="true" rank="3" odd="x"/>',
            '<webanno:Thing begin="21" end="26" kind="A">'
            "<more>a b</more><more>c</more></webanno:Thing>",
            '<custom:Rel begin="3" end="16" Governor="2" Dependent="3"/>',
        )
        put(tmp_path / "in" / "a.xmi", xmi(*elements))
        put(tmp_path / "in" / "TypeSystem.xml", TYPES)
        corpus = read(tmp_path / "in")
        assert kinds(corpus) == {"layer-left-out": 1}
        span, thing = corpus.documents[0].mentions
        assert span.links == (
            Link(entity=MERKEL, attributes={"sure": True, "rank": 3, "odd": "x"}),
        )
        assert span.attributes == {"layer": "custom.Span", "features": {"identifier": "concept"}}
        assert thing.attributes == {
            "layer": "webanno.custom.Thing",
            "kind": "A",
            "more": ["a b", "c"],
        }
        for name in ("xmi", "uimajson"):
            assert write(corpus, tmp_path / name, format=name) == []
            assert read(tmp_path / name).documents == corpus.documents
        again = (tmp_path / "xmi" / "a.xmi").read_text(encoding="utf-8")
        assert f'concept="{MERKEL}"' in again
        assert 'sure="true"' in again
        types = cassis.load_typesystem(tmp_path / "xmi" / "TypeSystem.xml")
        ranges = {one.name: one.rangeType.name for one in types.get_type("custom.Span").features}
        assert (ranges["sure"], ranges["rank"]) == ("uima.cas.Boolean", "uima.cas.Long")

    def test_without_a_type_system_values_are_texts(self, tmp_path: Path) -> None:
        element = f'<custom:Span begin="3" end="16" concept="{MERKEL}" sure="true"/>'
        corpus = read(put(tmp_path / "a.xmi", xmi(element)))
        assert corpus.documents[0].id == "a"
        assert corpus.documents[0].mentions[0].links[0].attributes == {"sure": "true"}

    def test_only_indexed_structures_count(self, tmp_path: Path) -> None:
        corpus = read(put(tmp_path / "a.xmi", xmi(ENTITY, ENTITY, members="3")))
        assert len(corpus.documents[0].mentions) == 1

    def test_further_views_are_left_out(self, tmp_path: Path) -> None:
        sofa = '<cas:Sofa xmi:id="99" sofaNum="2" sofaID="pdf" sofaString="x"/></xmi:XMI>'
        content = xmi(ENTITY).replace("</xmi:XMI>", sofa)
        corpus = read(put(tmp_path / "a.xmi", content))
        assert corpus.documents[0].text == TEXT
        assert kinds(corpus) == {"view-left-out": 1}

    def test_control_characters_of_xml_1_1(self, tmp_path: Path) -> None:
        head = '<?xml version="1.1" encoding="UTF-8"?>'
        content = xmi('<ner:NamedEntity begin="4" end="5"/>', text="a&#1;&#x1F;&#10;b", head=head)
        corpus = read(put(tmp_path / "a.xmi", content))
        assert corpus.documents[0].text == "a\ufffd\ufffd\nb"
        assert corpus.documents[0].surface(corpus.documents[0].mentions[0]) == "b"
        assert kinds(corpus) == {"characters": 1}

    def test_a_folder_of_folders(self, tmp_path: Path) -> None:
        for name in ("a.txt", "b.txt"):
            content = xmi(META.replace("news.txt", name), ENTITY)
            put(tmp_path / "curation" / name / "CURATION_USER.xmi", content)
            put(tmp_path / "curation" / name / "TypeSystem.xml", TYPES)
        assert [one.id for one in read(tmp_path / "curation").documents] == ["a.txt", "b.txt"]

    def test_the_type_system_leads_to_its_files(self, tmp_path: Path) -> None:
        put(tmp_path / "a.xmi", xmi(ENTITY))
        types = put(tmp_path / "TypeSystem.xml", TYPES)
        assert len(read(types).documents) == 1
        assert len(read(types, tmp_path / "a.xmi").documents) == 1


def cas_of(text: str) -> cassis.Cas:
    types = cassis.TypeSystem()
    entity = types.create_type(NER)
    for name in ("value", "identifier", "reference"):
        types.create_feature(entity, name, "uima.cas.String")
    cas = cassis.Cas(types, sofa_string=text, sofa_mime="text/plain")
    begin = text.index("Angela")
    stated: dict[str, Any] = {"value": "PER", "identifier": Q567, "reference": "direct"}
    cas.add(entity(begin=begin, end=begin + 13, **stated))
    return cas


class TestCassis:
    """dkpro-cassis is another implementation, from the makers of INCEpTION."""

    @pytest.mark.parametrize("name", ["a.xmi", "a.json"])
    def test_what_cassis_writes(self, name: str, tmp_path: Path) -> None:
        cas = cas_of(TEXT)
        path = tmp_path / name
        cas.to_xmi(path) if name.endswith("xmi") else cas.to_json(path)
        corpus = read(path)
        assert detect(Source(path)).name == ("xmi" if name.endswith("xmi") else "uimajson")
        direct = Categories.of([("reference", "direct")])
        assert corpus.documents[0].text == TEXT
        assert corpus.documents[0].mentions == (
            Mention(begin=2, end=15, links=(Link(entity=Q567, type="PER", categories=direct),)),
        )

    def test_cassis_reads_ours_and_writes_it_again(self, tmp_path: Path) -> None:
        corpus = torture_corpus()
        for name in ("xmi", "json"):
            (tmp_path / name).mkdir()
        write(corpus, tmp_path / "ours", format="xmi")
        types = cassis.load_typesystem(tmp_path / "ours" / "TypeSystem.xml")
        types.to_xml(tmp_path / "xmi" / "TypeSystem.xml")
        for file in sorted((tmp_path / "ours").glob("*.xmi")):
            cas = cassis.load_cas_from_xmi(file, typesystem=types)
            cas.to_xmi(tmp_path / "xmi" / file.name)
            cas.to_json(tmp_path / "json" / f"{file.stem}.json")
        ours = read(tmp_path / "ours")
        for name in ("xmi", "json"):
            assert read(tmp_path / name).documents == ours.documents

    def test_offsets_and_texts_are_the_same_in_cassis(self, tmp_path: Path) -> None:
        document = torture_corpus().documents[0]
        write(Corpus(documents=(document,)), tmp_path / "x", format="uimajson")
        (file,) = (tmp_path / "x").glob("*.json")
        with file.open("rb") as stream:
            cas = cassis.load_cas_from_json(stream)
        assert cas.sofa_string == document.text
        found = sorted((one.begin, one.end, one.get_covered_text()) for one in cas.select(NER))
        expected = [
            (*mention.span, (document.text or "")[slice(*mention.span)])
            for mention in document.mentions
            for _ in mention.links or (None,)
        ]
        assert found == sorted(expected)


class TestWriting:
    def test_categories_are_features(self, tmp_path: Path) -> None:
        every = Categories.of([("base_form", "alias"), ("overlap", "none"), ("overlap", "minimal")])
        link = Link(entity=MERKEL, type="PER", score=0.5, categories=every)
        document = Document(
            id="a/b", text=TEXT, mentions=(Mention(begin=2, end=15, links=(link,)),)
        )
        assert write(Corpus(documents=(document,)), tmp_path / "x", format="xmi") == []
        content = (tmp_path / "x" / "a%2Fb.xmi").read_text(encoding="utf-8")
        assert (
            f'begin="3" end="16" value="PER" identifier="{MERKEL}" score="0.5"'
            ' base_form="alias" overlap="none|minimal"/>'
        ) in content
        types = cassis.load_typesystem(tmp_path / "x" / "TypeSystem.xml")
        names = {one.name for one in types.get_type(NER).features}
        assert {"value", "identifier", "base_form", "reference"} <= names
        assert read(tmp_path / "x").documents == (document,)

    def test_the_order_of_files_is_reported(self, tmp_path: Path) -> None:
        corpus = Corpus(name="c", documents=(Document(id="b", text=""), Document(id="a", text="")))
        for name in ("xmi", "uimajson"):
            losses = write(corpus, tmp_path / name, format=name)
            assert [loss.kind for loss in losses] == ["document-order"]

    def test_a_feature_has_one_range(self, tmp_path: Path) -> None:
        values = ("x", True, 3, 0.5, [1], None, 10**30)
        mentions = tuple(
            Mention(begin=0, end=1, links=(Link(entity="Q1", attributes={"note": value}),))
            for value in values
        )
        document = Document(id="d", text="ab", mentions=mentions)
        for name in ("xmi", "uimajson"):
            assert write(Corpus(documents=(document,)), tmp_path / name, format=name) == []
            assert read(tmp_path / name).documents == (document,)


SOFA = '<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" sofaString="ab"/>'


@pytest.mark.parametrize(
    ("content", "match", "line"),
    [
        (xmi(ENTITY)[:-20], "not well-formed XML", 3),
        (xmi('<ner:NamedEntity begin="x" end="1"/>'), "'x', which is no offset", 2),
        (xmi('<ner:NamedEntity begin="3"/>'), "has no place", 2),
        (xmi(f'<ner:NamedEntity begin="0" end="{10**30}"/>'), "absurd", 2),
        (xmi("<seg:Token />"), "has no place", 2),
        (xmi('<ner:NamedEntity begin="0" end="1" elcurate="["/>'), "was changed", None),
        (xmi('<ner:NamedEntity begin="0" end="1" elcurate=\'{"mention": 5}\'/>'), "changed", None),
        (xmi(ENTITY, head='<!DOCTYPE x [<!ENTITY e "x">]>'), "XML entities of its own", None),
        (xmi(ENTITY).replace(SOFA, "").split("<cas:Sofa")[0] + "</xmi:XMI>", "no view", None),
    ],
)
def test_bad_xmi(content: str, match: str, line: int | None, tmp_path: Path) -> None:
    error = fails(put(tmp_path / "a.xmi", content), match)
    assert error.line == line
    good = put(tmp_path / "b.xmi", xmi(META, ENTITY))
    options = ReadOptions(errors=[])
    corpus = read(tmp_path, options=options)
    assert [one.id for one in corpus.documents] == ["news.txt"]
    assert len(options.errors or ()) == 1
    assert good.exists()


def test_external_entities_are_not_read(tmp_path: Path) -> None:
    secret = put(tmp_path / "secret", "TOP")
    head = f'<!DOCTYPE x [<!ENTITY e SYSTEM "file://{secret}">]>'
    fails(
        put(tmp_path / "a.xmi", xmi(ENTITY, text="&e;", head=head)), "entities of its own|not well"
    )


def test_deep_xmi(tmp_path: Path) -> None:
    deep = '<custom:Span begin="0" end="1">' + "<a>" * 5000 + "</a>" * 5000 + "</custom:Span>"
    fails(put(tmp_path / "a.xmi", xmi(deep)), "not well-formed XML")


@pytest.mark.parametrize(
    ("content", "match"),
    [("<a/>", "no UIMA type system"), ("<a", "not well-formed"), ("", "not well-formed")],
)
def test_bad_type_system(content: str, match: str, tmp_path: Path) -> None:
    put(tmp_path / "a.xmi", xmi(ENTITY))
    put(tmp_path / "TypeSystem.xml", content)
    assert "TypeSystem.xml" in str(fails(tmp_path / "a.xmi", match))


def test_names_in_a_type_system_are_only_names(tmp_path: Path) -> None:
    """A library that makes classes of types compiles the names of their features."""
    hostile = TYPES.replace("<name>concept</name>", "<name>x:print(1)</name>")
    put(tmp_path / "TypeSystem.xml", hostile)
    put(tmp_path / "a.xmi", xmi(f'<custom:Span begin="3" end="16" concept="{MERKEL}"/>'))
    assert read(tmp_path / "a.xmi").documents[0].mentions[0].links[0].entity == MERKEL


class TestJson:
    def cas(self, tmp_path: Path) -> Any:
        cas_of(TEXT).to_json(tmp_path / "good.json")
        return json.loads((tmp_path / "good.json").read_text(encoding="utf-8"))

    def test_structures_by_number(self, tmp_path: Path) -> None:
        cas = self.cas(tmp_path)
        listed = cas["%FEATURE_STRUCTURES"]
        numbered = {str(one.pop("%ID")): one for one in listed}
        cas["%FEATURE_STRUCTURES"] = numbered
        corpus = read(put(tmp_path / "x" / "a.json", json.dumps(cas)))
        assert corpus.documents[0].mentions[0].links[0].entity == Q567

    def test_zeros_may_be_left_out(self, tmp_path: Path) -> None:
        cas = self.cas(tmp_path)
        del cas["%FEATURE_STRUCTURES"][1]["begin"]
        corpus = read(put(tmp_path / "x" / "a.json", json.dumps(cas)))
        assert corpus.documents[0].mentions[0].span == (0, 15)

    @pytest.mark.parametrize(
        ("path", "value", "match"),
        [
            (("%FEATURE_STRUCTURES", 1, "begin"), "x", "'x', which is no offset"),
            (("%FEATURE_STRUCTURES", 1, "begin"), 1.5, "1.5, which is no offset"),
            (("%FEATURE_STRUCTURES", 1, "end"), 10**30, "absurd"),
            (("%FEATURE_STRUCTURES", 1), 5, "no object"),
            (("%VIEWS",), [], "no object"),
            (("%VIEWS",), {}, "no view"),
            (("%VIEWS", "_InitialView"), 5, "no object"),
        ],
    )
    def test_bad_parts(
        self, path: tuple[Any, ...], value: object, match: str, tmp_path: Path
    ) -> None:
        cas = self.cas(tmp_path)
        inner = cas
        for step in path[:-1]:
            inner = inner[step]
        inner[path[-1]] = value
        fails(put(tmp_path / "x" / "a.json", json.dumps(cas)), match)

    @pytest.mark.parametrize("content", ['{"%TYPES": {}', '{"%VIEWS": ' + "[" * 99_999])
    def test_not_json(self, content: str, tmp_path: Path) -> None:
        fails(put(tmp_path / "a.json", content), "not JSON")


@pytest.mark.parametrize("span", [(-1, 2), (0, 10**12), (3, 1)])
def test_places_outside_the_text_are_kept(span: tuple[int, int], tmp_path: Path) -> None:
    element = f'<ner:NamedEntity begin="{span[0]}" end="{span[1]}"/>'
    corpus = read(put(tmp_path / "a.xmi", xmi(element, text="abcd")))
    assert corpus.documents[0].mentions[0].span == span
    assert kinds(corpus) == {"span-outside-text": 1}


def test_a_place_inside_a_character_is_reported(tmp_path: Path) -> None:
    corpus = read(put(tmp_path / "a.xmi", xmi('<ner:NamedEntity begin="1" end="9"/>')))
    assert kinds(corpus) == {"offset-inside-character": 1}
