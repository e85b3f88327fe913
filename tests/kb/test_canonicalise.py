"""Entities replaced by what a snapshot leads to, in corpora and in tables alike."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kb.dump_files import small_wiki, write_dumps
from measures.tools import corpus, mention

from elcurate.kb.canonicalise import Moves, canonicalise, replaced
from elcurate.kb.dumps import build_snapshot, find_dumps
from elcurate.kb.snapshot import Snapshot
from elcurate.model.corpus import Tag
from elcurate.model.table import Table

WIKI = "https://en.wikipedia.org/wiki/"
PAGE = f"{WIKI}New_York_City"


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kb")
    build_snapshot(find_dumps(write_dumps(folder / "dumps", small_wiki())), folder / "kb.sqlite")
    with Snapshot(folder / "kb.sqlite") as opened:
        yield opened


def entities(found):
    return [link.entity for _, _, link in found.links()]


def test_what_becomes_of_each_link(snapshot):
    before = {
        f"{WIKI}NYC": PAGE,
        f"{WIKI}The_Big_Apple": PAGE,
        PAGE: PAGE,
        "http://en.wikipedia.org/wiki/new%20York%20City": PAGE,
        "http://dbpedia.org/resource/New_York_City": PAGE,
        "http://www.wikidata.org/entity/Q60": PAGE,
        "Big Apple": PAGE,
        f"{WIKI}Harlem_(section)": f"{PAGE}#Upper_Manhattan",
        f"{WIKI}Gone": f"{WIKI}Gone",
        "http://dbpedia.org/resource/Gone": f"{WIKI}Gone",
        "my own id": "my own id",
        "Q1": "Q1",
        "E0001": "E0001",
        f"{WIKI}Loop_A": f"{WIKI}Loop_A",
        "http://de.wikipedia.org/wiki/NYC": "http://de.wikipedia.org/wiki/NYC",
        "NIL7": "NIL7",
        f"{WIKI}A[b]": f"{WIKI}A[b]",
    }
    given_ = corpus([mention(10 * place, one) for place, one in enumerate(before)])
    found, moves = canonicalise(given_, snapshot)
    assert dict(zip(before, entities(found), strict=True)) == before
    assert moves == Moves(links=16, redirected=4, mapped=4, missing=3, other_wiki=1)
    assert entities(given_) == list(before)


def test_missing_pages_as_nil_and_sections_as_pages(snapshot):
    names = ("Harlem_(section)", "Sections_twice", "Harlem_(section)#Own")
    given_ = corpus([mention(0, f"{WIKI}Gone", None, *(WIKI + name for name in names))])
    found, _ = canonicalise(given_, snapshot, missing_is_nil=True, sections=True)
    assert entities(found) == ["NIL", None, PAGE, PAGE, f"{PAGE}#Own"]
    (table, _) = canonicalise(Table.of(given_), snapshot, missing_is_nil=True, sections=True)
    assert table.links["entity"].to_list() == entities(found)
    assert table.links["nil"].to_list() == [True, True, False, False, False]


def test_tags_are_entities_too(snapshot):
    document = corpus([]).documents[0].model_copy(update={"tags": (Tag(entity=f"{WIKI}NYC"),)})
    given_ = corpus([]).model_copy(update={"documents": (document,)})
    found, moves = canonicalise(given_, snapshot)
    assert [tag.entity for tag in found.documents[0].tags] == [PAGE]
    assert moves.redirected == 1


IDS = st.sampled_from(
    [f"{WIKI}NYC", "Q60", "Mercury", f"{WIKI}Gone", "NIL", None, "http://example.org/x"]
)


@settings(max_examples=60)
@given(
    st.lists(st.lists(st.lists(IDS, max_size=3), max_size=4), max_size=3),
    st.booleans(),
    st.booleans(),
)
def test_a_table_is_changed_as_its_corpus_is_and_twice_changes_nothing(
    snapshot, documents, sections, nil
):
    how = {"sections": sections, "missing_is_nil": nil}
    given_ = corpus(*([mention(9 * i, *links) for i, links in enumerate(d)] for d in documents))
    as_corpus, moves = canonicalise(given_, snapshot, **how)
    as_table, moves_too = canonicalise(Table.of(given_), snapshot, **how)
    assert moves == moves_too
    assert as_table.links.equals(Table.of(as_corpus).links)
    again, _ = canonicalise(as_corpus, snapshot, **how)
    assert again == as_corpus


def test_nothing_to_replace_is_the_same_object():
    given_ = corpus([mention(0, "x")])
    assert replaced(given_, {}) is given_
