"""The engine: levels, crashes, order, selection, waivers, repairs, and what holds of any corpus."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from rules.cases import CASES, GOOD, corpus, document, link, mention, one
from strategies import corpora

from elcurate.errors import ReadError, SpecError
from elcurate.model.change import Repair
from elcurate.model.corpus import Mention
from elcurate.rules import engine
from elcurate.rules.all import RULES
from elcurate.rules.base import Problem, rule
from elcurate.rules.config import load_config
from elcurate.rules.engine import validate
from elcurate.rules.fixer import fix
from elcurate.rules.overlap import overlap_leaves
from elcurate.rules.select import Selection, severities
from elcurate.rules.waivers import Waiver, apply_waivers, load_waivers

TODAY = datetime.date(2024, 2, 29)


def waiver(**values):
    return Waiver(reason="checked", author="A. Editor", date=TODAY, **values)


@given(corpora())
def test_any_corpus_can_be_checked(any_corpus):
    found = validate(any_corpus, Selection(select=("ALL",)))
    assert not [finding.message for finding in found if finding.slug == "rule-crashed"]
    order = {item.id: number for number, item in enumerate(any_corpus.documents)}
    places = [(order.get(finding.document, -1), finding.begin or 0) for finding in found]
    assert [number for number, _ in places] == sorted(number for number, _ in places)


@given(corpora())
def test_fixing_comes_to_an_end_and_makes_nothing_worse(any_corpus):
    first = fix(any_corpus, unsafe=True)
    second = fix(first.corpus, unsafe=True)
    assert [change for change in second.changes if change.document not in first.refused] == []
    before = any_corpus.model_copy(update={"repairs": ()})
    after = first.corpus.model_copy(update={"repairs": ()})
    assert len(validate(after)) <= len(validate(before))
    for old, new in zip(any_corpus.documents, first.corpus.documents, strict=True):
        assert old.text == new.text
        if old.id in first.refused:
            assert old == new


@given(corpora())
def test_overlap_leaves_are_those_of_their_definition(any_corpus):
    for item in any_corpus.documents:
        spans = {found.span for found in item.mentions}
        for span, leaf in overlap_leaves(spans).items():
            contains = any(_within(other, span) for other in spans)
            lies = any(_within(span, other) for other in spans)
            names = {(0, 0): "none", (1, 0): "maximal", (1, 1): "intermediate", (0, 1): "minimal"}
            assert leaf == names[contains, lies]


def _within(inner, outer):
    return inner != outer and outer[0] <= inner[0] and inner[1] <= outer[1]


def test_an_unusable_span_keeps_other_rules_quiet():
    broken = mention(3, 99, link("berlin", "pro_form singular_noun minimal direct"))
    codes = {finding.code for finding in validate(one("in Berlin", broken))}
    assert codes == {"S101"}
    assert validate(one("in Berlin", broken), Selection(select=("L", "C"))) == []


def test_a_crash_is_a_finding_and_happens_once(monkeypatch):
    @rule("S299", "broken", "warning", example="-", source="-")
    def broken(mention: Mention):
        """Fails."""
        yield Problem("found before the crash")
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(engine, "RULES", [*RULES, broken])
    monkeypatch.setattr(Selection, "wants", lambda self, rule: rule.code in ("S299", "X101"))
    monkeypatch.setattr(Selection, "weighed", lambda self, finding: finding)
    run = engine._Run(one("ab", mention(0, 1), mention(1, 2)), Selection())
    run.documents(None)
    assert [finding.code for finding in run.findings] == ["S299", "X101"]
    assert "ZeroDivisionError: oops" in run.findings[1].message
    assert run.findings[1].found == "S299"


def test_the_most_specific_name_counts():
    bad = one("Berlin,", mention(0, 7), mention(7, 9))

    def codes(select=(), ignore=()):
        return {finding.code for finding in validate(bad, Selection(select, ignore))}

    assert codes(("S",)) == {"S101", "S204"}
    assert codes(("spans",), ("S1",)) == {"S204"}
    assert codes(("span-outside-text",), ("S",)) == {"S101"}
    assert codes(("S1",), ("S101",)) == set()
    assert codes((), ("ALL",)) == set()


def test_severities():
    chosen = Selection(severities=severities(["S=info", "S204=error", "blank-edge=warning"]))
    found = validate(one("Berlin,", mention(0, 7), mention(7, 9)), chosen)
    assert {finding.code: finding.severity for finding in found} == {
        "S101": "info",
        "S204": "error",
    }
    with pytest.raises(SpecError, match=r"'S'.*\n.*'S=bad'"):
        severities(["S", "S=bad"])
    with pytest.raises(SpecError, match=r"'Q1'.*\n.*'overlap-leave'.*overlap-leaf"):
        Selection(select=("Q1", "overlap-leave"))


def test_a_repair_that_a_rule_sees_itself_is_one_finding():
    bad = one("abc", mention(1, 9))
    repairs = tuple(
        Repair(kind=kind, where="d 1-9") for kind in ("span-outside-text", "unknown-category")
    )
    found = validate(bad.model_copy(update={"repairs": repairs}))
    assert [finding.slug for finding in found] == ["repaired", "span-outside-text"]
    assert found[0].found == "unknown-category"


def test_waivers():
    plain = link("Berlin", "")
    bad = one("Berlin, Bonn,", mention(0, 7, plain), mention(8, 13, plain))
    findings = validate(bad)
    kept, waived = apply_waivers(findings, [waiver(rule="S204", surface="Berlin,")], "c")
    assert [finding.surface for finding in kept] == ["Bonn,"]
    assert [finding.surface for finding, _ in waived] == ["Berlin,"]
    unused = [waiver(rule="blank-edge", document="d", begin=0), waiver(rule="S204", corpus="other")]
    kept, waived = apply_waivers(findings, unused, "c")
    assert [finding.slug for finding in kept] == ["punctuation-edge"] * 2 + ["unused-waiver"]
    assert "A. Editor, 2024-02-29: blank-edge d" in kept[-1].message
    kept, _ = apply_waivers([], unused, "c", Selection(select=("S204",)))
    assert kept == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[waiver]]\nrule = 'S204'", "reason"),
        ("[[waiver]]\nrule = 'S204'\nreason=''\nauthor='x'\ndate=2024-02-29", "reason"),
        ("[[waiver]]\nrule = 'S204'\nreason='x'\nauthor='x'\ndate='never'", "date"),
        ("[waiver", "no TOML"),
        ("[[waver]]", "waver"),
    ],
)
def test_bad_waivers(tmp_path, text, message):
    path = tmp_path / "waivers.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ReadError, match=message):
        load_waivers(path)


@pytest.mark.parametrize(
    "text", ["[validate]\nselct = []", "[validate.severity]\nS = 'bad'", "\xff"]
)
def test_bad_configuration(tmp_path, text):
    path = tmp_path / "elcurate.toml"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ReadError, match=r"elcurate\.toml"):
        load_config(path)


def test_a_document_whose_fixes_would_do_harm_is_left_alone():
    leaves = "full_name singular_noun none direct"
    harm = document(
        "a b", mention(0, 1, link("A", leaves)), mention(0, 2, link("B", leaves)), id_="1"
    )
    good = CASES["S203"][1][0].corpus.documents[0]
    result = fix(corpus(harm, good), Selection(select=("S203",)))
    assert [change.document for change in result.changes] == ["d"]
    assert result.refused == {"1": "S209 would find more than before"}
    assert result.corpus.documents[0] == harm


def test_documents_of_one_id_are_not_fixed():
    same = CASES["S203"][1][0].corpus.documents[0]
    result = fix(corpus(same, same))
    assert result.changes == ()
    assert "more than once" in result.refused["d"]


def test_nothing_to_fix():
    assert fix(GOOD).corpus is not None
    assert fix(GOOD).changes == ()
