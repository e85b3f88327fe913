"""Benchmarks of search queries: GERDAQ, ERD 2014 and KDD."""

from __future__ import annotations

from pathlib import Path

import pytest
from formats.small_files import PAGE, REAL, WIKI, again, fails, kinds, put, said
from shared_data import needs_shared

from elcurate.errors import ReadError
from elcurate.formats.all import detect
from elcurate.formats.base import ReadOptions
from elcurate.formats.gerdaq import sniff as sniff_gerdaq
from elcurate.formats.io import read
from elcurate.formats.kdd import sniff as sniff_kdd
from elcurate.formats.outputs import write
from elcurate.formats.source import Source
from elcurate.model.corpus import Corpus, Document, Link, Mention

XML = "<?xml version='1.0' encoding='UTF-8'?>\n"
INSTANCE = (
    '<instance>a <annotation rank_0_id="5" rank_0_score="0.5" rank_0_title="Pokémon" '
    'rank_1_title="Bus (band)">b &amp; c</annotation> d</instance>'
)
QUERIES = "\nTREC-1\tr&d in the r&d lab\nTREC-2\tBig apple  \nTREC-3\tx\n"
ANNOTATIONS = (
    "TREC-1\t0\t/m/0jcx\tlab\t1\nTREC-2\t0\tBig_Apple\tBig apple\t0.5\n"
    "TREC-2\t1\tNew_York_City\tBig apple\t0.25\nTREC-2\t1\thttp://e.org/x\tapple\t1\n"
)
END = ".\tO\tO\t#\n"
QUERY = (
    "new\tnew_york\tO\tB-LOC\tNew_York_City\thttp://en.wikipedia.org/wiki/NYC\n"
    "york\tO\tO\tI-LOC\nbus\tO\tO\tO\nx\tx\tO\tB-PER\tNONE\tNONE\n"
)


def gerdaq(folder: Path, *instances: str) -> Path:
    return put(folder / "x.xml", f"{XML}<dataset>{''.join(instances)}</dataset>\n")


def erd(folder: Path, queries: str | None = QUERIES, annotations: str | None = ANNOTATIONS) -> Path:
    if queries is not None:
        put(folder / "x.query.txt", queries)
    if annotations is not None:
        put(folder / "x.annotation.txt", annotations)
    return folder


def kdd(folder: Path, *queries: str) -> Path:
    return put(folder / "x.txt", END + "".join(f"{query}{END}" for query in queries))


