"""What a Web Annotation says: entities, a type, categories, and the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from elcurate.formats.fields import is_known, score_of
from elcurate.formats.webannotation_terms import ATTRIBUTES, NIL, PREFIXES, SCORE
from elcurate.model.categories import FEL, Categories, find_leaf
from elcurate.model.corpus import Attributes, Link

Object = dict[str, Any]
_NIL = {NIL, PREFIXES["elc"] + "NIL"}


@dataclass
class Entity:
    """One body that identifies; no name is NIL."""

    name: str | None
    score: float | None
    attributes: str


@dataclass
class Said:
    """What the bodies of an annotation say together."""

    entities: list[Entity] = field(default_factory=list)
    type: str | None = None
    pairs: list[tuple[str, str]] = field(default_factory=list)
    attributes: Attributes = field(default_factory=dict)

    def links(self, attributes: Attributes) -> tuple[Link, ...]:
        """The links, alternatives of each other."""
        categories = Categories.of(self.pairs)
        return tuple(
            Link(
                entity=one.name,
                score=one.score,
                type=self.type,
                categories=categories,
                attributes=attributes,
            )
            for one in self.entities
        )

    def bare(self) -> Attributes:
        """Type and categories as attributes of a mention without link."""
        found: Attributes = {} if self.type is None else {"type": self.type}
        return found | Categories.of(self.pairs).model_dump(mode="json", exclude_defaults=True)


def said_of(annotation: Object, whole: bool, report: Callable[[str, str], None]) -> Said:
    """What the bodies of an annotation say.

    Args:
        annotation: The annotation.
        whole: Whether it is of a whole document, so that its tags are entities.
        report: Is told where a category that is none is kept.
    """
    said = Said()
    shared = _names(annotation.get("motivation"))
    if isinstance(annotation.get("bodyValue"), str):
        said.attributes["bodyValue"] = annotation["bodyValue"]
    for body in _bodies(annotation.get("body")):
        purposes = _names(body.get("purpose")) or shared
        value = _value(body)
        if value is None:
            _keep(said, "body", body)
        elif (whole and "tagging" in purposes) or _identifies(purposes, value):
            name = None if value in _NIL else value
            more = str(body.get(ATTRIBUTES, "{}"))
            said.entities.append(Entity(name, score_of(body.get(SCORE)), more))
        elif _classifies(said, body, purposes, value):
            continue
        else:
            if value.startswith((FEL, "fel:")):
                report("an attribute", value)
            _keep(said, purposes[0] if purposes else "body", body)
    return said


def _identifies(purposes: list[str], value: str) -> bool:
    """Whether a body names an entity: by its purpose, or as the page of a knowledge base."""
    if "identifying" in purposes:
        return True
    return not set(purposes) - {"linking", "tagging"} and is_known(value)


def _classifies(said: Said, body: Object, purposes: list[str], value: str) -> bool:
    """Whether a body names a category or the first type, which is then taken."""
    textual = body.get("type") == "TextualBody"
    if not textual and value.startswith((FEL, "fel:")):
        pair = find_leaf(value.removeprefix(FEL).removeprefix("fel:"))
        if pair is None:
            return False
        said.pairs.append(pair)
        return True
    if said.type is not None or not {"classifying", "tagging"} & set(purposes):
        return False
    said.type = value
    return True


def _bodies(found: Any) -> Iterator[Object]:
    """Bodies one by one; a choice is the bodies that it offers."""
    for one in _listed(found):
        if isinstance(one, str):
            yield {"id": one}
        elif isinstance(one, dict) and isinstance(one.get("items"), list):
            for inner in one["items"]:
                if isinstance(inner, dict):
                    purpose = {"purpose": one["purpose"]} if "purpose" in one else {}
                    yield {**purpose, **inner}
                elif isinstance(inner, str):
                    yield {"id": inner}
        elif isinstance(one, dict):
            yield one


def _value(body: Object) -> str | None:
    """What a body consists of: a text, or the IRI of a resource."""
    source = body.get("source", body.get("id"))
    if isinstance(source, dict):
        source = source.get("id")
    value = body.get("value") if "value" in body and "source" not in body else source
    return value if isinstance(value, str) else None


def _keep(said: Said, name: str, body: Object) -> None:
    kept = said.attributes.setdefault(name, [])
    if isinstance(kept, list):
        kept.append(body)


def _names(value: Any) -> list[str]:
    return [one for one in _listed(value) if isinstance(one, str)]


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]
