"""Which rules run, and how severe their findings are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from elcurate.errors import SpecError, suggestion
from elcurate.rules.all import RULES
from elcurate.rules.base import FAMILIES, SEVERITIES, Finding, Rule, Severity

ALL = "ALL"


@dataclass(frozen=True)
class Selection:
    """A choice of rules by code, prefix of a code, slug, family, or ``ALL``.

    What is most specific counts: a whole code or slug before a prefix, the longer prefix before
    the shorter, and ``ignore`` before ``select`` when both are alike. What the engine says of
    itself is left out only by ``ignore``.

    Attributes:
        select: What runs; empty for the default rules.
        ignore: What doesn't.
        severities: Other severities than the rules' own.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severities: Mapping[str, Severity] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = [*self.select, *self.ignore, *self.severities]
        wrong = [name for name in names if not any(_weight(name, rule) for rule in RULES)]
        if wrong:
            raise SpecError("\n".join(_unknown(name) for name in wrong))

    @cached_property
    def _chosen(self) -> dict[str, bool]:
        return {rule.code: self._decide(rule) for rule in RULES}

    @cached_property
    def _severity(self) -> dict[str, Severity]:
        found: dict[str, Severity] = {}
        for rule in RULES:
            fits = [(_weight(name, rule), name) for name in self.severities]
            best = max(fits, default=(0, ""))
            found[rule.code] = self.severities[best[1]] if best[0] else rule.severity
        return found

    def wants(self, rule: Rule) -> bool:
        """Whether findings of a rule are shown."""
        return self._chosen[rule.code]

    def weighed(self, finding: Finding) -> Finding:
        """The finding with the severity that its rule has here."""
        severity = self._severity[finding.code]
        if severity == finding.severity:
            return finding
        return finding.model_copy(update={"severity": severity})

    def _decide(self, rule: Rule) -> bool:
        ignored = _best(self.ignore, rule)
        if self.select and rule.scope != "engine":
            return _best(self.select, rule) > ignored
        return rule.default and not ignored


EVERYTHING = Selection()
"""The default rules."""


def find_rule(name: str) -> Rule:
    """The rule of a code or slug.

    Raises:
        SpecError: when there is none.
    """
    for rule in RULES:
        if name in (rule.code, rule.slug):
            return rule
    known = [text for rule in RULES for text in (rule.code, rule.slug)]
    raise SpecError(f"there is no rule {name!r}", remedy=suggestion(name, known))


def severities(texts: Iterable[str]) -> dict[str, Severity]:
    """The severities in ``CODE=severity``.

    Raises:
        SpecError: for every text that has another form.
    """
    found: dict[str, Severity] = {}
    wrong = []
    for text in texts:
        name, _, value = text.partition("=")
        severity = next((one for one in SEVERITIES if one == value), None)
        if severity is None:
            wrong.append(f"{text!r} is no severity. Write CODE=error, warning or info")
        else:
            found[name] = severity
    if wrong:
        raise SpecError("\n".join(wrong))
    return found


def _best(names: Iterable[str], rule: Rule) -> int:
    return max((_weight(name, rule) for name in names), default=0)


def _weight(name: str, rule: Rule) -> int:
    """How precisely a name means a rule; 0 when it doesn't."""
    if name in (rule.code, rule.slug):
        return 9
    if name == rule.family:
        return 2
    if name and rule.code.startswith(name):
        return 1 + len(name)
    return 1 if name == ALL else 0


def _unknown(name: str) -> str:
    known = [ALL, *FAMILIES.values(), *(text for rule in RULES for text in (rule.code, rule.slug))]
    hint = suggestion(name, known)
    if hint.startswith("Known"):
        hint = f"Families: {', '.join(FAMILIES.values())}. `elcurate list rules` shows the codes"
    return f"there is no rule, family or code that begins with {name!r}. {hint}"
