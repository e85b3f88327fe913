"""What a fix changed, as lines for people and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from elcurate.model.change import Change
from elcurate.model.record import Record
from elcurate.report.findings import shown, value
from elcurate.rules.fixer import Fixed


class FixSummary(Record):
    """How much was changed.

    Attributes:
        changes: All of them.
        documents: Documents with changes.
        refused: Documents that were left as they were.
        rules: Changes by code.
    """

    changes: int
    documents: int
    refused: int
    rules: dict[str, int]


class FixReport(Record):
    """What ``elcurate fix --format json`` prints.

    Attributes:
        changes: In the order in which they were made.
        refused: Documents that were left as they were, with the reason.
    """

    changes: tuple[Change, ...]
    refused: dict[str, str]
    summary: FixSummary


def fix_report(fixed: Fixed) -> FixReport:
    """The changes with their counts."""
    summary = FixSummary(
        changes=len(fixed.changes),
        documents=len({change.document for change in fixed.changes}),
        refused=len(fixed.refused),
        rules=dict(sorted(Counter(change.rule or "" for change in fixed.changes).items())),
    )
    return FixReport(changes=fixed.changes, refused=fixed.refused, summary=summary)


def render_changes(changes: Iterable[Change]) -> str:
    """Each change on three lines: the place with rule and reason, the old and the new value."""
    return "".join(line + "\n" for change in changes for line in _lines(change))


def _lines(change: Change) -> Iterator[str]:
    link = "" if change.link is None else f" link {change.link + 1}"
    where = f"{shown(change.document or '')} {change.begin}-{change.end}{link}"
    yield f"@@ {where} ‘{shown(change.surface or '')}’  {change.rule} {shown(change.reason or '')}"
    yield f"-{change.field}: {value(change.old)}"
    if change.field not in ("mention", "link"):
        yield f"+{change.field}: {value(change.new)}"
