"""The canonical printed form: what is printed parses back, and what is wrong is said."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elcurate.errors import SpecError
from elcurate.spec import Form, parse, parse_form, show

WORDS = st.from_regex(r"[A-Za-z_*][A-Za-z0-9_\-.+/*]{0,6}", fullmatch=True)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
    | st.sampled_from(["true", "null", "a:b", "a:", "x(y)", "-1", "1.5", "", 'q"\\', "é", "\n"])
)


def compound(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return (
        st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(SCALARS.filter(lambda key: isinstance(key, str)), inner, max_size=3)
        | st.builds(
            Form,
            WORDS,
            st.lists(inner, max_size=2).map(tuple),
            st.dictionaries(WORDS, inner, max_size=2),
        )
    )


VALUES = st.recursive(SCALARS, compound, max_leaves=8)


@settings(deadline=None, max_examples=200)
@given(VALUES)
def test_what_is_printed_parses_back(value):
    text = show(value)
    assert parse(text) == value
    assert show(parse(text)) == text
    assert parse(f"  {text} ") == value


def test_canonical_spellings():
    assert show(Form("m", (1, 2.5), {"a": None, "b": (True, "x y")})) == (
        'm(1, 2.5, a=null, b=[true, "x y"])'
    )
    assert show({"sets:None:span": 1.0, "1": "NIL"}) == '{sets:None:span: 1, "1": NIL}'
    assert str(Form("a")) == "a()"
    assert parse("f(1,2 , k = [ ])") == Form("f", (1, 2), {"k": ()})
    assert parse("1e3") == 1000.0


def test_forms():
    assert parse_form("name") == parse_form("name()") == Form("name")
    assert Form("f", (1,), {"b": 2}).bind("a", "b") == {"a": 1, "b": 2}
    with pytest.raises(SpecError, match="at most 1 values"):
        Form("f", (1, 2)).bind("a")
    with pytest.raises(SpecError, match=r"no parameter 'c'.*It has: a, b"):
        Form("f", (), {"c": 1}).bind("a", "b")
    with pytest.raises(SpecError, match="'a' twice"):
        Form("f", (1,), {"a": 1}).bind("a")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("f(1", r"expected '\)' at character 4 of 'f\(1', found 'the end'"),
        ("f(1 2)", r"expected '\)' at character 5"),
        ("", "expected a value at character 1"),
        ("[1, ?]", "at character 5"),
        ("{a 1}", "expected ':' at character 4"),
        ('"a', "expected a value at character 1"),
        ('"\\x"', "expected a JSON string"),
        ("1 2", "expected the end at character 3"),
        ("1.2.3", "expected a value"),
        ("f(a=1, a=2)", "'a' twice"),
        ("{a: 1, a: 2}", "'a' twice"),
    ],
)
def test_errors_say_where(text, message):
    with pytest.raises(SpecError, match=message):
        parse(text)


@pytest.mark.parametrize("text", ["1", "true", "null", '"name"', "[a]", "{a: 1}"])
def test_what_is_no_form(text):
    with pytest.raises(SpecError, match="expected name or name"):
        parse_form(text)


@pytest.mark.parametrize("open_", ["[", "{a: ", "f("])
def test_absurd_nesting_is_an_error_for_the_user(open_):
    with pytest.raises(SpecError, match="nested too deeply"):
        parse(open_ * 50_000)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), {1, 2}])
def test_what_has_no_printed_form(value):
    with pytest.raises(SpecError):
        show(value)
