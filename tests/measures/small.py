"""Hypothesis strategies for small corpora in which much coincides."""

from __future__ import annotations

from hypothesis import strategies as st

from elcurate.model.categories import Categories
from elcurate.model.corpus import Corpus, Document, Link, Mention, Span, in_order

WIKI = "https://en.wikipedia.org/wiki/"
ENTITIES = (
    f"{WIKI}A",
    f"{WIKI}B",
    f"{WIKI}C",
    "http://en.wikipedia.org/wiki/a",
    "http://dbpedia.org/resource/B",
)
NILS = (None, "NIL", "NIL1")
LEAVES = {
    "base_form": ("full_name", "alias", "pro_form"),
    "part_of_speech": ("singular_noun", "verb"),
    "overlap": ("none", "maximal"),
    "reference": ("direct", "related"),
}


@st.composite
def categories(draw: st.DrawFn, whole: bool = False) -> Categories:
    """Mostly one leaf per dimension; else none or two."""
    pairs = []
    for dimension, leaves in LEAVES.items():
        count = 1 if whole else draw(st.sampled_from([0, 1, 1, 1, 2]))
        chosen = draw(st.permutations(leaves))[:count]
        pairs += [(dimension, leaf) for leaf in chosen]
    return Categories.of(pairs)


def links(whole: bool = False, nil: bool = True) -> st.SearchStrategy[Link]:
    return st.builds(
        Link,
        entity=st.sampled_from(ENTITIES + (NILS if nil else ())),
        score=st.sampled_from([None, None, 0.5, 1.0]),
        type=st.sampled_from([None, "PER", "LOC"]),
        categories=categories(whole),
    )


@st.composite
def documents(draw: st.DrawFn, name: str, options: dict[str, bool], most: int = 3) -> Document:
    single = options.get("single", False)
    found = []
    for _ in range(draw(st.integers(0, most))):
        begin = draw(st.integers(0, 4))
        end = begin + draw(st.integers(1, 2))
        links_ = links(options.get("whole", False), options.get("nil", True))
        number = (1, 1) if single else (0, 3)
        found.append(
            Mention(
                begin=begin,
                end=end,
                links=tuple(draw(st.lists(links_, min_size=number[0], max_size=number[1]))),
            )
        )
    if options.get("distinct", False):
        found = list({mention.span: mention for mention in found}.values())
    cut = draw(st.sampled_from([0, 0, 3]))
    pieces = (Span(begin=0, end=cut), Span(begin=cut, end=7)) if cut else ()
    kept = draw(st.integers(0, 3)) if cut else 0
    sentences = tuple(piece for place, piece in enumerate(pieces) if not kept >> place & 1)
    return Document(id=name, mentions=in_order(found), sentences=sentences)


@st.composite
def corpora(
    draw: st.DrawFn, names: tuple[str, ...] = ("d0", "d1"), most: int = 3, **options: bool
) -> Corpus:
    """Corpora of some of the documents.

    Args:
        draw: Hypothesis's.
        names: The documents that there may be.
        most: How many mentions a document has at most.
        options: ``whole`` (one leaf per dimension), ``nil=False`` (no NIL), ``single`` (one link
            per mention), ``distinct`` (no span twice), ``full`` (all documents).
    """
    chosen = names if options.get("full") else draw(st.permutations(names))
    count = len(names) if options.get("full") else draw(st.integers(0, len(names)))
    return Corpus(
        name="small",
        documents=tuple(draw(documents(name, options, most)) for name in chosen[:count]),
    )
