"""Waivers: findings that somebody looked at and accepts, with the reason."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import Field

from elcurate.model.record import Record
from elcurate.rules.base import Finding
from elcurate.rules.config import load_toml
from elcurate.rules.itself import UNUSED_WAIVER
from elcurate.rules.select import EVERYTHING, Selection, find_rule

FILE = "waivers.toml"


class Waiver(Record):
    """One waiver: the findings of a rule that have every value given here.

    Attributes:
        rule: Code or slug.
        reason: Why the findings are accepted.
        author: Who decided it.
        date: When.
        document, begin, end, surface, found: As in `elcurate.rules.base.Finding`.
        corpus: The name of the corpus; any when None.
    """

    rule: str
    reason: str = Field(min_length=1)
    author: str = Field(min_length=1)
    date: datetime.date
    document: str | None = None
    begin: int | None = None
    end: int | None = None
    surface: str | None = None
    found: str | None = None
    corpus: str | None = None

    def matches(self, finding: Finding) -> bool:
        """Whether the finding is waived."""
        return self.rule in (finding.code, finding.slug) and all(
            getattr(self, name) in (None, getattr(finding, name))
            for name in ("document", "begin", "end", "surface", "found")
        )

    def __str__(self) -> str:
        place = [self.document, None if self.begin is None else f"{self.begin}-{self.end}"]
        return " ".join([self.rule, *(part for part in (*place, self.surface) if part)])


class WaiverFile(Record):
    """The file beside a corpus.

    Attributes:
        waiver: The waivers, each a table ``[[waiver]]``.
    """

    waiver: tuple[Waiver, ...] = ()


class Sorted(NamedTuple):
    """Findings after the waivers.

    Attributes:
        kept: What stands, unused waivers among it.
        waived: What doesn't, with the waiver.
    """

    kept: list[Finding]
    waived: list[tuple[Finding, Waiver]]


def load_waivers(path: Path) -> tuple[Waiver, ...]:
    """Reads a file of waivers.

    Raises:
        ReadError: for what is not TOML, and for waivers without reason, author or date.
        SpecError: for a rule that there isn't.
    """
    waivers = load_toml(path, WaiverFile).waiver
    for waiver in waivers:
        find_rule(waiver.rule)
    return waivers


def waivers_beside(corpus: Path) -> Path | None:
    """The file of waivers in a corpus's folder, or in the corpus when that is a folder."""
    folder = corpus if corpus.is_dir() else corpus.parent
    path = folder / FILE
    return path if path.is_file() else None


def apply_waivers(
    findings: Sequence[Finding],
    waivers: Sequence[Waiver],
    corpus: str,
    selection: Selection = EVERYTHING,
) -> Sorted:
    """Takes out what is waived, and adds a finding for each waiver that matches nothing.

    Args:
        findings: Of one corpus.
        waivers: Those for other corpora are left alone.
        corpus: The corpus's name.
        selection: The rules that ran; waivers for others are left alone.
    """
    mine = [
        waiver
        for waiver in waivers
        if waiver.corpus in (None, corpus) and selection.wants(find_rule(waiver.rule))
    ]
    by_document: defaultdict[str | None, list[Waiver]] = defaultdict(list)
    for waiver in mine:
        by_document[waiver.document].append(waiver)
    result = Sorted([], [])
    used: set[int] = set()
    for finding in findings:
        near = by_document[None]
        if finding.document is not None and finding.document in by_document:
            near = [*by_document[finding.document], *near]
        matching = [one for one in near if one.matches(finding)]
        used.update(map(id, matching))
        if matching:
            result.waived.append((finding, matching[0]))
        else:
            result.kept.append(finding)
    if selection.wants(UNUSED_WAIVER):
        unused = [waiver for waiver in mine if id(waiver) not in used]
        result.kept.extend(selection.weighed(_unused(waiver)) for waiver in unused)
    return result


def _unused(waiver: Waiver) -> Finding:
    rule = UNUSED_WAIVER
    return Finding(
        code=rule.code,
        slug=rule.slug,
        level=rule.level,
        severity=rule.severity,
        document=waiver.document,
        begin=waiver.begin,
        end=waiver.end,
        surface=waiver.surface,
        found=waiver.rule,
        message=f"no finding matches the waiver of {waiver.author}, {waiver.date}: {waiver}",
    )
