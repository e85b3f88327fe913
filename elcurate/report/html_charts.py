"""Line charts as inline SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import floor, log10

from markupsafe import Markup

WIDTH, HEIGHT = 400, 280
_LEFT, _RIGHT, _TOP, _BOTTOM = 50, 110, 12, 44
_LABEL_GAP = 16
_LABEL_LETTERS = 13

COLOURS = 8
_DASHES = ("none", "8 3", "2 3", "9 3 2 3", "5 3")
_MARKERS = (
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0Z",
    "M-3.6-3.6h7.2v7.2h-7.2Z",
    "M0-4.8L4.5 3.4h-9Z",
    "M0-5L5 0L0 5L-5 0Z",
    "M0 4.8L4.5-3.4h-9Z",
    "M-1.5-4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3Z",
    "M0-5L4.8-1.5L3 4.1h-6L-4.8-1.5Z",
)

Points = Sequence[tuple[float, float | None]]


@dataclass(frozen=True)
class Series:
    """A line; its number decides its colour, dashes and marker."""

    name: str
    number: int
    points: Points


@dataclass(frozen=True)
class Chart:
    """Lines over one axis; y is a score from 0 to 1.

    Attributes:
        sparse: Whether only some points get a marker.
    """

    title: str
    description: str
    x_label: str
    y_label: str
    series: Sequence[Series]
    sparse: bool = False

    def svg(self) -> Markup:
        """The chart as an SVG element."""
        frame = _Frame.around(self.series)
        parts = [*_axes(self, frame)]
        for one in self.series:
            parts += _line(one, frame, self)
        parts += _labels(self.series, frame)
        return Markup(
            '<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">'
            "<title>{}</title><desc>{}</desc>{}</svg>"
        ).format(
            WIDTH, frame.height, self.title, self.title, self.description, Markup("").join(parts)
        )


@dataclass(frozen=True)
class _Frame:
    """Where values fall on the drawing."""

    low: float
    high: float
    ticks: tuple[float, ...]
    height: int

    @classmethod
    def around(cls, series: Sequence[Series]) -> _Frame:
        places = sorted({x for one in series for x, _ in one.points}) or [0.0, 1.0]
        low, high = places[0], places[-1]
        if low == high:
            low, high = low - 0.5, high + 0.5
        ticks = tuple(places) if len(places) <= 6 else tuple(nice_ticks(low, high))
        return cls(low, high, ticks, max(HEIGHT, _TOP + _BOTTOM + _LABEL_GAP * len(series)))

    def x(self, value: float) -> float:
        return _LEFT + (WIDTH - _LEFT - _RIGHT) * (value - self.low) / (self.high - self.low)

    def y(self, value: float) -> float:
        return self.bottom - (self.bottom - _TOP) * min(max(value, 0.0), 1.0)

    @property
    def bottom(self) -> int:
        return self.height - _BOTTOM


def nice_ticks(low: float, high: float) -> Iterator[float]:
    """About six round numbers within a range."""
    rough = (high - low) / 6
    power = 10.0 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    number = -floor(-low / step)
    while number * step <= high + step / 1e6:
        yield round(number * step, 12)
        number += 1


def legend_mark(number: int) -> Markup:
    """A sample of a line, for tables and legends."""
    return Markup(
        '<svg class="key c{}" viewBox="0 0 28 12" aria-hidden="true">'
        '<path class="line" d="M0 6H28" stroke-dasharray="{}"/>'
        '<path class="mark" transform="translate(14 6)" d="{}"/></svg>'
    ).format(*_style(number))


def _style(number: int) -> tuple[int, str, str]:
    return number % COLOURS, _DASHES[number % len(_DASHES)], _MARKERS[number % len(_MARKERS)]


def _axes(chart: Chart, frame: _Frame) -> Iterator[Markup]:
    right, bottom = WIDTH - _RIGHT, frame.bottom
    for step in range(6):
        y = frame.y(step / 5)
        yield Markup('<path class="grid" d="M{} {:.1f}H{}"/>').format(_LEFT, y, right)
        yield Markup('<text x="{}" y="{:.1f}" text-anchor="end">{:.1f}</text>').format(
            _LEFT - 7, y + 4, step / 5
        )
    yield Markup('<path class="axis" d="M{} {}V{}H{}"/>').format(_LEFT, _TOP, bottom, right)
    for tick in frame.ticks:
        x = frame.x(tick)
        yield Markup('<path class="axis" d="M{:.1f} {}v5"/>').format(x, bottom)
        yield Markup('<text x="{:.1f}" y="{}" text-anchor="middle">{:g}</text>').format(
            x, bottom + 19, tick
        )
    yield Markup('<text class="name" x="{}" y="{}" text-anchor="middle">{}</text>').format(
        (_LEFT + right) / 2, frame.height - 8, chart.x_label
    )
    yield Markup(
        '<text class="name" transform="translate(11 {}) rotate(-90)" text-anchor="middle">{}</text>'
    ).format((_TOP + bottom) / 2, chart.y_label)


def _line(one: Series, frame: _Frame, chart: Chart) -> Iterator[Markup]:
    colour, dashes, marker = _style(one.number)
    steps = max(1, len(one.points) // 7) if chart.sparse else 1
    offset = one.number * max(1, steps // 4) % steps
    pen, path = "M", []
    for x, y in one.points:
        if y is not None:
            path.append(f"{pen}{frame.x(x):.1f} {frame.y(y):.1f}")
        pen = "M" if y is None else "L"
    yield Markup('<g class="c{}"><path class="line" stroke-dasharray="{}" d="{}"/>').format(
        colour, dashes, "".join(path)
    )
    for place, (x, y) in enumerate(one.points):
        if y is not None and place % steps == offset:
            yield Markup(
                '<path class="mark" transform="translate({:.1f} {:.1f})" d="{}">'
                "<title>{}, {} {:g}: {:.3f}</title></path>"
            ).format(frame.x(x), frame.y(y), marker, one.name, chart.x_label, x, y)
    yield Markup("</g>")


def _labels(series: Iterable[Series], frame: _Frame) -> Iterator[Markup]:
    """The names at the line ends, moved apart where they would touch."""
    ends = []
    for one in series:
        values = [y for _, y in one.points if y is not None]
        ends.append((frame.y(values[-1] if values else 0.0), one, bool(values)))
    ends.sort(key=lambda end: end[0])
    heights = [end[0] for end in ends]
    for place in range(1, len(heights)):
        heights[place] = max(heights[place], heights[place - 1] + _LABEL_GAP)
    limit = float(frame.bottom)
    for place in reversed(range(len(heights))):
        heights[place] = min(heights[place], limit)
        limit = heights[place] - _LABEL_GAP
    for height, (_, one, known) in zip(heights, ends, strict=True):
        short = one.name if len(one.name) <= _LABEL_LETTERS else one.name[:12] + "…"
        yield Markup(
            '<g class="c{}" transform="translate({} {:.1f})"><path class="mark" d="{}"/>'
            '<text class="end" x="10" y="4">{}{}</text></g>'
        ).format(
            one.number % COLOURS,
            WIDTH - _RIGHT + 12,
            height,
            _style(one.number)[2],
            short,
            "" if known else " –",
        )
