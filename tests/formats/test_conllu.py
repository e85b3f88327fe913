"""CoNLL-U with entities in MISC."""

from __future__ import annotations

from pathlib import Path

import pytest
from formats.small_files import PAGE, again, fails, kinds, put, said

from elcurate.formats.base import ReadOptions
from elcurate.formats.io import read
from elcurate.formats.outputs import write
from elcurate.model.categories import Categories
from elcurate.model.corpus import Corpus, Document, Link, Mention, Span

COREFUD = """\
# newdoc id = rivage-1
# global.Entity = eid-etype-head-other
# newpar id = rivage-1-p0
# sent_id = rivage-1-p0-s1
# text = Le phare du port brille!
1\tLe\tle\tDET\t_\tDefinite=Def\t2\tdet\t_\tEntity=(e101--2
2\tphare\tphare\tNOUN\t_\tNumber=Sing\t6\tnsubj\t_\t_
3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_
3\tde\tde\tADP\t_\t_\t5\tcase\t_\t_
4\tle\tle\tDET\t_\t_\t5\tdet\t_\tEntity=(e7-place-2
5\tport\tport\tNOUN\t_\t_\t2\tnmod\t_\tEntity=e7)e101)
5.1\t_\t_\tPRON\t_\t_\t_\t_\t6:nsubj\tEntity=(e8[1/2]-person-1-sp:elided)
6\tbrille\tbriller\tVERB\t_\t_\t0\troot\t_\tEntity=(e8[2/2]-person-1-sp:elided)|SpaceAfter=No
7\t!\t!\tPUNCT\t_\t_\t6\tpunct\t_\t_

# newpar id = rivage-1-p1
# sent_id = rivage-1-p1-s1
# text = Il reste.
1\tIl\til\tPRON\t_\t_\t2\tnsubj\t_\tBridge=e7<e101:part|Entity=(e101--1)
2\treste\trester\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No
3\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_

# sent_id = rivage-1-p1-s2
# text = Dort.
0.1\t_\til\tPRON\t_\t_\t_\t_\t1:nsubj\tEntity=(e101--1)
1\tDort\tdormir\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No
2\t.\t.\tPUNCT\t_\t_\t1\tpunct\t_\t_

"""
GUM = """\
# newdoc id = GUM_walk
# global.Entity = GRP-etype-infstat-minspan-link-identity
# meta::title = A walk
# sent_id = GUM_walk-1
# text = Ann Lee left Bath-on-Sea and Reims (France). She
1\tAnn\tAnn\tPROPN\tNNP\t_\t3\tnsubj\t_\tEntity=(1-person-new-1,2-coref-Ann_Lee
2\tLee\tLee\tPROPN\tNNP\t_\t1\tflat\t_\tEntity=1)
3\tleft\tleave\tVERB\tVBD\t_\t0\troot\t_\tDiscourse=attribution:1->2
4\tBath-on-Sea\tBath\tPROPN\tNNP\t_\t3\tobj\t_\tEntity=(2-place-new-1-sgl-Bath-on-Sea)
5\tand\tand\tCCONJ\tCC\t_\t6\tcc\t_\t_
6\tReims\tReims\tPROPN\tNNP\t_\t4\tconj\t_\tEntity=(3-place-new-1-sgl-Reims%2C_France
7\t(\t(\tPUNCT\t-LRB-\t_\t8\tpunct\t_\tSpaceAfter=No
8\tFrance\tFrance\tPROPN\tNNP\t_\t6\tappos\t_\tEntity=(4-place-new-1-sgl)|SpaceAfter=No
9\t)\t)\tPUNCT\t-RRB-\t_\t8\tpunct\t_\tEntity=3)|SpaceAfter=No
10\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_
11\tShe\tshe\tPRON\tPRP\t_\t3\tdep\t_\tEntity=(1-person-giv:act-1-ana)

"""


def rows(*cells: str, head: str = "") -> str:
    body = "".join(
        f"{number}\tw{number}\t_\t_\t_\t_\t_\t_\t_\t{cell}\n"
        for number, cell in enumerate(cells, 1)
    )
    return f"# newdoc id = d\n{head}{body}\n"


def surfaces(corpus: Corpus) -> list[str | None]:
    return [document.surface(mention) for document, mention in corpus.mentions()]


