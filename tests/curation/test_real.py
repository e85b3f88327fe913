"""Corrections of the published gold: what the linter fixes, as a patch without text."""

from __future__ import annotations

import pytest
from shared_data import SHARED, needs_shared
from typer.testing import CliRunner

import elcurate
from elcurate.cli.main import app
from elcurate.curation.cards import counted, differences, get_card
from elcurate.curation.patch import read_patch

GOLD = SHARED / "finegrained" / "gold"
pytestmark = needs_shared


def run(*arguments, code=0):
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output
    return result


def test_the_wrong_overlap_leaves_of_voxel(tmp_path):
    fixed, patch, out = (tmp_path / name for name in ("fixed.jsonl", "p.jsonl", "out.jsonl"))
    run("fix", GOLD / "VoxEL.ttl", "-o", fixed, "--select", "C201")
    run(
        "diff",
        GOLD / "VoxEL.ttl",
        fixed,
        "-o",
        patch,
        "--mask",
        "--author",
        "A",
        "--reason",
        "spans",
    )
    entries = read_patch(patch).entries
    assert [(entry.begin, entry.old, entry.new) for entry in entries] == [
        (672, "minimal", "none"),
        (675, "minimal", "none"),
        (675, "minimal", "none"),
        (684, "minimal", "none"),
        (698, "intermediate", "maximal"),
        (112, "minimal", "none"),
        (112, "minimal", "none"),
    ]
    assert {entry.field for entry in entries} == {"categories.overlap"}
    run("patch", "apply", GOLD / "VoxEL.ttl", patch, "-o", out)
    assert elcurate.read(out).documents == elcurate.read(fixed).documents
    assert "C201" not in run("validate", out, "--select", "C201", "-f", "json").stdout
    run("patch", "check", GOLD / "KORE50.ttl", patch, code=1)


@pytest.mark.parametrize("name", ["KORE50", "VoxEL"])
def test_copies_without_text(tmp_path, name):
    gold = elcurate.read(GOLD / f"{name}.ttl")
    every = [
        document.model_copy(update={"mentions": document.mentions[1:], "tokens": ()})
        for document in gold.documents
    ]
    patch = elcurate.diff(gold, gold.model_copy(update={"documents": tuple(every)}), mask=True)
    assert len(patch.entries) == len(gold.documents)
    for text in (None, "masked"):
        copies = tuple(
            document.model_copy(
                update={"text": text and "".join(_masked(char) for char in document.text)}
            )
            for document in gold.documents
        )
        copy = gold.model_copy(update={"documents": copies})
        found = elcurate.apply(copy, patch)
        for one, other in zip(found.documents, gold.documents, strict=True):
            assert one.mentions == other.mentions[1:]
            assert one.text != other.text


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("gerdaq-devel", "formats/gerdaq/gerdaq_devel.xml"),
        ("kore50", "elevant/benchmarks/kore50.benchmark.jsonl"),
        ("oke-2015-eval", "elevant/benchmarks/oke-2015-eval.benchmark.jsonl"),
        ("kore50-categorized", "finegrained/gold/KORE50.ttl"),
        ("voxel-categorized", "finegrained/gold/VoxEL.ttl"),
    ],
)
def test_cards_state_what_other_copies_hold(name, path):
    assert differences(get_card(name).counts, counted(elcurate.read(SHARED / path))) == []


def _masked(char):
    return char if char.isspace() else "X" if char.isupper() else "x"
