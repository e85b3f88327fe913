"""What the scoring tests share: the command line in-process, and small corpora by hand."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from elcurate.cli import main
from elcurate.evaluation.evaluate import evaluate
from elcurate.evaluation.records import Score
from elcurate.model.categories import Categories
from elcurate.model.corpus import Corpus, Document, Link, Mention, in_order


def evaluate_json(*arguments: str | Path) -> dict[str, Any]:
    """What ``elcurate evaluate … --format json`` prints."""
    return cli_json("evaluate", *arguments)


def cli_json(*arguments: str | Path) -> dict[str, Any]:
    """The JSON that a command prints."""
    return json.loads(cli_text(*arguments, "--format", "json"))


def cli_text(*arguments: str | Path) -> str:
    """The standard output of a command that succeeds."""
    result = CliRunner().invoke(main.app, [str(one) for one in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def run_cli(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str | Path
) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of the program as a whole."""
    monkeypatch.setattr(sys, "argv", ["elcurate", *(str(one) for one in arguments)])
    code = 0
    try:
        main.run()
    except SystemExit as end:
        code = int(end.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


def mention(begin: int, *links: Link | str | None, end: int | None = None) -> Mention:
    """A mention of three characters; links may be given by their entities."""
    made = (one if isinstance(one, Link) else Link(entity=one) for one in links)
    return Mention(begin=begin, end=begin + 3 if end is None else end, links=tuple(made))


def link(entity: str | None, *leaves: str, **fields: Any) -> Link:
    """A link with leaves written ``base_form=alias``."""
    pairs = [tuple(leaf.split("=")) for leaf in leaves]
    return Link(entity=entity, categories=Categories.of(pairs), **fields)


def corpus(*documents: list[Mention], **named: list[Mention]) -> Corpus:
    """A corpus of documents ``d0``, ``d1`` … and of named ones."""
    parts = {f"d{place}": found for place, found in enumerate(documents)} | named
    return Corpus(
        name="made",
        documents=tuple(Document(id=name, mentions=in_order(m)) for name, m in parts.items()),
    )


def first_score(gold: Corpus, system: Corpus, measure: str, **options: Any) -> Score:
    """The first score of one measure."""
    return evaluate(gold, {"s": system}, measures=[measure], **options).systems[0].scores[0]


def counts(score: Score) -> tuple[float, float, float]:
    """(tp, fp, fn)."""
    return score.tp, score.fp, score.fn
