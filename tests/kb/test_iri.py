"""Spellings of entity identifiers, and properties of their canonical form."""

from __future__ import annotations

import dataclasses
import re
from unicodedata import normalize
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from elcurate.kb import titles
from elcurate.kb.iri import canonical, last_segment, parse

EN = "https://en.wikipedia.org/wiki/"
DBPEDIA = "http://dbpedia.org/resource/"
WIKIDATA = "http://www.wikidata.org/entity/"

SPELLINGS = {
    f"{EN}Barack_Obama": [
        "http://en.wikipedia.org/wiki/Barack_Obama",
        "  https://en.wikipedia.org/wiki/Barack_Obama \n",
        "//en.wikipedia.org/wiki/Barack_Obama",
        "HTTP://EN.Wikipedia.ORG/wiki/Barack_Obama",
        "https://en.wikipedia.org:443/wiki/Barack_Obama",
        "https://en.m.wikipedia.org/wiki/Barack_Obama",
        "https://m.wikipedia.org/wiki/Barack_Obama",
        "https://www.wikipedia.org/wiki/Barack_Obama",
        "https://wikipedia.org/wiki/Barack_Obama",
        "https://en.wikipedia.org/wiki/barack Obama",
        "https://en.wikipedia.org/wiki/Barack%20Obama",
        "https://en.wikipedia.org/wiki/_Barack__Obama_",
        "https://en.wikipedia.org/wiki/Barack_Obama%20",
        "https://en.wikipedia.org/wiki/Barack\u00a0\u2003_Obama",
        "https://en.wikipedia.org/wiki/Barack_Obama\u200e",
        "https://en.wikipedia.org/wiki/\u202aBarack_Obama\u202c",
        "https://en.wikipedia.org/wiki/:Barack_Obama",
        "https://en.wikipedia.org/wiki/Barack_Obama?oldid=12&action=raw",
        "https://en.wikipedia.org/wiki/Barack_Obama#",
        "https://en.wikipedia.org/w/index.php?title=Barack_Obama",
        "https://en.wikipedia.org/w/index.php?title=Barack+Obama&oldid=12",
        "https://en.wikipedia.org/w/index.php?oldid=12&amp;title=Barack_Obama",
        "https://en.wikipedia.org/wiki/index.php?title=Barack_Obama",
        "https://en.wikipedia.org/w/index.php/Barack_Obama",
        "https://en.wikipedia.org/?title=Barack_Obama",
        "https://en.wikipedia.org/wiki/%42arack%5fObama",
    ],
    f"{EN}Barack_Obama#Early_life": [
        "http://en.wikipedia.org/wiki/Barack_Obama#Early_life",
        "http://en.wikipedia.org/wiki/Barack_Obama#Early%20life",
        "http://en.wikipedia.org/wiki/Barack_Obama#_Early life_",
        "http://en.wikipedia.org/wiki/barack_Obama%23Early_life",
        "http://en.wikipedia.org/w/index.php?title=Barack_Obama#Early_life",
    ],
    f"{EN}Café_(Paris)": [
        "http://en.wikipedia.org/wiki/Caf%C3%A9_(Paris)",
        "http://en.wikipedia.org/wiki/caf%c3%a9_%28Paris%29",
        "http://en.wikipedia.org/wiki/Caf%E9_(Paris)",
        "http://en.wikipedia.org/wiki/Caf%25C3%25A9_%2528Paris%2529",
        "http://en.wikipedia.org/wiki/Caf%C3%A9_%2528Paris)",
        "http://en.wikipedia.org/wiki/Cafe\u0301_(Paris)",
        "http://en.wikipedia.org/wiki/Caf&eacute;_(Paris)",
        "http://en.wikipedia.org/wiki/Caf&#233;_(Paris)",
        "http://en.wikipedia.org/wiki/Caf&#xe9;_(Paris)",
    ],
    f"{EN}Who_Framed_Roger_Rabbit%3F": [
        "http://en.wikipedia.org/wiki/Who_Framed_Roger_Rabbit%3F",
        "http://en.wikipedia.org/wiki/Who_Framed_Roger_Rabbit%253f",
        "http://en.wikipedia.org/wiki/Who_Framed_Roger_Rabbit?",
        "http://en.wikipedia.org/w/index.php?title=Who_Framed_Roger_Rabbit%3F&x=1",
    ],
    f"{EN}AT&T": [
        "http://en.wikipedia.org/wiki/AT%26T",
        "http://en.wikipedia.org/wiki/AT&amp;T",
        "http://en.wikipedia.org/wiki/AT&amp;amp;T",
        "http://en.wikipedia.org/w/index.php?title=AT%26T&oldid=3",
    ],
    f"{EN}Rock_'n'_Roll": ["http://en.wikipedia.org/wiki/Rock_&#39;n&#39;_Roll"],
    f"{EN}C++": [
        "http://en.wikipedia.org/wiki/C++",
        "http://en.wikipedia.org/wiki/C%2B%2B",
        "http://en.wikipedia.org/w/index.php?title=C%2B%2B",
    ],
    f"{EN}100%_Love": [
        "http://en.wikipedia.org/wiki/100%_Love",
        "http://en.wikipedia.org/wiki/100%25_Love",
        "http://en.wikipedia.org/wiki/100%2525_Love",
    ],
    f"{EN}AC/DC": ["http://en.wikipedia.org/wiki/AC%2FDC", "http://en.wikipedia.org/wiki/aC/DC"],
    f"{EN}Star_Trek:_Voyager": ["http://en.wikipedia.org/wiki/Star%20Trek:%20Voyager"],
    f"{EN}Category:Physics": [
        "http://en.wikipedia.org/wiki/Category:Physics",
        "http://en.wikipedia.org/wiki/category_:_physics",
        "http://en.wikipedia.org/wiki/Category%3APhysics",
        "http://en.wikipedia.org/wiki/:Category:Physics",
    ],
    f"{EN}File:Flag.svg": ["http://en.wikipedia.org/wiki/Image:flag.svg"],
    f"{EN}Wikipedia:Manual": [
        "http://en.wikipedia.org/wiki/WP:manual",
        "http://en.wikipedia.org/wiki/Project:Manual",
    ],
    f"{EN}User_talk:X": ["http://en.wikipedia.org/wiki/user talk:x"],
    "https://de.wikipedia.org/wiki/Category:Physik": [
        "http://de.wikipedia.org/wiki/Kategorie:Physik",
        "http://de.wikipedia.org/wiki/Category:physik",
    ],
    f"{EN}Kategorie:physik": ["http://en.wikipedia.org/wiki/kategorie:physik"],
    "https://ja.wikipedia.org/wiki/東京": [
        "http://ja.wikipedia.org/wiki/%E6%9D%B1%E4%BA%AC",
        "http://ja.m.wikipedia.org/wiki/東京",
    ],
    "https://zh.wikipedia.org/wiki/中国": ["https://zh.wikipedia.org/zh-hans/%E4%B8%AD%E5%9B%BD"],
    "https://simple.wikipedia.org/wiki/Cat": ["http://simple.wikipedia.org/wiki/cat"],
    "https://tr.wikipedia.org/wiki/İstanbul": ["https://tr.wikipedia.org/wiki/istanbul"],
    "https://jbo.wikipedia.org/wiki/lojban": ["http://jbo.wikipedia.org/wiki/lojban"],
    "https://en.wikipedia.org/?curid=123": [
        "http://en.wikipedia.org/?curid=123",
        "http://en.wikipedia.org/wiki?curid=0123",
        "http://en.wikipedia.org/wiki/index.html?curid=123",
        "https://en.m.wikipedia.org/w/index.php?action=raw&curid=123",
    ],
    f"{DBPEDIA}Berlin": [
        "http://dbpedia.org/page/Berlin",
        "https://dbpedia.org/resource/Berlin",
        "http://www.dbpedia.org/resource/berlin",
        "http://live.dbpedia.org/resource/Berlin",
        "http://en.dbpedia.org/resource/Berlin",
        "http://dbpedia.org/data/Berlin.json",
        "http://dbpedia.org/data/Berlin",
    ],
    f"{DBPEDIA}Who's_Afraid_of_Virginia_Woolf%3F": [
        "http://dbpedia.org/resource/Who's_Afraid_of_Virginia_Woolf?",
        "http://dbpedia.org/resource/Who%27s_Afraid_of_Virginia_Woolf%3F",
    ],
    f"{DBPEDIA}Category:Physics": ["http://dbpedia.org/resource/Category:Physics"],
    "http://de.dbpedia.org/resource/München": [
        "http://de.dbpedia.org/resource/M%C3%BCnchen",
        "https://de.dbpedia.org/page/M%FCnchen",
    ],
    f"{WIKIDATA}Q42": [
        "https://www.wikidata.org/entity/Q42",
        "https://www.wikidata.org/wiki/Q42",
        "http://wikidata.org/wiki/q42",
        "https://m.wikidata.org/wiki/Q42#P31",
        "https://www.wikidata.org/wiki/Special:EntityData/Q42",
        "https://www.wikidata.org/wiki/Special%3AEntityData/q42.json",
        "https://www.wikidata.org/w/index.php?title=Q42&oldid=1",
        "//www.wikidata.org/wiki/Q42",
    ],
    f"{WIKIDATA}P31": ["https://www.wikidata.org/wiki/Property:P31"],
    f"{WIKIDATA}L7-F2": ["https://www.wikidata.org/entity/l7-f2"],
    "/m/0abc": [
        "m.0abc",
        "http://rdf.freebase.com/ns/m.0abc",
        "http://rdf.freebase.com/ns/m/0abc",
        "https://www.freebase.com/m/0abc",
        "http://www.freebase.com/view/m/0abc",
    ],
    "Beyoncé_Knowles": [r"Beyonc\u00e9_Knowles", r" Beyonc\u00E9_Knowles "],
    "😀": [r"\ud83d\ude00"],
    "http://yago-knowledge.org/resource/Beyoncé": [
        r"http://yago-knowledge.org/resource/Beyonc\u00e9"
    ],
    "http://mpii.de/yago/resource/Zürich": [r"http://mpii.de/yago/resource/Z\u00fcrich"],
}

