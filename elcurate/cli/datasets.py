"""``elcurate datasets``: the cards of public corpora, and fetching them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from elcurate.cli.common import Output, emit, progress, report_changes

app = typer.Typer(
    help="List, show and fetch public corpora.",
    epilog="Start with: elcurate datasets list",
    no_args_is_help=True,
)

TextOrJson = Annotated[
    str, typer.Option("--format", "-f", metavar="text|json", help="How to report.")
]
Name = Annotated[str, typer.Argument(metavar="NAME", help="As in: elcurate datasets list.")]


@app.command("list")
def list_(format_: TextOrJson = "text", output: Output = None) -> None:
    """List the corpora that there are cards of.

    Examples:

      elcurate datasets list

      elcurate datasets list --format json
    """
    from elcurate.curation.cards import cards
    from elcurate.report.datasets import render_cards

    _check_format(format_)
    found = tuple(cards().values())
    if format_ == "json":
        emit(_as_json([card.model_dump(mode="json") for card in found]), output)
    else:
        emit(render_cards(found, None if output else sys.stdout), output)


@app.command("show")
def show(name: Name, format_: TextOrJson = "text", output: Output = None) -> None:
    """Show all that is known of a corpus: source, licence, format, counts.

    Examples:

      elcurate datasets show aida
    """
    from elcurate.curation.cards import get_card
    from elcurate.report.datasets import render_card

    _check_format(format_)
    card = get_card(name)
    if format_ == "json":
        emit(_as_json([card.model_dump(mode="json")]), output)
    else:
        emit(render_card(card), output)


@app.command("fetch")
def fetch(
    name: Name,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="OUT", help="A file or folder; NAME.jsonl."),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="FORMAT", help="Format of the output; by its suffix."),
    ] = None,
    cache: Annotated[
        Path | None,
        typer.Option("--cache", metavar="FOLDER", help="Where downloads are kept."),
    ] = None,
    format_: TextOrJson = "text",
) -> None:
    """Download a corpus, check it, convert it, and count what it holds.

    A download that stops goes on where it was; one that is complete is kept. Exits with 1 when the
    counts are not those of the card.

    Examples:

      elcurate datasets fetch n3-reuters-128

      elcurate datasets fetch kore50 -o kore50.ttl --cache downloads
    """
    from elcurate.curation.cards import get_card
    from elcurate.curation.fetch import fetch as fetched
    from elcurate.report.datasets import render_fetched

    _check_format(format_)
    card = get_card(name)
    with progress(f"Fetching {name}") as say:

        def tick(done: int, total: int | None) -> None:
            whole = f" of {total / 1e6:,.1f}" if total else ""
            say(f"Fetching {name}: {done / 1e6:,.1f}{whole} MB")

        place = output or Path(f"{name}.jsonl")
        result = fetched(card, place, format=to, cache=cache, tick=tick)
    if format_ == "json":
        typer.echo(result.model_dump_json(indent=1))
    else:
        report_changes(result.repairs, "repairs")
        report_changes(result.losses, "losses")
        typer.echo(render_fetched(result), nl=False, err=True)
    if result.differences:
        raise typer.Exit(1)


def _check_format(name: str) -> None:
    from elcurate.errors import SpecError

    if name not in ("text", "json"):
        raise SpecError(f"--format is text or json, not {name!r}")


def _as_json(found: list[dict[str, object]]) -> str:
    return json.dumps({"datasets": found}, ensure_ascii=False, indent=1) + "\n"
