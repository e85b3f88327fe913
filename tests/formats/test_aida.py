"""AIDA/CoNLL-YAGO and the files of conll03_nel_eval."""

from __future__ import annotations

from pathlib import Path

import pytest
from shared_data import SHARED, needs_shared

from elcurate.errors import ReadError, SpecError
from elcurate.formats.aida_rows import AIDA, SCORED, Layout, link_cells, read_link, yago
from elcurate.formats.all import detect
from elcurate.formats.base import ReadOptions
from elcurate.formats.io import read
from elcurate.formats.outputs import write
from elcurate.formats.source import Source
from elcurate.model.corpus import Corpus, Document, Link, Mention, Span

WIKI = "https://en.wikipedia.org/wiki/"
URL = "http://en.wikipedia.org/wiki/"
SAMPLES = SHARED / "formats"

GERMANY = f"Germany\t{URL}Germany\t11867\t/m/0345h"
BLACKBURN = f"Peter_Blackburn\t{URL}Peter_Blackburn\t1\t/m/1"
ORIGINAL = f"""-DOCSTART- (1 EU)
EU\tB\tEU\t--NME--
rejects
German\tB\tGerman\t{GERMANY}
call
.

Peter\tB\tPeter Blackburn\t{BLACKBURN}
Blackburn\tI\tPeter Blackburn\t{BLACKBURN}

-DOCSTART- (947testa CRICKET)
Isle of Man\tB\tIsle of Man\tIsle_of_Man\t{URL}Isle_of_Man\t2\t/m/2
U.S.\tB\tU.S.\tUnited_States\t{URL}United_States\t3\t/m/3
Open\tB\tOpen\tU\\u002eS\\u002e_Open_\\u0028golf\\u0029\t{URL}U.S._Open_(golf)\t4\t/m/4
"""


