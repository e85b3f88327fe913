"""``elcurate analyze``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from elcurate.cli.common import From, Output, emit, listed, progress

if TYPE_CHECKING:
    from elcurate.evaluation.analyze import Analysis
    from elcurate.evaluation.setup import Setup

FORMATS = ("text", "json", "tsv", "csv", "markdown")


def analyze(
    system: Annotated[str, typer.Argument(metavar="SYSTEM", help="PATH or NAME=PATH.")],
    gold: Annotated[
        list[str], typer.Option("--gold", "-g", metavar="FILE", help="Gold; several are pooled.")
    ],
    profile: Annotated[
        str, typer.Option("--profile", "-p", help="A bundle of policies: `elcurate list profiles`.")
    ] = "default",
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy", metavar="NAME=VALUE", help="Any policy; see `elcurate list policies`."
        ),
    ] = None,
    ignore_unknown: Annotated[
        bool,
        typer.Option("--ignore-unknown-documents", help="Leave out documents the gold lacks."),
    ] = False,
    where: Annotated[
        str | None, typer.Option("--where", metavar="EXPR", help="Only this part of the gold.")
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by",
            metavar="FIELD",
            help="Count by categories, combination, a dimension, type or document; repeatable.",
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only", metavar="CLASS,…", help="List these classes; errors, correct, or all."
        ),
    ] = None,
    unique: Annotated[
        bool, typer.Option("--unique", "-u", help="The same error of a document only once.")
    ] = False,
    context: Annotated[
        int, typer.Option("--context", metavar="N", min=0, help="Characters of text on each side.")
    ] = 40,
    confusions: Annotated[
        int, typer.Option("--confusions", metavar="N", min=0, help="How many wrong links to rank.")
    ] = 10,
    format_: Annotated[
        str, typer.Option("--format", "-f", metavar="|".join(FORMATS), help="The output.")
    ] = "text",
    output: Output = None,
    from_: From = None,
) -> None:
    """Show what a system got wrong: each error with its place, the text around, and the links.

    The classes are missing, extra, wrong-link, link-as-nil, nil-as-link, correct-link and
    correct-nil. Text and Markdown list the errors, the other formats everything, unless --only
    says what.

    Examples:

      elcurate analyze -g gold.ttl tagme.ttl

      elcurate analyze -g gold.ttl tagme.ttl --by categories --only wrong-link,link-as-nil

      elcurate analyze -g gold.tsv system.tsv -p neleval --unique --format tsv -o errors.tsv
    """
    from elcurate.cli.inputs import Inputs, named_system
    from elcurate.errors import SpecError
    from elcurate.evaluation.analyze import analyze_setup
    from elcurate.evaluation.setup import attempt

    name, path = named_system(system)
    inputs = Inputs(gold, [(name, path)], from_)
    problems = inputs.problems()
    attempt(problems, lambda: listed([format_], FORMATS, "output format"))
    classes = attempt(problems, lambda: _classes(only, format_)) or ()
    values = [*(policy or ()), *(["unknown=ignore"] if ignore_unknown else [])]
    setup = attempt(problems, lambda: _setup(profile, values, where, by or []))
    if problems or setup is None:
        raise SpecError("\n".join(problems))
    with progress("Reading") as show:
        corpus, outputs = inputs.read(show)
        show(f"Comparing {name}")
        found = analyze_setup(
            corpus, outputs[name], setup, name=name, unique=unique, top=confusions
        )
        show("Rendering")
        text = _render(found, format_, classes, context, to_file=output is not None)
    inputs.report()
    emit(text, output)


def _classes(only: list[str] | None, form: str) -> tuple[str, ...]:
    """The classes to list."""
    from elcurate.evaluation.analysis import ERRORS, KINDS

    sets = {"all": KINDS, "errors": ERRORS, "correct": KINDS[len(ERRORS) :]}
    default = "errors" if form in ("text", "markdown") else "all"
    names = listed(only or [default], (*KINDS, *sets), "class")
    return tuple(kind for name in names for kind in sets.get(name, (name,)))


def _setup(profile: str, policies: list[str], where: str | None, by: list[str]) -> Setup:
    from elcurate.cli.inputs import named_policies
    from elcurate.errors import SpecError
    from elcurate.evaluation.analyze import check_by
    from elcurate.evaluation.setup import attempt, make_setup

    problems: list[str] = []
    values = attempt(problems, lambda: named_policies(policies))
    attempt(problems, lambda: check_by(by))
    fields = [] if problems else by
    setup = attempt(
        problems, lambda: make_setup(profile=profile, policies=values, where=where, by=fields)
    )
    if problems or setup is None:
        raise SpecError("\n".join(problems))
    return setup


def _render(
    found: Analysis, form: str, classes: tuple[str, ...], context: int, *, to_file: bool
) -> str:
    from elcurate.report import analysis as report

    if form == "json":
        return report.render_json(found, classes, context)
    if form in ("tsv", "csv"):
        return report.render_instances(found, classes, context, "\t" if form == "tsv" else ",")
    if form == "markdown":
        return report.render_markdown(found, classes, context)
    return report.render_text(found, classes, context, None if to_file else sys.stdout)
