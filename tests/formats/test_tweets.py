"""Benchmarks of tweets: Meij's concepts, and NEEL 2016."""

from __future__ import annotations

import shutil
from hashlib import md5
from pathlib import Path

import pytest
from formats.small_files import PAGE, REAL, again, fails, kinds, put, said
from shared_data import needs_shared

from elcurate.errors import ReadError
from elcurate.formats.all import detect
from elcurate.formats.base import ReadOptions
from elcurate.formats.io import read
from elcurate.formats.meij_files import sniff
from elcurate.formats.outputs import write
from elcurate.formats.source import Source
from elcurate.model.corpus import Corpus, Document, Link, Mention, Tag

DBPEDIA = "http://dbpedia.org/resource/"
ONE, TWO, NONE = "10000000001", "10000000002", "10000000003"
SUM = md5(b"On to Kiev!", usedforsecurity=False).hexdigest()
MEIJ = {
    "original_tweets.list": f"{TWO}\tAnn B\t200\tSun Dec 26\t a\ttab \n"
    f"{ONE}\tC\t200\tMon\tOn to Kiev!\n{NONE}\t\t404\t\n",
    "wsdm2012_annotations.txt": f"{ONE}\t585629\tKiev\n{ONE}\t12\tiPod (4G)\n{TWO}\t-1\t-\n",
    "wsdm2012_qrels.txt": f"{ONE} 0 12 1\n{ONE} 0 585629 1\n",
    "wsdm2012_tweets.dat": f"{ONE}\tcc\t{SUM}\n",
}
TWEETS = "|1|,|😀 @BB and #CC|\n|2|,|a | b || c|\n|3|,||\n"
GOLD = f"1\t3\t5\tNIL7\t1\tPerson\n1\t11\t13\t{DBPEDIA}C\t0.5\tThing\n2\t4\t5\tNIL7\t1\tPerson\n"


def lines(path: Path) -> list[bytes]:
    return sorted(path.read_bytes().splitlines())


def meij(folder: Path, **changed: str | None) -> Path:
    for name, content in MEIJ.items():
        new = changed.get(name.rpartition(".")[0], content)
        if new is not None:
            put(folder / name, new)
    return folder


def neel(folder: Path, tweets: str | None = TWEETS, gold: str | bytes | None = GOLD) -> Path:
    if tweets is not None:
        put(folder / "x.tsv", tweets)
    if gold is not None:
        put(folder / "x_neel.gs", gold)
    return folder


