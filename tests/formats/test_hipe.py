"""HIPE-2022's TSV."""

from __future__ import annotations

from pathlib import Path

import pytest
from formats.small_files import PAGE, again, fails, kinds, put, said

from elcurate.formats.base import ReadOptions
from elcurate.formats.io import read
from elcurate.formats.outputs import write
from elcurate.model.categories import Categories
from elcurate.model.corpus import Corpus, Document, Link, Mention, Span

ITEM = "http://www.wikidata.org/entity/"
METONYMIC = Categories.of([("reference", "metonymic")])
HEADER = (
    "TOKEN\tNE-COARSE-LIT\tNE-COARSE-METO\tNE-FINE-LIT\tNE-FINE-METO\tNE-FINE-COMP\tNE-NESTED"
    "\tNEL-LIT\tNEL-METO\tMISC\n"
)
OUT = "\tO\tO\tO\tO\tO\tO\t_\t_\t"
NEWS = (
    HEADER
    + "# hipe2022:original_source = v1/fr/dev.tsv\n"
    + "# hipe2022:document_id = GDL-1907-i0042\n"
    + "# hipe2022:date = 1907-11-02\n"
    + f"La{OUT}_\n"
    + "mairie\tB-org\tO\tB-org.adm\tO\tO\tO\tNIL\t_\tEndOfLine\n"
    + "de\tI-org\tO\tI-org.adm\tO\tO\tO\tNIL\t_\t_\n"
    + "Bex\tI-org\tO\tI-org.adm\tO\tB-comp.name\tB-loc.adm.town\tNIL\t_\tNoSpaceAfter\n"
    + f".{OUT}EndOfLine|EndOfSentence\n"
    + "Paris\tB-loc\tB-org\tB-loc.adm.town\tB-org.adm\tO\tO\tQ90|Q167646\tQ142\tLED0.00\n"
    + f"#{OUT}NoSpaceAfter\n"
    + f"_{OUT}_\n"
    + "Londres\tO\tB-org\tO\tB-org.adm\tO\tO\t_\tQ145\tInPrimaryReference|NoSpaceAfter\n"
    + f"¬{OUT}EndOfLine|EndOfSentence\n"
    + "\n"
    + "# hipe2022:document_id = cu-54\n"
    + "128\tB-scope\t_\tB-scope\t_\t_\tO\t_\t_\tNoSpaceAfter\n"
    + ".\tO\t_\tO\t_\t_\tO\t_\t_\tEndOfLine\n"
    + "\n"
)


def small(*rows: str, comments: str = "# hipe2022:document_id = d\n") -> str:
    return HEADER + comments + "".join(f"{row}\n" for row in rows) + "\n"


class TestNews:
    @pytest.fixture
    def corpus(self, tmp_path: Path) -> Corpus:
        return read(put(tmp_path / "x", NEWS))

    def test_text(self, corpus: Corpus) -> None:
        first, second = corpus.documents
        assert (first.id, second.id) == ("GDL-1907-i0042", "cu-54")
        assert first.text == "La mairie\nde Bex.\nParis #_ Londres¬\n"
        assert first.sentences == (Span(begin=0, end=17), Span(begin=18, end=35))
        assert second.text == "128.\n"
        assert second.sentences == ()
        assert first.metadata["hipe2022:date"] == "1907-11-02"
        assert corpus.repairs == ()

    def test_mentions(self, corpus: Corpus) -> None:
        document = corpus.documents[0]
        mairie, bex, paris, londres = document.mentions
        assert list(map(document.surface, document.mentions)) == [
            "mairie\nde Bex",
            "Bex",
            "Paris",
            "Londres",
        ]
        assert mairie.links == (Link(entity=None, type="org"),)
        assert mairie.attributes == {"NE-FINE-LIT": "org.adm"}
        assert bex.links == ()
        assert bex.attributes == {"NE-NESTED": "loc.adm.town"}
        assert paris.links == (
            Link(entity=f"{ITEM}Q90", type="loc"),
            Link(entity=f"{ITEM}Q167646", type="loc"),
            Link(entity=f"{ITEM}Q142", type="org", categories=METONYMIC),
        )
        assert londres.links == (Link(entity=f"{ITEM}Q145", type="org", categories=METONYMIC),)
        (scope,) = corpus.documents[1].mentions
        assert scope.links == ()
        assert scope.attributes == {"NE-COARSE-LIT": "scope", "NE-FINE-LIT": "scope"}

    def test_written_as_it_was(self, corpus: Corpus, tmp_path: Path) -> None:
        assert again(corpus, tmp_path, "hipe").documents == corpus.documents
        assert (tmp_path / "again").read_text() == NEWS

    def test_an_added_mention(self, corpus: Corpus, tmp_path: Path) -> None:
        document = corpus.documents[1]
        mention = Mention(begin=3, end=4, links=(Link(entity=f"{ITEM}Q1", type="time"),))
        changed = document.model_copy(update={"mentions": (*document.mentions, mention)})
        corpus = Corpus(documents=(changed,))
        assert again(corpus, tmp_path, "hipe").documents == corpus.documents
        assert ".\tB-time\t_\tO\t_\t_\tO\tQ1\t_\tEndOfLine\n" in (tmp_path / "again").read_text()

    def test_rows_of_a_changed_text_are_made_anew(self, corpus: Corpus, tmp_path: Path) -> None:
        changed = corpus.documents[1].model_copy(update={"text": "129.\n"})
        losses = write(Corpus(documents=(changed,)), tmp_path / "y", format="hipe")
        assert [(loss.kind, loss.what) for loss in losses] == [("metadata", "rows")]
        assert read(tmp_path / "y").documents[0].text == "129.\n"


