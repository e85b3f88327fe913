"""What the configuration of a brat collection declares."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Declared:
    """What the configuration of a collection declares.

    Attributes:
        types: The entity types; None without a configuration.
        attributes: The attributes with their values; None without a configuration.
        databases: The databases; None without a configuration.
        bases: Where the identifiers of the databases lead.
    """

    types: frozenset[str] | None = None
    attributes: Mapping[str, frozenset[str]] | None = None
    databases: frozenset[str] | None = None
    bases: Mapping[str, str] = field(default_factory=dict)


def declared(folder: Path) -> Declared:
    """What the nearest configuration in a folder or above it declares."""
    annotation = _sections(_nearest(folder, "annotation.conf"))
    tools = _sections(_nearest(folder, "tools.conf"))
    bases = {
        name: fields["<URLBASE>"]
        for name, fields in tools.get("normalization", ())
        if "%s" in fields.get("<URLBASE>", "")
    }
    known = {name for name, _ in tools.get("normalization", ())}
    for entries in annotation.values():
        for _, fields in entries:
            known |= set(filter(None, fields.get("<NORM>", "").split("|")))
    types = annotation.get("entities", annotation.get("spans"))
    attributes = annotation.get("attributes")
    return Declared(
        types=None if types is None else frozenset(name for name, _ in types),
        attributes=None
        if attributes is None
        else {
            name: frozenset(filter(None, fields.get("Value", "").split("|")))
            for name, fields in attributes
        },
        databases=frozenset(known) if annotation or tools else None,
        bases=bases,
    )


def _nearest(folder: Path, name: str) -> str:
    resolved = folder.resolve()
    for place in (resolved, *resolved.parents):
        with contextlib.suppress(OSError):
            return (place / name).read_text(encoding="utf-8", errors="replace")
    return ""


_Entries = list[tuple[str, dict[str, str]]]


def _sections(text: str) -> dict[str, _Entries]:
    """The entries of each section: a name, and arguments by their names."""
    found: dict[str, _Entries] = {}
    macros: dict[str, str] = {}
    section = ""
    for line in text.splitlines():
        header = re.fullmatch(r"\s*\[(.*)\]\s*", line)
        if header is not None:
            section = header[1]
            found.setdefault(section, [])
            macros = {}
            continue
        macro = re.fullmatch(r"(<[a-zA-Z_-]+>)=\s*(.*?)\s*", line)
        if macro is not None:
            macros[macro[1]] = macro[2]
            continue
        if re.match(r"\s*(#|-+\s*$)", line) or not line.strip():
            continue
        for name, value in macros.items():
            line = line.replace(name, value)
        name, *rest = line.split(maxsplit=1)
        fields = (part.strip().partition(":") for part in "".join(rest).split(","))
        entry = name.split("|")[0].removeprefix("!"), {key: value for key, _, value in fields}
        found.setdefault(section, []).append(entry)
    return found
