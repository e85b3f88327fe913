"""TAC KBP: queries with links (2009 to 2014) and entity mentions in one file (2015 to 2017)."""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path

import pytest
from lxml import etree
from roundtrip import check_kept
from shared_data import SHARED, needs_shared
from strategies import torture_corpus
from typer.testing import CliRunner

from elcurate.cli.main import app
from elcurate.errors import ReadError
from elcurate.formats.all import FORMATS, detect
from elcurate.formats.base import ReadOptions
from elcurate.formats.io import read
from elcurate.formats.outputs import write
from elcurate.formats.source import Source
from elcurate.model.change import Loss
from elcurate.model.corpus import Corpus, Document, Link, Mention

TAC = SHARED / "neleval" / "tac"
SCHEMA = Path(__file__).resolve().parents[2] / "schemas" / "tac_queries.rng"
RAW = (
    '<DOC id="d1">\n<P>\nAT&amp;T is in New\nYork, Ann  Lee says; '
    "a Paris-\nborn man.\n</P>\n</DOC>\n"
)


def put(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def query(
    name: str, text: str, begin: object = None, end: object = None, doc: str = "d1", more: str = ""
) -> str:
    places = "" if begin is None else f"<beg>{begin}</beg><end>{end}</end>"
    return f'<query id="{name}">\n<name>{text}</name><docid>{doc}</docid>{places}{more}\n</query>\n'


def pair(folder: Path, queries: str, links: str | None = None) -> Path:
    """Writes queries, and links beside them; the path of the queries."""
    if links is not None:
        put(folder, "q.tab", links)
    head = '<?xml version="1.0" encoding="UTF-8"?>\n<kbpentlink xml:base="">\n'
    return put(folder, "q.xml", f"{head}{queries}</kbpentlink>\n")


def sources(folder: Path, **texts: str) -> ReadOptions:
    for name, text in texts.items():
        put(folder / "texts", f"{name}.sgm", text)
    return ReadOptions(texts=folder / "texts")


def kinds(corpus: Corpus) -> Counter[str]:
    return Counter(repair.kind for repair in corpus.repairs)


def only(corpus: Corpus) -> Mention:
    (document,) = corpus.documents
    (mention,) = document.mentions
    return mention


def fails(path: Path, match: str, **options: object) -> ReadError:
    with pytest.raises(ReadError, match=match) as caught:
        read(path, **options)
    return caught.value


def spans(corpus: Corpus) -> list[tuple[int, int]]:
    return [mention.span for _, mention in corpus.mentions()]


@needs_shared
class TestSamples:
    @pytest.mark.parametrize("name", ["gold", "system"])
    @pytest.mark.parametrize("inputs", [("xml", "tab"), ("tab", "xml"), ("xml",), ("tab",)])
    def test_expected_conversion(self, name: str, inputs: tuple[str, ...], tmp_path: Path) -> None:
        out = tmp_path / "x.tsv"
        paths = [str(TAC / f"tac_{name}.{suffix}") for suffix in inputs]
        result = CliRunner().invoke(app, ["convert", *paths, "-o", str(out), "--to", "neleval"])
        assert result.exit_code == 0, result.output
        assert out.read_bytes() == (TAC / f"tac_{name}.combined.tsv").read_bytes()

    @pytest.mark.parametrize("name", ["gold", "system"])
    def test_a_folder_of_the_pair(self, name: str, tmp_path: Path) -> None:
        for suffix in ("xml", "tab"):
            file = f"tac_{name}.{suffix}"
            put(tmp_path / "pair", file, (TAC / file).read_bytes())
        corpus = read(tmp_path / "pair")
        assert corpus.documents == read(TAC / f"tac_{name}.xml").documents
        assert len(corpus.documents) == 10
        assert corpus.repairs == ()

    def test_system_with_the_queries_of_the_gold(self) -> None:
        corpus = read(TAC / "tac_gold.xml", TAC / "tac_system.tab")
        assert corpus.documents == read(TAC / "tac_system.xml").documents

    def test_both_pairs_named_together(self) -> None:
        paths = [TAC / f"tac_{name}.{end}" for end in ("tab", "xml") for name in ("gold", "system")]
        corpus = read(*paths, rename_duplicates=True)
        assert len(corpus.documents) == 20
        gold, system = read(paths[0]), read(paths[1])
        links = [link for _, _, link in corpus.links()]
        assert links == [link for one in (gold, system) for _, _, link in one.links()]

    def test_by_hand(self) -> None:
        corpus = read(TAC / "tac_gold.xml")
        assert corpus.name == "tac_gold"
        mention = corpus.documents[0].mentions[0]
        assert mention == Mention(
            begin=2450,
            end=2455,
            links=(Link(entity="kb_A", type="GPE"),),
            surface="China",
            attributes={"query_id": "doc_01"},
        )
        assert corpus.documents[8].mentions[0].links[0].is_nil
        assert read(TAC / "tac_system.tab").documents[0].mentions[0].links[0].score == 1.0

    @pytest.mark.parametrize("name", ["gold", "system"])
    @pytest.mark.parametrize("form", ["tac", "tac2015"])
    def test_round_trip(self, name: str, form: str, tmp_path: Path) -> None:
        corpus = read(TAC / f"tac_{name}.xml")
        losses = write(corpus, tmp_path / "x", format=form)
        back = read(tmp_path / "x")
        assert detect(Source(tmp_path / "x")).name == form
        if form == "tac":
            assert losses == []
            assert back.documents == corpus.documents
            assert back.repairs == ()
        else:
            check_kept(corpus, back, FORMATS.get(form), losses)

    def test_schema(self) -> None:
        schema = etree.RelaxNG(etree.parse(SCHEMA))
        for name in ("gold", "system"):
            schema.assertValid(etree.parse(TAC / f"tac_{name}.xml"))


class TestLinks:
    @pytest.mark.parametrize(
        ("row", "link"),
        [
            ("q\tE0000001", Link(entity="E0000001")),
            ("q\tNIL", Link(entity=None)),
            ("q\tNIL0001", Link(entity="NIL0001")),
            ("q\tE1\t0.25", Link(entity="E1", score=0.25)),
            ("q\tE1\t.5e-3", Link(entity="E1", score=0.0005)),
            ("q\tE1\tPER", Link(entity="E1", type="PER")),
            ("q\tE1\tPER\t0.5", Link(entity="E1", type="PER", score=0.5)),
            ("q\tE1\t\t0.5", Link(entity="E1", score=0.5)),
            ("q\tE1\t1.0\t", Link(entity="E1", type="1.0")),
            (
                "q\tE1\tGPE\tNO\tWL",
                Link(entity="E1", type="GPE", attributes={"genre": "WL", "web_search": "NO"}),
            ),
            (
                "q\tE1\tPER\tWB\tYES",
                Link(entity="E1", type="PER", attributes={"genre": "WB", "web_search": "YES"}),
            ),
            (
                "q\tm.09b6zr\tPER\tDF\tY\tN\tY",
                Link(
                    entity="m.09b6zr",
                    type="PER",
                    attributes={
                        "genre": "DF",
                        "web_search": "Y",
                        "wiki_text": "N",
                        "unknown": "Y",
                    },
                ),
            ),
            (
                "q\tE1\tPER\t0.5\tDF\tY\tN\tY\tmore\tcells",
                Link(
                    entity="E1",
                    type="PER",
                    score=0.5,
                    attributes={
                        "genre": "DF",
                        "web_search": "Y",
                        "wiki_text": "N",
                        "unknown": "Y",
                        "columns": ["more", "cells"],
                    },
                ),
            ),
            ("q\tE1\tPER\t\t\tY", Link(entity="E1", type="PER", attributes={"wiki_text": "Y"})),
        ],
    )
    def test_layouts_there_and_back(self, row: str, link: Link, tmp_path: Path) -> None:
        corpus = read(pair(tmp_path, query("q", "a", 1, 1), row + "\n"))
        assert only(corpus).links == (link,)
        assert corpus.repairs == ()
        assert write(corpus, tmp_path / "x", format="tac") == []
        assert read(tmp_path / "x").documents == corpus.documents
        assert len((tmp_path / "x" / "links.tab").read_text("utf-8").splitlines()) == 1

    def test_column_names_of_2014(self, tmp_path: Path) -> None:
        links = "query_id\tentity_id\tentity_type\tgenre\tweb\twiki\tunknown\nq\tE1\tPER\tNW\tN\n"
        path = pair(tmp_path, query("q", "a", 1, 1), links)
        assert only(read(path)).links[0].attributes == {"genre": "NW", "web_search": "N"}
        assert read(path).repairs == ()
        assert read(tmp_path / "q.tab").documents == read(path).documents

    def test_several_lines_are_candidates_best_first(self, tmp_path: Path) -> None:
        links = "q\tE1\tPER\t0.2\nq\tE2\tPER\t0.7\nq\tE3\tPER\nq\tE4\tPER\t0.7\n"
        mention = only(read(pair(tmp_path, query("q", "a", 1, 1), links)))
        assert [link.entity for link in mention.links] == ["E2", "E4", "E1", "E3"]

    def test_queries_of_one_span_are_candidates(self, tmp_path: Path) -> None:
        queries = query("q1", "a", 1, 1) + query("q2", "a", 1, 1) + query("q3", "b", 3, 3)
        links = "q2\tE2\tPER\t0.9\nq1\tE1\tPER\t0.5\nq3\tE3\tORG\t0.5\n"
        corpus = read(pair(tmp_path, queries, links))
        first = corpus.documents[0].mentions[0]
        assert [link.entity for link in first.links] == ["E2", "E1"]
        assert first.attributes == {"query_id": "q1"}
        assert first.links[0].attributes == {"query_id": "q2"}
        assert write(corpus, tmp_path / "x", format="tac") == []
        assert read(tmp_path / "x").documents == corpus.documents

    def test_query_without_link(self, tmp_path: Path) -> None:
        queries = query("q1", "a", 1, 1) + query("q2", "b", 1, 1)
        corpus = read(pair(tmp_path, queries, "q1\tE1\n"))
        assert [len(mention.links) for mention in corpus.documents[0].mentions] == [1, 0]
        (repair,) = corpus.repairs
        assert (repair.kind, repair.before) == ("query-without-link", "q2")
        assert repair.where.endswith("q.xml:6")
        write(corpus, tmp_path / "x", format="tac")
        assert read(tmp_path / "x").documents == corpus.documents

    def test_link_without_query(self, tmp_path: Path) -> None:
        corpus = read(pair(tmp_path, query("q1", "a", 1, 1), "q1\tE1\nqX\tE9\tPER\n"))
        (repair,) = corpus.repairs
        assert (repair.kind, repair.before) == ("link-without-query", "qX\tE9\tPER")
        assert repair.where.endswith("q.tab:2")

    def test_no_links_at_all(self, tmp_path: Path) -> None:
        corpus = read(pair(tmp_path, query("q1", "a", 1, 1)))
        assert only(corpus).links == ()
        assert kinds(corpus) == {"no-links": 1}

    def test_entities_in_the_queries(self, tmp_path: Path) -> None:
        entity = "<entity>{}</entity>"
        queries = query("q1", "a", 1, 1, more=entity.format("E0348440"))
        queries += query("q2", "b", 3, 3, more=entity.format("NIL0007"))
        corpus = read(pair(tmp_path, queries))
        assert [link.entity for _, _, link in corpus.links()] == ["E0348440", "NIL0007"]
        assert corpus.repairs == ()
        corpus = read(pair(tmp_path, queries, "q1\tE0348440\tORG\nq2\tE5\tORG\n"))
        assert [link.entity for _, _, link in corpus.links()] == ["E0348440", "E5"]
        assert kinds(corpus) == {"entity-differs": 1}

    def test_blanks_instead_of_tabs(self, tmp_path: Path) -> None:
        path = pair(tmp_path, query("q1", "a", 1, 1))
        run = put(tmp_path, "run7", "q1  NIL0001 0.5\n")
        corpus = read(path, run)
        assert only(corpus).links == (Link(entity="NIL0001", score=0.5),)
        assert kinds(corpus) == {"blanks-for-tabs": 1}

    @pytest.mark.parametrize(
        ("links", "repairs"),
        [
            ("q\tE1\tPER\tnan\n", {"score-not-finite": 1}),
            ("q\tE1\t1e999\n", {"score-not-finite": 1}),
            ("q\t\tPER\n", {"empty-id": 1}),
            ("\ufeffq\tE1\n", {"byte-order-mark": 1}),
            ("q\tE1\r\n\r\n", {"crlf": 1}),
            ("\n\nq\tE1\n\n", {}),
            ("q\tE1\0\n", {}),
        ],
    )
    def test_repaired(self, links: str, repairs: dict[str, int], tmp_path: Path) -> None:
        corpus = read(pair(tmp_path, query("q", "a", 1, 1), links))
        assert kinds(corpus) == repairs
        assert len(only(corpus).links) == 1

    def test_one_column(self, tmp_path: Path) -> None:
        path = pair(tmp_path, query("q", "a", 1, 1), "q\tE1\nlonely\n")
        error = fails(path, "only one column")
        assert (error.path, error.line) == (str(tmp_path / "q.tab"), 2)
        errors: list[ReadError] = []
        corpus = read(path, options=ReadOptions(errors=errors))
        assert len(only(corpus).links) == len(errors) == 1

    def test_latin1(self, tmp_path: Path) -> None:
        path = pair(tmp_path, query("q", "a", 1, 1))
        put(tmp_path, "q.tab", "q\tE1\nq\tÄ\n".encode("latin-1"))
        assert fails(path, "not UTF-8").line == 2


class TestFiles:
    def test_releases_name_the_files_by_their_roles(self, tmp_path: Path) -> None:
        for task in ("train", "eval"):
            body = query(task, "a", 1, 1, doc=task)
            put(tmp_path, f"tac_{task}_queries.xml", f"<kbpentlink>{body}</kbpentlink>")
            put(tmp_path, f"tac_{task}_KB_links.tab", f"{task}\tE1\tPER\tNW\n")
        corpus = read(tmp_path)
        assert [link.entity for _, _, link in corpus.links()] == ["E1", "E1"]
        assert corpus.repairs == ()
        assert len(read(tmp_path / "tac_eval_KB_links.tab").documents) == 1

    def test_runs_beside_the_queries(self, tmp_path: Path) -> None:
        path = pair(tmp_path, query("q1", "a", 1, 1))
        runs = [put(tmp_path, name, f"q1\t{name}\n") for name in ("run1.tab", "run2.txt")]
        for run in runs:
            assert only(read(run)).links[0].entity == run.name
            assert only(read(path, run)).links[0].entity == run.name
            assert only(read(run, path)).links[0].entity == run.name
        assert "run1.tab, run2.txt" in str(fails(path, "may belong to any of"))

    def test_files_in_different_folders(self, tmp_path: Path) -> None:
        queries = pair(tmp_path / "queries", query("q1", "a", 1, 1))
        links = put(tmp_path / "runs", "run.tab", "q1\tE0000001\n")
        assert only(read(queries, links)).links[0].entity == "E0000001"
        assert only(read(links, queries)).links[0].entity == "E0000001"
        assert "Put the XML" in str(fails(links, "no queries for these links"))

    def test_folder_with_other_files(self, tmp_path: Path) -> None:
        pair(tmp_path, query("q1", "a", 1, 1), "q1\tE1\n")
        put(tmp_path, "README.txt", "Two words.\nOr more.\n")
        put(tmp_path, "regions.tab", "d1\t0\t5\n")
        corpus = read(tmp_path)
        assert len(only(corpus).links) == 1
        assert kinds(corpus) == {"unused-file": 2}

    def test_folder_with_several_lists(self, tmp_path: Path) -> None:
        put(tmp_path, "a.xml", "<kbpentlink/>")
        put(tmp_path, "b.xml", "<kbpentlink/>")
        with pytest.raises(ReadError, match="2 files of queries"):
            FORMATS.get("tac").read(Source(tmp_path), ReadOptions())  # type: ignore[misc]
        assert read(tmp_path).documents == ()

    def test_compressed(self, tmp_path: Path) -> None:
        path = pair(tmp_path, query("q1", "a", 1, 1), "q1\tE1\n")
        expected = read(path).documents
        for name in ("q.xml", "q.tab"):
            plain = tmp_path / name
            put(tmp_path / "packed", f"{name}.gz", gzip.compress(plain.read_bytes()))
        assert read(tmp_path / "packed" / "q.xml.gz").documents == expected
        assert read(tmp_path / "packed" / "q.tab.gz").documents == expected
        assert read(tmp_path / "packed").documents == expected

    def test_standard_input(self, tmp_path: Path) -> None:
        path = pair(tmp_path, query("q1", "a", 1, 1))
        run = put(tmp_path / "runs", "run.tab", "q1\tE1\n")
        out = tmp_path / "x.jsonl"
        arguments = ["convert", "-", str(run), "-o", str(out)]
        result = CliRunner().invoke(app, arguments, input=path.read_bytes())
        assert result.exit_code == 0, result.output
        assert only(read(out)).links[0].entity == "E1"

    def test_other_tables_are_not_claimed(self, tmp_path: Path) -> None:
        pair(tmp_path, query("q1", "a", 1, 1), "q1\tE1\n")
        scores = put(tmp_path, "q.tsv", "d1\t0\t5\tE1\n")
        assert detect(Source(scores)).name == "neleval"
        other = put(tmp_path, "words.tsv", "the\tcat\n")
        fails(other, "can't tell its format")
        assert kinds(read(tmp_path / "q.xml")) == {}

    def test_empty_links(self, tmp_path: Path) -> None:
        path = pair(tmp_path, query("q1", "a", 1, 1), "")
        assert kinds(read(path)) == {"query-without-link": 1}
        assert kinds(read(tmp_path / "q.tab")) == {"query-without-link": 1}


class TestQueries:
    def test_exclusive_ends_by_the_names(self, tmp_path: Path) -> None:
        queries = query("q1", "Paris", 10, 15) + query("q2", "Ann Lee", 20, 27)
        queries += query("q3", "AT&amp;T", 30, 38) + query("q4", "Paris", 40, 45)
        corpus = read(pair(tmp_path, queries, "".join(f"q{i}\tE{i}\n" for i in range(1, 5))))
        assert spans(corpus) == [(10, 15), (20, 27), (30, 38), (40, 45)]
        (repair,) = corpus.repairs
        assert (repair.kind, repair.after) == ("offsets", "characters from 0, ends exclusive")

    @pytest.mark.parametrize(("stated", "end"), [("inclusive", 16), ("exclusive", 15)])
    def test_ends_as_stated(self, stated: str, end: int, tmp_path: Path) -> None:
        queries = query("q1", "Paris", 10, 15) + query("q2", "Ann Lee", 20, 27)
        path = pair(tmp_path, queries + query("q3", "Paris", 30, 35), "")
        content = path.read_text("utf-8")
        put(tmp_path, "q.xml", content.replace("<kbp", f'<?elcurate ends="{stated}"?>\n<kbp'))
        corpus = read(path)
        assert spans(corpus)[0] == (10, end)
        assert kinds(corpus) == {"query-without-link": 3}

    @pytest.mark.parametrize(
        "last", [("q3", "Paris", 40, 45), ("q3", "Ann Lee", 40, 45), ("q3", "Ann Lee", 40, 46)]
    )
    def test_too_little_speaks_for_exclusive_ends(
        self, last: tuple[str, str, int, int], tmp_path: Path
    ) -> None:
        queries = query("q1", "Paris", 10, 15) + query("q2", "Paris", 20, 25) + query(*last)
        corpus = read(pair(tmp_path, queries))
        assert spans(corpus)[0] == (10, 16)
        assert kinds(corpus) == {"no-links": 1}

    def test_texts_show_how_ends_are_meant(self, tmp_path: Path) -> None:
        begin = RAW.index("Ann")
        path = pair(tmp_path, query("q", "Ann Lee", begin, begin + 8), "q\tE1\n")
        corpus = read(path, options=sources(tmp_path, d1=RAW))
        assert only(corpus).span == (begin, begin + 8)
        assert kinds(corpus) == {"offsets": 1}

    def test_names_and_raw_sources(self, tmp_path: Path) -> None:
        names = {
            "AT&amp;T": "AT&amp;T",
            "AT&amp;amp;T": "AT&amp;T",
            "New York": "New\nYork",
            "Ann Lee": "Ann  Lee",
            "Paris-born": "Paris-\nborn",
        }
        queries = "".join(
            query(f"q{number}", name, RAW.index(raw), RAW.index(raw) + len(raw) - 1, f"d{number}")
            for number, (name, raw) in enumerate(names.items())
        )
        links = "".join(f"q{number}\tE1\n" for number in range(len(names)))
        texts = {f"d{number}": RAW for number in range(len(names))}
        corpus = read(pair(tmp_path, queries, links), options=sources(tmp_path, **texts))
        assert corpus.repairs == ()
        found = [document.surface(mention) for document, mention in corpus.mentions()]
        assert found == list(names.values())
        assert all(mention.surface is None for _, mention in corpus.mentions())
        assert write(corpus, tmp_path / "x", format="tac") == []
        assert read(tmp_path / "x").documents == corpus.documents

    def test_a_name_that_differs_is_kept(self, tmp_path: Path) -> None:
        path = pair(tmp_path, query("q", "Bob", 0, 2), "q\tE1\n")
        corpus = read(path, options=sources(tmp_path, d1=RAW))
        assert only(corpus).surface == "Bob"
        assert kinds(corpus) == {"surface-differs": 1}

    def test_queries_without_offsets(self, tmp_path: Path) -> None:
        queries = query("q1", "Ann Lee") + query("q2", "Bob") + query("q3", "Cy", doc="d2")
        links = "q1\tE1\nq2\tE2\nq3\tE3\n"
        corpus = read(pair(tmp_path, queries, links))
        assert spans(corpus) == [(0, 0), (1, 1), (0, 0)]
        assert [mention.surface for _, mention in corpus.mentions()] == ["Ann Lee", "Bob", "Cy"]
        assert all(mention.attributes["no_offsets"] is True for _, mention in corpus.mentions())
        assert kinds(corpus) == {"no-offsets": 3}
        assert write(corpus, tmp_path / "x", format="tac") == []
        assert b"<beg>" not in (tmp_path / "x" / "queries.xml").read_bytes()
        assert read(tmp_path / "x").documents == corpus.documents

    def test_names_are_found_in_the_text(self, tmp_path: Path) -> None:
        text = f"<DOCID>Leeds-Lee</DOCID>{RAW}Lee Leeward <a href='Bo'>"
        names = ["Ann Lee", "Lee", "Leew", "AT&amp;T", "Paris-born", "Bo", "Cy"]
        queries = "".join(query(f"q{i}", name) for i, name in enumerate(names))
        links = "".join(f"q{i}\tE{i}\n" for i in range(len(names)))
        corpus = read(pair(tmp_path, queries, links), options=sources(tmp_path, d1=text))
        (document,) = corpus.documents
        found = {
            mention.attributes["query_id"]: document.surface(mention)
            for mention in document.mentions
        }
        assert found == {
            "q0": "Ann  Lee",
            "q1": "Lee",
            "q2": "Leew",
            "q3": "AT&amp;T",
            "q4": "Paris-\nborn",
            "q5": "Bo",
            "q6": "",
        }
        assert kinds(corpus) == {"located": 6, "no-offsets": 1}
        (nowhere,) = [one for one in document.mentions if "no_offsets" in one.attributes]
        assert (nowhere.span, nowhere.surface) == ((0, 0), "Cy")

    def test_other_elements_are_kept(self, tmp_path: Path) -> None:
        more = "<!-- c --><note>x &lt; y</note><empty/>"
        corpus = read(pair(tmp_path, query("q", "a", 1, 1, more=more), "q\tE1\n"))
        assert only(corpus).attributes == {"query_id": "q", "note": "x < y", "empty": ""}
        assert write(corpus, tmp_path / "x", format="tac") == []
        assert read(tmp_path / "x").documents == corpus.documents
        etree.RelaxNG(etree.parse(SCHEMA)).assertValid(etree.parse(tmp_path / "x" / "queries.xml"))

    @pytest.mark.parametrize(
        ("body", "match", "line"),
        [
            (query("q", "a", "x", 1), "'x' is no offset", 6),
            (query("q", "a", 1, 1.5), "'1.5' is no offset", 6),
            (query("q", "a", 1, 10**17), "absurd", 6),
            (query("q", "a", "9" * 5000, 1), "is no offset", 6),
            ("<query id='q'><name>a</name><docid>d</docid><beg>1</beg></query>", "one offset", 6),
            ("<query id='q'><name>a</name></query>", "no docid", 6),
            (query("ok", "a", 5, 5), "'ok' occurs twice", 6),
        ],
    )
    def test_bad_query(self, body: str, match: str, line: int, tmp_path: Path) -> None:
        path = pair(tmp_path, query("ok", "a", 1, 1) + body, "ok\tE1\n")
        error = fails(path, match)
        assert (error.path, error.line) == (str(path), line)
        errors: list[ReadError] = []
        assert only(read(path, options=ReadOptions(errors=errors))).span == (1, 2)
        assert len(errors) == 1

    @pytest.mark.parametrize(
        ("body", "repair"),
        [
            ("<query><name>a</name><docid>d1</docid></query>", "query-without-id"),
            ("<query id='q'><name>a</name><name>b</name><docid>d1</docid></query>", "repeated"),
            (query("q", "a", 9, 3), "impossible-span"),
            (query("q", "a", -5, 3), "impossible-span"),
        ],
    )
    def test_repaired_query(self, body: str, repair: str, tmp_path: Path) -> None:
        corpus = read(pair(tmp_path, body, "q\tE1\n"))
        assert only(corpus).surface == "a"
        assert any(kind.startswith(repair) for kind in kinds(corpus))

    @pytest.mark.parametrize(
        ("content", "match"),
        [
            ("<kbpentlink><query id='q'>", "not well-formed"),
            (
                "<kbpentlink><query id='q'><name>a & b</name></query></kbpentlink>",
                "not well-formed",
            ),
            (
                '<!DOCTYPE k [<!ENTITY a "b">]><kbpentlink><query id="&a;"/></kbpentlink>',
                "entities",
            ),
            ("<other><x/></other>", "no list of queries"),
            ("<kbpentlink>" + "<a>" * 300, "not well-formed"),
        ],
    )
    def test_bad_xml(self, content: str, match: str, tmp_path: Path) -> None:
        head = "" if content.startswith("<!") else "<!-- <kbpentlink -->"
        fails(put(tmp_path, "q.xml", head + content), match, format="tac")

    def test_external_dtd_is_not_read(self, tmp_path: Path) -> None:
        body = query("q", "a", 1, 1)
        content = f'<!DOCTYPE kbpentlink SYSTEM "kbpentlink.dtd">\n<kbpentlink>{body}</kbpentlink>'
        assert only(read(put(tmp_path, "q.xml", content))).span == (1, 2)

    def test_no_queries(self, tmp_path: Path) -> None:
        assert read(put(tmp_path, "q.xml", "<kbpentlink/>")).documents == ()


class TestTexts:
    PATH = "d1\tE1\n"

    @pytest.mark.parametrize(
        "name",
        ["d.1", "d.1.xml", "d.1.sgm", "d.1.SGML", "deep/er/d.1.txt", "d.1.mpdf.xml", "d.1.df.xml"],
    )
    def test_file_names(self, name: str, tmp_path: Path) -> None:
        path = pair(tmp_path, query("q", "Ann Lee", 5, 11, doc="d.1"), "q\tE1\n")
        put(tmp_path, f"texts/{name}", "Ms   Ann Lee")
        put(tmp_path, "texts/d.10.xml", "wrong")
        put(tmp_path, "texts/d.1.ltf.xml", "wrong")
        corpus = read(path, options=ReadOptions(texts=tmp_path / "texts"))
        assert corpus.documents[0].text == "Ms   Ann Lee"
        assert corpus.repairs == ()

    def test_compressed_text_beside_the_queries(self, tmp_path: Path) -> None:
        path = pair(tmp_path, query("q", "Ann", 0, 2), "q\tE1\n")
        put(tmp_path, "source_documents/d1.sgm.gz", gzip.compress(b"Ann\r\n"))
        assert read(path).documents[0].text == "Ann\r\n"
        assert read(tmp_path).documents == read(path).documents

    def test_byte_order_mark_is_a_character(self, tmp_path: Path) -> None:
        path = pair(tmp_path, query("q", "Ann", 1, 3), "q\tE1\n")
        corpus = read(path, options=sources(tmp_path, d1="\ufeffAnn"))
        assert corpus.documents[0].surface(only(corpus)) == "Ann"
        assert corpus.repairs == ()

    def test_missing_and_doubled(self, tmp_path: Path) -> None:
        queries = query("q1", "a", 0, 0) + query("q2", "a", 0, 0, doc="d2")
        path = pair(tmp_path, queries, "q1\tE1\nq2\tE2\n")
        put(tmp_path, "texts/one/d1.xml", "a")
        put(tmp_path, "texts/two/d1.xml", "b")
        corpus = read(path, options=ReadOptions(texts=tmp_path / "texts"))
        assert [document.text for document in corpus.documents] == ["a", None]
        assert kinds(corpus) == {"several-texts": 1, "text-missing": 1}

    def test_no_such_folder(self, tmp_path: Path) -> None:
        path = pair(tmp_path, query("q", "a", 0, 0), "q\tE1\n")
        fails(path, "no such folder", options=ReadOptions(texts=tmp_path / "nowhere"))

    def test_document_ids_are_no_paths(self, tmp_path: Path) -> None:
        put(tmp_path, "secret.txt", "SECRET")
        path = pair(tmp_path, query("q", "a", 0, 0, doc="../secret"), "q\tE1\n")
        corpus = read(path, options=sources(tmp_path, d1="a"))
        assert corpus.documents[0].text is None

    def test_markup_hidden(self, tmp_path: Path) -> None:
        raw = '<post author="Ann">\nAT&amp;T wins</post>'
        queries = query("q1", "Ann", raw.index("Ann"), raw.index("Ann") + 2)
        queries += query("q2", "AT&amp;T", raw.index("AT"), raw.index("AT") + 7)
        put(tmp_path, "texts/d1.xml", raw)
        path = pair(tmp_path, queries, "q1\tE1\nq2\tE2\n")
        out = tmp_path / "x.jsonl"
        arguments = ["convert", path, "--texts", tmp_path / "texts", "--hide-markup", "-o", out]
        result = CliRunner().invoke(app, [str(argument) for argument in arguments])
        assert result.exit_code == 0, result.output
        assert "inside-markup: d1 14-17 Ann → left out" in result.stderr
        (document,) = read(out).documents
        assert document.text == "\nAT&T wins"
        assert [document.surface(mention) for mention in document.mentions] == ["AT&T"]

    def test_excluded_regions(self, tmp_path: Path) -> None:
        queries = "".join(query(f"q{at}", "abc", at, at + 2) for at in (0, 8, 13, 20))
        path = pair(tmp_path, queries, "".join(f"q{at}\tE1\n" for at in (0, 8, 13, 20)))
        regions = put(tmp_path, "regions", "d1\t10\t12\nd1\t3\t5\nd1\t13\t19\textra\nd2\t0\t99\n")
        out = tmp_path / "x.jsonl"
        arguments = ["convert", path, "--exclude", regions, "-o", out]
        result = CliRunner().invoke(app, [str(argument) for argument in arguments])
        assert result.exit_code == 0, result.output
        assert spans(read(out)) == [(0, 3), (20, 23)]
        assert "2 excluded-region: d1 8-11 abc → left out" in result.stderr
        assert len(read(path).documents[0].mentions) == 4

    @pytest.mark.parametrize("row", ["d1\t1", "d1\tx\t2", "d1 1 2", f"d1\t1\t{10**17}"])
    def test_bad_regions(self, row: str, tmp_path: Path) -> None:
        path = pair(tmp_path, query("q", "a", 0, 0), "q\tE1\n")
        regions = put(tmp_path, "regions", f"d1\t0\t1\n{row}\n")
        error = fails(path, "offset", options=ReadOptions(excluded=regions))
        assert (error.path, error.line) == (str(regions), 2)


class TestWriting:
    def test_layout(self, tmp_path: Path) -> None:
        links = (Link(entity="E1", type="PER", score=0.5), Link(type="ORG"))
        mention = Mention(begin=0, end=3, links=links, surface='A<"&')
        corpus = Corpus(documents=(Document(id="d&1", mentions=(mention,)),))
        assert write(corpus, tmp_path / "x", format="tac") == []
        assert (tmp_path / "x" / "links.tab").read_text("utf-8") == (
            "elcurate_000001\tE1\tPER\t0.5\nelcurate_000001\tNIL\tORG\n"
        )
        assert (tmp_path / "x" / "queries.xml").read_text("utf-8") == (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<?elcurate ends="inclusive"?>\n<kbpentlink>\n'
            '  <query id="elcurate_000001">\n    <name>A&lt;&quot;&amp;</name>\n'
            "    <docid>d&amp;1</docid>\n    <beg>0</beg>\n    <end>2</end>\n"
            "  </query>\n</kbpentlink>\n"
        )
        assert read(tmp_path / "x").documents == corpus.documents

    def test_written_queries_are_valid(self, tmp_path: Path) -> None:
        write(torture_corpus(), tmp_path / "x", format="tac")
        etree.RelaxNG(etree.parse(SCHEMA)).assertValid(etree.parse(tmp_path / "x" / "queries.xml"))

    def test_texts_are_written(self, tmp_path: Path) -> None:
        text = "\ufeffa\r\n\x00\x0b<b>"
        mention = Mention(begin=1, end=5, links=(Link(entity="E1"),))
        documents = tuple(
            Document(id=name, text=text, mentions=(mention,))
            for name in ("a/b", "A", "a", "x" * 300)
        )
        assert write(Corpus(documents=documents), tmp_path / "x", format="tac") == []
        assert read(tmp_path / "x").documents == documents

    def test_ids_are_unique(self, tmp_path: Path) -> None:
        mentions = tuple(
            Mention(begin=at, end=at + 1, links=(Link(entity=f"E{at}"),), attributes=attributes)
            for at, attributes in enumerate(
                [{"query_id": "q"}, {"query_id": "q"}, {"query_id": 5}, {"query_id": "a\tb"}, {}]
            )
        )
        corpus = Corpus(documents=(Document(id="d", mentions=mentions),))
        losses = write(corpus, tmp_path / "x", format="tac")
        assert [(loss.kind, loss.where) for loss in losses] == [
            ("mention-attributes", f"d {at}-{at + 1}") for at in (1, 2, 3)
        ]
        found = read(tmp_path / "x").documents[0].mentions
        assert [mention.attributes for mention in found] == [{"query_id": "q"}, {}, {}, {}, {}]
        assert [mention.links for mention in found] == [mention.links for mention in mentions]

    @pytest.mark.parametrize(
        ("link", "kind"),
        [
            (Link(entity="a\tb"), "entity"),
            (Link(entity="E1", type="a\nb"), "types"),
            (Link(entity="NIL"), "nil-clusters"),
            (Link(entity="E1", attributes={"web_search": "maybe"}), "link-attributes"),
            (Link(entity="E1", attributes={"genre": "0.5"}), "link-attributes"),
            (Link(entity="E1", attributes={"genre": ["NW"]}), "link-attributes"),
            (Link(entity="E1", attributes={"columns": ["x"]}), "link-attributes"),
            (Link(entity="E1", attributes={"query_id": "q9"}), "link-attributes"),
        ],
    )
    def test_what_has_no_place(self, link: Link, kind: str, tmp_path: Path) -> None:
        mention = Mention(begin=0, end=1, links=(link,))
        corpus = Corpus(documents=(Document(id="d", mentions=(mention,)),))
        (loss,) = write(corpus, tmp_path / "x", format="tac")
        assert (loss.kind, loss.where) == (kind, "d 0-1")
        back = read(tmp_path / "x")
        check_kept(corpus, back, FORMATS.get("tac"), [loss])


LINE = "LDC\tM1\tNew York\td1: 10 \u2013 17\tm.02_286\tGPE\tNAM\t1.0\tN\tY\tN\n"


class TestOneFile:
    def test_gold(self, tmp_path: Path) -> None:
        corpus = read(put(tmp_path, "gold.tab", LINE))
        assert corpus.documents[0].id == "d1"
        flags = {"web_search": "N", "wiki_text": "Y", "unknown": "N"}
        assert only(corpus) == Mention(
            begin=10,
            end=18,
            links=(Link(entity="m.02_286", type="GPE", score=1.0, attributes=flags),),
            surface="New York",
            attributes={"run_id": "LDC", "mention_id": "M1", "mention_type": "NAM"},
        )
        assert corpus.repairs == ()

    def test_gold_is_written_as_it_was(self, tmp_path: Path) -> None:
        content = LINE + LINE.replace("M1", "M2").replace("10 \u2013 17", "30-37")
        corpus = read(put(tmp_path, "gold.tab", content))
        assert write(corpus, tmp_path / "x.edl.tab") == []
        assert (tmp_path / "x.edl.tab").read_text("utf-8") == content.replace(
            "d1: 10 \u2013 17", "d1:10-17"
        ).replace("d1: 30-37", "d1:30-37")

    @pytest.mark.parametrize(
        "place", ["d1:10-17", "d1: 10-17", "d1:10 - 17", "d1:10\u201317", "d1: 10 \u2013 17"]
    )
    def test_places(self, place: str, tmp_path: Path) -> None:
        line = LINE.replace("d1: 10 \u2013 17", place)
        assert only(read(put(tmp_path, "x", line))).span == (10, 18)

    def test_document_ids_with_colons_and_hyphens(self, tmp_path: Path) -> None:
        line = LINE.replace("d1:", "http://e.org/a-1:2-3:")
        assert read(put(tmp_path, "x", line)).documents[0].id == "http://e.org/a-1:2-3"

    def test_system(self, tmp_path: Path) -> None:
        lines = (
            "run\tS1\ta\td2:0-0\tNIL0001\tPER\tNOM\t0.5\n"
            "run\tS2\tb\td1:4-4\tNIL\tORG\tNAM\t0.25\n"
            "run\tS3\ta\td2:0-0\tE0123\tORG\tNAM\t0.75\n"
        )
        corpus = read(put(tmp_path, "run.tab", lines))
        assert [document.id for document in corpus.documents] == ["d2", "d1"]
        first = corpus.documents[0].mentions[0]
        assert first.attributes == {"run_id": "run", "mention_id": "S1", "mention_type": "NOM"}
        assert [link.entity for link in first.links] == ["E0123", "NIL0001"]
        assert first.links[0].attributes == {"mention_id": "S3", "mention_type": "NAM"}
        assert corpus.documents[1].mentions[0].links == (Link(type="ORG", score=0.25),)
        losses = write(corpus, tmp_path / "x.edl.tab")
        assert losses == []
        assert read(tmp_path / "x.edl.tab").documents == corpus.documents
        widths = {line.count("\t") for line in (tmp_path / "x.edl.tab").read_text().splitlines()}
        assert widths == {7}

    def test_only_line_feeds_end_lines(self, tmp_path: Path) -> None:
        line = LINE.replace("New York", "New\u2028\x85York\x0b")
        assert only(read(put(tmp_path, "x", line))).surface == "New\u2028\x85York\x0b"

    def test_more_columns_are_kept(self, tmp_path: Path) -> None:
        line = LINE.rstrip("\n") + "\ttranslation\tx\n"
        corpus = read(put(tmp_path, "x", line))
        assert only(corpus).links[0].attributes["columns"] == ["translation", "x"]
        assert write(corpus, tmp_path / "x.edl.tab") == []
        assert read(tmp_path / "x.edl.tab").documents == corpus.documents

    def test_texts(self, tmp_path: Path) -> None:
        put(tmp_path, "source_docs/eng/d1.xml", "<p>I love New\nYork.</p>")
        path = put(tmp_path, "gold.tab", LINE)
        corpus = read(path)
        assert corpus.documents[0].surface(only(corpus)) == "New\nYork"
        assert only(corpus).surface is None
        assert corpus.repairs == ()
        assert read(tmp_path).documents == corpus.documents
        write(corpus, tmp_path / "x.edl.tab")
        assert "\tNew York\t" in (tmp_path / "x.edl.tab").read_text("utf-8")

    def test_offsets_that_miss_are_diagnosed_or_reported(self, tmp_path: Path) -> None:
        path = put(tmp_path, "gold.tab", LINE + LINE.replace("New York", "love"))
        corpus = read(path, options=sources(tmp_path, d1="<p>I love New York.</p>"))
        assert kinds(corpus) == {"surface-differs": 1}
        path = put(tmp_path, "gold.tab", LINE.replace("17", "18"))
        corpus = read(path, options=sources(tmp_path, d1="<p>I love New York.</p>"))
        assert only(corpus).span == (10, 18)
        assert kinds(corpus) == {"offsets": 1}

    def test_column_names(self, tmp_path: Path) -> None:
        names = "run\tid\tstring\tprovenance\tkb\ttype\tlevel\tconfidence\n"
        path = put(tmp_path, "x.tab", names + LINE)
        corpus = read(path, format="tac2015")
        assert len(corpus.documents) == 1
        assert kinds(corpus) == {"column-names": 1}

    @pytest.mark.parametrize(
        ("line", "match"),
        [
            ("run\tM\ta\td1:0-0\tE1\tPER\tNAM", "7 columns"),
            ("x", "1 columns"),
            ("run\tM\ta\td1\tE1\tPER\tNAM\t1.0", "'d1' is no document id with offsets"),
            ("run\tM\ta\td1:0-x\tE1\tPER\tNAM\t1.0", "is no document id with offsets"),
            ("run\tM\ta\td1:0-0\tE1\tPER\tNAM\tmuch", "'much' is no score"),
            (f"run\tM\ta\td1:0-{10**17}\tE1\tPER\tNAM\t1.0", "absurd"),
            (f"run\tM\ta\td1:0-{'9' * 5000}\tE1\tPER\tNAM\t1.0", "is no offset"),
        ],
    )
    def test_bad_line(self, line: str, match: str, tmp_path: Path) -> None:
        path = put(tmp_path, "x.tab", LINE + "\n" + line + "\n" + LINE)
        error = fails(path, match, format="tac2015")
        assert (error.path, error.line) == (str(path), 3)
        errors: list[ReadError] = []
        corpus = read(path, format="tac2015", options=ReadOptions(errors=errors))
        assert len(only(corpus).links) == 2
        assert len(errors) == 1

    @pytest.mark.parametrize(
        ("line", "repairs"),
        [
            (LINE.replace("\n", "\r\n"), {"crlf": 1}),
            ("\ufeff" + LINE, {"byte-order-mark": 1}),
            (LINE.replace("m.02_286", ""), {"empty-id": 1}),
            (LINE.replace("1.0", "inf"), {"score-not-finite": 1}),
            (LINE.replace("1.0", ""), {}),
            (LINE.replace("10", "-10").replace("17", "-3"), {"impossible-span": 1}),
            (LINE.replace("17", "3"), {"impossible-span": 1}),
        ],
    )
    def test_repaired(self, line: str, repairs: dict[str, int], tmp_path: Path) -> None:
        corpus = read(put(tmp_path, "x.tab", line))
        assert kinds(corpus) == repairs
        assert len(only(corpus).links) == 1

    def test_excluded_regions_and_hidden_markup(self, tmp_path: Path) -> None:
        raw = "<p>ab</p><quote>cd</quote>ef"
        lines = "".join(
            f"r\tM{at}\t{text}\td1:{at}-{at + 1}\tE1\tPER\tNAM\t1\n"
            for text in ("ab", "cd", "ef")
            for at in [raw.index(text)]
        )
        path = put(tmp_path, "x.tab", lines)
        regions = put(tmp_path, "regions", f"d1\t{raw.index('<quote>')}\t{raw.index('ef') - 1}\n")
        put(tmp_path, "texts/d1.xml", raw)
        options = ReadOptions(texts=tmp_path / "texts", excluded=regions, hide_markup=True)
        (document,) = read(path, options=options).documents
        assert document.text == "abcdef"
        assert [document.surface(mention) for mention in document.mentions] == ["ab", "ef"]

    def test_what_is_made_up_is_said_and_not_read(self, tmp_path: Path) -> None:
        links = (Link(entity="E1", type="PER"),)
        bare = Document(id="e", mentions=(Mention(begin=0, end=1),))
        document = Document(id="d", mentions=(Mention(begin=0, end=3, links=links),))
        corpus = Corpus(documents=(bare, document))
        losses = write(corpus, tmp_path / "x.edl.tab")
        assert (tmp_path / "x.edl.tab").read_text("utf-8") == (
            "elcurate\telcurate_000001\t\td:0-2\tE1\tPER\tNAM\t1.0\n"
        )
        assert {(loss.kind, loss.where, loss.what) for loss in losses} >= {
            ("document", "e", ""),
            ("mention-attributes", "d 0-3", "mention_type=NAM"),
            ("scores", "d 0-3", "1.0"),
        }
        assert only(read(tmp_path / "x.edl.tab")).attributes == {"mention_type": "NAM"}

    def test_standard_input(self, tmp_path: Path) -> None:
        out = tmp_path / "x.jsonl"
        for format_ in ([], ["--from", "tac2015"]):
            arguments = ["convert", "-", "-o", str(out), *format_]
            result = CliRunner().invoke(app, arguments, input=LINE.replace("\n", "\r\n").encode())
            assert result.exit_code == 0, result.output
            assert "1 repair:" in result.stderr
            assert only(read(out)).span == (10, 18)

    def test_compared_with_gold(self, tmp_path: Path) -> None:
        gold = put(tmp_path, "gold.tab", LINE)
        system = put(tmp_path, "system.tab", "\t".join(LINE.split("\t")[:8]) + "\n")
        result = CliRunner().invoke(app, ["evaluate", "-g", str(gold), str(system), "-f", "tsv"])
        assert result.exit_code == 0, result.output
        assert "strong_link_match" in result.stdout


def test_losses_name_their_kinds(tmp_path: Path) -> None:
    losses: list[Loss] = []
    for name in ("tac", "tac2015"):
        losses += write(torture_corpus(), tmp_path / name, format=name)
    assert {"tags", "repeated-spans", "categories", "fragments"} <= {loss.kind for loss in losses}
    assert all(loss.where for loss in losses)
