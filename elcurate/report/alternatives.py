"""The choices among gold alternatives as a list."""

from __future__ import annotations

from elcurate.evaluation.alternatives import BACKOFFS, Selected, SelectionReport
from elcurate.report.tables import one_line, plural


def render_text(report: SelectionReport) -> str:
    """A line for each choice, then how many each step made."""
    lines = [f"{_line(one)}\n" for one in report.choices]
    decided = len(report.choices)
    lines.append(
        f"{plural(report.ambiguous, 'ambiguous mention')} of {report.mentions:,}, "
        f"{decided:,} decided, by {' and '.join(report.fields)}:\n"
    )
    lines += [f"  {number:6,} {step}: {BACKOFFS[step]}\n" for step, number in report.counts.items()]
    return "".join(lines)


def _line(one: Selected) -> str:
    surface = "" if one.surface is None else f" [{one_line(one.surface)}]"
    entity = one.alternatives[one.chosen] or "NIL"
    place = f"{one_line(one.document)} {one.begin}-{one.end}{surface}"
    return f"{one.backoff}  {place}  {one_line(entity)}, of {len(one.alternatives)}"
