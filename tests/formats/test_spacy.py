"""spaCy's DocBin: those of pipelines, ours in spaCy's hands, and damaged ones."""

from __future__ import annotations

import gc
import json
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest
import spacy
import srsly
from formats.small_files import PAGE, fails, kinds, put
from spacy.tokens import Doc, DocBin, Span, SpanGroup
from strategies import torture_corpus

from elcurate.errors import WriteError
from elcurate.formats.all import detect
from elcurate.formats.base import ReadOptions
from elcurate.formats.io import read
from elcurate.formats.outputs import write
from elcurate.formats.source import Source
from elcurate.model.categories import Categories
from elcurate.model.corpus import Corpus, Document, Link, Mention
from elcurate.model.corpus import Span as Stretch

TEXT = "Angela Merkel, die 😀 Kanzlerin, traf Obama."
MERKEL = PAGE + "Angela_Merkel"


@pytest.fixture(scope="module")
def nlp() -> Any:
    return spacy.blank("de")


def saved(path: Path, *docs: Doc, attrs: tuple[str, ...] = ()) -> Path:
    names = attrs or ("ENT_IOB", "ENT_TYPE", "ENT_KB_ID", "ENT_ID", "SENT_START")
    path.write_bytes(DocBin(attrs=names, docs=docs, store_user_data=True).to_bytes())
    return path


def docs_of(path: Path) -> list[Doc]:
    vocab = spacy.blank("xx").vocab
    return list(DocBin().from_bytes(path.read_bytes()).get_docs(vocab))


def pipeline_doc(nlp: Any) -> Doc:
    doc = nlp(TEXT)
    doc.ents = [
        Span(doc, 0, 2, label="PER", kb_id=MERKEL, span_id="merkel"),
        Span(doc, 8, 9, label="PER", kb_id="NIL"),
    ]
    doc.spans["sc"] = [Span(doc, 4, 6, label="ROLE")]
    for token in doc:
        token.is_sent_start = token.i == 0
    doc.cats = {"politics": 0.9}
    doc.user_data["source"] = "web"
    doc.user_data["._.", "base_form", 0, 13] = "Full name"
    doc.user_data["._.", "genre", None, None] = ("a", 1)
    return doc


class TestReading:
    def test_the_output_of_a_pipeline(self, nlp: Any, tmp_path: Path) -> None:
        path = saved(tmp_path / "x.spacy", pipeline_doc(nlp))
        corpus = read(path)
        assert detect(Source(path)).name == "spacy"
        assert corpus.repairs == ()
        (found,) = corpus.documents
        assert (found.id, found.text) == ("x-1", TEXT)
        full = Categories.of([("base_form", "full_name")])
        assert found.mentions == (
            Mention(
                begin=0,
                end=13,
                links=(Link(entity=MERKEL, type="PER", categories=full),),
                attributes={"ent_id": "merkel"},
            ),
            Mention(begin=19, end=30, attributes={"type": "ROLE", "group": "sc"}),
            Mention(begin=37, end=42, links=(Link(entity=None, type="PER"),)),
        )
        assert found.metadata == {
            "source": "web",
            "genre": ["a", 1],
            "cats": {"politics": 0.9},
        }
        assert found.sentences == (Stretch(begin=0, end=len(TEXT)),)
        assert len(found.tokens) == len(nlp(TEXT))
        assert write(corpus, tmp_path / "y.spacy") == []
        assert read(tmp_path / "y.spacy").documents == corpus.documents

    def test_layers_of_tokens_are_metadata(self, nlp: Any, tmp_path: Path) -> None:
        doc = nlp("er geht")
        for token, tag in zip(doc, ("PRON", "VERB"), strict=True):
            token.pos_ = tag
        path = saved(tmp_path / "x.spacy", doc, attrs=("POS",))
        assert read(path).documents[0].metadata == {"pos": ["PRON", "VERB"]}

    def test_unknown_spaces_are_reported(self, nlp: Any, tmp_path: Path) -> None:
        path = saved(tmp_path / "x.spacy", Doc(nlp.vocab, words=["a", "b"]))
        corpus = read(path)
        assert corpus.documents[0].text == "a b "
        assert kinds(corpus) == {"unknown-spaces": 1}


