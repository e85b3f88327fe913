"""Rules that ask a snapshot."""

from __future__ import annotations

import json

import pytest
from kb.dump_files import small_wiki, write_dumps
from rules.cases import WIKI, link, mention, one
from typer.testing import CliRunner

from elcurate.cli.main import app
from elcurate.errors import SpecError
from elcurate.formats.io import read
from elcurate.formats.outputs import write
from elcurate.kb.dumps import build_snapshot, find_dumps
from elcurate.kb.snapshot import Snapshot
from elcurate.rules.all import RULES
from elcurate.rules.engine import validate
from elcurate.rules.fixer import fix
from elcurate.rules.select import Selection

CASES = [
    ("Big_Apple", "K201", "New_York_City"),
    ("http://dbpedia.org/resource/NYC", "K201", "http://dbpedia.org/resource/New_York_City"),
    ("Harlem_(section)", "K202", None),
    ("The_Big_Apple", "K203", "New_York_City"),
    ("Sections_twice", "K203", None),
    ("Loop_A", "K204", None),
    ("Paris_FR", "K204", None),
    ("Mercury", "K205", None),
    ("Mercurius", "K205", None),
    ("Broken", "K206", None),
    ("Nothing_here", "K206", None),
    ("Manual", "K207", None),
]
FINE = ["New_York_City", "Zürich_(city)", "Category:Cities", "!http://example.org/x", "!E0123456"]
KB = Selection(select=("kb",))


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kb")
    build_snapshot(find_dumps(write_dumps(folder / "dumps", small_wiki())), folder / "kb.sqlite")
    return folder / "kb.sqlite"


@pytest.fixture
def kb(file):
    with Snapshot(file) as opened:
        yield opened


def linked(*entities):
    text = "x " * len(entities)
    places = enumerate(entities)
    return one(text, *(mention(2 * n, 2 * n + 1, link(entity, "")) for n, entity in places))


def test_every_rule_that_asks_is_tried():
    tried = {code for _, code, _ in CASES} | {"K301", "K302"}
    assert tried == {rule.code for rule in RULES if rule.asks_kb}


@pytest.mark.parametrize("entity", FINE)
def test_pass(kb, entity):
    assert validate(linked(entity), KB, kb=kb) == []


@pytest.mark.parametrize(("entity", "code", "target"), CASES)
def test_fail_and_fix(kb, entity, code, target):
    bad = linked(entity)
    assert [found.code for found in validate(bad, KB, kb=kb)] == [code]
    assert validate(bad, KB) == []
    fixed = fix(bad, KB, kb=kb)
    wanted = target and (target if "//" in target else WIKI + target)
    old = bad.documents[0].mentions[0].links[0].entity
    assert fixed.corpus.documents[0].mentions[0].links[0].entity == (wanted or old)
    assert [found.code for found in validate(fixed.corpus, KB, kb=kb)] == ([] if target else [code])
    assert fix(fixed.corpus, KB, kb=kb).changes == ()


def test_nil_that_exists(kb):
    text = "Big Apple, Nobody, big apple, Mercury"
    spans = (0, 9), (11, 17), (19, 28), (30, 37)
    nils = one(text, *(mention(*span, link(None, "")) for span in spans))
    found = validate(nils, KB, kb=kb)
    assert [(item.code, item.surface) for item in found] == [("K301", "Big Apple")]
    pronoun = link(None, "pro_form singular_noun none anaphoric")
    assert validate(one("Stale", mention(0, 5, pronoun)), KB, kb=kb) == []


def test_one_entity_in_two_knowledge_bases(kb):
    both = linked("New_York_City", "New_York_City", "http://www.wikidata.org/entity/Q60")
    found = validate(both, KB, kb=kb)
    assert [(item.code, item.begin) for item in found] == [("K302", 4)]


def test_command_line(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(linked("Big_Apple"), "in.jsonl")
    run = CliRunner().invoke
    result = run(app, ["validate", "in.jsonl", "--kb", str(file), "-f", "json"])
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert report["summary"]["rules"] == {"K201": 1}
    with Snapshot(file) as kb:
        assert report["summary"]["snapshot"] == kb.info.id
    assert run(app, ["fix", "in.jsonl", "-o", "out.jsonl", "--kb", str(file)]).exit_code == 0
    (fixed,) = read("out.jsonl").documents
    assert fixed.mentions[0].links[0].entity == f"{WIKI}New_York_City"
    with pytest.raises(SpecError, match="K201 redirect needs a snapshot"):
        run(app, ["validate", "in.jsonl", "--select", "redirect"], catch_exceptions=False)
