from __future__ import annotations

import json
import re
from collections import Counter
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from lxml import html as lxml_html

from elcurate.evaluation.evaluate import evaluate
from elcurate.evaluation.outcomes import DocumentOutcomes, outcomes
from elcurate.evaluation.records import Evaluation
from elcurate.match.policy import Policy
from elcurate.model.categories import DIMENSIONS, Categories
from elcurate.model.corpus import Corpus, Document, Link, Mention
from elcurate.report.html import render_html
from elcurate.report.html_charts import Chart, Series, nice_ticks
from elcurate.report.html_format import METRICS, count, counts, plural, printable, score
from elcurate.report.html_nesting import Mark, pieces
from elcurate.report.html_stats import stats_view

WIKI = "https://en.wikipedia.org/wiki/"
VOID = {"meta", "br", "input", "link", "img", "wbr"}
HOSTILE = "</script><script>alert(1)</script><!-- \"'& \x00"
SCRIPT_IRI = "javascript:alert(document.domain)"


def link(entity: str | None, base: str = "full_name", overlap: str = "none") -> Link:
    categories = Categories(
        base_form=base, part_of_speech="singular_noun", overlap=overlap, reference="direct"
    )
    return Link(entity=entity, type="Person", categories=categories)


def mention(begin: int, end: int, entity: str | None, base: str = "full_name") -> Mention:
    return Mention(begin=begin, end=end, links=(link(entity, base),))


def corpus(name: str, *documents: Document) -> Corpus:
    return Corpus(name=name, documents=documents)


TEXT = "Ann Lee met 𝒜nn\r\nand Bob Ray in New York City Hall."
GOLD = corpus(
    "small",
    Document(
        id="d1",
        text=TEXT,
        mentions=(
            mention(0, 7, WIKI + "Ann_Lee"),
            mention(0, 3, WIKI + "Ann", "short_name"),
            mention(12, 15, WIKI + "Ann_Lee", "alias"),
            mention(21, 28, WIKI + "Bob_Ray"),
            mention(32, 45, WIKI + "New_York_City"),
            mention(36, 50, WIKI + "York_City_Hall"),
            mention(46, 50, None, "common_form"),
        ),
    ),
    Document(
        id="d2", mentions=(Mention(begin=3, end=6, links=(link(WIKI + "X"),), surface="Xyz"),)
    ),
)
SYSTEMS = {
    "alpha": corpus(
        "alpha",
        Document(
            id="d1",
            mentions=(
                mention(0, 7, WIKI + "Ann_Lee"),
                mention(21, 28, WIKI + "Bob"),
                mention(4, 11, WIKI + "Lee_Met"),
            ),
        ),
    ),
    "beta": corpus("beta", Document(id="d1"), Document(id="d2")),
}


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return evaluate(
        GOLD,
        SYSTEMS,
        by=["categories", "document"],
        alphas=[0, 0.5, 1],
        cumulative=True,
        measures=["strong_link_match", "strong_mention_match"],
    )


@pytest.fixture(scope="module")
def found() -> tuple[DocumentOutcomes, ...]:
    return outcomes(GOLD, SYSTEMS, Policy())


@pytest.fixture(scope="module")
def page(evaluation: Evaluation, found: tuple[DocumentOutcomes, ...]) -> str:
    stats = {
        "name": "small",
        "documents": 2,
        "sentences": None,
        "density": 0.5,
        "types": {"Person_X": 8},
        "categories": {"base_form": {"alias": 1, "full_name": 5}},
    }
    return render_html(evaluation, outcomes=found, stats=stats)


def tree(text: str) -> lxml_html.HtmlElement:
    return lxml_html.document_fromstring(text)


def data_of(text: str) -> dict[str, object]:
    [source] = tree(text).xpath("//script[@type='application/json']")
    return json.loads(source.text)


class Balance(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.problems: list[str] = []
        self.attributes: list[tuple[str, str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value) for name, value in attrs]
        twice = [name for name, n in Counter(name for name, _ in attrs).items() if n > 1]
        self.problems += [f"{tag} has {name} twice" for name in twice]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"unexpected </{tag}> at {self.getpos()}")


def balance(text: str) -> Balance:
    parser = Balance()
    parser.feed(text)
    parser.close()
    assert not parser.problems
    assert not parser.open
    return parser


def test_is_well_formed_with_unique_ids(page: str) -> None:
    assert page.startswith("<!doctype html>")
    attributes = balance(page).attributes
    ids = Counter(value for _, name, value in attributes if name == "id")
    assert max(ids.values()) == 1
    for _, name, value in attributes:
        if name in {"aria-labelledby", "aria-describedby"}:
            assert value in ids
        if name == "href":
            assert value is not None
            assert value[1:] in ids


