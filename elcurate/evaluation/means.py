"""Scores that are the mean of others: BLANC and the CoNLL score."""

from __future__ import annotations

from collections.abc import Sequence

from elcurate.evaluation.records import Score
from elcurate.measures.base import Measure
from elcurate.measures.named import measure_name


def mean_of(measure: Measure, scores: Sequence[Score]) -> Score:
    """The score of a mean: each value the mean over the parts, each count their sum.

    A value that is undefined in a part is left out of the mean. Of BLANC a part without any pair
    on either side is left out altogether (Luo et al., ACL 2014, §3).

    Args:
        measure: A measure with parts.
        scores: One of each part, of the same slice and group.
    """
    some = [score for score in scores if score.gold or score.system]
    parts = some if some and measure.aggregator == "blanc" else list(scores)
    first = scores[0]
    values: dict[str, object] = {}
    for name in ("precision", "recall", "f1"):
        known = [value for score in parts if (value := getattr(score, name)) is not None]
        values[name] = sum(known) / len(known) if known else None
    counts = {
        name: sum(getattr(score, name) for score in scores)
        for name in ("gold", "system", "tp", "fp", "fn")
    }
    return Score.model_validate(
        {
            "measure": measure_name(measure),
            "signature": first.signature.replace(str(measure.parts[0]), str(measure), 1),
            "slice": first.slice,
            "group": first.group,
            **counts,
            **values,
            "recall_tp": sum(score.gold - score.fn for score in scores),
            "precision_tp": counts["tp"],
            "averaged": first.averaged,
        }
    )
