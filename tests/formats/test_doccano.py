"""doccano's JSON Lines: labels, entities with relations, and what rides along."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from formats.small_files import fails, kinds, put
from strategies import torture_corpus

from elcurate.formats.all import detect
from elcurate.formats.base import ReadOptions
from elcurate.formats.io import read
from elcurate.formats.outputs import write
from elcurate.formats.source import Source
from elcurate.model.categories import Categories
from elcurate.model.corpus import Corpus, Document, Link, Mention

TEXT = "😀 Google was founded by Larry Page"
Json = dict[str, Any]


def saved(path: Path, *rows: Json) -> Path:
    return put(path, "".join(json.dumps(row) + "\n" for row in rows))


def lines(path: Path) -> list[Json]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def spans(corpus: Corpus) -> list[tuple[str | None, Any]]:
    document = corpus.documents[0]
    return [(document.surface(one), one.attributes.get("type")) for one in document.mentions]


ROWS = {
    "labels": {"id": 5, "text": TEXT, "label": [[3, 9, "ORG"], [25, 35, "PERSON"]]},
    "old": {"id": 5, "text": TEXT, "labels": [[3, 9, "ORG"], [25, 35, "PERSON"]]},
    "data": {"id": 5, "data": TEXT, "label": [[3, 9, "ORG"], [25, 35, "PERSON"]]},
    "entities": {
        "id": 5,
        "text": TEXT,
        "entities": [
            {"id": 1, "label": "ORG", "start_offset": 3, "end_offset": 9},
            {"id": 2, "label": "PERSON", "start_offset": 25, "end_offset": 35},
        ],
        "relations": [],
        "Comments": [],
    },
}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_every_shape(row: Json, tmp_path: Path) -> None:
    path = saved(tmp_path / "x.jsonl", row)
    corpus = read(path)
    assert detect(Source(path)).name == "doccano"
    assert corpus.repairs == ()
    assert corpus.documents[0].id == "5"
    assert spans(corpus) == [("Google", "ORG"), ("Larry Page", "PERSON")]


def test_relations_comments_and_other_columns_come_back(tmp_path: Path) -> None:
    relations = [{"id": 9, "from_id": 1, "to_id": 2, "type": "foundedBy"}]
    row = ROWS["entities"] | {"relations": relations, "Comments": ["sure?"], "source": {"a": 1}}
    corpus = read(saved(tmp_path / "x.jsonl", row))
    assert corpus.documents[0].metadata == {
        "relations": relations,
        "Comments": ["sure?"],
        "source": {"a": 1},
    }
    out = tmp_path / "out.doccano.jsonl"
    assert write(corpus, out) == []
    (again,) = lines(out)
    for name in ("text", "entities", "relations", "Comments", "source"):
        assert again[name] == row[name]
    assert read(out).documents == corpus.documents


def test_a_line_without_id_is_named_by_its_number(tmp_path: Path) -> None:
    rows = [{"text": "ab", "label": [[0, 1, "X"]]}, {"text": "ab", "label": []}]
    corpus = read(saved(tmp_path / "x.jsonl", *rows))
    assert [document.id for document in corpus.documents] == ["x-1", "x-2"]


def test_an_offset_inside_an_emoji_is_reported(tmp_path: Path) -> None:
    corpus = read(saved(tmp_path / "x.jsonl", {"text": TEXT, "label": [[1, 9, "X"]]}))
    assert kinds(corpus) == {"offset-inside-character": 1}


class TestOurs:
    EVERY = Categories.of([("base_form", "alias"), ("reference", "metonymic")])

    def corpus(self) -> Corpus:
        link = Link(entity="http://www.wikidata.org/entity/Q95", type="ORG", categories=self.EVERY)
        mentions = (
            Mention(begin=2, end=8, links=(link,)),
            Mention(begin=24, end=34, links=(Link(entity=None),)),
        )
        return Corpus(documents=(Document(id="d", text=TEXT, mentions=mentions),))

    def test_labels_count_utf_16(self, tmp_path: Path) -> None:
        out = tmp_path / "x.doccano.jsonl"
        write(self.corpus(), out)
        assert lines(out)[0]["label"] == [[3, 9, "ORG"], [25, 35, "Untyped"]]

    def test_every_line_has_the_same_columns(self, tmp_path: Path) -> None:
        out = tmp_path / "x.doccano.jsonl"
        write(torture_corpus().model_copy(update={"documents": self.corpus().documents}), out)
        columns = {tuple(row) for row in lines(out)}
        assert columns == {("id", "label", "elcurate_record", "text")}

    def test_labels_changed_in_the_tool_win(self, tmp_path: Path) -> None:
        out = tmp_path / "x.doccano.jsonl"
        write(self.corpus(), out)
        (row,) = lines(out)
        row["id"] = 7
        row["label"] = [[3, 9, "ORG"], [25, 30, "PERSON"]]
        corpus = read(saved(tmp_path / "y.jsonl", row))
        assert corpus.documents[0].id == "d"
        first, second = corpus.documents[0].mentions
        assert first == self.corpus().documents[0].mentions[0]
        assert second == Mention(begin=24, end=29, attributes={"type": "PERSON"})
        assert kinds(corpus) == {"label-gone": 1, "label-new": 1}

    def test_names_of_our_own_columns_are_free_in_metadata(self, tmp_path: Path) -> None:
        metadata = {"label": "x", "text": 1, "id": None, "elcurate_record": [], "free": 2}
        document = Document(id="d", text="a", metadata=metadata)
        out = tmp_path / "x.doccano.jsonl"
        assert write(Corpus(documents=(document,)), out) == []
        assert lines(out)[0]["free"] == 2
        assert read(out).documents == (document,)


@pytest.mark.parametrize(
    ("line", "match"),
    [
        ('{"label": [[0, 1, "X"]]}', "no text"),
        ('{"text": 5, "label": [[0, 1, "X"]]}', "no text"),
        ('{"text": "a", "label": 5}', "labels are no list"),
        ('{"text": "a", "label": ["pos"]}', "a label is no span"),
        ('{"text": "a", "label": [[0, 1]]}', "a label is no span"),
        ('{"text": "a", "label": [[0, 1, 2]]}', "2 is no label"),
        ('{"text": "a", "label": [["0", 1, "X"]]}', "'0' is no offset"),
        ('{"text": "a", "label": [[0, true, "X"]]}', "True is no offset"),
        ('{"text": "a", "label": [[0, 1e3, "X"]]}', "1000.0 is no offset"),
        ('{"text": "a", "label": [[0, 9007199254740992, "X"]]}', "is no offset"),
        ('{"text": "a", "entities": [{"label": "X"}]}', "None is no offset"),
        ('{"text": "a", "label": [], "elcurate_record": {"mentions": 5}}', "was changed: mentions"),
        ('{"text": "a", "label": [], "elcurate_record": 5}', "was changed"),
        ('{"text": "a", "label": [[0, 1, "X"]]', "not JSON"),
        ('{"text": "a", "label": ' + "[" * 99_999, "not JSON"),
        ('{"text": "\\udfff", "label": []}', "not JSON"),
        ("[1]", "no object"),
    ],
)
def test_bad_line(line: str, match: str, tmp_path: Path) -> None:
    good = json.dumps(ROWS["labels"])
    path = put(tmp_path / "x.doccano.jsonl", f"{good}\n\n{line}\n")
    assert fails(path, match).line in (3, None)
    options = ReadOptions(errors=[])
    assert [document.id for document in read(path, options=options).documents] == ["5"]
    assert len(options.errors or ()) == 1


def test_crlf_bom_and_nul(tmp_path: Path) -> None:
    text = '{"text": "a\\u0000b", "label": [[2, 3, "X"]]}\r\n'
    corpus = read(put(tmp_path / "x.jsonl", b"\xef\xbb\xbf" + text.encode()))
    assert spans(corpus) == [("b", "X")]
    assert kinds(corpus) == {"byte-order-mark": 1}


@pytest.mark.parametrize("span", [(-1, 2), (0, 10**12), (3, 1)])
def test_places_outside_the_text_are_kept(span: tuple[int, int], tmp_path: Path) -> None:
    corpus = read(
        saved(tmp_path / "x.jsonl", {"text": "abcd", "label": [[0, 1, "X"], [*span, "X"]]})
    )
    assert span in [one.span for one in corpus.documents[0].mentions]
    assert kinds(corpus) == {"span-outside-text": 1}
