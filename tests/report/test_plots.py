"""Plots: files are what they should be, hold the names and numbers, and are the same each time."""

from __future__ import annotations

import io
import itertools
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from measures.tools import cli_text, corpus, mention, run_cli

from elcurate.errors import EvaluationError, ReadError, SpecError
from elcurate.evaluation.compare import compare
from elcurate.evaluation.correlation import correlate
from elcurate.evaluation.evaluate import evaluate
from elcurate.evaluation.sampling import Intervals, Sampling
from elcurate.model.corpus import Corpus
from elcurate.report.plot import KINDS, Plot, draw, figure_of
from elcurate.report.plot_data import scores_of
from elcurate.report.plot_labels import label_points
from elcurate.report.plot_style import COLOURS, FORMATS, MARKERS, new_figure, styled
from elcurate.report.stored import stored_report

SAMPLE = Path(__file__).parents[2] / "datasets" / "sample"
NAMES = ("names", "everything", "sloppy")
INPUTS = [
    *("-g", SAMPLE / "gold.jsonl"),
    *(SAMPLE / "systems" / f"{name}.jsonl" for name in NAMES),
]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """Reports as files."""
    folder = tmp_path_factory.mktemp("reports")
    commands = {
        "evaluate": ["evaluate", "--by", "categories", "--by", "document"],
        "confidence": ["confidence", "--trials", "200"],
        "compare": ["compare", "--trials", "200", "--interval", "0.9"],
        "correlate": ["correlate"],
    }
    paths = {}
    for name, (command, *options) in commands.items():
        paths[name] = folder / f"{name}.json"
        cli_text(command, *INPUTS, *options, "-f", "json", "-o", paths[name])
    return paths


def drawn(path: Path, kind: str, form: str = "svg", **options) -> bytes:
    report = stored_report(path.read_text("utf-8"), str(path))
    return draw(Plot(kind, form, **options), {str(path): report})


def texts(svg: bytes) -> list[str]:
    root = etree.fromstring(svg)
    return ["".join(one.itertext()).strip() for one in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("source", ["evaluate", "confidence", "compare"])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "correlation"])
@pytest.mark.parametrize("form", FORMATS)
def test_every_plot_of_every_report_in_every_format(saved, tmp_path, source, kind, form):
    output = tmp_path / f"plot.{form}"
    cli_text("plot", kind, saved[source], "-o", output)
    content = output.read_bytes()
    check_format(content, form)
    assert content == drawn(saved[source], kind, form)


def check_format(content: bytes, form: str) -> None:
    if form == "svg":
        assert etree.fromstring(content).tag == f"{SVG}svg"
        assert set(NAMES) <= set(texts(content))
        assert b"Date" not in content
    elif form == "pdf":
        assert content.startswith(b"%PDF-1.")
        assert content.rstrip().endswith(b"%%EOF")
        assert b"CreationDate" not in content
    else:
        from matplotlib.image import imread

        picture = imread(io.BytesIO(content), format="png")
        assert picture.shape[2] == 4
        assert 0 < picture[..., :3].min() < picture[..., :3].max() or picture.std() > 0


def test_the_correlation_plot(saved, tmp_path):
    output = tmp_path / "c.svg"
    cli_text("plot", "correlation", saved["correlate"], "--coefficient", "pearson", "-o", output)
    shown = texts(output.read_bytes())
    report = json.loads(saved["correlate"].read_text("utf-8"))
    for one in report["correlations"]:
        assert f"{one['pearson']:.2f}".replace("-", "−") in shown
    for measure in report["measures"]:
        assert any(measure["measure"] in text for text in shown)


def test_a_heat_map_shows_every_score_with_its_part(saved):
    report = json.loads(saved["evaluate"].read_text("utf-8"))
    shown = texts(drawn(saved["evaluate"], "heatmap", measures=["strong_link_match"]))
    for system in report["systems"]:
        for score in system["scores"]:
            if score["measure"] == "strong_link_match" and not score["group"]:
                assert (f"{score['f1']:.2f}" if score["f1"] is not None else "–") in shown
                part = next(iter(score["slice"].values()), "all").replace("_", " ")
                assert f"{part} ({score['gold']})" in shown


def points(figure) -> list[tuple[float, float]]:
    """Where the markers are."""
    (axes,) = figure.axes
    return [
        (float(x), float(y))
        for line in axes.lines
        if line.get_marker() in MARKERS
        for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)
    ]


