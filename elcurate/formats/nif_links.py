"""The links of a NIF annotation node: entities, NIL conventions, categories, types, scores."""

from __future__ import annotations

import math
import re
from urllib.parse import unquote

import pyoxigraph as ox
from pydantic import TypeAdapter

from elcurate.formats import nif_terms as n
from elcurate.formats.checks import load_json
from elcurate.formats.nif_blocks import Block, Blocks, Term
from elcurate.model.categories import NO_CATEGORIES, Categories, find_leaf
from elcurate.model.change import Repair
from elcurate.model.corpus import Attributes, Link, is_nil

_LOCAL_NAME = re.compile(r"[^#/:]*$")
_ATTRIBUTES = TypeAdapter(Attributes)
HANDLED = frozenset(
    {
        n.TYPE,
        n.BEGIN,
        n.END,
        n.ANCHOR,
        n.IS_STRING,
        n.REFERENCE_CONTEXT,
        n.DOCUMENT_CONTEXT,
        n.IDENT,
        n.CLASS,
        n.CONFIDENCE,
        n.ENTITY_TYPE,
        n.ANNOTATION_UNIT,
        n.ELC_TYPE,
        n.ELC_MENTION,
        n.ELC_RANK,
        n.ELC_ENTITY,
        n.ELC_ATTRIBUTES,
        n.ELC_MENTION_ATTRIBUTES,
        n.ELC_FRAGMENTS,
    }
)