class TestCorefUD:
    @pytest.fixture
    def corpus(self, tmp_path: Path) -> Corpus:
        return read(put(tmp_path / "x", COREFUD))

    def test_text(self, corpus: Corpus) -> None:
        document = corpus.documents[0]
        assert document.id == "rivage-1"
        assert document.text == "Le phare du port brille!\nIl reste. Dort."
        assert [document.text[part.begin : part.end] for part in document.sentences] == [
            "Le phare du port brille!",
            "Il reste.",
            "Dort.",
        ]
        assert len(document.tokens) == 11
        assert corpus.repairs == ()

    def test_mentions(self, corpus: Corpus) -> None:
        assert said(corpus) == [
            ("Le phare du port", "NIL:e101"),
            ("du port", "NIL:e7"),
            (" brille", "NIL:e8"),
            ("Il", "NIL:e101"),
            ("", "NIL:e101"),
        ]
        found = corpus.documents[0].mentions
        assert [mention.links[0].type for mention in found] == [None, "place", "person", None, None]
        assert found[0].attributes == {"head": "2"}
        assert found[1].attributes == {"head": "2", "nodes": [[3, 4]]}
        assert found[2].attributes == {
            "head": "1",
            "other": "sp:elided",
            "nodes": [[5, 5], [6, 6]],
        }
        assert found[2].fragments == (Span(begin=16, end=16), Span(begin=17, end=23))
        assert found[4].span == (34, 34)

    def test_written_as_it_was(self, corpus: Corpus, tmp_path: Path) -> None:
        assert again(corpus, tmp_path, "conllu").documents == corpus.documents
        assert (tmp_path / "again").read_text() == COREFUD

    def test_a_changed_link(self, corpus: Corpus, tmp_path: Path) -> None:
        document = corpus.documents[0]
        first, *others = document.mentions
        link = Link(entity="http://www.wikidata.org/entity/Q1", score=0.5)
        changed = first.model_copy(update={"links": (link,)})
        moved = document.model_copy(update={"mentions": (changed, *others)})
        corpus = Corpus(documents=(moved,))
        assert again(corpus, tmp_path, "conllu").documents == corpus.documents
        text = (tmp_path / "again").read_text()
        assert 'Elcurate=[{"links":[{"entity":"http://www.wikidata.org/entity/Q1"' in text
        assert text.count("Elcurate=") == 1


class TestGum:
    @pytest.fixture
    def corpus(self, tmp_path: Path) -> Corpus:
        return read(put(tmp_path / "x", GUM))

    def test_titles_are_pages_of_the_whole_chain(self, corpus: Corpus) -> None:
        assert said(corpus) == [
            ("Ann Lee", f"{PAGE}Ann_Lee"),
            ("Bath-on-Sea", f"{PAGE}Bath-on-Sea"),
            ("Reims (France)", f"{PAGE}Reims,_France"),
            ("France", "NIL:4:GUM_walk"),
            ("She", f"{PAGE}Ann_Lee"),
        ]
        first, *_, last = corpus.documents[0].mentions
        assert first.attributes == {
            "infstat": "new",
            "minspan": "1,2",
            "link": "coref",
            "GRP": "1",
        }
        assert last.attributes["identity"] == ""

    def test_written_as_it_was(self, corpus: Corpus, tmp_path: Path) -> None:
        assert again(corpus, tmp_path, "conllu").documents == corpus.documents
        assert (tmp_path / "again").read_text() == GUM

    def test_old_files_repeat_the_type_where_a_mention_ends(self, tmp_path: Path) -> None:
        head = "# global.Entity = entity-GRP-identity\n"
        text = rows("Entity=(place-2-Green_Country", "Entity=(place-3)place-2)", head=head)
        corpus = read(put(tmp_path / "x", text))
        assert said(corpus) == [("w1 w2", f"{PAGE}Green_Country"), ("w2", "NIL:3:d")]
        assert corpus.documents[0].mentions[0].links[0].type == "place"
        assert corpus.repairs == ()