class TestMeij:
    @needs_shared
    @pytest.mark.parametrize("name", ["", *MEIJ])
    def test_any_file_leads_to_the_corpus(self, name: str) -> None:
        path = REAL / "meij" / name
        corpus = read(path)
        assert detect(Source(path)).name == "meij"
        assert len(corpus.documents) == 25
        assert sum(len(document.tags) for document in corpus.documents) == 33
        assert kinds(corpus) == {"checksum-differs": 5}

    @needs_shared
    def test_values_checked_by_hand(self) -> None:
        documents = {one.id: one for one in read(REAL / "meij").documents}
        assert next(iter(documents)) == "18946672293847040"

        def pages(name: str) -> list[str]:
            return [tag.entity.removeprefix(PAGE) for tag in documents[name].tags]

        assert documents["29459831242"].text == " 6           ,             "
        assert pages("18946672293847040") == ["Maze_(band)"]
        assert pages("26000235377463296") == ["January_15", "Saturday", "Austin_City_Limits"]
        assert pages("34760571987558400")[1] == "Yo_Gabba_Gabba!"
        assert pages("40814631433932800")[1] == "Ukraine–NATO_relations"
        assert pages("28867146285")[-1] == "Saqr_bin_Mohammad_al-Qassimi"
        assert pages("43364313414643712") == []
        assert documents["43364313414643712"].metadata["page_id"] == "-2"
        assert documents["40343962950565889"].metadata == {
            "author": "Marion Ravn",
            "date": "Wed Feb 23 09:35:24 +0000 2011",
            "username": "marionraven",
            "md5": "dc7028aa710fc40a69ccd474c9103e0b",
        }

    @needs_shared
    def test_real_sample_written_again(self, tmp_path: Path) -> None:
        corpus = read(REAL / "meij")
        assert again(corpus, tmp_path, "meij").documents == corpus.documents
        for name in MEIJ:
            before, after = (REAL / "meij" / name), (tmp_path / "again" / name)
            if name == "wsdm2012_qrels.txt":
                assert lines(after) == lines(before)
            else:
                assert after.read_bytes() == before.read_bytes()

    def test_small(self, tmp_path: Path) -> None:
        corpus = read(meij(tmp_path))
        assert corpus.repairs == ()
        two, one, none = corpus.documents
        assert (two.id, one.id, none.id) == (TWO, ONE, NONE)
        assert (two.text, one.text, none.text) == (" a\ttab ", "On to Kiev!", None)
        assert two.metadata == {"author": "Ann B", "date": "Sun Dec 26", "page_id": "-1"}
        assert one.tags == (
            Tag(entity=f"{PAGE}Kiev", attributes={"page_id": "585629"}),
            Tag(entity=f"{PAGE}iPod_(4G)", attributes={"page_id": "12"}),
        )
        assert none.metadata == {}

    def test_text_with_a_tab_is_written_with_a_blank(self, tmp_path: Path) -> None:
        corpus = read(meij(tmp_path / "in"))
        losses = write(corpus, tmp_path / "out", format="meij")
        assert [(loss.kind, loss.where) for loss in losses] == [("text", TWO)]
        back = read(tmp_path / "out")
        assert back.documents[0].text == " a tab "
        assert back.documents[1:] == corpus.documents[1:]

    @pytest.mark.parametrize("kept", [[*MEIJ][:2], [*MEIJ][1:2], [*MEIJ][2:3], [*MEIJ][3:]])
    def test_files_that_are_missing(self, kept: list[str], tmp_path: Path) -> None:
        for name in kept:
            put(tmp_path / name, MEIJ[name])
        corpus = read(tmp_path / kept[-1])
        assert corpus.repairs == ()
        one = next(document for document in corpus.documents if document.id == ONE)
        assert (one.text is None) == (kept[0] != "original_tweets.list")
        if kept == ["wsdm2012_qrels.txt"]:
            assert one.tags[0].entity == "https://en.wikipedia.org/?curid=12"
        elif kept != ["wsdm2012_tweets.dat"]:
            assert one.tags[1].entity == f"{PAGE}iPod_(4G)"
        else:
            assert one.metadata == {"username": "cc", "md5": SUM}

    def test_relevance(self, tmp_path: Path) -> None:
        qrels = f"{ONE} 0 585629 2\n{ONE} 0 99 0\n"
        corpus = read(meij(tmp_path, wsdm2012_qrels=qrels, original_tweets=f"{ONE}\t\t200\t\tx\n"))
        found = {tag.entity: tag.attributes.get("relevance") for tag in corpus.documents[0].tags}
        assert found == {
            f"{PAGE}Kiev": "2",
            f"{PAGE}iPod_(4G)": "0",
            "https://en.wikipedia.org/?curid=99": "0",
        }
        assert kinds(corpus) == {
            "page-without-title": 1,
            "checksum-differs": 1,
            "unknown-document": 1,
        }
        assert again(corpus, tmp_path, "meij").documents == corpus.documents

    def test_unknown_tweet_becomes_a_document_without_text(self, tmp_path: Path) -> None:
        corpus = read(meij(tmp_path, original_tweets=f"{TWO}\t\t200\t\tx\n"))
        assert [document.id for document in corpus.documents] == [TWO, ONE]
        assert kinds(corpus) == {"unknown-document": 1}
        assert len(corpus.documents[1].tags) == 2

    @pytest.mark.parametrize(
        ("file", "row", "match"),
        [
            ("original_tweets", "5\t\t200", "3 columns"),
            ("wsdm2012_annotations", "5\t6", "2 columns"),
            ("wsdm2012_annotations", "5\t6\tA\tB", "4 columns"),
            ("wsdm2012_annotations", "5\tsix\tA", "'six' is no page"),
            ("wsdm2012_annotations", "5\t" + "9" * 5000 + "\tA", "is no page"),
            ("wsdm2012_qrels", "5 0 6", "no judgement"),
            ("wsdm2012_qrels", "5 0 x 1", "'x' is no page"),
            ("wsdm2012_qrels", "5 0 6 yes", "no judgement"),
            ("wsdm2012_tweets", "5\tu", "2 columns"),
        ],
    )
    def test_bad_row(self, file: str, row: str, match: str, tmp_path: Path) -> None:
        suffix = ".list" if file == "original_tweets" else "dat" if "tweets" in file else ".txt"
        name = next(one for one in MEIJ if one.startswith(file) and one.endswith(suffix))
        first = MEIJ[name].splitlines()[0]
        path = meij(tmp_path, **{file: f"{first}\n\n{row}\n"})
        error = fails(path, match)
        assert error.line == 3
        assert error.path == str(path / name)
        errors: list[ReadError] = []
        assert read(path, options=ReadOptions(errors=errors)).documents
        assert [one.line for one in errors] == [3]

    def test_tweet_twice(self, tmp_path: Path) -> None:
        path = meij(tmp_path, original_tweets=f"{ONE}\t\t200\t\tx\n{ONE}\t\t200\t\ty\n")
        assert fails(path, "this document id occurs twice").document == ONE

    def test_crlf_and_byte_order_mark(self, tmp_path: Path) -> None:
        plain = read(meij(tmp_path / "a"))
        for name, content in MEIJ.items():
            put(tmp_path / "b" / name, "\ufeff" + content.replace("\n", "\r\n"))
        other = read(tmp_path / "b")
        assert other.documents == plain.documents
        assert kinds(other) == {"byte-order-mark": 4, "crlf": 4}

    def test_latin1_names_file_and_line(self, tmp_path: Path) -> None:
        path = meij(tmp_path)
        content = f"{ONE}\t1\tA\n{ONE}\t2\tZürich\n".encode("latin-1")
        put(path / "wsdm2012_annotations.txt", content)
        error = fails(path, "UTF-8")
        assert (Path(str(error.path)).name, error.line) == ("wsdm2012_annotations.txt", 2)

    def test_none_that_is_said_twice_or_has_a_title(self, tmp_path: Path) -> None:
        rows = f"{ONE}\t-2\t-\n{ONE}\t-1\t-\n{TWO}\t-2\tA\n"
        corpus = read(meij(tmp_path, wsdm2012_annotations=rows, wsdm2012_qrels=None))
        assert kinds(corpus) == {"surplus-cells": 2}
        assert corpus.documents[1].metadata["page_id"] == "-1"

    def test_other_corpora(self, tmp_path: Path) -> None:
        tags = (
            Tag(entity="http://dbpedia.org/resource/Kiev"),
            Tag(entity=f"{PAGE}Kiev"),
            Tag(entity="http://www.wikidata.org/entity/Q1899", score=0.5),
        )
        mention = Mention(begin=0, end=1, links=(Link(entity="Q1"),))
        document = Document(id="d 1\tx", text="a\nb\rc\td", mentions=(mention,), tags=tags)
        named = Document(id="d_1_x", metadata={"author": "a\tb", "page_id": "5", "x": "y"})
        losses = write(Corpus(documents=(document, named)), tmp_path / "out", format="meij")
        assert {(loss.kind, loss.where) for loss in losses} >= {
            ("document-id", "d 1\tx"),
            ("document-id", "d_1_x"),
            ("text", "d 1\tx"),
            ("mention", "d 1\tx 0-1"),
            ("tags", "d 1\tx"),
            ("metadata", "d_1_x"),
        }
        first, second = read(tmp_path / "out").documents
        assert (first.id, first.text) == ("d_1_x", "a b c d")
        assert [tag.entity for tag in first.tags] == [f"{PAGE}Kiev", f"{PAGE}Kiev", tags[2].entity]
        assert (second.id, second.text) == ("d_1_x~2", None)
        assert second.metadata == {"author": "a b"}

    def test_folder_with_another_file_is_no_corpus(self, tmp_path: Path) -> None:
        put(meij(tmp_path) / "README", "hello")
        fails(tmp_path, "can't tell its format")

    @pytest.mark.parametrize(
        "content", ["1\t2\tabc\n", "12345678\t2\t3\n", f"{ONE} x\n", "a 0 b 1\n", f"{ONE}\tx\tyz\n"]
    )
    def test_ordinary_tables_are_not_claimed(self, content: str) -> None:
        assert sniff(content.encode(), "x.txt") == 0


