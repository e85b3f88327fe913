"""Every score on a line of its own, tab- or comma-separated."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence

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

    def rows() -> Iterator[Mapping[str, object]]:
        for system in evaluation.systems:
            for score in system.scores:
                fields = score.model_dump()
                yield (
                    {**fields.pop("slice"), **fields.pop("group")} | fields | {"name": system.name}
                )

    return lines(COLUMNS, rows(), separator)


def lines(columns: Sequence[str], rows: Iterable[Mapping[str, object]], separator: str) -> str:
    """A header and a line for each row; what is missing or None is empty."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow(["" if row.get(name) is None else row[name] for name in columns])
    return out.getvalue()
