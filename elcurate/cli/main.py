"""The command ``elcurate``."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from elcurate.cli import (
    analyze,
    check_spans,
    comparison,
    convert,
    datasets,
    demo,
    diff,
    evaluate,
    fix,
    kb,
    listing,
    patch,
    plot,
    select_alternatives,
    statistics,
    stats,
    to_weak,
    validate,
)
from elcurate.version import VERSION

app = typer.Typer(
    name="elcurate",
    help="Make, repair, relabel and score entity-linking gold corpora.",
    epilog="Start with: elcurate demo",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"elcurate {VERSION}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", "-V", callback=_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Make, repair, relabel and score entity-linking gold corpora."""


app.command("demo")(demo.demo)
app.command("convert")(convert.convert)
app.command("stats")(stats.stats)
app.command("validate")(validate.validate)
app.command("fix")(fix.fix)
app.command("evaluate")(evaluate.evaluate)
app.command("confidence")(statistics.confidence)
app.command("significance")(statistics.significance)
app.command("compare")(comparison.compare)
app.command("rank")(comparison.rank)
app.command("correlate")(comparison.correlate)
app.command("plot")(plot.plot)
app.command("analyze")(analyze.analyze)
app.command("check-spans")(check_spans.check_spans)
app.command("select-alternatives")(select_alternatives.select_alternatives)
app.command("to-weak")(to_weak.to_weak)
app.add_typer(kb.app)
app.command("diff")(diff.diff)
app.add_typer(patch.app, name="patch")
app.add_typer(datasets.app, name="datasets")
app.command("list")(listing.list_)
app.command("explain")(listing.explain)


def run() -> None:
    """Runs the command line; errors meant for the user are printed, not raised."""
    from elcurate.errors import ElcurateError

    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except ElcurateError as error:
        typer.echo(f"elcurate: {error}", err=True)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        typer.echo(f"elcurate: {place}{error.strerror}", err=True)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(2)


if __name__ == "__main__":
    run()
