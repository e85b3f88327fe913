"""The regions of Label Studio: results of several controls that share an id and a place."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pydantic import JsonValue

from elcurate.formats import carried
from elcurate.formats.fields import links_of
from elcurate.formats.offsets import Stated, settle
from elcurate.model.change import Repair
from elcurate.model.corpus import Attributes, Link, Mention

OWN = "elcurate"
"""The field of data and of meta where we keep what the tool has no place for."""
UNTYPED = "Untyped"
"""The label of links without type: a region needs one."""
MADE_ID = re.compile(r"m\d+(?:-\d+)?")
"""The ids of regions that we write."""
_PLACE = {"start", "end", "startOffset", "endOffset", "globalOffsets"}

Object = dict[str, Any]


@dataclass
class Region:
    """An annotated stretch of text.

    Attributes:
        id: What its results share.
        stated: Its place as the file states it.
        fields: What is said of it, by the names of the controls.
        raw: The same, as the controls write it.
        own: What we keep of it.
    """

    id: str
    stated: Stated
    fields: Attributes = field(default_factory=dict)
    raw: Attributes = field(default_factory=dict)
    own: Object = field(default_factory=dict)

    def add(self, result: Object, value: Object) -> None:
        """Takes the result of one control."""
        text = value.get("text")
        said = {key: value[key] for key in value if key not in _PLACE}
        if isinstance(text, str):
            del said["text"]
        labels = next((said[key] for key in said if key.endswith("labels")), None)
        if isinstance(labels, list):
            surface = text if isinstance(text, str) else None
            self.stated = Stated(self.stated.begin, self.stated.end, surface)
            self.fields |= {"type": labels[0]} if labels and labels[0] != UNTYPED else {}
            self.fields |= {"labels": labels} if len(labels) > 1 else {}
            self.fields |= {"score": result["score"]} if "score" in result else {}
        else:
            name = str(result.get("from_name"))
            self.raw[name] = said
            self.fields[name] = (
                True if said == {"choices": ["NIL"]} and name == "nil" else plain_value(said)
            )
        meta = result.get("meta")
        if isinstance(meta, dict):
            own = meta.get(OWN)
            self.own |= own if isinstance(own, dict) else {}
            notes = {key: meta[key] for key in meta if key != OWN}
            self.fields |= {"meta": notes} if notes else {}

    def unread(self, attributes: Attributes) -> Attributes:
        """Attributes as the controls write them, so that they can be written again."""
        return {name: self.raw.get(name, value) for name, value in attributes.items()}


def regions_of(results: Iterable[Any]) -> tuple[list[Region], list[JsonValue]]:
    """The regions of the text, and the results that belong to none."""
    regions: dict[str, Region] = {}
    others: list[JsonValue] = []
    for number, result in enumerate(results):
        found = result.get("value") if isinstance(result, dict) else None
        value: Object = found if isinstance(found, dict) else {}
        place = _place(value)
        if place is None:
            others.append(result)
            continue
        name = str(result.get("id") or f"m{number}")
        regions.setdefault(name, Region(name, Stated(*place))).add(result, value)
    return list(regions.values()), others


def mentions_of(
    text: str, regions: list[Region], path: str, document: str, repairs: list[Repair]
) -> list[Mention]:
    """The mentions that regions make; those that we wrote for alternatives make one."""

    def unknown(name: str, value: str) -> None:
        before, after = f"{name}={value}", "kept as an attribute"
        repairs.append(Repair(kind="unknown-category", where=document, before=before, after=after))

    places = settle(text, [one.stated for one in regions], repairs, document, same=_same)
    found: dict[str, tuple[Region, Stated, list[Link]]] = {}
    for region, place in zip(regions, places, strict=True):
        more = region.own.get("link")
        links = [
            link.model_copy(
                update={
                    "attributes": {
                        **region.unread(link.attributes),
                        **(more if isinstance(more, dict) else {}),
                    }
                }
            )
            for link in links_of(region.fields, unknown)
        ]
        first = found.get(str(region.own.get("of")))
        if links and first is not None and _span(first[1]) == _span(place):
            first[2].extend(links)
        else:
            found[region.id] = (region, place, links)
    return [_mention(*one, path, document) for one in found.values()]


def _span(place: Stated) -> tuple[int, int]:
    return place.begin, place.end


def _mention(region: Region, place: Stated, links: list[Link], path: str, document: str) -> Mention:
    said = {} if links else region.unread(region.fields)
    if not MADE_ID.fullmatch(region.id):
        said["id"] = region.id
    fields: dict[str, object] = {"begin": place.begin, "end": place.end, "links": tuple(links)}
    if place.surface is not None:
        fields["surface"] = place.surface
    rest = region.own.get("mention", {})
    mention = carried.restored(Mention, rest, path, document, **fields)
    return mention.model_copy(update={"attributes": {**said, **mention.attributes}})


def _place(value: Object) -> tuple[int, int] | None:
    """Begin and end; in pages of HTML they stand beside those within an element."""
    whole = value.get("globalOffsets", value)
    if isinstance(whole, dict):
        begin, end = whole.get("start"), whole.get("end")
        if type(begin) is int and type(end) is int:
            return begin, end
    return None


def plain_value(said: JsonValue) -> JsonValue:
    """The one text or choice that a control says, or all of them."""
    if not isinstance(said, dict) or len(said) != 1:
        return said
    ((kind, listed),) = said.items()
    if kind == "taxonomy" and isinstance(listed, list):
        listed = [path[-1] for path in listed if isinstance(path, list) and path]
    if isinstance(listed, list) and len(listed) == 1:
        return listed[0]
    return listed


def _same(stated: str, found: str) -> bool:
    """Old versions write the two characters backslash and n for a line end."""
    return stated == found or stated.replace("\\n", "\n") == found
