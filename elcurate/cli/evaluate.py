"""``elcurate evaluate``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from elcurate.cli.common import From, Output

FORMATS = ("text", "json", "tsv", "csv", "markdown", "latex", "html")


def evaluate(
    systems: Annotated[
        list[str],
        typer.Argument(metavar="SYSTEM...", help="PATH or NAME=PATH; one name twice is pooled."),
    ],
    gold: Annotated[
        list[str], typer.Option("--gold", "-g", metavar="FILE", help="Gold; several are pooled.")
    ],
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure", "-m", metavar="MEASURE", help="See `elcurate list measures`; repeatable."
        ),
    ] = None,
    profile: Annotated[
        str, typer.Option("--profile", "-p", help="A bundle of policies: `elcurate list profiles`.")
    ] = "default",
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by",
            metavar="FIELD",
            help="document, type, entity, nil, categories, combination or a dimension.",
        ),
    ] = None,
    averages_only: Annotated[
        bool, typer.Option("--averages-only", help="Of groups, show the averages only.")
    ] = False,
    where: Annotated[
        str | None, typer.Option("--where", metavar="EXPR", help="Score this part of the gold.")
    ] = None,
    membership: Annotated[
        str | None,
        typer.Option(
            "--membership", metavar="SPEC", help="Fuzzy recall; see `elcurate list memberships`."
        ),
    ] = None,
    alphas: Annotated[
        str | None,
        typer.Option("--alphas", metavar="LIST", help="Curve over α, such as 0,0.5,1 or 0:1:0.1."),
    ] = None,
    cumulative: Annotated[
        bool, typer.Option("--cumulative", help="Curves over ranked combinations.")
    ] = False,
    links: Annotated[
        str | None, typer.Option(help="canonical, raw, last-segment or title.")
    ] = None,
    nil: Annotated[str | None, typer.Option(help="one-class, separate or exclude.")] = None,
    alternatives: Annotated[str | None, typer.Option(help="any or first.")] = None,
    missing: Annotated[str | None, typer.Option(help="fn or skip.")] = None,
    restrict: Annotated[str | None, typer.Option(help="none, slices or gold.")] = None,
    zero: Annotated[
        str | None,
        typer.Option("--zero-division", help="undefined, zero, one, emnlp2019, gerbil or bat."),
    ] = None,
    ignore_unknown: Annotated[
        bool,
        typer.Option("--ignore-unknown-documents", help="Leave out documents the gold lacks."),
    ] = False,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy", metavar="NAME=VALUE", help="Any policy; see `elcurate list policies`."
        ),
    ] = None,
    type_weights: Annotated[
        Path | None,
        typer.Option("--type-weights", metavar="FILE", help="Lines of gold type, type, weight."),
    ] = None,
    type_hierarchy: Annotated[
        Path | None,
        typer.Option(
            "--type-hierarchy", metavar="FILE", help="Credit for ancestors: JSON, type: [children]."
        ),
    ] = None,
    type_decay: Annotated[
        float, typer.Option("--type-decay", metavar="D", help="Credit for the parent of a type.")
    ] = 0.5,
    kb: Annotated[
        Path | None,
        typer.Option("--kb", metavar="FILE", help="A snapshot whose redirects are followed."),
    ] = None,
    title_map: Annotated[
        Path | None,
        typer.Option(
            "--title-map", metavar="FILE", help="Lines of a page title and its redirects."
        ),
    ] = None,
    linkable_by: Annotated[
        str | None,
        typer.Option(
            "--linkable-by", metavar="FILE", help="Count only what overlaps a link of this output."
        ),
    ] = None,
    missing_as_nil: Annotated[
        bool, typer.Option("--missing-as-nil", help="Links to pages that don't exist are NIL.")
    ] = False,
    sections_as_pages: Annotated[
        bool, typer.Option("--sections-as-pages", help="Redirects to sections lead to pages.")
    ] = False,
    signature: Annotated[
        str | None, typer.Option("--signature", metavar="TEXT", help="Compute this one score.")
    ] = None,
    format_: Annotated[
        str, typer.Option("--format", "-f", metavar="|".join(FORMATS), help="The output.")
    ] = "text",
    output: Output = None,
    from_: From = None,
    texts: Annotated[
        Path | None,
        typer.Option("--texts", metavar="FILE", help="The texts, where a format has none."),
    ] = None,
    fail_under: Annotated[
        float | None,
        typer.Option(
            "--fail-under", metavar="F1", help="Exit with 1 if the first overall F1 is lower."
        ),
    ] = None,
) -> None:
    """Score systems against a gold corpus, also by category, document or type.

    Examples:

      elcurate evaluate -g gold.ttl tagme=tagme.ttl aida=aida.ttl --by categories

      elcurate evaluate -g gold.ttl tagme.ttl -p emnlp2019 --membership 'strict-relaxed(0.25)'

      elcurate evaluate -g gold.jsonl system.tsv --where 'base_form=proper_form & nil=false'

      elcurate evaluate -g gold.ttl tagme.ttl --kb enwiki.sqlite --missing-as-nil

      elcurate evaluate -g gold.ttl tagme.ttl --by categories --alphas 0:1:0.1 -f html -o r.html

      elcurate evaluate -g gold.aida.tsv tagme.nel.tsv -p cne2014 --title-map redirects.tsv

      elcurate evaluate -g gold.tsv system.tsv -p neleval --by document --averages-only -f tsv
    """
    from elcurate.cli.scoring import Request, run

    policies = {
        "links": links,
        "nil": nil,
        "alternatives": alternatives,
        "missing": missing,
        "unknown": "ignore" if ignore_unknown else None,
        "restrict": restrict,
        "zero": zero,
    }
    passed = run(
        Request(
            gold=gold,
            systems=systems,
            from_=from_,
            measures=measure,
            profile=profile,
            by=by or [],
            where=where,
            membership=membership,
            alphas=alphas,
            cumulative=cumulative,
            policies={name: value for name, value in policies.items() if value is not None},
            policy=policy or [],
            type_weights=type_weights,
            type_hierarchy=type_hierarchy,
            type_decay=type_decay,
            signature=signature,
            format=format_,
            output=output,
            fail_under=fail_under,
            kb=kb,
            missing_as_nil=missing_as_nil,
            sections_as_pages=sections_as_pages,
            averages_only=averages_only,
            title_map=title_map,
            linkable_by=linkable_by,
            texts=texts,
        )
    )
    if not passed:
        raise typer.Exit(1)