class TestQuirks:
    def test_links_without_entities(self, tmp_path: Path) -> None:
        rows = ["a\t_\t_\t_\t_\t_\t_\tQ1\t_\t_", "b\t_\t_\t_\t_\t_\t_\tQ1\t_\t_", f"c{OUT}_"]
        corpus = read(put(tmp_path / "x", small(*rows)))
        assert said(corpus) == [("a b", f"{ITEM}Q1")]
        assert corpus.documents[0].mentions[0].links[0].type is None
        assert again(corpus, tmp_path, "hipe").documents == corpus.documents
        assert "\tB-" not in (tmp_path / "again").read_text()

    def test_a_part_of_a_token(self, tmp_path: Path) -> None:
        row = "Parisien\tB-loc\tO\tO\tO\tO\tO\tQ90\t_\tPartial-0:5"
        corpus = read(put(tmp_path / "x", small(row)))
        assert said(corpus) == [("Paris", f"{ITEM}Q90")]

    def test_masked(self, tmp_path: Path) -> None:
        corpus = read(put(tmp_path / "x", small("a" + "\t_" * 8 + "\tEndOfLine")))
        assert corpus.documents[0].mentions == ()
        assert corpus.documents[0].text == "a\n"
        assert again(corpus, tmp_path, "hipe").documents == corpus.documents

    def test_older_comments(self, tmp_path: Path) -> None:
        comments = "# language = fr\n# document_id = IMP-1\n# segment_iiif_link = _\n"
        text = small(f"a{OUT}_", "# segment_iiif_link = https://x/1", f"b{OUT}_", comments=comments)
        corpus = read(put(tmp_path / "x", text))
        assert [document.id for document in corpus.documents] == ["IMP-1"]
        assert corpus.documents[0].text == "a b"
        assert again(corpus, tmp_path, "hipe").documents == corpus.documents
        assert (tmp_path / "again").read_text() == text

    def test_no_comments(self, tmp_path: Path) -> None:
        corpus = read(put(tmp_path / "x.tsv", small(f"a{OUT}_", comments="")))
        assert [document.id for document in corpus.documents] == ["x"]

    def test_columns_in_another_order(self, tmp_path: Path) -> None:
        text = "TOKEN\tMISC\tNEL-LIT\tNE-COARSE-LIT\tX\na\tEndOfLine\tQ5\tB-pers\t7\n"
        corpus = read(put(tmp_path / "x", text))
        assert said(corpus) == [("a", f"{ITEM}Q5")]
        assert kinds(corpus) == {"unknown-column": 1}

    def test_a_document_without_rows(self, tmp_path: Path) -> None:
        text = small(f"a{OUT}_") + "# hipe2022:document_id = e\n\n"
        text += "# hipe2022:document_id = f\n" + f"b{OUT}_\n"
        corpus = read(put(tmp_path / "x", text))
        assert [(one.id, one.text) for one in corpus.documents] == [
            ("d", "a"),
            ("e", ""),
            ("f", "b"),
        ]


