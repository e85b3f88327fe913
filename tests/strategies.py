"""Hypothesis strategies for corpora with everything that has ever broken a format."""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import strategies as st

from elcurate.model.categories import DIMENSIONS, Categories
from elcurate.model.corpus import Corpus, Document, Link, Mention, Span, Tag, in_order

PIECES = (
    "Angela Merkel",
    "東京",
    "😀",
    "e\u0301",
    "👩\u200d👩\u200d👧",
    "\ufeff",
    "\u202b\u05d0\u202c",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "\u2028",
    "\u0085",
    '"',
    '"""',
    "\\",
    "\\u0041",
    "<b>&amp;</b>",
    "]]>",
    "{}",
    " ",
    "\xa0",
    "a",
    "|",
    "%41",
    "\U0010ffff",
)
CONTROLS = ("\x00", "\x01", "\x08", "\x0b", "\x0c", "\x1b", "\x1f", "\x7f", "\ufffe", "\uffff")
ENTITIES = (
    "https://en.wikipedia.org/wiki/Angela_Merkel",
    "http://en.wikipedia.org/wiki/Zürich_(Stadt)",
    "https://en.wikipedia.org/wiki/C%2B%2B",
    "https://en.wikipedia.org/wiki/100%",
    "http://dbpedia.org/resource/AC/DC",
    "http://www.wikidata.org/entity/Q567",
    "https://example.org/notInWiki/Alice",
    "http://aksw.org/notInWiki/Bob",
    "https://en.wikipedia.org/wiki/NotInLexico",
    "Q42",
    "Angela Merkel",
    'The "Boss"',
    "<none>",
    "a\\b|c{d}^`",
    "NILE_River",
    "Nil",
    "100%",
    "%20",
    "E0123",
    "/m/0jcx",
    "mailto:a@example.org",
    "-",
    " x ",
)
NILS = (None, "NIL", "NIL0001", "NIL-é 1", "NIL/a%20b")
TYPES = (
    None,
    "Person",
    "PER",
    "Geo Political",
    "Ärger",
    '{"a": 1}',
    "http://dbpedia.org/ontology/Person",
    "http://www.w3.org/2002/07/owl#Thing",
    "http://example.org/AliasProperForm",
    "Mnt-Alias",
    "a/b#c",
)
IDS = (
    "doc",
    "doc 2",
    "Dok-ü",
    "http://example.org/d1",
    "http://example.org/d1#char=0,4",
    "http://example.org/d2#part",
    'quoted "id"',
    "it's",
    "<doc>",
    "947testa CRICKET",
    "100%",
    "a\\b",
    "a#b",
    "a_sentence0",
    "#",
    "東京/1?x=y&z",
)


def _spans(length: int) -> st.SearchStrategy[Span]:
    ends = st.tuples(st.integers(0, length), st.integers(0, length)).map(sorted)
    return ends.map(lambda pair: Span(begin=pair[0], end=pair[1]))


def json_values() -> st.SearchStrategy[Any]:
    """JSON values, a few levels deep."""
    leaves = (
        st.none()
        | st.booleans()
        | st.integers(-(2**53), 2**53)
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(st.sampled_from([*'ab"\\\n é😀<>&']), max_size=4)
    )
    return st.recursive(
        leaves,
        lambda inner: (
            st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("xy"), inner, max_size=2)
        ),
        max_leaves=3,
    )


def attributes() -> st.SearchStrategy[dict[str, Any]]:
    """Attributes: mostly none."""
    keys = st.sampled_from(["note", "type", "http://example.org/p", "a b", "ü", ""])
    return st.just({}) | st.dictionaries(keys, json_values(), max_size=2)


def categories() -> st.SearchStrategy[Categories]:
    """None, one or several leaves in each dimension."""
    leaves = {
        name: st.lists(st.sampled_from(known), max_size=2, unique=True)
        for name, known in DIMENSIONS.items()
    }
    return st.just(Categories()) | st.fixed_dictionaries(leaves).map(
        lambda found: Categories.of((name, leaf) for name in found for leaf in found[name])
    )


def scores() -> st.SearchStrategy[float | None]:
    """No score, or a finite one."""
    return st.none() | st.floats(allow_nan=False, allow_infinity=False)


def links() -> st.SearchStrategy[Link]:
    """Links to IRIs, to other identifiers, and to NIL."""
    return st.builds(
        Link,
        entity=st.sampled_from(ENTITIES) | st.sampled_from(NILS),
        score=scores(),
        type=st.sampled_from(TYPES),
        categories=categories(),
        attributes=attributes(),
    )


