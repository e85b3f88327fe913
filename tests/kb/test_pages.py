"""Titles to IRIs and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elcurate.kb.iri import canonical, parse
from elcurate.kb.pages import wikidata_id, wikidata_iri, wikipedia_iri, wikipedia_title


@pytest.mark.parametrize(
    "title", ["Angela Merkel", "AC/DC", "C++", "100%", "Zürich", "Who? (band)", 'Say "x"', "東京"]
)
def test_there_and_back(title: str) -> None:
    assert wikipedia_title(wikipedia_iri(title)) == title
    assert wikipedia_iri(title, "de").startswith("https://de.wikipedia.org/wiki/")


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="#"), max_size=20))
def test_any_title_gives_one_iri(title: str) -> None:
    iri = wikipedia_iri(title)
    assert not set(iri) & set(' "<>\n')
    back = wikipedia_title(iri)
    if back is not None:
        assert canonical(wikipedia_iri(back)) == canonical(iri)


def test_other_entities_have_no_title() -> None:
    assert wikipedia_title("http://www.wikidata.org/entity/Q1") is None
    assert wikipedia_title("NIL0001") is None
    assert wikipedia_title("http://dbpedia.org/resource/Angela_Merkel") == "Angela Merkel"


def test_wikidata() -> None:
    assert wikidata_id(wikidata_iri("Q42")) == "Q42"
    assert wikidata_id("https://www.wikidata.org/wiki/Q42") == "Q42"
    assert wikidata_id("Q42") == "Q42"
    assert wikidata_id("https://en.wikipedia.org/wiki/Q42") is None
    assert parse(wikidata_iri("Q42")).kind == "wikidata"