class TestNeel:
    @needs_shared
    @pytest.mark.parametrize("name", ["", "NEEL2016-dev.tsv", "NEEL2016-dev_neel.gs"])
    def test_either_file_leads_to_the_corpus(self, name: str) -> None:
        path = REAL / "neel2016" / name
        assert detect(Source(path)).name == "neel"
        corpus = read(path)
        links = [link for _, _, link in corpus.links()]
        nils = [link.entity for link in links if link.is_nil]
        assert (len(corpus.documents), len(links)) == (100, 338)
        assert (len(nils), len(set(nils))) == (85, 75)
        assert corpus.repairs == ()

    @needs_shared
    def test_values_checked_by_hand(self) -> None:
        documents = {one.id: one for one in read(REAL / "neel2016").documents}

        def found(name: str) -> list[tuple[str | None, str | None, str | None]]:
            one = documents[name]
            return [(one.surface(m), m.links[0].entity, m.links[0].type) for m in one.mentions]

        assert found("674961698357452800")[0] == ("StarWars", f"{DBPEDIA}Star_Wars", "Product")
        assert found("674965833714696196") == [
            ("latimes", f"{DBPEDIA}Los_Angeles_Times", "Organization"),
            ("StarWars", f"{DBPEDIA}Star_Wars", "Product"),
        ]
        assert found("674962773475008512")[1] == ("carrieffisher", "NIL22", "Person")
        # After characters outside the Basic Multilingual Plane:
        assert found("674966855078043650")[1] == ("starwars", f"{DBPEDIA}Star_Wars", "Product")
        assert found("675244377036496896")[-1] == ("Sky", f"{DBPEDIA}Sky_plc", "Organization")
        assert documents["676787386471305216"].text == (
            "RT @Lagana: Thanks to @ShaneHelmsCom for posting this.  "
        )

    @needs_shared
    def test_real_sample_written_again(self, tmp_path: Path) -> None:
        corpus = read(REAL / "neel2016")
        assert again(corpus, tmp_path, "neel").documents == corpus.documents
        tweets = (REAL / "neel2016" / "NEEL2016-dev.tsv").read_bytes()
        assert (tmp_path / "again" / "tweets.tsv").read_bytes() == tweets
        gold = REAL / "neel2016" / "NEEL2016-dev_neel.gs"
        assert lines(tmp_path / "again" / "tweets_neel.gs") == lines(gold)

    @needs_shared
    def test_annotations_alone(self, tmp_path: Path) -> None:
        shutil.copy(REAL / "neel2016" / "NEEL2016-dev_neel.gs", tmp_path)
        corpus = read(tmp_path / "NEEL2016-dev_neel.gs")
        assert corpus.repairs == ()
        assert all(document.text is None for document in corpus.documents)
        assert sum(len(document.mentions) for document in corpus.documents) == 338

    def test_small(self, tmp_path: Path) -> None:
        corpus = read(neel(tmp_path))
        assert corpus.repairs == ()
        assert [one.text for one in corpus.documents] == ["😀 @BB and #CC", "a | b || c", ""]
        assert said(corpus) == [("BB", "NIL7"), ("CC", f"{DBPEDIA}C")]
        assert corpus.documents[0].mentions[1].links[0].score == 0.5
        assert again(corpus, tmp_path, "neel").documents == corpus.documents

    def test_tweets_alone(self, tmp_path: Path) -> None:
        corpus = read(neel(tmp_path, gold=None) / "x.tsv")
        assert [document.id for document in corpus.documents] == ["1", "2", "3"]
        assert corpus.repairs == ()

    @pytest.mark.parametrize("name", ["x.tsv", "x.gs"])
    def test_pairs_are_found_by_name(self, name: str, tmp_path: Path) -> None:
        for stem in ("x", "y"):
            put(tmp_path / f"{stem}.tsv", TWEETS.replace("|1|", f"|1{stem}|"))
            put(tmp_path / f"{stem}.gs", GOLD.replace("1\t", f"1{stem}\t", 1))
        corpus = read(tmp_path / name)
        assert corpus.documents[0].id == "1x"
        assert corpus.documents[0].mentions[0].span == (3, 5)
        put(tmp_path / "z.gs", GOLD)
        assert read(tmp_path / "z.gs").documents[0].text is None

    def test_folder_of_several_pairs(self, tmp_path: Path) -> None:
        for stem in "xy":
            put(tmp_path / f"{stem}.tsv", f"|{stem}|,|ab|\n")
            put(tmp_path / f"{stem}_neel.gs", f"{stem}\t0\t1\tNIL\t1\tThing\n")
        corpus = read(tmp_path)
        assert [(one.id, one.text, len(one.mentions)) for one in corpus.documents] == [
            ("x", "ab", 1),
            ("y", "ab", 1),
        ]

    def test_compressed_pair(self, tmp_path: Path) -> None:
        import gzip

        put(tmp_path / "x.tsv.gz", gzip.compress(TWEETS.encode()))
        put(tmp_path / "x_neel.gs.gz", gzip.compress(GOLD.encode()))
        assert read(tmp_path / "x_neel.gs.gz").documents == read(neel(tmp_path / "y")).documents

    def test_nelevals_rows_are_not_claimed(self, tmp_path: Path) -> None:
        put(tmp_path / "x.tsv", GOLD)
        assert detect(Source(tmp_path / "x.tsv")).name == "neleval"
        put(tmp_path / "x.gs", GOLD)
        assert detect(Source(tmp_path / "x.tsv")).name == "neleval"
        assert detect(Source(tmp_path / "x.gs")).name == "neel"
        assert read(tmp_path / "x.gs").documents[0].text is None

    def test_candidates_of_one_span(self, tmp_path: Path) -> None:
        gold = f"1\t3\t5\t{DBPEDIA}A\t0.2\tThing\n1\t3\t5\t{DBPEDIA}B\t0.9\tPerson\n"
        (mention,) = read(neel(tmp_path, gold=gold)).documents[0].mentions
        assert [link.entity for link in mention.links] == [f"{DBPEDIA}B", f"{DBPEDIA}A"]

    @pytest.mark.parametrize(
        ("row", "match"),
        [
            ("1\t3\t5\tNIL1\t1", "5 columns"),
            ("1\t3\t5\tNIL1\t1\tThing\tmore", "7 columns"),
            ("1\tx\t5\tNIL1\t1\tThing", "'x' is no offset"),
            ("1\t3\t5.0\tNIL1\t1\tThing", "'5.0' is no offset"),
            (f"1\t3\t{10**17}\tNIL1\t1\tThing", "absurd"),
            ("1\t3\t" + "9" * 5000 + "\tNIL1\t1\tThing", "is no offset"),
            ("1\t3\t5\tNIL1\tmuch\tThing", "'much' is no score"),
        ],
    )
    def test_bad_row(self, row: str, match: str, tmp_path: Path) -> None:
        path = neel(tmp_path, gold=f"{GOLD}\n{row}\n")
        assert fails(path, match).line == 5
        errors: list[ReadError] = []
        corpus = read(path, options=ReadOptions(errors=errors))
        assert [error.line for error in errors] == [5]
        assert sum(len(document.mentions) for document in corpus.documents) == 3

    @pytest.mark.parametrize("line", ["|1|,|cut off", "1\tabc", "|1,|a|", "||1|,|a|", "|1| ,|a|"])
    def test_bad_tweet(self, line: str, tmp_path: Path) -> None:
        path = neel(tmp_path, tweets=f"|2|,|a | b|\n{line}\n|3|,||\n")
        error = fails(path / "x.tsv", "this is no tweet")
        assert (error.path, error.line) == (str(path / "x.tsv"), 2)

    @pytest.mark.parametrize(
        ("row", "repairs"),
        [
            ("9\t0\t1\tNIL1\t1\tThing", {"unknown-document": 1}),
            ("3\t0\t1\tNIL1\t1\tThing", {"span-outside-text": 1}),
            ("1\t-4\t1\tNIL1\t1\tThing", {"span-outside-text": 1}),
            (f"1\t0\t{10**12}\tNIL1\t1\tThing", {"span-outside-text": 1}),
            ("1\t0\t1\t\t1\tThing", {"empty-id": 1}),
            ("1\t0\t1\tNIL1\tnan\tThing", {"score-not-finite": 1}),
            ("1\t0\t1\tNIL1\t\t-", {}),
            ("1\t0\t1\tNI\0L\t1\tThing", {}),
            ("1\t0\t1\tNIL1\t1\tThing\r", {"crlf": 1}),
        ],
    )
    def test_repaired_row(self, row: str, repairs: dict[str, int], tmp_path: Path) -> None:
        corpus = read(neel(tmp_path, gold=f"{GOLD}{row}\n"))
        assert kinds(corpus) == repairs
        assert sum(len(document.mentions) for document in corpus.documents) == 4

    def test_empty_partners(self, tmp_path: Path) -> None:
        corpus = read(neel(tmp_path / "a", gold=""))
        assert (len(corpus.documents), sum(1 for _ in corpus.mentions())) == (3, 0)
        corpus = read(neel(tmp_path / "b", tweets=""))
        assert kinds(corpus) == {"unknown-document": 2}
        assert read(neel(tmp_path / "c", "", "")).documents == ()

    def test_duplicate_tweet(self, tmp_path: Path) -> None:
        path = neel(tmp_path, tweets=TWEETS + TWEETS)
        assert fails(path, "this document id occurs twice").document == "1"

    def test_other_corpora(self, tmp_path: Path) -> None:
        links = (
            Link(entity="a\tb", score=0.1, type="x\ty"),
            Link(entity="NIL", score=0.2),
            Link(entity=None),
        )
        documents = (
            Document(id="a|b", text="x\ny\tz", mentions=(Mention(begin=0, end=1, links=links),)),
            Document(id="a_b"),
            Document(id="none", mentions=(Mention(begin=1, end=2, links=(Link(entity="Q1"),)),)),
        )
        losses = write(Corpus(documents=documents), tmp_path / "out", format="neel")
        assert {(loss.kind, loss.where) for loss in losses} == {
            ("document-id", "a|b"),
            ("document-id", "a_b"),
            ("text", "a|b"),
            ("entity", "a|b 0-1"),
            ("types", "a|b 0-1"),
            ("nil-clusters", "a|b 0-1"),
            ("scores", "a|b 0-1"),
            ("scores", "none 1-2"),
            ("link-order", "a|b 0-1"),
        }
        back = read(tmp_path / "out")
        assert [(one.id, one.text) for one in back.documents] == [
            ("a_b", "x y z"),
            ("a_b~2", None),
            ("none", None),
        ]
        found = back.documents[0].mentions[0].links
        assert [(one.entity, one.score, one.type) for one in found] == [
            (None, 1.0, None),
            (None, 0.2, None),
            ("a b", 0.1, "x y"),
        ]
        assert back.documents[2].mentions[0].links[0].entity == "Q1"