def test_loads_nothing_and_has_no_inline_handlers(page: str) -> None:
    for tag, name, value in balance(page).attributes:
        assert name not in {"src", "srcset", "action", "poster", "data"}
        assert not name.startswith("on")
        assert tag not in {"link", "iframe", "object", "embed", "base", "form"}
        assert name != "href" or (value or "").startswith("#")
    [policy] = tree(page).xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy == (
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
    )
    assert "@import" not in page
    assert "url(" not in page
    assert "innerHTML" not in page


def test_every_gold_mention_can_be_focused_once(page: str) -> None:
    stops = tree(page).xpath("//*[@id='documents']//*[@tabindex='0']")
    assert [stop.get("data-m") for stop in stops] == [
        *(str(number) for number in (0, 1, 2, 3, 4, 5, 6)),
        "7",
    ]
    assert [stop.get("aria-label") for stop in stops][:4] == [
        "Ann Lee, right",
        "Ann, missed",
        "𝒜nn, missed",
        "Bob Ray, wrong link",
    ]


def test_marks_cover_their_surfaces_and_leave_the_text_alone(page: str) -> None:
    [text] = tree(page).xpath("//*[@class='text']")
    assert text.text_content().replace("\r\n", "\n") == TEXT.replace("\r\n", "\n")
    for number, one in enumerate(GOLD.documents[0].mentions):
        parts = text.xpath(f".//*[@data-m='{number}']")
        assert "".join(part.text_content() for part in parts) == TEXT[one.begin : one.end]


def test_nested_mentions_nest_and_crossing_ones_are_cut(page: str) -> None:
    [text] = tree(page).xpath("//*[@class='text']")
    assert text.xpath(".//*[@data-m='0']//*[@data-m='1']")
    assert len(text.xpath(".//*[@data-m='4']")) == 1
    first, second = text.xpath(".//*[@data-m='5']")
    assert (first.text_content(), second.text_content()) == ("York City", " Hall")
    assert first.get("data-part") is not None
    assert second.get("data-part") is None
    assert len(text.xpath(".//*[@data-m='0']")) == 1
    assert len(text.xpath(".//*[@data-s='0']")) == 2


def test_document_without_text_lists_its_mentions(page: str) -> None:
    [article] = tree(page).xpath("//article[@data-d='1']")
    assert "This document has no text." in article.text_content()
    assert article.xpath(".//li/*[@data-m='7']")[0].text_content() == "Xyz"


def test_spans_outside_the_text_are_listed() -> None:
    gold = corpus("g", Document(id="d", text="abc", mentions=(mention(2, 9, "A"),)))
    text = render_html(evaluate(gold, {}), outcomes=outcomes(gold, {}, Policy()))
    balance(text)
    [item] = tree(text).xpath("//ol[@class='elsewhere']/li")
    assert item.text_content() == "c 2–9"


def test_embedded_data_says_what_each_system_did(page: str) -> None:
    data = data_of(page)
    assert data["systems"] == ["alpha", "beta"]
    outcomes_of = [[one[0] for one in row[5]] for row in data["mentions"]]
    assert outcomes_of[0] == [0, 2]
    assert outcomes_of[3] == [1, 2]
    entities = data["entities"]
    assert entities[data["mentions"][3][5][0][1]] == WIKI + "Bob"
    assert data["mentions"][6][4][0][0] == -1
    [spurious] = data["spurious"]
    assert spurious[1:5] == [4, 11, "Lee met", 0]
    assert entities[spurious[5]] == WIKI + "Lee_Met"


def test_hostile_strings_stay_text() -> None:
    gold = corpus(
        HOSTILE,
        Document(
            id=HOSTILE,
            text=HOSTILE,
            mentions=(
                Mention(begin=0, end=9, links=(Link(entity=SCRIPT_IRI, type=HOSTILE),)),
                Mention(begin=2, end=20, links=(Link(entity=HOSTILE),)),
            ),
        ),
    )
    system = corpus("s", Document(id=HOSTILE, mentions=(mention(3, 12, SCRIPT_IRI),)))
    evaluation = evaluate(gold, {HOSTILE: system}, by=["document", "type"], alphas=[0, 1])
    text = render_html(
        evaluation,
        outcomes=outcomes(gold, {HOSTILE: system}, Policy()),
        stats={HOSTILE: HOSTILE, "types": {HOSTILE: 1}},
        title=HOSTILE + "\ud800",
    )
    text.encode("utf-8")
    balance(text)
    whole = tree(text)
    assert len(whole.xpath("//script")) == 2
    assert not whole.xpath("//comment()")
    assert not whole.xpath("//a[starts-with(@href, 'javascript')]")
    assert "alert(1)</script>" not in text
    assert SCRIPT_IRI in data_of(text)["entities"]
    assert HOSTILE in data_of(text)["entities"]
    assert "\x00" not in text


