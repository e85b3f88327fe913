"""Writing problem files and raw texts."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

from elcurate.formats.base import Writing
from elcurate.formats.features import place
from elcurate.formats.msnbc_problem import ADDRESS, INSTANCE, NULL, meant
from elcurate.formats.text_folder import FileNames, write_text
from elcurate.formats.xml_fields import escaped, extra_values
from elcurate.formats.xml_text import legal
from elcurate.kb.iri import parse
from elcurate.model.change import Loss
from elcurate.model.corpus import Attributes, Document, Link, Mention, is_nil

PROBLEMS, TEXTS = "Problems", "RawTexts"


def write_folder(writing: Writing, folder: Path) -> None:
    """Writes a problem file and a text for each document."""
    problems, texts = folder / PROBLEMS, folder / TEXTS
    problems.mkdir()
    texts.mkdir()
    names = FileNames()
    written: list[str] = []
    for document in writing.documents:
        if document.text is None:
            reason = "its mentions need a text"
            writing.losses.append(Loss(kind="document", where=document.id, reason=reason))
            continue
        id_ = legal(document.id).strip() or "-"
        if id_ != document.id:
            _lose(writing, "document-id", document.id, document.id, f"written as {id_}")
        name = names.new(id_)
        written.append(name)
        lines = ["<ReferenceProblem>", *_field("ReferenceFileName", id_)]
        for mention in document.mentions:
            if mention.links:
                lines += _Instance(writing, document, mention).lines()
        write_text(problems / name, "\n".join([*lines, "</ReferenceProblem>", ""]))
        write_text(texts / name, document.text)
    if written != sorted(written):
        reason = "files have the order of their names"
        writing.losses.append(Loss(kind="document-order", where=writing.name, reason=reason))


class _Instance:
    def __init__(self, writing: Writing, document: Document, mention: Mention) -> None:
        self.writing = writing
        self.where = place(document, mention)
        self.text = document.text or ""
        self.mention = mention

    def lines(self) -> Iterator[str]:
        link = self.mention.links[0]
        begin, end = self.mention.span
        chosen = self.chosen(link)
        yield "<ReferenceInstance>"
        yield from _field("SurfaceForm", self.surface())
        yield from _field("Offset", str(begin))
        yield from _field("Length", str(end - begin))
        yield from _field("ChosenAnnotation", chosen)
        yield from self.annotators(link, chosen)
        yield "</ReferenceInstance>"

    def surface(self) -> str:
        """The stated surface, else that of the text, where the text has one."""
        stated = self.mention.surface
        if stated is not None:
            shown = legal(stated).strip()
            if shown != stated:
                self.lose("surfaces", stated, "blanks around it and characters unknown to XML")
            return shown
        begin, end = self.mention.span
        return self.text[begin:end] if 0 <= begin <= end <= len(self.text) else ""

    def chosen(self, link: Link) -> str:
        """The address of the page; other identifiers as they are."""
        if link.entity is None:
            return NULL
        value = link.entity
        found = parse(value)
        if found.kind == "wikipedia" and found.language == "en" and not value.startswith(ADDRESS):
            address = found.canonical.replace("https://", "http://", 1)
            if address.startswith(ADDRESS):
                self.lose("entity-spelling", value, f"written as {address}")
                return address
        shown = legal(value).strip()
        again, _ = meant(shown)
        if again != value:
            self.lose("nil-clusters" if is_nil(value) else "entity", value, f"means {again}")
        return shown

    def annotators(self, link: Link, chosen: str) -> Iterator[str]:
        """Who said what, and the attributes that elements can carry."""
        rest: Attributes = dict(link.attributes)
        names, said = self.texts(rest, "annotators"), self.texts(rest, "Annotation")
        number = rest.pop("NumAnnotators", None)
        if number is None or number == str(len(names)) or not isinstance(number, str):
            number = str(len(names))
        yield from _field("NumAnnotators", number)
        if number != link.attributes.get("NumAnnotators", number):
            self.lose("link-attributes", "NumAnnotators", "the number of annotators")
        said = said if "Annotation" in link.attributes else [chosen] * len(names)
        for name, value in itertools.zip_longest(names, said):
            if name is not None:
                yield from _field("AnnotatorId", name, "\t")
            if value is not None:
                yield from _field("Annotation", value, "\t")
        for key, value in rest.items():
            values = extra_values(key, value, INSTANCE)
            if values is None:
                self.lose("link-attributes", key, "no element can carry it")
            for one in values or ():
                yield from _field(key, one, "\t")

    def texts(self, attributes: Attributes, key: str) -> list[str]:
        """A list of texts in the attributes; other values are a loss."""
        value = attributes.pop(key, None)
        if value is None:
            return []
        listed = value if isinstance(value, list) else []
        texts = [one for one in listed if isinstance(one, str) and one == legal(one).strip()]
        if not texts or len(texts) != len(listed):
            self.lose("link-attributes", key, "not a list of texts")
            return []
        return texts

    def lose(self, kind: str, what: str, reason: str) -> None:
        _lose(self.writing, kind, self.where, what, reason)


def _lose(writing: Writing, kind: str, where: str, what: str, reason: str) -> None:
    writing.losses.append(Loss(kind=kind, where=where, what=what, reason=reason))


def _field(tag: str, value: str, indent: str = "") -> Iterator[str]:
    yield f"{indent}\t<{tag}>"
    yield f"{indent}\t\t{escaped(value)}"
    yield f"{indent}\t</{tag}>"
