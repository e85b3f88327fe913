"""Every score on a line of its own, tab- or comma-separated."""

from __future__ import annotations

import csv
import io

from elcurate.evaluation.records import Evaluation
from elcurate.model.categories import DIMENSIONS

COLUMNS = (
    "name",
    "measure",
    *DIMENSIONS,
    "document",
    "type",
    "average",
    "over",
    "gold",
    "system",
    "tp",
    "fp",
    "fn",
    "precision",
    "recall",
    "f1",
    "precision_tp",
    "recall_tp",
    "signature",
)


def render_delimited(evaluation: Evaluation, separator: str) -> str:
    """All scores with a header line; undefined values are empty, numbers unrounded."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    writer.writerow(COLUMNS)
    for system in evaluation.systems:
        for score in system.scores:
            fields = score.model_dump()
            cells = {**fields.pop("slice"), **fields.pop("group")} | fields | {"name": system.name}
            writer.writerow(["" if cells.get(name) is None else cells[name] for name in COLUMNS])
    return out.getvalue()
