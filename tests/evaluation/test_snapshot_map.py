"""Scores with a snapshot: both sides are dereferenced, and signatures and reports say so."""

from __future__ import annotations

import json

import pytest
from kb.dump_files import small_wiki, write_dumps
from measures.tools import corpus, mention
from typer.testing import CliRunner

from elcurate.cli.main import app
from elcurate.errors import SnapshotError, SpecError
from elcurate.evaluation.evaluate import evaluate, evaluate_signature
from elcurate.formats.outputs import write
from elcurate.kb.canonicalise import Moves, SnapshotMap
from elcurate.kb.dumps import build_snapshot, find_dumps
from elcurate.kb.snapshot import Snapshot
from elcurate.report.delimited import render_delimited
from elcurate.report.text import render_text
from elcurate.spec import parse_form, show

WIKI = "https://en.wikipedia.org/wiki/"
PAIRS = [
    (f"{WIKI}NYC", f"{WIKI}Big_Apple"),
    (f"{WIKI}New_York_City", "http://dbpedia.org/resource/The_Big_Apple"),
    (f"{WIKI}Zürich_(city)", "http://www.wikidata.org/entity/Q72"),
    (f"{WIKI}Harlem_(section)", f"{WIKI}New_York_City"),
    (f"{WIKI}Gone", f"{WIKI}Gone"),
    (f"{WIKI}Gone", "NIL"),
    (f"{WIKI}Stale", f"{WIKI}Mercury"),
]
MEASURES = ["strong_link_match", "strong_all_match"]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kb")
    build_snapshot(find_dumps(write_dumps(folder / "dumps", small_wiki())), folder / "kb.sqlite")
    return folder / "kb.sqlite"


@pytest.fixture
def snapshot(file):
    with Snapshot(file) as opened:
        yield opened


def sides():
    return tuple(
        corpus([mention(9 * place, pair[side]) for place, pair in enumerate(PAIRS)])
        for side in (0, 1)
    )


def right(entities, measure="strong_all_match"):
    gold, system = sides()
    found = evaluate(gold, {"s": system}, measures=[measure], entities=entities)
    score = found.systems[0].scores[0]
    return score.tp, score.gold


@pytest.mark.parametrize(
    ("options", "all_", "links"),
    [
        (None, (1, 7), (1, 7)),
        ({}, (4, 7), (4, 7)),
        ({"sections": True}, (5, 7), (5, 7)),
        ({"missing_is_nil": True}, (5, 7), (3, 5)),
    ],
)
def test_counts_by_hand(snapshot, options, all_, links):
    entities = None if options is None else SnapshotMap(snapshot, **options)
    assert right(entities) == all_
    assert right(entities, "strong_link_match") == links


def test_what_the_report_says(snapshot):
    gold, system = sides()
    found = evaluate(gold, {"s": system}, entities=SnapshotMap(snapshot))
    name = f"Snapshot({snapshot.info.id}, missing=kept, sections=apart)"
    assert found.entities.map == found.settings["entities"] == name
    assert found.entities.gold == Moves(links=7, redirected=2, missing=2)
    assert found.entities.systems["s"] == Moves(links=6, redirected=2, mapped=2, missing=1)
    text = " ".join(render_text(found).split())
    assert "note the gold: of 7 links, 2 followed redirects, 0 came from other" in text
    assert "note s: of 6 links, 2 followed redirects, 2 came from other" in text
    assert name in render_delimited(found, "\t")
    assert evaluate(gold, {"s": system}).entities is None


def test_links_of_other_wikis_are_told(snapshot):
    mixed = corpus([mention(0, "http://de.wikipedia.org/wiki/Paris"), mention(9, f"{WIKI}NYC")])
    found = evaluate(mixed, {"s": mixed}, entities=SnapshotMap(snapshot))
    text = " ".join(render_text(found).split())
    assert text.count("0 name missing pages, 1 are of other wikis") == 2


def test_inputs_keep_their_fingerprints(snapshot):
    gold, system = sides()
    plain = evaluate(gold, {"s": system})
    mapped = evaluate(gold, {"s": system}, entities=SnapshotMap(snapshot))
    assert mapped.gold == plain.gold
    assert mapped.systems[0].fingerprint == plain.systems[0].fingerprint


def test_a_signature_gives_its_score_back_with_that_snapshot_only(snapshot):
    gold, system = sides()
    maps = [SnapshotMap(snapshot, s, m) for s in (False, True) for m in (False, True)]
    scores = [
        evaluate(gold, {"s": system}, measures=MEASURES, entities=one).systems[0].scores
        for one in maps
    ]
    signatures = {score.signature for found in scores for score in found}
    assert len(signatures) == len(maps) * len(MEASURES)
    for one, found in zip(maps, scores, strict=True):
        assert parse_form(show(one.form)) == one.form
        for score in found:
            again = evaluate_signature(gold, {"s": system}, score.signature, entities=one)
            assert again.systems[0].scores == (score,)
            assert again.entities is not None
    for other in (None, maps[1]):
        with pytest.raises(SpecError, match=r"was made with Snapshot.*--kb"):
            evaluate_signature(gold, {"s": system}, scores[0][0].signature, entities=other)


def test_a_snapshot_of_another_wiki(snapshot):
    foreign = corpus([mention(0, "http://de.wikipedia.org/wiki/Paris"), mention(9, "NIL")])
    with pytest.raises(SnapshotError, match=r"all links of made are of other wikis.*enwiki"):
        evaluate(foreign, {"s": foreign}, entities=SnapshotMap(snapshot))


@pytest.fixture
def files(tmp_path):
    paths = tmp_path / "gold.jsonl", tmp_path / "s.jsonl"
    for side, path in zip(sides(), paths, strict=True):
        write(side, path)
    return paths


def run(files, *options):
    arguments = ["evaluate", "-g", files[0], files[1], "-m", "strong_all_match", *options]
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_command_line(files, file):
    for options, tp in (
        ((), 4),
        (("--sections-as-pages",), 5),
        (("--missing-as-nil",), 5),
        (("--missing-as-nil", "--sections-as-pages"), 6),
    ):
        found = json.loads(run(files, "--kb", file, *options, "-f", "json").stdout)
        score = found["systems"][0]["scores"][0]
        assert score["tp"] == tp
        command = ["evaluate", "-g", *files, "--kb", file, *options]
        command += ["--signature", score["signature"], "-f", "json"]
        again = CliRunner().invoke(app, [str(argument) for argument in command])
        assert json.loads(again.stdout)["systems"][0]["scores"] == [score]


def test_the_html_report_shows_what_was_compared(files, file):
    plain = run(files, "-f", "html").stdout
    mapped = run(files, "--kb", file, "-f", "html").stdout
    assert "Q72" in plain
    assert "Q72" not in mapped


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--missing-as-nil",), "need --kb"),
        (("--kb", "none.sqlite", "--by", "nothing"), "there is no file none.sqlite"),
    ],
)
def test_wrong_arguments(files, options, message):
    found = run(files, *options)
    assert message in str(found.exception)
    assert found.exception.exit_code == 2
