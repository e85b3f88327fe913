"""CoNLL-2011/2012 coreference."""

from __future__ import annotations

from pathlib import Path

import pytest
from formats.small_files import again, fails, kinds, put, said

from elcurate.evaluation.evaluate import evaluate
from elcurate.formats.base import ReadOptions
from elcurate.formats.io import read
from elcurate.formats.outputs import write
from elcurate.model.corpus import Corpus, Document, Link, Mention, Span

ONTONOTES = """\
#begin document (bc/cctv/00/cctv_0000); part 000
bc/cctv/00/cctv_0000   0   0        In   IN  (TOP(S(PP*   -   -   -   Speaker#1   (DATE*          -
bc/cctv/00/cctv_0000   0   1       the   DT     (NP(NP*   -   -   -   Speaker#1        *   (12|(3
bc/cctv/00/cctv_0000   0   2    summer   NN       *)   summer   -   1   Speaker#1       *       3)
bc/cctv/00/cctv_0000   0   3      2005   CD          *)   -   -   -   Speaker#1       *)  (4)|12)
bc/cctv/00/cctv_0000   0   4         ,    ,          *)   -   -   -   Speaker#1        *        -

bc/cctv/00/cctv_0000   0   0        It  PRP       (TOP*   -   -   -   -        *     (12)

#end document
#begin document (bc/cctv/00/cctv_0000); part 001
bc/cctv/00/cctv_0000   1   0        It  PRP       (TOP*   -   -   -   -        *     (12)

#end document
"""
LITBANK = """\
#begin document (76_huck); part 0
76_huck\t0\t0\tTom\t_\t_\t_\t_\t_\t_\t_\t_\t(3)|(6
76_huck\t0\t1\t's\t_\t_\t_\t_\t_\t_\t_\t_\t
76_huck\t0\t2\tAunt\t_\t_\t_\t_\t_\t_\t_\t_\t6)

#end document
"""


def crossing(*rows: str) -> str:
    body = "".join(f"x\t0\t{number}\tw{number}\t{cell}\n" for number, cell in enumerate(rows))
    return f"#begin document (x); part 000\n{body}\n#end document\n"


def test_chains_are_nil_clusters_of_their_document(tmp_path: Path) -> None:
    corpus = read(put(tmp_path / "x", ONTONOTES))
    first, second = corpus.documents
    assert (first.id, second.id) == ("bc/cctv/00/cctv_0000", "bc/cctv/00/cctv_0000; part 001")
    assert first.text == "In the summer 2005 ,\nIt"
    assert said(corpus) == [
        ("the summer 2005", "NIL:12:bc/cctv/00/cctv_0000"),
        ("the summer", "NIL:3:bc/cctv/00/cctv_0000"),
        ("2005", "NIL:4:bc/cctv/00/cctv_0000"),
        ("It", "NIL:12:bc/cctv/00/cctv_0000"),
    ]
    assert said(corpus, 1) == [("It", "NIL:12:bc/cctv/00/cctv_0000; part 001")]
    assert all(link.is_nil for _, _, link in corpus.links())
    assert first.sentences == (Span(begin=0, end=20), Span(begin=21, end=23))
    assert corpus.metadata == {"detokenise": "space"}
    assert corpus.repairs == ()


def test_written_as_it_was(tmp_path: Path) -> None:
    corpus = read(put(tmp_path / "x", ONTONOTES))
    assert write(corpus, tmp_path / "y", format="conll-coref") == []
    assert (tmp_path / "y").read_text() == ONTONOTES


def test_read_again(tmp_path: Path) -> None:
    corpus = read(put(tmp_path / "x", LITBANK))
    assert again(corpus, tmp_path, "conll-coref").documents == corpus.documents
    assert (tmp_path / "again").read_text().startswith(LITBANK.splitlines()[0])


def test_the_style_of_the_text_is_an_option(tmp_path: Path) -> None:
    path = put(tmp_path / "x", ONTONOTES)
    corpus = read(path, options=ReadOptions(detokenise="bat"))
    assert corpus.documents[0].text == "In the summer 2005,\nIt\n"
    assert said(corpus)[0][0] == "the summer 2005"
    assert write(corpus, tmp_path / "y", format="conll-coref") == []


