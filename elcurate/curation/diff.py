"""The difference of two versions of a corpus, as decisions."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from elcurate.curation.hashes import digest, layout
from elcurate.curation.mentions_diff import mention_changes
from elcurate.curation.patch import Conflict, Entry, Patch, PatchError, Side
from elcurate.curation.values import (
    Json,
    as_object,
    document_value,
    dumped,
    key_changes,
    same,
)
from elcurate.model.change import Change
from elcurate.model.corpus import Corpus, Document, in_order

_PLAIN = ("text", "tags", "sentences", "tokens")


@dataclass(frozen=True)
class Provenance:
    """What is said of every entry of a patch.

    Attributes:
        rule: The code of the rule that decided it.
        author: Who decided it.
        reason: Why.
        date: When, in ISO 8601.
        snapshot: The snapshot of the knowledge base that it rests on.
        changes: Changes that say more of the entries at their place.
    """

    rule: str | None = None
    author: str | None = None
    reason: str | None = None
    date: str | None = None
    snapshot: str | None = None
    changes: Sequence[Change] = field(default=())


def diff(
    old: Corpus, new: Corpus, provenance: Provenance | None = None, *, mask: bool = False
) -> Patch:
    """The patch that makes one version of a corpus the other.

    Names and repairs of the corpora don't count.

    Args:
        old: The version before.
        new: The version after.
        provenance: Who decided, and why.
        mask: Whether surfaces stand as digests, because the text may not be redistributed.

    Raises:
        PatchError: when a document id is not unique, or a masked patch would have to hold text.
    """
    befores, afters = _by_id(old), _by_id(new)
    entries = [
        *(
            Entry(field="metadata", old=a, new=b)
            for a, b in key_changes(old.metadata, new.metadata)
        ),
        *_document_entries(befores, afters),
    ]
    if provenance is not None:
        entries = _attributed(entries, provenance)
    if mask:
        entries = _masked(entries)
    return Patch.of(entries, side(old), side(new), masked=mask)


def side(corpus: Corpus) -> Side:
    """The name and fingerprint of a version."""
    return Side(name=corpus.name, fingerprint=corpus.fingerprint())


def _by_id(corpus: Corpus) -> dict[str, Document]:
    found = {document.id: document for document in corpus.documents}
    if len(found) < len(corpus.documents):
        counts = Counter(document.id for document in corpus.documents)
        twice = counts.most_common(1)[0][0]
        raise PatchError(f"{corpus.name}: the document id {twice!r} occurs twice")
    return found


def _document_entries(befores: dict[str, Document], afters: dict[str, Document]) -> Iterator[Entry]:
    for previous, name in itertools.pairwise([None, *befores]):
        if name is not None and name not in afters:
            yield Entry(document=name, field="document", old=dumped(befores[name]), after=previous)
    common: list[Json] = [name for name in befores if name in afters]
    order: list[Json] = [name for name in afters if name in befores]
    if common != order:
        yield Entry(field="order", old=common, new=order)
    for previous, name in itertools.pairwise([None, *afters]):
        if name is None:
            continue
        if name not in befores:
            yield Entry(document=name, field="document", new=dumped(afters[name]), after=previous)
        elif befores[name].to_json() != afters[name].to_json():
            yield from _within(befores[name], afters[name])


def _within(old: Document, new: Document) -> Iterator[Entry]:
    """The changes of one document."""
    sums = {}
    if old.text is not None:
        sums = {"text_hash": digest(old.text), "layout_hash": layout(old.text)}
    for change in _changes(old, new):
        yield Entry(document=old.id, **change, **sums)


def _changes(old: Document, new: Document) -> Iterator[dict[str, Any]]:
    for before, after in key_changes(old.metadata, new.metadata):
        yield {"field": "metadata", "old": before, "new": after}
    unordered = any(tuple(d.mentions) != in_order(list(d.mentions)) for d in (old, new))
    for name in (*_PLAIN, "mentions") if unordered else _PLAIN:
        before, after = document_value(old, name), document_value(new, name)
        if not same(before, after):
            yield {"field": name, "old": before, "new": after}
    if not unordered:
        yield from mention_changes(old, new)


def _attributed(entries: Iterable[Entry], provenance: Provenance) -> list[Entry]:
    """The entries with what is known of who decided them."""
    names = ("rule", "author", "reason", "date")
    general = {name: getattr(provenance, name) for name in (*names, "snapshot")}
    by_place: dict[tuple[object, ...], Change] = {}
    for change in provenance.changes:
        place = (change.document, change.begin, change.end)
        by_place.setdefault(place, change)
        by_place.setdefault((*place, change.field), change)
        by_place.setdefault((*place, change.field, change.mention, change.link), change)
    found = []
    for entry in entries:
        place = (entry.document, entry.begin, entry.end)
        exact = (*place, entry.field, entry.mention, entry.link)
        why = by_place.get(exact) or by_place.get((*place, entry.field)) or by_place.get(place)
        own = {} if why is None else {name: getattr(why, name) for name in names}
        told = general | {name: value for name, value in own.items() if value is not None}
        found.append(entry.model_copy(update=told))
    return found


def _masked(entries: Sequence[Entry]) -> list[Entry]:
    """The entries with digests for surfaces.

    Raises:
        PatchError: for entries that are nothing without the text.
    """
    telling = tuple(
        Conflict.at(line, entry, "holds text")
        for line, entry in enumerate(entries, 2)
        if _holds_text(entry)
    )
    if telling:
        raise PatchError(
            "a masked patch can't hold text",
            telling,
            remedy="Make it without masking, or leave these changes out.",
        )
    return [
        entry.model_copy(
            update={
                name: digest(surface)
                for name in ("surface", "new_surface")
                if (surface := getattr(entry, name)) is not None
            }
        )
        for entry in entries
    ]


def _holds_text(entry: Entry) -> bool:
    if entry.field in ("text", "surface"):
        return True
    stated = "text" if entry.field == "document" else "surface"
    values = [entry.old, entry.new]
    if entry.field in ("document", "mentions"):
        for whole in (entry.old, entry.new):
            inner = as_object(whole).get("mentions") if isinstance(whole, dict) else whole
            values += inner if isinstance(inner, list) else []
    return any("surface" in as_object(v) or stated in as_object(v) for v in values)
