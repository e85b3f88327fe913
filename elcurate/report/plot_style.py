"""How plots look, and how they become files: for print, for readers who don't see all colours,
and the same bytes for the same scores.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from elcurate.errors import ElcurateError
from elcurate.version import VERSION

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("svg", "pdf", "png")
COLOURS = (
    *("#000000", "#0072b2", "#d55e00", "#009e73"),
    *("#cc79a7", "#e69f00", "#56b4e9", "#666666"),
)
"""Okabe and Ito, Color universal design (2008), without yellow, which print loses."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*", "p", "h")
GREY, LIGHT = "#555555", "#d9d9d9"
_METADATA: dict[str, dict[str, str | None]] = {
    "svg": {"Creator": f"elcurate {VERSION}", "Date": None},
    "pdf": {"Creator": f"elcurate {VERSION}", "Producer": None, "CreationDate": None},
    "png": {"Software": f"elcurate {VERSION}"},
}
_SETTINGS: Any = {
    "axes.axisbelow": True,
    "axes.edgecolor": GREY,
    "axes.grid": False,
    "axes.labelsize": 9,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 10,
    "figure.constrained_layout.use": True,
    "figure.titlesize": 10,
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "grid.color": LIGHT,
    "grid.linewidth": 0.6,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "lines.markersize": 5,
    "pdf.fonttype": 42,
    "savefig.dpi": 200,
    "svg.fonttype": "none",
    "svg.hashsalt": "elcurate",
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
}


class PlotError(ElcurateError):
    """A plot that can't be drawn."""


@contextmanager
def styled() -> Iterator[None]:
    """Draws within it look the same whatever the user's own settings are.

    Raises:
        PlotError: when matplotlib is not installed.
    """
    try:
        import matplotlib
    except ImportError as error:
        raise PlotError(
            "plots need matplotlib", remedy='Install it with: pip install "elcurate[plot]".'
        ) from error
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        yield


def new_figure(width: float, height: float) -> tuple[Figure, Axes]:
    """An empty figure of so many inches, and its axes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height))
    FigureCanvasAgg(figure)
    return figure, figure.add_subplot()


def saved(figure: Figure, form: str) -> bytes:
    """A figure as the content of a file.

    Args:
        figure: The figure.
        form: A name in `FORMATS`.
    """
    out = io.BytesIO()
    figure.savefig(out, format=form, metadata=_METADATA[form])
    return out.getvalue()


def colour(place: int) -> str:
    """The colour of a series; markers tell apart those that share it."""
    return COLOURS[place % len(COLOURS)]


def marker(place: int) -> str:
    """The marker of a series."""
    return MARKERS[place % len(MARKERS)]