VERBATIM = [
    "",
    "NIL",
    "NIL0001",
    "NILE_River",
    "Nil",
    "Q42",
    "q42",
    "E0123456",
    "PER",
    "Barack_Obama",
    "barack Obama",
    "Caf%C3%A9",
    "en.wikipedia.org/wiki/foo",
    "m.foo",
    "/m/x",
    "dbpedia:Berlin",
    r"C:\users",
    r"\ud800_alone",
    r"a\u000ab",
    "http://example.org/Caf%C3%A9?x#y",
    r"http://example.org/\u00e9",
    "http://dbpedia.org/ontology/Person",
    "http://rdf.freebase.com/ns/en.berlin",
    "http://www.wikidata.org/prop/direct/P31",
    "http://www.wikidata.org/entity/Q0",
    "https://evil-wikipedia.org/wiki/foo",
    "https://en.wikipedia.org.example.org/wiki/foo",
    "http://",
    "//",
    "https://[/wiki/x",
]

INVALID = {
    "https://en.wikipedia.org": "empty",
    "http://en.wikipedia.org/wiki/": "empty",
    "http://en.wikipedia.org/wiki/_": "empty",
    "http://en.wikipedia.org/wiki/#x": "empty",
    "http://en.wikipedia.org/wiki/Category:": "empty",
    "http://en.wikipedia.org/wiki/a|b": "illegal-character",
    "http://en.wikipedia.org/wiki/a%5Bb": "illegal-character",
    "http://en.wikipedia.org/wiki/a%00b": "illegal-character",
    "http://en.wikipedia.org/wiki/a&lt;b": "illegal-character",
    "http://en.wikipedia.org/wiki/a&nosuch;b": "illegal-character",
    "http://en.wikipedia.org/wiki/a%4\u200e1": "illegal-character",
    "http://en.wikipedia.org/wiki/a\ufffdb": "replacement-character",
    "http://en.wikipedia.org/wiki/a%EF%BF%BDb": "replacement-character",
    "http://en.wikipedia.org/wiki/lone\ud800b": "replacement-character",
    "http://en.wikipedia.org/wiki/.": "relative-path",
    "http://en.wikipedia.org/wiki/..": "relative-path",
    "http://en.wikipedia.org/wiki/./a": "relative-path",
    "http://en.wikipedia.org/wiki/a/../b": "relative-path",
    "http://en.wikipedia.org/wiki/a/.": "relative-path",
    "http://en.wikipedia.org/wiki/a~~~": "tildes",
    "http://en.wikipedia.org/wiki/::a": "leading-colon",
    "http://en.wikipedia.org/wiki/Talk:File:a": "talk-namespace",
    "http://en.wikipedia.org/wiki/" + 256 * "a": "too-long",
    "http://en.wikipedia.org/wiki/" + 128 * "é": "too-long",
    "http://en.wikipedia.org/wiki/" + 64 * "😀": "too-long",
    "http://en.wikipedia.org/wiki/" + 86 * "東": "too-long",
    "http://en.wikipedia.org/wiki/" + 500_000 * "a ": "too-long",
    "http://en.wikipedia.org/wiki/%" + 40 * "25" + "41": "encoding",
    "http://dbpedia.org/resource/a{b": "illegal-character",
    "http://www.wikidata.org/wiki/Foo": "illegal-id",
    "http://rdf.freebase.com/ns/type.object": "illegal-id",
}

