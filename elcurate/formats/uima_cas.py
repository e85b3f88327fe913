"""A UIMA CAS as its files give it: feature structures, texts, and which structures are indexed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pydantic import JsonValue

from elcurate.errors import ReadError
from elcurate.formats import carried
from elcurate.formats.checks import LIMIT, load_json
from elcurate.formats.fields import links_of, names_of
from elcurate.formats.offsets import UTF_16, Stated, settle
from elcurate.formats.uima_types import (
    ENTITY,
    ENTITY_PACKAGE,
    FACTS,
    META,
    OWN,
    OWN_TYPE,
    SENTENCE,
    TOKEN,
    is_layer,
)
from elcurate.model.change import Repair
from elcurate.model.corpus import Attributes, Document, Mention, in_order

Object = dict[str, Any]
DEFAULT_VIEW = "_InitialView"
ROLES = ("identifier", "value")
"""The features of entities that hold the identifier and the type."""


@dataclass(frozen=True)
class Structure:
    """A feature structure.

    Attributes:
        type: The name of its type.
        begin, end: Where it is, in UTF-16 units; None for what is no annotation.
        features: The other features but the reference to the text.
        line: Where it stands in the file, if that is known.
    """

    type: str
    begin: int | None
    end: int | None
    features: Attributes
    line: int | None = None


@dataclass
class View:
    """A text with its annotations."""

    name: str
    text: str | None
    structures: list[Structure] = field(default_factory=list)


def chosen(views: list[View], path: str, repairs: list[Repair]) -> View:
    """The view that makes the document: the default one, else the first with a text.

    Raises:
        ReadError: when there is none.
    """
    if not views:
        raise ReadError("the CAS has no view", path=path, remedy="Export the document again.")
    ranked = sorted(views, key=lambda view: (view.name != DEFAULT_VIEW, view.text is None))
    for other in ranked[1:]:
        repairs.append(Repair(kind="view-left-out", where=path, before=other.name))
    return ranked[0]


class CasReader:
    """Makes the document of a view.

    Args:
        view: The view.
        path: The file, for errors.
        name: The document's id, where the file has none.
        repairs: What had to be repaired is added here.
    """

    def __init__(self, view: View, path: str, name: str, repairs: list[Repair]) -> None:
        self.view = view
        self.path = path
        self.repairs = repairs
        self.facts: Object = {}
        self.rest: Object = {}
        self.id = name
        for one in view.structures:
            if one.type == META:
                self._facts(one.features)
            elif one.type == OWN_TYPE:
                self.rest = self._own(one.features.get("rest"))

    def document(self) -> Document:
        """The document."""
        layers: dict[str, int] = {}
        mentions: list[Structure] = []
        for one in self.view.structures:
            if one.type in (META, OWN_TYPE, SENTENCE, TOKEN) or one.begin is None:
                continue
            if is_layer(one.type, one.features):
                mentions.append(one)
            else:
                layers[one.type] = layers.get(one.type, 0) + 1
        for name, count in layers.items():
            self.repair("layer-left-out", f"{count} {name}")
        metadata = {**self.facts, **_object(self.rest.get("metadata"))}
        fields = {"id": self.id, "text": self.view.text, "metadata": metadata}
        spans: Object = {"sentences": self.spans(SENTENCE), "tokens": self.spans(TOKEN)}
        made = carried.restored(Document, {**self.rest, **spans}, self.path, self.id, **fields)
        return made.model_copy(update={"mentions": in_order(self.mentions(mentions))})

    def spans(self, type_: str) -> list[Object]:
        """The places of all annotations of a type."""
        found = [one for one in self.view.structures if one.type == type_]
        return [{"begin": one.begin, "end": one.end} for one in self.places(found)]

    def places(self, found: list[Structure]) -> list[Stated]:
        """Places in code points."""
        stated = []
        for one in found:
            begin, end = one.begin, one.end
            if begin is None or end is None or max(abs(begin), abs(end)) >= LIMIT:
                raise ReadError(
                    f"a {one.type} has no place, or an absurd one",
                    path=self.path,
                    line=one.line,
                    document=self.id,
                    remedy="Offsets count the UTF-16 units of the text.",
                )
            stated.append(Stated(begin, end))
        return settle(self.view.text, stated, self.repairs, self.id, UTF_16)

    def mentions(self, found: list[Structure]) -> list[Mention]:
        """The mentions; annotations that we wrote for alternatives make one."""
        made: dict[tuple[object, ...], Mention] = {}
        for number, (one, place) in enumerate(zip(found, self.places(found), strict=True)):
            own = self._own(one.features.get(OWN))
            mention = self.mention(one, place, own)
            key = (str(own.get("of", f"#{number}")), place.begin, place.end)
            first = made.get(key)
            if first is not None and mention.links:
                links = first.links + mention.links
                made[key] = first.model_copy(update={"links": links})
            else:
                made[key if first is None else (number,)] = mention
        return list(made.values())

    def mention(self, one: Structure, place: Stated, own: Object) -> Mention:
        """The mention that one annotation makes."""
        fields = {name: value for name, value in one.features.items() if name != OWN}
        if one.type.startswith(ENTITY_PACKAGE) and one.type != ENTITY:
            fields.setdefault("value", one.type.removeprefix(ENTITY_PACKAGE))
        more = _object(own.get("link"))
        links = tuple(
            link.model_copy(update={"attributes": {**link.attributes, **more}})
            for link in links_of(fields, self.unknown_category)
        )
        said: Attributes = {} if one.type == ENTITY else {"layer": one.type}
        if not links and one.type == ENTITY and "type" not in fields and "value" in fields:
            fields["type"] = fields.pop("value")
        said |= renamed(fields) if links else fields
        rest = own.get("mention", {})
        span = {"begin": place.begin, "end": place.end, "links": links}
        made = carried.restored(Mention, rest, self.path, self.id, **span)
        return made.model_copy(update={"attributes": {**said, **made.attributes}})

    def unknown_category(self, name: str, value: str) -> None:
        """Reports a category that is none."""
        self.repair("unknown-category", f"{name}={value}", "kept as an attribute")

    def repair(self, kind: str, before: str, after: str = "") -> None:
        """Reports a repair."""
        self.repairs.append(Repair(kind=kind, where=self.id, before=before, after=after))

    def _facts(self, features: Attributes) -> None:
        names = (features.get("documentId"), features.get("documentTitle"))
        self.id = next((name for name in names if isinstance(name, str) and name), self.id)
        self.facts = {
            name: features[name]
            for name in FACTS
            if name in features and not (name == "documentTitle" and features[name] == self.id)
        }

    def _own(self, text: JsonValue) -> Object:
        """The JSON that rides along in a feature."""
        if text is None:
            return {}
        try:
            found = load_json(text) if isinstance(text, str) else None
        except ValueError:
            found = None
        if isinstance(found, dict):
            return found
        raise ReadError(
            "what elcurate wrote for itself was changed",
            path=self.path,
            document=self.id,
            remedy="Without the feature elcurate the rest can be read.",
        )


def renamed(fields: Attributes) -> Attributes:
    """The names of entity and type, as an attribute, where a layer has others than entities."""
    names = dict(zip(ROLES, names_of(fields), strict=True))
    other: Object = {role: name for role, name in names.items() if name not in (None, role)}
    return {"features": other} if other else {}


def _object(value: object) -> Object:
    return value if isinstance(value, dict) else {}
