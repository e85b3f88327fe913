"""Findings for other programs: SARIF 2.1.0, and annotations of GitHub."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from elcurate.report.findings import Checked
from elcurate.rules.all import RULES
from elcurate.rules.base import Finding, Rule
from elcurate.version import VERSION

_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render_sarif(checked: Sequence[Checked]) -> str:
    """Findings in OASIS SARIF 2.1.0.

    Spans count the characters of a document's text, which is no region of the file; they stand in
    the logical location and in the properties.
    """
    codes = sorted({finding.code for one in checked for finding in one.findings})
    places = {code: number for number, code in enumerate(codes)}
    results = [
        _result(one.path, finding, places[finding.code])
        for one in checked
        for finding in one.findings
    ]
    rules = [_rule(RULES.get(code)) for code in codes]
    driver = {"name": "elcurate", "version": VERSION, "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=1, ensure_ascii=False) + "\n"


def render_github(checked: Sequence[Checked]) -> str:
    """Findings as workflow commands, which GitHub shows beside the file."""
    return "".join(
        f"::{_COMMANDS[finding.severity]} file={_property(one.path)},"
        f"title={_property(f'{finding.code} {finding.slug}')}::{_data(_sentence(finding))}\n"
        for one in checked
        for finding in one.findings
    )


def _rule(rule: Rule) -> dict[str, Any]:
    first, _, _ = rule.text.partition("\n\n")
    return {
        "id": rule.code,
        "name": rule.slug,
        "shortDescription": {"text": " ".join(first.split())},
        "fullDescription": {"text": " ".join(rule.text.split())},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"family": rule.family, "level": rule.level},
    }


def _result(path: str, finding: Finding, place: int) -> dict[str, Any]:
    uri = quote(PurePath(path).as_posix())
    location: dict[str, Any] = {"physicalLocation": {"artifactLocation": {"uri": uri}}}
    if finding.document is not None:
        name = finding.document
        if finding.begin is not None:
            name += f" {finding.begin}-{finding.end}"
        location["logicalLocations"] = [{"fullyQualifiedName": name}]
    kept = finding.model_dump(
        mode="json", include={"document", "begin", "end", "surface", "found", "fix"}
    )
    return {
        "ruleId": finding.code,
        "ruleIndex": place,
        "level": _LEVELS[finding.severity],
        "message": {"text": _sentence(finding)},
        "locations": [location],
        "properties": kept,
    }


def _sentence(finding: Finding) -> str:
    place = "" if finding.document is None else f"{finding.document}"
    if finding.begin is not None:
        place += f" {finding.begin}-{finding.end}"
    if finding.surface:
        place += f" ‘{finding.surface}’"
    return f"{place}: {finding.message}" if place else finding.message


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
