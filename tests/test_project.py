"""The project itself: layers, schemas, examples of the help, no output below the command line."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

import elcurate
from elcurate.cli.main import app
from elcurate.report.schemas import schema_files

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "datasets" / "sample"
COMMANDS = ["demo", "convert", "stats", "validate", "fix", "evaluate", "list", "explain"]
COMMANDS += ["analyze", "check-spans", "select-alternatives", "to-weak", "diff"]
COMMANDS += ["confidence", "significance", "compare", "rank", "correlate", "plot"]


def test_layers():
    found = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout + found.stderr


def test_schemas_are_current():
    for name, content in schema_files().items():
        written = (ROOT / "schemas" / name).read_text(encoding="utf-8")
        assert written == content, f"{name} is old: run `make schemas`"


def schema(name):
    return json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))


def printed(*arguments):
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exception is None, result.output
    return json.loads(result.stdout)


def test_json_output_matches_the_schemas(tmp_path):
    gold, system = SAMPLE / "gold.jsonl", SAMPLE / "systems" / "names.jsonl"
    scores = printed(
        *("evaluate", "-g", gold, system, "-f", "json", "--by", "categories", "--by", "document"),
        *("--membership", "strict-relaxed(0.5)", "--alphas", "0,1", "--cumulative"),
    )
    jsonschema.validate(scores, schema("evaluation"))
    jsonschema.validate(printed("stats", gold, "-f", "json"), schema("stats"))
    findings = printed("validate", gold, "-f", "json", "--select", "ALL", "--fail-on", "error")
    assert findings["findings"]
    jsonschema.validate(findings, schema("findings"))
    jsonschema.validate(printed("fix", gold, "--diff", "-f", "json"), schema("fix"))
    converted = printed("convert", gold, "-o", tmp_path / "gold.tsv", "-f", "json")
    jsonschema.validate(converted, schema("conversion"))
    errors = printed("analyze", "-g", gold, system, "--by", "categories", "-f", "json")
    jsonschema.validate(errors, schema("analysis"))
    jsonschema.validate(printed("check-spans", gold, "-f", "json"), schema("spans"))
    chosen = printed("select-alternatives", gold, system, "-o", tmp_path / "s.jsonl", "-f", "json")
    jsonschema.validate(chosen, schema("selection"))
    weak = printed("to-weak", gold, "-o", tmp_path / "weak.tsv", "-f", "json")
    jsonschema.validate(weak, schema("conversion"))
    jsonschema.validate(printed("list", "formats", "-f", "json"), schema("listing"))
    header, *documents = gold.read_text(encoding="utf-8").splitlines()
    jsonschema.validate(json.loads(header), schema("header"))
    validator = jsonschema.Draft202012Validator(schema("document"))
    for line in documents:
        validator.validate(json.loads(line))


def test_vocabulary_is_sound():
    import rdflib

    graph = rdflib.Graph().parse(ROOT / "schemas" / "categories.ttl")
    broader = rdflib.namespace.SKOS.broader
    tops = {s for s, _, _ in graph.triples((None, rdflib.namespace.SKOS.topConceptOf, None))}
    leaves = [s for s, _, _ in graph.triples((None, rdflib.namespace.SKOS.notation, None))]
    assert len(tops) == 4
    assert len(leaves) == 22
    assert all(set(graph.transitive_objects(leaf, broader)) & tops for leaf in leaves)
    undefined = rdflib.URIRef("http://w3id.org/vcb/fel#NounPhrase")
    assert (None, None, undefined) not in graph


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples(command):
    result = CliRunner().invoke(app, [command, "--help"])
    assert result.exit_code == 0
    assert f"elcurate {command}" in result.output
    assert "Examples" in result.output


def test_nothing_below_the_command_line_prints_or_exits():
    for file in (ROOT / "elcurate").rglob("*.py"):
        if file.parent.name == "cli":
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("print", "exit"), file


def test_public_names_have_docstrings():
    for name in elcurate.__all__:
        if name != "__version__":
            assert getattr(elcurate, name).__doc__, name


def test_import_loads_nothing_heavy():
    code = "import elcurate, sys; print([m for m in ('polars','pydantic') if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_errors_are_one_line_without_traceback(tmp_path):
    command = [sys.executable, "-m", "elcurate.cli.main", "stats", str(tmp_path / "none.ttl")]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 2
    assert found.stderr.startswith("elcurate: ")
    assert "Traceback" not in found.stderr
