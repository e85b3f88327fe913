"""Precision, recall and F1 under each convention for 0/0."""

from __future__ import annotations

import math

import pytest

from elcurate.match.policy import CHOICES
from elcurate.measures.scores import Prf, prf

# (gold, system, tp)
NOTHING, SILENT, SPURIOUS, WRONG, PERFECT = (0, 0, 0), (4, 0, 0), (0, 4, 0), (4, 4, 0), (4, 4, 4)
TABLE = {
    "undefined": {
        NOTHING: (None, None, None),
        SILENT: (None, 0, 0),
        SPURIOUS: (0, None, 0),
        WRONG: (0, 0, 0),
    },
    "zero": {NOTHING: (0, 0, 0), SILENT: (0, 0, 0), SPURIOUS: (0, 0, 0), WRONG: (0, 0, 0)},
    "one": {NOTHING: (1, 1, 1), SILENT: (1, 0, 0), SPURIOUS: (0, 1, 0), WRONG: (0, 0, 1)},
    "bat": {NOTHING: (1, 1, 1), SILENT: (1, 0, 0), SPURIOUS: (0, 1, 0), WRONG: (0, 0, 0)},
    "emnlp2019": {
        NOTHING: (None, 0, 0),
        SILENT: (None, 0, 0),
        SPURIOUS: (0, 0, 0),
        WRONG: (0, 0, 0),
    },
    "gerbil": {NOTHING: (1, 1, 1), SILENT: (0, 0, 0), SPURIOUS: (0, 0, 0), WRONG: (0, 0, 0)},
}


def test_every_convention_is_in_the_table():
    assert set(TABLE) == set(CHOICES["zero"])


@pytest.mark.parametrize("zero", TABLE)
def test_conventions(zero):
    for (gold, system, tp), expected in TABLE[zero].items():
        assert prf(gold, system, tp, tp, zero) == Prf(*expected), (gold, system, tp)
    assert prf(*PERFECT, 4, zero) == Prf(1, 1, 1)
    found = prf(8, 4, 2, 2, zero)
    assert found == Prf(0.5, 0.25, pytest.approx(1 / 3))


def test_weighted_recall():
    found = prf(2.5, 4, 2, 1.25)
    assert (found.precision, found.recall) == (0.5, 0.5)
    assert math.isclose(found.f1, 0.5)
