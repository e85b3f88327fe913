"""Reading Label Studio's JSON: exported projects and tasks made for import."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from elcurate.errors import ReadError
from elcurate.formats import carried
from elcurate.formats.base import Reading, ReadOptions
from elcurate.formats.checks import load_json
from elcurate.formats.labelstudio_regions import OWN, Object, mentions_of, regions_of
from elcurate.formats.source import Source
from elcurate.model.change import Repair
from elcurate.model.corpus import Attributes, Document, Mention, in_order

TASKS, CONFIG = "tasks.json", "config.xml"
TOOL = "labelstudio"
"""The field of a document's metadata with what only the tool needs."""
_LISTS = ("annotations", "completions", "predictions")


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads the tasks of a file, or of the folder that it is in."""
    path = Path(source.path)
    folder = path if source.is_folder else path.parent
    file = source.part(folder / TASKS) if source.is_folder or path.name == CONFIG else source
    if Path(file.path).name == TASKS and (folder / CONFIG).is_file():
        source.part(folder / CONFIG)
    name = source.name if source.is_folder else file.stem
    return Reading(name, _documents(file, options), repairs=file.repairs)


def _documents(file: Source, options: ReadOptions) -> Iterator[Document]:
    try:
        tasks = load_json(file.text())
    except ValueError as error:
        raise ReadError(
            f"not JSON: {error}", path=file.path, remedy="The file may be truncated."
        ) from error
    for number, task in enumerate(tasks if isinstance(tasks, list) else [tasks], 1):
        try:
            yield _Task(file, options, number, task).document()
        except ReadError as error:
            options.fail(error)


class _Task:
    """One task, which makes one document."""

    def __init__(self, file: Source, options: ReadOptions, number: int, task: object) -> None:
        self.path = file.path
        self.repairs = file.repairs
        self.annotators = options.annotators
        self.id = f"{file.stem}-{number}"
        self.task = self.object(task, f"task {number}")
        self.data = self.object(self.task.get("data"), f"data of task {number}")
        for value in (self.data.get("id"), self.task.get("id")):
            if isinstance(value, str) or type(value) is int:
                self.id = str(value)
                break

    def document(self) -> Document:
        """The document."""
        text = self.text()
        chosen = self.annotations()
        tool: dict[str, Any] = {
            "task": {key: self.task[key] for key in self.task if key not in ("data", *_LISTS)}
        }
        mentions: list[Mention] = []
        for annotation, annotator in chosen:
            regions, others = regions_of(self.list(annotation, "result"))
            found = mentions_of(text, regions, self.path, self.id, self.repairs)
            mentions += [_by(annotator, one) for one in found] if len(chosen) > 1 else found
            kept = {key: value for key, value in annotation.items() if key != "result"}
            tool["annotation"] = tool.get("annotation", {}) | kept
            tool["results"] = tool.get("results", []) + others
        rest = self.object(self.data.get(OWN, {}), f"data.{OWN}")
        metadata = {**self.facts(), **self.object(rest.get("metadata", {}), "metadata")}
        if any(tool.values()):
            metadata[TOOL] = {key: value for key, value in tool.items() if value}
        known = {"id": self.id, "text": text, "metadata": metadata}
        made = carried.restored(Document, rest, self.path, self.id, **known)
        return made.model_copy(update={"mentions": in_order(mentions)})

    def facts(self) -> Attributes:
        """The data besides text and id."""
        known = {"text", OWN} | ({"id"} if isinstance(self.data.get("id"), str) else set())
        return {key: value for key, value in self.data.items() if key not in known}

    def text(self) -> str:
        """The text: the field of that name, or the only string that there is."""
        strings = [
            value for key, value in self.data.items() if isinstance(value, str) and key != "id"
        ]
        text = self.data.get("text", strings[0] if len(strings) == 1 else None)
        if isinstance(text, str):
            return text
        raise self.error("its data have no text", "Put the text into the field data.text.")

    def annotations(self) -> list[tuple[Object, str]]:
        """The annotations with their annotators; the predictions where there are none."""
        chosen: list[tuple[Object, str]] = []
        for key in _LISTS:
            found = [self.object(one, f"one of the {key}") for one in self.list(self.task, key)]
            kept = [one for one in found if not one.get("was_cancelled")]
            if chosen and kept:
                self.repair(f"{key}-ignored", f"{len(kept)} {key}", "there are annotations")
                continue
            if len(kept) < len(found):
                self.repair("skipped-annotations", f"{len(found) - len(kept)} {key}", "ignored")
            named = [(one, _annotator(one.get("completed_by"))) for one in kept]
            wanted = self.annotators if key != "predictions" else ()
            chosen += [pair for pair in named if not wanted or pair[1] in wanted]
        return chosen

    def list(self, holder: Object, key: str) -> list[Any]:
        """A field that holds a list, which may be absent."""
        found = holder.get(key) or []
        if isinstance(found, list):
            return found
        raise self.error(f"the {key} are no list", "Export the project as JSON.")

    def object(self, value: object, what: str) -> Object:
        """A value that has to be an object."""
        if isinstance(value, dict):
            return value
        raise self.error(f"{what}: no object", "Export the project as JSON, not as JSON-MIN.")

    def repair(self, kind: str, before: str, after: str) -> None:
        """Reports a repair."""
        self.repairs.append(Repair(kind=kind, where=self.id, before=before, after=after))

    def error(self, message: str, remedy: str) -> ReadError:
        """An error of this task."""
        return ReadError(message, path=self.path, document=self.id, remedy=remedy)


def _by(annotator: str, mention: Mention) -> Mention:
    attributes = {**mention.attributes, "annotator": annotator}
    return mention.model_copy(update={"attributes": attributes})


def _annotator(value: JsonValue) -> str:
    """The mail address or number of who made an annotation."""
    if isinstance(value, dict):
        value = value.get("email") or value.get("id")
    return "" if value is None else str(value)
