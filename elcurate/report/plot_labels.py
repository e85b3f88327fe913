"""Names beside points, placed so that they cover neither points nor each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_DISTANCES = (7, 12, 19, 28, 40, 55, 72, 90, 110)
_ANGLES = (0, 180, 30, 330, 150, 210, 60, 300, 120, 240, 90, 270)
"""Right and left of the point before above and below."""
_NEAR = 14
"""Farther names get a line to their point."""


class Box(NamedTuple):
    """A rectangle in pixels."""

    left: float
    bottom: float
    right: float
    top: float

    def overlap(self, other: Box) -> float:
        """The common area."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.top, other.top) - max(self.bottom, other.bottom)
        return max(width, 0.0) * max(height, 0.0)


def label_points(
    axes: Axes,
    points: Sequence[tuple[float, float, str]],
    bars: Sequence[tuple[float, float, float, float]] = (),
) -> None:
    """Writes a name beside each point; names of equal points stand together.

    Args:
        axes: Where the points are drawn, with final limits.
        points: x, y and name.
        bars: Lines that names keep off where they can: left, bottom, right, top.
    """
    from matplotlib.text import Text

    figure: Any = axes.figure
    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()
    scale = figure.dpi / 72
    together: dict[tuple[float, float], list[str]] = {}
    for x, y, name in points:
        together.setdefault((x, y), []).append(name)
    places = {place: axes.transData.transform(place).tolist() for place in together}
    taken = [_around(at, 4 * scale) for at in places.values()]
    for left, bottom, right, top in bars:
        ends = axes.transData.transform([(left, bottom), (right, top)])
        (x0, y0), (x1, y1) = ends.tolist()
        room = 3 * scale
        taken.append(Box(x0 - room, y0 - room, x1 + room, y1 + room))
    page = _Page(Box(*axes.bbox.extents), scale, taken)
    for place in sorted(together, key=lambda one: (-one[1], one[0])):
        text = axes.annotate(
            ", ".join(together[place]),
            place,
            (0, 0),
            textcoords="offset points",
            fontsize=8,
            zorder=5,
            bbox={
                "boxstyle": "square,pad=0.05",
                "facecolor": "white",
                "alpha": 0.6,
                "linewidth": 0,
            },
            arrowprops={"arrowstyle": "-", "color": "#999999", "linewidth": 0.6, "shrinkB": 3},
        )
        extent = Text.get_window_extent(text, renderer)
        at = places[place]
        box = page.place(at, extent.width, extent.height)
        text.set_position(((box.left - at[0]) / scale, (box.bottom - at[1]) / scale))
        if math.hypot(*_gap(at, box)) < _NEAR * scale and text.arrow_patch:
            text.arrow_patch.set_visible(False)


@dataclass
class _Page:
    """Where names stand already.

    Attributes:
        frame: Names stay within it.
        scale: Pixels of a point of type.
        taken: Points, bars, names and their lines.
    """

    frame: Box
    scale: float
    taken: list[Box]

    def place(self, at: Sequence[float], width: float, height: float) -> Box:
        """The nearest place for a name of that size that covers least; it is then taken."""
        found = []
        for distance in _DISTANCES:
            for angle in _ANGLES:
                x = math.cos(math.radians(angle)) * distance * self.scale
                y = math.sin(math.radians(angle)) * distance * self.scale
                left = at[0] + (x if x > 1 else x - width if x < -1 else x - width / 2)
                bottom = at[1] + y - height / 2
                box = Box(left, bottom, left + width, bottom + height)
                covered = self._covered(at, box)
                found.append((covered > 1, covered, distance, box))
            if not all(bad for bad, *_ in found):
                break
        box = min(found, key=lambda one: one[:3])[3]
        self.taken += [box, *_line(at, box)]
        return box

    def _covered(self, at: Sequence[float], box: Box) -> float:
        """The area that a name and its line would cover, outside the frame too."""
        size = (box.right - box.left) * (box.top - box.bottom)
        lines = sum(part.overlap(other) for part in _line(at, box) for other in self.taken)
        return (
            sum(box.overlap(other) for other in self.taken) + lines + size - box.overlap(self.frame)
        )


def _line(at: Sequence[float], box: Box) -> list[Box]:
    """The line from a point to its name, in small pieces; none for a name close by."""
    end = min(max(at[0], box.left), box.right), min(max(at[1], box.bottom), box.top)
    length = math.dist(at, end)
    steps = [share / 8 for share in range(2, 8)] if length > 30 else []
    return [
        _around([at[0] + (end[0] - at[0]) * share, at[1] + (end[1] - at[1]) * share], 1.5)
        for share in steps
    ]


def _around(at: Sequence[float], radius: float) -> Box:
    x, y = at
    return Box(x - radius, y - radius, x + radius, y + radius)


def _gap(at: Sequence[float], box: Box) -> tuple[float, float]:
    x = max(box.left - at[0], 0.0, at[0] - box.right)
    y = max(box.bottom - at[1], 0.0, at[1] - box.top)
    return x, y
