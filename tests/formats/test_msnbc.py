"""Problem files beside raw texts: real samples, quirks, bad input."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from formats.small_files import PAGE, REAL, WIKI, again, fails, kinds, put, said
from shared_data import needs_shared

from elcurate.errors import ReadError
from elcurate.formats.all import detect
from elcurate.formats.base import ReadOptions
from elcurate.formats.io import read
from elcurate.formats.outputs import write
from elcurate.formats.source import Source
from elcurate.model.corpus import Corpus, Document, Link, Mention


def instance(
    surface: str, offset: object, chosen: str, length: object = None, more: str = ""
) -> str:
    length = len(surface) if length is None else length
    return (
        f"<ReferenceInstance>\n\t<SurfaceForm>\n\t\t{surface}\n\t</SurfaceForm>\n"
        f"\t<Offset>\n\t\t{offset}\n\t</Offset>\n\t<Length>\n\t\t{length}\n\t</Length>\n"
        f"\t<ChosenAnnotation>\n\t\t{chosen}\n\t</ChosenAnnotation>\n{more}"
        "</ReferenceInstance>\n"
    )


def problem(name: str, *instances: str) -> str:
    return (
        f"<ReferenceProblem>\n\t<ReferenceFileName>\n\t\t{name}\n\t</ReferenceFileName>\n"
        + "".join(instances)
        + "</ReferenceProblem>\n"
    )


def pair(
    folder: Path,
    name: str,
    text: str | bytes,
    *instances: str,
    folders: tuple[str, str] = ("Problems", "RawTexts"),
) -> Path:
    put(folder / folders[1] / name, text)
    return put(folder / folders[0] / name, problem(name, *instances))


class TestRealProblems:
    @needs_shared
    @pytest.mark.parametrize(
        ("name", "documents", "mentions", "nil", "repairs"),
        [
            ("msnbc", 2, 31, 1, {}),
            ("aquaint", 1, 14, 0, {}),
            ("ace2004", 1, 5, 0, {"stray-quote": 1}),
        ],
    )
    def test_counts(
        self, name: str, documents: int, mentions: int, nil: int, repairs: dict[str, int]
    ) -> None:
        corpus = read(REAL / name)
        assert corpus.name == name
        assert len(corpus.documents) == documents
        assert len(list(corpus.mentions())) == mentions
        assert sum(link.is_nil for _, _, link in corpus.links()) == nil
        assert kinds(corpus) == repairs
        assert all(mention.surface is None for _, mention in corpus.mentions())

    @needs_shared
    def test_values_checked_by_hand(self) -> None:
        msnbc = read(REAL / "msnbc")
        assert [document.id for document in msnbc.documents] == [
            "Tra16444229.txt",
            "Tra16454203.txt",
        ]
        first, second = said(msnbc), said(msnbc, 1)
        assert first[0] == ("Texas", f"{WIKI}Texas")
        assert first[1] == ("HOUSTON", f"{WIKI}Houston,_Texas")
        assert first[5] == ("Manuel", None)
        assert first[14] == ("Bownds", f"{WIKI}Houston_Police_Capt._Rick_Bownds")
        assert msnbc.documents[0].mentions[5].span == (694, 700)
        assert second[2:4] == [
            ("London's Heathrow Airport", f"{WIKI}London_Heathrow_Airport"),
            ("Heathrow", f"{WIKI}Heathrow,_London"),
        ]
        # a dash of three bytes comes before the last four
        assert [span.begin for span in msnbc.documents[1].mentions[-3:]] == [958, 1205, 1345]
        aquaint = said(read(REAL / "aquaint"))
        assert ("Wuerzburg", f"{WIKI}Würzburg") in aquaint
        assert aquaint[0] == ("German railway", f"{WIKI}Rail_transport_in_Germany")
        assert said(read(REAL / "ace2004")) == [
            ("Tallahassee", f"{WIKI}Tallahassee,_Florida"),
            ("United States", f"{WIKI}United_States"),
            ("AFP", f"{WIKI}Agence_France-Presse"),
            ("Supreme Court", f"{WIKI}Supreme_Court_of_Florida"),
            ("Florida", f"{WIKI}Florida"),
        ]

    @needs_shared
    def test_annotators(self) -> None:
        link = read(REAL / "msnbc").documents[0].mentions[0].links[0]
        assert link.attributes == {"annotators": ["Silviu Cucerzan"], "Annotation": ["Texas"]}
        link = read(REAL / "aquaint").documents[0].mentions[0].links[0]
        assert link.attributes == {"annotators": ["Oracle"]}

    @needs_shared
    @pytest.mark.parametrize("name", ["msnbc", "aquaint", "ace2004"])
    def test_round_trip(self, name: str, tmp_path: Path) -> None:
        corpus = read(REAL / name)
        assert again(corpus, tmp_path, "msnbc").documents == corpus.documents
        assert sorted(path.name for path in (tmp_path / "again").iterdir()) == [
            "Problems",
            "RawTexts",
        ]

    @needs_shared
    @pytest.mark.parametrize("part", ["", "Problems", "RawTexts"])
    def test_detected_from_every_folder(self, part: str) -> None:
        path = REAL / "msnbc" / part
        assert detect(Source(path)).name == "msnbc"
        assert read(path).documents == read(REAL / "msnbc", format="msnbc").documents
        assert read(path).name == "msnbc"

    @needs_shared
    @pytest.mark.parametrize("part", ["Problems", "RawTexts"])
    def test_one_file_is_one_document(self, part: str) -> None:
        corpus = read(REAL / "msnbc" / part / "Tra16454203.txt")
        assert corpus.documents == read(REAL / "msnbc").documents[1:]

    @needs_shared
    def test_all_files_together_are_read_once(self) -> None:
        files = [path for path in sorted((REAL / "msnbc").rglob("*")) if path.is_file()]
        assert len(files) == 4
        wanted = read(REAL / "msnbc").documents
        assert read(*files).documents == wanted
        for order in (("Problems", "RawTexts"), ("RawTexts", "Problems")):
            assert read(*(REAL / "msnbc" / name for name in order)).documents == wanted

    @needs_shared
    def test_several_corpora_in_a_folder(self, tmp_path: Path) -> None:
        for name in ("msnbc", "aquaint", "iitb"):
            shutil.copytree(REAL / name, tmp_path / name)
        assert len(read(tmp_path).documents) == 5


class TestProblemFolders:
    @pytest.mark.parametrize(
        "folders",
        [
            ("Problems", "WikiRawTexts"),
            ("ProblemsNoTranscripts", "RawTextsNoTranscripts"),
            ("gold", "crawl"),
        ],
    )
    def test_names_vary(self, folders: tuple[str, str], tmp_path: Path) -> None:
        pair(tmp_path, "a.txt", "In Rome.", instance("Rome", 3, f"{WIKI}Rome"), folders=folders)
        wanted = [("Rome", f"{WIKI}Rome")]
        for path in (tmp_path, *(tmp_path / name for name in folders)):
            assert said(read(path)) == wanted

    def test_the_texts_that_fit_are_taken(self, tmp_path: Path) -> None:
        pair(tmp_path, "a.txt", "Él: Rome", instance("Rome", 4, f"{WIKI}Rome"))
        put(tmp_path / "RawTextsSimpleChars" / "a.txt", "Él: Rome".encode("cp1252"))
        put(tmp_path / "RawTextsWiki" / "a.txt", "E'l: Rome")
        corpus = read(tmp_path)
        assert said(corpus) == [("Rome", f"{WIKI}Rome")]
        assert kinds(corpus) == {"several-text-folders": 1}
        assert corpus.repairs[0].after == "RawTexts"
        assert corpus.repairs[0].before == "RawTexts, RawTextsSimpleChars, RawTextsWiki"

    def test_texts_can_be_named(self, tmp_path: Path) -> None:
        pair(tmp_path / "x", "a.txt", "Rome", instance("Rome", 0, f"{WIKI}Rome"))
        shutil.move(tmp_path / "x" / "RawTexts", tmp_path / "elsewhere")
        error = fails(tmp_path / "x" / "Problems", "no folder with the texts")
        assert "--texts" in str(error)
        options = ReadOptions(texts=tmp_path / "elsewhere")
        assert said(read(tmp_path / "x" / "Problems", options=options)) == [("Rome", f"{WIKI}Rome")]

    def test_two_folders_of_problems(self, tmp_path: Path) -> None:
        for split in ("Test", "Train"):
            pair(
                tmp_path,
                f"{split}.txt",
                split,
                instance(split, 0, f"{WIKI}{split}"),
                folders=(f"Problems{split}", f"RawTexts{split}"),
            )
        assert [document.id for document in read(tmp_path).documents] == ["Test.txt", "Train.txt"]
        assert len(read(tmp_path / "RawTextsTest").documents) == 1

    def test_backups_and_strangers(self, tmp_path: Path) -> None:
        pair(tmp_path, "a.txt", "Rome", instance("Rome", 0, f"{WIKI}Rome"))
        put(tmp_path / "Problems" / ".a.txt.swp", b"\0binary")
        put(tmp_path / "Problems" / "._a.txt", b"\0\5\x16\7Mac OS X")
        put(tmp_path / "Problems" / "a.txt~", "<ReferenceProblem>")
        put(tmp_path / "Problems" / "README", "who made it")
        put(tmp_path / "RawTexts" / "b.txt", "nobody annotated this")
        corpus = read(tmp_path)
        assert len(corpus.documents) == 1
        assert kinds(corpus) == {"no-problem-file": 1, "unused-file": 1}

    def test_suffixes_may_differ(self, tmp_path: Path) -> None:
        pair(tmp_path, "a.xml", "x", instance("Rome", 0, f"{WIKI}Rome"))
        (tmp_path / "RawTexts" / "a.xml").unlink()
        put(tmp_path / "RawTexts" / "a.txt", "Rome")
        options = ReadOptions(texts=tmp_path / "RawTexts")
        assert said(read(tmp_path / "Problems", options=options)) == [("Rome", f"{WIKI}Rome")]

    def test_file_with_the_name_of_another(self, tmp_path: Path) -> None:
        pair(tmp_path, "a.txt", "Rome", instance("Rome", 0, f"{WIKI}Rome"))
        put(tmp_path / "Problems" / "b.txt", problem("a.txt"))
        put(tmp_path / "RawTexts" / "b.txt", "Paris")
        corpus = read(tmp_path)
        assert [(one.id, one.text) for one in corpus.documents] == [
            ("a.txt", "Rome"),
            ("b.txt", "Paris"),
        ]
        assert kinds(corpus) == {"other-file-name": 1}

    def test_missing_text(self, tmp_path: Path) -> None:
        pair(tmp_path, "a.txt", "Rome", instance("Rome", 0, f"{WIKI}Rome"))
        lonely = put(tmp_path / "Problems" / "b.txt", problem("b.txt"))
        assert fails(tmp_path, "no text of this name").path == str(lonely)
        errors: list[ReadError] = []
        corpus = read(tmp_path, options=ReadOptions(errors=errors))
        assert [document.id for document in corpus.documents] == ["a.txt"]
        assert len(errors) == 1

    def test_no_problems(self, tmp_path: Path) -> None:
        put(tmp_path / "x" / "a.txt", "text")
        with pytest.raises(ReadError):
            read(tmp_path, format="msnbc")


class TestProblems:
    TEXT = "Rome’s mayor met José Núñez at AT&T in\nNew York. “Rome” – 5 p.m."

    def one(self, folder: Path, text: str | bytes, *instances: str) -> Corpus:
        pair(folder, "a.txt", text, *instances)
        return read(folder)

    @pytest.mark.parametrize(
        ("surface", "found"),
        [
            ("Rome's", "Rome’s"),
            ("JosÃ© NÃºÃ±ez", "José Núñez"),
            ("Jos? N??ez", "José Núñez"),
            ("Jos\ufffd N\ufffd\ufffdez", "José Núñez"),
            ('"Rome" - 5', "“Rome” – 5"),
        ],
    )
    def test_other_spellings(self, surface: str, found: str, tmp_path: Path) -> None:
        row = instance(surface, self.TEXT.index(found), f"{WIKI}X", len(found))
        corpus = self.one(tmp_path, self.TEXT, row)
        assert said(corpus) == [(found, f"{WIKI}X")]
        assert kinds(corpus) == {"surface-spelling": 1}
        assert corpus.repairs[0].before == surface
        assert corpus.documents[0].mentions[0].surface is None

    def test_blanks_make_no_difference(self, tmp_path: Path) -> None:
        row = instance("in New York", self.TEXT.index("in\n"), f"{WIKI}New_York")
        assert kinds(self.one(tmp_path, self.TEXT, row)) == {}

    def test_a_surface_that_is_elsewhere_is_kept(self, tmp_path: Path) -> None:
        rows = [instance("Rome", 0, f"{WIKI}Rome"), instance("Paris", 0, f"{WIKI}Paris")]
        corpus = self.one(tmp_path, self.TEXT, *rows)
        assert kinds(corpus) == {"surface-differs": 1}
        assert [one.surface for one in corpus.documents[0].mentions] == ["Paris", None]
        assert again(corpus, tmp_path, "msnbc").documents == corpus.documents

    def test_offsets_of_crlf_texts(self, tmp_path: Path) -> None:
        text = "One\nTwo\nRome and\nParis\n"
        crlf = text.replace("\n", "\r\n")
        rows = [
            instance(name, crlf.index(name), f"{WIKI}{name}") for name in ("Two", "Rome", "Paris")
        ]
        put(tmp_path / "RawTexts" / "a.txt", text)
        put(tmp_path / "Problems" / "a.txt", problem("a.txt", *rows).replace("\n", "\r\n"))
        corpus = read(tmp_path)
        assert [surface for surface, _ in said(corpus)] == ["Two", "Rome", "Paris"]
        assert kinds(corpus) == {"offsets": 1}
        assert corpus.documents[0].text == text

    def test_offsets_of_other_documents_stay(self, tmp_path: Path) -> None:
        pair(tmp_path, "a.txt", "é Rome", instance("Rome", 3, f"{WIKI}Rome"))
        pair(tmp_path, "b.txt", "é Rome", instance("Rome", 2, f"{WIKI}Rome"))
        corpus = read(tmp_path)
        assert [one.mentions[0].span for one in corpus.documents] == [(2, 6), (2, 6)]
        assert kinds(corpus) == {"offsets": 1}

    def test_byte_order_mark_is_a_character(self, tmp_path: Path) -> None:
        corpus = self.one(tmp_path, b"\xef\xbb\xbfRome", instance("Rome", 1, f"{WIKI}Rome"))
        assert corpus.documents[0].text == "\ufeffRome"
        assert said(corpus) == [("Rome", f"{WIKI}Rome")]
        assert corpus.repairs == ()

    @pytest.mark.parametrize(
        ("chosen", "entity", "repairs"),
        [
            ("*null*", None, {}),
            ("---", None, {}),
            ("none", None, {"null-spelling": 1}),
            ("", None, {"null-spelling": 1}),
            ("NIL0001", "NIL0001", {}),
            (f'{WIKI}Rome"', f"{WIKI}Rome", {"stray-quote": 1}),
            (f'{WIKI}"Rome"', f'{WIKI}"Rome"', {}),
            (f"{WIKI}{WIKI}Rome", f"{WIKI}Rome", {"doubled-address": 1}),
            (f'{WIKI}{WIKI}Rome"', f"{WIKI}Rome", {"doubled-address": 1, "stray-quote": 1}),
            ("Ancient Rome", f"{PAGE}Ancient_Rome", {}),
            ("http://dbpedia.org/resource/Rome", "http://dbpedia.org/resource/Rome", {}),
        ],
    )
    def test_what_is_chosen(
        self, chosen: str, entity: str | None, repairs: dict[str, int], tmp_path: Path
    ) -> None:
        corpus = self.one(tmp_path, self.TEXT, instance("Rome", 0, chosen))
        assert said(corpus) == [("Rome", entity)]
        assert kinds(corpus) == repairs

    def test_several_annotators(self, tmp_path: Path) -> None:
        more = "<NumAnnotators>\n5\n</NumAnnotators>\n" + "".join(
            f"<AnnotatorId>\n{name}\n</AnnotatorId>\n<Annotation>\n{value}\n</Annotation>\n"
            for name, value in [("a", "Rome"), ("b", "---"), ("c", "Rome"), ("d", "Ancient Rome")]
        )
        corpus = self.one(tmp_path, self.TEXT, instance("Rome", 0, f"{WIKI}Rome", more=more))
        (link,) = corpus.documents[0].mentions[0].links
        assert link.attributes == {
            "annotators": ["a", "b", "c", "d"],
            "Annotation": ["Rome", "---", "Rome", "Ancient Rome"],
            "NumAnnotators": "5",
        }
        assert again(corpus, tmp_path, "msnbc").documents == corpus.documents
        some = read(tmp_path / "Problems", options=ReadOptions(annotators=("b", "c")))
        assert [(link.entity, link.attributes["annotators"]) for _, _, link in some.links()] == [
            (None, ["b"]),
            (f"{PAGE}Rome", ["c"]),
        ]
        fails(tmp_path / "Problems", "nobody named e", ReadOptions(annotators=("e",)))

    def test_unknown_fields_survive(self, tmp_path: Path) -> None:
        more = "<Comment>unsure</Comment><Tag>a</Tag><Tag>b</Tag>"
        corpus = self.one(tmp_path, self.TEXT, instance("Rome", 0, f"{WIKI}Rome", more=more))
        (link,) = corpus.documents[0].mentions[0].links
        assert link.attributes == {"Comment": "unsure", "Tag": ["a", "b"]}
        assert again(corpus, tmp_path, "msnbc").documents == corpus.documents

    def test_nested_equal_and_none(self, tmp_path: Path) -> None:
        rows = [
            instance("York", 43, f"{WIKI}York"),
            instance("New York", 39, f"{WIKI}New_York"),
            instance("New York", 39, f"{WIKI}New_York_City"),
        ]
        corpus = self.one(tmp_path, self.TEXT, *rows)
        assert [entity for _, entity in said(corpus)] == [
            f"{WIKI}New_York",
            f"{WIKI}New_York_City",
            f"{WIKI}York",
        ]
        pair(tmp_path, "b.txt", "nothing")
        corpus = read(tmp_path)
        assert corpus.documents[1].mentions == ()
        assert again(corpus, tmp_path, "msnbc").documents == corpus.documents

    @pytest.mark.parametrize(
        ("surface", "found"),
        [("AT&T", "AT&T"), ("AT&amp;T", "AT&T"), ("AT&T &nbsp;in", "AT&T  in"), ("a<b", "a<b")],
    )
    def test_stray_markup(self, surface: str, found: str, tmp_path: Path) -> None:
        row = instance(surface, 3, f"{WIKI}X", len(found))
        corpus = self.one(tmp_path, f"at {found} and", row)
        assert said(corpus) == [(found, f"{WIKI}X")]
        assert kinds(corpus) == ({} if surface == "AT&amp;T" else {"stray-markup": 1})

    def test_malformed_xml(self, tmp_path: Path) -> None:
        rows = instance("Rome", 0, f"{WIKI}Rome") + instance("mayor", 7, f"{WIKI}Mayor")
        path = pair(tmp_path, "a.txt", self.TEXT, rows)
        path.write_text(path.read_text().replace("</ReferenceProblem>\n", ""))
        corpus = read(tmp_path)
        assert len(said(corpus)) == 2
        assert kinds(corpus) == {"malformed-xml": 1}
        path.write_text(problem("a.txt", rows, "</SurfaceForm>"))
        corpus = read(tmp_path)
        assert len(said(corpus)) == 2
        assert kinds(corpus) == {"malformed-xml": 1}

    def test_truncated_inside_an_instance(self, tmp_path: Path) -> None:
        path = pair(tmp_path, "a.txt", self.TEXT, instance("Rome", 0, f"{WIKI}Rome"))
        path.write_text(path.read_text().partition("<Length>")[0])
        fails(tmp_path, "not well-formed XML")

    def test_other_encodings(self, tmp_path: Path) -> None:
        put(tmp_path / "RawTexts" / "a.txt", "José".encode("latin-1"))
        put(tmp_path / "RawTexts" / "b.txt", b"Jos\x81")
        row = instance("José", 0, f"{WIKI}José")
        put(tmp_path / "Problems" / "a.txt", problem("a.txt", row).encode("cp1252"))
        put(tmp_path / "Problems" / "b.txt", problem("b.txt"))
        corpus = read(tmp_path)
        assert said(corpus) == [("José", f"{WIKI}José")]
        assert corpus.documents[1].text == "Jos\x81"
        assert kinds(corpus) == {"not-utf8": 3, "xml-encoding": 1}

    @pytest.mark.parametrize(
        ("row", "match", "line"),
        [
            (instance("Rome", "x", f"{WIKI}Rome"), "Offset 'x' is no whole number", 5),
            (instance("Rome", "", f"{WIKI}Rome"), "Offset '' is no whole number", 5),
            (instance("Rome", "9" * 5000, f"{WIKI}Rome"), "Offset '9{40}…' is no whole", 5),
            (instance("Rome", 10**17, f"{WIKI}Rome"), "is absurd", 5),
            (instance("Rome", 0, f"{WIKI}Rome", "1.5"), "Length '1.5' is no whole", 5),
            ("<ReferenceInstance></ReferenceInstance>", "there is no ChosenAnnotation", 5),
        ],
    )
    def test_bad_instances(self, row: str, match: str, line: int, tmp_path: Path) -> None:
        path = pair(tmp_path, "a.txt", self.TEXT, row)
        pair(tmp_path, "b.txt", self.TEXT, instance("Rome", 0, f"{WIKI}Rome"))
        error = fails(tmp_path, match)
        assert (error.path, error.line, error.document) == (str(path), line, "a.txt")
        errors: list[ReadError] = []
        corpus = read(tmp_path, options=ReadOptions(errors=errors))
        assert [document.id for document in corpus.documents] == ["b.txt"]
        assert len(errors) == 1

    @pytest.mark.parametrize(("offset", "length"), [(-3, 4), (10**12, 4), (0, 9999), (5, -2)])
    def test_spans_outside_the_text(self, offset: int, length: int, tmp_path: Path) -> None:
        corpus = self.one(tmp_path, self.TEXT, instance("Rome", offset, f"{WIKI}Rome", length))
        assert corpus.documents[0].mentions[0].span == (offset, offset + length)
        assert kinds(corpus) == {"surface-differs": 1, "span-outside-text": 1}

    @pytest.mark.parametrize(
        ("content", "match"),
        [
            ("", "empty"),
            ("<ReferenceProblem", "not well-formed XML"),
            ("<Other><ReferenceProblem/></Other>", "there is no ReferenceProblem"),
            (
                '<!DOCTYPE x [<!ENTITY a "b">]><ReferenceProblem>&a;</ReferenceProblem>',
                "declares XML entities",
            ),
        ],
    )
    def test_bad_files(self, content: str, match: str, tmp_path: Path) -> None:
        pair(tmp_path, "b.txt", self.TEXT, instance("Rome", 0, f"{WIKI}Rome"))
        path = put(tmp_path / "Problems" / "a.txt", content)
        put(tmp_path / "RawTexts" / "a.txt", self.TEXT)
        assert fails(tmp_path, match).path == str(path)

    def test_external_entity(self, tmp_path: Path) -> None:
        secret = put(tmp_path / "secret", "TOP SECRET")
        head = f'<!DOCTYPE x [<!ENTITY s SYSTEM "file://{secret}">]>'
        put(tmp_path / "x" / "RawTexts" / "a.txt", self.TEXT)
        put(
            tmp_path / "x" / "Problems" / "a.txt",
            head + problem("a.txt", instance("&s;", 0, f"{WIKI}X", 4)),
        )
        fails(tmp_path / "x", "declares XML entities")

    def test_names_lead_nowhere_else(self, tmp_path: Path) -> None:
        put(tmp_path / "secret.txt", "TOP SECRET")
        pair(tmp_path / "x", "a.txt", "text")
        put(tmp_path / "x" / "Problems" / "b.txt", problem("../../secret.txt"))
        fails(tmp_path / "x", "no text of this name")

    @pytest.mark.parametrize(("content", "match"), [("", "empty"), ("x", "no ReferenceProblem")])
    def test_a_file_that_is_no_problem(self, content: str, match: str, tmp_path: Path) -> None:
        path = put(tmp_path / "x.txt", content)
        with pytest.raises(ReadError, match=match):
            read(path, format="msnbc")

    def test_standard_input_needs_texts(self, tmp_path: Path) -> None:
        source = Source("-")
        source._stdin = problem("a.txt", instance("Rome", 0, f"{WIKI}Rome")).encode()
        form = detect(source)
        assert form.read is not None
        with pytest.raises(ReadError, match="no folder with the texts"):
            form.read(source, ReadOptions())
        put(tmp_path / "a.txt", "Rome")
        reading = form.read(source, ReadOptions(texts=tmp_path))
        assert [(one.id, one.text) for one in reading.documents] == [("a.txt", "Rome")]
        assert reading.repairs == []


class TestWritingProblems:
    def corpus(self, *documents: Document) -> Corpus:
        return Corpus(name="x", documents=documents)

    def mention(self, entity: str | None, **more: object) -> Mention:
        return Mention(begin=0, end=4, links=(Link(entity=entity),), **more)

    def losses(self, folder: Path, *documents: Document) -> dict[str, str]:
        found = write(self.corpus(*documents), folder / "out", format="msnbc")
        return {loss.kind: loss.reason for loss in found}

    def test_layout_of_a_file(self, tmp_path: Path) -> None:
        document = Document(id="d", text="A\n&B", mentions=(self.mention(f"{WIKI}A&B"),))
        assert self.losses(tmp_path, document) == {}
        assert (tmp_path / "out" / "Problems" / "d").read_text() == (
            "<ReferenceProblem>\n\t<ReferenceFileName>\n\t\td\n\t</ReferenceFileName>\n"
            "<ReferenceInstance>\n\t<SurfaceForm>\n\t\tA&#10;&amp;B\n\t</SurfaceForm>\n"
            "\t<Offset>\n\t\t0\n\t</Offset>\n\t<Length>\n\t\t4\n\t</Length>\n"
            f"\t<ChosenAnnotation>\n\t\t{WIKI}A&amp;B\n\t</ChosenAnnotation>\n"
            "\t<NumAnnotators>\n\t\t0\n\t</NumAnnotators>\n"
            "</ReferenceInstance>\n</ReferenceProblem>\n"
        )
        assert (tmp_path / "out" / "RawTexts" / "d").read_bytes() == b"A\n&B"

    @pytest.mark.parametrize(
        ("entity", "written", "kind"),
        [
            (f"{PAGE}Rome", f"{WIKI}Rome", "entity-spelling"),
            ("http://en.m.wikipedia.org/wiki/Rome", f"{WIKI}Rome", "entity-spelling"),
            (f"{WIKI}Rome", f"{WIKI}Rome", None),
            ("http://de.wikipedia.org/wiki/Rom", "http://de.wikipedia.org/wiki/Rom", None),
            ("http://www.wikidata.org/entity/Q220", "http://www.wikidata.org/entity/Q220", None),
            ("Rome", "Rome", "entity"),
            (f'{WIKI}12"', f'{WIKI}12"', "entity"),
            ("NIL7", "NIL7", None),
            (None, "*null*", None),
        ],
    )
    def test_entities(
        self, entity: str | None, written: str, kind: str | None, tmp_path: Path
    ) -> None:
        document = Document(id="d", text="Rome", mentions=(self.mention(entity),))
        assert list(self.losses(tmp_path, document)) == ([] if kind is None else [kind])
        text = (tmp_path / "out" / "Problems" / "d").read_text()
        assert f"<ChosenAnnotation>\n\t\t{written}\n" in text.replace("&quot;", '"')

    @pytest.mark.parametrize(
        "name",
        [
            "http://example.org/d#char=0,5",
            "../../etc/passwd",
            ".hidden",
            "backup~",
            "a%2Fb",
            "C:\\x",
            "東京" * 100,
            "tab\there",
        ],
    )
    def test_ids_that_are_no_file_names(self, name: str, tmp_path: Path) -> None:
        for format_ in ("msnbc", "iitb", "wned"):
            document = Document(id=name, text="Rome", mentions=(self.mention(None),))
            path = tmp_path / "deep" / "deeper" / format_
            path.parent.mkdir(parents=True, exist_ok=True)
            assert write(self.corpus(document), path, format=format_) == []
            assert read(path).documents == (document,)
        assert [one.name for one in tmp_path.iterdir()] == ["deep"]

    def test_ids_that_differ_in_case(self, tmp_path: Path) -> None:
        documents = [Document(id=name, text=name) for name in ("Doc", "doc", "doc~2")]
        write(self.corpus(*documents), tmp_path / "out", format="msnbc")
        assert {one.id: one.text for one in read(tmp_path / "out").documents} == {
            one.id: one.text for one in documents
        }

    def test_what_is_reported(self, tmp_path: Path) -> None:
        link = Link(entity=f"{WIKI}A", attributes={"a b": "x", "annotators": "me"})
        mention = Mention(begin=0, end=1, links=(link,), surface=" a\x00 ")
        losses = self.losses(
            tmp_path,
            Document(id="b", text="A", mentions=(mention,)),
            Document(id="a ", text=""),
            Document(id="c"),
        )
        assert set(losses) == {
            "link-attributes",
            "surfaces",
            "document-id",
            "document-order",
            "document",
            "no-text",
        }
