"""Findings as text in their context, and as JSON."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TextIO

from pydantic import JsonValue
from rich.console import Console
from rich.markup import escape

from elcurate.model.corpus import Corpus
from elcurate.model.record import Record
from elcurate.report.tables import plural
from elcurate.report.text import ROOM, rendered
from elcurate.rules.base import SEVERITIES, Finding, Fix

CONTEXT = 40
"""How many characters of the text are shown on each side."""

_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_COLOURS = {"error": "red", "warning": "yellow", "info": "cyan"}


@dataclass(frozen=True)
class Checked:
    """A corpus that was checked.

    Attributes:
        path: The file.
        corpus: What it holds.
        findings: What stands.
        waived: How many findings were waived.
        snapshot: The id of the snapshot that was asked.
    """

    path: str
    corpus: Corpus
    findings: Sequence[Finding]
    waived: int = 0
    snapshot: str | None = None


class FindingsSummary(Record):
    """How much was checked and found.

    Attributes:
        corpora, documents, mentions: What was checked.
        findings: All that stand, by severity in ``error``, ``warning`` and ``info``.
        waived: Findings that waivers took out.
        fixable: Findings with a safe fix.
        rules: Findings by code.
        snapshot: The id of the snapshot that was asked; None when there was none.
    """

    corpora: int
    documents: int
    mentions: int
    findings: int
    error: int
    warning: int
    info: int
    waived: int
    fixable: int
    rules: dict[str, int]
    snapshot: str | None = None


class FindingsReport(Record):
    """What ``elcurate validate --format json`` prints."""

    findings: tuple[Finding, ...]
    summary: FindingsSummary


def findings_report(checked: Sequence[Checked]) -> FindingsReport:
    """All findings with their counts."""
    findings = tuple(finding for one in checked for finding in one.findings)
    severities = Counter(finding.severity for finding in findings)
    summary = FindingsSummary(
        corpora=len(checked),
        documents=sum(len(one.corpus.documents) for one in checked),
        mentions=sum(1 for one in checked for _ in one.corpus.mentions()),
        findings=len(findings),
        error=severities["error"],
        warning=severities["warning"],
        info=severities["info"],
        waived=sum(one.waived for one in checked),
        fixable=sum(one.fix is not None and one.fix.kind == "safe" for one in findings),
        rules=dict(sorted(Counter(finding.code for finding in findings).items())),
        snapshot=next((one.snapshot for one in checked), None),
    )
    return FindingsReport(findings=findings, summary=summary)


def render_findings(checked: Sequence[Checked], stream: TextIO | None = None) -> str:
    """Findings with the text around them, by corpus and document, and a line of counts."""
    return rendered(lambda console: _print(checked, console), stream, ROOM)


def shown(text: str) -> str:
    """Text on one line; controls and marks of direction are written as escapes."""
    spaced = re.sub(r"[\n\r\t]+", " ", text)
    return _UNSAFE.sub(lambda match: ascii(match[0])[1:-1], spaced)


def _print(checked: Sequence[Checked], console: Console) -> None:
    for one in checked:
        if not one.findings:
            continue
        console.print(f"[bold]{escape(shown(one.path))}[/]", soft_wrap=True)
        texts = {document.id: document.text for document in one.corpus.documents}
        for finding in one.findings:
            for line in _lines(finding, texts.get(finding.document or "")):
                console.print(line, soft_wrap=True)
        console.print()
    console.print(_counts(findings_report(checked).summary), soft_wrap=True)


def _lines(finding: Finding, text: str | None) -> Iterator[str]:
    colour = _COLOURS[finding.severity]
    place = "" if finding.document is None else f" {escape(shown(finding.document))}"
    if finding.begin is not None:
        place += f" {finding.begin}-{finding.end}"
    found = f" [dim](found: {escape(shown(finding.found[:80]))})[/]" if finding.found else ""
    yield (
        f"[{colour}]{finding.severity}[/] [bold]{finding.code}[/] {finding.slug}{place}: "
        f"{escape(shown(finding.message))}{found}"
    )
    if finding.begin is not None and finding.end is not None:
        yield f"    {_context(text, finding.begin, finding.end, finding.surface)}"
    if finding.fix is not None:
        yield f"    [dim]fix ({finding.fix.kind}):[/] {escape(_edits(finding.fix))}"


def _context(text: str | None, begin: int, end: int, surface: str | None) -> str:
    if text is None or not 0 <= begin <= end <= len(text):
        return f"[reverse]\\[{escape(shown(surface or ''))}][/]"
    before = text[max(begin - CONTEXT, 0) : begin]
    after = text[end : end + CONTEXT]
    first = "…" if begin > CONTEXT else ""
    last = "…" if end + CONTEXT < len(text) else ""
    middle = escape(shown(text[begin:end]))
    return f"{first}{escape(shown(before))}[reverse]\\[{middle}][/]{escape(shown(after))}{last}"


def _edits(fix: Fix) -> str:
    parts = []
    for edit in fix.edits:
        if edit.field in ("mention", "link"):
            parts.append(f"remove the {edit.field}")
        else:
            parts.append(f"{edit.field} {value(edit.old)} → {value(edit.new)}")
    return "; ".join(parts)


def value(one: JsonValue) -> str:
    """A value of a change, for people."""
    if one is None:
        return "NIL"
    if isinstance(one, list):
        return "-".join(str(part) for part in one)
    return shown(str(one))


def _counts(summary: FindingsSummary) -> str:
    counts = [
        plural(getattr(summary, name), name) if name != "info" else f"{summary.info} info"
        for name in SEVERITIES
    ]
    where = f"{plural(summary.mentions, 'mention')} of {plural(summary.documents, 'document')}"
    more = f"; {summary.waived} waived" if summary.waived else ""
    if summary.fixable:
        more += f"; {summary.fixable} can be fixed safely"
    more += f"; snapshot {summary.snapshot}" if summary.snapshot else ""
    return f"{', '.join(counts)} in {where}{more}"
