"""``elcurate kb``: snapshots of a Wikipedia."""

from __future__ import annotations

import contextlib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elcurate.cli.common import From, check_files, emit, progress

if TYPE_CHECKING:
    from elcurate.kb.snapshot_file import SnapshotInfo

app = typer.Typer(
    name="kb",
    help="Make and ask a snapshot of a Wikipedia: pages, redirects, disambiguations, items.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)

File = Annotated[Path, typer.Option("--kb", metavar="FILE", help="The snapshot.")]
Target = Annotated[
    Path, typer.Option("--output", "-o", metavar="FILE", help="The snapshot to write.")
]
Form = Annotated[
    str, typer.Option("--format", "-f", metavar="text|json", help="Lines of text, or JSON.")
]

_NO_ARTICLE = (
    *("loop", "interwiki", "missing", "disambiguation", "wrong-namespace", "invalid"),
    *("other-wiki", "other-kind", "not-covered"),
)


@app.command("build")
def build(
    folder: Annotated[Path, typer.Argument(metavar="DUMPDIR", help="A folder of SQL dumps.")],
    output: Target,
    wiki: Annotated[
        str | None, typer.Option(metavar="NAME", help="Such as enwiki, if the files don't say.")
    ] = None,
    date: Annotated[
        str | None, typer.Option(metavar="DATE", help="YYYY-MM-DD, if the files don't say.")
    ] = None,
    format_: Form = "text",
) -> None:
    """Make a snapshot of the dumps of the tables page, redirect and page_props.

    Examples:

      elcurate kb build dumps/enwiki-20240101 -o enwiki.sqlite

      elcurate kb build dumps -o dewiki.sqlite --wiki dewiki --date 2024-01-01
    """
    _check(format_, folder)
    from elcurate.kb.dumps import build_snapshot, find_dumps

    with progress("Reading") as show:
        info = build_snapshot(
            find_dumps(folder),
            output,
            wiki=wiki,
            date=date,
            progress=lambda table, done, size: show(f"{table}: {done / max(size, 1):.0%}"),
        )
    _print_info(info, output, format_)


@app.command("fetch")
def fetch(
    corpora: Annotated[
        list[str],
        typer.Option("--titles-of", metavar="CORPUS", help="Whose titles; repeatable."),
    ],
    output: Target,
    api: Annotated[
        str, typer.Option("--api", metavar="URL", help="The wiki's api.php.")
    ] = "https://en.wikipedia.org/w/api.php",
    contact: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="An e-mail or page that the calls name, as wikis ask."),
    ] = None,
    from_: From = None,
    format_: Form = "text",
) -> None:
    """Make a snapshot of only the titles that corpora link to, from the wiki's own API.

    A fetch that was interrupted goes on where it stopped.

    Examples:

      elcurate kb fetch --titles-of gold.ttl -o gold-kb.sqlite --contact me@example.org

      elcurate kb fetch --titles-of gold.ttl -o kb.sqlite --api https://de.wikipedia.org/w/api.php
    """
    _check(format_, *corpora)
    from elcurate.formats.io import read
    from elcurate.kb.canonicalise import entities_of
    from elcurate.kb.fetch import fetch_snapshot
    from elcurate.kb.mediawiki import WikiApi

    with progress("Reading") as show:
        entities = {one for path in corpora for one in entities_of(read(path, format=from_))}
        with contextlib.closing(WikiApi(api, contact=contact)) as wiki:
            made = fetch_snapshot(
                entities, wiki, output, lambda done, size: show(f"{done:,} of {size:,} titles")
            )
    _print_info(made, output, format_)


@app.command("info")
def info(file: File, format_: Form = "text") -> None:
    """Say of which wiki and day a snapshot is, and what it holds.

    Examples:

      elcurate kb info --kb enwiki.sqlite
    """
    _check(format_, file)
    from elcurate.kb.snapshot import Snapshot

    with Snapshot(file) as snapshot:
        _print_info(snapshot.info, file, format_)


@app.command("resolve")
def resolve(
    identifiers: Annotated[
        list[str],
        typer.Argument(metavar="TITLE...", help="Titles, addresses or Q numbers; - for lines."),
    ],
    file: File,
    format_: Form = "text",
) -> None:
    """Say where titles and addresses lead; exit with 1 if one leads to no article.

    Examples:

      elcurate kb resolve "Big Apple" Q60 --kb enwiki.sqlite

      elcurate kb resolve http://dbpedia.org/resource/NYC --kb enwiki.sqlite --format json
    """
    _check(format_, file)
    from elcurate.kb.resolution import ResolutionReport
    from elcurate.kb.snapshot import Snapshot

    asked = []
    for identifier in identifiers:
        lines = sys.stdin.read().splitlines() if identifier == "-" else [identifier]
        asked += [line for line in lines if line.strip()]
    with Snapshot(file) as snapshot:
        found = snapshot.resolve_all(asked)
        name = snapshot.info.id
    if format_ == "json":
        report = ResolutionReport(snapshot=name, resolutions=tuple(found))
        emit(json.dumps(report.model_dump(), ensure_ascii=False, indent=1) + "\n", None)
    else:
        for one in found:
            steps = " → ".join(one.path)
            cells = (one.identifier, one.outcome, steps, one.entity or "", one.item or "")
            emit("\t".join(cells) + "\n", None)
    if any(one.outcome in _NO_ARTICLE for one in found):
        raise typer.Exit(1)


def _check(form: str, *files: str | Path) -> None:
    """Refuses an unknown output format and files that don't exist, all together."""
    from elcurate.errors import SpecError

    problems = check_files([str(file) for file in files])
    if form not in ("text", "json"):
        problems.append(f"--format is text or json, not {form!r}")
    if problems:
        raise SpecError("\n".join(problems))


def _print_info(info: SnapshotInfo, file: Path, form: str) -> None:
    if form == "json":
        from elcurate.kb.snapshot_file import SnapshotReport

        report = SnapshotReport(snapshot=info.id, file=str(file), info=info)
        emit(json.dumps(report.model_dump(), ensure_ascii=False, indent=1) + "\n", None)
        return
    rows = {"snapshot": info.id, **info.model_dump()}
    for name, value in rows.items():
        shown = f"{value:,}" if isinstance(value, int) else value
        emit(f"{name:<16}{shown}\n", None)
