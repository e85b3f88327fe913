"""``elcurate validate``."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elcurate.cli.common import From, Output, check_files, emit, progress

if TYPE_CHECKING:
    from elcurate.kb.snapshot import Snapshot
    from elcurate.model.corpus import Corpus
    from elcurate.report.findings import Checked
    from elcurate.rules.base import Rule
    from elcurate.rules.config import ValidateConfig
    from elcurate.rules.select import Selection
    from elcurate.rules.waivers import Waiver

FORMATS = ("text", "json", "sarif", "github")

Select = Annotated[
    list[str] | None,
    typer.Option("--select", metavar="RULE", help="Codes, prefixes, slugs, families, or ALL."),
]
Ignore = Annotated[
    list[str] | None, typer.Option("--ignore", metavar="RULE", help="Leave these rules out.")
]
ConfigFile = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="Instead of ./elcurate.toml."),
]
Kb = Annotated[
    Path | None,
    typer.Option("--kb", metavar="FILE", help="A snapshot of Wikipedia, for the rules of kb."),
]


def validate(
    corpora: Annotated[list[str], typer.Argument(metavar="CORPUS...", help="Files or folders.")],
    from_: From = None,
    select: Select = None,
    ignore: Ignore = None,
    severity: Annotated[
        list[str] | None,
        typer.Option("--severity", metavar="RULE=SEVERITY", help="Another severity for a rule."),
    ] = None,
    fail_on: Annotated[
        str | None,
        typer.Option("--fail-on", metavar="error|warning|info", help="Exit with 1 from this on."),
    ] = None,
    kb: Kb = None,
    gold: Annotated[
        str | None,
        typer.Option("--gold", metavar="FILE", help="The gold, to check outputs of systems."),
    ] = None,
    waivers: Annotated[
        Path | None,
        typer.Option("--waivers", metavar="FILE", help="Instead of waivers.toml beside a corpus."),
    ] = None,
    config: ConfigFile = None,
    format_: Annotated[
        str, typer.Option("--format", "-f", metavar="|".join(FORMATS), help="How to print.")
    ] = "text",
    output: Output = None,
) -> None:
    """Find faults in corpora: in files and texts, spans, links, categories, and between places.

    Exits with 1 when there are findings of the severity given by --fail-on (warning by default).

    Examples:

      elcurate validate gold.ttl

      elcurate validate KORE50.ttl VoxEL.ttl --select spans --select C201 --fail-on error

      elcurate validate tagme.ttl --gold gold.ttl --kb enwiki.sqlite

      elcurate validate gold.jsonl --ignore L201 --severity C2=error --format sarif -o gold.sarif
    """
    from elcurate.errors import SpecError
    from elcurate.formats.io import read
    from elcurate.report.findings import findings_report, render_findings
    from elcurate.rules.base import SEVERITIES, at_least

    others = [str(path) for path in (gold, waivers, kb) if path is not None]
    problems = check_files([*corpora, *others])
    if format_ not in FORMATS:
        problems.append(f"--format is {', '.join(FORMATS)}, not {format_!r}")
    if fail_on is not None and fail_on not in SEVERITIES:
        problems.append(f"--fail-on is {', '.join(SEVERITIES)}, not {fail_on!r}")
    settings, selection = settled(config, select, ignore, severity, problems, from_)
    needs_snapshot(selection, kb, problems)
    if gold is None:
        problems += _chosen(selection, lambda rule: rule.asks_gold, "the gold. Name it with --gold")
    if problems or selection is None:
        raise SpecError("\n".join(problems))
    limit = next((one for one in SEVERITIES if one == fail_on), settings.fail_on)
    checked = []
    with progress("Validating") as show, opened(kb) as snapshot:
        against = None if gold is None else read(gold, format=from_)
        for path in corpora:
            show(f"Validating {path}")
            checked.append(_check(path, from_, selection, waivers, snapshot, against))
    if format_ == "text":
        emit(render_findings(checked, None if output else sys.stdout), output)
    elif format_ == "json":
        emit(findings_report(checked).model_dump_json(indent=1) + "\n", output)
    else:
        from elcurate.report.findings_ci import render_github, render_sarif

        emit((render_sarif if format_ == "sarif" else render_github)(checked), output)
    if any(True for one in checked for _ in at_least(one.findings, limit)):
        raise typer.Exit(1)


def settled(
    config: Path | None,
    select: list[str] | None,
    ignore: list[str] | None,
    severity: list[str] | None,
    problems: list[str],
    from_: str | None = None,
) -> tuple[ValidateConfig, Selection | None]:
    """The configuration and the selection, the command line before the file.

    Args:
        config, select, ignore, severity, from_: Options.
        problems: Gets a sentence for everything that is wrong; then there may be no selection.
    """
    from elcurate.evaluation.setup import attempt
    from elcurate.formats.all import FORMATS as CORPUS_FORMATS
    from elcurate.rules.config import FILE, ValidateConfig, load_config
    from elcurate.rules.select import Selection, severities

    if from_ is not None:
        attempt(problems, lambda: CORPUS_FORMATS.get(from_))
    path = config or Path(FILE)
    settings = ValidateConfig()
    if config is not None or path.is_file():
        if path.is_file():
            settings = load_config(path)
        else:
            problems.append(f"there is no file {path}")
    given = attempt(problems, lambda: severities(_split(severity))) or {}
    selection = attempt(
        problems,
        lambda: Selection(
            _split(select) or settings.select,
            (*_split(ignore), *settings.ignore),
            {**settings.severity, **given},
        ),
    )
    return settings, selection


def needs_snapshot(selection: Selection | None, kb: Path | None, problems: list[str]) -> None:
    """Adds a sentence for each rule that was chosen by name and can't run without a snapshot."""
    if kb is None:
        problems += _chosen(selection, lambda rule: rule.asks_kb, "a snapshot. Name one with --kb")


def _chosen(selection: Selection | None, asks: Callable[[Rule], bool], needed: str) -> list[str]:
    """A sentence for each rule that was chosen by name and lacks what it needs."""
    from elcurate.rules.all import RULES

    names = set() if selection is None else set(selection.select)
    return [
        f"{rule.code} {rule.slug} needs {needed}"
        for rule in RULES
        if asks(rule) and {rule.code, rule.slug} & names
    ]


def opened(kb: Path | None) -> contextlib.AbstractContextManager[Snapshot | None]:
    """The snapshot of a file, or None."""
    from elcurate.kb.snapshot import Snapshot

    return contextlib.nullcontext() if kb is None else Snapshot(kb)


def _split(values: list[str] | None) -> tuple[str, ...]:
    return tuple(part.strip() for one in values or () for part in one.split(",") if part.strip())


def _check(
    path: str,
    from_: str | None,
    selection: Selection,
    waivers: Path | None,
    kb: Snapshot | None,
    gold: Corpus | None,
) -> Checked:
    from elcurate.formats.io import read
    from elcurate.report.findings import Checked
    from elcurate.rules.engine import validate as check
    from elcurate.rules.waivers import apply_waivers

    corpus = read(path, format=from_, rename_duplicates=True)
    accepted = _waivers(path, waivers)
    found = check(corpus, selection, kb=kb, gold=gold)
    kept, waived = apply_waivers(found, accepted, corpus.name, selection)
    return Checked(path, corpus, kept, len(waived), None if kb is None else kb.info.id)


def _waivers(path: str, given: Path | None) -> tuple[Waiver, ...]:
    from elcurate.rules.waivers import load_waivers, waivers_beside

    file = given or (None if path == "-" else waivers_beside(Path(path)))
    return () if file is None else load_waivers(file)
