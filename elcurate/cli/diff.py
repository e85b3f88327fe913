"""``elcurate diff``."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from elcurate.cli.common import From, Output, check_files, emit, progress

FORMATS = ("patch", "text", "markdown", "json")


def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help="The version before.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The version after.")],
    output: Output = None,
    author: Annotated[str | None, typer.Option("--author", help="Who decided.")] = None,
    reason: Annotated[str | None, typer.Option("--reason", help="Why.")] = None,
    date: Annotated[
        str | None, typer.Option("--date", metavar="YYYY-MM-DD", help="When; not set by itself.")
    ] = None,
    snapshot: Annotated[
        str | None,
        typer.Option("--snapshot", metavar="NAME", help="The knowledge base that was consulted."),
    ] = None,
    mask: Annotated[
        bool, typer.Option("--mask", help="Digests instead of surfaces: holds nothing of the text.")
    ] = False,
    from_: From = None,
    format_: Annotated[
        str,
        typer.Option(
            "--format", "-f", metavar="patch|text|markdown|json", help="A patch, or for reading."
        ),
    ] = "patch",
) -> None:
    """Show what changed between two versions of a corpus, as a patch that can be applied.

    Examples:

      elcurate diff old.ttl new.ttl -o corrections.jsonl --author "A. Nonym" --reason "dead pages"

      elcurate diff old.jsonl new.jsonl --format text

      elcurate diff aida.tsv corrected.tsv --mask -o corrections.jsonl
    """
    from elcurate.curation.diff import Provenance
    from elcurate.curation.diff import diff as difference
    from elcurate.errors import SpecError
    from elcurate.formats.io import read
    from elcurate.report.changelog import changelog, render_patch, summary

    wrong = check_files([old, new])
    if format_ not in FORMATS:
        wrong.append(f"--format is one of {', '.join(FORMATS)}, not {format_!r}")
    if date is not None and not _is_date(date):
        wrong.append(f"--date is {date!r}, not like 2026-01-31")
    if wrong:
        raise SpecError("\n".join(wrong))
    with progress("Comparing"):
        corpora = read(old, format=from_), read(new, format=from_)
        why = Provenance(author=author, reason=reason, date=date, snapshot=snapshot)
        patch = difference(*corpora, why, mask=mask)
    if format_ == "patch":
        emit("".join(f"{line}\n" for line in patch.lines()), output)
    elif format_ == "text":
        emit(render_patch(patch), output)
    elif format_ == "markdown":
        emit(changelog([patch], corpora[0].name), output)
    else:
        emit(json.dumps(patch.model_dump(mode="json"), ensure_ascii=False) + "\n", output)
    typer.echo(summary(patch), err=True)


def _is_date(text: str) -> bool:
    from datetime import datetime

    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
