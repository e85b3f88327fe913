"""Reading Web Annotations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from elcurate.errors import ReadError
from elcurate.formats import carried
from elcurate.formats.base import Reading, ReadOptions
from elcurate.formats.checks import load_json
from elcurate.formats.offsets import Stated, settle
from elcurate.formats.source import Source
from elcurate.formats.webannotation_body import Said, said_of
from elcurate.formats.webannotation_target import place_of, targets_of
from elcurate.formats.webannotation_terms import ATTRIBUTES, CORPUS, DOCUMENT, KEPT, MADE_ID, REST
from elcurate.model.change import Repair
from elcurate.model.corpus import Attributes, Document, Mention, Tag, in_order

Object = dict[str, Any]


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads all annotations; documents come in the order of their first annotation."""
    try:
        root = load_json(source.text())
    except ValueError as error:
        raise ReadError(
            f"not JSON: {error}", path=source.path, remedy="The file may be truncated."
        ) from error
    corpus = root.get(CORPUS) if isinstance(root, dict) else None
    return Reading(
        name=source.stem,
        documents=_documents(source, root, options),
        metadata=_loaded(corpus, source.path, "") if corpus is not None else {},
        repairs=source.repairs,
    )


def _documents(source: Source, root: Any, options: ReadOptions) -> Iterator[Document]:
    found: dict[str, _Gathered] = {}
    for annotation in _annotations(root, source.path):
        for iri, target in targets_of(annotation):
            if iri not in found:
                found[iri] = _Gathered(source, iri)
            try:
                found[iri].add(annotation, target)
            except ReadError as error:
                options.fail(error)
    for gathered in found.values():
        try:
            yield gathered.document()
        except ReadError as error:
            options.fail(error)


def _annotations(root: Any, path: str) -> Iterator[Object]:
    """The annotations of a list, a page, a collection with its first page, or one alone."""
    if isinstance(root, dict) and isinstance(root.get("first"), dict):
        root = root["first"]
    items = root.get("items", [root]) if isinstance(root, dict) else root
    for item in items if isinstance(items, list) else [items]:
        if not isinstance(item, dict):
            raise ReadError(
                "an annotation is no object", path=path, remedy="See the Web Annotation model."
            )
        if "target" in item:
            yield item


class _Gathered:
    """What annotations say of one document."""

    def __init__(self, source: Source, iri: str) -> None:
        self.path = source.path
        self.repairs = source.repairs
        self.id = iri
        self.text: str | None = None
        self.rest: Object = {}
        self.tags: list[Tag] = []
        self.others: list[Object] = []
        self.mentions: list[tuple[Object, Object, Said]] = []

    def add(self, annotation: Object, target: Object) -> None:
        """Takes an annotation of the document or of a part of it."""
        whole = target["source"] if isinstance(target.get("source"), dict) else target
        if isinstance(whole.get("value"), str):
            self.text = whole["value"]
        part = "selector" in target
        said = said_of(annotation, not part, self.unknown_category)
        if part:
            self.mentions.append((annotation, target, said))
            return
        if isinstance(target.get(DOCUMENT), str):
            self.id = target[DOCUMENT]
        self.rest |= _loaded(target.get(REST, "{}"), self.path, self.id)
        for one in said.entities:
            attributes = _loaded(one.attributes, self.path, self.id)
            if one.name is not None:
                self.tags.append(Tag(entity=one.name, score=one.score, attributes=attributes))
        if said.attributes or said.type or said.pairs:
            self.others.append(annotation)

    def document(self) -> Document:
        """The document."""
        metadata = dict(self.rest.pop("metadata", {}))
        mentions = self.found()
        if self.others:
            metadata["annotations"] = self.others
        fields = {"id": self.id, "text": self.text, "tags": tuple(self.tags), "metadata": metadata}
        made = carried.restored(Document, self.rest, self.path, self.id, **fields)
        return made.model_copy(update={"mentions": in_order(mentions)})

    def found(self) -> list[Mention]:
        """The mentions; annotations whose targets share id and place are of one."""
        places: list[Stated] = []
        kept: list[tuple[Object, Object, Said]] = []
        for annotation, target, said in self.mentions:
            place = place_of(target["selector"], self.text)
            if place is not None:
                places.append(place)
                kept.append((annotation, target, said))
                continue
            self.others.append(annotation)
            name = str(annotation.get("id", ""))
            self.repair("annotation-without-offsets", name, "kept in the metadata")
        settled = settle(self.text, places, self.repairs, self.id)
        found: dict[tuple[Any, ...], Mention] = {}
        for number, (place, one) in enumerate(zip(settled, kept, strict=True)):
            shared = one[1].get("id")
            key = (shared if isinstance(shared, str) else number, place.begin, place.end)
            made = self.mention(place, *one)
            first = found.get(key)
            if first is None:
                found[key] = made
            elif made.links:
                found[key] = first.model_copy(update={"links": first.links + made.links})
            else:
                found[(number,)] = made
        return list(found.values())

    def mention(self, place: Stated, annotation: Object, target: Object, said: Said) -> Mention:
        """The mention that one annotation makes."""
        attributes = self.attributes(annotation, said)
        links = said.links(attributes)
        rest = _loaded(target.get(REST, "{}"), self.path, self.id)
        fields: Object = {"begin": place.begin, "end": place.end, "links": links}
        if place.surface is not None:
            fields["surface"] = place.surface
        made = carried.restored(Mention, rest, self.path, self.id, **fields)
        if links:
            return made
        return made.model_copy(
            update={"attributes": {**said.bare(), **attributes, **made.attributes}}
        )

    def attributes(self, annotation: Object, said: Said) -> Attributes:
        """What is said of an annotation besides its bodies."""
        facts = {key: annotation[key] for key in KEPT if key in annotation}
        name = annotation.get("id")
        if isinstance(name, str) and not MADE_ID.fullmatch(name):
            facts["id"] = name
        more = _loaded(annotation.get(ATTRIBUTES, "{}"), self.path, self.id)
        return {**facts, **said.attributes, **more}

    def unknown_category(self, name: str, value: str) -> None:
        """Reports a category that is none."""
        self.repair("unknown-category", value, f"kept as {name}")

    def repair(self, kind: str, before: str, after: str) -> None:
        """Reports a repair."""
        self.repairs.append(Repair(kind=kind, where=self.id, before=before, after=after))


def _loaded(text: object, path: str, document: str) -> Object:
    """JSON that rides along in a string."""
    if text == "{}":
        return {}
    try:
        found = load_json(text) if isinstance(text, str) else None
    except ValueError:
        found = None
    if isinstance(found, dict):
        return found
    raise ReadError(
        "what elcurate wrote for itself was changed",
        path=path,
        document=document,
        remedy="Without the elc: fields the rest can be read.",
    )
