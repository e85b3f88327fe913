"""Membership functions: presets, files, Python objects, and what is refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elcurate.errors import SpecError
from elcurate.measures.membership import QUESTIONNAIRE, parse_membership
from elcurate.model.categories import LEAVES, Categories

STRICT = Categories.of(
    [
        ("base_form", "full_name"),
        ("part_of_speech", "singular_noun"),
        ("overlap", "none"),
        ("reference", "direct"),
    ]
)


def degree(text: str, *leaves: str, **options: str) -> float:
    pairs = [pair for pair in LEAVES if pair[1] in leaves]
    assert len(pairs) == len(leaves)
    return parse_membership(text, **options).of_mask(Categories.of(pairs).mask)


def test_strict_relaxed():
    for variant in ("emnlp2019", "emnlp2019-paper"):
        text = f"strict-relaxed(0.25, {variant})"
        assert parse_membership(text).of_mask(STRICT.mask) == 1
        assert degree(text, "alias", "plural_noun") == 1
        assert degree(text, "pro_form", "plural_noun") == 0.25
        assert degree(text, "numeric_temporal") == degree(text, "verb") == 0.25
        assert degree(text, "minimal") == degree(text, "related") == 0.25
    assert degree("strict-relaxed(0.25)", "maximal") == 0.25
    assert degree("strict-relaxed(0.25)", "maximal", variant="emnlp2019") == 1
    assert parse_membership("strict-relaxed(0)").level == "link"
    assert parse_membership("strict-relaxed(0)", "emnlp2019").level == "mention"


def test_per_leaf():
    text = "per-leaf({alias: 0.5, noun_phrase: 0.25, none: 1}"
    assert degree(f"{text})", "alias", "singular_noun", "none", "direct") == 0.25
    assert degree(f"{text}, max)", "alias", "singular_noun") == 0.5
    assert degree(f"{text}, combine=mean)", "alias", "singular_noun", "none", "direct") == 0.6875
    assert degree(f"{text}, combine=product)", "alias", "plural_noun", "direct") == 0.125
    assert degree(f"{text})") == 1
    assert degree('per-leaf({"base_form=proper_form": 0.5})', "alias") == 0.5


def test_questionnaire():
    assert set(QUESTIONNAIRE) == {leaf for _, leaf in LEAVES}
    assert degree("questionnaire", "verb") == QUESTIONNAIRE["verb"]
    mean = (QUESTIONNAIRE["verb"] + QUESTIONNAIRE["direct"]) / 2
    assert degree("questionnaire()", "verb", "direct") == pytest.approx(mean)
    assert degree("questionnaire(min)", "verb", "direct") == QUESTIONNAIRE["verb"]


def test_constant():
    assert degree("constant(0.5)") == degree("constant(0.5)", "alias", "verb") == 0.5
    assert degree("constant") == 1


DEGREES = st.sampled_from([0, 0.25, 1 / 3, 0.7, 1, 1e-12])


@given(
    st.one_of(
        st.tuples(DEGREES, st.sampled_from(["emnlp2019", "emnlp2019-paper"])).map(
            lambda parts: f"strict-relaxed({parts[0]}, {parts[1]})"
        ),
        st.dictionaries(st.sampled_from([leaf for _, leaf in LEAVES]), DEGREES, max_size=4).map(
            lambda found: f"per-leaf({{{', '.join(f'{k}: {v}' for k, v in found.items())}}})"
        ),
        st.sampled_from(["questionnaire", "questionnaire(min, mention)", "constant(0.5)"]),
    ),
    st.sampled_from([None, 0.25, 1]),
)
def test_every_preset_parses_back(text, cutoff):
    if cutoff is not None:
        text = f"{text}()" if "(" not in text else text
        text = f"{text[:-1]}{'' if text.endswith('()') else ', '}cutoff={cutoff})"
    membership = parse_membership(text)
    again = parse_membership(str(membership))
    assert str(again) == str(membership)
    for pair in LEAVES:
        mask = Categories.of([pair]).mask
        assert again.of_mask(mask) == membership.of_mask(mask)
    assert (again.level, again.cutoff, again.combine) == (
        membership.level,
        membership.cutoff,
        membership.combine,
    )


def test_files(tmp_path):
    yaml = tmp_path / "degrees.yaml"
    yaml.write_text("alias: 0.5\nnone: 0.25\nproper_form: 0.75\n", "utf-8")
    assert degree(str(yaml), "none") == 0.25
    assert degree(str(yaml), "full_name") == 0.75
    whole = tmp_path / "whole.yml"
    whole.write_text("degrees: {verb: 0}\ncombine: mean\nlevel: mention\ncutoff: 0.5\n", "utf-8")
    assert degree(str(whole), "verb", "direct") == 0.5
    assert parse_membership(str(whole)).cutoff == 0.5
    preset = tmp_path / "preset.json"
    preset.write_text(json.dumps({"preset": "strict-relaxed", "alpha": 0.5}, indent="\t"))
    assert str(parse_membership(str(preset))) == str(parse_membership("strict-relaxed(0.5)"))
    for path in (yaml, whole, preset):
        membership = parse_membership(str(path))
        assert str(parse_membership(str(membership))) == str(membership)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.yaml", "[1, 2]", "holds no map"),
        ("a.yaml", "a: [", "can't be read"),
        ("a.json", "{", "can't be read"),
        ("a.json", "\xff", "can't be read"),
        ("a.yaml", "alis: 1", "no category 'alis'.*alias"),
        ("a.yaml", "alias: 1.5", "a number in"),
        ("a.yaml", "alias: yes", "a number in"),
        ("a.yaml", "alias: half", "a number in"),
        ("a.yaml", "alias: .nan", "a number in"),
        ("a.yaml", "preset: strict", "no membership named 'strict'.*strict-relaxed"),
        ("a.yaml", "preset: constant\nbeta: 1", "no parameter 'beta'"),
        ("a.yaml", "degrees: {alias: 1}\ncombin: min", "no parameter 'combin'"),
    ],
)
def test_wrong_files(tmp_path, name, text, message):
    path = tmp_path / name
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(SpecError, match=message):
        parse_membership(str(path))


def test_a_file_that_is_not_there():
    with pytest.raises(SpecError, match=r"nowhere.yaml can't be read"):
        parse_membership("nowhere.yaml")


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A module of the user in the current folder."""
    lines = [
        "from elcurate.measures.membership import from_function, parse_membership",
        "def vote(categories):",
        "    return 0.25 if 'alias' in categories.base_form else 1",
        "def much(categories):",
        "    return 2",
        "def word(categories):",
        "    return 'much'",
        "named = from_function('named', vote)",
        "half = parse_membership('constant(0.5)')",
        "relaxed = parse_membership('strict-relaxed(0.5)')",
        "number = 3",
    ]
    (tmp_path / "user_degrees.py").write_text("\n".join(lines), "utf-8")
    monkeypatch.chdir(tmp_path)
    return "user_degrees"


