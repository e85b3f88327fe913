"""What readers repaired, as findings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from elcurate.model.change import Repair
from elcurate.model.corpus import Corpus, Document
from elcurate.rules.all import RULES
from elcurate.rules.base import Finding, Rule
from elcurate.rules.texts import REPAIRED

_PLACE = re.compile(r"(.*) (-?\d+)-(-?\d+)", re.DOTALL)


def from_repairs(corpus: Corpus, findings: Iterable[Finding]) -> Iterator[Finding]:
    """A finding for each repair, unless a rule found the same at its place already.

    Args:
        corpus: With its repairs.
        findings: What rules found.
    """
    if not corpus.repairs:
        return
    kinds = {kind: rule for rule in RULES for kind in rule.repairs}
    known = {(one.code, one.document, one.begin, one.end) for one in findings}
    documents = {document.id: document for document in corpus.documents}
    for repair in corpus.repairs:
        found = _finding(kinds.get(repair.kind, REPAIRED), repair, documents)
        if (found.code, found.document, found.begin, found.end) not in known:
            yield found


def _finding(rule: Rule, repair: Repair, documents: dict[str, Document]) -> Finding:
    match = _PLACE.fullmatch(repair.where)
    name = repair.where if match is None else match[1]
    document = documents.get(name)
    begin = end = None
    if document is not None and match is not None:
        begin, end = int(match[2]), int(match[3])
    where = "" if document is not None else f" at {repair.where}"
    said = repair.kind.replace("-", " ") if rule is REPAIRED else "in the file"
    parts = [said + where, _short(repair.before), f"read as {_short(repair.after)}"]
    message = ", ".join(part for part in parts if part not in ("", "read as "))
    surface = None
    if document is not None and document.text is not None and begin is not None:
        surface = document.text[max(begin, 0) : max(end or 0, 0)]
    return Finding(
        code=rule.code,
        slug=rule.slug,
        level=rule.level,
        severity=rule.severity,
        document=None if document is None else document.id,
        begin=begin,
        end=end,
        surface=surface,
        found=repair.kind if rule is REPAIRED else repair.before,
        message=message,
    )


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:79]}…"
