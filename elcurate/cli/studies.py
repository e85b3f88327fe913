"""The commands for statistics: what each makes of its arguments."""

from __future__ import annotations

from elcurate.cli.options import Drawing, Rendering, Scope, Tested
from elcurate.cli.study import Kind, run
from elcurate.errors import SpecError
from elcurate.evaluation.compare import compare_counted, contrast, estimate
from elcurate.evaluation.correlation import FEWEST, CorrelationReport, correlate
from elcurate.evaluation.evaluate import evaluate_setup
from elcurate.evaluation.ranking import RankReport, rank
from elcurate.evaluation.resampling import VALUES
from elcurate.evaluation.sampling import Intervals, Sampling, Significance, check_known
from elcurate.evaluation.setup import attempt
from elcurate.evaluation.statistics_records import (
    Comparison,
    ConfidenceReport,
    SignificanceReport,
)
from elcurate.report.comparison import comparison_lines, comparison_sheet, rank_lines, rank_sheet
from elcurate.report.correlation import correlation_lines, correlation_sheet
from elcurate.report.statistics import (
    confidence_lines,
    confidence_sheet,
    significance_lines,
    significance_sheet,
)

CONFIDENCE: Kind[ConfidenceReport] = Kind(confidence_sheet, confidence_lines)
SIGNIFICANCE: Kind[SignificanceReport] = Kind(significance_sheet, significance_lines)
COMPARISON: Kind[Comparison] = Kind(comparison_sheet, comparison_lines)
RANKS: Kind[RankReport] = Kind(rank_sheet, rank_lines)
CORRELATIONS: Kind[CorrelationReport] = Kind(correlation_sheet, correlation_lines)


def run_confidence(
    scope: Scope, drawing: Drawing, levels: str, method: str, rendering: Rendering
) -> None:
    """``elcurate confidence``."""
    problems: list[str] = []
    sampling = attempt(problems, drawing.sampling) or Sampling()
    shares = attempt(problems, lambda: parse_levels(levels)) or Intervals.levels
    intervals = attempt(problems, lambda: Intervals(shares, method)) or Intervals()
    run(
        *(scope, rendering, problems, CONFIDENCE, "Drawing resamples"),
        lambda read: estimate(read.counted(), sampling, intervals),
    )


def run_significance(scope: Scope, tested: Tested, drawing: Drawing, rendering: Rendering) -> None:
    """``elcurate significance``."""
    problems: list[str] = []
    sampling = attempt(problems, drawing.sampling) or Sampling()
    options = attempt(problems, tested.significance) or Significance()
    run(
        *(scope, rendering, problems, SIGNIFICANCE, "Testing"),
        lambda read: contrast(read.counted(), sampling, options),
        least=2,
    )


def run_compare(
    scope: Scope,
    tested: Tested,
    alpha: float,
    interval: float | None,
    method: str,
    drawing: Drawing,
    rendering: Rendering,
) -> None:
    """``elcurate compare``."""
    problems: list[str] = []
    sampling = attempt(problems, drawing.sampling) or Sampling()
    options = attempt(problems, lambda: tested.significance(alpha)) or Significance()
    levels = Intervals.levels if interval is None else (interval,)
    intervals = attempt(problems, lambda: Intervals(levels, method)) or Intervals()
    run(
        *(scope, rendering, problems, COMPARISON, "Testing"),
        lambda read: compare_counted(
            read.counted(), sampling, options, None if interval is None else intervals
        ),
        least=2,
    )


def run_rank(
    scope: Scope,
    value: str,
    tested: Tested,
    alpha: float,
    drawing: Drawing,
    rendering: Rendering,
) -> None:
    """``elcurate rank``."""
    problems: list[str] = []
    attempt(problems, lambda: check_known("value", value, VALUES))
    sampling = attempt(problems, drawing.sampling) or Sampling()
    if tested.test == "none":
        run(
            *(scope, rendering, problems, RANKS, "Scoring"),
            lambda read: rank(evaluate_setup(read.gold, read.systems, read.setup), value),
            least=2,
            by_document=False,
        )
        return
    options = attempt(problems, lambda: tested.significance(alpha)) or Significance()
    run(
        *(scope, rendering, problems, RANKS, "Testing"),
        lambda read: rank(compare_counted(read.counted(), sampling, options), value),
        least=2,
    )


def run_correlate(scope: Scope, value: str, rendering: Rendering) -> None:
    """``elcurate correlate``."""
    problems: list[str] = []
    attempt(problems, lambda: check_known("value", value, VALUES))
    if scope.by:
        problems.append("measures are correlated over the whole gold: use --where, not --by")
    run(
        *(scope, rendering, problems, CORRELATIONS, "Scoring"),
        lambda read: correlate(evaluate_setup(read.gold, read.systems, read.setup), value),
        least=FEWEST,
        by_document=False,
    )


def parse_levels(text: str) -> tuple[float, ...]:
    """``0.9,0.95``.

    Raises:
        SpecError: for anything else.
    """
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise SpecError(
            f"{text!r} is no list of levels of confidence", remedy="Write 0.9,0.95,0.99."
        ) from None
