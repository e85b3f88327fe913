"""How long an import and a first look at the help take."""

from __future__ import annotations

from tests.benchmarks.measure import Row, process


def rows() -> list[Row]:
    """Seconds of whole processes."""
    bare = process("-c", "pass")
    imported = process("-c", "import elcurate") - bare
    shown = process("-m", "elcurate.cli.main", "--help")
    return [
        Row("import elcurate", f"{imported:.3f} s", "< 0.25 s"),
        Row("elcurate --help", f"{shown:.3f} s", "< 0.5 s"),
    ]
