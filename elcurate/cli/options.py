"""Groups of options that several commands have, each a dataclass."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from elcurate.cli.common import From, Output

if TYPE_CHECKING:
    from elcurate.evaluation.sampling import Sampling, Significance
    from elcurate.evaluation.setup import Setup
    from elcurate.measures.weights import TypeWeights

FORMATS = ("text", "json", "tsv", "csv", "markdown", "latex")


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose parameters may be dataclasses: their fields become its options."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}
    parameters = []
    for parameter in inspect.signature(command).parameters.values():
        if parameter.name not in groups:
            parameters.append(parameter.replace(annotation=hints[parameter.name]))
            continue
        kind = groups[parameter.name]
        named = get_type_hints(kind, include_extras=True)
        for one in fields(kind):
            default = inspect.Parameter.empty if one.default is MISSING else one.default
            parameters.append(
                inspect.Parameter(
                    one.name,
                    inspect.Parameter.KEYWORD_ONLY,
                    default=default,
                    annotation=named[one.name],
                )
            )

    def flat(**values: Any) -> None:
        for name, kind in groups.items():
            values[name] = kind(**{one.name: values.pop(one.name) for one in fields(kind)})
        command(**values)

    parameters = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in parameters]
    flat.__doc__ = command.__doc__
    flat.__annotations__ = {one.name: one.annotation for one in parameters}
    flat.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return flat


@dataclass(frozen=True)
class Scope:
    """What is scored, and how."""

    systems: Annotated[
        list[str],
        typer.Argument(metavar="SYSTEM...", help="PATH or NAME=PATH; one NAME twice is pooled."),
    ]
    gold: Annotated[
        list[str], typer.Option("--gold", "-g", metavar="FILE", help="Gold; several are pooled.")
    ]
    measures: Annotated[
        list[str] | None,
        typer.Option(
            "--measure", "-m", metavar="MEASURE", help="See `elcurate list measures`; repeatable."
        ),
    ] = None
    profile: Annotated[
        str, typer.Option("--profile", "-p", help="A bundle of policies: `elcurate list profiles`.")
    ] = "default"
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by", metavar="FIELD", help="categories, combination or a dimension; repeatable."
        ),
    ] = None
    where: Annotated[
        str | None, typer.Option("--where", metavar="EXPR", help="Score this part of the gold.")
    ] = None
    membership: Annotated[
        str | None,
        typer.Option(
            "--membership", metavar="SPEC", help="Fuzzy recall; see `elcurate list memberships`."
        ),
    ] = None
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy", metavar="NAME=VALUE", help="Any policy; see `elcurate list policies`."
        ),
    ] = None
    ignore_unknown: Annotated[
        bool,
        typer.Option("--ignore-unknown-documents", help="Leave out documents the gold lacks."),
    ] = False
    type_weights: Annotated[
        Path | None,
        typer.Option("--type-weights", metavar="FILE", help="Lines of gold type, type, weight."),
    ] = None
    type_hierarchy: Annotated[
        Path | None,
        typer.Option(
            "--type-hierarchy", metavar="FILE", help="Credit for ancestors: JSON, type: [children]."
        ),
    ] = None
    type_decay: Annotated[
        float, typer.Option("--type-decay", metavar="D", help="Credit for the parent of a type.")
    ] = 0.5
    from_: From = None

    def setup(self) -> Setup:
        """The setup that the options ask for.

        Raises:
            SpecError: for all wrong options together.
        """
        from elcurate.cli.inputs import named_policies
        from elcurate.errors import SpecError
        from elcurate.evaluation.setup import attempt, make_setup

        problems: list[str] = []
        weights = attempt(problems, self._weights)
        ignored = ["unknown=ignore"] if self.ignore_unknown else []
        policies = attempt(problems, lambda: named_policies([*(self.policy or ()), *ignored]))
        setup = attempt(
            problems,
            lambda: make_setup(
                measures=self.measures,
                profile=self.profile,
                by=self.by or (),
                where=self.where,
                membership=self.membership,
                policies=policies,
                weights=weights,
            ),
        )
        if problems or setup is None:
            raise SpecError("\n".join(problems))
        return setup

    def _weights(self) -> TypeWeights | None:
        return type_weights(self.type_weights, self.type_hierarchy, self.type_decay)


def type_weights(table: Path | None, hierarchy: Path | None, decay: float) -> TypeWeights | None:
    """Credit for types that are not equal, from one of two files.

    Raises:
        SpecError: when both are given, or one is not what it should be.
    """
    from elcurate.errors import SpecError
    from elcurate.measures.weights import TypeWeights

    if table is not None and hierarchy is not None:
        raise SpecError("--type-weights and --type-hierarchy exclude each other")
    if hierarchy is not None:
        return TypeWeights.of_hierarchy(hierarchy, decay)
    return None if table is None else TypeWeights.read(table)


@dataclass(frozen=True)
class Drawing:
    """How resamples are drawn."""

    trials: Annotated[int, typer.Option("--trials", metavar="N", help="How many resamples.")] = (
        10_000
    )
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", help="From 0 up; the same seed, the same numbers.")
    ] = 0
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", metavar="N", help="Threads; one per core by default."),
    ] = None
    min_gold: Annotated[
        int, typer.Option("--min-gold", metavar="N", help="Mark parts with fewer gold units.")
    ] = 30

    def sampling(self) -> Sampling:
        """The options for the evaluation.

        Raises:
            SpecError: for numbers that make no sense.
        """
        from elcurate.evaluation.sampling import Sampling

        jobs = (os.cpu_count() or 1) if self.jobs is None else self.jobs
        return Sampling(self.trials, self.seed, jobs, self.min_gold)


@dataclass(frozen=True)
class Tested:
    """How systems are tested against each other."""

    test: Annotated[
        str, typer.Option("--test", metavar="TEST", help="randomisation or bootstrap.")
    ] = "randomisation"
    tail: Annotated[str, typer.Option("--tail", help="two-sided or one-sided.")] = "two-sided"

    def significance(self, alpha: float = 0.05) -> Significance:
        """The options for the evaluation.

        Raises:
            SpecError: for names that don't exist, and for no level of significance.
        """
        from elcurate.evaluation.sampling import Significance

        return Significance(self.test, self.tail, alpha)


@dataclass(frozen=True)
class Rendering:
    """What is printed, and where to."""

    format_: Annotated[
        str, typer.Option("--format", "-f", metavar="|".join(FORMATS), help="The output.")
    ] = "text"
    output: Output = None


Alpha = Annotated[
    float, typer.Option("--alpha", metavar="P", help="The largest p-value that is significant.")
]
