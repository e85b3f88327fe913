"""Patches for people: a line for each decision, and a changelog in Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from elcurate.curation.patch import Conflict, Entry, Patch, Side
from elcurate.curation.values import shown
from elcurate.model.record import Record


class PatchConflicts(Record):
    """A patch and what doesn't fit.

    Attributes:
        patch: Its file.
        conflicts: Every place that is not as the patch expects it.
    """

    patch: str
    conflicts: tuple[Conflict, ...] = ()


class PatchCheck(Record):
    """What ``elcurate patch check --format json`` prints: each patch as far as they apply."""

    patches: tuple[PatchConflicts, ...]


class PatchList(Record):
    """What ``elcurate patch show --format json`` prints."""

    patches: tuple[Patch, ...]


_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#])")


def render_patch(patch: Patch) -> str:
    """One line for each decision."""
    return "".join(f"{_where(entry, patch)}: {_line(entry)}\n" for entry in patch.entries)


def summary(patch: Patch) -> str:
    """How many changes there are, in how many documents."""
    documents = {entry.document for entry in patch.entries if entry.document is not None}
    changes = _counted(len(patch.entries), "change")
    return f"{changes} in {_counted(len(documents), 'document')}"


def changelog(patches: Sequence[Patch], name: str) -> str:
    """What patches change, as Markdown: newest last, by document."""
    lines = [f"# Changes of {_plain(name)}", ""]
    for patch in patches:
        header = patch.header
        lines += [f"## {_side(header.old)} → {_side(header.new)}", "", f"{summary(patch)}.", ""]
        by_document: dict[str | None, list[Entry]] = {}
        for entry in patch.entries:
            by_document.setdefault(entry.document, []).append(entry)
        for document, entries in by_document.items():
            lines += [f"### {'The corpus' if document is None else _plain(document)}", ""]
            lines += [f"* {_plain(_place(entry, patch) + _line(entry))}" for entry in entries]
            lines.append("")
    return "\n".join(lines)


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _side(side: Side | None) -> str:
    if side is None:
        return "a version without a fingerprint"
    return f"{_plain(side.name)} `{side.fingerprint}`".strip()


def _where(entry: Entry, patch: Patch) -> str:
    return f"{entry.where}{_surface(entry, patch)}"


def _place(entry: Entry, patch: Patch) -> str:
    if entry.begin is None:
        return ""
    return f"{entry.begin}-{entry.end}{_surface(entry, patch)}: "


def _surface(entry: Entry, patch: Patch) -> str:
    if entry.surface is None or patch.header.masked:
        return ""
    return f" ‘{' '.join(entry.surface.split())}’"


def _line(entry: Entry) -> str:
    """What was decided, and by whom and why."""
    which = f"link {entry.link + 1}" if entry.link is not None else ""
    whole = entry.field in ("document", "mention", "link")
    field = (which or entry.field) if whole else f"{which} {entry.field}".strip()
    by = ", ".join(told for told in (entry.rule, entry.author, entry.date) if told)
    why = ": ".join(told for told in (by, entry.reason) if told)
    return f"{field} {_change(entry, whole=whole)}{f' ({why})' if why else ''}"


def _change(entry: Entry, *, whole: bool) -> str:
    if whole:
        happened = "added" if entry.old is None else "removed"
        return happened if entry.field == "document" else f"{happened} {_content(entry)}".strip()
    return f"{shown(entry.old, 80)} → {shown(entry.new, 80)}"


def _content(entry: Entry) -> str:
    """The entities of a mention or link as a whole."""
    value = entry.new if entry.old is None else entry.old
    if not isinstance(value, dict):
        return ""
    links = value.get("links", []) if entry.field == "mention" else [value]
    entities = [link.get("entity") for link in links if isinstance(link, dict)]  # type: ignore[union-attr]
    return ", ".join(str(entity or "NIL") for entity in entities)


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
