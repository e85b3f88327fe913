"""For each rule: corpora that it leaves alone, and corpora in which it finds something."""

from __future__ import annotations

from typing import NamedTuple

from elcurate.model.categories import Categories
from elcurate.model.change import Repair
from elcurate.model.corpus import Corpus, Document, Link, Mention, Span, in_order

WIKI = "https://en.wikipedia.org/wiki/"
FULL = "full_name singular_noun none direct"


class Case(NamedTuple):
    """What a rule finds.

    Attributes:
        corpus: The corpus.
        surfaces: The surfaces of the findings; None where there is no place.
        fixed: Whether fixes of the rule's kind leave no finding of it.
    """

    corpus: Corpus
    surfaces: list[str | None]
    fixed: bool = False


def link(entity: str | None = "Berlin", leaves: str = FULL, **values) -> Link:
    """A link to a Wikipedia page, or to what has a colon or slash; leaves in one string."""
    if entity is not None and not entity.startswith(("!", "http")):
        entity = WIKI + entity
    names = ("base_form", "part_of_speech", "overlap", "reference")
    found = {
        name: tuple(leaf for leaf in part.split("+") if leaf != "-")
        for name, part in zip(names, leaves.split(), strict=False)
    }
    plain = None if entity is None else entity.removeprefix("!")
    return Link(entity=plain, categories=Categories(**found), **values)


def mention(begin: int, end: int, *links: Link, **values) -> Mention:
    return Mention(begin=begin, end=end, links=links or (link(),), **values)


def document(text: str | None, *mentions: Mention, id_: str = "d", **values) -> Document:
    return Document(id=id_, text=text, mentions=in_order(list(mentions)), **values)


def corpus(*documents: Document, **values) -> Corpus:
    return Corpus(name="c", documents=documents, **values)


def one(text: str | None, *mentions: Mention, **values) -> Corpus:
    """A corpus of one document."""
    return corpus(document(text, *mentions, **values))


def marked(text: str, *links: Link) -> Corpus:
    """A corpus of one document with one mention, which stands between brackets."""
    begin, end = text.index("["), text.index("]") - 1
    plain = text.replace("[", "", 1).replace("]", "", 1)
    return one(plain, mention(begin, end, *links))


def repaired(kind: str, where: str = "file:3") -> Corpus:
    good = marked("[Berlin] is big")
    return good.model_copy(update={"repairs": (Repair(kind=kind, where=where, before="x"),)})


def _twice(*types: str | None) -> Corpus:
    text = "Berlin and " * len(types)
    return one(text, *(mention(11 * n, 11 * n + 6, link(type=t)) for n, t in enumerate(types)))


def _thrice(*links: Link) -> Corpus:
    text = "Berlin and " * len(links)
    return one(text, *(mention(11 * n, 11 * n + 6, found) for n, found in enumerate(links)))


def _inner(outer: str, inner: str) -> Corpus:
    leaves = "full_name singular_noun {} direct"
    return one(
        "New York City",
        mention(0, 13, link("New_York_City", leaves.format(outer))),
        mention(4, 8, link("York", leaves.format(inner))),
    )


GOOD = marked("In [Berlin] it rains.")

