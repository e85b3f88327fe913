"""What ``elcurate evaluate`` does once its arguments are there."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from elcurate.cli.aids import entity_map, reference, type_weights
from elcurate.cli.common import emit, progress
from elcurate.cli.evaluate import FORMATS
from elcurate.cli.inputs import Inputs, named_policies, named_system
from elcurate.errors import SpecError, suggestion
from elcurate.evaluation.corpus_stats import corpus_stats
from elcurate.evaluation.evaluate import Input, as_table, evaluate_setup, evaluate_signature
from elcurate.evaluation.outcomes import outcomes
from elcurate.evaluation.records import Evaluation
from elcurate.evaluation.setup import Setup, attempt, make_setup
from elcurate.evaluation.signature import setup_from_signature
from elcurate.kb.canonicalise import EntityMap
from elcurate.measures.weights import TypeWeights
from elcurate.model.corpus import Corpus
from elcurate.model.table import Table
from elcurate.report.delimited import render_delimited
from elcurate.report.html import render_html
from elcurate.report.markup import render_latex, render_markdown
from elcurate.report.tables import decimals
from elcurate.report.text import render_text


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
        tables = {name: as_table(output) for name, output in outputs.items()}
        if request.signature is not None:
            found = evaluate_signature(
                as_table(gold), tables, request.signature, setup.weights, entities, linkable
            )
        else:
            found = evaluate_setup(
                as_table(gold),
                tables,
                setup,
                alphas,
                request.cumulative,
                lambda name: show(f"Scoring {name}"),
            )
        show("Rendering")
        text = _render(request, found, setup, gold, outputs)
    inputs.report()
    emit(text, request.output)
    return request.fail_under is None or _reaches(found, request.fail_under)


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
    )


def _render(
    request: Request,
    found: Evaluation,
    setup: Setup,
    gold: Input,
    systems: Mapping[str, Input],
) -> str:
    form = request.format
    if form == "json":
        return json.dumps(found.to_dict(), ensure_ascii=False) + "\n"
    if form in ("tsv", "csv"):
        return render_delimited(found, "\t" if form == "tsv" else ",")
    if form == "markdown":
        return render_markdown(found)
    if form == "latex":
        return render_latex(found)
    if form == "html" and isinstance(gold, Corpus):
        read_systems = {name: one for name, one in systems.items() if isinstance(one, Corpus)}
        return render_html(
            found,
            outcomes=outcomes(
                _compared(gold, setup),
                {name: _compared(one, setup) for name, one in read_systems.items()},
                setup.policy,
            ),
            stats=corpus_stats(gold).model_dump(),
        )
    return render_text(found, None if request.output else sys.stdout)


def _compared(corpus: Corpus, setup: Setup) -> Corpus:
    return corpus if setup.entities is None else setup.entities.apply(corpus)[0]


def _reaches(found: Evaluation, least: float) -> bool:
    """Whether the first score of every system is at least that; says which are not."""
    low = [
        f"{system.name}: F1 {decimals(score.f1)} of {score.measure} is under {least:g}"
        for system in found.systems
        for score in system.scores[:1]
        if score.f1 is None or score.f1 < least
    ]
    for line in low:
        typer.echo(line, err=True)
    return not low
