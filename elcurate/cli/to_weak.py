"""``elcurate to-weak``."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from elcurate.cli.common import From, OutputCorpus, Overwrite, Reported, To, check_files, listed
from elcurate.cli.convert import report, written


def to_weak(
    corpora: Annotated[
        list[str], typer.Argument(metavar="CORPUS...", help="Files or folders; one corpus.")
    ],
    output: OutputCorpus,
    from_: From = None,
    to: To = None,
    overwrite: Overwrite = False,
    format_: Reported = "text",
) -> None:
    """Cut mentions into their characters, so that exact measures credit partial overlap.

    Do it to the gold and to the systems. The measures overlap-maxmax, overlap-sumsum and so on
    credit partial overlap without it.

    Examples:

      elcurate to-weak gold.ttl -o weak-gold.tsv

      elcurate to-weak system.tsv -o - --to neleval | elcurate evaluate -g weak-gold.tsv -
    """
    from elcurate.errors import SpecError
    from elcurate.evaluation.setup import attempt
    from elcurate.evaluation.weak import to_weak as cut
    from elcurate.formats.io import open_reading
    from elcurate.formats.outputs import find_format

    problems = check_files(corpora)
    attempt(problems, lambda: listed([format_], ("text", "json"), "output format"))
    form = attempt(problems, lambda: find_format(output, to))
    if problems or form is None:
        raise SpecError("\n".join(problems))
    reading = open_reading(corpora, from_)
    weak = replace(reading, documents=map(cut, reading.documents))
    losses, count = written(weak, output, form, "Cutting mentions", overwrite=overwrite)
    report(weak.repairs, losses, [], count, where=(output, form.name), as_=format_)
