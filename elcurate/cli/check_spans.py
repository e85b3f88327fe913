"""``elcurate check-spans``."""

from __future__ import annotations

from typing import Annotated

import typer

from elcurate.cli.common import From, Output, check_files, emit, listed, progress, report_changes

RELATIONS = ("duplicate", "crossing", "nested")


def check_spans(
    corpora: Annotated[list[str], typer.Argument(metavar="CORPUS...", help="Files or folders.")],
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="RELATION,…", help="List duplicate, crossing, nested."),
    ] = None,
    fail_on: Annotated[
        list[str] | None,
        typer.Option("--fail-on", metavar="RELATION,…", help="Exit with 1 if there is any."),
    ] = None,
    from_: From = None,
    format_: Annotated[
        str, typer.Option("--format", "-f", metavar="text|json", help="A list, or JSON.")
    ] = "text",
    output: Output = None,
) -> None:
    """Find mentions that stand on one span, lie within each other, or cross.

    A span that is repeated counts once; crossing and nested ones are pairs of distinct spans.

    Examples:

      elcurate check-spans gold.ttl

      elcurate check-spans gold.tsv system.tsv --fail-on duplicate,crossing --format json
    """
    from elcurate.cli.inputs import read_input
    from elcurate.errors import SpecError
    from elcurate.evaluation.setup import attempt
    from elcurate.evaluation.span_checks import check_spans as check
    from elcurate.formats.all import FORMATS
    from elcurate.report.spans import render_json, render_text

    problems = check_files(corpora)
    attempt(problems, lambda: from_ and FORMATS.get(from_))
    attempt(problems, lambda: listed([format_], ("text", "json"), "output format"))
    shown = attempt(problems, lambda: listed(only, RELATIONS, "relation")) or RELATIONS
    fatal = attempt(problems, lambda: listed(fail_on, RELATIONS, "relation")) or ()
    if problems:
        raise SpecError("\n".join(problems))
    found = []
    with progress("Checking") as show:
        for path in corpora:
            show(f"Checking {path}")
            corpus, repairs = read_input([path], from_)
            report_changes(repairs, "repairs", corpus.name)
            found.append(check(corpus))
        text = render_json(found, shown) if format_ == "json" else render_text(found, shown)
    emit(text, output)
    if any(number and name in fatal for one in found for name, number in one.counts.items()):
        raise typer.Exit(1)
