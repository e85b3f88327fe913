"""A page of documentation for each rule, from the registry."""

from __future__ import annotations

from elcurate.rules.all import RULES
from elcurate.rules.base import Rule

_FIXES = {
    "safe": "safe: applied by `elcurate fix`",
    "unsafe": "unsafe: applied by `elcurate fix --unsafe`",
    "display-only": "shown, never applied",
    None: "none",
}


def rule_pages() -> dict[str, str]:
    """File name to Markdown of every page."""
    return {f"{rule.code}.md": _page(rule) for rule in RULES}


def _page(rule: Rule) -> str:
    facts = {
        "Family": rule.family,
        "Level": str(rule.level),
        "Severity": rule.severity,
        "Looks at": rule.scope,
        "Runs by default": "yes" if rule.default else "no",
        "Fix": _FIXES[rule.fix],
        "Repairs of readers": ", ".join(f"`{kind}`" for kind in rule.repairs) or "none",
        "Source": rule.source,
    }
    rows = [f"| {name} | {value} |" for name, value in facts.items()]
    lines = [
        f"# {rule.code} {rule.slug}",
        "",
        rule.text,
        "",
        f"Example: {rule.example}",
        "",
        "| | |",
        "|:--|:--|",
        *rows,
    ]
    return "\n".join(lines) + "\n"
