"""Writes CoNLL-U with entities in MISC.

What the notation of entities has no place for (several links, scores, categories, attributes) is
written as JSON in MISC, ``Elcurate=[…]`` with one element per mention that begins at the row;
tags and facts about the document in comments ``# elcurate.tags`` and ``# elcurate.metadata``.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from elcurate.errors import ReadError
from elcurate.formats.base import Writing
from elcurate.formats.conllu_entity import OURS, Header
from elcurate.formats.conllu_marking import Marking
from elcurate.formats.conllu_mentions import NODES, Nodes, Pieces
from elcurate.formats.conllu_rows import Layout, Sentence, escaped
from elcurate.formats.features import EVERYTHING, place
from elcurate.formats.tokenise import tokenise
from elcurate.model.change import Loss
from elcurate.model.corpus import Document, Mention, Span

KEEPS = EVERYTHING - {"no-text"}
COMMENT = "# elcurate."
NO_DOCUMENTS = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC"
"""What a file without documents consists of."""
HEADER = "global.Entity"
_BREAKS = re.compile(r"[\t\r\n]")
_COLUMNS = "\t_\t_\t_\t_\t_\t_\t_\t"


def default_sentences(
    name: str, text: str, tokens: Sequence[Span], sentences: Sequence[Span]
) -> list[Sentence]:
    """What is written of a document that has no rows of its own, without its first lines."""
    found = []
    first = 0
    for number, part in enumerate(sentences, 1):
        sent_id = re.sub(r"\s", "_", f"{name}-{number}")
        shown = _BREAKS.sub(" ", text[part.begin : part.end])
        sentence = Sentence(comments=[f"# sent_id = {sent_id}", f"# text = {shown}"])
        stop = first
        while stop < len(tokens) and tokens[stop].begin < part.end:
            stop += 1
        for row, token in enumerate(range(first, stop), 1):
            form, misc = _form(text, tokens, token, last=token == stop - 1)
            sentence.rows.append(f"{row}\t{form}{_COLUMNS}{misc}")
        found.append(sentence)
        first = stop
    return found


def _form(text: str, tokens: Sequence[Span], number: int, *, last: bool) -> tuple[str, str]:
    """The form of a token, and the blanks around it."""
    token = tokens[number]
    end = number + 1 == len(tokens)
    after = text[token.end :] if end else text[token.end : tokens[number + 1].begin]
    misc = []
    form = text[token.begin : token.end]
    if after == "" and not end:
        misc.append("SpaceAfter=No")
    elif after != (" " if not end else ""):
        misc.append(f"SpacesAfter={escaped(after)}")
    if number == 0 and token.begin:
        misc.append(f"SpacesBefore={escaped(text[: token.begin])}")
    if _BREAKS.search(form):
        misc.append(f"SpacesInToken={escaped(form)}")
        form = _BREAKS.sub(" ", form)
    return form, "|".join(misc) or "_"


def write(writing: Writing, out: BinaryIO) -> None:
    """Writes the documents that have a text."""
    names: dict[str, str] = {}
    empty = True
    for document in writing.documents:
        if document.text is None:
            reason = "the format consists of tokens"
            writing.losses.append(Loss(kind="document", where=document.id, reason=reason))
            continue
        for sentence in _Document(document, document.text, writing, names).written():
            lines = (*sentence.comments, *sentence.rows, "")
            out.write("".join(f"{line}\n" for line in lines).encode())
            empty = False
    if empty:
        out.write(f"{NO_DOCUMENTS}\n".encode())


class _Document:
    def __init__(
        self, document: Document, text: str, writing: Writing, names: dict[str, str]
    ) -> None:
        self.document = document
        self.text = text
        self.writing = writing
        self.names = names
        self.metadata = dict(document.metadata)
        kept = self._kept(self.metadata.pop("conllu", None))
        stated = self.metadata.pop(HEADER, None)
        self.header = Header(stated if isinstance(stated, str) and kept else OURS)
        self.states = stated is not None or bool(document.mentions)
        if self.header.id not in self.header.fields:
            self.header = Header(OURS)
        self.sentences = kept or self._new()
        self.layout = Layout("", document.id, self.sentences)
        self.made = self.layout.made()
        if self.made.text != text:
            for kind in ("text", "offsets"):
                reason = "there is no token to hold the white space"
                writing.losses.append(Loss(kind=kind, where=document.id, reason=reason))

    def _kept(self, stated: Any) -> list[Sentence] | None:
        """The sentences as read, if they still make the text and the tokens."""
        if stated is None:
            return None
        try:
            sentences = [Sentence.of(block) for block in stated]
            made = Layout("", self.document.id, sentences).made()
            if (made.text, made.tokens) == (self.text, self.document.tokens):
                return sentences
        except (ReadError, TypeError, AttributeError):
            pass
        reason = "the text or the tokens are others now"
        self.lose("metadata", self.document.id, reason, "conllu")
        return None

    def _new(self) -> list[Sentence]:
        cut = tokenise(self.document, self.text, self.writing)
        tokens = [Span(begin=b, end=e) for b, e in zip(cut.begins, cut.ends, strict=True)]
        name = self.document.id
        return default_sentences(name, self.text, tokens, cut.sentence_spans())

    def written(self) -> Iterator[Sentence]:
        """The sentences with all their lines."""
        if not self.sentences:
            self.sentences = [Sentence()]
        self._mark()
        name = _BREAKS.sub(" ", self.document.id).strip()
        if name != self.document.id or not name:
            self.lose(
                "document-id", self.document.id, "a comment is one line, without outer blanks"
            )
        first = self.sentences[0]
        lines = [f"# newdoc id = {name}"]
        if self.states:
            lines.append(f"# {HEADER} = {self.header.text}")
        if self.metadata:
            lines.append(f"{COMMENT}metadata = {json.dumps(self.metadata)}")
        if self.document.tags:
            tags = [
                tag.model_dump(mode="json", exclude_defaults=True) for tag in self.document.tags
            ]
            lines.append(f"{COMMENT}tags = {json.dumps(tags)}")
        first.comments[:0] = lines
        yield from self.sentences

    def _mark(self) -> None:
        """Writes the mentions into the rows."""
        nodes = Nodes(self.layout, self.made.tokens)
        mentions, pieces = [], []
        for mention in self.document.mentions:
            found = self._pieces(mention, nodes)
            if found:
                mentions.append(mention)
                pieces.append(found)
            else:
                where = place(self.document, mention)
                self.lose("mention", where, "it covers no token")
        if not mentions:
            return
        marking = Marking(self.document.id, self.header, mentions, pieces, self.names)
        if not marking.pairs():
            pieces = [[(found[0][0], found[-1][1])] for found in pieces]
            marking = Marking(self.document.id, self.header, mentions, pieces, self.names)
        extras = marking.extras(nodes)
        places = [
            (sentence.rows, row)
            for sentence in self.sentences
            for row, text in enumerate(sentence.rows)
            if "-" not in text[: text.index("\t")]
        ]
        for node, cell in sorted(marking.cells.items()):
            added = [f"Entity={cell}"]
            own = [extras.get(number) for number in marking.fresh[node]]
            if any(extra is not None for extra in own):
                text = json.dumps(own, separators=(",", ":")).replace("|", "\\u007c")
                added.insert(0, f"Elcurate={text}")
            rows, row = places[node]
            rows[row] = _with(rows[row], added)

    def _pieces(self, mention: Mention, nodes: Nodes) -> Pieces | None:
        """The nodes of a mention: as read, or those of the tokens that it touches."""
        stated = nodes.stated(mention.attributes.get(NODES))
        if stated is not None:
            spans = [nodes.span(piece) for piece in stated]
            hull = min(span.begin for span in spans), max(span.end for span in spans)
            if hull == mention.span:
                return stated
        parts = [(part.begin, part.end) for part in mention.fragments] or [mention.span]
        found = [self._touched(begin, end, nodes) for begin, end in parts]
        if None in found or len({piece for pair in found if pair for piece in pair}) < len(found):
            found = [self._touched(mention.begin, mention.end, nodes)]
        pieces = [piece for piece in found if piece is not None]
        return pieces if len(pieces) == len(found) else None

    def _touched(self, begin: int, end: int, nodes: Nodes) -> tuple[int, int] | None:
        first = bisect_right(nodes.tokens, begin, key=lambda token: token.end)
        last = bisect_left(nodes.tokens, end, key=lambda token: token.begin) - 1
        return (nodes.first[first], nodes.last[last]) if first <= last else None

    def lose(self, kind: str, where: str, reason: str, what: str = "") -> None:
        """Reports what is not written."""
        self.writing.losses.append(Loss(kind=kind, where=where, what=what, reason=reason))


def _with(row: str, added: Sequence[str]) -> str:
    """A row with annotations at their place in the alphabet."""
    head, _, misc = row.rpartition("\t")
    items = [] if misc == "_" else misc.split("|")
    for item in added:
        key = item.partition("=")[0].lower()
        after = (n for n, one in enumerate(items) if one.partition("=")[0].lower() > key)
        items.insert(next(after, len(items)), item)
    return f"{head}\t{'|'.join(items)}"
