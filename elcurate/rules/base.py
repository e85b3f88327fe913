"""The contract of a rule: what it is called, what it looks at, and what it says."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from pydantic import JsonValue

from elcurate.model.change import Change
from elcurate.model.record import Record

Severity = Literal["error", "warning", "info"]
Scope = Literal["corpus", "document", "mention", "link", "reader", "engine"]
FixKind = Literal["safe", "unsafe", "display-only"]

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
"""The worst first."""

FAMILIES: Mapping[str, str] = {
    "F": "text",
    "S": "spans",
    "L": "links",
    "K": "kb",
    "C": "categories",
    "D": "corpus",
    "X": "engine",
}
"""The first letter of a code, and the family it stands for."""

_SCOPES: Mapping[str, Scope] = {
    "Corpus": "corpus",
    "Index": "corpus",
    "Resolved": "corpus",
    "Against": "corpus",
    "Document": "document",
    "Mention": "mention",
    "Link": "link",
}


class Fix(Record):
    """What would remove a finding.

    Attributes:
        kind: ``safe`` keeps the meaning, ``unsafe`` may not, ``display-only`` is never applied.
        edits: All of them are made, or none.
    """

    kind: FixKind
    edits: tuple[Change, ...]


class Finding(Record):
    """Something that a rule found.

    Attributes:
        code, slug, level: Of the rule.
        severity: Of the rule, unless it was set otherwise.
        document: The id; None for what concerns the whole corpus.
        begin, end: The place in the document, if it has one.
        surface: The text at that place.
        found: The value that is wrong.
        message: What is wrong, in a sentence.
        fix: What would remove it.
    """

    code: str
    slug: str
    level: int
    severity: Severity
    document: str | None = None
    begin: int | None = None
    end: int | None = None
    surface: str | None = None
    found: str = ""
    message: str
    fix: Fix | None = None


class Problem(NamedTuple):
    """What a rule yields; the engine adds what the scope tells.

    Attributes:
        message: What is wrong, in a sentence.
        found: The value that is wrong.
        edits: Fields with the values they should get.
        mention: The place of the mention in its document, where the scope doesn't tell.
        link: The place of the link in its mention, where the scope doesn't tell.
        place: Begin and end of a place that is no mention.
        document: The place of the document in its corpus, where the scope doesn't tell.
    """

    message: str
    found: str = ""
    edits: tuple[tuple[str, JsonValue], ...] = ()
    mention: int | None = None
    link: int | None = None
    place: tuple[int, int] | None = None
    document: int | None = None


Check = Callable[..., Iterable[Problem]]


@dataclass(frozen=True)
class Rule:
    """One rule.

    Attributes:
        code: The letter of its family, its level, and a number: ``S101``.
        slug: Its name.
        severity: How bad a finding is unless it is set otherwise.
        scope: What it looks at, from the type of its first parameter; ``reader`` for what only
            the reader of a file can see, ``engine`` for what concerns the check itself.
        takes: The types of its parameters.
        text: What it finds and why that matters: its docstring.
        example: Something it finds.
        source: Where it comes from.
        fix: The kind of its fix, None when it has none.
        check: The function; None for the scopes ``reader`` and ``engine``.
        repairs: The kinds of repair that a reader reports for the same fault.
        default: Whether it runs without being selected.
    """

    code: str
    slug: str
    severity: Severity
    scope: Scope
    takes: tuple[str, ...]
    text: str
    example: str
    source: str
    fix: FixKind | None = None
    check: Check | None = None
    repairs: tuple[str, ...] = ()
    default: bool = True

    @property
    def level(self) -> int:
        """1 for what makes a span or identifier unusable, 2 for faults, 3 for inconsistencies."""
        return int(self.code[1])

    @property
    def asks_gold(self) -> bool:
        """Whether it compares with a gold corpus."""
        return "Against" in self.takes

    @property
    def asks_kb(self) -> bool:
        """Whether it needs a snapshot of the knowledge base."""
        return "Resolved" in self.takes

    @property
    def family(self) -> str:
        """The name of its family."""
        return FAMILIES[self.code[0]]


def rule(
    code: str,
    slug: str,
    severity: Severity,
    *,
    example: str,
    source: str,
    fix: FixKind | None = None,
    repairs: tuple[str, ...] = (),
    default: bool = True,
) -> Callable[[Check], Rule]:
    """Makes a rule of a function; its first parameter's type is the scope, its docstring the text.

    Args:
        code, slug, severity, example, source, fix, repairs, default: As in `Rule`.
    """

    def made(check: Check) -> Rule:
        annotations: dict[str, Any] = inspect.get_annotations(check)
        takes = tuple(str(kind) for name, kind in annotations.items() if name != "return")
        text = inspect.cleandoc(check.__doc__ or "")
        scope = _SCOPES[takes[0]]
        return Rule(
            code, slug, severity, scope, takes, text, example, source, fix, check, repairs, default
        )

    return made


def reader_rule(
    code: str,
    slug: str,
    severity: Severity,
    text: str,
    *,
    example: str,
    source: str,
    repairs: tuple[str, ...] = (),
    scope: Scope = "reader",
) -> Rule:
    """A rule without a function: it reports what readers repair, or what the engine meets."""
    return Rule(code, slug, severity, scope, (), text, example, source, None, None, repairs)


def worst(findings: Iterable[Finding]) -> Severity | None:
    """The worst severity among findings."""
    return min((one.severity for one in findings), key=SEVERITIES.index, default=None)


def at_least(findings: Iterable[Finding], severity: Severity) -> Iterator[Finding]:
    """The findings of a severity or a worse one."""
    limit = SEVERITIES.index(severity)
    return (one for one in findings if SEVERITIES.index(one.severity) <= limit)
