"""Maximum matching against exhaustive search, also on units that share many keys."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from measures.brute_force import most_pairs

from elcurate.match.matching import Edges, match_units
from elcurate.match.numbering import combine, dense

DEGREES = st.sampled_from([0.0, 0.25, 0.5, 1.0])
EDGE = st.tuples(st.integers(0, 5), st.integers(0, 5), DEGREES)


@settings(deadline=None, max_examples=200)
@given(st.lists(EDGE, min_size=1, max_size=14), st.sets(st.integers(0, 5)))
def test_found_and_paired_units(edges, present):
    unit, key, weight = (np.array(part) for part in zip(*edges, strict=True))
    found = match_units(
        Edges(unit, key, weight.astype(float), np.array([one in present for one in key]))
    )
    units: dict[int, dict[int, float]] = {}
    for number, name, degree in edges:
        mine = units.setdefault(number, {})
        mine[name] = max(degree, mine.get(name, 0.0))
    distinct: dict[frozenset[int], dict[int, float]] = {}
    for mine in units.values():
        known = distinct.setdefault(frozenset(mine), dict(mine))
        for name, degree in mine.items():
            known[name] = max(degree, known[name])
    accepting = list(distinct.values())
    won = [max((one[key] for key in one if key in present), default=0.0) for one in accepting]
    assert len(found.row) == len(distinct)
    assert found.paired.sum() == most_pairs(accepting, present)
    assert found.found.sum() == sum(bool(one.keys() & present) for one in accepting)
    assert found.won.sum() == pytest.approx(sum(won))
    assert found.weight.sum() == pytest.approx(sum(max(one.values()) for one in distinct.values()))
    assert not found.won[~found.found].any()
    assert not found.paired[~found.found].any()


def test_a_large_chain_is_matched_whole():
    """Each unit accepts its own key and the next: only one matching takes all."""
    size = 3000
    unit = np.repeat(np.arange(size), 2)
    key = np.stack([np.arange(size), np.arange(1, size + 1)], axis=1).reshape(-1)
    ones = np.ones(2 * size)
    found = match_units(Edges(unit, key, ones, key > 0))
    assert found.paired.all()


@given(st.lists(st.tuples(st.integers(-1, 2**40), st.integers(-1, 2**40)), max_size=6))
def test_numbering_of_pairs(pairs):
    left, right = (np.array([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1))
    codes = combine(left, right).tolist()
    for one, code in zip(pairs, codes, strict=True):
        for other, second in zip(pairs, codes, strict=True):
            assert (code == second) == (one == other)
    assert set(dense(left).tolist()) == set(range(len(set(left.tolist()))))