class LinkReader:
    """Reads the links of annotation nodes.

    Args:
        found: All blocks of the file; the entity types are taken from them, and repairs added.
        nil_iris: Further IRIs, or beginnings of IRIs, that mean NIL.
    """

    def __init__(self, found: Blocks, nil_iris: tuple[str, ...]) -> None:
        self.repairs = found.repairs
        self.blanks = found.blanks
        self.ours = found.ours
        self.units: dict[str, Block] = {}
        self.nil_iris = nil_iris
        self.types: dict[str, str] = {}
        self._links_made: dict[tuple[str | None, str | None, int], Link] = {}
        self._categories: dict[tuple[str, ...], tuple[Categories, list[str], list[str]]] = {}
        for block in found.blocks:
            if n.BEGIN not in block.props:
                self.units[block.subject] = block
                if n.ENTITY_TYPE in block.props:
                    self._state_type(block)

    def of(self, node: Block, where: str) -> list[Link]:
        """The links of one node; several where it has several taIdentRef or annotation units."""
        units = node.props.get(n.ANNOTATION_UNIT)
        if units:
            parts = [self._unit(value) for value in units]
            links = [(part, link) for part in parts if part for link in self._links(part, where)]
            links.sort(key=lambda pair: rank(pair[0]))
            return [link for _, link in links]
        return self._links(node, where)

    def score(self, block: Block, where: str) -> float | None:
        """taConfidence as a finite number, or None (reported when it is something else)."""
        if n.CONFIDENCE not in block.props:
            return None
        value = block.props[n.CONFIDENCE][0].value
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if math.isfinite(number):
            return number
        self._repair("malformed-confidence", where, before=value)
        return None

    def _unit(self, value: Term) -> Block | None:
        blank = isinstance(value, ox.BlankNode)
        return self.blanks.get(value.value) if blank else self.units.get(value.value)

    def _links(self, node: Block, where: str) -> list[Link]:
        entities, nil_type = self._entities(node, where)
        if not entities:
            return []
        categories, class_type, attributes = self._classes(node, where)
        score = self.score(node, where)
        if self.ours or not node.props.keys() <= HANDLED:
            attributes = attributes | self._attributes(node)
        stated = node.iri(n.ELC_TYPE) if self.ours else None
        known = stated or nil_type or class_type
        links = []
        for entity in entities:
            type_ = stated or self.types.get(entity or "") or known
            if score is None and not attributes:
                links.append(self._plain_link(entity, type_, categories))
            else:
                links.append(
                    Link(
                        entity=entity,
                        score=score,
                        type=type_,
                        categories=categories,
                        attributes=attributes,
                    )
                )
        return links

    def _plain_link(self, entity: str | None, type_: str | None, categories: Categories) -> Link:
        """A link without score and attributes; equal ones are one object."""
        key = entity, type_, id(categories)
        link = self._links_made.get(key)
        if link is None:
            link = Link(entity=entity, type=type_, categories=categories)
            self._links_made[key] = link
        return link

    def _entities(self, node: Block, where: str) -> tuple[list[str | None], str | None]:
        """The entities of a node, and the type of a NIL that a blank node states."""
        stated = node.iri(n.ELC_ENTITY) if self.ours else None
        if stated is not None:
            return [stated], None
        entities: list[str | None] = []
        nil: list[str | None] = []
        nil_type = None
        for value in node.props.get(n.IDENT, ()):
            if type(value) is ox.BlankNode:
                blank = self.blanks.get(value.value)
                type_ = blank.iri(n.ENTITY_TYPE) if blank else None
                nil_type = _local(type_) if type_ else nil_type
                nil = nil or [None]
                continue
            iri = value.value
            if iri != iri.strip():
                self._repair("iri-blanks", where, before=iri, after=iri.strip())
                iri = iri.strip()
            found = n.NIL_IRI.search(iri) if "/notIn" in iri or "/NotIn" in iri else None
            if found or (self.nil_iris and iri.startswith(self.nil_iris)):
                rest = found.group("rest") if found else None
                nil = [rest if rest and is_nil(rest) else None]
                if found and not found.group().startswith("/notInWiki"):
                    self._repair("nil-as-page", where, before=iri, after="NIL")
            elif iri not in entities:
                entities.append(iri)
        return [*entities, *nil], nil_type

    def _classes(self, node: Block, where: str) -> tuple[Categories, str | None, Attributes]:
        values = node.props.get(n.CLASS)
        if not values:
            return NO_CATEGORIES, None, {}
        key = tuple([value.value for value in values])
        if key not in self._categories:
            pairs, types, unknown = [], [], []
            for iri in dict.fromkeys(key):
                pair = find_leaf(_local(iri))
                if pair is not None:
                    pairs.append(pair)
                elif iri.startswith((n.EL, n.WELL_KNOWN["fel"])):
                    unknown.append(iri)
                else:
                    types.append(iri)
            self._categories[key] = Categories.of(pairs), types, unknown
        categories, types, unknown = self._categories[key]
        for iri in unknown:
            self._repair("unknown-category", where, before=iri, after="kept as an attribute")
        surplus = types[1:] + unknown
        attributes: Attributes = {n.CLASS: [f"<{iri}>" for iri in surplus]} if surplus else {}
        return categories, types[0] if types else None, attributes

    def _attributes(self, node: Block) -> Attributes:
        attributes: Attributes = {
            predicate: [str(value) for value in values]
            for predicate, values in node.props.items()
            if predicate not in HANDLED
        }
        stated = node.iri(n.ELC_ATTRIBUTES)
        if stated is not None:
            try:
                attributes |= _ATTRIBUTES.validate_python(load_json(stated))
            except ValueError:
                self._repair("malformed-attributes", node.subject, before=stated)
        return attributes

    def _state_type(self, block: Block) -> None:
        values = [_local(value.value) for value in block.props[n.ENTITY_TYPE]]
        known = self.types.setdefault(block.subject, values[0])
        for value in values:
            if value != known:
                self._repair("several-types", block.subject, before=value, after=known)

    def _repair(self, kind: str, where: str, before: str = "", after: str = "") -> None:
        self.repairs.append(Repair(kind=kind, where=where, before=before, after=after))


def _local(iri: str) -> str:
    """The local name of one of our coarse types or category tags; other IRIs stay whole."""
    found = _LOCAL_NAME.search(iri)
    name = found.group() if found else iri
    if iri.startswith(n.MNT):
        return unquote(name)
    return name if find_leaf(name) else iri


def is_category(iri: str) -> bool:
    """Whether a class would be read as a category rather than an entity type."""
    return iri.startswith((n.EL, n.WELL_KNOWN["fel"])) or find_leaf(_local(iri)) is not None


def rank(block: Block) -> int:
    """The stated place of a node among its like, 0 where none is stated."""
    return number(block.iri(n.ELC_RANK))


def number(text: str | None) -> int:
    """A literal as a whole number, 0 where it is none."""
    return int(text) if text is not None and text.isascii() and text.isdigit() else 0