def put(folder: Path, content: str | bytes, name: str = "x.tsv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def get(folder: Path, content: str | bytes, **options: object) -> Corpus:
    return read(put(folder, content), **options)


def fails(path: Path, match: str, **options: object) -> ReadError:
    with pytest.raises(ReadError, match=match) as caught:
        read(path, **options)
    assert str(path) in str(caught.value)
    return caught.value


def repairs(corpus: Corpus) -> list[tuple[str, str, str]]:
    return [(one.kind, one.before, one.after) for one in corpus.repairs]


def written(corpus: Corpus, folder: Path, form: str = "aida") -> tuple[str, set[tuple[str, str]]]:
    path = folder / "written"
    losses = write(corpus, path, format=form)
    return path.read_bytes().decode(), {(loss.kind, loss.where) for loss in losses}


def links(corpus: Corpus) -> list[tuple[str, str | None]]:
    return [(doc.surface(mention) or "", link.entity) for doc, mention, link in corpus.links()]


class TestKore50:
    pytestmark = needs_shared
    PATH = SAMPLES / "aida" / "KORE50_AIDA_orig.tsv"

    def test_counts(self) -> None:
        corpus = read(self.PATH)
        assert detect(Source(self.PATH)).name == "aida"
        assert len(corpus.documents) == 50
        assert sum(len(document.mentions) for document in corpus.documents) == 148
        assert sum(not link.is_nil for _, _, link in corpus.links()) == 144
        assert sum(len(document.tokens) for document in corpus.documents) == 730
        assert corpus.metadata == {"detokenise": "space", "columns": 4}
        assert corpus.repairs == ()

    def test_values(self) -> None:
        corpus = read(self.PATH)
        first = corpus.documents[0]
        assert (first.id, first.metadata) == ("1 CEL01", {})
        assert first.text == (
            "David and Victoria named their children Brooklyn , Romeo , Cruz , and Harper Seven ."
        )
        assert first.surface(first.mentions[-1]) == "Harper Seven"
        assert first.mentions[-1].links == (Link(),)
        found = dict(links(corpus))
        assert found["US Open"] == f"{WIKI}U.S._Open_(golf)"
        assert found["Atletico"] == f"{WIKI}Atlético_Madrid"
        assert found["American Recordings"] == f"{WIKI}American_Recordings_(album)"
        odd = [link for _, _, link in corpus.links() if link.attributes]
        assert [link.attributes for link in odd] == [
            {"yago": "Eva_Perón"},
            {"yago": "Hanns-Martin_Schleyer"},
        ]

    def test_written_again(self, tmp_path: Path) -> None:
        corpus = read(self.PATH)
        text, losses = written(corpus, tmp_path)
        assert text.encode() == self.PATH.read_bytes() + b"\n"
        assert losses == set()
        assert read(tmp_path / "written").documents == corpus.documents


@needs_shared
@pytest.mark.parametrize(
    ("name", "form", "documents", "entities", "scores"),
    [
        ("data.txt", "conll03-nel", ["doc1"], [None, "Paris"], [None, None]),
        ("data_attempt.txt", "aida", ["doc1"], ["The_Dog", "Paris"], [None, None]),
        (
            "data_full.txt",
            "conll03-nel",
            ["doc1", "docb"],
            [None, "Paris", "France", None, None, "Paris"],
            [None, 0.8, 0.8, None, None, 0.8],
        ),
        (
            "data_more.txt",
            "conll03-nel",
            ["doc1", "doc2"],
            [None, "Paris", "The_Cat", "Sydney"],
            [None] * 4,
        ),
        (
            "data_more_attempt.txt",
            "conll03-nel",
            ["doc1", "doc2"],
            ["The_Cat", None, "The_Dog", "Sydney"],
            [None] * 4,
        ),
    ],
)
def test_nel_eval_samples(
    name: str,
    form: str,
    documents: list[str],
    entities: list[str | None],
    scores: list[float | None],
    tmp_path: Path,
) -> None:
    path = SAMPLES / "conll03" / name
    corpus = read(path)
    assert detect(Source(path)).name == form
    assert [document.id for document in corpus.documents] == documents
    found = [link for _, _, link in corpus.links()]
    assert [link.entity for link in found] == [entity and WIKI + entity for entity in entities]
    assert [link.score for link in found] == scores
    text, losses = written(corpus, tmp_path, form)
    assert (text.encode(), losses) == (path.read_bytes(), set())


class TestReading:
    def test_original(self, tmp_path: Path) -> None:
        corpus = get(tmp_path, ORIGINAL)
        assert detect(Source(tmp_path / "x.tsv")).name == "aida"
        assert corpus.metadata == {"detokenise": "space", "columns": 7}
        assert corpus.repairs == ()
        first, second = corpus.documents
        assert (first.id, first.metadata) == ("1 EU", {"split": "train"})
        assert (second.id, second.metadata) == ("947testa CRICKET", {"split": "testa"})
        assert first.text == "EU rejects German call .\nPeter Blackburn"
        assert first.sentences == (Span(begin=0, end=24), Span(begin=25, end=40))
        assert [first.text[token.begin : token.end] for token in first.tokens[-3:]] == [
            ".",
            "Peter",
            "Blackburn",
        ]
        assert [(mention.begin, mention.end) for mention in first.mentions] == [
            (0, 2),
            (11, 17),
            (25, 40),
        ]
        assert first.mentions[1].links == (
            Link(
                entity=f"{URL}Germany",
                attributes={"wikipedia_id": "11867", "freebase_mid": "/m/0345h"},
            ),
        )
        assert second.surface(second.mentions[0]) == "Isle of Man"
        assert written(corpus, tmp_path) == (ORIGINAL, set())

    @pytest.mark.parametrize("width", [5, 6, 7])
    def test_widths(self, width: int, tmp_path: Path) -> None:
        rows = [line.split("\t")[:width] for line in ORIGINAL.split("\n")]
        text = "\n".join("\t".join(row) for row in rows)
        corpus = get(tmp_path, text)
        assert corpus.metadata["columns"] == width
        assert links(corpus) == links(get(tmp_path, ORIGINAL))
        assert written(corpus, tmp_path) == (text, set())

    def test_tokens_alone(self, tmp_path: Path) -> None:
        text = "-DOCSTART- (1 EU)\nEU\nrejects\n\nIsle of Man\n"
        corpus = get(tmp_path, text)
        assert corpus.documents[0].text == "EU rejects\nIsle of Man"
        assert corpus.documents[0].mentions == ()
        assert "columns" not in corpus.metadata
        assert written(corpus, tmp_path) == (text, set())

    def test_freebase_in_the_sixth_column(self, tmp_path: Path) -> None:
        row = f"Germany\t{URL}Germany\t/m/0345h"
        text = f"-DOCSTART- (1 EU)\nGerman\tB\tGerman\t{row}\n"
        corpus = get(tmp_path, text)
        assert corpus.documents[0].mentions[0].links[0].attributes == {"freebase_mid": "/m/0345h"}
        assert written(corpus, tmp_path) == (text, set())

    @pytest.mark.parametrize(
        "row",
        [
            f"Germany\t{URL}Germany",
            f"Germany\t{URL}Germany\t11867",
            f"Germany\t{URL}Germany\t11867\t/m/0345h\tmore",
            f"Deutschland\t{URL}Germany\t11867\t/m/0345h",
            f"\t{URL}Germany\t11867\t/m/0345h",
            f"Germany\t{URL}Germany\t\t",
            "--NME--\t\t\t",
            f"--NME--\t{URL}Germany\t\t",
            "Germany",
            "Germany\tx",
        ],
    )
    def test_odd_rows_are_kept(self, row: str, tmp_path: Path) -> None:
        text = f"{ORIGINAL}\n-DOCSTART- (3 X)\nGerman\tB\tGerman\t{row}\n"
        corpus = get(tmp_path, text)
        link = corpus.documents[2].mentions[0].links[0]
        assert link.is_nil == row.startswith("--NME--")
        assert written(corpus, tmp_path)[0] == text

    def test_changed_entities_are_written(self, tmp_path: Path) -> None:
        row = f"Deutschland\t{URL}Germany\t11867"
        text = f"-DOCSTART- (3 X)\nGerman\tB\tGerman\t{row}\nEU\tB\tEU\t{GERMANY}\n"
        document = get(tmp_path, text).documents[0]
        mention = document.mentions[0]
        link = mention.links[0].model_copy(update={"entity": f"{URL}Prussia"})
        changed = mention.model_copy(update={"links": (link,)})
        update = {"mentions": (changed, document.mentions[1])}
        corpus = Corpus(documents=(document.model_copy(update=update),))
        written(corpus, tmp_path)
        assert links(read(tmp_path / "written"))[0] == ("German", f"{URL}Prussia")

    def test_bat(self, tmp_path: Path) -> None:
        text = '-DOCSTART- (1 EU)\n"\nEU\tB\tEU\t--NME--\n,\n\n"\nBonn\tB\tBonn\tBonn\n.\n'
        corpus = get(tmp_path, text, options=ReadOptions(detokenise="bat"))
        assert corpus.metadata["detokenise"] == "bat"
        assert corpus.documents[0].text == '" EU," Bonn.\n'
        assert links(corpus) == [("EU", None), ("Bonn", f"{WIKI}Bonn")]
        again, losses = written(corpus, tmp_path)
        assert again == text
        assert losses == {("text", "1 EU"), ("offsets", "1 EU")}

    def test_unknown_style(self, tmp_path: Path) -> None:
        with pytest.raises(SpecError, match=r"'spaces'. Did you mean space"):
            get(tmp_path, ORIGINAL, options=ReadOptions(detokenise="spaces"))

    def test_crlf(self, tmp_path: Path) -> None:
        corpus = get(tmp_path, ORIGINAL.replace("\n", "\r\n"))
        assert corpus.documents == get(tmp_path, ORIGINAL).documents
        assert [kind for kind, _, _ in repairs(corpus)] == ["crlf"]

    def test_byte_order_mark(self, tmp_path: Path) -> None:
        corpus = get(tmp_path, "\ufeff" + ORIGINAL)
        assert corpus.documents == get(tmp_path, ORIGINAL).documents
        assert [kind for kind, _, _ in repairs(corpus)] == ["byte-order-mark"]

    def test_nul_and_other_signs_in_tokens(self, tmp_path: Path) -> None:
        text = "-DOCSTART- (1 EU)\na\0b\n.\ufeff\nx\u2028x\ny\x85z\n\"\n'\n"
        corpus = get(tmp_path, text)
        assert corpus.documents[0].text == "a\0b .\ufeff x\u2028x y\x85z \" '"
        assert written(corpus, tmp_path) == (text, set())

    def test_more_blank_lines(self, tmp_path: Path) -> None:
        corpus = get(tmp_path, "\n\n-DOCSTART- (1 EU)\n\nEU\n\n \t\n\nIsle\n\n\n")
        assert corpus.documents[0].text == "EU\nIsle"
        assert len(corpus.documents[0].sentences) == 2
        assert written(corpus, tmp_path)[0] == "-DOCSTART- (1 EU)\nEU\n\nIsle\n\n"

    def test_a_large_file_is_read_in_pieces(self, tmp_path: Path) -> None:
        number = 40_000
        text = "\n".join(
            f"-DOCSTART- ({one} DOC)\nEU\tB\tEU\tÄ{one}\nrejects\n" for one in range(number)
        )
        corpus = get(tmp_path, text)
        assert [document.id for document in corpus.documents] == [f"{i} DOC" for i in range(number)]
        assert {document.text for document in corpus.documents} == {"EU rejects"}
        assert corpus.documents[-1].mentions[0].links[0].entity == f"{WIKI}Ä{number - 1}"
        assert fails(put(tmp_path, text + "x\tY\tz\n"), "tag is 'Y'").line == 4 * number


class TestDocuments:
    @pytest.mark.parametrize(
        ("line", "name"),
        [
            ("-DOCSTART- (1163testb SOCCER)", "1163testb SOCCER"),
            ("-DOCSTART- (a) b (c)", "a) b (c"),
            ("-DOCSTART- ()", ""),
            ("-DOCSTART- (  x )", "  x "),
            ("-DOCSTART-\t(x)", "x"),
            ("-DOCSTART- x y", "x y"),
            ("-DOCSTART-", "1"),
        ],
    )
    def test_ids(self, line: str, name: str, tmp_path: Path) -> None:
        text = f"{line}\nEU\n"
        corpus = get(tmp_path, text, format="aida")
        assert [document.id for document in corpus.documents] == [name]
        assert written(corpus, tmp_path) == (text, set())

    @pytest.mark.parametrize(
        ("name", "split"),
        [
            ("1 EU", "train"),
            ("946 SOCCER", "train"),
            ("947testa CRICKET", "testa"),
            ("1163testb SOCCER", "testb"),
            ("947 X", None),
            ("12345 X", None),
            ("EU", None),
        ],
    )
    def test_split(self, name: str, split: str | None, tmp_path: Path) -> None:
        corpus = get(tmp_path, f"-DOCSTART- ({name})\nEU\tB\tEU\t{GERMANY}\n")
        assert corpus.documents[0].metadata == ({"split": split} if split else {})

    def test_no_docstart(self, tmp_path: Path) -> None:
        corpus = get(tmp_path, f"EU\tB\tEU\t{GERMANY}\n\n-DOCSTART- (2 X)\nEU\n", format="aida")
        assert [document.id for document in corpus.documents] == ["x", "2 X"]
        assert repairs(corpus) == [("no-docstart", "", "x")]

    def test_same_id_twice(self, tmp_path: Path) -> None:
        path = put(tmp_path, "-DOCSTART- (x)\nEU\n\n-DOCSTART- (x)\nEU\n")
        assert fails(path, "occurs twice").document == "x"
        assert len(read(path, rename_duplicates=True).documents) == 2


class TestRepairs:
    def test_surface_differs(self, tmp_path: Path) -> None:
        text = "-DOCSTART- (x)\nNew\tB\tNew-York\tBonn\nYork\tI\tNew-York\tBonn\n"
        corpus = get(tmp_path, text)
        assert repairs(corpus) == [("surface-differs", "New-York", "New York")]
        assert corpus.documents[0].mentions[0].surface == "New-York"
        assert written(corpus, tmp_path) == (text, set())

    def test_i_row_differs(self, tmp_path: Path) -> None:
        text = "-DOCSTART- (x)\nNew\tB\tNew York\tBonn\nYork\tI\tYork\tBonn\n"
        corpus = get(tmp_path, text)
        assert repairs(corpus) == [("i-row-differs", "York\tBonn", "New York\tBonn")]
        assert links(corpus) == [("New York", f"{WIKI}Bonn")]

    @pytest.mark.parametrize("before", ["", "a\n", "EU\tB\tEU\tEU\n\n"])
    def test_i_without_b(self, before: str, tmp_path: Path) -> None:
        corpus = get(tmp_path, f"-DOCSTART- (x)\n{before}York\tI\tYork\tBonn\n")
        assert repairs(corpus) == [("i-without-b", "I", "the mention begins here")]
        assert links(corpus)[-1] == ("York", f"{WIKI}Bonn")

    @pytest.mark.parametrize("rest", ["\t", "\t\t\t\t", "\tO", "\tO\t\t"])
    def test_empty_columns(self, rest: str, tmp_path: Path) -> None:
        corpus = get(tmp_path, f"-DOCSTART- (x)\nEU{rest}\nYork\tB\tYork\tBonn\nis{rest}\n")
        assert [kind for kind, _, _ in repairs(corpus)] == ["empty-columns"]
        assert corpus.documents[0].text == "EU York is"

    @pytest.mark.parametrize("score", ["much", "nan", "inf", "1e999"])
    def test_malformed_score(self, score: str, tmp_path: Path) -> None:
        text = f"-DOCSTART- (x)\nBonn\tB\tBonn\tBonn\t0.5\nYork\tB\tYork\tYork\t{score}\n"
        corpus = get(tmp_path, text)
        assert repairs(corpus) == [("malformed-score", score, "")]
        assert [link.score for _, _, link in corpus.links()] == [0.5, None]
        assert written(corpus, tmp_path, "conll03-nel") == (text, set())


class TestBadInput:
    @pytest.mark.parametrize(
        ("row", "match"),
        [
            ("EU\tX\tEU\tEU", "the tag is 'X'"),
            ("EU\tB-ORG\tEU\tEU", "the tag is 'B-ORG'"),
            ("EU\tB", "the row has 2 columns"),
            ("EU\tI", "the row has 2 columns"),
            ("\tB\tEU\tEU", "the row has no token"),
            ("\t\tx", "the row has no token"),
            ("EU\tO\tEU\tEU", "the tag is 'O'"),
            (f"3\tGermany\t{URL}Germany", "the tokens are not here"),
            ("3\t--NME--", "the tokens are not here"),
        ],
    )
    def test_rows(self, row: str, match: str, tmp_path: Path) -> None:
        path = put(tmp_path, f"-DOCSTART- (x)\nEU\n{row}\n\n-DOCSTART- (y)\nEU\n")
        assert fails(path, match, format="aida").line == 3
        errors: list[ReadError] = []
        kept = read(path, format="aida", options=ReadOptions(errors=errors))
        assert [document.id for document in kept.documents] == ["y"]
        assert [error.line for error in errors] == [3]

    def test_not_utf8(self, tmp_path: Path) -> None:
        path = put(tmp_path, ORIGINAL.replace("call", "Zürich").encode("latin-1"))
        assert fails(path, "byte 0xfc is not UTF-8").line == 5

    @pytest.mark.parametrize("content", ["", "\n", "\n \n"])
    def test_nothing_in_it(self, content: str, tmp_path: Path) -> None:
        assert get(tmp_path, content, format="aida").documents == ()

    def test_token_numbers_of_aida(self, tmp_path: Path) -> None:
        path = put(tmp_path, f"-DOCSTART- (1 EU)\n0\t--NME--\n2\tGermany\t{URL}Germany\t1\t/m/1\n")
        assert fails(path, "the tokens are not here").line == 2


class TestWriting:
    def test_seven_columns_by_default(self, tmp_path: Path) -> None:
        text = "Angela Merkel visited New York. It rained."
        entities = [f"{WIKI}Angela_Merkel", "http://dbpedia.org/resource/New_York_(state)"]
        document = Document(
            id="x",
            text=text,
            mentions=(
                Mention(begin=0, end=13, links=(Link(entity=entities[0]),)),
                Mention(begin=22, end=30, links=(Link(entity=entities[1]),)),
                Mention(begin=32, end=34, links=(Link(),)),
            ),
        )
        got, losses = written(Corpus(documents=(document,)), tmp_path)
        assert got == (
            "-DOCSTART- (x)\n"
            f"Angela\tB\tAngela Merkel\tAngela_Merkel\t{entities[0]}\t\t\n"
            f"Merkel\tI\tAngela Merkel\tAngela_Merkel\t{entities[0]}\t\t\n"
            "visited\n"
            f"New\tB\tNew York\tNew_York_\\u0028state\\u0029\t{entities[1]}\t\t\n"
            f"York\tI\tNew York\tNew_York_\\u0028state\\u0029\t{entities[1]}\t\t\n"
            ".\n"
            "It\tB\tIt\t--NME--\n"
            "rained\n"
            ".\n"
        )
        assert losses == {("text", "x"), ("offsets", "x")}
        back = read(tmp_path / "written")
        assert [entity for _, entity in links(back)] == [*entities, None]

    @pytest.mark.parametrize(
        "entity", ["Q42", "/m/0jcx", "E0123", "a b", "urn:x", " x ", "a\\u0041"]
    )
    @pytest.mark.parametrize("columns", [4, 5, 6, 7])
    def test_every_identifier_is_kept(self, entity: str, columns: int, tmp_path: Path) -> None:
        mention = Mention(begin=0, end=2, links=(Link(entity=entity),))
        document = Document(id="x", text="EU", mentions=(mention,))
        corpus = Corpus(documents=(document,), metadata={"columns": columns})
        assert written(corpus, tmp_path)[1] == set()
        assert links(read(tmp_path / "written", format="aida")) == [("EU", entity)]

    def test_titles_that_say_less_are_reported(self, tmp_path: Path) -> None:
        entities = [f"{WIKI}Bonn", f"{URL}Bonn", "https://de.wikipedia.org/wiki/Bonn", "Q586"]
        mentions = [
            Mention(begin=at, end=at + 1, links=(Link(entity=entity, score=0.5),))
            for at, entity in zip((0, 2, 4, 6), entities, strict=True)
        ]
        document = Document(id="x", text="a b c d", mentions=tuple(mentions))
        text, losses = written(Corpus(documents=(document,)), tmp_path, "conll03-nel")
        assert "a\tB\ta\tBonn\t0.5\n" in text
        assert {loss for loss in losses if loss[0].startswith("entity")} == {
            ("entity-spelling", "x 2-3"),
            ("entity", "x 4-5"),
            ("entity", "x 6-7"),
        }

    def test_lines_are_sentences(self, tmp_path: Path) -> None:
        document = Document(id="x", text="one two\nthree", mentions=())
        text, losses = written(Corpus(documents=(document,)), tmp_path)
        assert text == "-DOCSTART- (x)\none\ntwo\n\nthree\n"
        assert losses == set()

    def test_a_mention_holds_sentences_together(self, tmp_path: Path) -> None:
        document = Document(
            id="x",
            text="a b c",
            mentions=(Mention(begin=0, end=3, links=(Link(),)),),
            sentences=(Span(begin=0, end=1), Span(begin=2, end=5)),
        )
        text, losses = written(Corpus(documents=(document,)), tmp_path)
        assert text == "-DOCSTART- (x)\na\tB\ta b\t--NME--\nb\tI\ta b\t--NME--\nc\n"
        assert ("sentences", "x") in losses

    @pytest.mark.parametrize(
        ("text", "tokens", "rows"),
        [
            ("a\tb c", [(0, 3), (4, 5)], ["a", "b", "c"]),
            ("a\nb c", [(0, 3), (4, 5)], ["a", "", "b", "c"]),
            ("ab c", [(0, 2), (1, 4)], ["ab", "c"]),
            ("ab c", [(0, 2)], ["ab", "c"]),
            ("ab c", [(0, 9)], ["ab", "c"]),
            ("ab c", [(3, 4), (0, 2)], ["ab", "c"]),
            ("ab c", [(-4, 2), (3, 4)], ["ab", "c"]),
        ],
    )
    def test_tokens_that_no_row_holds(
        self, text: str, tokens: list[tuple[int, int]], rows: list[str], tmp_path: Path
    ) -> None:
        spans = tuple(Span(begin=begin, end=end) for begin, end in tokens)
        document = Document(id="x", text=text, tokens=spans)
        got, losses = written(Corpus(documents=(document,)), tmp_path)
        assert got.split("\n")[1:-1] == rows
        assert ("tokens", "x") in losses

    def test_a_token_like_a_docstart(self, tmp_path: Path) -> None:
        text = "-DOCSTART- x"
        tokens = (Span(begin=0, end=10), Span(begin=11, end=12))
        got, losses = written(
            Corpus(documents=(Document(id="x", text=text, tokens=tokens),)), tmp_path
        )
        assert got == "-DOCSTART- (x)\n_DOCSTART-\nx\n"
        assert ("text", "x") in losses

    def test_a_mention_inside_a_token(self, tmp_path: Path) -> None:
        document = Document(
            id="x",
            text="Bonn-based",
            mentions=(Mention(begin=0, end=4, links=(Link(),)),),
            tokens=(Span(begin=0, end=10),),
        )
        got, losses = written(Corpus(documents=(document,)), tmp_path)
        assert got == "-DOCSTART- (x)\nBonn\tB\tBonn\t--NME--\n-based\n"
        assert ("tokens", "x") in losses

    def test_mentions_that_no_row_holds(self, tmp_path: Path) -> None:
        spans = [(-1, 1), (0, 8), (4, 8), (4, 4), (8, 9), (9, 14), (11, 99)]
        mentions = tuple(Mention(begin=b, end=e, links=(Link(),)) for b, e in spans)
        document = Document(id="x", text="the Bonn and x", mentions=mentions)
        got, losses = written(Corpus(documents=(document,)), tmp_path)
        assert [row.split("\t")[2] for row in got.split("\n") if "\tB\t" in row] == [
            "the Bonn",
            "and x",
        ]
        assert {where for kind, where in losses if kind == "mention"} == {
            "x -1-1",
            "x 4-4",
            "x 8-9",
            "x 11-99",
        }
        assert ("nesting", "x 4-8") in losses

    def test_white_space_at_the_edges(self, tmp_path: Path) -> None:
        document = Document(
            id="x", text="a b c", mentions=(Mention(begin=1, end=4, links=(Link(),)),)
        )
        got, losses = written(Corpus(documents=(document,)), tmp_path)
        assert "b\tB\tb\t--NME--" in got
        assert losses == {("offsets", "x")}

    def test_fields_that_break_rows(self, tmp_path: Path) -> None:
        mention = Mention(begin=0, end=1, surface="a\tb", links=(Link(entity="Bonn\n\tam Rhein"),))
        document = Document(id="x\ny", text="a", mentions=(mention,))
        got, losses = written(Corpus(documents=(document,)), tmp_path)
        assert got.split("\n")[0] == "-DOCSTART- (x y)"
        assert got.count("\n") == 2
        assert {("document-id", "x\ny"), ("surfaces", "x\ny 0-1"), ("entity", "x\ny 0-1")} <= losses

    def test_what_has_no_place(self, tmp_path: Path) -> None:
        link = Link(entity=f"{URL}Bonn", attributes={"wikipedia_id": "1", "note": "x"})
        document = Document(
            id="947testa X",
            text="a",
            mentions=(Mention(begin=0, end=1, links=(link, Link())),),
            metadata={"split": "train", "source": "x"},
        )
        without = Document(id="y", mentions=(Mention(begin=0, end=1, links=(Link(),)),))
        _, losses = written(Corpus(documents=(document, without)), tmp_path)
        assert losses == {
            ("metadata", "947testa X"),
            ("link-attributes", "947testa X 0-1"),
            ("several-links", "947testa X 0-1"),
            ("document", "y"),
            ("no-text", "y"),
        }


class TestRows:
    @pytest.mark.parametrize(
        ("title", "name"),
        [
            ("Apple Inc.", "Apple_Inc\\u002e"),
            ("Atlético", "Atl\\u00e9tico"),
            ("𝄞", "\\ud834\\udd1e"),
            ("a-b'c", "a\\u002db\\u0027c"),
        ],
    )
    def test_yago(self, title: str, name: str) -> None:
        assert yago(title) == name
        assert read_link([name], Layout(4)).link.entity == WIKI + title.replace(" ", "_")

    @pytest.mark.parametrize("layout", [AIDA, Layout(4), Layout(5), Layout(6), SCORED])
    @pytest.mark.parametrize(
        "row",
        [
            "",
            "x",
            "x\t1.0",
            "x\t1.00",
            "\t0.5",
            f"x\t{URL}x",
            f"x\t{URL}x\t1",
            "--NME--",
            "\t\t\t\t",
        ],
    )
    def test_what_is_read_is_written(self, row: str, layout: Layout) -> None:
        cells = row.split("\t") if row else []
        assert link_cells(read_link(cells, layout).link, layout) == cells


class TestOffsets:
    ROWS = "doc1\t0\t2\t\t\ndoc1\t7\t8\tParis\t0.5\ndocb\t7\t8\tParis\t\n"

    def test_without_tokens(self, tmp_path: Path) -> None:
        corpus = get(tmp_path, self.ROWS, format="conll03-nel-offsets")
        first, second = corpus.documents
        assert (first.id, first.text, first.metadata) == ("doc1", None, {"offsets": "tokens"})
        assert [mention.span for mention in first.mentions] == [(0, 2), (7, 8)]
        assert [mention.links for mention in first.mentions] == [
            (Link(),),
            (Link(entity=f"{WIKI}Paris", score=0.5),),
        ]
        assert second.id == "docb"
        assert written(corpus, tmp_path, "conll03-nel-offsets") == (self.ROWS, set())

    @needs_shared
    def test_with_tokens(self, tmp_path: Path) -> None:
        path = put(tmp_path, self.ROWS)
        options = ReadOptions(texts=SAMPLES / "conll03" / "data_full.txt")
        corpus = read(path, format="conll03-nel-offsets", options=options)
        assert links(corpus) == [
            ("The Cat", None),
            ("Paris", f"{WIKI}Paris"),
            ("Paris", f"{WIKI}Paris"),
        ]
        assert corpus.documents[1].metadata == {}
        text, losses = written(corpus, tmp_path, "conll03-nel-offsets")
        assert text == self.ROWS
        assert {kind for kind, _ in losses} == {"text", "sentences", "tokens", "offsets"}

    @needs_shared
    def test_release_of_a_file_with_tokens(self, tmp_path: Path) -> None:
        corpus = read(SAMPLES / "conll03" / "data_full.txt")
        text, _ = written(corpus, tmp_path, "conll03-nel-offsets")
        assert text.split("\n")[:4] == [
            "doc1\t0\t2\t\t",
            "doc1\t7\t8\tParis\t0.8",
            "doc1\t8\t9\tFrance\t0.8",
            "doc1\t14\t16\t\t",
        ]

    @needs_shared
    @pytest.mark.parametrize("name", ["gold", "sysa", "multi_gold", "multi_sysa"])
    def test_as_the_tool_unstitches(self, name: str, tmp_path: Path) -> None:
        rows = SHARED / "neleval" / "tac" / f"conll_{name}.txt"
        release = rows.with_suffix(".unstitched.tsv")
        corpus = read(rows)
        assert written(corpus, tmp_path, "conll03-nel-offsets")[0] == release.read_text()
        options = ReadOptions(texts=rows)
        stitched = read(release, format="conll03-nel-offsets", options=options)
        assert stitched.documents == corpus.documents
        again, losses = written(stitched, tmp_path, "conll03-nel")
        assert (again, losses) == (rows.read_text(), set())

    def test_tokens_of_conll2003(self, tmp_path: Path) -> None:
        texts = put(tmp_path, "-DOCSTART- -X- -X- O\n\nParis NNP B-NP I-LOC\n. . O O\n\n", "t")
        path = put(tmp_path, "1\t0\t1\tParis\n", "x.nel-offsets.tsv")
        corpus = read(path, options=ReadOptions(texts=texts))
        assert corpus.documents[0].text == "Paris ."
        assert links(corpus) == [("Paris", f"{WIKI}Paris")]

    @pytest.mark.parametrize(
        ("row", "match"),
        [
            ("x\t0", "2 columns"),
            ("x\t0\t1\ta\tb\tc", "6 columns"),
            ("x\ta\t1", "'a' is no number"),
            ("x\t0\t1.5", "'1.5' is no number"),
            ("x\t0\t" + "9" * 400, "is no number"),
            ("x\t0\t" + "9" * 18, "is no number"),
        ],
    )
    def test_bad_rows(self, row: str, match: str, tmp_path: Path) -> None:
        path = put(tmp_path, f"x\t0\t1\n\n{row}\n")
        assert fails(path, match, format="conll03-nel-offsets").line == 3

    def test_crlf_and_impossible_spans(self, tmp_path: Path) -> None:
        corpus = get(tmp_path, "x\t0\t1\tA\r\nx\t3\t2\tB\r\n", format="conll03-nel-offsets")
        assert [kind for kind, _, _ in repairs(corpus)] == ["crlf", "impossible-span"]

    @pytest.mark.parametrize(
        "row", ["doc1\t3\t9\tA", "doc1\t-1\t1\tA", "doc1\t1\t1\tA", "y\t0\t1\tA"]
    )
    def test_tokens_that_are_not_there(self, row: str, tmp_path: Path) -> None:
        texts = put(tmp_path, "-DOCSTART- (doc1)\na\nb\nc\n", "tokens.tsv")
        path = put(tmp_path, f"doc1\t0\t1\tA\n{row}\n")
        name = row.split("\t")[0]
        error = fails(
            path, "tokens", format="conll03-nel-offsets", options=ReadOptions(texts=texts)
        )
        assert (error.line, error.document) == (2, name)
        errors: list[ReadError] = []
        options = ReadOptions(texts=texts, errors=errors)
        corpus = read(path, format="conll03-nel-offsets", options=options)
        assert links(corpus) == [("a", f"{WIKI}A")]
        assert len(errors) == 1

    def test_texts_that_are_none(self, tmp_path: Path) -> None:
        path = put(tmp_path, self.ROWS)
        for texts, match in ((tmp_path, "in one file"), (path, "holds no tokens")):
            with pytest.raises(ReadError, match=match):
                read(path, format="conll03-nel-offsets", options=ReadOptions(texts=texts))
