"""Writing annotations of all texts in one XML file, and the texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from elcurate.formats.annotation_files import KNOWN, Layout
from elcurate.formats.base import Writing
from elcurate.formats.features import place
from elcurate.formats.offsets import Stated, converted, counted
from elcurate.formats.page_names import name_of
from elcurate.formats.xml_fields import escaped, extra_values
from elcurate.formats.xml_text import legal
from elcurate.model.change import Loss
from elcurate.model.corpus import Attributes, Document, Link, Mention, is_nil

Row = list[tuple[str, str]]


@dataclass
class Rows:
    """The annotations of one document as they are written: tags and values.

    Attributes:
        writing: Where losses go.
        document: The document.
        layout: What is written.
    """

    writing: Writing
    document: Document
    layout: Layout
    _seen: set[tuple[object, ...]] = field(default_factory=set)

    def rows(self) -> Iterator[Row]:
        """One row for each link and annotator."""
        text = self.document.text or ""
        mentions = [mention for mention in self.document.mentions if mention.links]
        spans = counted(text, [mention.span for mention in mentions], self.layout.counting)
        stated = [Stated(*span) for span in spans]
        back = converted(text, stated, self.layout.counting)
        surfaces: dict[tuple[int, int], str | None] = {}
        for mention in self.document.mentions if self.layout.stated else ():
            if surfaces.setdefault(mention.span, mention.surface) != mention.surface:
                where = place(self.document, mention)
                self.lose("surfaces", where, mention.surface or "", "a span has one surface")
        for mention, span, again in zip(mentions, spans, back, strict=True):
            where = place(self.document, mention)
            if (again.begin, again.end) != mention.span:
                self.lose("mention", where, "", "it begins or ends inside a line end")
                continue
            for link in mention.links:
                yield from self._rows(mention, link, span, where)

    def _rows(
        self, mention: Mention, link: Link, span: tuple[int, int], where: str
    ) -> Iterator[Row]:
        name = self.name(link, where)
        rest: Attributes = dict(link.attributes)
        annotators = self.annotators(rest, where)
        extras = list(self.extras(rest, where))
        surface = self.surface(mention, where)
        one = (span, name, *sorted(extras))
        if one in self._seen:
            self.lose("link", where, name, "an entity stands once on a span")
        self._seen.add(one)
        for annotator in annotators:
            row = [("userId", annotator)] if self.layout.annotators else []
            row += [] if surface is None else [("mention", surface)]
            row += [("wikiName", name), ("offset", str(span[0]))]
            yield [*row, ("length", str(span[1] - span[0])), *extras]

    def name(self, link: Link, where: str) -> str:
        """The title of the page; other identifiers as they are."""
        if link.entity is None:
            return self.layout.nil
        name, kind = name_of(link.entity)
        shown = legal(name).strip()
        if kind is None and (shown != name or shown in self.layout.nils):
            kind = "nil-clusters" if is_nil(link.entity) else "entity"
        if kind is not None:
            self.lose(kind, where, link.entity, f"written as {shown}")
        return shown

    def surface(self, mention: Mention, where: str) -> str | None:
        """The stated surface, else that of the text, where the text has one."""
        if not self.layout.stated:
            return None
        if mention.surface is not None:
            shown = legal(mention.surface).strip()
            if shown != mention.surface:
                self.lose("surfaces", where, mention.surface, f"written as {shown}")
            return shown
        begin, end = mention.span
        text = self.document.text or ""
        return text[begin:end] if 0 <= begin <= end <= len(text) else ""

    def annotators(self, rest: Attributes, where: str) -> list[str]:
        """Who said it; nobody in particular is one, too."""
        value = rest.pop("annotators", None)
        if value is None:
            return [""]
        names = [name for name in value if isinstance(name, str)] if isinstance(value, list) else []
        usable = any(names) and len(set(names)) == len(names) == len(value)  # type: ignore[arg-type]
        if usable and self.layout.annotators and all(name == legal(name).strip() for name in names):
            return names
        self.lose("link-attributes", where, "annotators", "no place for annotators")
        return [""]

    def extras(self, rest: Attributes, where: str) -> Iterator[tuple[str, str]]:
        """The attributes that elements can carry."""
        for key, value in rest.items():
            values = extra_values(key, value, KNOWN)
            if values is None:
                self.lose("link-attributes", where, key, "no element can carry it")
            yield from ((key, one) for one in values or ())

    def lose(self, kind: str, where: str, what: str, reason: str) -> None:
        """Reports a loss."""
        self.writing.losses.append(Loss(kind=kind, where=where, what=what, reason=reason))


def with_texts(writing: Writing) -> Iterator[tuple[Document, str]]:
    """The documents that have a text, and the ids that XML can carry; the others are a loss."""
    for document in writing.documents:
        if document.text is None:
            reason = "its mentions need a text"
            writing.losses.append(Loss(kind="document", where=document.id, reason=reason))
            continue
        id_ = legal(document.id).strip() or "-"
        if id_ != document.id:
            reason = f"written as {id_}"
            writing.losses.append(
                Loss(kind="document-id", where=document.id, what=document.id, reason=reason)
            )
        yield document, id_


def annotation(row: Row, indent: str) -> str:
    """An annotation as XML."""
    inner = "".join(f"{indent}\t<{tag}>{escaped(value)}</{tag}>\n" for tag, value in row)
    return f"{indent}<annotation>\n{inner}{indent}</annotation>\n"
