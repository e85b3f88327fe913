"""``elcurate convert``."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elcurate.cli.common import (
    From,
    NoRepair,
    OutputCorpus,
    Overwrite,
    Reported,
    To,
    check_files,
    progress,
    report_changes,
)

if TYPE_CHECKING:
    from elcurate.errors import ReadError
    from elcurate.formats.base import Format, Reading
    from elcurate.model.change import Loss, Repair
    from elcurate.model.corpus import Document


def convert(
    inputs: Annotated[
        list[str], typer.Argument(metavar="IN...", help="Files, folders, or - for standard input.")
    ],
    output: OutputCorpus,
    from_: From = None,
    to: To = None,
    loss: Annotated[
        Path | None,
        typer.Option("--loss", metavar="FILE", help="Save every repair and loss as JSON Lines."),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 on any loss.")] = False,
    no_repair: NoRepair = False,
    rename_duplicates: Annotated[
        bool, typer.Option("--rename-duplicates", help="Number repeated document ids.")
    ] = False,
    nil_iri: Annotated[
        list[str] | None,
        typer.Option("--nil-iri", metavar="IRI", help="Also read IRIs that begin so as NIL."),
    ] = None,
    texts: Annotated[
        Path | None,
        typer.Option("--texts", metavar="FOLDER", help="The texts, where a format has none."),
    ] = None,
    exclude: Annotated[
        Path | None,
        typer.Option("--exclude", metavar="FILE", help="TAC: regions whose mentions don't count."),
    ] = None,
    hide_markup: Annotated[
        bool, typer.Option("--hide-markup", help="TAC: texts without the markup of their sources.")
    ] = False,
    detokenise: Annotated[
        str, typer.Option("--detokenise", metavar="space|bat", help="How tokens become a text.")
    ] = "space",
    annotator: Annotated[
        list[str] | None,
        typer.Option("--annotator", metavar="NAME", help="Only what this person annotated."),
    ] = None,
    keep_going: Annotated[
        bool, typer.Option("--keep-going", help="Go on after what can't be read; exit with 1.")
    ] = False,
    overwrite: Overwrite = False,
    name: Annotated[
        str | None, typer.Option("--name", help="The corpus's name; from the first input.")
    ] = None,
    format_: Reported = "text",
) -> None:
    """Convert corpora from one format to another; several inputs become one corpus.

    Repairs made while reading and losses made while writing are reported on standard error.

    Examples:

      elcurate convert gold.ttl -o gold.jsonl

      elcurate convert KORE50.ttl VoxEL.ttl -o both.ttl.gz --to nif --loss losses.jsonl

      cat system.tsv | elcurate convert - -o system.parquet

      elcurate convert queries.xml links.tab --texts source/ -o gold/ --to brat
    """
    from elcurate.errors import ReadError, SpecError
    from elcurate.formats.base import ReadOptions
    from elcurate.formats.io import open_reading
    from elcurate.formats.outputs import find_format

    missing = check_files(inputs)
    if missing:
        raise ReadError("; ".join(missing), remedy="Check the paths.")
    if format_ not in ("text", "json"):
        raise SpecError(f"--format is text or json, not {format_!r}")
    form = find_format(output, to)
    errors: list[ReadError] = []
    options = ReadOptions(
        nil_iris=tuple(nil_iri or ()),
        texts=texts,
        excluded=exclude,
        hide_markup=hide_markup,
        detokenise=detokenise,
        annotators=tuple(annotator or ()),
        errors=errors if keep_going else None,
    )
    reading = open_reading(inputs, from_, name, rename_duplicates, options)
    losses, count = written(
        reading, output, form, "Converting", repair=not no_repair, overwrite=overwrite
    )
    _save(loss, reading.repairs, losses)
    report(reading.repairs, losses, errors, count, where=(output, form.name), as_=format_)
    if errors or (strict and losses):
        raise typer.Exit(1)


def written(
    reading: Reading,
    output: str,
    form: Format,
    what: str,
    *,
    repair: bool = True,
    overwrite: bool = False,
) -> tuple[list[Loss], dict[str, int]]:
    """Writes documents under a spinner; returns what was lost and how much was written.

    Args:
        reading: The documents.
        output: Where to.
        form: The format.
        what: What is being done, for the spinner.
        repair: Whether repairs are allowed.
        overwrite: Whether a folder that holds something may be replaced.
    """
    from elcurate.formats.outputs import write_reading

    count = {"documents": 0, "mentions": 0, "links": 0, "tags": 0}
    with progress(what) as show:

        def tick(document: Document) -> None:
            count["documents"] += 1
            count["mentions"] += len(document.mentions)
            count["links"] += sum(len(mention.links) for mention in document.mentions)
            count["tags"] += len(document.tags)
            if count["documents"] % 100 == 0:
                show(f"{what}: {count['documents']:,} documents")

        losses = write_reading(reading, output, form, tick, repair=repair, overwrite=overwrite)
    return losses, count


def report(
    repairs: list[Repair],
    losses: list[Loss],
    errors: list[ReadError],
    count: dict[str, int],
    *,
    where: tuple[str, str],
    as_: str,
) -> None:
    """Says what was written and what was not, as text or JSON.

    Args:
        repairs, losses, errors: What there was besides.
        count: How much was written.
        where: The output and the name of its format.
        as_: ``text`` or ``json``.
    """
    from elcurate.report.tables import plural

    output, form = where
    if as_ == "json":
        _report_json(repairs, losses, errors, count, to_stderr=output == "-")
        return
    for error in errors:
        typer.echo(f"not read: {error}", err=True)
    report_changes(repairs, "repairs")
    report_changes(losses, "losses")
    place = "standard output" if output == "-" else output
    summary = ", ".join(
        plural(number, noun[:-1]) for noun, number in count.items() if number or noun != "tags"
    )
    typer.echo(f"{summary} written to {place} as {form}", err=True)


def _save(path: Path | None, repairs: list[Repair], losses: list[Loss]) -> None:
    if path is None:
        return
    from elcurate.formats.outputs import atomic

    with atomic(path) as out:
        for name, changes in (("repair", repairs), ("loss", losses)):
            for change in changes:
                line = {"change": name, **change.model_dump(exclude_defaults=True)}
                out.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")


def _report_json(
    repairs: list[Repair],
    losses: list[Loss],
    errors: list[ReadError],
    count: dict[str, int],
    *,
    to_stderr: bool,
) -> None:
    report = {
        "repairs": [repair.model_dump() for repair in repairs],
        "losses": [loss.model_dump() for loss in losses],
        "errors": [str(error) for error in errors],
        "summary": {
            **count,
            "repairs": dict(Counter(repair.kind for repair in repairs)),
            "losses": dict(Counter(loss.kind for loss in losses)),
            "errors": len(errors),
        },
    }
    typer.echo(json.dumps(report, ensure_ascii=False), err=to_stderr)
