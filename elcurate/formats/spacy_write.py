"""Writing a DocBin."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, BinaryIO

from elcurate.errors import WriteError
from elcurate.formats import carried
from elcurate.formats.base import Writing
from elcurate.formats.features import outermost
from elcurate.formats.spacy_terms import ATTRS, GROUP, NIL, OWN, UNTYPED, extension, spacy_tokens
from elcurate.model.categories import DIMENSIONS
from elcurate.model.change import Loss
from elcurate.model.corpus import Attributes, Document, Link, Mention

_PIECE = re.compile(r" |\s+|\w+|[^\w\s]")


def write(writing: Writing, out: BinaryIO) -> None:
    """Writes all documents as one DocBin."""
    spacy = spacy_tokens(WriteError)
    from spacy.vocab import Vocab

    vocab = Vocab()
    found = spacy.DocBin(attrs=ATTRS, store_user_data=True)
    for document in writing.documents:
        if document.text is None:
            loss = Loss(kind="document", where=document.id, reason="spaCy needs texts")
            writing.losses.append(loss)
            continue
        words, spaces = _words(document, document.text)
        doc = spacy.Doc(vocab, words=words, spaces=spaces)
        _Filler(spacy, doc, document).fill()
        found.add(doc)
    out.write(found.to_bytes())


class _Filler:
    """Puts a document's mentions into a Doc of its text."""

    def __init__(self, spacy: Any, doc: Any, document: Document) -> None:
        self.spacy = spacy
        self.doc = doc
        self.document = document
        self.begins = {token.idx: token.i for token in doc}
        self.ends = {token.idx + len(token): token.i + 1 for token in doc}
        self.counts = Counter(mention.span for mention in document.mentions)
        self.own: dict[str, Any] = {"id": document.id, **carried.of_document(document)}

    def fill(self) -> None:
        """Sets spans, entities, sentences and user data."""
        spans: list[Any] = []
        first: dict[tuple[int, int], Any] = {}
        for number, mention in enumerate(self.document.mentions):
            made = list(self.spans(number, mention))
            if made:
                first.setdefault(mention.span, made[0])
                spans += made
            else:
                whole = mention.model_dump(mode="json", exclude_defaults=True)
                self.own.setdefault("unplaced", []).append(whole)
        self.doc.spans[GROUP] = self.spacy.SpanGroup(self.doc, name=GROUP, spans=spans)
        shown = {mention.span for mention in outermost(self.document.mentions)}
        self.doc.set_ents([self.entity(span) for place, span in first.items() if place in shown])
        starts = {sentence.begin for sentence in self.document.sentences}
        for token in self.doc if starts else ():
            token.is_sent_start = token.idx in starts
        self.doc.user_data[OWN] = json.dumps(self.own, ensure_ascii=False)

    def spans(self, number: int, mention: Mention) -> Iterator[Any]:
        """One span for each link, or for the mention; none where no tokens are in it."""
        begin, end = self.begins.get(mention.begin), self.ends.get(mention.end)
        if begin is None or end is None or begin >= end:
            return
        if rest := carried.of_mention(mention):
            self.own.setdefault("mentions", {})[str(number)] = rest
        if not mention.links:
            yield self.spacy.Span(self.doc, begin, end, span_id=str(number))
        for rank, link in enumerate(mention.links):
            name = f"{number}.{rank}"
            alone = self.counts[mention.span] == 1 and len(mention.links) == 1
            if rest := self.said(link, mention.span if alone else None):
                self.own.setdefault("links", {})[name] = rest
            entity = NIL if link.entity is None else link.entity
            names = {"label": link.type or "", "kb_id": entity, "span_id": name}
            yield self.spacy.Span(self.doc, begin, end, **names)

    def entity(self, span: Any) -> Any:
        """A span as spaCy's entities are: with a label."""
        names = {"label": span.label_ or UNTYPED, "kb_id": span.kb_id, "span_id": span.id}
        return self.spacy.Span(self.doc, span.start, span.end, **names)

    def said(self, link: Link, place: tuple[int, int] | None) -> Attributes:
        """Says what extensions can of the only link at a place, and returns the rest."""
        rest = link.model_dump(mode="json", exclude={"entity", "type"}, exclude_defaults=True)
        if link.entity in (NIL, ""):
            rest["entity"] = link.entity
        if link.type == "":
            rest["type"] = ""
        if place is None:
            return rest
        rest.pop("categories", None)
        for dimension in DIMENSIONS:
            if leaves := link.categories.leaves(dimension):
                self.doc.user_data[extension(dimension, *place)] = "|".join(leaves)
        if "score" in rest:
            self.doc.user_data[extension("score", *place)] = rest.pop("score")
        return rest


def _words(document: Document, text: str) -> tuple[list[str], list[bool]]:
    """Words that no mention cuts, and whether a blank follows each; together they are the text."""
    begins = {mention.begin for mention in document.mentions}
    ends = {mention.end for mention in document.mentions}
    tokens = {place for token in document.tokens for place in (token.begin, token.end)}
    cuts = tokens or {place for found in _PIECE.finditer(text) for place in found.span()}
    cuts |= begins | ends | {0, len(text)}
    cuts |= {place for part in document.sentences for place in (part.begin, part.end)}
    words: list[str] = []
    spaces: list[bool] = []
    for begin, end in pairwise(sorted(place for place in cuts if 0 <= place <= len(text))):
        folds = words and not spaces[-1] and begin not in begins and end not in ends
        if text[begin:end] == " " and folds:
            spaces[-1] = True
        else:
            words.append(text[begin:end])
            spaces.append(False)
    return words, spaces