LETTERS = st.characters(codec="utf-8", categories=("L", "N", "P", "S", "M"))
HEX = re.compile("%[0-9A-F]{2}")
ANY = st.text(st.characters(exclude_categories=()))
# Pieces that build escapes, separators and blanks out of each other.
PIECES = st.lists(
    st.sampled_from(
        re.findall(
            r"\S+",
            "% 25 41 3F 23 & amp; # #39; ? = + _ : / . ~ ; e i ı ß x %C3 %A9 File Talk title="
            " curid=7 \u200e \u0301 \u0307 \ufffd \u037e \\u0 0e9",
        )
    )
    | st.sampled_from(" \x85\x1c\u3000"),
    max_size=14,
).map("".join)
PREFIXES = st.sampled_from(
    [
        EN,
        "http://tr.wikipedia.org/wiki/",
        "//de.wikipedia.org/w/index.php?title=",
        "https://en.wikipedia.org/",
        "https://mobile.wikipedia.org/wiki/",
        DBPEDIA,
        "http://live.dbpedia.org/resource/",
        "http://dbpedia.org/data/",
        "http://wikidata.org/wiki/",
        "http://yago-knowledge.org/resource/",
        "http://rdf.freebase.com/ns/m.",
        "m.0",
        "",
    ]
)