def test_dots_stand_at_the_scores(saved):
    path = saved["confidence"]
    report = stored_report(path.read_text("utf-8"), "r")
    for kind, axis in (("columns", 1), ("rows", 0)):
        with styled():
            figure = figure_of(Plot(kind, "svg"), {"r": report})
            found = sorted(round(place[axis], 9) for place in points(figure))
        expected = [
            round(one.value["f1"], 9)
            for system in report.systems
            for one in system.estimates
            if one.value["f1"] is not None
        ]
        assert found == sorted(expected)


def test_error_bars_reach_as_far_as_the_intervals(saved):
    report = stored_report(saved["confidence"].read_text("utf-8"), "r")
    plot = Plot("columns", "svg", measures=["strong_link_match"], level=0.9)
    with styled():
        (axes,) = figure_of(plot, {"r": report}).axes
        bars = [line for one in axes.collections for line in one.get_segments()]
    found = sorted(tuple(np.round(sorted(y for _, y in bar), 9)) for bar in bars)
    expected = []
    for system in report.systems:
        for one in system.estimates:
            if one.measure == "strong_link_match":
                interval = next(i for i in one.intervals["f1"] if i.level == 0.9)
                expected.append((round(interval.low, 9), round(interval.high, 9)))
    assert found == sorted(expected)


def test_scatter_puts_recall_across_and_precision_up(saved):
    report = stored_report(saved["evaluate"].read_text("utf-8"), "r")
    with styled():
        figure = figure_of(Plot("scatter", "svg", measures=["entity_match"]), {"r": report})
        found = points(figure)
    expected = [
        (score.recall, score.precision)
        for system in report.systems
        for score in system.scores
        if score.measure == "entity_match" and not score.slice and not score.group
    ]
    assert np.array(sorted(found)) == pytest.approx(np.array(sorted(expected)))


def test_f1_is_the_same_all_along_a_curve(saved):
    report = stored_report(saved["evaluate"].read_text("utf-8"), "r")
    for zoom in (False, True):
        with styled():
            (axes,) = figure_of(Plot("scatter", "svg", zoom=zoom), {"r": report}).axes
            curves = [line for line in axes.lines if line.get_marker() not in MARKERS]
            named = [text.get_text() for text in axes.texts if text.get_text().startswith("F1")]
        assert len(curves) == len(named) >= 2
        for curve, name in zip(curves, named, strict=True):
            recall, precision = np.array(curve.get_data())
            f1 = 2 * recall * precision / (recall + precision)
            assert f1 == pytest.approx(np.full(len(f1), float(name.split()[1])))


def test_what_varies_can_be_chosen(saved):
    svg = drawn(
        saved["evaluate"],
        "columns",
        axis="parts",
        series="systems",
        measures=["entity_match"],
        systems=["sloppy", "names"],
    )
    shown = texts(svg)
    assert {"sloppy", "names", "alias", "anaphoric"} <= set(shown)
    assert "everything" not in shown
    assert any("entity_match" in text for text in shown)
    values = texts(drawn(saved["evaluate"], "rows", values=["precision", "recall"], part="alias"))
    assert {"P", "R", "score"} <= set(values)
    assert any("alias" in text for text in values)


def test_sorting_puts_the_best_first(saved):
    report = stored_report(saved["evaluate"].read_text("utf-8"), "r")
    with styled():
        plot = Plot("rows", "svg", measures=["strong_link_match"], sort=True)
        (axes,) = figure_of(plot, {"r": report}).axes
        names = [label.get_text() for label in axes.get_yticklabels()]
        scores = [x for x, _ in sorted(points(axes.figure), key=lambda place: place[1])]
    assert names == ["everything", "sloppy", "names"]
    assert scores == sorted(scores, reverse=True)


def test_series_differ_by_more_than_colour():
    assert len(set(MARKERS)) == len(MARKERS) >= 12
    shown = {(COLOURS[i % len(COLOURS)], MARKERS[i % len(MARKERS)]) for i in range(24)}
    assert len(shown) == 24


