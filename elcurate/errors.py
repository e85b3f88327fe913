"""The errors that elcurate raises: each says where, what, and what to do about it."""

from __future__ import annotations

from pathlib import Path


class ElcurateError(Exception):
    """Base of all errors meant for the user.

    Args:
        message: What is wrong.
        remedy: What the user can do about it, a short sentence.

    Attributes:
        exit_code: What the command line returns for this error.
    """

    exit_code = 2

    def __init__(self, message: str, *, remedy: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message}. {self.remedy}" if self.remedy else self.message


class ReadError(ElcurateError):
    """An input that can't be read, with its place (line and column from 1)."""

    def __init__(
        self,
        message: str,
        *,
        path: str | Path | None = None,
        line: int | None = None,
        column: int | None = None,
        document: str | None = None,
        remedy: str | None = None,
    ) -> None:
        super().__init__(message, remedy=remedy)
        self.path = None if path is None else str(path)
        self.line = line
        self.column = column
        self.document = document

    def __str__(self) -> str:
        places = [str(part) for part in (self.path, self.line, self.column) if part is not None]
        place = ":".join(places)
        if self.document is not None:
            place = f"{place} (document {self.document})" if place else f"document {self.document}"
        text = super().__str__()
        return f"{place}: {text}" if place else text


class WriteError(ElcurateError):
    """An output that can't be written."""


class SnapshotError(ElcurateError):
    """A snapshot of a knowledge base that can't be made, opened or used here."""


class SpecError(ElcurateError):
    """A measure, policy, profile, membership or expression that doesn't parse or doesn't exist."""


class EvaluationError(ElcurateError):
    """Gold and system that can't be compared as they are."""


def suggestion(name: str, known: list[str]) -> str:
    """A remedy that names the known alternatives, the nearest first.

    Args:
        name: What the user wrote.
        known: The names that exist.
    """
    from difflib import get_close_matches

    close = get_close_matches(name, known, n=3, cutoff=0.5)
    if close:
        return f"Did you mean {' or '.join(close)}?"
    return f"Known: {', '.join(sorted(known))}"
