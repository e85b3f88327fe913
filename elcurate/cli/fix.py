"""``elcurate fix``."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elcurate.cli.common import From, check_files, progress, report_changes
from elcurate.cli.validate import ConfigFile, Ignore, Kb, Select, needs_snapshot, opened, settled

if TYPE_CHECKING:
    from elcurate.model.corpus import Corpus
    from elcurate.rules.fixer import Fixed


def fix(
    input_: Annotated[str, typer.Argument(metavar="IN", help="A file or folder, or -.")],
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="OUT", help="The corrected corpus; - for stdout."),
    ] = None,
    from_: From = None,
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="FORMAT", help="Format of the output; by its suffix."),
    ] = None,
    unsafe: Annotated[
        bool, typer.Option("--unsafe", help="Also fixes that may change what is meant.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show what changes; without -o no corpus is written.")
    ] = False,
    patch: Annotated[
        Path | None,
        typer.Option("--patch", metavar="FILE", help="Write the changes as a patch."),
    ] = None,
    select: Select = None,
    ignore: Ignore = None,
    config: ConfigFile = None,
    kb: Kb = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace an output folder that is not empty.")
    ] = False,
    format_: Annotated[
        str, typer.Option("--format", "-f", metavar="text|json", help="How to report.")
    ] = "text",
) -> None:
    """Apply the safe fixes of the rules until nothing is left to fix.

    A document is corrected whole or not at all; those that can't be are named, and the exit code
    is 1.

    Examples:

      elcurate fix VoxEL.ttl -o VoxEL-fixed.ttl

      elcurate fix gold.jsonl --diff --unsafe --select spans

      elcurate fix gold.jsonl --patch corrections.jsonl
    """
    from elcurate.errors import SpecError
    from elcurate.evaluation.setup import attempt
    from elcurate.formats.base import Reading
    from elcurate.formats.io import read
    from elcurate.formats.outputs import find_format, write_reading
    from elcurate.rules.fixer import fix as apply

    problems = check_files([input_])
    if format_ not in ("text", "json"):
        problems.append(f"--format is text or json, not {format_!r}")
    if output is None and not diff and patch is None:
        problems.append("--output is missing. Name a file, or look at the changes with --diff")
    if output == "-" and (diff or format_ == "json"):
        problems.append("standard output can't have both the corpus and the changes")
    form = None if output is None else attempt(problems, lambda: find_format(output, to))
    _, selection = settled(config, select, ignore, None, problems, from_)
    needs_snapshot(selection, kb, problems)
    if problems or selection is None:
        raise SpecError("\n".join(problems))
    with progress("Fixing"), opened(kb) as snapshot:
        corpus = read(input_, format=from_)
        today = datetime.date.today()
        fixed = apply(corpus, selection, unsafe=unsafe, today=today, kb=snapshot)
    losses = []
    if output is not None and form is not None:
        new = fixed.corpus
        reading = Reading(new.name, iter(new.documents), new.metadata)
        losses = write_reading(reading, output, form, overwrite=overwrite)
    if patch is not None:
        _write_patch(corpus, fixed, patch)
    report_changes(corpus.repairs, "repairs")
    report_changes(losses, "losses")
    _report(fixed, diff, format_)
    if fixed.refused:
        raise typer.Exit(1)


def _write_patch(corpus: Corpus, fixed: Fixed, path: Path) -> None:
    from elcurate.curation.diff import Provenance, diff
    from elcurate.curation.patch import write_patch

    write_patch(diff(corpus, fixed.corpus, Provenance(changes=fixed.changes)), path)


def _report(fixed: Fixed, diff: bool, format_: str) -> None:
    from elcurate.report.changes import fix_report, render_changes

    if format_ == "json":
        typer.echo(json.dumps(fix_report(fixed).model_dump(mode="json"), ensure_ascii=False))
        return
    if diff:
        typer.echo(render_changes(fixed.changes), nl=False)
    for document, reason in fixed.refused.items():
        typer.echo(f"left as it is: {document}: {reason}", err=True)
    summary = fix_report(fixed).summary
    typer.echo(f"{summary.changes} changes in {summary.documents} documents", err=True)
