"""``elcurate compare``, ``rank`` and ``correlate``."""

from __future__ import annotations

from typing import Annotated

import typer

from elcurate.cli.grouped import grouped
from elcurate.cli.options import Alpha, Drawing, Rendering, Scope, Tested
from elcurate.cli.statistics import Method

Value = Annotated[str, typer.Option("--value", metavar="VALUE", help="precision, recall or f1.")]


@grouped
def compare(
    scope: Scope,
    tested: Tested,
    drawing: Drawing,
    rendering: Rendering,
    alpha: Alpha = 0.05,
    interval: Annotated[
        float | None,
        typer.Option("--interval", metavar="LEVEL", help="Add intervals of this level: 0.95."),
    ] = None,
    method: Method = "percentile",
) -> None:
    """Put systems side by side: which one is significantly better, and on how many documents.

    A table for each measure and part of the gold: raised letters name the systems that each one
    significantly beats, the best values are bold. Then won, tied and lost documents.

    Examples:

      elcurate compare -g gold.ttl tagme.ttl aida.ttl babelfy.ttl

      elcurate compare -g gold.ttl tagme.ttl aida.ttl -m strong_link_match --interval 0.95

      elcurate compare -g gold.ttl run1=a/out.ttl run2=b/out.ttl --by base_form -f latex -o t.tex
    """
    from elcurate.cli.studies import run_compare

    run_compare(scope, tested, alpha, interval, method, drawing, rendering)


@grouped
def rank(
    scope: Scope,
    tested: Tested,
    drawing: Drawing,
    rendering: Rendering,
    value: Value = "f1",
    alpha: Alpha = 0.05,
) -> None:
    """Rank systems by a score; those that tests can't tell apart are tied.

    With `--test none` nothing is tested, so that measures of clusters can be ranked too.

    Examples:

      elcurate rank -g gold.ttl tagme.ttl aida.ttl babelfy.ttl -m strong_link_match

      elcurate rank -g gold.tsv a.tsv b.tsv -m b_cubed --test none --value recall
    """
    from elcurate.cli.studies import run_rank

    run_rank(scope, value, tested, alpha, drawing, rendering)


@grouped
def correlate(scope: Scope, rendering: Rendering, value: Value = "f1") -> None:
    """Show which measures agree about systems: correlations of their scores over three or more.

    Examples:

      elcurate correlate -g gold.ttl tagme.ttl aida.ttl babelfy.ttl

      elcurate correlate -g gold.tsv a.tsv b.tsv c.tsv -p neleval -m all -f json -o c.json
    """
    from elcurate.cli.studies import run_correlate

    run_correlate(scope, value, rendering)