@st.composite
def valid_titles(draw: st.DrawFn) -> str:
    """A title as MediaWiki stores it, of an article, that begins with a capital letter."""
    words = draw(st.lists(st.text(LETTERS, min_size=1, max_size=8), min_size=1, max_size=4))
    title = normalize("NFC", "A" + "_".join(words))
    parts = titles.split(title, "en")
    kept = (None, title, None, None)
    return title if parts == kept else normalize("NFC", "".join(filter(str.isalnum, title)))


@pytest.mark.parametrize(
    ("spelling", "form"),
    [(spelling, form) for form, spellings in SPELLINGS.items() for spelling in [form, *spellings]],
)
def test_spellings(spelling: str, form: str) -> None:
    assert canonical(spelling) == form


@pytest.mark.parametrize("entity", VERBATIM)
def test_kept(entity: str) -> None:
    assert canonical(entity) == entity
    assert canonical(f" {entity}\n") == entity


@pytest.mark.parametrize(("entity", "problem"), INVALID.items(), ids=range(len(INVALID)))
def test_invalid_titles_are_only_trimmed(entity: str, problem: str) -> None:
    read = parse(f" {entity}")
    assert read.problem == problem
    assert read.canonical == canonical(entity) == entity.strip()


def test_255_bytes_fit() -> None:
    assert parse(EN + 255 * "a").problem is None
    assert parse(EN + 127 * "é" + "a").problem is None
    assert parse(EN + 85 * "東").problem is None
    assert parse(EN + "Category:" + 255 * "a").problem is None