class TestOtherCorpora:
    def test_titles_and_types(self, tmp_path: Path) -> None:
        found = (
            Mention(begin=0, end=10, links=(Link(entity=f"{PAGE}A|B", type="PER"),)),
            Mention(begin=4, end=10, links=(Link(entity="Q5"),)),
            Mention(begin=11, end=13, links=(Link(entity=f"{ITEM}Q6"),)),
        )
        document = Document(id="d", text="Ann Le-Roy it", mentions=found)
        losses = write(Corpus(documents=(document,)), tmp_path / "x", format="hipe")
        assert sorted((loss.kind, loss.where) for loss in losses) == [
            ("entity", "d 0-10"),
            ("link", "d 4-10"),
            ("mention-attributes", "d 4-10"),
            ("types", "d 11-13"),
            ("types", "d 4-10"),
        ]
        lines = (tmp_path / "x").read_text().splitlines()
        assert lines[2] == f"Ann\tB-PER\tO\tO\tO\tO\tO\t{PAGE}A%7CB\t_\t_"
        assert [line.split("\t")[6] for line in lines[2:6]] == ["O", "B-unk", "I-unk", "I-unk"]
        assert lines[6] == "it\tB-unk\tO\tO\tO\tO\tO\tQ6\t_\t_"

    def test_metonymic_links_alone(self, tmp_path: Path) -> None:
        link = Link(entity=f"{ITEM}Q145", type="org", categories=METONYMIC)
        found = (Mention(begin=0, end=6, links=(link,)),)
        corpus = Corpus(documents=(Document(id="d", text="London\n", mentions=found),))
        back = again(corpus, tmp_path, "hipe")
        assert back.documents[0].mentions == found
        assert (
            "London\tO\tB-org\tO\tO\tO\tO\t_\tQ145\tEndOfLine\n" in (tmp_path / "again").read_text()
        )

    def test_other_white_space_is_reported(self, tmp_path: Path) -> None:
        document = Document(id="d", text="a  b\tc")
        losses = write(Corpus(documents=(document,)), tmp_path / "x", format="hipe")
        assert {loss.kind for loss in losses} == {"text", "offsets"}
        assert read(tmp_path / "x").documents[0].text == "a b c"


class TestBadInput:
    @pytest.mark.parametrize(
        ("text", "repairs"),
        [
            (small("a\tI-loc\tO\tO\tO\tO\tO\tQ1\t_\t_"), {"I-without-B": 1}),
            (
                small("a\tB-loc\tO\tO\tO\tO\tO\tQ1\t_\t_", "b\tI-org\tO\tO\tO\tO\tO\tQ2\t_\t_"),
                {"I-without-B": 1},
            ),
            (
                small("a\tB-loc\tO\tO\tO\tO\tO\tQ1\t_\t_", "b\tI-loc\tO\tO\tO\tO\tO\tQ2\t_\t_"),
                {"link-differs": 1},
            ),
            (small(f"a{OUT}_").replace("\n", "\r\n"), {"crlf": 1}),
            ("\ufeff" + small(f"a{OUT}_"), {"byte-order-mark": 1}),
            (small(f"a{OUT}_", HEADER.strip(), f"b{OUT}_"), {"repeated-header": 1}),
        ],
    )
    def test_repairs(self, text: str, repairs: dict[str, int], tmp_path: Path) -> None:
        corpus = read(put(tmp_path / "x", text))
        assert kinds(corpus) == repairs
        assert corpus.documents[0].text in ("a", "a b")

    @pytest.mark.parametrize(
        ("text", "match", "line"),
        [
            (small("a\tO\tO"), "3 columns", 3),
            (small(f"a{OUT}_\tx"), "11 columns", 3),
            (small("alone"), "1 columns", 3),
            (small("a\tX-loc\tO\tO\tO\tO\tO\t_\t_\t_"), "'X-loc' is no IOB tag", 3),
            (small("a\tloc\tO\tO\tO\tO\tO\t_\t_\t_"), "'loc' is no IOB tag", 3),
        ],
    )
    def test_errors(self, text: str, match: str, line: int, tmp_path: Path) -> None:
        assert fails(put(tmp_path / "x", text), match).line == line

    def test_other_documents_are_read_on(self, tmp_path: Path) -> None:
        text = small("a\tloc\tO\tO\tO\tO\tO\t_\t_\t_") + small(f"b{OUT}_")[len(HEADER) :].replace(
            "= d", "= e"
        )
        errors: list[object] = []
        options = ReadOptions(errors=errors)  # type: ignore[arg-type]
        corpus = read(put(tmp_path / "x", text), options=options)
        assert [document.id for document in corpus.documents] == ["e"]
        assert len(errors) == 1