@st.composite
def mentions(draw: st.DrawFn, length: int, text: bool) -> Mention:
    """A mention inside a text of that length."""
    span = draw(_spans(length))
    fragments: tuple[Span, ...] = ()
    if span.end - span.begin > 2 and draw(st.integers(0, 4)) == 0:
        middle = draw(st.integers(span.begin + 1, span.end - 1))
        fragments = (Span(begin=span.begin, end=middle), Span(begin=middle, end=span.end))
    return Mention(
        begin=span.begin,
        end=span.end,
        links=tuple(draw(st.lists(links(), max_size=3))),
        fragments=fragments,
        surface=draw(st.none() | st.sampled_from(["stated", *([] if text else PIECES)])),
        attributes=draw(attributes()),
    )


def texts(controls: bool = True) -> st.SearchStrategy[str]:
    """Texts of tricky pieces."""
    pieces = PIECES + (CONTROLS if controls else ())
    return st.lists(st.sampled_from(pieces), max_size=8).map("".join)


@st.composite
def documents(draw: st.DrawFn, name: str, controls: bool = True) -> Document:
    """A document under that id, with or without a text."""
    text = draw(st.none() | texts(controls) | texts(controls))
    length = 40 if text is None else len(text)
    found = draw(st.lists(mentions(length, text is not None), max_size=4))
    cuts = sorted(set(draw(st.lists(st.integers(0, length), max_size=4))))
    pieces = tuple(Span(begin=b, end=e) for b, e in itertools.pairwise(cuts))
    tags = st.builds(Tag, entity=st.sampled_from(ENTITIES), score=scores(), attributes=attributes())
    return Document(
        id=name,
        text=text,
        mentions=in_order(found),
        tags=tuple(draw(st.lists(tags, max_size=2))),
        sentences=pieces,
        tokens=tuple(draw(st.lists(_spans(length), max_size=3))),
        metadata=draw(attributes()),
    )


@st.composite
def corpora(draw: st.DrawFn, *, controls: bool = True, max_documents: int = 3) -> Corpus:
    """Small corpora of every feature; offsets are inside the texts, ids are unique.

    Args:
        draw: Hypothesis's.
        controls: Whether texts may hold control characters and noncharacters.
        max_documents: How many documents at most.
    """
    ids = draw(st.lists(st.sampled_from(IDS), max_size=max_documents, unique=True))
    return Corpus(
        name=draw(st.sampled_from(["corpus", "Ein Name", ""])),
        documents=tuple(draw(documents(name, controls)) for name in ids),
        metadata=draw(attributes()),
    )


def torture_corpus() -> Corpus:
    """One fixed corpus that holds every feature of the model at once."""
    text = (
        '\ufeffAngela Merkel, 東京 😀 e\u0301\r\nNew York Times "quoted" \\u0041 <b>&amp;\x01\x0b.'
    )
    york, times = text.index("New York"), text.index("Times")
    every = Categories.of([(name, leaf) for name, known in DIMENSIONS.items() for leaf in known])
    one = Categories.of([(name, known[0]) for name, known in DIMENSIONS.items()])
    person = "https://en.wikipedia.org/wiki/Angela_Merkel"
    found = [
        Mention(
            begin=1,
            end=14,
            links=(
                Link(entity=person, score=0.1, type="Person", categories=one),
                Link(entity="Q567", score=-1e300, type="http://dbpedia.org/ontology/Person"),
                Link(entity=None, score=5e-324, attributes={"note": [1, None, {"x": "\n"}]}),
            ),
            attributes={"annotator": "ä"},
        ),
        Mention(begin=1, end=14, links=(Link(entity="NIL0001", categories=every),)),
        Mention(begin=1, end=14),
        Mention(begin=york, end=times + 5, links=(Link(entity='The "Boss" <x> 100%'),)),
        Mention(begin=york, end=times - 1, links=(Link(entity="NILE_River", type="a b"),)),
        Mention(
            begin=york + 4,
            end=times + 5,
            links=(Link(entity=person),),
            fragments=(Span(begin=york + 4, end=york + 8), Span(begin=times, end=times + 5)),
        ),
        Mention(begin=16, end=19, links=(Link(entity="NIL"),)),
        Mention(begin=19, end=19, surface="stated", links=(Link(entity="100%"),)),
    ]
    whole = Document(
        id='947testa "ü" #1',
        text=text,
        mentions=in_order(found),
        tags=(
            Tag(entity=person, score=0.5),
            Tag(entity="a b", attributes={"k": "v"}),
            Tag(entity=person),
        ),
        sentences=(Span(begin=0, end=york), Span(begin=york, end=len(text))),
        tokens=(Span(begin=1, end=7), Span(begin=8, end=14), Span(begin=8, end=14)),
        metadata={"http://example.org/p": ["<a:b>"], "": None, "source_url": "http://e.org/"},
    )
    without = Document(
        id="http://example.org/d#char=0,5",
        mentions=(Mention(begin=3, end=9, surface="Ap\tple", links=(Link(entity="NIL-é"),)),),
    )
    return Corpus(
        name="torture",
        documents=(whole, without, Document(id="empty", text=""), Document(id="bare")),
        metadata={"licence": {"name": "CC\n0"}},
    )
