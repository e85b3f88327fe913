"""Rules on documents left out, repeated, or marked in part."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from elcurate.model.corpus import Corpus
from elcurate.rules.base import Problem, rule
from elcurate.rules.index import Index, Place

_WORD = re.compile(r"\w+")


@rule(
    "D101",
    "repeated-document",
    "warning",
    example="one news text under two ids",
    source="agencies send a text more than once",
)
def repeated_document(corpus: Corpus) -> Iterator[Problem]:
    """Two documents have the same text, up to white space; the second is reported."""
    seen: dict[str, str] = {}
    for number, document in enumerate(corpus.documents):
        text = " ".join((document.text or "").split())
        if text and text in seen:
            yield Problem(f"the text of {seen[text]}", document.id, document=number)
        seen.setdefault(text, document.id)


@rule(
    "D201",
    "unannotated-document",
    "info",
    example="a document that nobody got to",
    source="documents that were left out by mistake",
)
def unannotated_document(corpus: Corpus) -> Iterator[Problem]:
    """The document has no mention, while others have."""
    if not any(document.mentions for document in corpus.documents):
        return
    for number, document in enumerate(corpus.documents):
        if not document.mentions and not document.tags and (document.text or "x").strip():
            yield Problem("a document without annotations", document.id, document=number)


@rule(
    "D301",
    "unannotated-mention",
    "info",
    example="`Merkel` is annotated in the first sentence, but not in the third",
    source="inconsistent marking: IITB, AQUAINT and others annotate only the first mention",
)
def unannotated_mention(index: Index) -> Iterator[Problem]:
    """A name that is annotated in the document occurs there again without annotation.

    Whole words, in the same capitals, outside every mention; names of two letters at least.
    """
    names: defaultdict[int, dict[str, Place]] = defaultdict(dict)
    for surface, places in index.by_surface.items():
        if len(surface) > 1 and surface[0].isupper():
            for place in places:
                if place.may_be_name:
                    names[place.document].setdefault(surface, place)
    for number, known in names.items():
        document = index.corpus.documents[number]
        spans = [mention.span for mention in document.mentions]
        for begin, end in _unmarked(document.text or "", set(known), spans):
            place = known[(document.text or "")[begin:end]]
            message = f"annotated at {index.where(place)} as {place.entity or 'NIL'}"
            yield Problem(message, place=(begin, end), document=number)


def _unmarked(
    text: str, names: set[str], spans: list[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Where a name stands as whole words outside all spans, the longest name first."""
    marked = bytearray(len(text))
    for begin, end in spans:
        begin, end = max(begin, 0), min(end, len(text))
        if begin < end:
            marked[begin:end] = b"\1" * (end - begin)
    by_first: defaultdict[str, list[str]] = defaultdict(list)
    for name in sorted(names, key=len, reverse=True):
        first = _WORD.match(name)
        if first:
            by_first[first[0]].append(name)
    free = 0
    for match in _WORD.finditer(text):
        if match.start() < free or marked[match.start()]:
            continue
        for name in by_first.get(match[0], ()):
            begin, end = match.start(), match.start() + len(name)
            if not text.startswith(name, begin) or any(marked[begin:end]):
                continue
            if not (name[-1].isalnum() and text[end : end + 1].isalnum()):
                free = end
                yield begin, end
                break
