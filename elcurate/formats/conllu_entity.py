"""CorefUD's notation for entities: ``Entity=(e1-person-2(e2-place-1-Paris)`` in MISC.

``# global.Entity`` names the fields between the hyphens. Closing brackets have the id alone; the
pieces of a discontinuous mention are ``(e1[1/2]-person-2`` and ``(e1[2/2]-person-2``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import quote, unquote

from elcurate.formats.coref_chains import chain_entity, chain_of
from elcurate.kb.pages import wikipedia_iri
from elcurate.model.corpus import Attributes, Link, Mention

DEFAULT = "eid-etype-head-other"
OURS = "eid-etype-identity-kb"
"""The fields in files made of other formats; ``kb`` is an identifier that is no English title."""

_NUMERIC = re.compile(r"&#([0-9]{1,6});")
_WIKIPEDIA = wikipedia_iri("")
_SAFE = re.compile(r"[^\s()\[\]|=<>,:-]+")
_PLAIN = re.compile(r"[^\s()\[\]|=-]+")
_UNCLUSTERED = "*"

Values = dict[str, str]


class Header:
    """The fields of an entity.

    Args:
        text: The value of ``# global.Entity``.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.fields = text.split("-")
        self.id = "GRP" if "GRP" in self.fields else "eid"
        self.type = "entity" if "entity" in self.fields else "etype"
        self.ours = "kb" in self.fields

    def values(self, chunk: str) -> Values:
        """The fields that a bracket states; the last takes what is left, hyphens too."""
        parts = chunk.split("-", len(self.fields) - 1)
        return {name: part for name, part in zip(self.fields, parts, strict=False) if part}

    def closing(self, chunk: str) -> str:
        """The id of a closing bracket; old files repeat other fields."""
        return self.values(chunk).get(self.id, chunk) if "-" in chunk else chunk

    def bracket(self, values: Values, piece: str = "") -> str:
        """The opening bracket."""
        cells = [values.get(name, "") for name in self.fields]
        cells[self.fields.index(self.id)] += piece
        return "(" + "-".join(cells).rstrip("-")


def entities(
    stated: Sequence[Values], header: Header, document: str
) -> Iterator[tuple[Link, Attributes]]:
    """The link and the other attributes that the fields of each mention state.

    A page named by one mention of a chain is the entity of all that name none.
    """
    pages: dict[str, set[str]] = {}
    for values in stated:
        if "identity" in values:
            pages.setdefault(values[header.id], set()).add(values["identity"])
    known = {header.id, header.type, "identity", "kb"}
    for values in stated:
        chain = values[header.id]
        attributes: Attributes = {
            name: value for name, value in values.items() if name not in known
        }
        named = pages.get(chain, set())
        title = values.get("identity") or (next(iter(named)) if len(named) == 1 else None)
        entity: str | None
        if header.ours and "kb" in values:
            entity = None if values["kb"] == _UNCLUSTERED else unquote(values["kb"])
        elif header.ours and "identity" not in values:
            entity = chain_entity(chain, document)
        elif title is not None:
            entity = wikipedia_iri(unquote(_NUMERIC.sub(_character, title)))
            if not header.ours:
                attributes[header.id] = chain
            if "identity" not in values or page(entity) != title:
                attributes["identity"] = values.get("identity", "")
        else:
            entity = chain_entity(chain, document)
        yield Link(entity=entity, type=values.get(header.type)), attributes


def _character(match: re.Match[str]) -> str:
    number = int(match[1])
    return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else match[0]


def page(entity: str) -> str | None:
    """The title of an English page as the notation spells it; None for every other entity."""
    if not entity.startswith(_WIKIPEDIA) or entity == _WIKIPEDIA:
        return None
    title = unquote(entity[len(_WIKIPEDIA) :])
    return _quoted(title) if wikipedia_iri(title) == entity else None


def _quoted(text: str) -> str:
    return quote(text, safe="/:.,_~!'*;@$+").replace("-", "%2D")


class Naming:
    """Finds the fields of mentions.

    Args:
        header: The fields to fill.
        document: The document's id.
        mentions: Its mentions.
        names: The ids given to entities so far, in this document and before.
    """

    def __init__(
        self, header: Header, document: str, mentions: Iterable[Mention], names: dict[str, str]
    ) -> None:
        self.header = header
        self.document = document
        self.names = names
        self.stated = [self._values(mention) for mention in mentions]

    def _values(self, mention: Mention) -> Values:
        header = self.header
        values = {
            name: value
            for name in header.fields
            if isinstance(value := mention.attributes.get(name), str) and _fits(name, value)
        }
        link = mention.links[0] if mention.links else Link()
        if link.type is not None and _PLAIN.fullmatch(link.type):
            values[header.type] = link.type
        if "identity" in header.fields and "identity" not in values and link.entity is not None:
            title = None if "identity" in mention.attributes else page(link.entity)
            if title is not None:
                values["identity"] = title
        if header.id not in values or header.ours:
            values[header.id] = self._id(link.entity)
        named = "identity" in values or self._chain(link.entity) is not None
        if header.ours and not named:
            values["kb"] = _UNCLUSTERED if link.entity is None else _quoted(link.entity)
        return values

    def _chain(self, entity: str | None) -> str | None:
        chain = None if entity is None else chain_of(entity, self.document)
        return chain if chain is not None and _SAFE.fullmatch(chain) else None

    def _id(self, entity: str | None) -> str:
        chain = self._chain(entity)
        if chain is not None:
            return chain
        key = f"\0{len(self.names)}" if entity is None else entity
        return self.names.setdefault(key, f"el{len(self.names) + 1}")


def _fits(name: str, value: str) -> bool:
    """Whether a field can hold a value; a page's title may have hyphens."""
    return _PLAIN.fullmatch(value.replace("-", "") if name == "identity" else value) is not None