def test_the_look_does_not_depend_on_the_users_settings(saved):
    import matplotlib as mpl

    before = drawn(saved["evaluate"], "columns")
    with mpl.rc_context({"font.size": 30, "svg.fonttype": "path", "axes.facecolor": "red"}):
        assert drawn(saved["evaluate"], "columns") == before


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(st.floats(0.3, 0.7), st.floats(0.3, 0.7)), min_size=1, max_size=12, unique=True
    )
)
def test_names_of_points_cover_neither_points_nor_names(places):
    with styled():
        figure, axes = new_figure(6, 6)
        axes.set(xlim=(0, 1), ylim=(0, 1))
        label_points(axes, [(x, y, f"system {i}") for i, (x, y) in enumerate(places)])
        figure.draw_without_rendering()
        renderer = figure.canvas.get_renderer()
        from matplotlib.text import Text

        boxes = [Text.get_window_extent(text, renderer) for text in axes.texts]
        spots = [axes.transData.transform(place) for place in places]
    assert len(boxes) == len(places)
    for one, other in itertools.combinations(boxes, 2):
        common = one.intersection(one, other)
        assert common is None or common.width * common.height < 2
    for box in boxes:
        for x, y in spots:
            assert not (box.x0 + 1 < x < box.x1 - 1 and box.y0 + 1 < y < box.y1 - 1)


def test_equal_points_share_a_label(saved):
    gold = corpus([mention(0, "A")], [mention(0, "A")])
    result = evaluate(gold, {"one": gold, "two": gold}, measures=["strong_link_match"])
    assert "one, two" in texts(draw(Plot("scatter", "svg"), {"r": result}))


def test_undefined_scores_are_said_to_be():
    gold = corpus([mention(0, "A")], [mention(0, "A")])
    silent = Corpus(name="silent")
    result = evaluate(
        gold, {"one": gold, "silent": silent}, measures=["strong_link_match", "strong_nil_match"]
    )
    scatter = texts(draw(Plot("scatter", "svg"), {"r": result}))
    assert "recall  (undefined: silent)" in scatter
    for kind in ("columns", "rows", "heatmap"):
        plot = Plot(kind, "svg", values=["precision"], measures=["strong_nil_match"])
        assert texts(draw(plot, {"r": result})).count("–") == 2


def test_ratios_above_one_are_seen():
    gold = corpus([mention(0, "A"), mention(5, "A")])
    system = corpus([mention(0, "A"), mention(5, "A"), mention(9, "B")])
    measure = "ratio(entity_match, strong_mention_match)"
    result = evaluate(gold, {"s": system}, measures=[measure])
    score = result.systems[0].scores[0].recall
    with styled():
        (axes,) = figure_of(Plot("columns", "svg", values=["recall"]), {"r": result}).axes
        assert axes.get_ylim()[1] > max(1.0, score)
    draw(Plot("heatmap", "png", zoom=True), {"r": result})


def reports(**systems: Corpus):
    gold = corpus([mention(0, "A")], [mention(5, "A")])
    return {
        f"{name}.json": evaluate(gold, {name: system}, measures=["strong_link_match"])
        for name, system in systems.items()
    }


def test_several_reports_are_pooled():
    gold = corpus([mention(0, "A")], [mention(5, "A")])
    found = scores_of(reports(one=gold, two=gold))
    assert found.systems == ["one", "two"]
    same = {"a.json": evaluate(gold, {"s": gold}), "b.json": evaluate(gold, {"s": gold})}
    with pytest.raises(EvaluationError, match="report on a system s"):
        scores_of(same)
    other = {**reports(one=gold), "c.json": evaluate(corpus([mention(9, "A")]), {})}
    with pytest.raises(EvaluationError, match="another gold"):
        scores_of(other)
    strict = evaluate(gold, {"t": gold}, policies={"nil": "exclude"})
    with pytest.raises(EvaluationError, match="in different ways"):
        scores_of({**reports(one=gold), "d.json": strict})
    with pytest.raises(EvaluationError, match="no scores"):
        scores_of({"e.json": evaluate(gold, {})})


def test_intervals_of_a_comparison_are_drawn():
    gold = corpus([mention(0, "A")], [mention(5, "A")], [mention(5, "A")])
    poor = corpus([mention(0, "A")], [mention(5, "B")], [mention(5, "A")])
    how = Intervals((0.8,))
    found = compare(gold, {"a": gold, "b": poor}, sampling=Sampling(50), intervals=how)
    assert scores_of({"c": found}).levels == [0.8]
    shown = texts(draw(Plot("columns", "svg"), {"c": found}))
    assert any("80 % intervals" in text for text in shown)
    with pytest.raises(SpecError, match="There are:"):
        draw(Plot("columns", "svg", level=0.95), {"c": found})