class TestSpaces:
    @pytest.mark.parametrize(
        ("cells", "text"),
        [
            (["SpaceAfter=No", "_"], "w1w2"),
            (["CorrectSpaceAfter=No", "_"], "w1 w2"),
            ([r"SpacesAfter=\s\n", r"SpacesAfter=\t"], "w1 \nw2\t"),
            ([r"SpacesBefore=\s\s", r"SpacesBefore=\n"], "  w1 \nw2"),
            (["_", r"SpacesInToken=w\s2\\\p"], "w1 w 2\\|"),
        ],
    )
    def test_misc(self, cells: list[str], text: str, tmp_path: Path) -> None:
        corpus = read(put(tmp_path / "x", rows(*cells)))
        assert corpus.documents[0].text == text
        assert again(corpus, tmp_path, "conllu").documents == corpus.documents

    def test_a_text_is_kept_to_the_character(self, tmp_path: Path) -> None:
        text = "\n Ann  Lee,\r\n\tdit \u201cPing\u201d | \\s\u2028fin \n"
        found = (Mention(begin=2, end=10, links=(Link(entity="Q1"),)),)
        document = Document(id="a b", text=text, mentions=found)
        back = again(Corpus(documents=(document,)), tmp_path, "conllu").documents[0]
        assert back.text == text
        assert back.mentions == document.mentions

    def test_texts_that_differ_are_reported(self, tmp_path: Path) -> None:
        text = rows("_", "_", head="# text = w1 w2!\n") + rows(
            "_", "_", head="# text = w1\u00a0w2\n"
        ).replace("= d", "= e")
        corpus = read(put(tmp_path / "x", text))
        assert [(one.kind, one.before, one.after) for one in corpus.repairs] == [
            ("text-differs", "w1 w2!", "w1 w2")
        ]


class TestOtherCorpora:
    def test_what_the_notation_lacks_rides_along(self, tmp_path: Path) -> None:
        direct = Categories.of([("reference", "direct")])
        paris = Link(entity=f"{PAGE}Paris", type="place")
        ranked = (paris.model_copy(update={"score": 0.5, "categories": direct}), Link())
        found = (
            Mention(begin=0, end=5, links=(paris,)),
            Mention(begin=0, end=5, links=ranked),
            Mention(begin=6, end=12, links=(Link(entity="http://www.wikidata.org/entity/Q90"),)),
            Mention(begin=6, end=12),
            Mention(begin=13, end=18, links=(Link(),)),
            Mention(begin=14, end=17, links=(Link(entity="NIL0001"),)),
        )
        document = Document(id="d", text="Paris Lutèce Paris", mentions=found)
        corpus = Corpus(documents=(document.model_copy(update={"metadata": {"a": [1]}}),))
        back = again(corpus, tmp_path, "conllu").documents[0]
        assert back.mentions == found
        assert back.metadata == {"a": [1]}
        text = (tmp_path / "again").read_text()
        assert "# global.Entity = eid-etype-identity-kb\n" in text
        assert "Entity=(el1-place-Paris)(el1-place-Paris)\n" in text

    def test_one_entity_has_one_id_in_all_documents(self, tmp_path: Path) -> None:
        link = (Link(entity=f"{PAGE}Paris"),)
        one = Document(id="a", text="Paris", mentions=(Mention(begin=0, end=5, links=link),))
        two = one.model_copy(update={"id": "b"})
        corpus = Corpus(documents=(one, two))
        back = again(corpus, tmp_path, "conllu")
        assert [document.mentions for document in back.documents] == [one.mentions] * 2
        assert (tmp_path / "again").read_text().count("(el1--Paris)") == 2

    def test_crossing_mentions_of_one_entity(self, tmp_path: Path) -> None:
        link = (Link(entity="NIL:e1"),)
        found = (Mention(begin=0, end=3, links=link), Mention(begin=2, end=5, links=link))
        corpus = Corpus(documents=(Document(id="d", text="a b c", mentions=found),))
        assert again(corpus, tmp_path, "conllu").documents[0].mentions == found

    def test_mentions_on_rows_without_entities(self, tmp_path: Path) -> None:
        plain = "\n".join(line for line in rows("_", "SpaceAfter=No").splitlines()[1:]) + "\n\n"
        corpus = read(put(tmp_path / "x.conllu", plain.replace("\t_\t_\n", "\tdep\t_\n")))
        document = corpus.documents[0]
        assert document.id == "x"
        found = (Mention(begin=0, end=2, links=(Link(entity=f"{PAGE}A"),)),)
        changed = Corpus(documents=(document.model_copy(update={"mentions": found}),))
        assert again(changed, tmp_path, "conllu").documents == changed.documents

    def test_rows_of_a_changed_text_are_made_anew(self, tmp_path: Path) -> None:
        corpus = read(put(tmp_path / "x", GUM))
        changed = corpus.documents[0].model_copy(
            update={"text": "Ann", "mentions": (), "tokens": (), "sentences": ()}
        )
        losses = write(Corpus(documents=(changed,)), tmp_path / "y", format="conllu")
        assert [(loss.kind, loss.what) for loss in losses] == [("metadata", "conllu")]
        assert read(tmp_path / "y").documents[0].text == "Ann"