def test_empty_last_column(tmp_path: Path) -> None:
    corpus = read(put(tmp_path / "x", LITBANK))
    assert corpus.documents[0].id == "76_huck"
    assert said(corpus) == [("Tom 's Aunt", "NIL:6:76_huck"), ("Tom", "NIL:3:76_huck")]


def test_crossing_mentions(tmp_path: Path) -> None:
    corpus = read(put(tmp_path / "x", crossing("(1", "(2", "1)", "2)")))
    assert said(corpus) == [("w0 w1 w2", "NIL:1:x"), ("w1 w2 w3", "NIL:2:x")]


def test_nested_mentions_of_one_chain(tmp_path: Path) -> None:
    corpus = read(put(tmp_path / "x", crossing("(1", "(1)", "-", "1)")))
    assert [surface for surface, _ in said(corpus)] == ["w0 w1 w2 w3", "w1"]


def test_crossing_mentions_of_one_chain_are_reported(tmp_path: Path) -> None:
    links = (Link(entity="NIL:1:d"),)
    found = (Mention(begin=0, end=3, links=links), Mention(begin=2, end=5, links=links))
    document = Document(id="d", text="a b c", mentions=found)
    losses = write(Corpus(documents=(document,)), tmp_path / "x", format="conll-coref")
    assert [(loss.kind, loss.where) for loss in losses] == [("mention", "d 2-5")]


@pytest.mark.parametrize(
    ("rows", "token", "chain"),
    [
        ("0\tParis\t(5)", "Paris", "NIL:5:d"),
        ("XX\t(1)", "XX", "NIL:1:d"),
        ("pub\t0\t0\tjunk\t(8)", "junk", "NIL:8:d"),
        ("1 Paris _ NNP * (e7)", "Paris", "NIL:e7"),
        ("d 0 0 # - (NIL0001)", "#", "NIL0001"),
        ("1\tNew York\t(2)", "New York", "NIL:2:d"),
    ],
)
def test_narrow_rows(rows: str, token: str, chain: str, tmp_path: Path) -> None:
    corpus = read(put(tmp_path / "x", f"# begin document (d);\n{rows}\n#end document\n"))
    assert said(corpus) == [(token, chain)]
    write(corpus, tmp_path / "y", format="conll-coref")
    assert read(tmp_path / "y").documents == corpus.documents


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("(a); part 000", "a"),
        ("(a); part 0", "a"),
        ("(a);", "a"),
        ("a", "a"),
        ("(a (b)); part 012", "a (b); part 012"),
        ("", "x"),
    ],
)
def test_document_ids(header: str, name: str, tmp_path: Path) -> None:
    corpus = read(put(tmp_path / "x.conll", f"#begin document {header}\nw\t-\n#end document\n"))
    assert [document.id for document in corpus.documents] == [name]
    write(corpus, tmp_path / "y.conll", format="conll-coref")
    assert read(tmp_path / "y.conll").documents == corpus.documents


def test_entities_become_numbered_chains(tmp_path: Path) -> None:
    paris = (Link(entity="http://www.wikidata.org/entity/Q90"),)
    found = (
        Mention(begin=0, end=5, links=paris),
        Mention(begin=6, end=8, links=(Link(entity="NIL:0:d"),)),
        Mention(begin=9, end=14, links=paris),
    )
    document = Document(id="d", text="Paris it Paris", mentions=found)
    losses = write(Corpus(documents=(document,)), tmp_path / "x", format="conll-coref")
    assert [(loss.kind, loss.what) for loss in losses] == [("link", paris[0].entity)] * 2
    cells = [line.split("\t")[-1] for line in (tmp_path / "x").read_text().splitlines()[1:4]]
    assert cells == ["(1)", "(0)", "(1)"]


def test_rows_of_a_changed_text_are_made_anew(tmp_path: Path) -> None:
    corpus = read(put(tmp_path / "x", crossing("(1)", "-")))
    changed = corpus.documents[0].model_copy(update={"text": "w0 wX"})
    losses = write(Corpus(documents=(changed,)), tmp_path / "y", format="conll-coref")
    assert [loss.kind for loss in losses] == ["metadata"]
    assert read(tmp_path / "y").documents[0].text == "w0 wX"


