"""Writing Label Studio's tasks, and the labelling configuration in which they can be edited."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from elcurate.formats import carried
from elcurate.formats.base import Writing
from elcurate.formats.features import place
from elcurate.formats.fields import is_free
from elcurate.formats.labelstudio_config import EXTRA, NIL, Controls
from elcurate.formats.labelstudio_read import CONFIG, TASKS, TOOL
from elcurate.formats.labelstudio_regions import (
    MADE_ID,
    OWN,
    UNTYPED,
    Object,
    plain_value,
    regions_of,
)
from elcurate.model.categories import DIMENSIONS
from elcurate.model.change import Loss
from elcurate.model.corpus import Attributes, Document, Link, Mention

_RESERVED = {"text", "id", OWN}


def write(writing: Writing, folder: Path) -> None:
    """Writes tasks with annotations, one a line, and the configuration."""
    controls = Controls()
    with (folder / TASKS).open("wb") as out:
        separator = b"[\n"
        for document in writing.documents:
            if document.text is None:
                reason = "Label Studio shows texts"
                writing.losses.append(Loss(kind="document", where=document.id, reason=reason))
                continue
            task = _Task(writing, document, document.text, controls).task()
            out.write(separator + json.dumps(task, ensure_ascii=False).encode())
            separator = b",\n"
        out.write(b"[]\n" if separator == b"[\n" else b"\n]\n")
    (folder / CONFIG).write_bytes(controls.xml())


class _Task:
    def __init__(self, writing: Writing, document: Document, text: str, controls: Controls) -> None:
        self.writing = writing
        self.document = document
        self.text = text
        self.controls = controls
        self.ids: set[str] = set()

    def task(self) -> Object:
        """The task: the document's text and facts, and one annotation."""
        rest = carried.of_document(self.document)
        facts: Object = rest.pop("metadata", {})
        tool = _tool(facts.get(TOOL))
        hidden = _RESERVED | (set() if tool else {TOOL})
        kept = {key: facts.pop(key) for key in sorted(hidden & set(facts))}
        facts.pop(TOOL, None)
        rest |= {"metadata": kept} if kept else {}
        facts |= {OWN: rest} if rest else {}
        results = [
            result
            for number, mention in enumerate(self.document.mentions)
            for result in self.mention(number, mention)
        ]
        annotation = {**tool.get("annotation", {}), "result": results + tool.get("results", [])}
        data = {"id": self.document.id, **facts, "text": self.text}
        return {**tool.get("task", {}), "annotations": [annotation], "data": data}

    def mention(self, number: int, mention: Mention) -> Iterator[Object]:
        """The results of a mention: those of one region for each link."""
        rest = carried.of_mention(mention)
        attributes: Attributes = rest.pop("attributes", {})
        name = attributes.get("id")
        if isinstance(name, str) and name and not MADE_ID.fullmatch(name) and name not in self.ids:
            del attributes["id"]
        else:
            name = f"m{number}"
        self.ids.add(name)
        if not mention.links:
            said, hidden = self.said(attributes, attributes.get("type"), bare=True)
            rest |= {"attributes": hidden} if hidden else {}
            yield from self.region(name, mention, said, {"mention": rest} if rest else {})
        rest |= {"attributes": attributes} if mention.links and attributes else {}
        for rank, link in enumerate(mention.links):
            own: Object = {"of": name} if rank else {"mention": rest} if rest else {}
            said, hidden = self.link(mention, link)
            own |= {"link": hidden} if hidden else {}
            yield from self.region(f"m{number}-{rank}" if rank else name, mention, said, own)

    def link(self, mention: Mention, link: Link) -> tuple[Object, Attributes]:
        """What the controls say of a link, and what they can't."""
        said, hidden = self.said(link.attributes, link.type)
        if link.type in (UNTYPED, ""):
            self.lose("types", mention, link.type, "it would be read as no type")
        elif link.type is not None:
            said["type"] = link.type
        if link.score is not None:
            said["score"] = link.score
        if link.entity:
            said["entity"] = {"text": [link.entity]}
        else:
            said["nil"] = {"choices": [NIL]}
            if link.entity is not None:
                self.lose("entity", mention, link.entity, "an empty identifier is none")
        for dimension in DIMENSIONS:
            if leaves := link.categories.leaves(dimension):
                said[dimension] = {"choices": list(leaves)}
        return said, hidden

    def said(
        self, attributes: Attributes, type_: object, bare: bool = False
    ) -> tuple[Object, Attributes]:
        """The attributes that are results of controls, and those that are not."""
        said: Object = {}
        for name, value in attributes.items():
            if name in ("type", "score", "labels", "meta"):
                fits = _fits(name, value, type_) and (bare or name in ("labels", "meta"))
            else:
                ours = bare and name in DIMENSIONS
                fits = isinstance(value, dict) and self.is_result(name, value, ours)
            if fits:
                said[name] = value
        return said, {name: attributes[name] for name in attributes if name not in said}

    def is_result(self, name: str, value: Object, ours: bool) -> bool:
        """Whether an attribute is what a control writes, and there can be one of that name."""
        if len(value) != 1 or next(iter(value)) not in EXTRA:
            return False
        return (ours or is_free(name, plain_value(value))) and self.controls.add(name, value)

    def region(self, name: str, mention: Mention, said: Object, own: Object) -> Iterator[Object]:
        """The results of one region."""
        begin, end = mention.span
        where: Object = {"start": begin, "end": end}
        if 0 <= begin <= end <= len(self.text):
            where["text"] = self.text[begin:end]
        labels = said.pop("labels", [said.get("type", UNTYPED)])
        self.controls.labels |= dict.fromkeys(labels)
        head = {"id": name, "from_name": "label", "to_name": "text", "type": "labels"}
        meta = said.pop("meta", {}) | ({OWN: own} if own else {})
        score = {"score": said.pop("score")} if "score" in said else {}
        yield {
            **head,
            "value": {**where, "labels": labels},
            **score,
            **({"meta": meta} if meta else {}),
        }
        said.pop("type", None)
        for control, value in said.items():
            kind = EXTRA[next(iter(value))]
            yield {
                **head,
                "from_name": control,
                "type": kind,
                "value": {**where, **value},
            }

    def lose(self, kind: str, mention: Mention, what: str | None, reason: str) -> None:
        where = place(self.document, mention)
        self.writing.losses.append(Loss(kind=kind, where=where, what=what or "", reason=reason))


def _tool(found: Any) -> Object:
    """What only the tool needs, if it is as the reader leaves it."""
    if not isinstance(found, dict) or not set(found) <= {"task", "annotation", "results"}:
        return {}
    task, annotation = found.get("task", {}), found.get("annotation", {})
    results = found.get("results", [])
    if not (isinstance(task, dict) and isinstance(annotation, dict) and isinstance(results, list)):
        return {}
    taken = {"data", "annotations", "completions", "predictions"} & set(task)
    regions, _ = regions_of(results)
    lost = taken or regions or "result" in annotation or annotation.get("was_cancelled")
    return {} if lost or not all(found.values()) else found


def _fits(name: str, value: Any, type_: object) -> bool:
    """Whether an attribute can be what a region says beside its controls."""
    if name == "type":
        return isinstance(value, str) and value not in ("", UNTYPED)
    if name == "score":
        return isinstance(value, int | float) and not isinstance(value, bool)
    if name == "labels":
        texts = isinstance(value, list) and all(isinstance(one, str) for one in value)
        return texts and len(value) > 1 and value[0] == type_ not in ("", UNTYPED)
    return isinstance(value, dict) and bool(value) and OWN not in value
