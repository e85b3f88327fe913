"""Every example of the README runs, and prints what the README shows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from shown_examples import BLOCK, examples, matches
from typer.testing import CliRunner

from elcurate.cli.main import app

ROOT = Path(__file__).resolve().parents[1]
BLOCKS = BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    (tmp_path / "datasets").symlink_to(ROOT / "datasets")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_console_examples(checkout):
    shown_runs = [run for kind, text in BLOCKS if kind == "console" for run in examples(text)]
    assert len(shown_runs) >= 8
    for command, shown in shown_runs:
        result = CliRunner().invoke(app, shlex.split(command)[1:])
        assert result.exception is None, (command, result.output)
        assert matches(shown, result.output), (command, result.output)


def test_python_examples(checkout, capsys):
    examples = [text for kind, text in BLOCKS if kind == "python"]
    assert examples
    for text in examples:
        exec(compile(text, "README.md", "exec"), {})
    assert "base_form" in capsys.readouterr().out


def test_the_two_commands_are_targets_of_the_makefile():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    commands = next(text for kind, text in BLOCKS if kind == "sh")
    for target in re.findall(r"^make (\w+)", commands, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_links_lead_to_files():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert (ROOT / target).exists(), target