@pytest.mark.parametrize(
    ("text", "repairs"),
    [
        (crossing("(1", "-"), {"bracket-not-closed": 1}),
        (crossing("1)", "-"), {"bracket-not-opened": 1}),
        (crossing("-").replace("\n", "\r\n"), {"crlf": 1}),
        ("\ufeff" + crossing("-"), {"byte-order-mark": 1}),
        (crossing("-").replace("#end document\n", ""), {"missing-end": 1}),
        (
            crossing("-").replace("#end document\n", crossing("-").replace("(x)", "(y)")),
            {"missing-end": 1},
        ),
        (crossing("-") + "#end document\n", {"end-without-begin": 1}),
        (crossing("-").replace("\n\n", "\n# a note\n\n"), {"comment": 1}),
    ],
)
def test_repairs(text: str, repairs: dict[str, int], tmp_path: Path) -> None:
    corpus = read(put(tmp_path / "x", text))
    assert kinds(corpus) == repairs
    assert corpus.documents[0].text is not None
    assert corpus.documents[0].text.startswith("w0")
    assert not list(corpus.mentions())


def test_repairs_name_the_line(tmp_path: Path) -> None:
    corpus = read(put(tmp_path / "x", crossing("-", "(1", "2)")))
    assert [repair.where.rpartition(":")[2] for repair in corpus.repairs] == ["4", "3"]
    assert [repair.before for repair in corpus.repairs] == ["2)", "(1"]


@pytest.mark.parametrize(
    ("text", "match", "line"),
    [
        (crossing("12"), "'12' is no coreference", 2),
        (crossing("-", "()"), r"'\(\)' is no coreference", 3),
        (crossing("((1)"), "no coreference", 2),
        ("#begin document (x); part 000\nalone\n#end document\n", "1 columns", 2),
        (crossing("-").replace("\n\n", "\nx\t0\n\n"), "2 columns", 3),
        ("\n" + crossing("-") + "\nx\t0\t0\tw\t-\n", "outside of a document", 7),
    ],
)
def test_errors(text: str, match: str, line: int, tmp_path: Path) -> None:
    assert fails(put(tmp_path / "x", text), match).line == line


def test_other_documents_are_read_on(tmp_path: Path) -> None:
    path = put(tmp_path / "x", crossing("12") + crossing("(1)").replace("(x)", "(y)"))
    errors: list[object] = []
    corpus = read(path, options=ReadOptions(errors=errors))  # type: ignore[arg-type]
    assert [document.id for document in corpus.documents] == ["y"]
    assert len(errors) == 1


def test_a_document_twice(tmp_path: Path) -> None:
    path = put(tmp_path / "x", crossing("-") * 2)
    assert fails(path, "occurs twice").document == "x"


def chains(name: str, *cells: str) -> str:
    rows = "".join(f"{name}\t0\t{n}\tw{n}\t{cell}\n" for n, cell in enumerate(cells))
    return f"#begin document ({name}); part 000\n{rows}\n#end document\n"


def test_clustering_scores(tmp_path: Path) -> None:
    """The example of Pradhan et al. 2014, in two documents whose chain numbers don't meet."""
    key = ["(1)", "(1)", "(1)", "(2)", "(2)", "(2)", "(2)", "-", "-"]
    response = ["(1)", "(1)", "(2)", "(2)", "-", "(3)", "(3)", "(3)", "(3)"]
    gold = put(tmp_path / "key", chains("a", *key) + chains("b", *key))
    system = put(tmp_path / "response", chains("a", *response) + chains("b", *response))
    names = ["muc", "b_cubed", "mention_ceaf", "entity_ceaf"]
    scores = evaluate(read(gold), {"s": read(system)}, measures=names).systems[0].scores
    found = {score.measure: (score.precision, score.recall) for score in scores}
    assert found == {
        "muc": pytest.approx((2 / 5, 2 / 5)),
        "b_cubed": pytest.approx((4 / 8, 35 / 84)),
        "mention_ceaf": pytest.approx((4 / 8, 4 / 7)),
        "entity_ceaf": pytest.approx((1.3 / 3, 1.3 / 2)),
    }
