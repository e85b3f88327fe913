"""``elcurate demo``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def demo(
    folder: Annotated[
        Path, typer.Option("--folder", "-o", help="Where the files of the tour go.")
    ] = Path("elcurate-demo"),
) -> None:
    """Run the whole path on the bundled sample corpus, with a short explanation of each step.

    Examples:

      elcurate demo

      elcurate demo --folder /tmp/tour
    """
    from elcurate.cli.tour import tour

    tour(folder)
