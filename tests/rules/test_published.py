"""The published gold: what the rules find in it, and how long that takes."""

from __future__ import annotations

import time

import pytest
from shared_data import SHARED, needs_shared

from elcurate.formats.io import read
from elcurate.rules.engine import validate
from elcurate.rules.fixer import fix
from elcurate.rules.select import Selection

GOLD = SHARED / "finegrained" / "gold"
NAMES = ("KORE50", "VoxEL")
ERRORS = {
    "KORE50": [
        ("undeclared-prefix", None, None, "el:"),
        ("undeclared-prefix", None, None, "mnt:"),
        ("nil-as-page", 40, "Brooklyn", "https://en.wikipedia.org/wiki/NotInLexico"),
        ("nil-as-page", 50, "Romeo", "https://en.wikipedia.org/wiki/NotInLexico"),
        ("nil-as-page", 57, "Cruz", "https://en.wikipedia.org/wiki/NotInLexico"),
        ("nil-as-page", 67, "Harper Seven", "https://en.wikipedia.org/wiki/NotInLexico"),
    ],
    "VoxEL": [
        ("undeclared-prefix", None, None, "el:"),
        ("undeclared-prefix", None, None, "mnt:"),
        ("overlap-leaf", 672, "21", "minimal"),
        ("overlap-leaf", 675, "Egyptian", "minimal"),
        ("overlap-leaf", 675, "Egyptian", "minimal"),
        ("overlap-leaf", 684, "Christians", "minimal"),
        ("overlap-leaf", 698, "15 February", "intermediate"),
        ("nil-as-page", 580, "Marilena Nardi", "https://en.wikipedia.org/wiki/NotInLexico"),
        ("nil-as-page", 695, "Internazionale", "https://en.wikipedia.org/wiki/NotInLexico"),
        ("nil-as-page", 692, "Benjamin Henning", "https://en.wikipedia.org/wiki/NotInLexico"),
        ("nil-as-page", 712, "his", "https://en.wikipedia.org/wiki/NotInLexico"),
        ("overlap-leaf", 112, "attacks", "minimal"),
        ("overlap-leaf", 112, "attacks", "minimal"),
    ],
}

pytestmark = needs_shared


@pytest.fixture(scope="module")
def gold():
    return {name: read(GOLD / f"{name}.ttl") for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_errors_are_exactly_the_known_ones(gold, name):
    errors = [one for one in validate(gold[name]) if one.severity == "error"]
    assert [(one.slug, one.begin, one.surface, one.found) for one in errors] == ERRORS[name]


@pytest.mark.parametrize("name", NAMES)
def test_fixing_leaves_no_wrong_overlap(gold, name):
    fixed = fix(gold[name])
    wrong = sum(slug == "overlap-leaf" for slug, *_ in ERRORS[name])
    assert len(fixed.changes) == wrong
    assert validate(fixed.corpus, Selection(select=("overlap-leaf",))) == []
    assert fix(fixed.corpus).changes == ()
    assert fixed.corpus.documents == gold[name].documents or wrong


def test_rules_take_less_processor_time_than_half_a_second(gold):
    before = time.process_time()
    for corpus in gold.values():
        validate(corpus)
    assert time.process_time() - before < 0.5