def test_summary_marks_the_best_and_shows_undefined(page: str) -> None:
    rows = tree(page).xpath("//section[@id='summary']//tbody/tr")
    cells = [[cell.text_content().strip() for cell in row.xpath("./td")] for row in rows]
    assert cells[0] == ["0.333", "0.143", "0.200 ★", "7", "3", "1", "2", "6"]
    assert cells[1][:3] == ["–", "0.000", "0.000"]
    assert [row.get("class") for row in rows] == ["best", None, "best", None]


def test_memberships_add_the_weight_of_the_matched_gold() -> None:
    fuzzy = evaluate(GOLD, SYSTEMS, membership="strict-relaxed(0.5)")
    table = tree(render_html(fuzzy)).xpath("//section[@id='summary']//table")[0]
    assert table.xpath(".//thead//th")[-1].text == "Matched gold weight"
    assert {len(row.xpath("./td")) for row in table.xpath(".//tbody/tr")} == {9}


def test_signatures_stand_beside_the_scores(page: str, evaluation: Evaluation) -> None:
    codes = tree(page).xpath("//section[@id='summary']//dd/code")
    expected = {
        value.signature
        for system in evaluation.systems
        for value in system.scores
        if not value.slice and not value.group
    }
    assert {code.text for code in codes} == expected
    listed = "".join(tree(page).xpath("//section[@id='categories']//pre/text()"))
    for system in evaluation.systems:
        for value in system.scores:
            if len(value.slice) == 1 and not value.group:
                assert value.signature in listed


def test_heat_map_has_every_leaf_and_number(page: str, evaluation: Evaluation) -> None:
    tables = tree(page).xpath("//table[contains(@class, 'heat')]")
    assert [table.xpath("./caption")[0].text for table in tables] == [
        "strong_link_match",
        "strong_mention_match",
    ]
    groups = tables[0].xpath(".//tr[@class='group']/th")
    assert [group.text for group in groups] == [
        "Base form",
        "Part of speech",
        "Overlap",
        "Reference",
    ]
    rows = tables[0].xpath(".//tbody/tr[not(@class)]")
    assert len(rows) == 1 + sum(len(leaves) for leaves in DIMENSIONS.values())
    shown = {row[0].text: [cell.text for cell in row[1:]] for row in rows}
    assert shown["whole gold"][0] == "7"
    assert shown["alias"] == ["1", "–", "–", "0.000", "0.000", "0.000", "0.000"]
    for row in rows:
        for cell in row[2:]:
            assert (cell.get("style") is None) == (cell.text == "–")


def test_macro_rows_say_over_how_many(page: str) -> None:
    text = tree(page).xpath("//section[@id='groups']")[0].text_content()
    assert "macro average" in text
    assert "of 1" in text


def test_numbers_of_all_curves_are_in_tables(page: str, evaluation: Evaluation) -> None:
    for kind in ("alpha", "cumulative"):
        rows = tree(page).xpath(f"//section[@id='{kind}']//tbody/tr")
        shown = Counter(tuple(cell.text for cell in row) for row in rows)
        expected = Counter(
            (
                system.name,
                f"{point.x:g}",
                *([point.label.replace("_", " ")] if kind == "cumulative" else []),
                *(count(value) for value in (point.gold, point.system, point.tp)),
                *(score(getattr(point, metric)) for metric in METRICS),
            )
            for system in evaluation.systems
            for curve in system.curves
            if curve.kind == kind
            for point in curve.points
        )
        assert shown == expected


def test_charts_are_labelled_and_tell_systems_apart(page: str) -> None:
    charts = tree(page).xpath("//figure//*[local-name()='svg']")
    assert len(charts) == 2 * 3 + 2 * 3
    for chart in charts:
        assert chart.get("role") == "img"
        assert chart.get("aria-label")
        assert "alpha" in chart.xpath("./*[local-name()='desc']")[0].text
        lines = chart.xpath(".//*[@class='line']")
        assert len({line.get("stroke-dasharray") for line in lines}) == len(lines) == 2


def test_undefined_points_break_a_line_and_crowded_labels_move_apart() -> None:
    points = [(0.0, 0.5), (1.0, None), (2.0, 0.5), (3.0, 0.4)]
    series = [Series(f"system {number}", number, points) for number in range(30)]
    drawn = str(Chart("t", "d", "x", "y", [*series, Series("none", 30, [(0.0, None)])]).svg())
    paths = re.findall(r'class="line" stroke-dasharray="[^"]*" d="([^"]*)"', drawn)
    assert all(path.count("M") == 2 and path.count("L") == 1 for path in paths[:-1])
    assert paths[-1] == ""
    assert "none –" in drawn
    heights = sorted(
        float(height) for height in re.findall(r'translate\(302 ([\d.-]+)\)"><path', drawn)
    )
    assert len(heights) == 31
    assert min(b - a for a, b in pairwise(heights)) >= 15.9


