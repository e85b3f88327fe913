"""An evaluation in the format that was asked for; only what that format needs is imported."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from elcurate.evaluation.evaluate import Input
    from elcurate.evaluation.records import Evaluation
    from elcurate.evaluation.setup import Setup
    from elcurate.model.corpus import Corpus


def rendered(
    form: str,
    found: Evaluation,
    setup: Setup,
    gold: Input,
    systems: Mapping[str, Input],
    *,
    to_file: bool,
) -> str:
    """The text of an evaluation.

    Args:
        form: A name from `elcurate.cli.evaluate.FORMATS`.
        found: The evaluation.
        setup: What was scored and how.
        gold, systems: What was compared; corpora for the HTML page.
        to_file: Whether a terminal shows it.
    """
    if form == "json":
        return json.dumps(found.to_dict(), ensure_ascii=False) + "\n"
    if form in ("tsv", "csv"):
        from elcurate.report.delimited import render_delimited

        return render_delimited(found, "\t" if form == "tsv" else ",")
    if form in ("markdown", "latex"):
        from elcurate.report.markup import render_latex, render_markdown

        return (render_markdown if form == "markdown" else render_latex)(found)
    if form == "html":
        return _page(found, setup, gold, systems)
    from elcurate.report.text import render_text

    return render_text(found, None if to_file else sys.stdout)


def _page(found: Evaluation, setup: Setup, gold: Input, systems: Mapping[str, Input]) -> str:
    from elcurate.evaluation.corpus_stats import corpus_stats
    from elcurate.evaluation.outcomes import outcomes
    from elcurate.model.corpus import Corpus
    from elcurate.report.html import render_html

    corpora = {name: one for name, one in systems.items() if isinstance(one, Corpus)}
    if not isinstance(gold, Corpus):
        raise TypeError("the page shows documents, and a table has none")
    return render_html(
        found,
        outcomes=outcomes(
            _compared(gold, setup),
            {name: _compared(one, setup) for name, one in corpora.items()},
            setup.policy,
        ),
        stats=corpus_stats(gold).model_dump(),
    )


def _compared(corpus: Corpus, setup: Setup) -> Corpus:
    return corpus if setup.entities is None else setup.entities.apply(corpus)[0]
