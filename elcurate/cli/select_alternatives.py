"""``elcurate select-alternatives``."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from elcurate.cli.common import (
    From,
    OutputCorpus,
    Overwrite,
    Reported,
    To,
    check_files,
    listed,
    progress,
    report_changes,
)


def select_alternatives(
    gold: Annotated[str, typer.Argument(metavar="GOLD", help="The gold corpus.")],
    system: Annotated[str, typer.Argument(metavar="SYSTEM", help="A system's output.")],
    output: OutputCorpus,
    fields: Annotated[
        str,
        typer.Option(
            "--fields", metavar="LIST", help="What has to agree: eid, kbid, type, …, or '*'."
        ),
    ] = "eid",
    backoff: Annotated[
        str | None,
        typer.Option("--backoff", metavar="LIST", help="Steps: span, document, collection, first."),
    ] = None,
    profile: Annotated[
        str, typer.Option("--profile", "-p", help="Its policies say when entities are the same.")
    ] = "default",
    from_: From = None,
    to: To = None,
    overwrite: Overwrite = False,
    format_: Reported = "text",
) -> None:
    """Leave one alternative to each gold mention: one that the system predicts, if there is any.

    Tried are the system's prediction on the same span, those in the document, those anywhere, and
    at last the first alternative listed. Each choice is reported with the step that made it.

    Examples:

      elcurate select-alternatives gold.tsv system.tsv -o resolved.tsv

      elcurate select-alternatives gold.ttl tagme.ttl -o resolved.jsonl --fields eid,type -f json

      elcurate select-alternatives gold.tsv system.tsv -o - --to neleval --backoff span,document
    """
    from elcurate.errors import SpecError
    from elcurate.evaluation import alternatives as core
    from elcurate.evaluation.profiles import PROFILES
    from elcurate.evaluation.setup import attempt
    from elcurate.formats.all import FORMATS
    from elcurate.formats.io import read
    from elcurate.formats.outputs import find_format, write
    from elcurate.report.alternatives import render_text

    problems = check_files([gold, system])
    attempt(problems, lambda: listed([format_], ("text", "json"), "output format"))
    attempt(problems, lambda: from_ and FORMATS.get(from_))
    form = attempt(problems, lambda: find_format(output, to))
    chosen = attempt(problems, lambda: PROFILES.get(profile))
    keys = fields.split(",")
    steps = core.PROFILE_BACKOFFS.get(profile, tuple(core.BACKOFFS))
    steps = steps if backoff is None else tuple(backoff.split(","))
    attempt(problems, lambda: core.check_names(keys, steps))
    if problems or form is None or chosen is None:
        raise SpecError("\n".join(problems))
    with progress("Reading the gold") as show:
        corpus = read(gold, format=from_)
        show("Reading the system")
        said = read(system, format=from_)
        show("Choosing")
        found = core.select_alternatives(
            corpus, said, fields=keys, backoff=steps, policy=chosen.policy
        )
        losses = write(found.corpus, output, format=form.name, overwrite=overwrite)
    for one in (corpus, said):
        report_changes(one.repairs, "repairs", one.name)
    report_changes(losses, "losses")
    as_json = format_ == "json"
    text = found.report.model_dump_json() + "\n" if as_json else render_text(found.report)
    (sys.stderr if output == "-" else sys.stdout).write(text)
