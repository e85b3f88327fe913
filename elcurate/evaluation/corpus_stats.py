"""Counts of a corpus: the published ones, and what tells how hard it is.

Source of the category counts: Rosales-Méndez, Hogan and Poblete, EMNLP 2019, table 2: links that
carry the leaf; a link with two leaves of one dimension counts for both.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from elcurate.kb.iri import canonical
from elcurate.model.categories import LEAVES
from elcurate.model.corpus import Corpus, Document
from elcurate.model.record import Record

_WORD = re.compile(r"\w+(?:['’-]\w+)*")


class Ratio(Record):
    """The mean and the greatest of some counts; None of none."""

    mean: float | None
    max: int


class CorpusStats(Record):
    """The counts of one corpus.

    Attributes:
        tokens: Stated tokens; 0 where the corpus states none.
        words: Words of the texts.
        nil: NIL links.
        entities: Distinct canonical entities, without NIL.
        nil_share: NIL links per link.
        entities_per_surface: Distinct entities per distinct surface; NIL left out.
        surfaces_per_entity: Distinct surfaces per distinct entity.
        nested_share: Share of mentions that lie within another.
        types, categories: Links per type, and per leaf of each dimension.
    """

    name: str
    documents: int
    sentences: int
    tokens: int
    words: int
    mentions: int
    links: int
    nil: int
    entities: int
    nil_share: float | None
    mentions_per_document: float | None
    mentions_per_100_words: float | None
    links_per_mention: float | None
    entities_per_surface: Ratio
    surfaces_per_entity: Ratio
    nested_share: float | None
    types: dict[str, int]
    categories: dict[str, dict[str, int]]


def corpus_stats(corpus: Corpus) -> CorpusStats:
    """Counts a corpus."""
    types: Counter[str] = Counter()
    leaves: Counter[tuple[str, str]] = Counter()
    of_surface: defaultdict[str, set[str]] = defaultdict(set)
    of_entity: defaultdict[str, set[str]] = defaultdict(set)
    mentions = nested = links = nil = 0
    for document in corpus.documents:
        nested += _nested(document)
        for mention in document.mentions:
            mentions += 1
            surface = document.surface(mention)
            for link in mention.links:
                links += 1
                nil += link.is_nil
                leaves.update(link.categories.pairs())
                if link.type is not None:
                    types[link.type] += 1
                if link.entity is not None and not link.is_nil:
                    entity = canonical(link.entity)
                    of_entity[entity].add(surface or "")
                    if surface is not None:
                        of_surface[surface].add(entity)
    words = sum(len(_WORD.findall(document.text or "")) for document in corpus.documents)
    categories: dict[str, dict[str, int]] = {}
    for dimension, leaf in LEAVES:
        categories.setdefault(dimension, {})[leaf] = leaves[dimension, leaf]
    return CorpusStats(
        name=corpus.name,
        documents=len(corpus.documents),
        sentences=sum(len(document.sentences) for document in corpus.documents),
        tokens=sum(len(document.tokens) for document in corpus.documents),
        words=words,
        mentions=mentions,
        links=links,
        nil=nil,
        entities=len(of_entity),
        nil_share=_share(nil, links),
        mentions_per_document=_share(mentions, len(corpus.documents)),
        mentions_per_100_words=_share(100 * mentions, words),
        links_per_mention=_share(links, mentions),
        entities_per_surface=_ratio([len(found) for found in of_surface.values()]),
        surfaces_per_entity=_ratio([len(found) for found in of_entity.values()]),
        nested_share=_share(nested, mentions),
        types=dict(sorted(types.items(), key=lambda item: (-item[1], item[0]))),
        categories=categories,
    )


def _nested(document: Document) -> int:
    """How many mentions lie within another, on distinct spans."""
    spans = Counter(mention.span for mention in document.mentions)
    reach, count = -1, 0
    for begin, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if end <= reach:
            count += spans[begin, end]
        reach = max(reach, end)
    return count


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _ratio(counts: list[int]) -> Ratio:
    return Ratio(mean=_share(sum(counts), len(counts)), max=max(counts, default=0))
