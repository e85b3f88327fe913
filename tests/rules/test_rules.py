"""Every rule on its cases; what a fix leaves; the registry."""

from __future__ import annotations

from collections import Counter

import pytest
from rules.cases import CASES

from elcurate.errors import SpecError
from elcurate.report.catalogue import catalogue
from elcurate.rules.all import RULES
from elcurate.rules.base import FAMILIES, SEVERITIES
from elcurate.rules.engine import validate
from elcurate.rules.fixer import fix
from elcurate.rules.select import Selection, find_rule

PASSING = [(code, corpus) for code, (good, _) in CASES.items() for corpus in good]
FAILING = [(code, case) for code, (_, bad) in CASES.items() for case in bad]


def only(code):
    return Selection(select=(code,))


def test_every_rule_has_cases_that_pass_and_fail():
    with_cases = {code for code, (good, bad) in CASES.items() if good and bad}
    assert with_cases == {
        rule.code
        for rule in RULES
        if rule.scope != "engine" and not (rule.asks_kb or rule.asks_gold)
    }
    fixed = {code for code, case in FAILING if case.fixed}
    assert fixed == {
        rule.code for rule in RULES if rule.fix in ("safe", "unsafe") and not rule.asks_kb
    }


@pytest.mark.parametrize(("code", "corpus"), PASSING)
def test_pass(code, corpus):
    assert validate(corpus, only(code)) == []


@pytest.mark.parametrize(("code", "case"), FAILING)
def test_fail(code, case):
    found = validate(case.corpus, only(code))
    assert [one.surface for one in found] == case.surfaces
    assert {one.code for one in found} == {code}
    assert all(one.message and one.slug == RULES.get(code).slug for one in found)


@pytest.mark.parametrize(("code", "case"), [(code, case) for code, case in FAILING if case.fixed])
def test_fix_removes_its_finding_and_dirties_no_other_rule(code, case):
    before = Counter(one.code for one in validate(case.corpus))
    result = fix(case.corpus, only(code), unsafe=True)
    after = Counter(one.code for one in validate(result.corpus))
    assert before[code] > 0 == after[code]
    assert after <= before
    assert result.refused == {}
    assert all(change.rule == code and change.reason for change in result.changes)
    again = fix(result.corpus, only(code), unsafe=True)
    assert again.changes == ()
    assert again.corpus == result.corpus


@pytest.mark.parametrize(("code", "case"), [(code, case) for code, case in FAILING if case.fixed])
def test_unsafe_fixes_are_not_applied_unasked(code, case):
    changed = bool(fix(case.corpus, only(code)).changes)
    assert changed == (RULES.get(code).fix == "safe")


def test_a_rule_says_what_it_is():
    slugs = [rule.slug for rule in RULES]
    assert len(set(slugs)) == len(slugs)
    assert not set(slugs) & {*FAMILIES.values(), "ALL"}
    for rule in RULES:
        assert rule.code[0] in FAMILIES
        assert rule.level in (1, 2, 3)
        assert rule.severity in SEVERITIES
        assert rule.text.endswith(".") or rule.text.endswith("`)."), rule.code
        assert rule.example
        assert rule.source
        assert find_rule(rule.slug) is find_rule(rule.code) is rule
    assert [entry.name for entry in catalogue("rules")] == [rule.code for rule in RULES]


def test_unknown_rule():
    with pytest.raises(SpecError, match="overlap-leaf"):
        find_rule("overlap-leave")
