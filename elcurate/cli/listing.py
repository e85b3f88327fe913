"""``elcurate list`` and ``elcurate explain``."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.table import Table

KINDS = ("formats", "rules", "measures", "profiles", "memberships", "policies", "categories")


def list_(
    kind: Annotated[str, typer.Argument(metavar="KIND", help=f"One of: {', '.join(KINDS)}.")],
    format_: Annotated[
        str, typer.Option("--format", "-f", metavar="text|json", help="A table, or JSON.")
    ] = "text",
) -> None:
    """List what there is: formats, rules, measures, profiles, memberships, policies, categories.

    Examples:

      elcurate list formats

      elcurate list measures --format json
    """
    from elcurate.errors import SpecError, suggestion
    from elcurate.report.catalogue import catalogue

    if kind not in KINDS:
        raise SpecError(f"there is no list of {kind!r}", remedy=suggestion(kind, list(KINDS)))
    if format_ not in ("text", "json"):
        raise SpecError(f"--format is text or json, not {format_!r}")
    entries = catalogue(kind)
    if format_ == "json":
        typer.echo(json.dumps({kind: [entry.model_dump() for entry in entries]}, indent=1))
        return
    from rich.table import Table

    from elcurate.report.text import rendered

    table = Table(title=kind.capitalize(), title_justify="left", title_style="bold", pad_edge=False)
    for column in ("name", "what it is", "details"):
        table.add_column(column, overflow="fold")
    for entry in entries:
        details = "; ".join(f"{key}: {value}" for key, value in entry.details.items())
        table.add_row(entry.name, entry.text, details)
    shown = [table, _matrix()] if kind == "formats" else [table]
    typer.echo(rendered(lambda console: console.print(*shown, sep="\n"), sys.stdout), nl=False)


def _matrix() -> Table:
    """What each format keeps, the features under letters."""
    from rich.table import Table

    from elcurate.formats.features import FEATURES
    from elcurate.report.catalogue import format_matrix

    letters = "abcdefghijklmnopqrstuvwxyz"[: len(FEATURES)]
    legend = ", ".join(f"{letter} {name}" for letter, name in zip(letters, FEATURES, strict=True))
    table = Table(title="What each keeps", title_justify="left", title_style="bold", pad_edge=False)
    table.caption, table.caption_justify = legend, "left"
    table.add_column("name")
    for letter in letters:
        table.add_column(letter)
    for name, kept in format_matrix().items():
        table.add_row(name, *("●" if one else "" for one in kept))
    return table


def explain(
    name: Annotated[
        str,
        typer.Argument(help="A format, rule, measure, profile, membership, policy or category."),
    ],
) -> None:
    """Explain a name that any list shows.

    Examples:

      elcurate explain strong_all_match

      elcurate explain emnlp2019

      elcurate explain C201

      elcurate explain sets:is_linked:span+kbid
    """
    from elcurate.errors import SpecError, suggestion
    from elcurate.report.catalogue import catalogue, describe_measure

    found = [
        (kind, entry)
        for kind in KINDS
        for entry in catalogue(kind)
        if name in (entry.name, entry.details.get("slug"))
    ]
    if not found and ":" in name:
        found = [("measures", describe_measure(name))]
    if not found:
        known = [entry.name for kind in KINDS for entry in catalogue(kind)]
        raise SpecError(f"there is nothing named {name!r}", remedy=suggestion(name, known))
    for kind, entry in found:
        typer.echo(f"{entry.name} ({kind})\n  {entry.text}")
        for key, value in entry.details.items():
            typer.echo(f"  {key}: {value}")
