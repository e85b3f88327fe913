"""Maps of redirects to titles."""

from __future__ import annotations

from pathlib import Path

import pytest
from measures.tools import corpus, counts, first_score, mention

from elcurate.errors import SpecError
from elcurate.evaluation.evaluate import evaluate, evaluate_signature
from elcurate.kb.title_map import TitleMap

WIKI = "https://en.wikipedia.org/wiki/"
LINK = "strong_link_match"


def written(tmp_path: Path, text: str | bytes) -> TitleMap:
    path = tmp_path / "map.tsv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return TitleMap.read(path)


def test_lines(tmp_path):
    text = "\ufeffAustria Vienna\tFK Austria\tAustria Wien \r\n\nParis\nAbout\tN\x85\u2028x\t\tb c"
    assert written(tmp_path, text).titles == {
        "FK_Austria": "Austria_Vienna",
        "Austria_Wien": "Austria_Vienna",
        "Austria_Vienna": "Austria_Vienna",
        "Paris": "Paris",
        "N\x85\u2028x": "About",
        "b_c": "About",
        "About": "About",
    }


def test_what_is_stated_last_counts_and_chains_are_not_followed(tmp_path):
    found = written(tmp_path, "A\tB\nB\tC\nD\tX\nE\tX").titles
    assert found == {"A": "A", "B": "B", "C": "B", "D": "D", "E": "E", "X": "E"}
    found = written(tmp_path, "B\tC\nA\tB").titles
    assert found == {"A": "A", "B": "A", "C": "B"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"A\tB\n\tC\n", "map.tsv:2: the line has no title"),
        (b"A\tB\nC\tD\n\xff\tC\n", "map.tsv:3: the line is not UTF-8"),
        (b"A B\nC D\n", "map.tsv has no redirects. A line has a title and its redirects, with tab"),
        (b"", "has no redirects"),
    ],
)
def test_what_is_no_map(tmp_path, text, message):
    with pytest.raises(SpecError, match=message):
        written(tmp_path, text)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(SpecError, match="can't be read"):
        TitleMap.read(tmp_path / "none.tsv")


@pytest.mark.parametrize(
    ("links", "root"),
    [
        *((links, WIKI) for links in ("canonical", "raw", "last-segment", "title")),
        ("canonical", "http://dbpedia.org/resource/"),
        ("raw", "http://dbpedia.org/resource/"),
        ("canonical", "http://de.wikipedia.org/wiki/"),
        ("title", "http://de.wikipedia.org/wiki/"),
    ],
)
def test_every_link_relation(links, root, tmp_path):
    """Redirects of either side are their title, in addresses of one kind."""
    titles = written(tmp_path, "What?\tWat\tSo what\nParis\tCity of Light\nQ42\tX")
    ours = [f"{root}{name}" for name in ("Wat", "City_of_Light", "Paris", "Rome", "Paris")]
    theirs = [f"{root}{name}" for name in ("What%3F", "Paris", "City_of_Light", "Rome", "Wat")]
    gold, system = (
        corpus([mention(5 * place, one) for place, one in enumerate(side)])
        for side in (ours, theirs)
    )
    options = {"policies": {"links": links}}
    assert counts(first_score(gold, system, LINK, **options)) == (1, 4, 4)
    assert counts(first_score(gold, system, LINK, entities=titles, **options)) == (4, 1, 1)


@pytest.mark.parametrize(
    ("links", "said", "right"),
    [
        ("canonical", f"{WIKI}city_of%20Light", 1),
        ("title", f"{WIKI}city_of_Light", 0),
        ("canonical", "City of Light", 0),
        ("raw", "http://www.wikidata.org/wiki/City_of_Light", 0),
        ("title", "City of Light", 1),
        ("last-segment", "http://x.org/y/City_of_Light", 0),
    ],
)
def test_spellings(links, said, right, tmp_path):
    titles = written(tmp_path, "Paris\tCity of Light")
    gold, system = corpus([mention(0, f"{WIKI}Paris")]), corpus([mention(0, said)])
    found = first_score(gold, system, LINK, entities=titles, policies={"links": links})
    assert found.tp == right


def test_nil_and_the_record_of_link_relations(tmp_path):
    titles = written(tmp_path, "Paris\tNIL\tCity of Light")
    gold = corpus([mention(0, f"{WIKI}Paris"), mention(5, f"{WIKI}Paris")])
    system = corpus([mention(0, "NIL"), mention(5, f"{WIKI}City_of_Light")])
    found = evaluate(gold, {"s": system}, measures=[LINK], entities=titles)
    assert counts(found.systems[0].scores[0]) == (1, 0, 1)
    assert set(found.systems[0].link_relations.right.values()) == {1}
    assert found.settings["entities"] == str(titles.form)
    assert found.entities is not None
    assert found.entities.gold.redirected == 0
    assert found.entities.systems["s"].redirected == 1


def test_the_signature_needs_the_same_map(tmp_path):
    titles, other = written(tmp_path, "Paris\tCity"), written(tmp_path, "Paris\tVille")
    assert titles.form != other.form
    assert titles.form == written(tmp_path, "\nParis\tCity\tCity \n").form
    gold, system = corpus([mention(0, f"{WIKI}Paris")]), corpus([mention(0, f"{WIKI}city")])
    for links in ("canonical", "title"):
        score = first_score(gold, system, LINK, entities=titles, policies={"links": links})
        assert score.tp == (links == "canonical")
        assert f"entities={titles.form}" in score.signature
        again = evaluate_signature(gold, {"s": system}, score.signature, entities=titles)
        assert again.systems[0].scores[0] == score
        for wrong in (None, other):
            with pytest.raises(SpecError, match=r"made with TitleMap\(m.*--title-map"):
                evaluate_signature(gold, {"s": system}, score.signature, entities=wrong)
    plain = first_score(gold, system, LINK)
    again = evaluate_signature(gold, {"s": system}, plain.signature, entities=titles)
    assert again.systems[0].scores[0] == plain
