"""What the commands share: options, output, progress."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from elcurate.model.change import Loss, Repair

From = Annotated[
    str | None,
    typer.Option("--from", metavar="FORMAT", help="Format of the inputs; detected by default."),
]
NoRepair = Annotated[
    bool, typer.Option("--no-repair", help="Treat what would be repaired as an error.")
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write here instead of standard output."),
]
OutputCorpus = Annotated[
    str,
    typer.Option(
        "--output", "-o", metavar="OUT", help="A file or folder, or - for standard output."
    ),
]
To = Annotated[
    str | None,
    typer.Option("--to", metavar="FORMAT", help="Format of the output; by its suffix."),
]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Replace an output folder that is not empty.")
]
Reported = Annotated[
    str, typer.Option("--format", "-f", metavar="text|json", help="How to report.")
]


def emit(text: str, output: Path | None) -> None:
    """Prints text, or writes it to a file atomically."""
    if output is None:
        sys.stdout.write(text)
        return
    from elcurate.formats.outputs import atomic

    with atomic(output) as out:
        out.write(text.encode())


def check_files(paths: Sequence[str]) -> list[str]:
    """A sentence for every input that doesn't exist."""
    missing = [path for path in paths if path != "-" and not Path(path).exists()]
    return [f"there is no file {path}" for path in missing]


def listed(values: Sequence[str] | None, known: Sequence[str], what: str) -> tuple[str, ...]:
    """The names in values such as ``a,b``; those of a repeated option together.

    Args:
        values: What was given.
        known: The names that there are.
        what: What they are, in the singular.

    Raises:
        SpecError: for every name that isn't known.
    """
    from elcurate.errors import SpecError, suggestion

    names = [name.strip() for value in values or () for name in value.split(",")]
    wrong = [
        f"there is no {what} {name!r}. {suggestion(name, list(known))}"
        for name in names
        if name not in known
    ]
    if wrong:
        raise SpecError("\n".join(wrong))
    return tuple(dict.fromkeys(names))


def report_changes(changes: Sequence[Repair | Loss], what: str, where: str = "") -> None:
    """Prints changes to standard error: all kinds counted, the first of each shown.

    Args:
        changes: Repairs or losses.
        what: Their name in the plural.
        where: The input or output, if it is not clear.
    """
    if not changes:
        return
    kinds: dict[str, list[Repair | Loss]] = {}
    for change in changes:
        kinds.setdefault(change.kind, []).append(change)
    noun = what if len(changes) != 1 else {"repairs": "repair", "losses": "loss"}.get(what, what)
    typer.echo(f"{len(changes):,} {noun}{f' in {where}' if where else ''}:", err=True)
    for kind, found in sorted(kinds.items()):
        typer.echo(f"  {len(found):6d} {kind}: {_line(found[0])}", err=True)


def _line(change: Repair | Loss) -> str:
    from elcurate.model.change import Repair

    if isinstance(change, Repair):
        before, after = change.before[:80], change.after[:80]
        text = f" {before} → {after}" if before and after else f" {before or after}"
    else:
        text = f" {change.what[:80]} ({change.reason})"
    return " ".join(f"{change.where}{text}".split())


def report_kinds(changes: Sequence[Repair | Loss], where: str) -> None:
    """Prints repairs on one line of standard error, counted by kind."""
    kinds: dict[str, int] = {}
    for change in changes:
        kinds[change.kind] = kinds.get(change.kind, 0) + 1
    if kinds:
        counts = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        typer.echo(f"repaired in {where}: {counts}", err=True)


@contextlib.contextmanager
def progress(text: str) -> Iterator[Callable[[str], None]]:
    """A spinner on standard error, when that is a terminal; yields what changes its text."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status(text) as status:
        yield status.update
