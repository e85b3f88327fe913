"""NIF 2.0 and 2.1 to a corpus, including the files that break strict readers."""

from __future__ import annotations

from collections.abc import Iterable

import pyoxigraph as ox
from pydantic import TypeAdapter, ValidationError

from elcurate.errors import ReadError
from elcurate.formats import nif_terms as n
from elcurate.formats.checks import load_json
from elcurate.formats.nif_blocks import Block, Blocks
from elcurate.formats.nif_drafts import Draft, Drafts, Node, Sentence, document_ids
from elcurate.formats.nif_links import LinkReader, number, rank
from elcurate.formats.offsets import CHARACTERS, Stated, converted, diagnose
from elcurate.model.change import Repair
from elcurate.model.corpus import Attributes, Document, Mention, Span, Tag, in_order

_ATTRIBUTES = TypeAdapter(Attributes)
_SPANS = TypeAdapter(tuple[Span, ...])
_WIDEST_GAP = 1 << 16
"""Between two sentences, in characters."""


class NifReader:
    """Builds documents from statement blocks.

    Args:
        found: The blocks of one file.
        path: The file, for messages.
        nil_iris: IRIs (or beginnings of IRIs) that mean NIL besides the known conventions.
    """

    def __init__(self, found: Blocks, path: str, nil_iris: Iterable[str] = ()) -> None:
        self.found = found
        self.path = path
        self.repairs = found.repairs
        self.links = LinkReader(found, tuple(nil_iris))

    def documents(self) -> list[Document]:
        """All documents, in file order.

        Raises:
            ReadError: when there is no nif:Context at all.
        """
        drafts = Drafts(self.found, self.path).all()
        if not drafts and not any(block.subject == n.ELC_CORPUS for block in self.found.blocks):
            raise ReadError(
                "no nif:Context in this RDF file",
                path=self.path,
                remedy="Is it NIF? A document needs a node typed nif:Context with nif:isString.",
            )
        drafts = dict(sorted(drafts.items(), key=lambda pair: rank(pair[1].block)))
        ids = document_ids(drafts)
        return [
            document
            for iri, draft in drafts.items()
            if (document := self._document(ids[iri], draft)) is not None
        ]

    def _document(self, name: str, draft: Draft) -> Document | None:
        text = draft.block.iri(n.IS_STRING)
        sentences = sorted(draft.sentences.values(), key=lambda part: (part.begin, part.end))
        if text is None and n.ELC_WITHOUT_TEXT not in draft.block.props:
            text = self._rebuilt(name, sentences)
        stated = n.ELC_WITHOUT_TEXT in draft.block.props
        if text is None and not draft.nodes and not stated:
            self._repair("context-without-text", name, after="skipped: it has no annotations")
            return None
        if text is None and not stated:
            self._repair("context-without-text", name, after="a document without text")
        mentions = self._mentions(name, text, draft.nodes)
        metadata: Attributes = {}
        source = draft.block.iri(n.SOURCE_URL)
        if source is not None and n.OFFSET_FRAGMENT.sub("", source) != name:
            metadata["source_url"] = source
        metadata |= self.json(draft.block, n.ELC_ATTRIBUTES, name)
        return Document(
            id=name,
            text=text,
            mentions=mentions,
            tags=self._tags(draft.block),
            sentences=tuple(Span(begin=part.begin, end=part.end) for part in sentences),
            tokens=self._spans(draft.block, n.ELC_TOKENS, name),
            metadata=metadata,
        )

    def _rebuilt(self, name: str, sentences: list[Sentence]) -> str | None:
        """The text from the sentences' texts, one blank where nothing is stated."""
        if not sentences or any(part.text is None for part in sentences):
            return None
        text = ""
        for part in sentences:
            gap, length = part.begin - len(text), part.end - part.begin
            if not 0 <= gap <= _WIDEST_GAP or length != len(part.text or ""):
                self._repair("sentence-offsets", name, before=f"{part.begin}-{part.end}")
                return None
            text += " " * gap + (part.text or "")
        self._repair("text-from-sentences", name, after=f"{len(text)} characters")
        return text

    def _mentions(self, name: str, text: str | None, nodes: list[Node]) -> tuple[Mention, ...]:
        absolute = text is not None and self._offsets_are_absolute(name, text, nodes)
        if text is not None and not absolute and not self.found.ours:
            self._recount(name, text, nodes)
        drafts: dict[tuple[int, int, str | None], list[Node]] = {}
        if self.found.ours:
            nodes = sorted(nodes, key=lambda node: number(node.block.iri(n.ELC_MENTION)))
        for node in nodes:
            shift = 0 if node.sentence is None or absolute else node.sentence.begin
            stated = node.block.iri(n.ELC_MENTION) if self.found.ours else None
            drafts.setdefault((node.begin + shift, node.end + shift, stated), []).append(node)
        return in_order(
            [
                self._mention(name, text, begin, end, drafted)
                for (begin, end, _), drafted in drafts.items()
            ]
        )

    def _mention(
        self, name: str, text: str | None, begin: int, end: int, nodes: list[Node]
    ) -> Mention:
        where = f"{name} {begin}-{end}"
        if text is not None and not 0 <= begin <= end <= len(text):
            self._repair("span-outside-text", where, f"the text has {len(text)} characters")
        attributes: Attributes = {}
        fragments: tuple[Span, ...] = ()
        if self.found.ours:
            nodes = sorted(nodes, key=lambda node: rank(node.block))
            fragments = self._spans(nodes[0].block, n.ELC_FRAGMENTS, where)
            for node in nodes:
                attributes |= self.json(node.block, n.ELC_MENTION_ATTRIBUTES, where)
        surface = anchor = nodes[0].anchor
        if text is not None and anchor is not None:
            surface = None
            found = text[begin:end]
            if fragments:
                found = " ".join(text[part.begin : part.end] for part in fragments)
            if found != anchor:
                self._repair("surface-differs", where, before=anchor, after=found)
                surface = anchor
        links = tuple([link for node in nodes for link in self.links.of(node.block, where)])
        if surface is None and not fragments and not attributes:
            return Mention(begin=begin, end=end, links=links)
        return Mention(
            begin=begin,
            end=end,
            links=links,
            fragments=fragments,
            surface=surface,
            attributes=attributes,
        )

    def _offsets_are_absolute(self, name: str, text: str, nodes: list[Node]) -> bool:
        """Whether offsets given with a sentence count from the document all the same."""
        relative = absolute = 0
        for node in nodes:
            shift = node.sentence.begin if node.sentence is not None else 0
            if not shift or node.anchor is None:
                continue
            if text[node.begin + shift : node.end + shift] == node.anchor:
                relative += 1
            elif text[node.begin : node.end] == node.anchor:
                absolute += 1
        if absolute > relative:
            self._repair("absolute-offsets", name, "offsets of a sentence", "offsets of the text")
        return absolute > relative

    def _recount(self, name: str, text: str, nodes: list[Node]) -> None:
        """Puts right the offsets of a document that counts other units than characters."""
        shifts = [node.sentence.begin if node.sentence is not None else 0 for node in nodes]
        pairs = list(zip(nodes, shifts, strict=True))
        if all(
            node.anchor is None or text[node.begin + shift : node.end + shift] == node.anchor
            for node, shift in pairs
        ):
            return
        stated = [
            Stated(node.begin + shift, node.end + shift, node.anchor) for node, shift in pairs
        ]
        other = diagnose(text, stated, CHARACTERS)
        if other is None:
            return
        for (node, shift), found in zip(pairs, converted(text, stated, other), strict=True):
            node.begin, node.end = found.begin - shift, found.end - shift
        self._repair("offsets", name, str(CHARACTERS), str(other))

    def _tags(self, block: Block) -> tuple[Tag, ...]:
        tags = []
        for value in block.props.get(n.TOPIC, ()):
            node = self.found.blanks.get(value.value) if isinstance(value, ox.BlankNode) else None
            if node is None:
                tags.append((0, Tag(entity=value.value)))
                continue
            entity = node.iri(n.ELC_ENTITY) or node.iri(n.IDENT)
            if entity is not None:
                attributes = self.json(node, n.ELC_ATTRIBUTES, block.subject)
                tag = Tag(entity=entity, score=self.links.score(node, ""), attributes=attributes)
                tags.append((rank(node), tag))
        return tuple(tag for _, tag in sorted(tags, key=lambda pair: pair[0]))

    def _spans(self, block: Block, predicate: str, where: str) -> tuple[Span, ...]:
        value = block.iri(predicate)
        try:
            return () if value is None else _SPANS.validate_json(value)
        except ValidationError:
            self._repair("malformed-attributes", where, before=value or "")
            return ()

    def json(self, block: Block, predicate: str, where: str) -> Attributes:
        """Attributes that we wrote as JSON; malformed ones are reported."""
        value = block.iri(predicate)
        try:
            return {} if value is None else _ATTRIBUTES.validate_python(load_json(value))
        except ValueError:
            self._repair("malformed-attributes", where, before=value or "")
            return {}

    def _repair(self, kind: str, where: str, before: str = "", after: str = "") -> None:
        self.repairs.append(Repair(kind=kind, where=where, before=before, after=after))
