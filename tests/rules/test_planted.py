"""Errors planted in the sample: what the rules find of them, as the documentation says."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from elcurate.rules.all import RULES

ROOT = Path(__file__).resolve().parents[2]
NOT_PLANTED = {"F101", "F102", "F103", "F201", "F207", "S201", "S206", "S210"}


@pytest.fixture(scope="module")
def measured():
    sys.path.insert(0, str(ROOT / "datasets" / "sample"))
    try:
        import plant

        return list(plant.results()), plant.table
    finally:
        sys.path.pop(0)


def test_a_hundred_errors_of_each_kind(measured):
    found, _ = measured
    assert {one.code: one.planted for one in found} == {
        rule.code: 100
        for rule in RULES
        if rule.scope != "engine"
        and rule.code not in NOT_PLANTED
        and not (rule.asks_kb or rule.asks_gold)
    }


def test_rules_of_severity_error_find_all_and_nothing_else(measured):
    found, _ = measured
    errors = [one for one in found if RULES.get(one.code).severity == "error"]
    assert {(one.recall, one.precision) for one in errors} == {(1.0, 1.0)}


def test_no_rule_finds_less_than_documented(measured):
    found, table = measured
    page = (ROOT / "docs" / "rules-measured.md").read_text(encoding="utf-8")
    assert table(found) in page
