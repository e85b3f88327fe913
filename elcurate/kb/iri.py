"""The canonical form of entity identifiers, by their syntax alone.

Every spelling of one page gives one string, and reading that string again gives it back. A ``?``
in a title is written ``%3F``, because a plain one would start a query; all else is decoded.
Identifiers that aren't understood, and titles that break MediaWiki's rules, are only trimmed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from elcurate.kb import titles
from elcurate.model.corpus import is_nil

Kind = Literal["wikipedia", "dbpedia", "wikidata", "freebase", "yago", "tac", "nil", "other"]

# What is canonical already: plain ASCII titles without colon, slash and escapes, and Wikidata.
_CANONICAL = re.compile(
    r"(?:https://(?!www\.|m\.|mobile\.|wap\.|zero\.)[a-z][a-z0-9-]*+\.wikipedia\.org/wiki/"
    r"|http://(?:(?!www\.|live\.|en\.)[a-z][a-z0-9-]*+\.)?dbpedia\.org/resource/)"
    r"[A-Z0-9(][A-Za-z0-9(),.'!*-]*+(?:_[A-Za-z0-9(),.'!*-]++)*+"
    r"|http://www\.wikidata\.org/entity/[QPL][1-9][0-9]*+"
).fullmatch
_SURELY_SHORT = 240

_IRI = re.compile(r"(?:https?:)?//([^/?#\\]*)(.*)", re.IGNORECASE | re.DOTALL)
_SCHEME = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]{0,31}:)?//")
_PORT = re.compile(r":(?:80|443)?\Z")
_WIKIPEDIA = re.compile(
    r"(?:www\.)?(?:([a-z][a-z0-9-]*)\.)??(?:(?:m|mobile|wap|zero)\.)?wikipedia\.org"
)
_DBPEDIA = re.compile(r"(?:(?:www|live)\.)?(?:([a-z][a-z0-9-]*)\.)?dbpedia\.org")
_WIKIDATA = re.compile(r"(?:www\.)?(?:m\.)?wikidata\.org")
_FREEBASE = re.compile(r"(?:(?:www|rdf)\.)?freebase\.com")
_YAGO = re.compile(r"(?:www\.)?(?:yago-knowledge\.org|mpii\.de)")

_QUERY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*=")
_SCRIPT = re.compile(r"(?:/wiki|/w)?(?:/|/index\.(?:php|html?)|/wiki\.phtml)?")
_PAGE_ID = re.compile(r"0*([1-9][0-9]{0,17})")
_DATA_SUFFIX = re.compile(r"\.(?:json|jsod|jsonld|n3|nt|ntriples|rdf|ttl|xml|atom)\Z")
_WIKIDATA_PATH = re.compile(
    r"/(?:entity|wiki)/(?:Special:Entity(?:Data|Page)/|Property:|Lexeme:)?"
    r"([QPL][1-9][0-9]*(?:-[FS][1-9][0-9]*)?)(?:\.[a-z]+)?/?",
    re.IGNORECASE | re.ASCII,
)
_FREEBASE_PATH = re.compile(r"/(?:ns/|rdf/|view/|resource/|edit/topic/)?m[./](0[0-9a-z_]+)")
_MID = re.compile(r"(?:m\.|/m/)(0[0-9a-z_]+)")
_TAC = re.compile(r"E[0-9]{4,}")


@dataclass(frozen=True, slots=True)
class Identifier:
    """An entity identifier in its parts.

    Attributes:
        kind: What it identifies an entity of; ``other`` when the syntax doesn't say.
        canonical: The canonical form.
        title: The page title without namespace, or the identifier within its knowledge base.
        language: The language code of a Wikipedia or DBpedia.
        namespace: English name of a title's namespace (``User_talk``), None for articles.
        fragment: The section of a page, None when there is none.
        page_id: The number in ``?curid=``.
        problem: Why the identifier isn't one of its kind: a problem of ``titles.Title``, or
            ``illegal-id`` for Wikidata and Freebase.
    """

    kind: Kind
    canonical: str
    title: str
    language: str | None = None
    namespace: str | None = None
    fragment: str | None = None
    page_id: int | None = None
    problem: str | None = None


_Reader = Callable[[str, str | None, str], Identifier]


def canonical(entity: str) -> str:
    """The canonical form of an identifier: equal for all spellings of one entity."""
    if len(entity) < _SURELY_SHORT and _CANONICAL(entity) is not None:
        return entity
    return parse(entity).canonical


def parse(entity: str) -> Identifier:
    """An identifier in its parts; any string is one."""
    text = entity.strip()
    if is_nil(text):
        return Identifier("nil", text, text)
    match = _IRI.match(text)
    if match is not None:
        read, language = _site(match[1].lower()) if len(match[1]) < 64 else (_other, None)
        return read(text, language, match[2])
    return _bare(text)


def last_segment(entity: str) -> str:
    """What follows the last slash, exactly as it is; the whole string when there is none."""
    return entity.rpartition("/")[2]


def _wikipedia(text: str, language: str | None, rest: str) -> Identifier:
    language = "en" if language in (None, "m") else language
    head, _, section = titles.unescaped(rest).partition("#")
    path, fields = _without_query(head)
    root = f"https://{language}.wikipedia.org/"
    number = _PAGE_ID.fullmatch(_field(fields, "curid"))
    if number is not None:
        part = titles.fragment(section)
        form = f"{root}?curid={number[1]}" + (f"#{part}" if part else "")
        return Identifier("wikipedia", form, "", language, fragment=part, page_id=int(number[1]))
    title = _path_title(path, fields, language)
    return _page("wikipedia", text, language, f"{root}wiki/", title, section)


def _dbpedia(text: str, language: str | None, rest: str) -> Identifier:
    language = "en" if language in (None, "www", "live") else language
    head, _, section = titles.unescaped(rest).partition("#")
    path, _ = _without_query(head)
    _, folder, title = [*path.split("/", 2), "", ""][:3]
    if folder == "data":
        title = _DATA_SUFFIX.sub("", title)
    elif folder not in ("resource", "page"):
        return Identifier("other", text, text)
    host = "dbpedia.org" if language == "en" else f"{language}.dbpedia.org"
    return _page("dbpedia", text, language, f"http://{host}/resource/", title, section)


def _wikidata(text: str, _: str | None, rest: str) -> Identifier:
    path, fields = _without_query(titles.unescaped(rest).partition("#")[0])
    title = _field(fields, "title")
    if title and _SCRIPT.fullmatch(path):
        path = f"/wiki/{title}"
    match = _WIKIDATA_PATH.fullmatch(titles.decoded(path) or "")
    if match is None:
        return Identifier("wikidata", text, text, problem="illegal-id")
    number = match[1].upper()
    return Identifier("wikidata", f"http://www.wikidata.org/entity/{number}", number)


def _freebase(text: str, _: str | None, rest: str) -> Identifier:
    match = _FREEBASE_PATH.fullmatch(rest.partition("#")[0].partition("?")[0])
    if match is None:
        return Identifier("freebase", text, text, problem="illegal-id")
    return Identifier("freebase", f"/m/{match[1]}", match[1])


def _yago(text: str, _: str | None, rest: str) -> Identifier:
    if not rest.startswith(("/resource/", "/yago/resource/")):
        return Identifier("other", text, text)
    plain = titles.without_escapes(text)
    if plain != text:
        return parse(plain)
    return Identifier("yago", text, last_segment(text))


def _other(text: str, _: str | None, __: str) -> Identifier:
    return Identifier("other", text, text)


_READERS: tuple[tuple[re.Pattern[str], _Reader], ...] = (
    (_WIKIPEDIA, _wikipedia),
    (_DBPEDIA, _dbpedia),
    (_WIKIDATA, _wikidata),
    (_FREEBASE, _freebase),
    (_YAGO, _yago),
)


@lru_cache(maxsize=512)
def _site(host: str) -> tuple[_Reader, str | None]:
    """What reads the addresses on a host, and the language in its name."""
    host = _PORT.sub("", host)
    for pattern, read in _READERS:
        match = pattern.fullmatch(host)
        if match is not None:
            return read, match[1] if pattern.groups else None
    return _other, None


def _bare(text: str) -> Identifier:
    """A string that isn't a web address: changed only where its syntax leaves no doubt."""
    mid = _MID.fullmatch(text)
    if mid is not None:
        return Identifier("freebase", f"/m/{mid[1]}", mid[1])
    if _TAC.fullmatch(text) is not None:
        return Identifier("tac", text, text)
    if "\\u" in text and _SCHEME.match(text) is None:
        plain = titles.without_escapes(text)
        if plain != text:
            read = parse(plain)
            return Identifier("yago", plain, plain) if read.kind == "other" else read
    return Identifier("other", text, text)


