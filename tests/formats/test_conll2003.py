"""CoNLL-2003 and its tagging schemes."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from elcurate.errors import ReadError
from elcurate.formats.all import detect
from elcurate.formats.base import ReadOptions
from elcurate.formats.io import read
from elcurate.formats.outputs import write
from elcurate.formats.source import Source
from elcurate.formats.tagging import SCHEMES, Tagged, decode, encode, find_scheme, is_tag
from elcurate.model.corpus import Corpus, Document, Link, Mention, Span

START = "-DOCSTART- -X- O O"
ENGLISH = f"""{START}

EU NNP I-NP I-ORG
rejects VBZ I-VP O
German JJ I-NP I-MISC
British JJ I-NP B-MISC
call NN I-NP O
. . O O

Peter NNP I-NP I-PER
Blackburn NNP I-NP I-PER

{START}

BRUSSELS NNP I-NP I-LOC

"""
MARKED = [Tagged(0, 1, "LOC"), Tagged(1, 3, "LOC"), Tagged(4, 7, "PER"), Tagged(7, 8, "LOC")]
TAGS = {
    "IOB1": "I-LOC B-LOC I-LOC O I-PER I-PER I-PER I-LOC O",
    "IOB2": "B-LOC B-LOC I-LOC O B-PER I-PER I-PER B-LOC O",
    "BIOES": "S-LOC B-LOC E-LOC O B-PER I-PER E-PER S-LOC O",
    "BILOU": "U-LOC B-LOC L-LOC O B-PER I-PER L-PER U-LOC O",
}
SPANS = [(0, 1), (2, 5), (8, 13), (14, 15)]


def put(folder: Path, content: str | bytes, name: str = "x.txt") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def get(folder: Path, content: str, **options: object) -> Corpus:
    return read(put(folder, content), **options)


def fails(path: Path, match: str, **options: object) -> ReadError:
    with pytest.raises(ReadError, match=match) as caught:
        read(path, **options)
    assert str(path) in str(caught.value)
    return caught.value


def repairs(corpus: Corpus) -> list[tuple[str, str, str]]:
    return [(one.kind, one.before, one.after) for one in corpus.repairs]


def written(corpus: Corpus, folder: Path, form: str = "conll2003") -> tuple[str, set[str]]:
    path = folder / "written"
    losses = write(corpus, path, format=form)
    return path.read_bytes().decode(), {f"{loss.kind} {loss.where}" for loss in losses}


def typed(corpus: Corpus) -> list[tuple[str | None, object]]:
    return [
        (doc.surface(mention), mention.attributes.get("type")) for doc, mention in corpus.mentions()
    ]


class TestReading:
    def test_english(self, tmp_path: Path) -> None:
        corpus = get(tmp_path, ENGLISH)
        assert detect(Source(tmp_path / "x.txt")).name == "conll2003"
        assert corpus.metadata == {
            "detokenise": "space",
            "tagging": "IOB1",
            "columns": ["pos", "chunk"],
            "separator": " ",
            "docstart": START,
        }
        assert corpus.repairs == ()
        first, second = corpus.documents
        assert [first.id, second.id] == ["1", "2"]
        assert first.text == "EU rejects German British call .\nPeter Blackburn"
        assert [(part.begin, part.end) for part in first.sentences] == [(0, 32), (33, 48)]
        assert typed(corpus) == [
            ("EU", "ORG"),
            ("German", "MISC"),
            ("British", "MISC"),
            ("Peter Blackburn", "PER"),
            ("BRUSSELS", "LOC"),
        ]
        assert all(mention.links == () for mention in first.mentions)
        assert second.metadata == {"pos": "NNP", "chunk": "I-NP"}
        assert written(corpus, tmp_path) == (ENGLISH, set())

    @pytest.mark.parametrize(
        ("name", "lines"),
        [
            ("two", ["EU B-ORG", "rejects O"]),
            ("three", ["EU NNP B-ORG", "rejects VBZ O"]),
            ("german", ["EU EU NE I-NC B-ORG", "lehnt ablehnen VVFIN I-VC O"]),
            ("six", ["EU a b c d B-ORG", "lehnt e f g h O"]),
            ("tabs", ["EU\tNNP\tB-NP\tB-ORG", "re jects\tVBZ\t\tO"]),
        ],
    )
    def test_columns(self, name: str, lines: list[str], tmp_path: Path) -> None:
        start = "-DOCSTART- -X- O"
        text = "\n".join([start, "", *lines, "", ""])
        corpus = get(tmp_path, text)
        assert detect(Source(tmp_path / "x.txt")).name == "conll2003"
        assert typed(corpus) == [("EU", "ORG")]
        columns = {
            "two": [],
            "three": ["pos"],
            "german": ["lemma", "pos", "chunk"],
            "six": ["column2", "column3", "column4", "column5"],
            "tabs": ["pos", "chunk"],
        }[name]
        assert corpus.metadata["columns"] == columns
        assert [*corpus.documents[0].metadata] == columns
        again, losses = written(corpus, tmp_path)
        assert losses == set()
        assert again.split("\n")[1:] == text.split("\n")[1:]

    def test_fillers_are_no_values(self, tmp_path: Path) -> None:
        text = "-DOCSTART- -X- -X- O\n\nEU -X- B-NP B-ORG\n. -X- O O\n\n"
        corpus = get(tmp_path, text)
        assert corpus.documents[0].metadata == {"chunk": "B-NP O"}
        assert written(corpus, tmp_path) == (text, set())

    @pytest.mark.parametrize("ids", [["1 EU", "947testa CRICKET"], ["2", "1"], ["a) (b", ""]])
    def test_ids(self, ids: list[str], tmp_path: Path) -> None:
        text = "".join(f"-DOCSTART- ({name}) -X- O\n\nEU NNP B-NP B-ORG\n\n" for name in ids)
        corpus = get(tmp_path, text)
        assert [document.id for document in corpus.documents] == ids
        assert all("docstart" not in document.metadata for document in corpus.documents)
        assert written(corpus, tmp_path) == (text, set())

    def test_other_docstart_lines_are_kept(self, tmp_path: Path) -> None:
        row = "EU NNP B-NP B-ORG\n\n"
        starts = ["-DOCSTART- -X- O O", "-DOCSTART- -X- -X- O", "-DOCSTART- (x)", "-DOCSTART-"]
        text = "".join(f"{start}\n\n{row}" for start in starts)
        corpus = get(tmp_path, text)
        assert [document.id for document in corpus.documents] == ["1", "2", "x", "4"]
        assert written(corpus, tmp_path) == (text, set())

    def test_without_docstart(self, tmp_path: Path) -> None:
        text = "EU NNP B-NP B-ORG\n. . O O\n\nBonn NNP B-NP B-LOC\n\n"
        corpus = get(tmp_path, text)
        assert corpus.documents[0].id == "1"
        assert corpus.repairs == ()
        assert written(corpus, tmp_path) == (text, set())

    def test_docstart_only_later(self, tmp_path: Path) -> None:
        row = "EU NNP B-NP B-ORG\n\n"
        text = f"{row}{START}\n\n{row}"
        corpus = get(tmp_path, text)
        assert [document.id for document in corpus.documents] == ["1", "2"]
        assert written(corpus, tmp_path) == (text, set())

    def test_crlf_and_byte_order_mark(self, tmp_path: Path) -> None:
        corpus = get(tmp_path, "\ufeff" + ENGLISH.replace("\n", "\r\n"))
        assert corpus.documents == get(tmp_path, ENGLISH).documents
        assert sorted(kind for kind, _, _ in repairs(corpus)) == ["byte-order-mark", "crlf"]

    def test_bat(self, tmp_path: Path) -> None:
        corpus = get(tmp_path, ENGLISH, options=ReadOptions(detokenise="bat"))
        assert corpus.documents[0].text == "EU rejects German British call.\nPeter Blackburn\n"
        assert written(corpus, tmp_path)[0] == ENGLISH

    @pytest.mark.parametrize(
        "row", ["EU  NNP B-NP\tB-ORG", " EU NNP B-NP B-ORG ", "EU\tNNP\tB-NP\tB-ORG"]
    )
    def test_other_separators(self, row: str, tmp_path: Path) -> None:
        corpus = get(tmp_path, f"{START}\n\nx NN O O\n{row}\n\n", format="conll2003")
        assert [kind for kind, _, _ in repairs(corpus)] == ["separators"]
        assert typed(corpus) == [("EU", "ORG")]
        assert corpus.documents[0].metadata["pos"] == "NN NNP"

    def test_lines_of_blanks_end_sentences(self, tmp_path: Path) -> None:
        text = ENGLISH.replace("\n\nPeter", "\n \t\n\n\nPeter")
        assert get(tmp_path, text).documents == get(tmp_path, ENGLISH).documents

    @pytest.mark.parametrize("content", ["", "\n"])
    def test_nothing_in_it(self, content: str, tmp_path: Path) -> None:
        assert get(tmp_path, content, format="conll2003").documents == ()

    def test_documents_without_rows(self, tmp_path: Path) -> None:
        text = f"{START}\n\n{START}\n\n"
        corpus = get(tmp_path, text)
        assert [document.text for document in corpus.documents] == ["", ""]
        assert written(corpus, tmp_path) == (text, set())


class TestBadInput:
    @pytest.mark.parametrize(
        ("row", "match"),
        [
            ("EU NNP B-NP", "the row has 3 columns"),
            ("EU NNP B-NP B-ORG x", "the row has 5 columns"),
            ("EU", "the row has 1 columns"),
            ("EU NNP B-NP X-ORG", "'X-ORG' is no tag"),
            ("EU NNP B-NP B-", "'B-' is no tag"),
            ("EU NNP B-NP ORG", "'ORG' is no tag"),
            ("EU NNP B-NP ", "the row has 3 columns|is no tag"),
            (" NNP B-NP O", "the row has 3 columns|no token"),
        ],
    )
    def test_rows(self, row: str, match: str, tmp_path: Path) -> None:
        path = put(tmp_path, f"{START}\n\nx NN O O\n{row}\n\n{START}\n\nEU NNP B-NP B-ORG\n")
        assert fails(path, match, format="conll2003").line == 4
        errors: list[ReadError] = []
        corpus = read(path, format="conll2003", options=ReadOptions(errors=errors))
        assert [document.id for document in corpus.documents] == ["2"]
        assert [error.line for error in errors] == [4]

    def test_not_utf8(self, tmp_path: Path) -> None:
        path = put(tmp_path, ENGLISH.replace("call", "Zürich").encode("latin-1"))
        assert fails(path, "byte 0xfc is not UTF-8").line == 7

    def test_same_id_twice(self, tmp_path: Path) -> None:
        text = "-DOCSTART- (x) -X- O\n\nEU NNP B-NP B-ORG\n\n" * 2
        assert fails(put(tmp_path, text), "occurs twice").document == "x"

    @pytest.mark.parametrize(
        "text",
        [
            "one two three\nfour five six\n",
            "a O\nb O\n",
            "the\tB\tthe cat\n",
            "x\nO\n",
            "a B-PER\nb B-PER c\n",
            "# a\n1\tEU\tEU\tNOUN\t_\t_\t0\troot\t_\t_\n",
        ],
    )
    def test_what_is_something_else(self, text: str, tmp_path: Path) -> None:
        path = put(tmp_path, text)
        with contextlib.suppress(ReadError):
            assert not detect(Source(path)).name.startswith("conll2003")


class TestTagging:
    @pytest.mark.parametrize("scheme", SCHEMES)
    def test_schemes(self, scheme: str) -> None:
        tags = TAGS[scheme].split()
        assert encode(9, MARKED, scheme) == tags
        assert decode(tags) == MARKED
        assert find_scheme([tags]) == scheme

    @pytest.mark.parametrize(
        ("tags", "scheme", "marked"),
        [
            ("O O", None, []),
            ("B I O", "IOB2", [(0, 2, "")]),
            ("I-A I-A I-B", "IOB1", [(0, 2, "A"), (2, 3, "B")]),
            ("B-A I-B", "IOB1", [(0, 1, "A"), (1, 2, "B")]),
            ("E-A", "BIOES", [(0, 1, "A")]),
            ("B-A O E-A", "BIOES", [(0, 1, "A"), (2, 3, "A")]),
            ("B-A E-A I-A", "BIOES", [(0, 2, "A"), (2, 3, "A")]),
            ("U-A L-A", "BILOU", [(0, 1, "A"), (1, 2, "A")]),
            ("B-Geo-Pol I-Geo-Pol", "IOB2", [(0, 2, "Geo-Pol")]),
        ],
    )
    def test_any_tags(
        self, tags: str, scheme: str | None, marked: list[tuple[int, int, str]]
    ) -> None:
        assert decode(tags.split()) == marked
        assert find_scheme([tags.split()]) == scheme

    def test_a_sentence_ends_a_stretch(self) -> None:
        assert find_scheme([["B-A"], ["I-A"]]) == "IOB1"

    @pytest.mark.parametrize("tag", ["O", "B", "I-x", "S-1", "L--", "U-a b"])
    def test_tags(self, tag: str) -> None:
        assert is_tag(tag)

    @pytest.mark.parametrize("tag", ["", "o", "B-", "X-PER", "BPER", "PER", "-", "OO", "O-PER"])
    def test_no_tags(self, tag: str) -> None:
        assert not is_tag(tag)

    @pytest.mark.parametrize("scheme", SCHEMES)
    @pytest.mark.parametrize("other", SCHEMES)
    def test_converted(self, scheme: str, other: str, tmp_path: Path) -> None:
        texts = {}
        for name in (scheme, other):
            rows = [
                f"{token} {tag}" for token, tag in zip("abcdefghi", TAGS[name].split(), strict=True)
            ]
            texts[name] = "\n".join(["-DOCSTART- O", "", *rows, "", ""])
        corpus = get(tmp_path, texts[scheme])
        assert corpus.metadata["tagging"] == scheme
        assert [mention.span for _, mention in corpus.mentions()] == [
            (0, 1),
            (2, 5),
            (8, 13),
            (14, 15),
        ]
        assert written(corpus, tmp_path) == (texts[scheme], set())
        form = f"conll2003-{other.lower()}"
        assert written(corpus, tmp_path, form) == (texts[other], set())

    def test_sequences_of_no_scheme_are_reported(self, tmp_path: Path) -> None:
        corpus = get(tmp_path, "-DOCSTART- O\n\na B-X\nb S-X\nc E-X\nd B-X\n\n")
        assert corpus.metadata["tagging"] == "BIOES"
        assert repairs(corpus) == [
            ("tag-sequence", "B-X", "S-X"),
            ("tag-sequence", "E-X", "S-X"),
            ("tag-sequence", "B-X", "S-X"),
        ]
        assert len(corpus.documents[0].mentions) == 4


class TestWriting:
    def test_four_columns_by_default(self, tmp_path: Path) -> None:
        document = Document(
            id="doc a",
            text="Angela Merkel and New York.",
            mentions=(
                Mention(begin=0, end=13, links=(Link(entity="Q567", type="PER"),)),
                Mention(begin=18, end=26),
            ),
        )
        text, losses = written(Corpus(documents=(document, Document(id="2", text=""))), tmp_path)
        assert text == (
            "-DOCSTART- (doc a) -X- O\n\n"
            "Angela -X- -X- B-PER\n"
            "Merkel -X- -X- I-PER\n"
            "and -X- -X- O\n"
            "New -X- -X- B\n"
            "York -X- -X- I\n"
            ". -X- -X- O\n\n"
            "-DOCSTART- -X- -X- O\n\n"
        )
        assert losses == {
            "text doc a",
            "offsets doc a",
            "link doc a 0-13",
            "mention-attributes doc a 0-13",
        }

    def test_types_without_blanks(self, tmp_path: Path) -> None:
        mention = Mention(begin=0, end=1, attributes={"type": "Geo Political", "note": 1})
        text, losses = written(
            Corpus(documents=(Document(id="1", text="a", mentions=(mention,)),)), tmp_path
        )
        assert "a -X- -X- B-Geo_Political\n" in text
        assert losses == {"mention-attributes 1 0-1"}

    def test_tokens_with_blanks_are_cut(self, tmp_path: Path) -> None:
        tokens = (Span(begin=0, end=11), Span(begin=12, end=14))
        document = Document(
            id="1",
            text="Isle of Man is",
            mentions=(Mention(begin=0, end=11),),
            tokens=tokens,
            metadata={"pos": "NNP VBZ"},
        )
        text, losses = written(Corpus(documents=(document,)), tmp_path)
        assert text.split("\n")[2:6] == [
            "Isle -X- -X- B",
            "of -X- -X- I",
            "Man -X- -X- I",
            "is -X- -X- O",
        ]
        assert losses == {"tokens 1", "metadata 1"}
        tabs = Corpus(documents=(document,), metadata={"separator": "\t"})
        text, losses = written(tabs, tmp_path)
        assert text.split("\n")[2] == "Isle of Man\tNNP\t-X-\tB"
        assert losses == set()

    @pytest.mark.parametrize(
        "pos", ["A", "A B C", "A  B", "A ", "A\nB", "-X- -X-", "", ["A", "B"], 5, None]
    )
    def test_columns_that_do_not_fit(self, pos: object, tmp_path: Path) -> None:
        tokens = (Span(begin=0, end=1), Span(begin=2, end=3))
        document = Document(id="1", text="a b", tokens=tokens, metadata={"pos": pos})
        text, losses = written(Corpus(documents=(document,)), tmp_path)
        assert text == "-DOCSTART- -X- -X- O\n\na -X- -X- O\nb -X- -X- O\n\n"
        assert losses == {"metadata 1"}

    @pytest.mark.parametrize(
        "metadata",
        [
            {"columns": 7, "separator": ";", "tagging": "IOB3", "docstart": "-DOCSTART-\nb"},
            {"columns": [1], "separator": None, "tagging": 1, "docstart": 5},
            {"columns": [""]},
        ],
    )
    def test_metadata_of_something_else(self, metadata: dict[str, object], tmp_path: Path) -> None:
        corpus = Corpus(documents=(Document(id="1", text="a"),), metadata=metadata)
        assert written(corpus, tmp_path)[0] == "-DOCSTART- -X- -X- O\n\na -X- -X- O\n\n"

    def test_from_aida(self, tmp_path: Path) -> None:
        text = "-DOCSTART- (947testa X)\nBonn\tB\tBonn\tBonn\nis\n"
        corpus = get(tmp_path, text)
        got, losses = written(corpus, tmp_path)
        assert got == "-DOCSTART- (947testa X) -X- O\n\nBonn -X- -X- B\nis -X- -X- O\n\n"
        assert losses == {"link 947testa X 0-4", "metadata 947testa X"}

    def test_document_ids_are_one_line(self, tmp_path: Path) -> None:
        got, losses = written(Corpus(documents=(Document(id="a\nb", text=""),)), tmp_path)
        assert got == "-DOCSTART- (a b) -X- O\n\n"
        assert losses == {"document-id a\nb"}