@pytest.mark.parametrize(("low", "high"), [(0, 1), (1, 82), (0.1, 0.35), (5, 1_000_000)])
def test_ticks_are_few_round_and_within(low: float, high: float) -> None:
    ticks = list(nice_ticks(low, high))
    assert 2 <= len(ticks) <= 8
    assert low <= ticks[0]
    assert ticks[-1] <= high * (1 + 1e-6)


def test_systems_say_what_was_missing(page: str) -> None:
    section = tree(page).xpath("//section[@id='systems']")[0].text_content()
    assert "alpha: 1 document missing" in section
    assert "last-segment" in section


def test_statistics_are_shown_whatever_they_are() -> None:
    view = stats_view({"nil": 3, "list": [1, None], "a": {"b": {"c": True}, "d": 0.25}})
    assert view.facts == [("NIL", "3"), ("List", "1, –")]
    assert [(table.title, table.rows[0][:2]) for table in view.tables] == [
        ("A", ("d", "0.250")),
        ("A: b", ("c", "yes")),
    ]
    ordered = stats_view({"base_form": {"alias": 1, "full_name": 4}}).tables[0]
    assert ordered.rows == [("full name", "4", "100.0"), ("alias", "1", "25.0")]


def test_left_out_documents_are_counted(
    evaluation: Evaluation, found: tuple[DocumentOutcomes, ...]
) -> None:
    text = render_html(evaluation, outcomes=found, max_documents=1)
    assert len(tree(text).xpath("//article")) == 1
    assert "1 more document left out of this page" in tree(text).text_content()


def test_scores_alone_make_a_page(evaluation: Evaluation) -> None:
    text = render_html(evaluation, title="Mine & yours")
    balance(text)
    assert tree(text).xpath("//h1")[0].text == "Mine & yours"
    assert not tree(text).xpath("//*[@id='mentions' or @id='statistics']")


def test_combinations() -> None:
    text = render_html(evaluate(GOLD, SYSTEMS, by=["combination"]))
    balance(text)
    [table, *_] = tree(text).xpath("//section[@id='combinations']//table")
    assert [cell.text for cell in table.xpath(".//tbody/tr")[0]][:5] == [
        "full name",
        "singular noun",
        "none",
        "direct",
        "5",
    ]


def test_rendering_is_repeatable(
    evaluation: Evaluation, found: tuple[DocumentOutcomes, ...]
) -> None:
    assert render_html(evaluation, outcomes=found) == render_html(evaluation, outcomes=found)


def test_pieces_nest_for_any_spans() -> None:
    text = "abcdef"
    spans = [(a, b) for a in range(6) for b in range(a + 1, 7)]
    for first in spans:
        for second in spans:
            for third in [(0, 4), (2, 5), (3, 6)]:
                marks = [
                    Mark(*span, gold, number)
                    for number, (span, gold) in enumerate(
                        zip((first, second, third), (True, False, True), strict=True)
                    )
                ]
                check_pieces(text, marks)


def check_pieces(text: str, marks: list[Mark]) -> None:
    stack: list[Mark] = []
    inside: dict[Mark, str] = dict.fromkeys(marks, "")
    firsts: Counter[Mark] = Counter()
    lasts: Counter[Mark] = Counter()
    whole = ""
    for piece in pieces(text, marks):
        if piece.mark is None:
            whole += piece.text
            for mark in stack:
                inside[mark] += piece.text
        elif piece.opens:
            stack.append(piece.mark)
            firsts[piece.mark] += piece.first
            lasts[piece.mark] += piece.last
        else:
            assert stack.pop() == piece.mark
    assert not stack
    assert whole == text
    assert all(inside[mark] == text[mark.begin : mark.end] for mark in marks)
    assert all(firsts[mark] == lasts[mark] == 1 for mark in marks)


def test_numbers_are_printed_as_documented() -> None:
    assert [score(None), score(float("nan")), score(0.12345)] == ["–", "–", "0.123"]
    assert [count(None), count(1327.0), count(2.375)] == ["–", "1,327", "2.38"]
    assert [counts([]), counts([3, 3]), counts([3, 5])] == ["–", "3", "3 to 5"]
    assert [plural(1, "row"), plural(1200, "row")] == ["1 row", "1,200 rows"]
    assert printable("a\x00\ud800b\n") == "a\ufffd\ufffdb\n"