def test_longest_inputs() -> None:
    for piece in ["%25", "&amp;", r"\u005c", "m.0", "/", "#", "\ud800", "\0", "é_ "]:
        for prefix in ["", EN, "http://yago-knowledge.org/resource/", "https://", f"{EN}x#"]:
            text = prefix + piece * (1_000_000 // len(piece))
            assert canonical(canonical(text)) == canonical(text)


@pytest.mark.parametrize(
    ("letter", "upper"),
    [
        *[("a", "A"), ("é", "É"), ("я", "Я"), ("ω", "Ω"), ("ǆ", "ǅ"), ("ǅ", "ǅ"), ("Ǆ", "ǅ")],
        *[("ß", "ß"), ("ŉ", "ŉ"), ("ǰ", "ǰ"), ("ΐ", "ΐ"), ("և", "և"), ("ﬁ", "ﬁ"), ("ẖ", "ẖ")],
        *[("ა", "ა"), ("ჰ", "ჰ"), ("ᾳ", "ᾼ"), ("ᾀ", "ᾈ"), ("ꞔ", "ꞔ"), ("ꟃ", "ꟃ"), ("𐖗", "𐖗")],
        *[("ı", "I"), ("ſ", "S"), ("ÿ", "Ÿ"), ("東", "東"), ("1", "1"), ("𐐨", "𐐀")],
    ],
)
def test_first_letter(letter: str, upper: str) -> None:
    assert canonical(f"{EN}{letter}x") == f"{EN}{upper}x"


def test_first_letter_is_stable_for_every_letter() -> None:
    for language in ("en", "tr"):
        for code in (*range(0xD800), *range(0xE000, 0x110000)):
            once = titles.capitalised(chr(code) + "x", language)
            assert len(once) == 2
            assert titles.capitalised(once, language) == once


@pytest.mark.parametrize(
    ("entity", "expected"),
    [
        (f"{EN}User talk:a b#C d", ("wikipedia", "en", "A_b", "User_talk", "C_d", None)),
        ("http://de.dbpedia.org/page/Datei:x", ("dbpedia", "de", "X", "File", None, None)),
        (f"{EN}Why%3F", ("wikipedia", "en", "Why?", None, None, None)),
        ("http://wikidata.org/wiki/q42", ("wikidata", None, "Q42", None, None, None)),
        ("m.0abc", ("freebase", None, "0abc", None, None, None)),
        (r"\u00e9", ("yago", None, "é", None, None, None)),
        ("http://yago-knowledge.org/resource/X", ("yago", None, "X", None, None, None)),
        ("E0000001", ("tac", None, "E0000001", None, None, None)),
        ("NIL12", ("nil", None, "NIL12", None, None, None)),
        ("Q42", ("other", None, "Q42", None, None, None)),
        ("https://fr.wikipedia.org/?curid=9#a b", ("wikipedia", "fr", "", None, "a_b", 9)),
    ],
)
def test_parts(entity: str, expected: tuple[object, ...]) -> None:
    read = parse(entity)
    parts = (read.kind, read.language, read.title, read.namespace, read.fragment, read.page_id)
    assert parts == expected
    assert read.problem is None


def test_identifier_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        parse("Q42").title = "x"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("entity", "segment"),
    [
        ("http://dbpedia.org/resource/Berlin", "Berlin"),
        ("http://en.wikipedia.org/wiki/caf%C3%A9 ", "caf%C3%A9 "),
        ("http://en.wikipedia.org/wiki/AC/DC", "DC"),
        ("Berlin", "Berlin"),
        ("a/", ""),
        ("", ""),
    ],
)
def test_last_segment(entity: str, segment: str) -> None:
    assert last_segment(entity) == segment


@given(st.builds(str.__add__, PREFIXES, st.one_of(ANY, PIECES)))
@example(f"{EN}A&_#39;")
@example(f"{EN}A%#3F")
@example(f"{EN}\u0131\u0307")
@example(r"\u004eIL")
@example(r"htt\u0070://en.wikipedia.org/wiki/x")
def test_canonical_is_idempotent(text: str) -> None:
    once = canonical(text)
    assert canonical(once) == once
    assert once == parse(text).canonical
    assert parse(once).canonical == once
    assert once == once.strip()
    last_segment(text)


@given(valid_titles(), st.data())
def test_spellings_of_one_page_agree(title: str, data: st.DataObject) -> None:
    form = EN + title.replace("?", "%3F")
    assert canonical(form) == form
    encoded = quote(title, safe="")
    small = quote(title[0].lower() + title[1:], safe="")
    at = data.draw(st.integers(0, len(title)))
    mark = data.draw(st.sampled_from("\u200e\u200f\u202a\u202e"))
    blank = data.draw(st.sampled_from([" ", "__", "_ ", "\u00a0", "\u3000_"]))
    spellings = [
        f"http://en.wikipedia.org/wiki/{encoded}",
        f"//en.m.wikipedia.org/wiki/{HEX.sub(lambda match: match[0].lower(), encoded)}",
        f"https://EN.wikipedia.org/w/index.php?title={encoded}&oldid=1",
        f"https://en.wikipedia.org/w/index.php/{encoded}",
        EN + small,
        EN + quote(encoded, safe=""),
        EN + quote(quote(encoded, safe=""), safe=""),
        EN + quote(title.replace("_", blank), safe=""),
        EN + HEX.sub(lambda match: match[0].lower(), quote(encoded, safe="")),
        EN + quote(title[:at] + mark + title[at:], safe=""),
        f" {EN}{encoded}%20\n",
    ]
    assert {canonical(spelling) for spelling in spellings} == {form}
    assert canonical(f"http://dbpedia.org/page/{encoded}") == DBPEDIA + form[len(EN) :]
