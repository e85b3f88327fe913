"""Every example of the page on comparing systems runs, and prints what the page shows."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from shown_examples import BLOCK, examples, matches
from typer.testing import CliRunner

from elcurate.cli.main import app

ROOT = Path(__file__).resolve().parents[1]
BLOCKS = BLOCK.findall((ROOT / "docs" / "comparing.md").read_text(encoding="utf-8"))


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    (tmp_path / "datasets").symlink_to(ROOT / "datasets")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_console_examples(checkout):
    shown_runs = [run for kind, text in BLOCKS if kind == "console" for run in examples(text)]
    assert len(shown_runs) >= 10
    for command, shown in shown_runs:
        result = CliRunner().invoke(app, shlex.split(command)[1:])
        assert result.exception is None, (command, result.output)
        assert matches(shown, result.output), (command, result.output)


def test_python_examples(checkout, capsys):
    (text,) = (text for kind, text in BLOCKS if kind == "python")
    exec(compile(text, "comparing.md", "exec"), {})
    assert "everything 0.72" in capsys.readouterr().out
