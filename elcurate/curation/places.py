"""The places of a corpus that entries of patches change, as paths, and where they collide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from elcurate.curation.patch import Conflict, Entry
from elcurate.curation.values import as_object, as_pair

Path = tuple[object, ...]


def place(entry: Entry) -> Path:
    """The place of an entry among those of its own patch."""
    if entry.document is None:
        return (None, entry.field, *_key(entry))
    if entry.field == "document":
        return (entry.document,)
    if entry.begin is None:
        return (entry.document, entry.field, *_key(entry))
    mention = (entry.document, "mentions", entry.begin, entry.end, entry.mention)
    if entry.link is None:
        return mention if entry.field == "mention" else (*mention, entry.field, *_key(entry))
    if entry.field == "link":
        return (*mention, "added" if entry.old is None else "links", entry.link)
    return (*mention, "links", entry.link, entry.field, *_key(entry))


def claims(entry: Entry) -> list[Path]:
    """The places that no other patch may touch if both are to apply in any order."""
    if entry.document is None or entry.field == "document":
        return [place(entry)]
    if entry.field == "text":
        return [(entry.document,)]
    if entry.begin is None:
        return [place(entry)]
    mention = (entry.document, "mentions", entry.begin, entry.end, entry.mention)
    if entry.link is None and entry.field == "span":
        target = as_pair(entry.new)
        return [mention, *([(entry.document, "mentions", *target)] if target else [])]
    if entry.field == "mention":
        return [mention[:-1]]
    if entry.link is not None and entry.field == "link":
        return [(*mention, "links")]
    return [place(entry)]


def repeated(numbered: Sequence[tuple[int, Entry]]) -> list[Conflict]:
    """The entries of one patch that change what another entry changes already."""
    lines: dict[Path, int] = {}
    found = []
    for line, entry in numbered:
        if lines.setdefault(place(entry), line) != line:
            message = f"line {lines[place(entry)]} changes the same"
            found.append(Conflict.at(line, entry, message))
    for line, entry in numbered:
        for above in _above(place(entry)):
            if above in lines:
                message = f"line {lines[above]} changes the whole"
                found.append(Conflict.at(line, entry, message))
                break
    return found


def collisions(one: Sequence[Entry], other: Sequence[Entry]) -> Iterator[tuple[Entry, Entry]]:
    """Pairs of entries of two patches, that of the first and that of the second, that collide."""
    claimed: dict[Path, Entry] = {}
    touched: dict[Path, Entry] = {}
    for entry in one:
        for path in claims(entry):
            claimed.setdefault(path, entry)
            for above in (*_above(path), path):
                touched.setdefault(above, entry)
    for entry in other:
        for path in claims(entry):
            rival = touched.get(path) or next(
                (claimed[above] for above in _above(path) if above in claimed), None
            )
            if rival is not None:
                yield rival, entry
                break


def _above(path: Path) -> Iterator[Path]:
    return (path[:length] for length in range(1, len(path)))


def _key(entry: Entry) -> Path:
    if entry.field not in ("metadata", "attributes"):
        return ()
    return (*as_object(entry.old), *as_object(entry.new))[:1]