def _page(kind: Kind, text: str, language: str, root: str, title: str, section: str) -> Identifier:
    """The identifier of a page below ``root``, or of ``text`` as it is if the title is invalid."""
    namespace, name, part, problem = titles.split(title, language)
    if problem is not None:
        return Identifier(kind, text, title, language, problem=problem)
    if section:
        part = titles.fragment(section) or part
    form = name.replace("?", "%3F") if "?" in name else name
    if part is not None:
        # "&" and a fragment would read as an HTML entity: R&#38;
        form = f"{form[:-1]}%26#{part}" if form[-1] == "&" else f"{form}#{part}"
    if namespace is not None:
        form = f"{namespace}:{form}"
    return Identifier(kind, root + form, name, language, namespace, part)


def _path_title(path: str, fields: str, language: str) -> str:
    """The title in the path or in the query of an address in a Wikipedia; may be empty."""
    if _SCRIPT.fullmatch(path):
        return _field(fields, "title")
    for prefix in ("/wiki/index.php/", "/wiki/", "/w/index.php/"):
        if path.startswith(prefix):
            return path[len(prefix) :]
    variant, _, title = path[1:].partition("/")
    return title if variant.startswith(f"{language}-") else ""


def _without_query(head: str) -> tuple[str, str]:
    """Path and query; a question mark that no ``name=`` follows belongs to the title."""
    path, mark, query = head.partition("?")
    return (path, query) if mark and _QUERY.match(query) else (head, "")


def _field(query: str, name: str) -> str:
    """The last value of a query's field, with blanks for ``+``; empty when it has none."""
    if name not in query:
        return ""
    for part in reversed(query.split("&")):
        key, _, value = part.partition("=")
        if key == name:
            return value.replace("+", " ")
    return ""
