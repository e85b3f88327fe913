"""``elcurate patch``: apply, check, revert, merge and show patches."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elcurate.cli.common import From, Output, check_files, emit, progress, report_changes

if TYPE_CHECKING:
    from elcurate.curation.patch import Patch
    from elcurate.model.corpus import Corpus

app = typer.Typer(
    help="Apply, check, revert, merge and show versioned corrections of corpora.",
    epilog="Make a patch with: elcurate diff OLD NEW -o PATCH.jsonl",
    no_args_is_help=True,
)

CorpusArgument = Annotated[str, typer.Argument(metavar="CORPUS", help="A file or folder.")]
Patches = Annotated[list[str], typer.Argument(metavar="PATCH...", help="In the order of time.")]
Out = Annotated[
    str, typer.Option("--output", "-o", metavar="OUT", help="A file, or - for standard output.")
]
To = Annotated[
    str | None, typer.Option("--to", metavar="FORMAT", help="Format of the output; by its suffix.")
]
Log = Annotated[
    Path | None,
    typer.Option("--changelog", metavar="FILE", help="Save what changed, as Markdown."),
]
TextOrJson = Annotated[
    str, typer.Option("--format", "-f", metavar="text|json", help="Lines, or JSON.")
]


@app.command("apply")
def apply(
    corpus: CorpusArgument,
    patches: Patches,
    output: Out,
    from_: From = None,
    to: To = None,
    changelog: Log = None,
) -> None:
    """Correct a corpus: all changes of all patches, or none when one doesn't fit.

    Examples:

      elcurate patch apply old.ttl corrections.jsonl -o new.ttl

      elcurate patch apply v1.jsonl to-v2.jsonl to-v3.jsonl -o v3.jsonl --changelog CHANGES.md
    """
    from elcurate.curation.apply import apply as applied

    _write(corpus, patches, output, (from_, to), applied, changelog)


@app.command("revert")
def revert(
    corpus: CorpusArgument,
    patches: Patches,
    output: Out,
    from_: From = None,
    to: To = None,
) -> None:
    """Undo patches, from the last to the first.

    Examples:

      elcurate patch revert new.ttl corrections.jsonl -o old.ttl
    """
    from elcurate.curation.apply import revert as reverted

    _write(corpus, patches, output, (from_, to), reverted, None)


@app.command("check")
def check(
    corpus: CorpusArgument,
    patches: Patches,
    from_: From = None,
    format_: TextOrJson = "text",
    output: Output = None,
) -> None:
    """Say whether patches apply one after the other, and where they don't; then exit with 1.

    Examples:

      elcurate patch check gold.ttl corrections.jsonl

      elcurate patch check gold.ttl corrections.jsonl --format json
    """
    from elcurate.curation.apply import attempt

    _check_inputs([corpus, *patches], format_)
    found = _read(corpus, from_)
    report = []
    for path, patch in zip(patches, _patches(patches), strict=True):
        found, conflicts = attempt(found, patch)
        report.append({"patch": path, "conflicts": [one.model_dump() for one in conflicts]})
        if conflicts:
            break
    if format_ == "json":
        emit(json.dumps({"patches": report}, ensure_ascii=False, indent=1) + "\n", output)
    else:
        shown = [f"{path}: {conflict}\n" for conflict in conflicts]
        emit("".join(shown) or "every patch applies\n", output)
    if conflicts:
        raise typer.Exit(1)


@app.command("merge")
def merge(patches: Patches, output: Out) -> None:
    """Make one patch of several for the same version; refused where they contradict each other.

    Examples:

      elcurate patch merge ann.jsonl ben.jsonl -o both.jsonl
    """
    from elcurate.curation.merge import merge as merged
    from elcurate.curation.patch import write_patch
    from elcurate.report.changelog import summary

    _check_inputs(patches)
    patch = merged(*_patches(patches))
    write_patch(patch, output)
    typer.echo(summary(patch), err=True)


@app.command("show")
def show(
    patches: Patches,
    format_: Annotated[
        str,
        typer.Option("--format", "-f", metavar="text|markdown|json", help="How to show them."),
    ] = "text",
    output: Output = None,
) -> None:
    """Show the decisions in patches, one a line, or as a changelog.

    Examples:

      elcurate patch show corrections.jsonl

      elcurate patch show to-v2.jsonl to-v3.jsonl --format markdown -o CHANGES.md
    """
    from elcurate.report.changelog import changelog, render_patch

    _check_inputs(patches, format_, "text", "markdown", "json")
    found = _patches(patches)
    if format_ == "json":
        dumped = {"patches": [patch.model_dump(mode="json") for patch in found]}
        emit(json.dumps(dumped, ensure_ascii=False, indent=1) + "\n", output)
    elif format_ == "markdown":
        emit(changelog(found, _name(found)), output)
    else:
        emit("".join(render_patch(patch) for patch in found), output)


def _write(
    path: str,
    patches: list[str],
    output: str,
    formats: tuple[str | None, str | None],
    change: Callable[..., Corpus],
    log: Path | None,
) -> None:
    from elcurate.formats.outputs import find_format, write
    from elcurate.report.changelog import changelog, summary

    _check_inputs([path, *patches])
    from_, to = formats
    find_format(output, to)
    found = _patches(patches)
    with progress("Correcting"):
        corpus = change(_read(path, from_), *found)
        losses = write(corpus, output, format=to)
    if log is not None:
        emit(changelog(found, corpus.name), log)
    report_changes(losses, "losses")
    for name, patch in zip(patches, found, strict=True):
        typer.echo(f"{name}: {summary(patch)}", err=True)


def _check_inputs(paths: list[str], format_: str = "text", *known: str) -> None:
    from elcurate.errors import SpecError

    wrong = check_files(paths)
    formats = known or ("text", "json")
    if format_ not in formats:
        wrong.append(f"--format is one of {', '.join(formats)}, not {format_!r}")
    if wrong:
        raise SpecError("\n".join(wrong))


def _read(path: str, from_: str | None) -> Corpus:
    from elcurate.formats.io import read

    corpus = read(path, format=from_)
    report_changes(corpus.repairs, "repairs", corpus.name)
    return corpus


def _patches(paths: list[str]) -> list[Patch]:
    from elcurate.curation.patch import read_patch

    return [read_patch(path) for path in paths]


def _name(patches: list[Patch]) -> str:
    return next((patch.header.old.name for patch in patches if patch.header.old), "a corpus")
