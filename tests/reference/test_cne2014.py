"""Agreement with conll03_nel_eval, by the profile ``cne2014``.

The tool of Hachey, Nothman and Radford (Cheap and easy entity evaluation, ACL 2014) compares
tokens. `of_the_tool` says slowly what its evaluation does with a document; the figures of its
examples are those that its own tests state. The paper's figures are of CoNLL-2003 texts and
system outputs that are not at hand.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from measures.tools import cli_text, evaluate_json, run_cli
from shared_data import SHARED, needs_shared

from elcurate.evaluation.evaluate import evaluate
from elcurate.evaluation.records import Score
from elcurate.formats.base import ReadOptions
from elcurate.formats.io import read
from elcurate.kb.title_map import TitleMap
from elcurate.model.corpus import Corpus

EXAMPLES = SHARED / "formats" / "conll03"
MEASURES = (
    "strong_mention_match",
    "strong_linked_mention_match",
    "strong_link_match",
    "entity_match",
)
Row = tuple[int, int, str]
Counts = tuple[int, int, int]
Values = tuple[float, float, float]


def values(tp: int, fp: int, fn: int) -> Values:
    """P, R and F1 with 1 wherever there is nothing to divide by."""
    precision = tp / (tp + fp) if tp + fp else 1.0
    recall = tp / (tp + fn) if tp + fn else 1.0
    total = precision + recall
    return precision, recall, 2 * precision * recall / total if total else 1.0


def of_the_tool(gold: list[Row], system: list[Row], measure: str) -> Counts:
    """tp, fp, fn: gold keys are indexed, and each system key takes its gold key away."""

    def keys(rows: list[Row]) -> list[object]:
        linked = [row for row in rows if row[2]]
        if measure == "entity_match":
            return list({link for *_, link in linked})
        if measure == "strong_link_match":
            return list(linked)
        chosen = rows if measure == "strong_mention_match" else linked
        return [row[:2] for row in chosen]

    index = dict.fromkeys(keys(gold))
    tp = fp = 0
    for key in keys(system):
        if key in index:
            del index[key]
            tp += 1
        else:
            fp += 1
    return tp, fp, len(index)


def plain(link: str, titles: dict[str, str]) -> str:
    """A link as the tool prepares it."""
    name = re.sub("^http://[^.]+.wikipedia.org/wiki/", "", link).replace(" ", "_")
    return titles.get(name, name)


class Case:
    """A document of sentences, with gold mentions in its rows and a release file beside it."""

    def __init__(self, lengths: list[int], gold: list[Row], system: list[Row]) -> None:
        self.ends = [sum(lengths[: place + 1]) for place in range(len(lengths))]
        self.gold, self.system = gold, system

    def write(self, folder: Path) -> tuple[Path, Path]:
        lines = ["-DOCSTART- (d)"]
        inside = {place: row for row in self.gold for place in range(row[0], row[1])}
        for place in range(self.ends[-1]):
            cells = [f"t{place}"]
            if place in inside:
                begin, end, link = inside[place]
                name = " ".join(f"t{number}" for number in range(begin, end))
                cells += ["B" if place == begin else "I", name, *([link] if link else [])]
            lines.append("\t".join(cells))
            if place + 1 in self.ends:
                lines.append("")
        gold, system = folder / "gold.nel.tsv", folder / "sys.nel-offsets.tsv"
        gold.write_text("\n".join(lines), "utf-8")
        rows = [f"d\t{begin}\t{end}\t{link}\t" for begin, end, link in self.system]
        system.write_text("\n".join([*rows, ""]), "utf-8")
        return gold, system

    def cut(self, rows: list[Row]) -> list[Row]:
        return [
            (begin, min(end, next(last for last in self.ends if last > begin)), link)
            for begin, end, link in rows
        ]


LINKS = ["", "A", "B", "C c", "http://fr.wikipedia.org/wiki/A", "http://en.wikipedia.org/wiki/C c"]
TITLES = {"A": "A", "B": "A", "C_c": "C_c"}


@st.composite
def cases(draw: st.DrawFn) -> Case:
    lengths = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    case = Case(lengths, [], [])
    size, place = case.ends[-1], 0
    while place < size:
        end = min(place + draw(st.integers(1, 2)), next(one for one in case.ends if one > place))
        if draw(st.booleans()):
            case.gold.append((place, end, draw(st.sampled_from(LINKS[:4]))))
        place = end
    for _ in range(draw(st.integers(0, 6))):
        begin = draw(st.integers(0, size - 1))
        end = draw(st.integers(begin + 1, min(begin + 3, size)))
        case.system.append((begin, end, draw(st.sampled_from(LINKS))))
    return case


def scored(
    gold: Path, system: Path, folder: Path, linkable: Path | None = None
) -> dict[str, Score]:
    titles = folder / "titles.tsv"
    titles.write_text("A\tB\nC c\n", "utf-8")

    def release(path: Path) -> Corpus:
        return read(path, format="conll03-nel-offsets", options=ReadOptions(texts=gold))

    found = evaluate(
        read(gold, format="conll03-nel"),
        {"s": release(system)},
        profile="cne2014",
        entities=TitleMap.read(titles),
        linkable=None if linkable is None else release(linkable),
    )
    return {score.measure: score for score in found.systems[0].scores}


def check(score: Score, expected: Counts) -> None:
    assert (score.tp, score.fp, score.fn) == expected, score.measure
    assert (score.precision, score.recall, score.f1) == values(*expected)


@settings(deadline=None, max_examples=150)
@given(cases())
def test_what_the_tool_computes(tmp_path_factory, case):
    folder = tmp_path_factory.mktemp("case")
    gold, system = (
        [(begin, end, plain(link, TITLES)) for begin, end, link in rows]
        for rows in (case.gold, case.cut(case.system))
    )
    found = scored(*case.write(folder), folder)
    assert list(found) == list(MEASURES)
    for measure in MEASURES:
        check(found[measure], of_the_tool(gold, system, measure))


@settings(deadline=None, max_examples=100)
@given(cases(), cases())
def test_only_what_a_reference_output_links(tmp_path_factory, case, other):
    folder, beside = tmp_path_factory.mktemp("case"), tmp_path_factory.mktemp("reference")
    reference = Case([], [], [row for row in other.system if row[1] <= case.ends[-1]])
    reference.ends = case.ends
    linked = [row for row in case.cut(reference.system) if row[2]]
    taken = {place for begin, end, _ in linked for place in range(begin, end)}
    gold, system = (
        [
            (begin, end, plain(link, TITLES))
            for begin, end, link in rows
            if taken & set(range(begin, end))
        ]
        for rows in (case.gold, case.cut(case.system))
    )
    found = scored(*case.write(folder), folder, reference.write(beside)[1])
    for measure in MEASURES:
        check(found[measure], of_the_tool(gold, system, measure))


@needs_shared
@pytest.mark.parametrize(
    ("gold", "system", "expected"),
    [
        ("data", "data", [(2, 0, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0)]),
        ("data", "data_attempt", [(2, 0, 0), (1, 1, 0), (1, 1, 0), (1, 1, 0)]),
        ("data_more", "data_more", [(4, 0, 0), (3, 0, 0), (3, 0, 0), (3, 0, 0)]),
        ("data_more", "data_more_attempt", [(4, 0, 0), (2, 1, 1), (1, 2, 2), (1, 2, 2)]),
    ],
)
def test_the_examples_of_the_tool(gold, system, expected):
    """The counts in the tests of conll03_nel_eval for its example files."""
    found = evaluate_json(
        *("-g", EXAMPLES / f"{gold}.txt", f"s={EXAMPLES / system}.txt", "-p", "cne2014")
    )
    scores = {score["measure"]: score for score in found["systems"][0]["scores"]}
    assert list(scores) == list(MEASURES)
    for name, counts in zip(MEASURES, expected, strict=True):
        score = scores[name]
        assert (score["tp"], score["fp"], score["fn"]) == counts
        assert (score["precision"], score["recall"], score["f1"]) == values(*counts)


@needs_shared
def test_a_release_file_on_real_text(tmp_path):
    """Token numbers, a mention over the end of a sentence, a repeated one, and a title map."""
    gold = EXAMPLES / "data_full.txt"
    release = tmp_path / "made.nel-offsets.tsv"
    release.write_text(
        "doc1\t7\t8\thttp://en.wikipedia.org/wiki/Paris\t0.9\n"
        "doc1\t7\t8\tParis\t0.9\n"
        "doc1\t8\t12\tCity of Light\t0.5\n"
        "doc1\t14\t16\t\t\n"
        "docb\t7\t8\tCity of Light\t0.5\n"
    )
    titles = tmp_path / "titles.tsv"
    titles.write_text("Paris\tCity of Light\n")
    options = ["-g", gold, release, "-p", "cne2014", "--texts", gold]
    found = evaluate_json(*options, "--title-map", titles)
    assert found["systems"][0]["cut_mentions"] == 1
    counts = {
        score["measure"]: (score["tp"], score["fp"], score["fn"])
        for score in found["systems"][0]["scores"]
    }
    assert counts == {
        "strong_mention_match": (3, 2, 3),
        "strong_linked_mention_match": (2, 2, 1),
        "strong_link_match": (2, 2, 1),
        "entity_match": (2, 0, 1),
    }
    plain_ = evaluate_json(*options)["systems"][0]["scores"]
    assert [score["tp"] for score in plain_] == [3, 2, 1, 1]
    text = cli_text("evaluate", *options)
    assert "1 mention cut at the end of a sentence" in text


@needs_shared
def test_the_reference_output_is_part_of_the_signature(tmp_path, monkeypatch, capsys):
    gold, system = EXAMPLES / "data_more.txt", EXAMPLES / "data_more_attempt.txt"
    options = ["-g", gold, system, "-p", "cne2014"]
    found = evaluate_json(*options, "--linkable-by", system)
    (score,) = (
        one for one in found["systems"][0]["scores"] if one["measure"] == "strong_link_match"
    )
    assert (score["tp"], score["fp"], score["fn"]) == (1, 2, 1)
    fingerprint = found["systems"][0]["fingerprint"]
    assert f"linkable_by={fingerprint}" in score["signature"]
    assert found["settings"]["linkable_by"] == fingerprint
    again = [*options[:3], "--signature", score["signature"]]
    assert evaluate_json(*again, "--linkable-by", system)["systems"][0]["scores"] == [score]
    for wrong in ([], ["--linkable-by", gold]):
        code, out, err = run_cli(monkeypatch, capsys, "evaluate", *again, *wrong)
        assert (code, out) == (2, "")
        assert "the reference output" in err
        assert "--linkable-by" in err


def test_wrong_files_are_reported_together(tmp_path, monkeypatch, capsys):
    titles, reference = tmp_path / "titles.tsv", tmp_path / "reference.tsv"
    titles.write_text("no tabs\n")
    reference.write_text("doc\t1\n")
    gold = tmp_path / "gold.tsv"
    gold.write_text("d\t0\t1\tA\n")
    code, _, err = run_cli(
        *(monkeypatch, capsys, "evaluate", "-g", gold, gold, "-m", "strong_lnk_match"),
        *("--title-map", titles, "--linkable-by", reference, "--from", "neleval"),
    )
    assert code == 2
    for part in ("titles.tsv has no redirects", "reference.tsv:1", "strong_link_match"):
        assert part in err
