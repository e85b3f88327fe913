"""``elcurate diff`` and ``elcurate patch``."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

import elcurate
from elcurate import Corpus, Document, Link, Mention
from elcurate.cli.main import app
from elcurate.curation.patch import PatchError

SCHEMAS = Path(__file__).parents[2] / "schemas"


def corpus(*entities):
    mentions = tuple(
        Mention(begin=3 * n, end=3 * n + 2, links=(Link(entity=e),)) for n, e in enumerate(entities)
    )
    return Corpus(name="c", documents=(Document(id="d_1", text="ab cd ef", mentions=mentions),))


@pytest.fixture
def versions(tmp_path):
    paths = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    for path, one in zip(paths, (corpus("Q1", "Q2"), corpus("Q1", "Q9", None)), strict=True):
        elcurate.write(one, path)
    return paths


def conforms(text, name):
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))
    found = json.loads(text)
    jsonschema.validate(found, schema)
    return found


def run(*arguments, code=0):
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output
    return result


def test_the_way_of_a_correction(versions, tmp_path):
    old, new = versions
    patch, log, out = tmp_path / "p.jsonl", tmp_path / "log.md", tmp_path / "out.jsonl"
    said = run(
        "diff", old, new, "-o", patch, "--author", "A", "--reason", "dead", "--date", "2026-01-02"
    )
    assert said.stderr == "2 changes in 1 document\n"
    header, *entries = patch.read_text(encoding="utf-8").splitlines()
    conforms(header, "patch-header")
    assert [conforms(entry, "patch-entry")["author"] for entry in entries] == ["A", "A"]
    assert run("patch", "check", old, patch).stdout == "every patch applies\n"
    run("patch", "apply", old, patch, "-o", out, "--changelog", log)
    assert elcurate.read(out).documents == elcurate.read(new).documents
    assert log.read_text(encoding="utf-8").splitlines()[6:] == [
        "### d\\_1",
        "",
        '* 3-5 ‘cd’: link 1 entity "Q2" → "Q9" (A, 2026-01-02: dead)',
        "* 6-8 ‘ef’: mention added NIL (A, 2026-01-02: dead)",
    ]
    run("patch", "revert", out, patch, "-o", tmp_path / "back.jsonl")
    assert elcurate.read(tmp_path / "back.jsonl") == elcurate.read(old)


def test_showing(versions, tmp_path):
    old, new = versions
    lines = 'd_1 3-5 ‘cd’: link 1 entity "Q2" → "Q9"\nd_1 6-8 ‘ef’: mention added NIL\n'
    assert run("diff", old, new, "-f", "text").stdout == lines
    assert len(conforms(run("diff", old, new, "-f", "json").stdout, "patch")["entries"]) == 2
    run("diff", old, new, "-o", tmp_path / "p.jsonl")
    assert run("patch", "show", tmp_path / "p.jsonl").stdout == lines
    conforms(run("patch", "show", tmp_path / "p.jsonl", "-f", "json").stdout, "patches")
    assert run("diff", old, new, "-f", "markdown").stdout.startswith("# Changes of c\n")
    masked = run("diff", old, new, "--mask", "-f", "text").stdout
    assert "‘" not in masked


def test_conflicts_exit_with_1_or_2_and_write_nothing(versions, tmp_path):
    old, new = versions
    patch, out = tmp_path / "p.jsonl", tmp_path / "out.jsonl"
    run("diff", old, new, "-o", patch)
    checked = run("patch", "check", new, patch, "-f", "json", code=1)
    (found,) = conforms(checked.stdout, "patch-check")["patches"]
    assert [one["line"] for one in found["conflicts"]] == [2, 3]
    said = run("patch", "check", new, patch, code=1).stdout.splitlines()
    assert said[0].endswith('line 2: d_1 3-5: entity: expected "Q2", found "Q9" already')
    out.write_text("before", encoding="utf-8")
    failed = run("patch", "apply", new, patch, "-o", out, code=1).exception
    assert isinstance(failed, PatchError)
    assert failed.exit_code == 2
    assert out.read_text(encoding="utf-8") == "before"


def test_merging_two_annotators(versions, tmp_path):
    old, new = versions
    other = tmp_path / "other.jsonl"
    elcurate.write(corpus("Q5", "Q2"), other)
    one, two, both = (tmp_path / f"{name}.jsonl" for name in ("1", "2", "12"))
    run("diff", old, new, "-o", one)
    run("diff", old, other, "-o", two)
    run("patch", "merge", one, two, "-o", both)
    run("patch", "apply", old, both, "-o", tmp_path / "out.jsonl")
    assert elcurate.read(tmp_path / "out.jsonl") == corpus("Q5", "Q9", None)
    run("patch", "apply", old, two, one, "-o", tmp_path / "again.jsonl")
    assert elcurate.read(tmp_path / "again.jsonl") == corpus("Q5", "Q9", None)


def test_wrong_arguments_are_reported_together():
    error = run("diff", "none.x", "neither.x", "-f", "yaml", "--date", "May", code=1).exception
    for part in ("none.x", "neither.x", "yaml", "'May'"):
        assert part in str(error)


@pytest.mark.parametrize("command", ["apply", "check", "revert", "merge", "show"])
def test_help_has_examples(command):
    shown = run("patch", command, "--help").stdout
    assert f"elcurate patch {command}" in shown
    assert "Examples" in shown
