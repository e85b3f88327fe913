"""Reading annotations of all texts in one XML file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from elcurate.errors import ReadError
from elcurate.formats.annotation_files import HEAD, KNOWN, Group, Layout, find, find_texts
from elcurate.formats.base import Reading, ReadOptions
from elcurate.formats.offsets import Stated, settle
from elcurate.formats.page_names import entity_of
from elcurate.formats.source import Source
from elcurate.formats.surfaces import alike, report_spellings
from elcurate.formats.text_folder import Texts
from elcurate.formats.xml_fields import Fields
from elcurate.formats.xml_repair import parse_repaired
from elcurate.model.change import Repair
from elcurate.model.corpus import Attributes, Document, Link, Mention, in_order


def read(source: Source, options: ReadOptions, layout: Layout) -> Reading:
    """Reads the annotations; texts are read as their documents are asked for.

    Raises:
        ReadError: when there are no texts, or none of the annotators asked for.
    """
    place = find(source, options, layout)
    start = layout.root.search(place.annotations.head[:HEAD])
    if start is None:
        raise ReadError(
            "there are no annotations of this format in it",
            path=place.annotations.path,
            remedy="The root element tells the format.",
        )
    if place.annotations.path != "-":
        source.used.add(Path(place.annotations.path).resolve())
    root = parse_repaired(place.annotations, layout.tags | {start[1].decode()})
    groups = list(layout.groups(place.annotations, root, options))
    annotators = _annotators(groups)
    unknown = set(options.annotators) - set(annotators)
    if unknown:
        raise ReadError(
            f"nobody named {' or '.join(sorted(unknown))} annotated it",
            path=place.annotations.path,
            remedy=f"The annotators are {', '.join(annotators) or 'not named'}.",
        )
    if options.annotators:
        groups = [group for group in groups if set(_annotators([group])) & set(options.annotators)]
        annotators = [name for name in annotators if name in options.annotators]
    texts = find_texts(source, place, [group.name for group in groups]) if groups else None
    if place.only is not None:
        groups = [group for group in groups if group.name == place.only]
    reader = _Reader(place.annotations, texts, options, layout)
    return Reading(
        place.name,
        reader.documents(groups, whole=place.only is None and not options.annotators),
        metadata={"annotators": list(annotators)} if annotators else {},
        repairs=source.repairs,
    )


def _annotators(groups: list[Group]) -> list[str]:
    names = (
        (element.findtext("userId") or "").strip() for group in groups for element in group.elements
    )
    return sorted(set(names) - {""})


class _Reader:
    def __init__(
        self, source: Source, texts: Texts | None, options: ReadOptions, layout: Layout
    ) -> None:
        self.path = source.path
        self.repairs = source.repairs
        self.texts = texts
        self.options = options
        self.layout = layout

    def documents(self, groups: list[Group], *, whole: bool) -> Iterator[Document]:
        for group in groups:
            try:
                document = self.document(group)
            except ReadError as error:
                self.options.fail(error)
            else:
                yield document
        if whole and self.texts is not None:
            self.texts.report_unused()

    def document(self, group: Group) -> Document:
        path = self.texts.find(group.name) if self.texts is not None else None
        if self.texts is None or path is None:
            raise ReadError(
                f"there is no text named {group.name!r}",
                path=self.path,
                document=group.id,
                remedy="Put it beside the others, or name their folder with --texts.",
            )
        text = self.texts.read(path)
        return Document(id=group.id, text=text, mentions=self.mentions(group, text))

    def mentions(self, group: Group, text: str) -> tuple[Mention, ...]:
        """One mention for each span, with what anybody said of it."""
        rows = [Fields(element, self.path, group.id) for element in group.elements]
        wanted = self.options.annotators
        if wanted:
            rows = [row for row in rows if row.first("userId") in wanted]
        places = []
        for row in rows:
            begin = row.number("offset")
            surface = row.first("mention") or None
            places.append(Stated(begin, begin + row.number("length"), surface))
        settled = settle(text, places, self.repairs, group.id, self.layout.counting, same=alike)
        report_spellings(text, places, settled, self.repairs, group.id)
        spans: dict[tuple[int, int], list[tuple[Fields, str | None]]] = {}
        for row, one in zip(rows, settled, strict=True):
            spans.setdefault((one.begin, one.end), []).append((row, one.surface))
        return in_order(
            [
                Mention(begin=begin, end=end, surface=found[0][1], links=self.links(found))
                for (begin, end), found in spans.items()
            ]
        )

    def links(self, rows: list[tuple[Fields, str | None]]) -> tuple[Link, ...]:
        """One link for each entity, with everybody who chose it."""
        found: dict[str, tuple[Link, list[str]]] = {}
        for row, _ in rows:
            name = row.needed("wikiName")
            entity = None if name in self.layout.nils else entity_of(name)
            link = Link(entity=entity, attributes=row.extras(KNOWN))
            _, annotators = found.setdefault(link.to_json(), (link, []))
            annotator = row.first("userId") or ""
            if annotator in annotators:
                where = f"{self.path}:{row.line}"
                self.repairs.append(
                    Repair(kind="repeated-annotation", where=where, before=name, after="kept once")
                )
            else:
                annotators.append(annotator)
        return tuple(_annotated(link, annotators) for link, annotators in found.values())


def _annotated(link: Link, annotators: list[str]) -> Link:
    if not any(annotators):
        return link
    attributes: Attributes = {"annotators": list(annotators), **link.attributes}
    return link.model_copy(update={"attributes": attributes})
