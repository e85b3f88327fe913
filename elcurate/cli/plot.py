"""``elcurate plot``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elcurate.cli.common import check_files

if TYPE_CHECKING:
    from elcurate.report.stored import Stored


def plot(
    kind: Annotated[
        str, typer.Argument(metavar="KIND", help="columns, rows, heatmap, scatter or correlation.")
    ],
    inputs: Annotated[
        list[str],
        typer.Argument(
            metavar="INPUT...",
            help="JSON of evaluate, confidence, compare or correlate; - is standard input.",
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="FILE.svg, FILE.pdf or FILE.png.")
    ],
    measure: Annotated[
        list[str] | None,
        typer.Option("--measure", "-m", metavar="MEASURE", help="Only this; repeatable."),
    ] = None,
    system: Annotated[
        list[str] | None,
        typer.Option("--system", metavar="NAME", help="Only this, in this order; repeatable."),
    ] = None,
    part: Annotated[
        str | None, typer.Option("--part", metavar="LEAF", help="This part of the gold, or all.")
    ] = None,
    value: Annotated[
        list[str] | None,
        typer.Option("--value", metavar="VALUE", help="precision, recall, f1; repeatable. [f1]"),
    ] = None,
    axis: Annotated[
        str | None,
        typer.Option("--axis", help="Columns, rows: by systems, measures, parts or values."),
    ] = None,
    series: Annotated[
        str | None, typer.Option("--series", help="Columns, rows: what has its own markers.")
    ] = None,
    level: Annotated[
        float | None, typer.Option("--level", metavar="L", help="Confidence of error bars.")
    ] = None,
    coefficient: Annotated[
        str, typer.Option("--coefficient", help="pearson, spearman or kendall.")
    ] = "kendall",
    sort: Annotated[bool, typer.Option("--sort", help="Columns, rows: best first.")] = False,
    zoom: Annotated[
        bool, typer.Option("--zoom", help="Fit scales to the scores, instead of 0 to 1.")
    ] = False,
    title: Annotated[str | None, typer.Option("--title", help="Another title.")] = None,
    size: Annotated[
        str | None, typer.Option("--size", metavar="W,H", help="Width and height in inches.")
    ] = None,
) -> None:
    """Draw saved scores: dots with error bars, heat maps, precision against recall, correlations.

    Examples:

      elcurate evaluate -g gold.ttl a.ttl b.ttl --by categories -f json -o scores.json

      elcurate plot heatmap scores.json -m strong_link_match -o categories.pdf

      elcurate confidence -g gold.ttl a.ttl b.ttl -f json | elcurate plot rows - -o intervals.svg

      elcurate plot scatter scores.json -m strong_link_match --zoom -o pr.svg

      elcurate plot columns scores.json --axis parts --series systems -o parts.png
    """
    from elcurate.errors import SpecError
    from elcurate.evaluation.setup import attempt
    from elcurate.formats.outputs import atomic
    from elcurate.report.plot import Plot, draw

    problems = check_files(inputs)
    problems += [
        f"{path} is given twice" for path in dict.fromkeys(inputs) if inputs.count(path) > 1
    ]
    inches = attempt(problems, lambda: parse_size(size))
    plan = attempt(
        problems,
        lambda: Plot(
            kind=kind,
            form=output.suffix[1:].lower(),
            systems=system or (),
            measures=measure or (),
            part=part,
            values=value or ("f1",),
            axis=axis,
            series=series,
            level=level,
            coefficient=coefficient,
            sort=sort,
            zoom=zoom,
            title=title,
            size=inches,
        ),
    )
    if problems or plan is None:
        raise SpecError("\n".join(problems))
    drawn = draw(plan, {path: _stored(path) for path in inputs})
    with atomic(output) as out:
        out.write(drawn)


def parse_size(text: str | None) -> tuple[float, float] | None:
    """``6,4``.

    Raises:
        SpecError: for anything else.
    """
    from elcurate.errors import SpecError

    if text is None:
        return None
    try:
        width, height = (float(part) for part in text.split(","))
    except ValueError:
        raise SpecError(f"{text!r} is no width and height", remedy="Write 6,4.") from None
    return width, height


def _stored(path: str) -> Stored:
    from elcurate.errors import ReadError
    from elcurate.report.stored import stored_report

    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
    except (UnicodeDecodeError, IsADirectoryError) as error:
        raise ReadError("this is no JSON", path=path) from error
    return stored_report(text, path)
