"""Tables of an evaluation, and the renderers that print them."""

from __future__ import annotations

from typing import Any

import pytest
from measures.tools import corpus, link, mention

from elcurate.evaluation.evaluate import evaluate
from elcurate.evaluation.records import Evaluation
from elcurate.report.delimited import COLUMNS, render_delimited
from elcurate.report.markup import latex, render_latex, render_markdown
from elcurate.report.tables import amount, decimals, grids, notes, plural, signatures
from elcurate.report.text import render_text

A, B = (f"https://en.wikipedia.org/wiki/{name}" for name in "AB")
LEAVES = ("base_form=alias", "part_of_speech=verb", "overlap=none", "reference=direct")
GOLD = corpus(
    [mention(0, link(A, *LEAVES, type="none")), mention(5, link(B, type=None))],
    **{"a|b_c\n[d]": [mention(0, A)]},
)
SYSTEMS = {"s_1 & [x]": GOLD, "s*2": corpus([mention(0, B)])}


def result(**options: Any) -> Evaluation:
    options.setdefault("measures", ["strong_link_match"])
    return evaluate(GOLD, SYSTEMS, **options)


def test_numbers():
    assert (decimals(None), decimals(0.12345), decimals(1)) == ("–", "0.123", "1.000")
    assert (amount(3), amount(2.0), amount(0.125)) == ("3", "2", "0.12")
    assert (plural(1, "link"), plural(2000, "link")) == ("1 link", "2,000 links")


def test_every_score_has_a_row():
    found = result(by=["categories", "document", "type"])
    summary, slices, groups = grids(found)
    scores = found.systems[0].scores
    whole = [row for row in slices.rows if len(row) > 1]
    assert len(whole) == sum(not score.group for score in scores) == 23
    assert len(groups.rows) == sum(bool(score.group) for score in scores)
    assert len(summary.rows) == 3
    for grid in (summary, slices, groups):
        for row in grid.rows:
            assert len(row) in (1, len(grid.columns))
        if grid.heads:
            assert sum(width for _, width in grid.heads) == len(grid.columns)


def test_a_type_called_none_and_no_type_are_two_rows():
    _, groups = grids(result(by=["type"]))
    labels = [row[0].text for row in groups.rows]
    assert labels == ["none", "none", "micro average", "macro average"]


def test_a_single_slice_is_shown():
    _, grid = grids(result(by=["combination"]))
    assert [row[0].text for row in grid.rows] == ["all", "alias · verb · none · direct"]
    assert signatures(result(by=["combination"]))[0][0] == "s_1 & [x] strong_link_match"


def test_the_best_is_marked_only_among_several():
    for row in grids(result())[0].rows[1:]:
        assert [cell.best for cell in row[-3:]] == [False, False, row[0].text == "s_1 & [x]"]
    alone = evaluate(GOLD, {"s": GOLD}, measures=["strong_link_match"])
    assert not any(cell.best for row in grids(alone)[0].rows for cell in row)


def test_curves():
    found = grids(result(alphas=[0, 0.5], cumulative=True))
    titles = [grid.title for grid in found[1:]]
    assert titles == ["fuzzy(strong_link_match) over α"] + [
        f"strong_link_match, combinations by {name}" for name in ("Precision", "Recall", "F1")
    ]
    assert [len(grid.rows) for grid in found[1:]] == [4, 2, 2, 2]


def test_notes():
    said = corpus([mention(0, "http://en.wikipedia.org/wiki/A")], d7=[])
    found = evaluate(GOLD, {"s": said}, policies={"unknown": "count"})
    assert notes(found) == [
        "s lacks 1 document: a|b_c\n[d]",
        "s has 1 unknown document: d7",
        "s: 1 link on gold spans right under some link relations only "
        "(canonical 1, last-segment 1, raw 0, title 1)",
    ]


@pytest.mark.parametrize(
    "options", [{}, {"by": ["document", "categories"]}, {"membership": "constant(0.5)"}]
)
def test_odd_names_break_no_table(options):
    found = result(**options)
    lines = render_markdown(found).splitlines()
    tables = [line for line in lines if line.startswith("|")]
    assert tables
    widths = {line.replace("\\|", "").count("|") for line in tables}
    assert len(widths) <= 1 + len(grids(found))
    assert not [line for line in lines if line.startswith("\\[d")]
    text = render_latex(found)
    assert text.count(r"\begin{table}") == text.count(r"\end{table}") == len(grids(found))
    assert r"s\_1 \& [x]" in text
    assert "s_1 & [x]" in render_text(found)


def test_latex_escapes():
    assert latex("a_b & 5% {x} ~^\\$#") == (
        r"a\_b \& 5\% \{x\} \textasciitilde{}\textasciicircum{}\textbackslash{}\$\#"
    )


def test_delimited_has_one_line_per_score():
    found = result(by=["document"])
    import csv
    import io

    rows = list(csv.reader(io.StringIO(render_delimited(found, ","))))
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == 1 + sum(len(system.scores) for system in found.systems)
    assert {len(row) for row in rows} == {len(COLUMNS)}
