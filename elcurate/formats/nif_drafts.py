"""Statement blocks sorted into documents, sentences and annotations."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import pyoxigraph as ox

from elcurate.errors import ReadError
from elcurate.formats import nif_terms as n
from elcurate.formats.nif_blocks import Block, Blocks
from elcurate.model.change import Repair

_CONTEXT = ox.NamedNode(n.CONTEXT)
_SENTENCE = ox.NamedNode(n.SENTENCE)


@dataclass
class Sentence:
    """A sentence context; its offsets are those of the document."""

    begin: int
    end: int
    text: str | None
    root: str


@dataclass(slots=True)
class Node:
    """An annotation node with what its statements say of its span."""

    block: Block
    sentence: Sentence | None
    begin: int
    end: int
    anchor: str | None


@dataclass
class Draft:
    """A document under construction."""

    block: Block
    nodes: list[Node] = field(default_factory=list)
    sentences: dict[tuple[int, int], Sentence] = field(default_factory=dict)


class Drafts:
    """Finds the documents of a file.

    Args:
        found: The blocks of the file; repairs are added to them.
        path: The file, for messages.
    """

    def __init__(self, found: Blocks, path: str) -> None:
        self.found = found
        self.path = path

    def all(self) -> dict[str, Draft]:
        """Every document by its IRI.

        Raises:
            ReadError: when two documents share an IRI.
        """
        drafts: dict[str, Draft] = {}
        contexts: list[Block] = []
        nodes: list[tuple[Block, str]] = []
        for block in self.found.blocks:
            props = block.props
            reference = block.iri(n.REFERENCE_CONTEXT) if n.REFERENCE_CONTEXT in props else None
            if reference is not None and reference != block.subject:
                if n.BROADER_CONTEXT in props or _SENTENCE in props.get(n.TYPE, ()):
                    contexts.append(block)
                else:
                    nodes.append((block, reference))
            elif reference is not None and _covers_its_context(block):
                nodes.append((block, reference))
                if n.IS_STRING in props:
                    self._add_document(drafts, block)
            elif n.BROADER_CONTEXT in props:
                contexts.append(block)
            elif _CONTEXT in props.get(n.TYPE, ()):
                self._add_document(drafts, block)
        sentences = self._sentences(drafts, contexts)
        for node, context in nodes:
            sentence = sentences.get(context)
            root = sentence.root if sentence else context
            draft = drafts.get(root)
            if draft is None:
                draft = self._draft(drafts, root, node.subject)
            span = span_of(node)
            if span is None:
                self._repair("annotation-without-offsets", root, node.subject, "dropped")
            else:
                draft.nodes.append(Node(node, sentence, *span, node.iri(n.ANCHOR)))
        return drafts

    def _add_document(self, drafts: dict[str, Draft], block: Block) -> None:
        known = drafts.get(block.subject)
        if known is None:
            drafts[block.subject] = Draft(block)
        elif known.block.iri(n.IS_STRING) == block.iri(n.IS_STRING):
            self._repair("repeated-context", block.subject)
        else:
            raise ReadError(
                "two contexts share one IRI but not their text",
                path=self.path,
                document=block.subject,
                remedy="Give each document an IRI of its own.",
            )

    def _draft(self, drafts: dict[str, Draft], iri: str, user: str) -> Draft:
        if iri not in drafts:
            drafts[iri] = Draft(Block(iri))
            self._repair("undeclared-context", user, before=iri, after="a document without text")
        return drafts[iri]

    def _sentences(self, drafts: dict[str, Draft], contexts: list[Block]) -> dict[str, Sentence]:
        parents = {
            block.subject: block.iri(n.BROADER_CONTEXT) or block.iri(n.REFERENCE_CONTEXT) or ""
            for block in contexts
        }
        sentences: dict[str, Sentence] = {}
        for block in contexts:
            root, seen = parents[block.subject], {block.subject}
            while root in parents and root not in seen:
                seen.add(root)
                root = parents[root]
            span = span_of(block)
            if span is None:
                self._repair("context-without-offsets", block.subject)
                continue
            sentence = Sentence(*span, block.iri(n.IS_STRING), root)
            sentences[block.subject] = sentence
            self._draft(drafts, root, block.subject).sentences[span] = sentence
        return sentences

    def _repair(self, kind: str, where: str, before: str = "", after: str = "") -> None:
        self.found.repairs.append(Repair(kind=kind, where=where, before=before, after=after))


def document_ids(drafts: dict[str, Draft]) -> dict[str, str]:
    """Document ids: as stated, or the IRI without a fragment that spans the whole text."""
    bare = {
        iri: draft.block.iri(n.ELC_DOCUMENT) or n.OFFSET_FRAGMENT.sub("", iri)
        for iri, draft in drafts.items()
    }
    taken = Counter(bare.values())
    return {iri: iri if taken[short] > 1 else short for iri, short in bare.items()}


def span_of(block: Block) -> tuple[int, int] | None:
    """Begin and end as stated, or None."""
    try:
        return int(block.props[n.BEGIN][0].value), int(block.props[n.END][0].value)
    except (KeyError, ValueError):
        return None


def _covers_its_context(block: Block) -> bool:
    """Whether a node is the annotation of a whole text, under the IRI of that text."""
    linked = n.IDENT in block.props or n.ANNOTATION_UNIT in block.props
    return linked or _CONTEXT not in block.props.get(n.TYPE, ())