class TestGerdaq:
    @needs_shared
    @pytest.mark.parametrize("name", ["", "gerdaq_devel.xml"])
    def test_real_sample(self, name: str, tmp_path: Path) -> None:
        corpus = read(REAL / "gerdaq" / name)
        assert len(corpus.documents) == 249
        assert sum(1 for _ in corpus.mentions()) == 420
        assert sum(1 for _ in corpus.links()) == 453
        assert corpus.repairs == ()
        assert write(corpus, tmp_path / "x.gerdaq.xml") == []
        real = REAL / "gerdaq" / "gerdaq_devel.xml"
        assert (tmp_path / "x.gerdaq.xml").read_bytes() == real.read_bytes()

    @needs_shared
    def test_values_checked_by_hand(self) -> None:
        corpus = read(REAL / "gerdaq" / "gerdaq_devel.xml")
        assert detect(Source(REAL / "gerdaq" / "gerdaq_devel.xml")).name == "gerdaq"
        assert corpus.documents[0].text == "loris candle sampler"
        assert corpus.documents[0].mentions[0].span == (6, 12)
        assert corpus.documents[0].mentions[0].links == (
            Link(entity=f"{PAGE}Candle", score=0.925555555556, attributes={"id": "44017"}),
        )
        assert said(corpus, 1) == [
            ("buying land", f"{PAGE}Conveyancing"),
            ("arizona", f"{PAGE}Arizona"),
        ]
        assert said(corpus, 3) == [("webpine email", f"{PAGE}Pine_(email_client)")]
        assert said(corpus, 11) == [
            ("pine mountain state park & lodge", f"{PAGE}Pine_Mountain_State_Resort_Park")
        ]
        ranked = next(one for _, one in corpus.mentions() if len(one.links) == 7)
        assert [link.entity for link in ranked.links][::6] == [
            f"{PAGE}Browning_machine_gun",
            f"{PAGE}M1895_Colt-Browning_machine_gun",
        ]

    def test_small(self, tmp_path: Path) -> None:
        corpus = read(
            gerdaq(tmp_path, INSTANCE, "<instance/>", '<instance id="q" n="1">x</instance>')
        )
        first, second, third = corpus.documents
        assert (first.id, first.text) == ("1", "a b & c d")
        assert (second.id, second.text) == ("2", "")
        assert (third.id, third.metadata) == ("q", {"n": "1"})
        assert first.mentions[0].links == (
            Link(entity=f"{PAGE}Pokémon", score=0.5, attributes={"id": "5"}),
            Link(entity=f"{PAGE}Bus_(band)"),
        )
        assert write(corpus, tmp_path / "again.gerdaq.xml") == []
        assert read(tmp_path / "again.gerdaq.xml").documents == corpus.documents

    def test_ranks_count_and_not_their_order(self, tmp_path: Path) -> None:
        ranks = 'rank_3_title="B" note="n" rank_0_title="A"'
        path = gerdaq(tmp_path, f"<instance><annotation {ranks}>x</annotation></instance>")
        corpus = read(path)
        mention = corpus.documents[0].mentions[0]
        assert [link.entity for link in mention.links] == [f"{PAGE}A", f"{PAGE}B"]
        assert mention.attributes == {"note": "n"}
        assert kinds(corpus) == {"missing-rank": 1}

    @pytest.mark.parametrize(
        ("instance", "text", "repairs"),
        [
            ("<instance>a<!-- b -->c</instance>", "ac", {"unknown-element": 1}),
            ("<instance>a<?b c?>d</instance>", "ad", {"unknown-element": 1}),
            ("<instance>a<b>c</b>d</instance>", "acd", {"unknown-element": 1}),
            ("<instance>a</instance>b<!-- c -->", "a", {"text-outside": 1, "unknown-element": 1}),
            ('<instance><annotation rank_0_id="5">a</annotation></instance>', "a", {"no-title": 1}),
            (
                '<instance><annotation rank_0_title="A" rank_0_score="nan">a</annotation>'
                "</instance>",
                "a",
                {"score-not-finite": 1},
            ),
        ],
    )
    def test_repairs(
        self, instance: str, text: str, repairs: dict[str, int], tmp_path: Path
    ) -> None:
        corpus = read(gerdaq(tmp_path, instance))
        assert corpus.documents[0].text == text
        assert kinds(corpus) == repairs

    @pytest.mark.parametrize(
        ("attributes", "match"),
        [
            ('rank_0_title="A" rank_0_score="high"', "'high' is no score"),
            ('rank_0_score="1"', "neither title nor id"),
            ('rank_0_title=""', "neither title nor id"),
        ],
    )
    def test_bad_annotation(self, attributes: str, match: str, tmp_path: Path) -> None:
        bad = f"\n<instance><annotation {attributes}>x</annotation></instance>"
        path = gerdaq(tmp_path, INSTANCE, bad, "<instance>last</instance>")
        error = fails(path, match)
        assert (error.line, error.document) == (3, "2")
        errors: list[ReadError] = []
        corpus = read(path, options=ReadOptions(errors=errors))
        assert [document.id for document in corpus.documents] == ["1", "3"]
        assert len(errors) == 1

    @pytest.mark.parametrize(
        ("content", "match"),
        [
            (f"{XML}<dataset>{INSTANCE}", "not well-formed"),
            (f"{XML}<dataset>{INSTANCE[:-5]}</dataset>", "not well-formed"),
            (f"{XML}<dataset><instance>\0</instance></dataset>", "not well-formed"),
            (f"{XML}<dataset>{'<instance>' * 500}", "not well-formed"),
            (
                '<!DOCTYPE dataset [<!ENTITY a "b">]><dataset><instance>&a;</instance></dataset>',
                "entities of its own",
            ),
            ("<corpus/>", "the root element is corpus"),
            ("", "not well-formed|empty"),
        ],
    )
    def test_hostile(self, content: str, match: str, tmp_path: Path) -> None:
        path = put(tmp_path / "x.xml", content)
        with pytest.raises(ReadError, match=match) as caught:
            read(path, format="gerdaq")
        assert caught.value.path == str(path)

    def test_external_file_is_not_read(self, tmp_path: Path) -> None:
        secret = put(tmp_path / "secret", "TOP SECRET")
        body = "<dataset><instance>&x;</instance></dataset>"
        path = put(
            tmp_path / "x.xml", f'<!DOCTYPE dataset [<!ENTITY x SYSTEM "file://{secret}">]>{body}'
        )
        with pytest.raises(ReadError, match="entities of its own"):
            read(path, format="gerdaq")

    def test_duplicate_id(self, tmp_path: Path) -> None:
        path = gerdaq(tmp_path, '<instance id="2">a</instance>', "<instance>b</instance>")
        assert fails(path, "this document id occurs twice").document == "2"

    def test_byte_order_mark_and_crlf(self, tmp_path: Path) -> None:
        path = put(tmp_path / "x.xml", f"\ufeff{XML}<dataset>\r\n{INSTANCE}\r\n</dataset>")
        corpus = read(path)
        assert kinds(corpus) == {"byte-order-mark": 1}
        assert corpus.documents[0].text == "a b & c d"

    def test_sniffing_takes_no_time(self) -> None:
        assert sniff_gerdaq(b"<?a?>" * 2000 + b"<b>", "x.xml") == 0
        assert sniff_gerdaq(b"<!-- a -->" * 2000 + b"<dataset><b>", "x.xml") == 0
        assert sniff_gerdaq(b"<!-- a -->\n<dataset n='1'>\n<instance>", "x.xml") == 90

    def test_other_corpora(self, tmp_path: Path) -> None:
        links = (
            Link(entity="http://dbpedia.org/resource/Kiev", attributes={"note": 1, "x": "\ty\n"}),
            Link(entity="https://de.wikipedia.org/wiki/Kiew"),
            Link(entity=None),
            Link(entity="NIL5"),
            Link(entity="http://en.wikipedia.org/wiki/Kiev"),
        )
        mentions = (
            Mention(begin=0, end=2, links=links, attributes={"rank_0_x": "y", "z": "w"}),
            Mention(begin=1, end=2, links=links[:1]),
            Mention(begin=3, end=9, links=links[:1]),
        )
        document = Document(id="d", text="a\rb\nc", mentions=mentions, metadata={"a b": "c"})
        corpus = Corpus(documents=(document, Document(id="e")))
        losses = write(corpus, tmp_path / "x.gerdaq.xml")
        assert {(loss.kind, loss.where) for loss in losses} == {
            ("entity", "d 0-2"),
            ("entity-spelling", "d 0-2"),
            ("link-attributes", "d 0-2"),
            ("mention-attributes", "d 0-2"),
            ("nesting", "d 1-2"),
            ("mention", "d 3-9"),
            ("metadata", "d"),
            ("document", "e"),
            ("no-text", "e"),
        }
        (back,) = read(tmp_path / "x.gerdaq.xml").documents
        assert (back.id, back.text) == ("d", "a\rb\nc")
        (mention,) = back.mentions
        assert mention.attributes == {"z": "w"}
        assert [link.entity for link in mention.links] == [
            f"{PAGE}Kiev",
            "https://de.wikipedia.org/wiki/Kiew",
            None,
            "NIL5",
            f"{PAGE}Kiev",
        ]
        assert mention.links[0].attributes == {"x": "\ty\n"}