def test_python_objects(module):
    for name in ("vote", "named"):
        membership = parse_membership(f"{module}:{name}")
        assert membership.of_mask(Categories.of([("base_form", "alias")]).mask) == 0.25
        assert str(membership) == f"{module}:{name}()"
        assert str(parse_membership(str(membership))) == str(membership)
    assert degree(f"{module}:half", "alias") == 0.5
    assert str(parse_membership(f"{module}:relaxed")).startswith("strict-relaxed(")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{m}:nothing", "can't be imported"),
        ("no_such_module:vote", "can't be imported"),
        ("{m}:number", "neither a Membership nor a function"),
        ("{m}:vote(1)", "takes no values"),
    ],
)
def test_wrong_python_objects(module, text, message):
    with pytest.raises(SpecError, match=message):
        parse_membership(text.format(m=module))


@pytest.mark.parametrize("name", ["much", "word"])
def test_functions_that_return_no_degree(module, name):
    with pytest.raises(SpecError, match="a number in"):
        parse_membership(f"{module}:{name}").of_mask(1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("strict-relaxd(1)", "no membership named.*strict-relaxed"),
        ("strict-relaxed", "needs alpha"),
        ("strict-relaxed(1.01)", "a number in"),
        ("strict-relaxed(-0.1)", "a number in"),
        ("strict-relaxed(half)", "a number in"),
        ("strict-relaxed(true)", "a number in"),
        ("strict-relaxed(0.5, emnlp)", "no variant 'emnlp'.*emnlp2019"),
        ("strict-relaxed(0.5, level=mentions)", "level can't be 'mentions'.*mention"),
        ("strict-relaxed(0.5, cutoff=2)", "a number in"),
        ("per-leaf", "needs a map"),
        ("per-leaf({aliass: 1})", "no category 'aliass'.*alias"),
        ("per-leaf({alias: 1}, combine=sum)", "combine can't be 'sum'"),
        ("per-leaf({alias: 2})", "a number in"),
        ('per-leaf({"overlap=alias": 1})', "overlap has no leaf 'alias'"),
        ("constant(2)", "a number in"),
        ("constant(1, 2, 3)", "at most 2"),
        ("", "expected a value"),
        ("0.5", "expected name"),
    ],
)
def test_what_is_refused(text, message):
    with pytest.raises(SpecError, match=message):
        parse_membership(text)
