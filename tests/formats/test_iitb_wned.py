"""One XML file of annotations beside texts: IITB and WNED."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from formats.small_files import PAGE, REAL, again, fails, kinds, put, said
from shared_data import needs_shared

from elcurate.errors import ReadError
from elcurate.formats.all import detect
from elcurate.formats.base import ReadOptions
from elcurate.formats.io import read
from elcurate.formats.outputs import write
from elcurate.formats.source import Source
from elcurate.kb.iri import canonical
from elcurate.model.corpus import Corpus, Document, Link, Mention


def csaw(*rows: tuple[object, ...]) -> str:
    tags = ("docName", "userId", "wikiName", "offset", "length")
    inner = "\n".join(
        "<annotation>\n"
        + "".join(f"\t<{tag}>{value}</{tag}>\n" for tag, value in zip(tags, row, strict=True))
        + "</annotation>"
        for row in rows
    )
    return f"<iitb.CSAW.entityAnnotations>\n{inner}\n</iitb.CSAW.entityAnnotations>\n"


class TestIitb:
    @needs_shared
    def test_real_sample(self) -> None:
        corpus = read(REAL / "iitb")
        first, second = corpus.documents
        assert (first.id, second.id) == ("13Oct08AmitSport9.txt", "yn_08Oct08_file_3")
        assert [len(one.mentions) for one in corpus.documents] == [78, 41]
        links = [link for _, _, link in corpus.links()]
        assert len(links) == 124
        assert sum(len(link.attributes["annotators"]) for link in links) == 150
        assert corpus.metadata == {"annotators": ["amitg", "rahul", "soumen"]}
        assert corpus.repairs == ()

    @needs_shared
    def test_values_checked_by_hand(self) -> None:
        corpus = read(REAL / "iitb")
        found = {mention.span: mention for mention in corpus.documents[0].mentions}

        def links(begin: int, surface: str) -> list[tuple[str | None, object]]:
            mention = found[begin, begin + len(surface)]
            assert corpus.documents[0].surface(mention) == surface
            return [(link.entity, link.attributes["annotators"]) for link in mention.links]

        both = ["rahul", "soumen"]
        assert links(140, "cyclist") == [(f"{PAGE}Cycling", both)]
        assert links(0, "Schumacher") == [(f"{PAGE}Stefan_Schumacher", ["soumen", "rahul"])]
        assert links(302, "the French") == [
            (f"{PAGE}French_people", ["rahul"]),
            (None, ["soumen"]),
        ]
        assert links(529, "doping") == [(f"{PAGE}Doping_(sport)", both)]
        assert links(194, "generation") == [(None, ["rahul"])]
        second = said(corpus, 1)
        # behind a control character and a dash of three bytes
        assert ("violence", f"{PAGE}Violence") in second
        assert ("Qalat district", f"{PAGE}Qalat_District") in second

    @needs_shared
    def test_round_trip(self, tmp_path: Path) -> None:
        corpus = read(REAL / "iitb")
        back = again(corpus, tmp_path, "iitb")
        assert back.documents == corpus.documents
        assert back.metadata == corpus.metadata
        text = (tmp_path / "again" / "CSAW_Annotations.xml").read_text()
        assert text.count("<annotation>") == 150

    @needs_shared
    @pytest.mark.parametrize("part", ["", "texts", "CSAW_Annotations.xml"])
    def test_detected(self, part: str) -> None:
        path = REAL / "iitb" / part
        assert detect(Source(path)).name == "iitb"
        assert read(path).documents == read(REAL / "iitb").documents

    @needs_shared
    def test_one_text_is_one_document(self) -> None:
        path = REAL / "iitb" / "texts" / "yn_08Oct08_file_3"
        assert read(path).documents == read(REAL / "iitb").documents[1:]

    @needs_shared
    def test_all_files_together_are_read_once(self) -> None:
        files = [path for path in sorted((REAL / "iitb").rglob("*")) if path.is_file()]
        wanted = read(REAL / "iitb").documents
        assert read(*files).documents == wanted
        assert read(REAL / "iitb" / "texts", REAL / "iitb" / files[0]).documents == wanted
        assert read(REAL / "iitb" / files[0], REAL / "iitb" / "texts").documents == wanted

    @needs_shared
    def test_annotators_apart(self) -> None:
        def of(*names: str) -> Corpus:
            return read(REAL / "iitb", options=ReadOptions(annotators=names))

        counts = {name: len(list(of(name).links())) for name in ("rahul", "soumen", "amitg")}
        assert counts == {"rahul": 70, "soumen": 39, "amitg": 41}
        assert [document.id for document in of("amitg").documents] == ["yn_08Oct08_file_3"]
        assert of("rahul", "soumen").documents == read(REAL / "iitb").documents[:1]
        assert of("soumen").metadata == {"annotators": ["soumen"]}
        with pytest.raises(ReadError, match="nobody named Rahul") as caught:
            of("Rahul")
        assert "amitg, rahul, soumen" in str(caught.value)

    def folder(self, tmp_path: Path, text: str | bytes, *rows: tuple[object, ...]) -> Path:
        put(tmp_path / "CSAW_Annotations.xml", csaw(*rows))
        put(tmp_path / "crawledDocs" / "d", text)
        return tmp_path

    def test_line_ends_count_one(self, tmp_path: Path) -> None:
        text = "One\r\n\r\nRome\r\nParis"
        path = self.folder(tmp_path, text, ("d", "u", "Rome", 5, 4), ("d", "u", "Paris", 10, 5))
        corpus = read(path)
        assert corpus.documents[0].text == text
        assert [surface for surface, _ in said(corpus)] == ["Rome", "Paris"]
        assert again(corpus, tmp_path, "iitb").documents == corpus.documents

    def test_nul_bytes_and_other_encodings(self, tmp_path: Path) -> None:
        path = self.folder(tmp_path, b"a\0\x93Rome\x94", ("d", "u", "Rome", 3, 4))
        corpus = read(path)
        assert corpus.documents[0].text == "a\0“Rome”"
        assert said(corpus) == [("Rome", f"{PAGE}Rome")]
        assert kinds(corpus) == {"not-utf8": 1}
        assert again(corpus, tmp_path, "iitb").documents == corpus.documents

    def test_strangers_in_the_folder(self, tmp_path: Path) -> None:
        path = self.folder(tmp_path, "Rome", ("d", "u", "Rome", 0, 4))
        put(tmp_path / "crawledDocs" / "docPaths.txt", "d\n")
        put(tmp_path / "crawledDocs" / ".DS_Store", b"\0")
        corpus = read(path)
        assert len(corpus.documents) == 1
        assert kinds(corpus) == {"unused-file": 1}
        assert corpus.repairs[0].where.endswith("docPaths.txt")
        fails(tmp_path / "crawledDocs" / "docPaths.txt", "can't tell its format")

    def test_texts_beside_the_annotations(self, tmp_path: Path) -> None:
        put(tmp_path / "CSAW_Annotations.xml", csaw(("d", "u", "Rome", 0, 4)))
        put(tmp_path / "d", "Rome")
        for path in (tmp_path, tmp_path / "CSAW_Annotations.xml"):
            corpus = read(path)
            assert said(corpus) == [("Rome", f"{PAGE}Rome")]
            assert corpus.repairs == ()

    def test_repeated_annotation(self, tmp_path: Path) -> None:
        row = ("d", "u", "Rome", 0, 4)
        corpus = read(self.folder(tmp_path, "Rome", row, row))
        assert corpus.documents[0].mentions[0].links[0].attributes == {"annotators": ["u"]}
        assert kinds(corpus) == {"repeated-annotation": 1}

    def test_nobody_in_particular(self, tmp_path: Path) -> None:
        rows = [("d", "", "Rome", 0, 4), ("d", "u", "Rome", 0, 4), ("d", "", "Paris", 5, 5)]
        corpus = read(self.folder(tmp_path, "Rome Paris", *rows))
        first, second = corpus.documents[0].mentions
        assert first.links[0].attributes == {"annotators": ["", "u"]}
        assert second.links[0].attributes == {}
        assert again(corpus, tmp_path, "iitb").documents == corpus.documents

    def test_unknown_fields_survive(self, tmp_path: Path) -> None:
        path = self.folder(tmp_path, "Rome", ("d", "u", "Rome", 0, 4))
        file = path / "CSAW_Annotations.xml"
        more = "<note>sic</note></annotation>"
        file.write_text(file.read_text().replace("</annotation>", more) + "<!-- end -->")
        corpus = read(path)
        attributes = {"annotators": ["u"], "note": "sic"}
        assert corpus.documents[0].mentions[0].links[0].attributes == attributes
        assert again(corpus, tmp_path, "iitb").documents == corpus.documents

    def test_sections(self, tmp_path: Path) -> None:
        corpus = read(self.folder(tmp_path, "Rome", ("d", "u", "Rome#Early history", 0, 4)))
        assert said(corpus) == [("Rome", f"{PAGE}Rome#Early_history")]
        assert again(corpus, tmp_path, "iitb").documents == corpus.documents
        written = (tmp_path / "again" / "CSAW_Annotations.xml").read_text()
        assert "<wikiName>Rome#Early history</wikiName>" in written

    @pytest.mark.parametrize("title", ["AT&T", "Rock & Roll <b>", "Zürich", "R&amp;B"])
    def test_titles(self, title: str, tmp_path: Path) -> None:
        corpus = read(self.folder(tmp_path, "Rome", ("d", "u", title, 0, 4)))
        plain = title.replace("&amp;", "&")
        assert canonical(said(corpus)[0][1] or "").startswith(PAGE)
        assert kinds(corpus) == ({} if title in ("Zürich", "R&amp;B") else {"stray-markup": 1})
        again(corpus, tmp_path, "iitb")
        written = (tmp_path / "again" / "CSAW_Annotations.xml").read_text()
        shown = plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        assert f"<wikiName>{shown}</wikiName>" in written

    @pytest.mark.parametrize(
        ("rows", "match", "line"),
        [
            ([("d", "u", "Rome", "x", 4)], "offset 'x' is no whole number", 2),
            ([("d", "u", "Rome", 0, 10**20)], "length .* is no whole number", 2),
            ([("d", "u", "Rome", 10**17, 4)], "absurd", 2),
            ([("", "u", "Rome", 0, 4)], "without docName", 2),
            ([("e", "u", "Rome", 0, 4), ("d", "u", "Rome", 0, 4)], "no text named 'e'", None),
            ([("../secret", "u", "Rome", 0, 4), ("d", "u", "X", 0, 4)], "no text named", None),
        ],
    )
    def test_bad_rows(
        self, rows: list[tuple[object, ...]], match: str, line: int | None, tmp_path: Path
    ) -> None:
        put(tmp_path / "secret", "TOP SECRET")
        path = self.folder(tmp_path / "x", "Rome", *rows, ("d", "v", "Rome", 0, 4))
        error = fails(path, match)
        assert error.path == str(path / "CSAW_Annotations.xml")
        assert error.line == line
        errors: list[ReadError] = []
        read(path, options=ReadOptions(errors=errors))
        assert len(errors) == 1

    @pytest.mark.parametrize(
        ("content", "match"),
        [
            (csaw(("d", "u", "Rome", 0, 4))[:-70], "not well-formed XML"),
            ("<iitb.CSAW.entityAnnotations>\n<annotation>\n<docName", "not well-formed XML"),
            ('<!DOCTYPE x [<!ENTITY a "b">]>' + csaw(("d", "u", "&a;", 0, 4)), "XML entities"),
        ],
    )
    def test_bad_file(self, content: str, match: str, tmp_path: Path) -> None:
        path = self.folder(tmp_path, "Rome")
        (path / "CSAW_Annotations.xml").write_text(content)
        assert fails(path, match).path == str(path / "CSAW_Annotations.xml")

    def test_a_file_that_has_no_annotations(self, tmp_path: Path) -> None:
        path = put(tmp_path / "x.txt", "text")
        with pytest.raises(ReadError, match="no annotations of this format"):
            read(path, format="iitb")

    def test_missing_parts(self, tmp_path: Path) -> None:
        path = self.folder(tmp_path, "Rome", ("d", "u", "Rome", 0, 4))
        shutil.move(path / "crawledDocs", tmp_path / ".elsewhere")
        fails(path, "no folder with the texts")
        options = ReadOptions(texts=tmp_path / ".elsewhere")
        assert said(read(path, options=options)) == [("Rome", f"{PAGE}Rome")]
        fails(path, "can't be opened", ReadOptions(texts=tmp_path / "no"))

    def test_two_files_of_annotations(self, tmp_path: Path) -> None:
        path = self.folder(tmp_path, "Rome", ("d", "u", "Rome", 0, 4))
        other = shutil.copy(path / "CSAW_Annotations.xml", path / "CSAW (original).xml")
        fails(path, "more than one file of annotations: CSAW .original..xml, CSAW_Annotations.xml")
        assert len(read(other).documents) == 1

    def test_what_is_reported(self, tmp_path: Path) -> None:
        text = "a\r\nb"
        link = Link(entity=f"{PAGE}A")
        documents = [
            Document(id="inside", text=text, mentions=(Mention(begin=2, end=3, links=(link,)),)),
            Document(id="none", text=text),
            Document(
                id="twice",
                text=text,
                mentions=(Mention(begin=0, end=1, links=(link, Link(entity="Q1"), link)),),
            ),
        ]
        losses = write(Corpus(name="x", documents=tuple(documents)), tmp_path / "x", format="iitb")
        assert {(loss.kind, loss.where) for loss in losses} == {
            ("mention", "inside 2-3"),
            ("document", "inside"),
            ("empty-documents", "none"),
            ("link", "twice 0-1"),
            ("entity-spelling", "twice 0-1"),
        }
        assert [entity for _, entity in said(read(tmp_path / "x"))] == [f"{PAGE}A"]


WNED = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<msnbc.entityAnnotation>
\t<document docName="3683270">
\t\t<annotation>
\t\t\t<mention>NEW YORK</mention>
\t\t\t<wikiName>New York City</wikiName>
\t\t\t<offset>3</offset>
\t\t\t<length>8</length>
\t\t</annotation>
\t\t<annotation>
\t\t\t<mention>AT&amp;T</mention>
\t\t\t<wikiName>NIL</wikiName>
\t\t\t<offset>13</offset>
\t\t\t<length>4</length>
\t\t</annotation>
\t\t<annotation>
\t\t\t<mention>Rome's</mention>
\t\t\t<wikiName/>
\t\t\t<offset>18</offset>
\t\t\t<length>6</length>
\t\t\t<entity/>
\t\t</annotation>
\t</document>
\t<document docName="empty">
\t</document>
</msnbc.entityAnnotation>
"""


