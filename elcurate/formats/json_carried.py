"""What the JSON formats of other tools have no field for.

It stands in their entries under one key of our own, `KEY`, which the tools ignore. A writer makes
an entry of the tool's fields, reads it as the reader would, and adds only what that reading does
not give.
"""

from __future__ import annotations

from collections.abc import Callable

from elcurate.formats.json_entries import Entry
from elcurate.model.change import Repair
from elcurate.model.corpus import Attributes, Link, Mention, Span
from elcurate.model.record import Record

KEY = "elcurate"


class Carried(Record):
    """What stands under `KEY` in the entry of a mention.

    Attributes:
        links: All links, where the tool's fields don't give them back.
        fragments: The pieces of a discontinuous mention.
        surface: The stated surface.
        attributes: All attributes, where the tool's fields don't give them back.
    """

    links: tuple[Link, ...] | None = None
    fragments: tuple[Span, ...] = ()
    surface: str | None = None
    attributes: Attributes | None = None


class CarriedDocument(Record):
    """What stands under `KEY` in the entry of a document.

    Attributes:
        id: The id, where the tool needs another one.
        metadata: All metadata, where the tool's fields don't give them back.
        numbered: Whether the ids of the labels were made for the tool.
    """

    id: str | None = None
    metadata: Attributes | None = None
    numbered: bool = False


def without(attributes: Attributes, *names: str) -> Entry:
    """The attributes that can stand in an entry beside the fields of these names."""
    return {key: value for key, value in attributes.items() if key not in (*names, KEY)}


def carry(entry: Entry, plain: Mention, mention: Mention) -> None:
    """Adds to an entry what of a mention the tool's own fields don't give back.

    Args:
        entry: The tool's fields.
        plain: The mention as read from them.
        mention: The mention as it is.
    """
    own: Entry = {}
    if mention.links != plain.links:
        own["links"] = [dumped(link) for link in mention.links]
    if mention.fragments:
        own["fragments"] = [dumped(part) for part in mention.fragments]
    if mention.surface is not None:
        own["surface"] = mention.surface
    if mention.attributes != plain.attributes:
        own["attributes"] = mention.attributes
    if own:
        entry[KEY] = own


def restored(
    plain: Mention,
    carried: Carried,
    agrees: Callable[[Mention], bool],
    where: str,
    repairs: list[Repair],
) -> Mention:
    """A mention with what its entry carried.

    Args:
        plain: The mention as read from the tool's fields.
        carried: What stood under `KEY`.
        agrees: Whether the tool's fields of a mention are those of the entry. Where somebody
            changed them since, they count and nothing is restored, which is reported.
        where: The place, for the repair.
        repairs: What had to be repaired is added here.
    """
    change: dict[str, object] = {"fragments": carried.fragments, "surface": carried.surface}
    if carried.links is not None:
        change["links"] = carried.links
    if carried.attributes is not None:
        change["attributes"] = carried.attributes
    mention = plain.model_copy(update=change)
    if carried.links is None or agrees(mention):
        return mention
    repairs.append(Repair(kind="edited-elsewhere", where=where, before=KEY, after="left out"))
    return plain


def dumped(record: Record) -> Entry:
    """A record as JSON, without what has its default."""
    return record.model_dump(mode="json", exclude_defaults=True)