HEAD = "# global.Entity = eid-etype-head-other\n"


class TestBadInput:
    @pytest.mark.parametrize(
        ("cells", "repairs"),
        [
            (["Entity=(e1", "_"], {"bracket-not-closed": 1}),
            (["Entity=e1)", "_"], {"bracket-not-opened": 1}),
            (["Entity=(e1[2/2])", "_"], {"piece-without-first": 1, "piece-missing": 1}),
            (["Entity=(e1[1/2])", "_"], {"piece-missing": 1}),
        ],
    )
    def test_brackets(self, cells: list[str], repairs: dict[str, int], tmp_path: Path) -> None:
        corpus = read(put(tmp_path / "x", rows(*cells, head=HEAD)))
        assert kinds(corpus) == repairs
        assert {repair.where.rpartition(":")[2] for repair in corpus.repairs} == {"3"}
        assert surfaces(corpus) == (["w1"] if "[" in cells[0] else [])

    def test_entity_at_a_range(self, tmp_path: Path) -> None:
        text = COREFUD.replace(
            "3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_", "3-4\tdu\t_\t_\t_\t_\t_\t_\t_\tEntity=(e9)"
        )
        corpus = read(put(tmp_path / "x", text))
        assert kinds(corpus) == {"entity-at-range": 1}
        again(corpus, tmp_path, "conllu")
        assert (tmp_path / "again").read_text() == text

    @pytest.mark.parametrize(
        ("text", "repairs"),
        [
            (rows("_").replace("\n", "\r\n"), {"crlf": 1}),
            ("\ufeff" + rows("_"), {"byte-order-mark": 1}),
            (rows("_").strip() + "\n" + rows("_").replace("= d", "= e"), {"missing-blank-line": 1}),
            (rows("_") + "# the end\n", {"comment-without-rows": 1}),
        ],
    )
    def test_repairs(self, text: str, repairs: dict[str, int], tmp_path: Path) -> None:
        corpus = read(put(tmp_path / "x.conllu", text))
        assert kinds(corpus) == repairs
        assert {document.text for document in corpus.documents} == {"w1"}

    @pytest.mark.parametrize(
        ("text", "match", "line"),
        [
            (rows("_", "_").replace("2\tw2\t_", "2\tw2"), "9 columns", 3),
            (rows("_", "_").replace("2\tw2", "x\tw2"), "'x' is no word number", 3),
            (rows("_", "_").replace("2\tw2", "3-2\tw2"), "'3-2' is no word number", 3),
            (rows("_", "Entity=e1"), "no brackets of entities", 3),
            (rows("_", "Entity=()"), "no brackets of entities", 3),
            (rows("_", "Entity=(-person)"), "has no eid", 3),
            (rows("Entity=(e1)", head="# global.Entity = etype\n"), "names no eid", 3),
            (rows("Elcurate=[{|Entity=(e1)"), "not JSON", 2),
            (rows('Elcurate=[{"begin":"x"}]|Entity=(e1)'), "no mention: begin", 2),
            (rows("_", head="# elcurate.tags = [\n"), "not JSON", 3),
            (rows("_", head="# elcurate.tags = 5\n"), "tags or metadata", 3),
        ],
    )
    def test_errors(self, text: str, match: str, line: int, tmp_path: Path) -> None:
        error = fails(put(tmp_path / "x.conllu", text), match)
        assert (error.line, error.document) == (line, "d")

    def test_other_documents_are_read_on(self, tmp_path: Path) -> None:
        text = rows("Entity=e1") + rows("_").replace("= d", "= e")
        errors: list[object] = []
        options = ReadOptions(errors=errors)  # type: ignore[arg-type]
        corpus = read(put(tmp_path / "x", text), options=options)
        assert [document.id for document in corpus.documents] == ["e"]
        assert len(errors) == 1
