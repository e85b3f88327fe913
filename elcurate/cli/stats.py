"""``elcurate stats``."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from elcurate.cli.common import From, NoRepair, Output, check_files, emit, report_changes


def stats(
    corpora: Annotated[list[str], typer.Argument(metavar="CORPUS...", help="Files or folders.")],
    from_: From = None,
    no_repair: NoRepair = False,
    format_: Annotated[
        str, typer.Option("--format", "-f", metavar="text|json", help="A table, or JSON.")
    ] = "text",
    output: Output = None,
) -> None:
    """Count documents, mentions, links, NILs, entities and every category of each corpus.

    Examples:

      elcurate stats gold.ttl

      elcurate stats KORE50.ttl VoxEL.ttl --format json
    """
    from elcurate.errors import ReadError, SpecError
    from elcurate.evaluation.corpus_stats import corpus_stats
    from elcurate.formats.io import read

    missing = check_files(corpora)
    if missing:
        raise ReadError("; ".join(missing), remedy="Check the paths.")
    if format_ not in ("text", "json"):
        raise SpecError(f"--format is text or json, not {format_!r}")
    found = []
    for path in corpora:
        corpus = read(path, format=from_, repair=not no_repair)
        report_changes(corpus.repairs, "repairs", corpus.name)
        found.append(corpus_stats(corpus))
    if format_ == "json":
        emit(json.dumps({"corpora": [one.model_dump() for one in found]}, indent=1) + "\n", output)
        return
    from elcurate.report.stats import render_stats

    emit(render_stats(found, None if output else sys.stdout), output)
