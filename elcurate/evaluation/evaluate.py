"""`evaluate`: gold and any number of systems to an `Evaluation`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from elcurate.errors import EvaluationError
from elcurate.evaluation.curves import alpha_curves, cumulative_curves
from elcurate.evaluation.documents import Documents, check_documents
from elcurate.evaluation.links import link_relations
from elcurate.evaluation.records import (
    CorpusInfo,
    Entities,
    Evaluation,
    Score,
    SystemInfo,
    SystemResult,
)
from elcurate.evaluation.run import make_scoring
from elcurate.evaluation.setup import Setup, make_setup
from elcurate.evaluation.signature import setup_from_signature
from elcurate.kb.canonicalise import EntityMap, Moves
from elcurate.measures.membership import Membership
from elcurate.measures.weights import TypeWeights
from elcurate.model.corpus import Corpus
from elcurate.model.table import Table
from elcurate.spec import show
from elcurate.version import VERSION

Input = Corpus | Table
Progress = Callable[[str], None]


def evaluate(
    gold: Input,
    systems: Mapping[str, Input],
    *,
    measures: Sequence[str] | None = None,
    profile: str = "default",
    by: Sequence[str] = (),
    where: str | None = None,
    membership: str | Membership | None = None,
    policies: Mapping[str, str] | None = None,
    weights: TypeWeights | None = None,
    entities: EntityMap | None = None,
    linkable: Input | None = None,
    averages_only: bool = False,
    alphas: Sequence[float] = (),
    cumulative: bool = False,
    progress: Progress | None = None,
) -> Evaluation:
    """Scores systems against a gold corpus.

    Args:
        gold: The gold corpus or its table.
        systems: System outputs by name.
        measures: Names, sets of names, or forms; the profile's own list when None.
        profile: A name from `elcurate.evaluation.profiles.PROFILES`.
        by: ``document``, ``type``, ``categories``, ``combination`` or a dimension.
        where: A filter over gold links (`elcurate.evaluation.expression.parse_expression`).
        membership: Membership of gold links; all measures become fuzzy.
        policies: Values that replace those of the profile.
        weights: Credit for types that are not equal, in set measures that compare types.
        entities: Replaces entities on both sides before they are compared, such as
            `elcurate.kb.canonicalise.SnapshotMap` or `elcurate.kb.title_map.TitleMap`.
        linkable: A reference output; only mentions that overlap one that it links count.
        averages_only: Leaves out the groups of ``by`` and keeps their averages.
        alphas: Scores ``strict-relaxed(alpha)`` at each of these, as a curve.
        cumulative: Adds the cumulative curves over ranked combinations.
        progress: Is called with the name of each system before it is scored.

    Raises:
        SpecError: for names, values or expressions that don't exist or parse.
        EvaluationError: for a system document that the gold lacks, unless the policy allows it,
            and for a document id that occurs twice.
    """
    setup = make_setup(
        measures=measures,
        profile=profile,
        by=by,
        where=where,
        membership=membership,
        policies=policies,
        weights=weights,
        entities=entities,
        linkable=None if linkable is None else as_table(linkable),
        averages_only=averages_only,
    )
    return evaluate_setup(gold, systems, setup, alphas, cumulative, progress)


def evaluate_setup(
    gold: Input,
    systems: Mapping[str, Input],
    setup: Setup,
    alphas: Sequence[float] = (),
    cumulative: bool = False,
    progress: Progress | None = None,
) -> Evaluation:
    """`evaluate` with a setup that is already put together."""
    table = as_table(gold)
    check_documents("the gold", table)
    moves = {}
    results = []
    for name, system in systems.items():
        if progress is not None:
            progress(name)
        other = as_table(system)
        results.append(_evaluate_one(name, table, other, setup, alphas, cumulative))
        moves[name] = setup.moves(other)
    return Evaluation(
        elcurate=VERSION,
        profile=setup.profile,
        settings=setup.settings(),
        gold=corpus_info(table),
        systems=tuple(results),
        entities=entities_info(setup, table, moves),
    )


def evaluate_signature(
    gold: Input,
    systems: Mapping[str, Input],
    signature: str,
    weights: TypeWeights | None = None,
    entities: EntityMap | None = None,
    linkable: Input | None = None,
) -> Evaluation:
    """Computes the score that a signature stands for.

    Args:
        gold, systems: The inputs.
        signature: A signature from a report.
        weights: The type weights, if the signature names any.
        entities: What replaces entities, if the signature names it.
        linkable: The reference output, if the signature names one.

    Raises:
        SpecError: when the text is no signature.
        EvaluationError: when gold or system are not those that the signature names.
    """
    reference = None if linkable is None else as_table(linkable)
    setup, group, named = setup_from_signature(signature, weights, entities, reference)
    table = as_table(gold)
    _check_input("gold", table, named)
    results, moves = [], {}
    for name, system in systems.items():
        other = as_table(system)
        moves[name] = setup.moves(other)
        _check_input("system", other, named)
        result = _evaluate_one(name, table, other, setup)
        scores = tuple(score for score in result.scores if _is_group(score, group))
        if not scores:
            raise EvaluationError(f"the signature's group {group} does not occur")
        results.append(result.model_copy(update={"scores": scores}))
    whole = evaluate_setup(gold, {}, setup)
    known = {"systems": tuple(results), "entities": entities_info(setup, table, moves)}
    return whole.model_copy(update=known)


_HIDDEN = ("over", "by")


def _is_group(score: Score, group: Mapping[str, str | None]) -> bool:
    shown = {key: value for key, value in group.items() if key in score.group or key not in _HIDDEN}
    return dict(score.group) == shown


def _evaluate_one(
    name: str,
    gold: Table,
    system: Table,
    setup: Setup,
    alphas: Sequence[float] = (),
    cumulative: bool = False,
) -> SystemResult:
    scoring, documents = make_scoring(gold, name, system, setup, fingerprints(gold, system))
    pair = scoring.pair
    curves = [*alpha_curves(scoring, alphas)] if alphas else []
    if cumulative:
        curves += cumulative_curves(scoring)
    ends = system.links["end"].to_numpy()
    return SystemResult(
        **dict(system_info(name, system, documents)),
        cut_mentions=int(np.count_nonzero(ends[pair.system.row] != pair.system.end)),
        link_relations=link_relations(pair, setup.compared(gold), setup.compared(system)),
        scores=tuple(scoring.scores()),
        curves=tuple(curves),
    )


def as_table(value: Input) -> Table:
    """The table of a corpus; a table as it is."""
    return Table.of(value) if isinstance(value, Corpus) else value


def fingerprints(gold: Table, system: Table) -> dict[str, str]:
    """What signatures say of the inputs, and of the version."""
    return {"gold": gold.fingerprint, "system": system.fingerprint, "elcurate": f"v{VERSION}"}


def corpus_info(table: Table) -> CorpusInfo:
    """What reports say of the gold."""
    return CorpusInfo(
        name=table.name,
        fingerprint=table.fingerprint,
        documents=table.documents.height,
        mentions=_mentions(table),
        links=table.links["link"].drop_nulls().len(),
    )


def system_info(name: str, table: Table, documents: Documents) -> SystemInfo:
    """What reports say of a system."""
    return SystemInfo(
        name=name,
        fingerprint=table.fingerprint,
        documents=table.documents.height,
        mentions=_mentions(table),
        missing_documents=documents.missing,
        unknown_documents=documents.unknown,
    )


def entities_info(
    setup: Setup, gold: Table, systems: Mapping[str, Moves | None]
) -> Entities | None:
    """What reports say of the entities that were replaced."""
    of_gold = setup.moves(gold)
    if setup.entities is None or of_gold is None:
        return None
    moved = {name: moves for name, moves in systems.items() if moves is not None}
    return Entities(map=show(setup.entities.form), gold=of_gold, systems=moved)


def _mentions(table: Table) -> int:
    return table.links["mention"].n_unique()


def _check_input(kind: str, table: Table, named: Mapping[str, str]) -> None:
    if kind in named and named[kind] != table.fingerprint:
        raise EvaluationError(
            f"the signature was made with another {kind}: {named[kind]}, not {table.fingerprint}",
            remedy=f"Take `{kind}=…` out of the signature to use it with other input.",
        )
