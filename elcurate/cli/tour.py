"""The steps of ``elcurate demo``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import typer
from rich.console import Console

from elcurate.errors import ReadError
from elcurate.evaluation.corpus_stats import corpus_stats
from elcurate.evaluation.evaluate import evaluate, evaluate_signature
from elcurate.evaluation.outcomes import outcomes
from elcurate.evaluation.profiles import PROFILES
from elcurate.formats.io import read
from elcurate.formats.outputs import atomic, write
from elcurate.report.html import render_html
from elcurate.report.stats import stats_grid
from elcurate.report.tables import grids
from elcurate.report.text import print_grid, rendered

SYSTEMS = ("names", "everything", "sloppy")
ALPHAS = tuple(step / 10 for step in range(11))


def sample_folder() -> Path:
    """The bundled sample, in an installed package or in a checkout.

    Raises:
        ReadError: when neither has it.
    """
    package = Path(str(files("elcurate")))
    for folder in (package / "_data" / "sample", package.parent / "datasets" / "sample"):
        if (folder / "gold.jsonl").is_file():
            return folder
    raise ReadError("the bundled sample is missing", remedy="Install elcurate again.")


def tour(folder: Path) -> None:
    """Converts, counts, scores and reports the sample, saying what each step does."""
    sample = sample_folder()
    folder.mkdir(parents=True, exist_ok=True)
    gold = read(sample / "gold.jsonl")
    systems = {name: read(sample / "systems" / f"{name}.jsonl") for name in SYSTEMS}
    _step("read", f"{gold.name}: {len(gold.documents)} documents with fine-grained categories")

    losses = write(gold, folder / "gold.ttl")
    back = read(folder / "gold.ttl")
    same = "the same" if back.documents == gold.documents else "DIFFERENT"
    _step("convert", f"to NIF and back: {len(losses)} losses, {same} corpus → {folder}/gold.ttl")

    counts = corpus_stats(gold)
    _step("stats", "what the corpus holds, as in table 2 of the paper")
    _print(lambda console: print_grid(stats_grid([counts]), console))

    found = evaluate(gold, systems, by=["categories"], alphas=ALPHAS, cumulative=True)
    _step("evaluate", "three systems of different character; the best F1 of each measure in bold")
    summary, *others = grids(found)
    _print(lambda console: print_grid(summary, console))
    by_category = next(grid for grid in others if grid.title.startswith("strong_all_match"))
    _step("evaluate --by categories", "where each system is good, and where it is not")
    _print(lambda console: print_grid(by_category, console))

    score = found.systems[0].scores[0]
    again = evaluate_signature(gold, {SYSTEMS[0]: systems[SYSTEMS[0]]}, score.signature)
    equal = "gives the same" if again.systems[0].scores[0] == score else "DOES NOT GIVE THE SAME"
    _step("evaluate --signature", f"a signature {equal} score: {score.signature}")

    report = folder / "report.html"
    page = render_html(
        found,
        outcomes=outcomes(gold, systems, PROFILES.get("default").policy),
        stats=counts.model_dump(),
        title="The sample corpus of elcurate",
    )
    with atomic(report) as out:
        out.write(page.encode())
    _step("report", f"open {report} in a browser: every score, curve and mention on one page")


def _step(name: str, text: str) -> None:
    typer.secho(f"\n{name}", bold=True, nl=False)
    typer.echo(f"  {text}")


def _print(write_: Callable[[Console], None]) -> None:
    typer.echo(rendered(write_, sys.stdout), nl=False)
