"""What all commands for statistics do once their arguments are there."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Generic, TypeVar

import typer

from elcurate.cli.common import emit, progress
from elcurate.cli.inputs import Inputs, distinct_systems
from elcurate.cli.options import FORMATS, Rendering, Scope
from elcurate.errors import EvaluationError, SpecError
from elcurate.evaluation.compare import Counted, count_documents
from elcurate.evaluation.evaluate import Input
from elcurate.evaluation.sampling import check_known
from elcurate.evaluation.setup import Setup, attempt
from elcurate.evaluation.tallies import countable, only_countable
from elcurate.model.record import Record
from elcurate.report.grid import Sheet
from elcurate.report.markup import sheet_latex, sheet_markdown
from elcurate.report.text import sheet_text

R = TypeVar("R", bound=Record)


@dataclass(frozen=True)
class Kind(Generic[R]):
    """How one kind of report is printed."""

    sheet: Callable[[R], Sheet]
    lines: Callable[[R, str], str]


@dataclass(frozen=True)
class Read:
    """What a report is made of: gold and systems, and what was asked of them."""

    gold: Input
    systems: Mapping[str, Input]
    setup: Setup
    left_out: Mapping[str, str]

    def counted(self) -> Counted:
        """Gold and systems counted document by document."""
        return count_documents(self.gold, self.systems, self.setup, self.left_out)


def run(
    scope: Scope,
    rendering: Rendering,
    problems: list[str],
    kind: Kind[R],
    doing: str,
    made: Callable[[Read], R],
    *,
    least: int = 1,
    by_document: bool = True,
) -> None:
    """Reads, computes and prints.

    Args:
        scope, rendering: The arguments.
        problems: What is wrong with others.
        kind: How the report is printed.
        doing: What takes the time.
        made: Makes the report.
        least: How many systems there must be.
        by_document: Whether measures must have counts of documents. Those of the profile that have
            none are left out.

    Raises:
        SpecError: for all wrong arguments together.
    """
    systems = attempt(problems, lambda: distinct_systems(scope.systems)) or []
    inputs = Inputs(scope.gold, systems, scope.from_, texts=scope.texts)
    problems += inputs.problems()
    attempt(problems, lambda: check_known("output format", rendering.format_, FORMATS))
    number = len({name for name, _ in systems})
    if systems and number < least:
        problems.append(f"this takes at least {least} systems, not {number}")
    with ExitStack() as stack:
        setup, left_out = _setup(scope, stack, problems, by_document)
        if problems or setup is None:
            raise SpecError("\n".join(dict.fromkeys(problems)))
        show = stack.enter_context(progress("Reading"))
        gold, outputs = inputs.read(show)
        show(doing)
        report = made(Read(gold, outputs, setup, left_out))
        show("Rendering")
        text = _rendered(report, kind, rendering)
    inputs.report()
    for reason in dict.fromkeys(left_out.values()):
        names = [name for name, why in left_out.items() if why == reason]
        typer.echo(f"left out: {', '.join(names)}: {reason}", err=True)
    emit(text, rendering.output)


def _setup(
    scope: Scope, stack: ExitStack, problems: list[str], by_document: bool
) -> tuple[Setup | None, dict[str, str]]:
    """The setup, and the measures that were left out of it with the reasons."""
    setup = attempt(problems, lambda: scope.setup(stack))
    left_out: dict[str, str] = {}
    if setup is not None and by_document:
        try:
            if scope.measures is None:
                setup, left_out = only_countable(setup)
            countable(setup)
        except EvaluationError as error:
            problems.append(str(error))
    return setup, left_out


def _rendered(report: R, kind: Kind[R], rendering: Rendering) -> str:
    form = rendering.format_
    if form == "json":
        return report.model_dump_json() + "\n"
    if form in ("tsv", "csv"):
        return kind.lines(report, "\t" if form == "tsv" else ",")
    sheet = kind.sheet(report)
    if form == "markdown":
        return sheet_markdown(sheet)
    if form == "latex":
        return sheet_latex(sheet)
    return sheet_text(sheet, None if rendering.output else sys.stdout)