class TestErd:
    @needs_shared
    @pytest.mark.parametrize("name", ["", "Trec_beta.query.txt", "Trec_beta.annotation.txt"])
    def test_either_file_leads_to_the_corpus(self, name: str) -> None:
        path = REAL / "erd2014" / name
        assert detect(Source(path)).name == "erd"
        corpus = read(path)
        assert len(corpus.documents) == 30
        assert sum(1 for _ in corpus.mentions()) == 12
        assert sum(1 for _ in corpus.links()) == 14
        assert kinds(corpus) == {"crlf": 2}

    @needs_shared
    def test_values_checked_by_hand(self) -> None:
        documents = {one.id: one for one in read(REAL / "erd2014").documents}

        def found(name: str) -> list[tuple[object, ...]]:
            one = documents[name]
            return [(*m.span, one.surface(m), m.links[0].entity) for m in one.mentions]

        assert found("TREC-1") == []
        assert found("TREC-7") == [(0, 7, "bowflex", f"{PAGE}Bowflex")]
        assert found("TREC-13") == [
            (0, 5, "condo", f"{PAGE}Condominium"),
            (10, 17, "florida", f"{PAGE}Florida"),
        ]
        assert found("TREC-20") == [(0, 15, "dutchess county", f"{PAGE}Dutchess_County,_New_York")]
        assert found("TREC-25") == [(0, 2, "er", f"{PAGE}ER_(TV_series)")]
        assert found("TREC-30") == [(5, 9, "prep", f"{PAGE}College_preparatory_course")]
        (mention,) = documents["TREC-22"].mentions
        assert [(link.entity, link.attributes["interpretation"]) for link in mention.links] == [
            (f"{PAGE}East_Ridge_High_School_({state})", number)
            for number, state in enumerate(("Minnesota", "Tennessee", "Florida"))
        ]

    @needs_shared
    def test_real_sample_written_again(self, tmp_path: Path) -> None:
        corpus = read(REAL / "erd2014")
        assert again(corpus, tmp_path, "erd").documents == corpus.documents
        for kind in ("query", "annotation"):
            before = (REAL / "erd2014" / f"Trec_beta.{kind}.txt").read_bytes()
            after = (tmp_path / "again" / f"corpus.{kind}.txt").read_bytes()
            assert after == before.replace(b"\r\n", b"\n").lstrip(b"\n")

    def test_small(self, tmp_path: Path) -> None:
        corpus = read(erd(tmp_path))
        assert corpus.repairs == ()
        first, second, third = corpus.documents
        assert (second.text, third.mentions) == ("Big apple  ", ())
        assert first.mentions[0].links[0].entity == "/m/0jcx"
        assert [(m.span, [link.score for link in m.links]) for m in second.mentions] == [
            ((0, 9), [0.5, 0.25]),
            ((4, 9), [1.0]),
        ]
        assert second.mentions[1].links[0].entity == "http://e.org/x"
        assert again(corpus, tmp_path, "erd").documents == corpus.documents
        written = (tmp_path / "again" / "corpus.annotation.txt").read_text()
        assert written == ANNOTATIONS

    @pytest.mark.parametrize(
        ("surface", "span", "stated", "kind"),
        [
            ("r&d", (0, 3), None, "ambiguous-surface"),
            ("LAB", (15, 18), "LAB", "surface-differs"),
            ("lap", (0, 0), "lap", "surface-not-found"),
            ("", (0, 0), "", "surface-not-found"),
            ("a", (16, 17), None, None),
            (" ", (3, 4), None, "ambiguous-surface"),
        ],
    )
    def test_places(
        self,
        surface: str,
        span: tuple[int, int],
        stated: str | None,
        kind: str | None,
        tmp_path: Path,
    ) -> None:
        corpus = read(erd(tmp_path, annotations=f"TREC-1\t0\tA\t{surface}\t1\n"))
        (mention,) = corpus.documents[0].mentions
        assert (mention.span, mention.surface) == (span, stated)
        assert kinds(corpus) == ({kind: 1} if kind else {})
        back = again(corpus, tmp_path, "erd")
        assert back.documents == corpus.documents
        row = (tmp_path / "again" / "corpus.annotation.txt").read_text()
        assert row == f"TREC-1\t0\tA\t{surface}\t1\n"

    def test_whole_words_are_preferred(self, tmp_path: Path) -> None:
        corpus = read(erd(tmp_path, "q-1\tthe art of her\n", "q-1\t0\tA\the\t1\n"))
        assert corpus.documents[0].mentions[0].span == (1, 3)
        corpus = read(erd(tmp_path, "q-1\tthe art of he\n", "q-1\t0\tA\the\t1\n"))
        assert corpus.documents[0].mentions[0].span == (11, 13)
        assert corpus.repairs[0].after == "the first of 2 places"

    def test_second_place_is_written_with_its_offsets(self, tmp_path: Path) -> None:
        mention = Mention(
            begin=11, end=14, links=(Link(entity=f"{PAGE}A", attributes={"interpretation": 2}),)
        )
        document = Document(id="q", text="r&d in the r&d lab", mentions=(mention,))
        losses = write(Corpus(documents=(document,)), tmp_path / "out", format="erd")
        assert [loss.kind for loss in losses] == ["scores"]
        row = (tmp_path / "out" / "corpus.annotation.txt").read_text()
        assert row == "q\t2\tA\tr&d\t1\t11\t14\n"
        corpus = read(tmp_path / "out")
        assert corpus.documents[0].mentions[0].span == (11, 14)
        assert corpus.repairs == ()

    @pytest.mark.parametrize(
        ("row", "match"),
        [
            ("TREC-1\t0\tA\tlab", "4 columns"),
            ("TREC-1\t0\tA\tlab\t1\t15", "6 columns"),
            ("TREC-1\tfirst\tA\tlab\t1", "'first' is no interpretation"),
            ("TREC-1\t-1\tA\tlab\t1", "'-1' is no interpretation"),
            ("TREC-1\t0\tA\tlab\thigh", "'high' is no score"),
            ("TREC-1\t0\tA\tlab\t1\t15\tx", "'x' is no offset"),
            (f"TREC-1\t0\tA\tlab\t1\t15\t{10**17}", "absurd"),
        ],
    )
    def test_bad_row(self, row: str, match: str, tmp_path: Path) -> None:
        path = erd(tmp_path, annotations=f"{ANNOTATIONS}\n{row}\n")
        error = fails(path, match)
        assert (error.path, error.line) == (str(path / "x.annotation.txt"), 6)
        errors: list[ReadError] = []
        corpus = read(path, options=ReadOptions(errors=errors))
        assert sum(1 for _ in corpus.links()) == 4
        assert len(errors) == 1

    def test_query_without_text(self, tmp_path: Path) -> None:
        error = fails(erd(tmp_path, queries=f"TREC-9\n{QUERIES}"), "this is no query")
        assert error.line == 1

    def test_unknown_query(self, tmp_path: Path) -> None:
        path = erd(tmp_path, annotations=f"{ANNOTATIONS}TREC-9\t0\tA\tx\t1\n")
        error = fails(path, "there is no query 'TREC-9'")
        assert error.line == 5

    def test_missing_partners(self, tmp_path: Path) -> None:
        fails(erd(tmp_path / "a", queries=None) / "x.annotation.txt", "there are no queries")
        corpus = read(erd(tmp_path / "b", annotations=None) / "x.query.txt")
        assert [document.id for document in corpus.documents] == ["TREC-1", "TREC-2", "TREC-3"]

    @pytest.mark.parametrize(
        ("row", "repairs"),
        [
            ("TREC-3\t0\t\tx\t1", {"empty-id": 1}),
            ("TREC-3\t0\tA\tx\tinf", {"score-not-finite": 1}),
            ("TREC-3\t0\tA\tx\t1\t-1\t9", {"span-outside-text": 1}),
            ("TREC-3\t0\tA\ty\t1\t0\t1", {"surface-differs": 1}),
            ("TREC-3\t0\tNIL4\tx\t", {}),
            ("TREC-3\t0\tA\0\tx\t1\r", {"crlf": 1}),
        ],
    )
    def test_repaired_row(self, row: str, repairs: dict[str, int], tmp_path: Path) -> None:
        corpus = read(erd(tmp_path, annotations=f"{row}\n"))
        assert kinds(corpus) == repairs
        assert len(corpus.documents[2].mentions) == 1

    def test_duplicate_query(self, tmp_path: Path) -> None:
        path = erd(tmp_path, queries=QUERIES + QUERIES)
        assert fails(path, "this document id occurs twice").document == "TREC-1"

    def test_other_corpora(self, tmp_path: Path) -> None:
        links = (
            Link(entity="a b", attributes={"interpretation": 1, "x": 2}),
            Link(entity="NIL", attributes={"interpretation": 0}),
            Link(entity=f"{PAGE}New_York", score=0.125),
        )
        mention = Mention(begin=2, end=3, links=links, surface="x\ty")
        documents = (Document(id="q\t1", text="a\tb", mentions=(mention,)), Document(id="none"))
        losses = write(Corpus(documents=documents), tmp_path / "out", format="erd")
        assert {(loss.kind, loss.where) for loss in losses} == {
            ("document-id", "q\t1"),
            ("text", "q\t1"),
            ("surfaces", "q\t1 2-3"),
            ("entity", "q\t1 2-3"),
            ("nil-clusters", "q\t1 2-3"),
            ("link-attributes", "q\t1 2-3"),
            ("link-order", "q\t1 2-3"),
            ("scores", "q\t1 2-3"),
            ("document", "none"),
            ("no-text", "none"),
        }
        (back,) = read(tmp_path / "out").documents
        assert (back.id, back.text, back.mentions[0].surface) == ("q 1", "a b", "x y")
        assert [link.entity for link in back.mentions[0].links] == [
            None,
            f"{PAGE}a_b",
            f"{PAGE}New_York",
        ]


