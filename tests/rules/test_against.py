"""Rules that compare an output with its gold."""

from __future__ import annotations

import pytest
from rules.cases import corpus, document, mention
from shared_data import SHARED, needs_shared
from typer.testing import CliRunner

from elcurate.cli.main import app
from elcurate.errors import SpecError
from elcurate.formats.io import read
from elcurate.formats.outputs import write
from elcurate.model.corpus import Span
from elcurate.rules.all import RULES
from elcurate.rules.engine import validate
from elcurate.rules.select import Selection

CODES = tuple(rule.code for rule in RULES if rule.asks_gold)
ONLY = Selection(select=CODES)
SENTENCES = Span(begin=0, end=2), Span(begin=3, end=5)
GOLD = corpus(
    document("A. B.", mention(0, 1), id_="1", sentences=SENTENCES),
    document("Berlin", mention(0, 6), id_="2"),
)


def found(*documents):
    findings = validate(corpus(*documents), ONLY, gold=GOLD)
    return [(one.code, one.document, one.begin, one.found) for one in findings]


def test_the_gold_itself_passes():
    assert found(*GOLD.documents) == []
    assert validate(corpus(document("a", id_="9")), ONLY) == []


def test_each_fails():
    assert CODES == ("D102", "D103", "D104", "D105")
    one, two = GOLD.documents
    assert found(one) == [("D102", None, None, "2")]
    assert found(one, two, document("a", id_="3")) == [("D103", "3", None, "3")]
    cut = one.model_copy(update={"sentences": SENTENCES[:1]})
    assert found(cut, two) == [("D104", "1", 3, "")]
    assert found(one.model_copy(update={"sentences": ()}), two) == []
    assert found(one, two.model_copy(update={"text": "Berlxn"})) == [("D105", "2", 4, "2")]
    assert found(one, two.model_copy(update={"text": None})) == []


@needs_shared
@pytest.mark.parametrize("name", ["AIDA", "TAGME"])
def test_published_outputs(name):
    folder = SHARED / "finegrained"
    gold, system = (
        read(folder / "gold" / "VoxEL.ttl"),
        read(folder / "systems" / f"{name}_VoxEL.ttl"),
    )
    ids = {one.id for one in gold.documents}
    findings = validate(system, ONLY, gold=gold)
    unknown = [one.found for one in findings if one.code == "D103"]
    assert unknown == [one.id for one in system.documents if one.id not in ids]
    missing = [one.found for one in findings if one.code == "D102"]
    assert missing == [
        one for one in (d.id for d in gold.documents) if one not in {d.id for d in system.documents}
    ]


def test_command_line(tmp_path):
    write(GOLD, tmp_path / "gold.jsonl")
    write(corpus(GOLD.documents[0]), tmp_path / "system.jsonl")
    files = str(tmp_path / "system.jsonl"), "--gold", str(tmp_path / "gold.jsonl")
    result = CliRunner().invoke(app, ["validate", *files, "--select", "D10"])
    assert result.exit_code == 1
    assert "warning D102 missing-document" in result.stdout


def test_a_rule_chosen_without_gold(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("x", encoding="utf-8")
    with pytest.raises(SpecError, match="D103 unknown-document needs the gold"):
        CliRunner().invoke(app, ["validate", str(path), "--select", "D103"], catch_exceptions=False)
