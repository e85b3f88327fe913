"""The documents of gold and system: those that only one of them has, and repeated ids."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from elcurate.errors import EvaluationError
from elcurate.match.policy import Policy
from elcurate.model.table import Table


@dataclass(frozen=True)
class Documents:
    """Document ids, in the order of their files.

    Attributes:
        gold, system: All of each side.
        missing: Those that the system lacks.
        unknown: Those that the gold lacks.
    """

    gold: list[str]
    system: list[str]
    missing: tuple[str, ...]
    unknown: tuple[str, ...]


def compare_documents(name: str, gold: Table, system: Table, policy: Policy) -> Documents:
    """The documents of a gold and a system of that name.

    Raises:
        EvaluationError: for an id that occurs twice, and for documents that the gold lacks unless
            the policy allows them.
    """
    check_documents("the gold", gold)
    check_documents(f"the system {name}", system)
    ours, theirs = (table.documents["document"].to_list() for table in (gold, system))
    known, present = set(ours), set(theirs)
    missing = tuple(document for document in ours if document not in present)
    unknown = tuple(document for document in theirs if document not in known)
    if unknown and policy.unknown == "error":
        some = ", ".join(unknown[:3]) + (", …" if len(unknown) > 3 else "")
        raise EvaluationError(
            f"the system {name} has {len(unknown)} documents that the gold lacks: {some}",
            remedy="Check that both name documents alike, or use --ignore-unknown-documents.",
        )
    return Documents(ours, theirs, missing, unknown)


def check_documents(name: str, table: Table) -> None:
    """Refuses a table in which a document id occurs twice."""
    twice = table.documents.filter(pl.col("document").is_duplicated())["document"]
    if len(twice):
        raise EvaluationError(
            f"{name} has the document {twice[0]!r} twice",
            remedy="Rename one, for example with `elcurate convert --rename-duplicates`.",
        )