def test_a_correlation_is_no_scores_and_the_other_way_round(saved):
    with pytest.raises(SpecError, match="takes one report"):
        drawn(saved["evaluate"], "correlation")
    with pytest.raises(SpecError, match="show scores"):
        drawn(saved["correlate"], "columns")
    three = {name: corpus([mention(0, "A")]) for name in "abc"}
    result = correlate(evaluate(corpus([mention(0, "A")]), three))
    with pytest.raises(SpecError, match="takes one report"):
        draw(Plot("correlation", "svg"), {"a": result, "b": result})
    assert "–" in texts(draw(Plot("correlation", "svg"), {"a": result}))


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("{", "r.json:1:2: this is no JSON"),
        ("[]", "no report with scores"),
        ('{"systems": [{"name": "s"}]}', "no report with scores"),
        ('{"differences": []}', "no report with scores"),
        ('{"systems": [], "elcurate": 3}', "as this version writes it"),
        ('{"systems": [{"scores": [{"f1": NaN}]}]}', "NaN is no number"),
        ('{"systems": [{"scores": [{"f1": -Infinity}]}]}', "-Infinity is no number"),
    ],
)
def test_files_that_are_no_reports(text, match):
    with pytest.raises(ReadError, match=match):
        stored_report(text, "r.json")


def test_significance_alone_has_no_scores_to_plot(tmp_path, monkeypatch, capsys):
    path = tmp_path / "s.json"
    cli_text("significance", *INPUTS, "--trials", "10", "-f", "json", "-o", path)
    code, out, err = run_cli(monkeypatch, capsys, "plot", "rows", path, "-o", tmp_path / "p.svg")
    assert (code, out) == (2, "")
    assert "no report with scores" in err
    assert not (tmp_path / "p.svg").exists()


def test_standard_input(saved, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO(saved["evaluate"].read_text("utf-8")))
    from elcurate.cli.plot import _stored

    assert _stored("-") == _stored(str(saved["evaluate"]))


def test_all_wrong_arguments_are_reported_together(tmp_path, monkeypatch, capsys):
    wrong = {
        "-o": (tmp_path / "plot.jpg", "no format of plots 'jpg'"),
        "--value": ("f2", "f1"),
        "--axis": ("system", "systems"),
        "--series": ("part", "parts"),
        "--coefficient": ("tau", "kendall"),
        "--size": ("6x4", "Write 6,4"),
    }
    arguments = [part for name, (value, _) in wrong.items() for part in (name, value)]
    code, out, err = run_cli(monkeypatch, capsys, "plot", "bars", "none.json", *arguments)
    assert (code, out) == (2, "")
    for text in ("none.json", "no plot 'bars'", *(text for _, text in wrong.values())):
        assert text in err, text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-m", "strong_link_mach"], "strong_link_match"),
        (["--system", "tagme"], "no score of the system 'tagme'"),
        (["--part", "aliass"], "alias"),
        (["--axis", "parts", "--series", "parts"], "can't both be parts"),
        (["--size", "0,4"], "from 0.5 to 60"),
        (["--size", "nan,4"], "from 0.5 to 60"),
    ],
)
def test_wrong_arguments(saved, tmp_path, monkeypatch, capsys, arguments, message):
    output = ["-o", tmp_path / "p.svg"]
    code, _, err = run_cli(
        monkeypatch, capsys, "plot", "columns", saved["evaluate"], *output, *arguments
    )
    assert code == 2
    assert message in err
    code, _, err = run_cli(
        monkeypatch, capsys, "plot", "rows", saved["evaluate"], saved["evaluate"], *output
    )
    assert code == 2
    assert "given twice" in err


def test_without_matplotlib_the_error_says_what_to_install(saved, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    output = ["-o", tmp_path / "p.svg"]
    code, _, err = run_cli(monkeypatch, capsys, "plot", "columns", saved["evaluate"], *output)
    assert code == 2
    assert 'pip install "elcurate[plot]"' in err


def test_title_and_size(saved):
    svg = drawn(saved["evaluate"], "heatmap", title="My title", size=(3.0, 4.0))
    assert "My title" in texts(svg)
    root = etree.fromstring(svg)
    assert (root.get("width"), root.get("height")) == ("216pt", "288pt")
