"""``elcurate confidence`` and ``elcurate significance``."""

from __future__ import annotations

from typing import Annotated

import typer

from elcurate.cli.grouped import grouped
from elcurate.cli.options import Drawing, Rendering, Scope, Tested

Method = Annotated[
    str, typer.Option("--method", metavar="METHOD", help="Intervals: percentile or bca.")
]


@grouped
def confidence(
    scope: Scope,
    drawing: Drawing,
    rendering: Rendering,
    levels: Annotated[
        str, typer.Option("--levels", metavar="LIST", help="Shares of confidence.")
    ] = "0.9,0.95,0.99",
    method: Method = "percentile",
) -> None:
    """Show how sure scores are: bootstrap intervals over documents.

    Measures of the profile whose counts don't add up over documents are left out, and said to be.

    Examples:

      elcurate confidence -g gold.ttl tagme.ttl

      elcurate confidence -g gold.ttl tagme.ttl --by categories --levels 0.95 --method bca

      elcurate confidence -g gold.tsv system.tsv -p neleval --seed 7 -f json -o intervals.json
    """
    from elcurate.cli.studies import run_confidence

    run_confidence(scope, drawing, levels, method, rendering)


@grouped
def significance(scope: Scope, tested: Tested, drawing: Drawing, rendering: Rendering) -> None:
    """Test whether systems differ, on the same documents; p-values are adjusted after Holm.

    Every two systems are tested by approximate randomisation or by the paired bootstrap.

    Examples:

      elcurate significance -g gold.ttl tagme.ttl aida.ttl

      elcurate significance -g gold.ttl new=b.ttl old=a.ttl -m strong_link_match --test bootstrap

      elcurate significance -g gold.ttl tagme.ttl aida.ttl --by reference -f csv -o tests.csv
    """
    from elcurate.cli.studies import run_significance

    run_significance(scope, tested, drawing, rendering)
