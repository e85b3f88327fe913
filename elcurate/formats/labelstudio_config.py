"""The labelling configuration of Label Studio for tasks of entity linking."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lxml import etree

from elcurate.formats.xml_text import legal
from elcurate.model.categories import DIMENSIONS

NIL = "NIL"
EXTRA: Mapping[str, str] = {
    "text": "textarea",
    "choices": "choices",
    "taxonomy": "taxonomy",
    "rating": "rating",
    "number": "number",
    "datetime": "datetime",
}
"""The type of a result by the field in its value."""
_TAGS = {
    "textarea": "TextArea",
    "choices": "Choices",
    "taxonomy": "Taxonomy",
    "rating": "Rating",
    "number": "Number",
    "datetime": "DateTime",
}
_OURS: Mapping[str, str] = {"entity": "text", "nil": "choices"} | dict.fromkeys(
    DIMENSIONS, "choices"
)
_TAKEN = {"label", "text", "type", ""}


class Controls:
    """The controls that tasks need, known when all of them are written.

    Attributes:
        labels: The types, in the order of their first use.
        others: The kind of result and its values, of each control besides ours.
    """

    def __init__(self) -> None:
        self.labels: dict[str, None] = {}
        self.others: dict[str, tuple[str, list[Any]]] = {}

    def add(self, name: str, value: dict[str, Any]) -> bool:
        """Makes sure of a control for a result; whether it can be one of that name."""
        ((kind, said),) = value.items()
        if name in _TAKEN or legal(name) != name:
            return False
        if name in _OURS:
            return _OURS[name] == kind
        known, values = self.others.setdefault(name, (kind, []))
        if known != kind:
            return False
        values += said if isinstance(said, list) else []
        return True

    def xml(self) -> bytes:
        """The configuration."""
        view = etree.Element("View")
        etree.SubElement(view, "Style").text = ".htx-text{ white-space: pre-wrap; }"
        labels = etree.SubElement(view, "Labels", name="label", toName="text")
        for label in self.labels:
            etree.SubElement(labels, "Label", value=legal(label))
        etree.SubElement(view, "Text", name="text", value="$text")
        region = etree.SubElement(view, "View", visibleWhen="region-selected")
        _control(region, "entity", "text", maxSubmissions="1", rows="1", editable="true")
        _options(_control(region, "nil", "choices", choice="multiple"), (NIL,))
        for dimension, leaves in DIMENSIONS.items():
            _options(_control(region, dimension, "choices", choice="single"), leaves)
        for name, (kind, values) in self.others.items():
            control = _control(region, name, kind)
            if kind in ("choices", "taxonomy"):
                _options(control, values)
        etree.indent(view)
        return etree.tostring(view, encoding="utf-8") + b"\n"


def _control(view: etree._Element, name: str, kind: str, **settings: str) -> etree._Element:
    header = name.replace("_", " ").capitalize()
    etree.SubElement(view, "Header", value=header, size="6")
    attributes = {"name": name, "toName": "text", "perRegion": "true", **settings}
    return etree.SubElement(view, _TAGS[EXTRA[kind]], attributes)


def _options(control: etree._Element, values: Any) -> None:
    """Choices; those of a taxonomy are paths."""
    for value in values:
        inner = control
        for step in value if isinstance(value, list) else [value]:
            name = legal(str(step))
            known = [one for one in inner if one.get("value") == name]
            inner = known[0] if known else etree.SubElement(inner, "Choice", value=name)