class TestOurs:
    def corpus(self) -> Corpus:
        one = Categories.of([("base_form", "alias"), ("overlap", "maximal"), ("overlap", "none")])
        mentions = (
            Mention(begin=0, end=13, links=(Link(entity=MERKEL, type="PER", categories=one),)),
            Mention(begin=7, end=13, links=(Link(entity="Q1", score=0.5), Link(entity=None))),
            Mention(begin=37, end=42),
        )
        return Corpus(documents=(Document(id="d", text=TEXT, mentions=mentions),))

    def test_in_spacys_hands(self, tmp_path: Path) -> None:
        path = tmp_path / "x.spacy"
        assert write(self.corpus(), path) == []
        (doc,) = docs_of(path)
        assert doc.text == TEXT
        ents = [(one.text, one.label_, one.kb_id_) for one in doc.ents]
        assert ents == [("Angela Merkel", "PER", MERKEL), ("Obama", "Untyped", "")]
        group = [(one.text, one.label_, one.kb_id_, one.id_) for one in doc.spans["mentions"]]
        assert group == [
            ("Angela Merkel", "PER", MERKEL, "0.0"),
            ("Merkel", "", "Q1", "1.0"),
            ("Merkel", "", "NIL", "1.1"),
            ("Obama", "", "", "2"),
        ]
        try:
            Span.set_extension("overlap", default=None)
            assert doc.ents[0]._.overlap == "none|maximal"
        finally:
            Span.remove_extension("overlap")

    def test_what_was_changed_in_spacy_wins(self, tmp_path: Path) -> None:
        path = tmp_path / "x.spacy"
        write(self.corpus(), path)
        (doc,) = docs_of(path)
        kept = list(doc.spans["mentions"])
        kept[0] = Span(doc, 0, 2, label="POL", kb_id="Q567", span_id="0.0")
        more = Span(doc, kept[-1].end - 3, kept[-1].end - 1, label="NEW")
        doc.spans["mentions"] = SpanGroup(doc, spans=[*kept[:2], more])
        doc.user_data["._.", "base_form", 0, 13] = "short_name"
        doc.ents = []
        corpus = read(saved(path, doc))
        first, second, third = corpus.documents[0].mentions
        assert (first.links[0].entity, first.links[0].type) == ("Q567", "POL")
        assert first.links[0].categories.base_form == ("short_name",)
        assert second.links == (Link(entity="Q1", score=0.5),)
        assert third.attributes["type"] == "NEW"

    @pytest.mark.parametrize(
        "text",
        [
            "",
            " ",
            "  a  b ",
            "a\r\n\t b",
            "\x00\u2028\ufeff",
            "👩\u200d👩\u200d👧 e\u0301",
            "ORTH NOUN",
        ],
    )
    def test_every_stretch_of_a_text_can_be_a_mention(self, text: str, tmp_path: Path) -> None:
        spans = [(b, e) for b in range(len(text) + 1) for e in range(b, len(text) + 1)]
        spans.sort(key=lambda span: (span[0], -span[1]))
        mentions = tuple(Mention(begin=b, end=e, links=(Link(entity="Q1"),)) for b, e in spans)
        documents = tuple(
            Document(id=str(number), text=text, mentions=(one,))
            for number, one in enumerate(mentions)
        )
        corpus = Corpus(documents=(*documents, Document(id="all", text=text, mentions=mentions)))
        path = tmp_path / "x.spacy"
        assert write(corpus, path) == []
        assert read(path).documents == corpus.documents
        assert {doc.text for doc in docs_of(path)} == {text}


def test_without_spacy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.spacy"
    write(torture_corpus(), path)
    monkeypatch.setitem(sys.modules, "spacy.tokens", None)
    fails(path, "pip install spacy")
    with pytest.raises(WriteError, match="needs the package spacy"):
        write(torture_corpus(), tmp_path / "y.spacy")


class TestDamage:
    def packed(self, tmp_path: Path) -> dict[str, Any]:
        path = tmp_path / "good.spacy"
        write(TestOurs().corpus(), path)
        found: dict[str, Any] = srsly.msgpack_loads(zlib.decompress(path.read_bytes()))
        return found

    def fails(self, tmp_path: Path, message: dict[str, Any], match: str = "DocBin") -> None:
        data = zlib.compress(srsly.msgpack_dumps(message))
        fails(put(tmp_path / "bad.spacy", data), match)
        assert gc.isenabled()

    @pytest.mark.parametrize(
        "change",
        [
            {"strings": []},
            {"strings": 5},
            {"lengths": b"1"},
            {"tokens": b"123"},
            {"spaces": b""},
            {"attrs": ["ENT_TYPE"]},
            {"span_groups": [b"\x81"]},
            {"user_data": [b"\xc1"]},
            {"user_data": [srsly.msgpack_dumps({"elcurate": "["})]},
            {"user_data": [srsly.msgpack_dumps({"elcurate": "[]"})]},
            {"user_data": [srsly.msgpack_dumps({"elcurate": 5})]},
            {"user_data": [srsly.msgpack_dumps({"elcurate": '{"tags": 5}'})]},
            {"user_data": [srsly.msgpack_dumps({"elcurate": '{"unplaced": [5]}'})]},
        ],
        ids=str,
    )
    def test_changed_parts(self, change: dict[str, Any], tmp_path: Path) -> None:
        self.fails(tmp_path, self.packed(tmp_path) | change, "DocBin|was changed")

    def test_spans_beyond_the_tokens(self, tmp_path: Path) -> None:
        message = self.packed(tmp_path)
        ((data, names),) = srsly.msgpack_loads(message["span_groups"][0]).items()
        group = srsly.msgpack_loads(data)
        far = (2**31 - 1).to_bytes(4, "big")
        group["spans"] = [one[:24] + far * 4 for one in group["spans"]]
        packed = srsly.msgpack_dumps({srsly.msgpack_dumps(group): names})
        self.fails(tmp_path, message | {"span_groups": [packed]}, "Error creating span")

    @pytest.mark.parametrize("cut", [1, 20, -1])
    def test_truncated(self, cut: int, tmp_path: Path) -> None:
        self.packed(tmp_path)
        data = (tmp_path / "good.spacy").read_bytes()
        fails(put(tmp_path / "cut.spacy", data[:cut]), "DocBin|can't tell its format")

    def test_a_bomb_is_not_unpacked(self, tmp_path: Path) -> None:
        packer = zlib.compressobj()
        start = srsly.msgpack_dumps({"version": "0.1", "attrs": [65]})
        data = [packer.compress(start)] + [packer.compress(bytes(1 << 20)) for _ in range(300)]
        path = put(tmp_path / "x.spacy", b"".join([*data, packer.flush()]))
        assert path.stat().st_size < 1 << 20
        fails(path, "it unpacks to more than 268435456 bytes")

    def test_one_bad_document_leaves_the_others(self, nlp: Any, tmp_path: Path) -> None:
        bad = nlp("a")
        bad.user_data["elcurate"] = json.dumps({"id": "bad", "tags": 5})
        options = ReadOptions(errors=[])
        corpus = read(saved(tmp_path / "x.spacy", bad, pipeline_doc(nlp)), options=options)
        assert [document.id for document in corpus.documents] == ["x-2"]
        assert [error.document for error in options.errors or ()] == ["bad"]
