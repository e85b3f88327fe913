"""The evaluation report as one HTML page that needs no network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from elcurate.evaluation.outcomes import DocumentOutcomes
from elcurate.evaluation.records import Evaluation
from elcurate.report.html_charts import legend_mark
from elcurate.report.html_curves import alpha_panels, cumulative_panels
from elcurate.report.html_format import METRICS, count, plural, printable
from elcurate.report.html_matrix import category_matrices, combination_matrices, group_matrices
from elcurate.report.html_mentions import OUTCOMES, mentions_view
from elcurate.report.html_scores import by_measure, summary
from elcurate.report.html_stats import stats_view

_ASSETS = Path(__file__).with_name("assets")


def render_html(
    evaluation: Evaluation,
    *,
    outcomes: Sequence[DocumentOutcomes] = (),
    stats: Mapping[str, Any] | None = None,
    title: str | None = None,
    max_documents: int = 200,
) -> str:
    """Renders an evaluation as a self-contained page.

    Args:
        evaluation: The scores and curves.
        outcomes: What each system did to each mention; without them there is no mentions section.
        stats: One corpus of ``elcurate stats --format json``.
        title: The heading; names the gold corpus when None.
        max_documents: How many documents are embedded with their text; the page says how many
            were left out.
    """
    names = [system.name for system in evaluation.systems]
    page = (
        _environment()
        .get_template("page.html.j2")
        .render(
            title=title or f"Evaluation on {evaluation.gold.name or 'the gold corpus'}",
            evaluation=evaluation,
            systems=names,
            summary=summary(evaluation, by_measure(evaluation)),
            matrices={
                "categories": category_matrices(evaluation),
                "combinations": combination_matrices(evaluation),
                "groups": group_matrices(evaluation),
            },
            curves={"alpha": alpha_panels(evaluation), "cumulative": cumulative_panels(evaluation)},
            stats=None if stats is None else stats_view(stats),
            mentions=mentions_view(outcomes, names, max_documents) if outcomes else None,
            css=_asset("report.css"),
            script=_asset("report.js"),
            mentions_script=_asset("mentions.js"),
        )
    )
    return printable(page)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_ASSETS),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        metrics=METRICS, outcome_names=OUTCOMES, count=count, plural=plural, legend_mark=legend_mark
    )
    return environment


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")
