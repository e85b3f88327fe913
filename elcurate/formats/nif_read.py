"""NIF 2.0 and 2.1 to a corpus, including the files that break strict readers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import pyoxigraph as ox
from pydantic import TypeAdapter, ValidationError

from elcurate.errors import ReadError
from elcurate.formats import nif_terms as n
from elcurate.formats.nif_blocks import Block, Blocks
from elcurate.formats.nif_links import LinkReader, number, rank
from elcurate.model.change import Repair
from elcurate.model.corpus import Attributes, Document, Mention, Span, Tag, in_order

_ATTRIBUTES = TypeAdapter(Attributes)
_SPANS = TypeAdapter(tuple[Span, ...])
_CONTEXT = ox.NamedNode(n.CONTEXT)
_SENTENCE = ox.NamedNode(n.SENTENCE)


@dataclass
class _Sentence:
    begin: int
    end: int
    text: str | None
    root: str


@dataclass(slots=True)
class _Node:
    """An annotation node with what its statements say of its span."""

    block: Block
    sentence: _Sentence | None
    begin: int
    end: int
    anchor: str | None


@dataclass
class _Draft:
    """A document under construction."""

    block: Block
    nodes: list[_Node] = field(default_factory=list)
    sentences: dict[tuple[int, int], _Sentence] = field(default_factory=dict)


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
        drafts = self._drafts()
        if not drafts and not any(block.subject == n.ELC_CORPUS for block in self.found.blocks):
            raise ReadError(
                "no nif:Context in this RDF file",
                path=self.path,
                remedy="Is it NIF? A document needs a node typed nif:Context with nif:isString.",
            )
        drafts = dict(sorted(drafts.items(), key=lambda pair: rank(pair[1].block)))
        ids = self._ids(drafts)
        return [
            document
            for iri, draft in drafts.items()
            if (document := self._document(ids[iri], draft)) is not None
        ]

    def _drafts(self) -> dict[str, _Draft]:
        drafts: dict[str, _Draft] = {}
        contexts: list[Block] = []
        nodes: list[tuple[Block, str]] = []
        for block in self.found.blocks:
            reference = block.iri(n.REFERENCE_CONTEXT)
            if reference is not None and reference != block.subject:
                if _is_sentence(block):
                    contexts.append(block)
                else:
                    nodes.append((block, reference))
            elif n.BROADER_CONTEXT in block.props:
                contexts.append(block)
            elif _CONTEXT in block.props.get(n.TYPE, ()):
                self._add_document(drafts, block)
        sentences = self._sentences(drafts, contexts)
        for node, context in nodes:
            sentence = sentences.get(context)
            root = sentence.root if sentence else context
            draft = drafts.get(root) or self._draft(drafts, root, node.subject)
            span = self._span(node)
            if span is None:
                self._repair("annotation-without-offsets", root, node.subject, "dropped")
            else:
                draft.nodes.append(_Node(node, sentence, *span, node.iri(n.ANCHOR)))
        return drafts

    def _add_document(self, drafts: dict[str, _Draft], block: Block) -> None:
        known = drafts.get(block.subject)
        if known is None:
            drafts[block.subject] = _Draft(block)
        elif known.block.iri(n.IS_STRING) == block.iri(n.IS_STRING):
            self._repair("repeated-context", block.subject)
        else:
            raise ReadError(
                "two contexts share one IRI but not their text",
                path=self.path,
                document=block.subject,
                remedy="Give each document an IRI of its own.",
            )

    def _draft(self, drafts: dict[str, _Draft], iri: str, user: str) -> _Draft:
        if iri not in drafts:
            drafts[iri] = _Draft(Block(iri))
            self._repair("undeclared-context", user, before=iri, after="a document without text")
        return drafts[iri]

    def _sentences(self, drafts: dict[str, _Draft], contexts: list[Block]) -> dict[str, _Sentence]:
        parents = {
            block.subject: block.iri(n.BROADER_CONTEXT) or block.iri(n.REFERENCE_CONTEXT) or ""
            for block in contexts
        }
        sentences: dict[str, _Sentence] = {}
        for block in contexts:
            root, seen = parents[block.subject], {block.subject}
            while root in parents and root not in seen:
                seen.add(root)
                root = parents[root]
            span = self._span(block)
            if span is None:
                self._repair("context-without-offsets", block.subject)
                continue
            sentence = _Sentence(*span, block.iri(n.IS_STRING), root)
            sentences[block.subject] = sentence
            self._draft(drafts, root, block.subject).sentences[span] = sentence
        return sentences

    def _ids(self, drafts: dict[str, _Draft]) -> dict[str, str]:
        """Document ids: as stated, or the IRI without a fragment that spans the whole text."""
        bare = {
            iri: draft.block.iri(n.ELC_DOCUMENT) or n.OFFSET_FRAGMENT.sub("", iri)
            for iri, draft in drafts.items()
        }
        taken = Counter(bare.values())
        return {iri: iri if taken[short] > 1 else short for iri, short in bare.items()}

    def _document(self, name: str, draft: _Draft) -> Document | None:
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

    def _rebuilt(self, name: str, sentences: list[_Sentence]) -> str | None:
        """The text from the sentences' texts, one blank where nothing is stated."""
        if not sentences or any(part.text is None for part in sentences):
            return None
        text = ""
        for part in sentences:
            if part.begin < len(text) or part.end - part.begin != len(part.text or ""):
                self._repair("sentence-offsets", name, before=f"{part.begin}-{part.end}")
                return None
            text += " " * (part.begin - len(text)) + (part.text or "")
        self._repair("text-from-sentences", name, after=f"{len(text)} characters")
        return text

    def _mentions(self, name: str, text: str | None, nodes: list[_Node]) -> tuple[Mention, ...]:
        absolute = text is not None and self._offsets_are_absolute(name, text, nodes)
        drafts: dict[tuple[int, int, str | None], list[_Node]] = {}
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
        self, name: str, text: str | None, begin: int, end: int, nodes: list[_Node]
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
            if text[begin:end] != anchor and not fragments:
                self._repair("surface-differs", where, before=anchor, after=text[begin:end])
                surface = anchor
        links = tuple(link for node in nodes for link in self.links.of(node.block, where))
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

    def _offsets_are_absolute(self, name: str, text: str, nodes: list[_Node]) -> bool:
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

    def _span(self, block: Block) -> tuple[int, int] | None:
        begin, end = block.iri(n.BEGIN), block.iri(n.END)
        try:
            return (int(begin), int(end)) if begin is not None and end is not None else None
        except ValueError:
            return None

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
            return {} if value is None else _ATTRIBUTES.validate_python(json.loads(value))
        except ValueError:
            self._repair("malformed-attributes", where, before=value or "")
            return {}

    def _repair(self, kind: str, where: str, before: str = "", after: str = "") -> None:
        self.repairs.append(Repair(kind=kind, where=where, before=before, after=after))


def _is_sentence(block: Block) -> bool:
    return n.BROADER_CONTEXT in block.props or _SENTENCE in block.props.get(n.TYPE, ())