class TestWned:
    def folder(self, tmp_path: Path, content: str = WNED) -> Path:
        put(tmp_path / "msnbc" / "msnbc.xml", content)
        put(tmp_path / "msnbc" / "RawText" / "3683270", "In NEW YORK, AT&T\nRome’s")
        put(tmp_path / "msnbc" / "RawText" / "empty", "nothing")
        return tmp_path / "msnbc"

    @pytest.mark.parametrize("part", ["", "RawText", "msnbc.xml"])
    def test_read(self, part: str, tmp_path: Path) -> None:
        path = self.folder(tmp_path) / part
        assert detect(Source(path)).name == "wned"
        corpus = read(path)
        assert corpus.name == "msnbc"
        assert said(corpus) == [
            ("NEW YORK", f"{PAGE}New_York_City"),
            ("AT&T", None),
            ("Rome’s", None),
        ]
        assert all(link.attributes == {} for _, _, link in corpus.links())
        assert corpus.documents[1].mentions == ()
        assert kinds(corpus) == {"surface-spelling": 1}

    def test_round_trip(self, tmp_path: Path) -> None:
        corpus = read(self.folder(tmp_path))
        assert again(corpus, tmp_path, "wned").documents == corpus.documents
        assert (tmp_path / "again" / "msnbc.xml").read_text().splitlines()[1] == (
            "<msnbc.entityAnnotation>"
        )

    def test_one_text_is_one_document(self, tmp_path: Path) -> None:
        path = self.folder(tmp_path) / "RawText" / "empty"
        assert [document.id for document in read(path).documents] == ["empty"]

    def test_offsets_in_bytes_are_diagnosed(self, tmp_path: Path) -> None:
        path = self.folder(tmp_path)
        put(path / "RawText" / "3683270", "é NEW YORK, AT&T\nRome’s")
        assert kinds(read(path)) == {"offsets": 1, "surface-spelling": 1}
        assert said(read(path))[0] == ("NEW YORK", f"{PAGE}New_York_City")

    def test_texts_without_annotations_are_named(self, tmp_path: Path) -> None:
        path = self.folder(tmp_path)
        put(path / "RawText" / "unused", "")
        assert kinds(read(path)) == {"surface-spelling": 1, "unused-file": 1}

    def test_odd_documents(self, tmp_path: Path) -> None:
        more = '<document docName="empty"><x/></document><y/></msnbc.entityAnnotation>'
        path = self.folder(tmp_path, WNED.replace("</msnbc.entityAnnotation>", more))
        assert kinds(read(path)) == {
            "surface-spelling": 1,
            "repeated-document": 1,
            "unknown-element": 2,
        }
        path = self.folder(tmp_path, WNED.replace('docName="empty"', ""))
        assert fails(path, "document without docName").line == 24

    def test_no_annotators(self, tmp_path: Path) -> None:
        fails(self.folder(tmp_path), "nobody named x", ReadOptions(annotators=("x",)))
        link = Link(entity=f"{PAGE}A", attributes={"annotators": ["x"]})
        mention = Mention(begin=0, end=1, links=(link,))
        corpus = Corpus(documents=(Document(id="d", text="A", mentions=(mention,)),))
        losses = write(corpus, tmp_path / "out", format="wned")
        assert [loss.kind for loss in losses] == ["link-attributes"]

    @pytest.mark.parametrize("name", ["", "Ein Name", "2004/ACE", "..", "東京"])
    def test_names_of_corpora(self, name: str, tmp_path: Path) -> None:
        document = Document(id="d", text="A")
        write(Corpus(name=name, documents=(document,)), tmp_path / "out", format="wned")
        assert read(tmp_path / "out").documents == (document,)

    def test_nil_by_other_names(self, tmp_path: Path) -> None:
        mentions = [
            Mention(begin=at, end=at + 1, links=(Link(entity=entity),))
            for at, entity in enumerate([None, "NIL", "NIL1", f"{PAGE}NIL", f"{PAGE}NIL_(band)"])
        ]
        corpus = Corpus(documents=(Document(id="d", text="abcde", mentions=tuple(mentions)),))
        losses = write(corpus, tmp_path / "out", format="wned")
        assert [(loss.kind, loss.where) for loss in losses] == [("nil-clusters", "d 1-2")]
        assert [entity for _, entity in said(read(tmp_path / "out"))] == [
            None,
            None,
            "NIL1",
            f"{PAGE}NIL",
            f"{PAGE}NIL_(band)",
        ]


@needs_shared
def test_relatedness_is_no_corpus() -> None:
    error = fails(REAL / "wikisim", "pairs and their relatedness is no corpus")
    assert error.path == str(REAL / "wikisim" / "wikipediaSimilarity353.csv")


@needs_shared
@pytest.mark.parametrize("source", ["msnbc", "aquaint", "ace2004", "iitb"])
@pytest.mark.parametrize("target", ["msnbc", "iitb", "wned", "jsonl"])
def test_from_one_form_to_the_other(source: str, target: str, tmp_path: Path) -> None:
    corpus = read(REAL / source)
    path = tmp_path / ("x.jsonl" if target == "jsonl" else "x")
    losses = write(corpus, path, format=target)
    back = read(path)
    first = {
        (document.id, *mention.span, link and canonical(link))
        for document, mention in corpus.mentions()
        for link in [mention.links[0].entity]
    }
    assert first == {
        (document.id, *mention.span, link and canonical(link))
        for document, mention in back.mentions()
        for link in [mention.links[0].entity]
    }
    assert {loss.kind for loss in losses} <= {
        "entity-spelling",
        "link-attributes",
        "several-links",
        "document-order",
    }
