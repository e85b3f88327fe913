"""The patch that undoes a patch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from elcurate.curation.hashes import digest, layout
from elcurate.curation.patch import Entry, Patch
from elcurate.curation.values import as_pair

Mention = tuple[str | None, int | None, int | None, int]


def inverse(patch: Patch) -> Patch:
    """The patch from the version after to the version before."""
    mentions: dict[Mention, list[Entry]] = {}
    texts = {entry.document: entry.new for entry in patch.entries if entry.field == "text"}
    for entry in patch.entries:
        mentions.setdefault(_mention(entry), []).append(entry)
    entries = [
        entry.model_copy(
            update={
                "old": entry.new,
                "new": entry.old,
                **_sums(entry, texts),
                **_surfaces(entry),
                **(_after(entry, mentions[_mention(entry)]) if entry.begin is not None else {}),
            }
        )
        for entry in patch.entries
    ]
    header = patch.header
    return Patch.of(entries, header.new, header.old, masked=header.masked)


def _mention(entry: Entry) -> Mention:
    return entry.document, entry.begin, entry.end, entry.mention


def _sums(entry: Entry, texts: dict[str | None, Any]) -> dict[str, Any]:
    if entry.document not in texts or entry.field == "document":
        return {}
    text = texts[entry.document]
    known = isinstance(text, str)
    return {
        "text_hash": digest(text) if known else None,
        "layout_hash": layout(text) if known else None,
    }


def _surfaces(entry: Entry) -> dict[str, Any]:
    if entry.new_surface is None:
        return {}
    return {"surface": entry.new_surface, "new_surface": entry.surface}


def _after(entry: Entry, others: Sequence[Entry]) -> dict[str, Any]:
    """The place of a change after all changes of its mention."""
    update: dict[str, Any] = {}
    for other in others:
        target = as_pair(other.new) if other.field == "span" and other.link is None else None
        if target is not None:
            update |= {"begin": target[0], "end": target[1]}
        if other.field == "entity" and other.link == entry.link and entry.field != "link":
            update["entity"] = other.new
    whole = [other for other in others if other.field == "link" and other.link is not None]
    if entry.links is not None:
        update["links"] = entry.links + sum(1 if other.old is None else -1 for other in whole)
    if entry.link is not None and entry.field != "link":
        update["link"] = _new_place(entry.link, whole)
    return update


def _new_place(place: int, whole: Iterable[Entry]) -> int:
    """Where a link is after others were removed and added."""
    removed = {entry.link for entry in whole if entry.old is not None}
    rank = place - sum(1 for gone in removed if gone is not None and gone < place)
    added = {entry.link for entry in whole if entry.old is None}
    free = -1
    at = -1
    while free < rank:
        at += 1
        free += at not in added
    return at
