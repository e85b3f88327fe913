"""Repeated, nested and crossing spans as a list and as JSON."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from elcurate.evaluation.span_checks import Place, SpanCheck, SpanFinding
from elcurate.report.tables import one_line, plural

_BETWEEN = {"crossing": "crosses", "nested": "contains"}


def render_json(checks: Sequence[SpanCheck], only: Collection[str]) -> str:
    """The reports of several corpora."""
    reports = [check.report(only).model_dump(mode="json") for check in checks]
    return json.dumps({"corpora": reports}, ensure_ascii=False) + "\n"


def render_text(checks: Sequence[SpanCheck], only: Collection[str]) -> str:
    """The counts of each corpus, then a line for each finding."""
    lines = []
    for check in checks:
        counts = check.counts
        lines.append(
            f"{one_line(check.table.name)}: {plural(counts['duplicate'], 'repeated span')}, "
            f"{plural(counts['crossing'], 'crossing pair')}, "
            f"{plural(counts['nested'], 'nested pair')} "
            f"in {plural(check.table.documents.height, 'document')}\n"
        )
        lines += [f"  {_line(finding)}\n" for finding in check.findings(only)]
    return "".join(lines)


def _line(finding: SpanFinding) -> str:
    start = f"{finding.relation}  {one_line(finding.document)} {_place(finding.first)}"
    if finding.second is None:
        return f"{start} has {plural(finding.mentions, 'mention')}"
    return f"{start} {_BETWEEN[finding.relation]} {_place(finding.second)}"


def _place(place: Place) -> str:
    surface = "" if place.surface is None else f" [{one_line(place.surface)}]"
    return f"{place.begin}-{place.end}{surface}"
