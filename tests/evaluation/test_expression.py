"""Filters: precedence, groups, missing, quotes, and errors with their place."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from measures.tools import corpus, link, mention

from elcurate.errors import SpecError
from elcurate.evaluation.expression import parse_expression
from elcurate.match.encode import encode
from elcurate.match.policy import Policy
from elcurate.model.corpus import Corpus
from elcurate.model.table import Table

GOLD = corpus(
    [
        mention(0, link("A", "base_form=alias", "overlap=none", type="PER")),
        mention(5, link("B", "base_form=full_name", "base_form=pro_form", type="a b")),
        mention(10, link(None, "base_form=pro_form", type='say "\\hi"')),
        mention(15),
    ],
    **{"doc & 2": [mention(0, link("C", "overlap=maximal", type="and"))]},
)
PAIR = encode(Table.of(GOLD), Table.of(Corpus(name="none")), Policy())


def rows(text: str) -> list[int]:
    """The places of the gold links that pass."""
    return [place for place, passed in enumerate(parse_expression(text).test(PAIR)) if passed]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("base_form=alias", [0]),
        ("base_form = alias", [0]),
        ("base_form=pro_form", [1, 2]),
        ("base_form=proper_form", [0, 1]),
        ("base_form!=proper_form", [2, 3, 4]),
        ("base_form=alias,pro_form", [0, 1, 2]),
        ("base_form!=alias,pro_form", [3, 4]),
        ("base_form=missing", [3, 4]),
        ("base_form=alias,missing", [0, 3, 4]),
        ("base_form!=missing", [0, 1, 2]),
        ("overlap=none", [0]),
        ("nil=true", [2]),
        ("nil!=true", [0, 1, 3, 4]),
        ("nil=false", [0, 1, 3, 4]),
        ("nil=true,false", [0, 1, 2, 3, 4]),
        ("type=PER", [0]),
        ('type="a b"', [1]),
        (r'type="say \"\\hi\""', [2]),
        ('type="and"', [4]),
        ("type=missing", [3]),
        ("type!=missing", [0, 1, 2, 4]),
        ("type=nowhere", []),
        ('document="doc & 2"', [4]),
        ("document=d0", [0, 1, 2, 3]),
        ("base_form=alias | base_form=pro_form & nil=true", [0, 2]),
        ("(base_form=alias | base_form=pro_form) & nil=true", [2]),
        ("base_form=alias or base_form=pro_form and nil=true", [0, 2]),
        ("base_form=alias || base_form=pro_form && nil=true", [0, 2]),
        ("!base_form=alias & !nil=true", [1, 3, 4]),
        ("not (base_form=alias | nil=true)", [1, 3, 4]),
        ("NOT base_form=alias AND overlap!=maximal", [1, 2, 3]),
        ("!!base_form=alias", [0]),
    ],
)
def test_what_passes(text, places):
    assert rows(text) == places
    assert rows(str(parse_expression(text))) == places


ATOMS = st.sampled_from(
    ["base_form=alias", "base_form!=proper_form", "overlap=missing", "nil=true", 'type="a b"']
)
EXPRESSIONS = st.recursive(
    ATOMS,
    lambda inner: (
        inner.map("!({})".format)
        | st.tuples(inner, st.sampled_from(["&", "|", " and ", "or "]), inner).map(
            lambda parts: "({}) {} ({})".format(*parts)
        )
    ),
    max_leaves=8,
)


@settings(deadline=None, max_examples=60)
@given(EXPRESSIONS)
def test_the_canonical_form_parses_back(text):
    once = parse_expression(text)
    again = parse_expression(str(once))
    assert str(again) == str(once)
    assert (once.test(PAIR) == again.test(PAIR)).all()


@given(st.text(st.sampled_from('ab "\\&|!=(),\nü'), min_size=1), st.sampled_from(["=", "!="]))
def test_any_value_can_be_quoted(value, sign):
    quoted = '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    once = parse_expression(f"type{sign}{quoted}")
    assert str(parse_expression(str(once))) == str(once)


def test_equal_filters_print_alike():
    for one, two in itertools.combinations(
        ["nil=true & type=b,a", "nil=true and type=a,b", "(nil=true)&&(type=b,a,b)"], 2
    ):
        assert str(parse_expression(one)) == str(parse_expression(two))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a field, found the end"),
        ("base_form", "expected = or !=, found the end"),
        ("base_form=", "expected a value, found the end"),
        ("base_form=alias,", "expected a value, found the end"),
        ("base_form=alias nil=true", "an operator or the end, found 'nil' at character 17"),
        ("base_form=alias &", "expected a field, found the end"),
        ("& nil=true", "expected a field, found '&' at character 1"),
        ("(nil=true", r"expected '\)', found the end"),
        ("nil=true)", r"found '\)' at character 9"),
        ("nil==true", "expected a value, found '=' at character 5"),
        ('type="open', "character 6 doesn't fit"),
        ("nil=maybe", "nil is true or false, not maybe"),
        ("bas_form=alias", "no field 'bas_form'.*Did you mean base_form"),
        ("base_form=aliass", "base_form has no leaf 'aliass'.*Did you mean alias"),
        ("base_form=none", "base_form has no leaf 'none'"),
        ("!", "expected a field"),
        ("(" * 50_000, "nested too deeply"),
    ],
)
def test_errors_say_where(text, message):
    with pytest.raises(SpecError, match=message):
        parse_expression(text)
