"""What ``elcurate evaluate`` does once its arguments are there."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from elcurate.cli.aids import entity_map, reference, type_weights
from elcurate.cli.common import emit, progress
from elcurate.cli.evaluate import FORMATS
from elcurate.cli.inputs import Inputs, named_policies, named_system
from elcurate.cli.rendering import rendered
from elcurate.errors import SpecError, suggestion
from elcurate.evaluation.evaluate import as_table, evaluate_setup, evaluate_signature
from elcurate.evaluation.records import Score
from elcurate.evaluation.run import bare_scores
from elcurate.evaluation.setup import Setup, attempt, make_setup
from elcurate.evaluation.signature import setup_from_signature
from elcurate.kb.canonicalise import EntityMap
from elcurate.measures.weights import TypeWeights
from elcurate.model.table import Table
from elcurate.report.neleval import given_names, render_neleval
from elcurate.report.tables import decimals


@dataclass(frozen=True)
class Request:
    """The arguments of ``elcurate evaluate``, as given."""

    gold: Sequence[str]
    systems: Sequence[str]
    from_: str | None
    measures: Sequence[str] | None
    profile: str
    by: Sequence[str]
    where: str | None
    membership: str | None
    alphas: str | None
    cumulative: bool
    policies: Mapping[str, str]
    policy: Sequence[str]
    type_weights: Path | None
    type_hierarchy: Path | None
    type_decay: float
    signature: str | None
    format: str
    output: Path | None
    fail_under: float | None
    kb: Path | None = None
    missing_as_nil: bool = False
    sections_as_pages: bool = False
    title_map: Path | None = None
    linkable_by: str | None = None
    texts: Path | None = None
    averages_only: bool = False


def run(request: Request) -> bool:
    """Scores and prints; returns whether ``fail_under`` was reached.

    Raises:
        SpecError: for all wrong arguments together.
        ReadError: when an input can't be read.
        SnapshotError: when the snapshot can't be used.
        EvaluationError: when gold and systems don't fit together.
    """
    with contextlib.ExitStack() as stack:
        return _run(request, stack)


def _run(request: Request, stack: contextlib.ExitStack) -> bool:
    systems = [named_system(system) for system in request.systems]
    html = request.format == "html"
    inputs = Inputs(request.gold, systems, request.from_, as_corpora=html, texts=request.texts)
    problems = inputs.problems()
    if request.format not in FORMATS:
        remedy = suggestion(request.format, list(FORMATS))
        problems.append(f"there is no output format {request.format!r}. {remedy}")
    if _like_neleval(request) and len(dict(systems)) > 1:
        problems.append(
            "--profile neleval --format tsv prints neleval's columns, which have no place for "
            "names of systems. Name one system, or use --format csv."
        )
    alphas = attempt(problems, lambda: parse_alphas(request.alphas)) or ()
    entities = attempt(
        problems,
        lambda: entity_map(
            request.kb,
            request.title_map,
            request.missing_as_nil,
            request.sections_as_pages,
            stack,
        ),
    )
    linkable = attempt(
        problems, lambda: reference(request.linkable_by, request.from_, request.texts)
    )
    setup = attempt(problems, lambda: _setup(request, entities, linkable))
    if request.signature is not None:
        signature = request.signature
        weights = None if setup is None else setup.weights
        attempt(problems, lambda: setup_from_signature(signature, weights, entities, linkable))
        if request.measures or request.by or request.where or request.membership:
            problems.append(
                "--signature says everything: leave out -m, --by, --where, --membership"
            )
    if request.fail_under is not None and not 0 <= request.fail_under <= 1:
        problems.append(f"--fail-under is an F1 between 0 and 1, not {request.fail_under:g}")
    if problems or setup is None:
        raise SpecError("\n".join(dict.fromkeys(problems)))
    with progress("Reading") as show:
        gold, outputs = inputs.read(show)
        table = as_table(gold)
        tables = {name: as_table(output) for name, output in outputs.items()}
        if _like_neleval(request):
            ((name, system),) = tables.items()
            show(f"Scoring {name}")
            firsts, text = _neleval(request, setup, table, name, system)
        else:
            if request.signature is not None:
                found = evaluate_signature(
                    table, tables, request.signature, setup.weights, entities, linkable
                )
            else:
                found = evaluate_setup(
                    table,
                    tables,
                    setup,
                    alphas,
                    request.cumulative,
                    lambda name: show(f"Scoring {name}"),
                )
            show("Rendering")
            to_file = request.output is not None
            text = rendered(request.format, found, setup, gold, outputs, to_file=to_file)
            firsts = {system.name: system.scores[:1] for system in found.systems}
    inputs.report()
    emit(text, request.output)
    return request.fail_under is None or _reaches(firsts, request.fail_under)


def _neleval(
    request: Request, setup: Setup, gold: Table, name: str, system: Table
) -> tuple[dict[str, tuple[Score, ...]], str]:
    """The first score, and all as neleval prints them."""
    scores = bare_scores(gold, name, system, setup)
    text = render_neleval(
        scores,
        setup.group_by,
        given_names(request.measures or ()),
        weighted=setup.weights is not None,
    )
    return {name: scores[:1]}, text


def parse_alphas(text: str | None) -> tuple[float, ...]:
    """``0,0.5,1`` or ``from:to:step``.

    Raises:
        SpecError: for anything else, and for values outside [0, 1].
    """
    if text is None:
        return ()
    try:
        if ":" in text:
            start, stop, step = (float(part) for part in text.split(":"))
            count = round((stop - start) / step) if step > 0 else -1
            values = tuple(round(start + i * step, 12) for i in range(count + 1))
        else:
            values = tuple(float(part) for part in text.split(","))
    except (ValueError, OverflowError):
        values = ()
    if not values or not all(0 <= value <= 1 for value in values):
        raise SpecError(f"{text!r} is no list of α in [0, 1]", remedy="Write 0,0.5,1 or 0:1:0.1.")
    return values


def _setup(request: Request, entities: EntityMap | None, linkable: Table | None) -> Setup:
    problems: list[str] = []
    weights = attempt(
        problems,
        lambda: type_weights(request.type_weights, request.type_hierarchy, request.type_decay),
    )
    setup = attempt(problems, lambda: _made(request, weights, entities, linkable))
    if problems or setup is None:
        raise SpecError("\n".join(problems))
    return setup


def _made(
    request: Request,
    weights: TypeWeights | None,
    entities: EntityMap | None,
    linkable: Table | None,
) -> Setup:
    return make_setup(
        measures=request.measures,
        profile=request.profile,
        by=request.by,
        where=request.where,
        membership=request.membership,
        policies={**request.policies, **named_policies(request.policy)},
        weights=weights,
        entities=entities,
        linkable=linkable,
        averages_only=request.averages_only,
    )


def _like_neleval(request: Request) -> bool:
    """Whether to print as neleval does."""
    return request.profile == "neleval" and request.format == "tsv" and request.signature is None


def _reaches(firsts: Mapping[str, Sequence[Score]], least: float) -> bool:
    """Whether the first score of every system is at least that; says which are not."""
    low = [
        f"{name}: F1 {decimals(score.f1)} of {score.measure} is under {least:g}"
        for name, scores in firsts.items()
        for score in scores
        if score.f1 is None or score.f1 < least
    ]
    for line in low:
        typer.echo(line, err=True)
    return not low
