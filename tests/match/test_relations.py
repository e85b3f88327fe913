import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from elcurate.match.relations import LINK_RELATIONS, related

PAGE = st.builds(
    "{}{}".format,
    st.sampled_from(
        [
            "https://en.wikipedia.org/wiki/",
            "http://en.wikipedia.org/wiki/",
            "https://de.wikipedia.org/wiki/",
            "http://dbpedia.org/resource/",
            "http://www.wikidata.org/entity/Q",
        ]
    ),
    st.text("AZaz09_(),.'!*-:/%#? é\n", max_size=12),
)


@given(st.lists(PAGE | st.text(max_size=20), max_size=20))
def test_many_at_once_are_as_one_by_one(values):
    series = pl.Series(values, dtype=pl.String)
    for name, relation in LINK_RELATIONS.items():
        assert related(series, name).to_list() == [relation(value) for value in values]