class TestKdd:
    @needs_shared
    def test_real_sample(self) -> None:
        corpus = read(REAL / "kdd" / "small_test.txt")
        assert detect(Source(REAL / "kdd" / "small_test.txt")).name == "kdd"
        links = [link for _, _, link in corpus.links()]
        assert len(corpus.documents) == 62
        assert sum(not link.is_nil for link in links) == 26
        assert sum(link.is_nil for link in links) == 11
        assert kinds(corpus) == {"crlf": 1, "surplus-cells": 1}
        assert corpus.repairs[1].where.endswith("small_test.txt:26")

    @needs_shared
    def test_values_checked_by_hand(self) -> None:
        corpus = read(REAL / "kdd")
        assert corpus.documents[0].text == "party city in dallas"
        assert said(corpus) == [
            ("party city", f"{WIKI}Party_City"),
            ("dallas", f"{WIKI}Dallas"),
        ]
        assert said(corpus, 4)[0] == ("haywood house", None)
        assert said(corpus, 6)[1] == ("wallace;id", f"{WIKI}Wallace%2C_Idaho")
        assert said(corpus, 50) == [("-rhode island", f"{WIKI}Rhode_Island")]
        assert corpus.documents[55].text == "disney channel . com / click it to pick it"
        assert said(corpus, 55) == [("disney channel . com", f"{WIKI}Disney_Channel")]
        types = [link.type for _, _, link in corpus.links()]
        assert [types.count(type_) for type_ in ("ORG", "LOC", "PER")] == [11, 16, 10]

    @needs_shared
    def test_real_sample_written_again(self, tmp_path: Path) -> None:
        corpus = read(REAL / "kdd" / "small_test.txt")
        assert write(corpus, tmp_path / "x.kdd.tsv") == []
        assert read(tmp_path / "x.kdd.tsv").documents == corpus.documents
        before = (REAL / "kdd" / "small_test.txt").read_bytes().replace(b"\r\n", b"\n")
        stray = b"photoamateur\tO\tO\tO"
        before = before.replace(stray + b"\tNONE\tNONE", stray)
        assert (tmp_path / "x.kdd.tsv").read_bytes() == before

    def test_small(self, tmp_path: Path) -> None:
        corpus = read(kdd(tmp_path, QUERY, "", QUERY))
        assert [(one.id, one.text) for one in corpus.documents] == [
            ("1", "new york bus x"),
            ("2", ""),
            ("3", "new york bus x"),
        ]
        assert corpus.documents[0].mentions[0].links == (
            Link(entity=f"{WIKI}NYC", type="LOC", attributes={"title": "New_York_City"}),
        )
        assert corpus.documents[0].mentions[1].links == (Link(entity=None, type="PER"),)
        assert len(corpus.documents[0].tokens) == 4
        assert corpus.metadata == {"detokenise": "space"}
        assert write(corpus, tmp_path / "x.kdd.tsv") == []
        assert (tmp_path / "x.kdd.tsv").read_bytes() == (tmp_path / "x.txt").read_bytes()

    def test_without_outer_rows_of_dots(self, tmp_path: Path) -> None:
        path = put(tmp_path / "x.txt", f"{QUERY}{END}{QUERY}")
        assert [document.id for document in read(path).documents] == ["1", "2"]

    def test_style_of_the_text(self, tmp_path: Path) -> None:
        rows = "disney\tO\tO\tO\n.\tO\tO\tO\ncom\tcom\tO\tB-ORG\n"
        corpus = read(kdd(tmp_path, rows), options=ReadOptions(detokenise="bat"))
        assert corpus.documents[0].text == "disney. com\n"
        assert corpus.documents[0].mentions[0].span == (8, 11)

    @pytest.mark.parametrize(
        ("rows", "links", "repairs"),
        [
            ("a\ta\tO\tB-X\n", [], {}),
            ("a\tO\tO\tB-X\n", [], {"mention-without-surface": 1}),
            ("a\tab\tO\tB-X\tA\tB\n", ["B"], {"surface-differs": 1}),
            ("a\tO\tO\tI-X\nb\tO\tO\tI-X\n", [], {"inside-without-beginning": 1}),
            ("a\ta\tO\tB-X\tA_b\tNONE\n", [f"{PAGE}A_b"], {"title-without-address": 1}),
            ("a\ta\tO\tB-X\tA\tB\tC\tD\n", ["B", "D"], {}),
            ("a\ta\tx\tB-X\tA\tB\n", ["B"], {"surplus-cells": 1}),
            ("a\ta\tO\tB-\tA\tB\r\n", ["B"], {"crlf": 1}),
            ("b\tc\tO\tO\na\ta\tO\tB-X\n", [], {"surplus-cells": 1}),
        ],
    )
    def test_rows(
        self, rows: str, links: list[str], repairs: dict[str, int], tmp_path: Path
    ) -> None:
        corpus = read(kdd(tmp_path, rows), format="kdd")
        (mention,) = corpus.documents[0].mentions
        assert [link.entity for link in mention.links] == links
        assert mention.attributes == ({} if links else {"type": "X"})
        assert kinds(corpus) == repairs
        assert write(corpus, tmp_path / "again.kdd.tsv") == []
        assert read(tmp_path / "again.kdd.tsv").documents == corpus.documents

    @pytest.mark.parametrize(
        "row", ["a", "a\tO\tO", "a\tO\tO\tX", "\tO\tO\tO", "a\ta\tO\tB-X\tA", "a\tO\tO\t#"]
    )
    def test_bad_row(self, row: str, tmp_path: Path) -> None:
        path = kdd(tmp_path, QUERY, f"{row}\n", QUERY)
        with pytest.raises(ReadError, match="no token with its tag") as caught:
            read(path, format="kdd")
        assert caught.value.line == 7
        errors: list[ReadError] = []
        corpus = read(path, format="kdd", options=ReadOptions(errors=errors))
        assert [document.id for document in corpus.documents] == ["1", "3"]
        assert len(errors) == 1

    def test_byte_order_mark(self, tmp_path: Path) -> None:
        path = put(tmp_path / "x.txt", f"\ufeff{END}{QUERY}{END}")
        assert kinds(read(path)) == {"byte-order-mark": 1}

    def test_empty_file(self, tmp_path: Path) -> None:
        fails(put(tmp_path / "x.kdd.tsv", ""), "empty")
        assert read(put(tmp_path / "y.kdd.tsv", END)).documents == ()

    def test_other_iob_is_not_claimed(self) -> None:
        content = b"EU NNP B-NP B-ORG\nrejects VBZ B-VP O\n\n"
        assert sniff_kdd(content, "x.txt") == 0
        assert sniff_kdd(content.replace(b" ", b"\t") + END.encode(), "x.txt") == 0
        assert sniff_kdd(END.encode() + b"a\tb\n", "x.txt") == 0

    def test_other_corpora(self, tmp_path: Path) -> None:
        links = (
            Link(entity=f"{WIKI}A\tb", type="X", score=0.5, attributes={"x": 1}),
            Link(entity="NIL5", type="Y"),
        )
        mentions = (
            Mention(begin=0, end=2, links=links, surface="a_b", attributes={"note": "n"}),
            Mention(begin=1, end=2, links=links[:1]),
            Mention(begin=2, end=3, links=links[:1]),
        )
        document = Document(id="q", text="ab\tc,d e", mentions=mentions)
        corpus = Corpus(documents=(document, Document(id="none")))
        losses = write(corpus, tmp_path / "x.kdd.tsv")
        assert {(loss.kind, loss.where) for loss in losses} >= {
            ("document-id", "q"),
            ("text", "q"),
            ("mention", "q 2-3"),
            ("surfaces", "q 0-2"),
            ("types", "q 0-2"),
            ("entity", "q 0-2"),
            ("link-attributes", "q 0-2"),
            ("mention-attributes", "q 0-2"),
            ("nesting", "q 1-2"),
            ("document", "none"),
        }
        (back,) = read(tmp_path / "x.kdd.tsv").documents
        assert back.text == "a b c,d e"
        assert [(m.span, [link.entity for link in m.links]) for m in back.mentions] == [
            ((0, 3), [f"{WIKI}A b", None])
        ]
