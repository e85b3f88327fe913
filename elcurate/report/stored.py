"""Reports that were saved as JSON, read back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NoReturn

from pydantic import ValidationError

from elcurate.errors import ReadError
from elcurate.evaluation.correlation import CorrelationReport
from elcurate.evaluation.records import Evaluation
from elcurate.evaluation.statistics_records import Comparison, ConfidenceReport
from elcurate.model.record import Record

Stored = Evaluation | ConfidenceReport | Comparison | CorrelationReport

_TOLD_BY: Mapping[str, type[Record]] = {
    "correlations": CorrelationReport,
    "tables": Comparison,
    "method": ConfidenceReport,
    "systems": Evaluation,
}
"""A field that only the records of one kind have, of those that are left."""


def stored_report(text: str, path: str) -> Stored:
    """The report in a file.

    Args:
        text: What the file holds.
        path: Its name, for messages.

    Raises:
        ReadError: for what is no such report.
    """
    try:
        fields = json.loads(text, parse_constant=lambda name: _no_number(name, path))
    except json.JSONDecodeError as error:
        raise ReadError(
            f"this is no JSON: {error.msg}", path=path, line=error.lineno, column=error.colno
        ) from error
    kind = _kind(fields)
    if kind is None:
        raise ReadError(
            "this is no report with scores",
            path=path,
            remedy="Save one with evaluate, confidence, compare or correlate, and -f json.",
        )
    try:
        found: Stored = kind.model_validate(fields)  # type: ignore[assignment]
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise ReadError(
            f"this is no report as this version writes it: {place}: {first['msg']}", path=path
        ) from error
    return found


def _kind(fields: object) -> type[Record] | None:
    if not isinstance(fields, dict):
        return None
    for name, kind in _TOLD_BY.items():
        if name in fields:
            without = kind is Evaluation and not _has_scores(fields)
            return None if without else kind
    return None


def _has_scores(fields: Mapping[str, object]) -> bool:
    systems = fields["systems"]
    return isinstance(systems, list) and all(
        isinstance(one, dict) and "scores" in one for one in systems
    )


def _no_number(name: str, path: str) -> NoReturn:
    raise ReadError(f"{name} is no number", path=path)
