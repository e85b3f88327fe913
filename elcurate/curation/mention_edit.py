"""The changes of one mention and its links."""

from __future__ import annotations

from typing import Any

from elcurate.curation.mentions_diff import leaves
from elcurate.curation.patch import Entry
from elcurate.curation.values import (
    LINK_FIELDS,
    MENTION_FIELDS,
    change_key,
    dumped,
    expected,
    link_of,
    parsed,
    same,
    spans,
)
from elcurate.model.categories import DIMENSIONS, Categories
from elcurate.model.corpus import Link, Mention

_CATEGORIES = "categories."


class MentionEdit:
    """A mention and what becomes of it.

    Args:
        mention: As it is.
    """

    def __init__(self, mention: Mention) -> None:
        self.mention = mention
        self.gone = False
        self.update: dict[str, Any] = {}
        self.links: dict[int, dict[str, Any]] = {}
        self.removed: set[int] = set()
        self.added: dict[int, Link] = {}

    def take(self, entry: Entry) -> str | None:
        """Takes one change; returns what is different from what it expects."""
        if entry.link is not None:
            return self._link(entry, entry.link)
        if entry.field == "mention":
            self.gone = True
            return _differs(entry, dumped(self.mention))
        if entry.field == "span":
            return self._move(entry)
        if entry.field == "attributes":
            attributes = self.update.get("attributes", self.mention.attributes)
            self.update["attributes"], wrong = change_key(attributes, entry.old, entry.new)
            return wrong
        if entry.field not in MENTION_FIELDS:
            return "a mention has no such field"
        to_json, make = MENTION_FIELDS[entry.field]
        value, wrong = parsed(make, entry.new)
        self.update[entry.field] = value
        return wrong or _differs(entry, to_json(getattr(self.mention, entry.field)))

    def result(self) -> Mention | None:
        """The mention after its changes; None when it is removed."""
        if self.gone:
            return None
        update = dict(self.update)
        if self.links or self.removed or self.added:
            kept = [
                link.model_copy(update=self.links.get(place, {}))
                for place, link in enumerate(self.mention.links)
                if place not in self.removed
            ]
            for place in sorted(self.added):
                kept.insert(place, self.added[place])
            update["links"] = tuple(kept)
        return self.mention.model_copy(update=update)

    def _move(self, entry: Entry) -> str | None:
        target, wrong = parsed(spans, [entry.new])
        if wrong is None:
            self.update |= {"begin": target[0].begin, "end": target[0].end}
        return wrong or _differs(entry, list(self.mention.span))

    def _link(self, entry: Entry, place: int) -> str | None:
        links = self.mention.links
        if entry.links not in (None, len(links)):
            return f"the mention has {len(links)} links, not {entry.links}"
        if entry.field == "link" and entry.old is None:
            link, wrong = parsed(link_of, entry.new)
            self.added[place] = link
            return wrong
        if not 0 <= place < len(links):
            return f"there is no link {place}, the mention has {len(links)}"
        if entry.field == "link":
            self.removed.add(place)
            return _differs(entry, dumped(links[place]))
        if entry.field != "entity" and links[place].entity != entry.entity:
            return f"link {place}: {expected(entry.entity, links[place].entity)}"
        return self._link_field(entry, links[place], self.links.setdefault(place, {}))

    def _link_field(self, entry: Entry, link: Link, update: dict[str, Any]) -> str | None:
        if entry.field == "attributes":
            attributes = update.get("attributes", link.attributes)
            update["attributes"], wrong = change_key(attributes, entry.old, entry.new)
            return wrong
        dimension = entry.field.removeprefix(_CATEGORIES)
        if entry.field.startswith(_CATEGORIES) and dimension in DIMENSIONS:
            value, wrong = parsed(Categories.model_validate, {dimension: entry.new})
            if wrong is None:
                categories = update.get("categories", link.categories)
                told = {dimension: value.leaves(dimension)}
                update["categories"] = categories.model_copy(update=told)
            return wrong or _differs(entry, leaves(link.categories.leaves(dimension)))
        if entry.field not in LINK_FIELDS:
            return "a link has no such field"
        to_json, make = LINK_FIELDS[entry.field]
        update[entry.field], wrong = parsed(make, entry.new)
        return wrong or _differs(entry, to_json(getattr(link, entry.field)))


def _differs(entry: Entry, found: Any) -> str | None:
    if same(found, entry.old):
        return None
    return expected(entry.old, found) + (" already" if same(found, entry.new) else "")
