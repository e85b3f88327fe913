"""Ratios of measures agree with neleval 3.1.1's composites: each value over the other's.

Source: the recorded scores of neleval 3.1.1 for 24 made-up cases; its composites divide these, and
have none where the divisor is under 1e-10.
"""

from __future__ import annotations

import json

import pytest
from shared_data import SHARED, needs_shared

from elcurate.evaluation.evaluate import evaluate
from elcurate.formats.io import read_table

pytestmark = needs_shared

ORACLE = SHARED / "neleval" / "oracle"
SEEDS = sorted(path.name for path in ORACLE.glob("seed_*"))
PAIRS = [("strong_link_match", "strong_mention_match"), ("strong_typed_all_match", "entity_match")]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_ratios(seed: str, first: str, second: str) -> None:
    overall = json.loads((ORACLE / seed / "result.json").read_text("utf-8"))["overall"]
    gold, system = (
        read_table(ORACLE / seed / f"{name}.tsv", format="neleval") for name in ("gold", "sys")
    )
    found = evaluate(gold, {"s": system}, measures=[f"ratio({first}, {second})"], profile="neleval")
    (score,) = found.systems[0].scores
    for ours, theirs in (("precision", "precision"), ("recall", "recall"), ("f1", "fscore")):
        above, below = overall[first][theirs], overall[second][theirs]
        expected = None if abs(below) < 1e-10 else pytest.approx(above / below, abs=1e-9)
        assert getattr(score, ours) == expected
