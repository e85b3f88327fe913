"""Groups of options that several commands have, each a dataclass."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elcurate.cli.common import From, Output

if TYPE_CHECKING:
    from elcurate.evaluation.sampling import Sampling, Significance
    from elcurate.evaluation.setup import Setup

FORMATS = ("text", "json", "tsv", "csv", "markdown", "latex")


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
            "--type-hierarchy", metavar="FILE", help="Credit for ancestors: JSON, type to children."
        ),
    ] = None
    type_decay: Annotated[
        float, typer.Option("--type-decay", metavar="D", help="Credit for the parent of a type.")
    ] = 0.5
    kb: Annotated[
        Path | None,
        typer.Option("--kb", metavar="FILE", help="A snapshot whose redirects are followed."),
    ] = None
    title_map: Annotated[
        Path | None,
        typer.Option(
            "--title-map", metavar="FILE", help="Lines of a page title and its redirects."
        ),
    ] = None
    linkable_by: Annotated[
        str | None,
        typer.Option(
            "--linkable-by", metavar="FILE", help="Count only what overlaps a link of this output."
        ),
    ] = None
    missing_as_nil: Annotated[
        bool, typer.Option("--missing-as-nil", help="Links to pages that don't exist are NIL.")
    ] = False
    sections_as_pages: Annotated[
        bool, typer.Option("--sections-as-pages", help="Redirects to sections lead to pages.")
    ] = False
    texts: Annotated[
        Path | None,
        typer.Option("--texts", metavar="FILE", help="The texts, where a format has none."),
    ] = None
    from_: From = None

    def setup(self, stack: ExitStack) -> Setup:
        """The setup that the options ask for.

        Args:
            stack: Keeps a snapshot open until it is left.

        Raises:
            SpecError: for all wrong options together.
        """
        from elcurate.cli.aids import entity_map, reference, type_weights
        from elcurate.cli.inputs import named_policies
        from elcurate.errors import SpecError
        from elcurate.evaluation.setup import attempt, make_setup

        problems: list[str] = []
        weights = attempt(
            problems,
            lambda: type_weights(self.type_weights, self.type_hierarchy, self.type_decay),
        )
        entities = attempt(
            problems,
            lambda: entity_map(
                self.kb, self.title_map, self.missing_as_nil, self.sections_as_pages, stack
            ),
        )
        linkable = attempt(problems, lambda: reference(self.linkable_by, self.from_, self.texts))
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
                entities=entities,
                linkable=linkable,
            ),
        )
        if problems or setup is None:
            raise SpecError("\n".join(problems))
        return setup


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
