"""The links that a text-bound annotation states with its attributes and normalisations."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import TypeVar

from pydantic import JsonValue

from elcurate.formats.brat_conf import Declared
from elcurate.formats.brat_entities import entity_of, name_of, page_iri, page_number, rank
from elcurate.formats.brat_lines import Bound, Standoff
from elcurate.formats.brat_notes import Note
from elcurate.formats.brat_terms import ATTRIBUTES, DIMENSION_OF, LABEL, NIL, REFERENCES, leaf_of
from elcurate.model.categories import Categories
from elcurate.model.change import Repair
from elcurate.model.corpus import Attributes, Link, is_nil

Normalisation = tuple[str, str, str]
Statement = TypeVar("Statement", bound=tuple[str | bool, ...])


class LinkReader:
    """Makes links of annotations, and reports what brat doesn't check.

    Args:
        found: The annotations of the document.
        declared: What the configuration declares.
        nil_iris: Beginnings of entities that mean NIL.
    """

    def __init__(self, found: Standoff, declared: Declared, nil_iris: tuple[str, ...]) -> None:
        self.found = found
        self.declared = declared
        self.nil_iris = nil_iris
        self._undeclared: set[tuple[str, ...]] = set()

    def of(self, bound: Bound, type_: str | None, note: Note, notes: Attributes) -> list[Link]:
        """The links of an annotation: one for each identifier in the database that ranks first."""
        self._declare("type", bound, bound.type, known=self.declared.types)
        nil = (NIL, True) in bound.values
        if not bound.normalisations and not nil:
            return []
        categories, attributes = self._said(bound)
        attributes = merged(note.attributes, attributes, notes)
        found = list(self._entities(bound)) or [(None, {})]
        if nil and any(not is_nil(entity) for entity, _ in found):
            self._repair("nil-with-link", bound, NIL, "kept as an attribute")
            attributes = merged({NIL: True}, attributes)
        return [
            Link(
                entity=entity,
                score=note.score,
                type=type_,
                categories=categories,
                attributes=attributes | more,
            )
            for entity, more in found
        ]

    def bare(self, bound: Bound, type_: str | None, notes: Attributes) -> Attributes:
        """The attributes of a mention without link: its type, and what else is said of it."""
        found: Attributes = {} if type_ is None else {"type": type_}
        for name, value in self._values(bound):
            add(found, name, value)
        return merged(found, notes)

    def _said(self, bound: Bound) -> tuple[Categories, Attributes]:
        """The categories, and the attributes that are none."""
        leaves: dict[str, list[str]] = {dimension: [] for dimension in ATTRIBUTES}
        attributes: Attributes = {}
        for name, value in self._values(bound):
            dimension = DIMENSION_OF.get(name)
            leaf = None if dimension is None else self._leaf(bound, dimension, name, str(value))
            if dimension is not None and leaf is not None:
                leaves[dimension].append(leaf)
            elif (name, value) != (NIL, True):
                add(attributes, name, value)
        for dimension, name in ATTRIBUTES.items():
            if len(leaves[dimension]) > 1:
                self._repair("several-values", bound, f"{name} {leaves[dimension]}", "all kept")
            if not leaves[dimension] and any(leaves.values()):
                self._repair("missing-category", bound, name)
        pairs = [(dimension, leaf) for dimension, found in leaves.items() for leaf in found]
        return Categories.of(pairs), attributes

    def _leaf(self, bound: Bound, dimension: str, name: str, value: str) -> str | None:
        leaf, exact = leaf_of(dimension, value)
        if leaf is None:
            self._repair("unknown-category", bound, f"{name} {value}", "kept as an attribute")
        elif not exact:
            self._repair("category-spelling", bound, f"{name} {value}", leaf)
        return leaf

    def _values(self, bound: Bound) -> Iterator[tuple[str, str | bool]]:
        """The attributes, each with each of its values once."""
        for name, value in self._once("repeated-attribute", bound, bound.values):
            known = self.declared.attributes
            self._declare("attribute", bound, name, known=known)
            values = known.get(name) if known is not None and name not in DIMENSION_OF else None
            if values and isinstance(value, str):
                self._declare(f"value of {name}", bound, value, known=values)
            yield name, value

    def _entities(self, bound: Bound) -> Iterator[tuple[str | None, Attributes]]:
        """Each entity with its identifiers in other databases and its name, if that says more."""
        groups: list[tuple[Normalisation, list[Normalisation]]] = []
        early: list[Normalisation] = []
        stated = list(self._once("repeated-normalisation", bound, bound.normalisations))
        main = min(stated, key=lambda one: rank(one[0]))[0] if stated else None
        for one in stated:
            self._declare("database", bound, one[0], known=self.declared.databases)
            if one[0] == main:
                groups.append((one, []))
            else:
                (groups[-1][1] if groups else early).append(one)
        for place, (one, others) in enumerate(groups):
            database, identifier, label = one
            default = name_of(database, identifier)
            more: Attributes = {}
            if label not in ("", default):
                more[LABEL] = label
            others = others if place else early + others
            if others:
                more[REFERENCES] = [_reference(other, label or default) for other in others]
            yield self._entity(bound, one), more

    def _entity(self, bound: Bound, one: Normalisation) -> str | None:
        database, identifier, label = one
        if page_number(database, identifier, label, self.declared.bases):
            entity = page_iri(identifier)
            self._repair("page-number", bound, f"{database}:{identifier}", entity)
        else:
            entity = entity_of(database, identifier, self.declared.bases)
        if self.nil_iris and entity.startswith(self.nil_iris):
            self._repair("nil-as-page", bound, entity, NIL)
            return None
        return entity

    def _once(self, kind: str, bound: Bound, stated: Iterable[Statement]) -> Iterator[Statement]:
        seen: set[Statement] = set()
        for one in stated:
            if one in seen:
                self._repair(kind, bound, " ".join(map(str, one)), "once")
            else:
                seen.add(one)
                yield one

    def _declare(self, kind: str, bound: Bound, name: str, known: Container[str] | None) -> None:
        """Reports, once for the document, a name that the configuration doesn't declare."""
        if known is None or name in known or (kind, name) in self._undeclared:
            return
        self._undeclared.add((kind, name))
        slug = "unknown-database" if kind == "database" else "undeclared"
        self._repair(slug, bound, f"{kind} {name}", "kept")

    def _repair(self, kind: str, bound: Bound, before: str, after: str = "") -> None:
        where = f"{self.found.path}:{bound.line.number}"
        self.found.repairs.append(Repair(kind=kind, where=where, before=before, after=after))


def merged(*several: Attributes) -> Attributes:
    """Attributes with the values of all."""
    found: Attributes = {}
    for attributes in several:
        for name, value in attributes.items():
            for one in value if isinstance(value, list) and name in found else [value]:
                add(found, name, one)
    return found


def add(attributes: Attributes, name: str, value: JsonValue) -> None:
    """Adds a value to an attribute, which becomes a list if it has one already."""
    if name not in attributes:
        attributes[name] = value
    else:
        before = attributes[name]
        attributes[name] = [*(before if isinstance(before, list) else [before]), value]


def _reference(one: Normalisation, shown: str) -> str:
    database, identifier, label = one
    return f"{database}:{identifier}" + (f"\t{label}" if label not in ("", shown) else "")
