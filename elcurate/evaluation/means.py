"""Scores made of others: means (BLANC and the CoNLL score), and ratios."""

from __future__ import annotations

from collections.abc import Sequence

from elcurate.evaluation.records import Score
from elcurate.measures.base import Measure
from elcurate.measures.composite import Ratio
from elcurate.measures.named import measure_name
from elcurate.spec import show

_VALUES = ("precision", "recall", "f1")


def composed(measure: Measure | Ratio, scores: Sequence[Score]) -> Score:
    """The score of a measure with parts, from one score of each part.

    Args:
        measure: A mean or a ratio.
        scores: Of the same slice and group.
    """
    return ratio_of(measure, scores) if isinstance(measure, Ratio) else mean_of(measure, scores)


def ratio_of(measure: Ratio, scores: Sequence[Score]) -> Score:
    """Each value of the first score over that of the second; the counts are those of the first.

    A value is undefined where one of the two is, or the second is 0.
    """
    first, second = scores
    values = {}
    for name in _VALUES:
        above, below = getattr(first, name), getattr(second, name)
        values[name] = above / below if above is not None and below else None
    stated = first if "type_weights=null" in second.signature else second
    part = measure.of if stated is first else measure.to
    return first.model_copy(
        update={
            "measure": measure_name(measure),
            "signature": stated.signature.replace(str(part), show(str(measure)), 1),
            **values,
        }
    )


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
    for name in _VALUES:
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