CASES: dict[str, tuple[list[Corpus], list[Case]]] = {
    "F101": ([GOOD], [Case(repaired("undeclared-prefix"), [None])]),
    "F102": ([GOOD], [Case(repaired("not-utf8"), [None])]),
    "F103": ([GOOD], [Case(repaired("byte-order-mark"), [None])]),
    "F104": (
        [corpus(document("a", id_="1"), document("b", id_="2"))],
        [
            Case(corpus(document("a", id_="1"), document("b", id_="1")), [None]),
            Case(repaired("repeated-id", "d"), [None]),
        ],
    ),
    "F201": ([GOOD, repaired("nil-as-page", "d 0-6")], [Case(repaired("comment"), [None])]),
    "F202": ([one("a\tb\r\n\x85é")], [Case(one("a\x96b\x00\x1b"), ["\x96", "\x00", "\x1b"])]),
    "F203": ([one("café")], [Case(one("caf\ufffd\ufffd"), ["\ufffd\ufffd"])]),
    "F204": ([one("café"), one(None)], [Case(one("Un cafe\u0301"), ["e\u0301"])]),
    "F205": ([one("a\r\nb\r\n"), one("a\nb")], [Case(one("a\r\nb\nc"), [None])]),
    "F206": ([one("a"), one(None)], [Case(one(" \n"), [None]), Case(one(""), [None])]),
    "F207": ([GOOD], [Case(one(None, mention(0, 6)), [None])]),
    "S101": (
        [GOOD, one(None, mention(5, 9)), one("abc", mention(0, 3))],
        [
            Case(one("abc", mention(1, 4)), ["bc"]),
            Case(one("abc", mention(-1, 2)), ["ab"]),
            Case(one(None, mention(-1, 2)), [None]),
        ],
    ),
    "S102": ([GOOD], [Case(one("abc", mention(2, 1)), [""])]),
    "S103": ([GOOD], [Case(one("abc", mention(1, 1)), [""])]),
    "S201": ([GOOD], [Case(repaired("offsets"), [None])]),
    "S202": (
        [one("the ‘big’ one", mention(4, 9, surface="'big'"))],
        [Case(one("in Paris", mention(3, 8, surface="Berlin")), ["Paris"])],
    ),
    "S203": (
        [GOOD, one("a b", mention(0, 3, fragments=(Span(begin=0, end=1),)))],
        [
            Case(marked("in[ Berlin\n]now"), [" Berlin\n"], fixed=True),
            Case(one("a  b", mention(1, 3)), ["  "]),
        ],
    ),
    "S204": (
        [
            marked("the [U.S.] has"),
            marked("on [Yahoo!] today"),
            marked("the [Paris (Texas)] film"),
            marked("said [J. Smith Jr.] today"),
            marked("[“Heroes”] by Bowie"),
        ],
        [
            Case(marked("in [Berlin,] and"), ["Berlin,"], fixed=True),
            Case(marked("in [(Texas] now)"), ["(Texas"], fixed=True),
            Case(marked("he likes [chemistry.]"), ["chemistry."], fixed=True),
        ],
    ),
    "S205": (
        [
            marked("the [Russia]n president"),
            marked("[Berlin]'s"),
            marked("the [Beatle]s"),
            marked("#[Barack]Obama"),
            marked("in [東京]都"),
            marked("[5]km"),
        ],
        [
            Case(marked("in [Berli]n."), ["Berli"], fixed=True),
            Case(marked("in B[erlin]."), ["erlin"], fixed=True),
            Case(marked("the [town]s"), ["town"], fixed=True),
        ],
    ),
    "S206": (
        [one("A b. C d.", mention(5, 6), sentences=(Span(begin=0, end=4), Span(begin=5, end=9)))],
        [
            Case(
                one(
                    "A b. C d.",
                    mention(2, 6),
                    sentences=(Span(begin=0, end=4), Span(begin=5, end=9)),
                ),
                ["b. C"],
            )
        ],
    ),
    "S207": (
        [_inner("maximal", "minimal"), one("abcd", mention(0, 2), mention(2, 4))],
        [Case(one("New York City", mention(0, 8), mention(4, 13)), ["York City"])],
    ),
    "S208": (
        [GOOD, one("ab", mention(0, 1), mention(1, 2))],
        [
            Case(one("Berlin", mention(0, 6), mention(0, 6)), ["Berlin"], fixed=True),
            Case(one("Berlin", *[mention(0, 6)] * 3), ["Berlin"] * 2, fixed=True),
        ],
    ),
    "S209": (
        [GOOD, one("Berlin", mention(0, 6), mention(0, 6))],
        [Case(one("Berlin", mention(0, 6), mention(0, 6, link("Bonn"))), ["Berlin"])],
    ),
    "S210": ([GOOD], [Case(_inner("maximal", "minimal"), ["York"])]),
    "S301": (
        [
            one("Berlin Bonn", mention(0, 6), mention(7, 11, link("Bonn"))),
            one("Berlin Berlin", mention(0, 6), mention(7, 13)),
        ],
        [
            Case(
                one(
                    "Mount Everest",
                    mention(0, 5, link("Mount_Everest", "short_name")),
                    mention(6, 13, link("Mount_Everest", "short_name")),
                ),
                ["Mount"],
            )
        ],
    ),
    "S302": (
        [marked("[a b c d e f g h i j k l] m")],
        [Case(marked("[the b c d e f g h i j k l m]"), ["the b c d e f g h i j k l m"])],
    ),
    "L101": (
        [GOOD, marked("[x]", link("!NIL3")), marked("[x]", link("!http://x.org/a b"[:-2]))],
        [
            Case(marked("[x] y", link("A[1]")), ["x"]),
            Case(marked("[x] y", link("!http://www.wikidata.org/entity/X1")), ["x"]),
            Case(marked("[x] y", link("!http://x.org/a b")), ["x"]),
        ],
    ),
    "L102": (
        [GOOD, marked("[x]", link(None)), marked("[Nile]", link("NILE_River", ""))],
        [
            Case(marked("[x] y", link("NotInLexico")), ["x"], fixed=True),
            Case(marked("[x] y", link("!--NME--")), ["x"], fixed=True),
            Case(repaired("nil-as-page", "d 0-6"), ["Berlin"]),
        ],
    ),
    "L103": (
        [marked("[Zürich]", link("Zürich")), marked("[Å]", link("Å"))],
        [
            Case(marked("[Zürich] a", link("ZÃ¼rich")), ["Zürich"], fixed=True),
            Case(marked("[Zürich] a", link("Z\ufffdrich")), ["Zürich"]),
        ],
    ),
    "L201": (
        [GOOD, marked("[x]", link(None)), marked("[x]", link("!E0123456"))],
        [
            Case(
                marked("[Berlin] a", link("http://en.wikipedia.org/wiki/berlin")), ["Berlin"], True
            ),
            Case(marked("[Zürich] a", link("Z%C3%BCrich")), ["Zürich"], fixed=True),
        ],
    ),
    "L202": (
        [_thrice(*[link()] * 5)],
        [
            Case(
                _thrice(*[link()] * 9, link("https://de.wikipedia.org/wiki/Berlin")),
                ["Berlin"],
            )
        ],
    ),
    "L203": (
        [GOOD, marked("[x]", link("Blade_Runner:_2049", ""))],
        [Case(marked("[x] y", link("Category:Cities", "")), ["x"])],
    ),
    "L204": ([GOOD], [Case(marked("[x] y", link("Berlin#History", "")), ["x"])]),
    "L205": (
        [one("Berlin", mention(0, 6, link(), link("Bonn")))],
        [
            Case(one("Berlin", mention(0, 6, link(), link())), ["Berlin"], fixed=True),
            Case(
                one("Berlin", mention(0, 6, link(), link("http://en.wikipedia.org/wiki/Berlin"))),
                ["Berlin"],
            ),
        ],
    ),
    "L301": (
        [
            _thrice(link(), link(), link()),
            _thrice(link(), link("Bonn"), link("Köln")),
            one(
                "Steve and Steve and Steve Ballmer, Steve",
                mention(0, 5, link("Steve_Jobs", "")),
                mention(10, 15, link("Steve_Jobs", "")),
                mention(20, 33, link("Steve_Ballmer", "")),
                mention(35, 40, link("Steve_Ballmer", "")),
            ),
        ],
        [Case(_thrice(link(), link("Bonn", ""), link()), ["Berlin"])],
    ),
    "L302": (
        [_twice("Place", "Place", None)],
        [Case(_twice("Place", "Place", "Person"), ["Berlin"])],
    ),
    "L303": (
        [_thrice(link(), link())],
        [Case(_thrice(link(), link(), link("http://dbpedia.org/resource/Berlin")), ["Berlin"])],
    ),
    "C101": (
        [GOOD, marked("[Berlin]", link("Berlin", ""))],
        [Case(marked("[Berlin] a", link("Berlin", "full_name - none direct")), ["Berlin"])],
    ),
    "C102": (
        [GOOD],
        [
            Case(
                marked("[Berlin] a", link("Berlin", "full_name singular_noun none+minimal direct")),
                ["Berlin"],
            )
        ],
    ),
    "C201": (
        [_inner("maximal", "minimal"), GOOD],
        [
            Case(_inner("maximal", "none"), ["York"], fixed=True),
            Case(_inner("minimal", "intermediate"), ["New York City", "York"], fixed=True),
        ],
    ),
    "C202": (
        [marked("[she] is", link("Marie_Curie", "pro_form singular_noun none anaphoric"))],
        [
            Case(
                marked("[she] is", link("Marie_Curie", "pro_form singular_noun none direct")),
                ["she"],
            ),
            Case(
                marked("[Berlin] a", link("Berlin", "full_name singular_noun none anaphoric")),
                ["Berlin"],
            ),
        ],
    ),
    "C203": (
        [marked("[the capital]", link("Berlin", "common_form singular_noun none descriptive"))],
        [
            Case(
                marked("[the city] a", link("Berlin", "short_name singular_noun none descriptive")),
                ["the city"],
            )
        ],
    ),
    "C204": (
        [marked("in [1984] by", link("Nineteen_Eighty-Four", "alias singular_noun none direct"))],
        [
            Case(
                marked("in [1984] a", link("1984", "common_form singular_noun none direct")),
                ["1984"],
            )
        ],
    ),
    "C205": (
        [GOOD, marked("[Curie] a", link("Marie_Curie", "short_name singular_noun none direct"))],
        [
            Case(
                marked("[Berlin] a", link("Berlin", "short_name singular_noun none direct")),
                ["Berlin"],
                fixed=True,
            )
        ],
    ),
    "C206": (
        [
            marked("[Germans] a", link("Germany")),
            marked(
                "[Kiev] a", link("Government_of_Ukraine", "full_name singular_noun none metonymic")
            ),
        ],
        [Case(marked("[Iron Lady] a", link("Margaret_Thatcher")), ["Iron Lady"])],
    ),
    "C207": (
        [
            marked("[US] a", link("United_States", "short_name singular_noun none direct")),
            marked("[i] a", link("I_(newspaper)")),
        ],
        [
            Case(
                marked("[she] a", link("Marie_Curie", "common_form singular_noun none direct")),
                ["she"],
            )
        ],
    ),
    "C208": (
        [one("Berlin", mention(0, 6, link(), link("Bonn", "alias singular_noun none direct")))],
        [
            Case(
                one("Berlin", mention(0, 6, link(), link("Bonn", "alias adjective none direct"))),
                ["Berlin"],
            )
        ],
    ),
    "C301": (
        [_thrice(link(), link(), link())],
        [
            Case(
                _thrice(link(), link(), link("Berlin", "alias singular_noun none direct")),
                ["Berlin"],
            )
        ],
    ),
    "D101": (
        [corpus(document("a b", id_="1"), document("a c", id_="2"))],
        [Case(corpus(document("a b", id_="1"), document("a\nb", id_="2")), [None])],
    ),
    "D201": (
        [corpus(document("a", id_="1"), document("b", id_="2"))],
        [Case(corpus(document("Berlin", mention(0, 6), id_="1"), document("b", id_="2")), [None])],
    ),
    "D301": (
        [
            marked("[Berlin] and Berliner"),
            marked("[she] and she", link("Marie_Curie", "pro_form adjective none anaphoric")),
            one("Berlin, East Berlin", mention(0, 6), mention(8, 19, link("East_Berlin"))),
        ],
        [Case(marked("[Berlin] and Berlin"), ["Berlin"])],
    ),
}
"""Every rule but those of the engine, which `test_engine` tries."""
