"""The types of UIMA that INCEpTION and DKPro use for entities, and those that we declare."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Any

from lxml import etree
from pydantic import JsonValue

from elcurate.errors import ReadError
from elcurate.formats.source import Source
from elcurate.formats.xml_read import parse_xml, text_of
from elcurate.model.categories import DIMENSIONS
from elcurate.model.corpus import Attributes

_DKPRO = "de.tudarmstadt.ukp.dkpro.core.api."
ENTITY_PACKAGE = f"{_DKPRO}ner.type."
ENTITY = f"{ENTITY_PACKAGE}NamedEntity"
META = f"{_DKPRO}metadata.type.DocumentMetaData"
SENTENCE = f"{_DKPRO}segmentation.type.Sentence"
TOKEN = f"{_DKPRO}segmentation.type.Token"
OWN_TYPE = "elcurate.Document"
"""Holds what UIMA has no place for about a document; INCEpTION leaves out types unknown to it."""
OWN = "elcurate"
"""The feature of entities for the same."""
FACTS = ("documentTitle", "documentUri", "collectionId", "documentBaseUri", "language")
"""The features of DocumentMetaData that are facts about a document."""

STRING, BOOLEAN, LONG, DOUBLE = (
    f"uima.cas.{name}" for name in ("String", "Boolean", "Long", "Double")
)
_INTEGERS = {f"uima.cas.{name}" for name in ("Byte", "Short", "Integer", "Long")}
_FLOATS = {"uima.cas.Float", DOUBLE}
_ANNOTATION = "uima.tcas.Annotation"
_SPECIFIER = "http://uima.apache.org/resourceSpecifier"
_TOOLS = ("uima.", "de.tudarmstadt.ukp.", "org.dkpro.", "org.apache.", "elcurate.")
"""The packages of tools: only what is an entity there is a mention."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_TYPE_NAME = re.compile(rf"{_NAME.pattern}(?:\.{_NAME.pattern})*")
_TAKEN = {"begin", "end", "sofa", "elcurate"}
_WHOLE = re.compile(r"-?\d{1,18}")

Ranges = dict[str, str]
_OURS: Ranges = {
    "value": STRING,
    "identifier": STRING,
    "nil": BOOLEAN,
    "score": DOUBLE,
    **dict.fromkeys(DIMENSIONS, STRING),
    OWN: STRING,
}


def is_layer(type_: str, features: Attributes) -> bool:
    """Whether annotations of a type are mentions: entities, and layers of a project's own."""
    if type_.startswith(ENTITY_PACKAGE):
        return True
    relation = "Governor" in features and "Dependent" in features
    return not type_.startswith(_TOOLS) and not relation


@dataclass
class Types:
    """A type system: the features of each type with their ranges.

    Attributes:
        supertypes: The type that each is derived from.
        features: The features that each declares itself.
    """

    supertypes: dict[str, str] = field(default_factory=dict)
    features: dict[str, Ranges] = field(default_factory=dict)

    @classmethod
    def ours(cls) -> Types:
        """What every file that we write needs."""
        types = cls()
        types.declare(META, "uima.tcas.DocumentAnnotation", ("documentId", *FACTS[:-1]))
        types.declare(SENTENCE)
        types.declare(TOKEN)
        types.declare(OWN_TYPE, features=("rest",))
        types.layer(ENTITY)
        return types

    def declare(
        self, type_: str, supertype: str = _ANNOTATION, features: tuple[str, ...] = ()
    ) -> None:
        """Adds a type whose features are texts."""
        self.supertypes[type_] = supertype
        self.features[type_] = dict.fromkeys(features, STRING)

    def layer(self, type_: str) -> None:
        """Adds a type of mentions, if it is new."""
        if type_ not in self.features:
            entity = type_.startswith(ENTITY_PACKAGE) and type_ != ENTITY
            self.declare(type_, ENTITY if entity else _ANNOTATION)
            self.features[type_].update(_OURS)

    def takes(self, type_: str, name: str, value: JsonValue) -> bool:
        """Makes sure of a feature for a value; whether it can have one of that name."""
        range_ = _range(value)
        if range_ is None or not _NAME.fullmatch(name) or name in _TAKEN:
            return False
        return self.features[type_].setdefault(name, range_) == range_

    def xml(self) -> bytes:
        """The types as a TypeSystem.xml."""
        nsmap: Any = {None: _SPECIFIER}
        root = etree.Element(f"{{{_SPECIFIER}}}typeSystemDescription", nsmap=nsmap)
        types = _inside(root, "types")
        for name, features in self.features.items():
            found = _inside(types, "typeDescription")
            _inside(found, "name", name)
            _inside(found, "supertypeName", self.supertypes[name])
            listed = _inside(found, "features")
            for feature, range_ in features.items():
                one = _inside(listed, "featureDescription")
                _inside(one, "name", feature)
                _inside(one, "rangeTypeName", range_)
        etree.indent(root)
        return etree.tostring(root, xml_declaration=True, encoding="UTF-8") + b"\n"

    def value(self, type_: str, name: str, text: str) -> JsonValue:
        """A value as the feature's range wants it; as it is where it doesn't fit."""
        range_, known = None, type_
        for _ in range(len(self.supertypes) + 1):
            range_ = range_ or self.features.get(known, {}).get(name)
            known = self.supertypes.get(known, "")
        range_ = range_ or _OURS.get(name)
        if range_ == BOOLEAN and text in ("true", "false"):
            return text == "true"
        if range_ in _INTEGERS and _WHOLE.fullmatch(text):
            return int(text)
        if range_ in _FLOATS:
            return _number(text)
        return text


def is_type_name(value: JsonValue) -> bool:
    """Whether a value can be the name of a type of a project's own."""
    return isinstance(value, str) and bool(_TYPE_NAME.fullmatch(value)) and is_layer(value, {})


def read_types(source: Source) -> Types:
    """The types that a TypeSystem.xml declares.

    Raises:
        ReadError: when it is no type system.
    """
    root = parse_xml(source)
    if not isinstance(root.tag, str) or etree.QName(root).localname != "typeSystemDescription":
        raise ReadError("no UIMA type system", path=source.path, remedy="Leave it out.")
    types = Types()
    for found in root.iter("{*}typeDescription"):
        name = text_of(found.find("{*}name")).strip()
        types.declare(name, text_of(found.find("{*}supertypeName")).strip())
        for feature in found.iterfind("{*}features/{*}featureDescription"):
            range_ = text_of(feature.find("{*}rangeTypeName")).strip()
            types.features[name][text_of(feature.find("{*}name")).strip()] = range_
    return types


def _inside(parent: etree._Element, name: str, text: str | None = None) -> etree._Element:
    element = etree.SubElement(parent, f"{{{_SPECIFIER}}}{name}")
    element.text = text
    return element


def _range(value: JsonValue) -> str | None:
    if isinstance(value, bool):
        return BOOLEAN
    if isinstance(value, int):
        return LONG if abs(value) < 10**18 else None
    return DOUBLE if isinstance(value, float) else STRING if isinstance(value, str) else None


def _number(text: str) -> JsonValue:
    try:
        number = float(text)
    except ValueError:
        return text
    return number if math.isfinite(number) else text
