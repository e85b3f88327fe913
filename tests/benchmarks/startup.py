"""How long an import and a first look at the help take."""

from __future__ import annotations

from tests.benchmarks.measure import Row, best, process


def rows() -> list[Row]:
    """Seconds of whole processes."""
    bare = process("-c", "pass")
    imported = process("-c", "import elcurate") - bare
    shown = process("-m", "elcurate.cli.main", "--help")
    return [
        Row(
            "a Python loop of 20 million additions, to tell the machine", f"{best(_loop, 2):.2f} s"
        ),
        Row("import elcurate", f"{imported:.3f} s", "< 0.25 s"),
        Row("elcurate --help", f"{shown:.3f} s", "< 0.5 s"),
    ]


def _loop() -> int:
    total = 0
    for number in range(20_000_000):
        total += number
    return total
