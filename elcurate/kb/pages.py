"""Page titles to the IRIs of their pages and back, for formats that name entities by title."""

from __future__ import annotations

import re

from elcurate.kb.iri import parse

_BARE = re.compile(r"[QPL][1-9][0-9]*")
_UNSAFE = re.compile(r'[\x00-\x20"<>\\^`{|}#?%\[\]]')
_ESCAPED = re.compile(r"%(?:[01][0-9A-F]|2[0235]|3[CEF]|5[B-E]|60|7[BCD])")
_PAGE = re.compile(r"https?://[^./]+\.wikipedia\.org/wiki/")


def wikipedia_iri(title: str, language: str = "en") -> str:
    """The IRI of a Wikipedia page: blanks as ``_``, what IRIs forbid percent-encoded."""
    name = title.replace(" ", "_")
    escaped = _UNSAFE.sub(lambda c: "".join(f"%{byte:02X}" for byte in c[0].encode()), name)
    return f"https://{language}.wikipedia.org/wiki/{escaped}"


def wikipedia_title(entity: str) -> str | None:
    """The title, with blanks, of a Wikipedia or DBpedia page; None for every other entity."""
    found = parse(entity)
    if found.kind not in ("wikipedia", "dbpedia") or found.problem is not None or not found.title:
        return None
    name = found.title if found.namespace is None else f"{found.namespace}:{found.title}"
    return name.replace("_", " ")


def page_name(entity: str) -> str:
    """The title in the IRI of a Wikipedia page, or what is no such IRI, with ``_`` for blanks."""
    page = _PAGE.match(entity)
    name = entity if page is None else unescaped(entity[page.end() :])
    return name.replace(" ", "_")


def unescaped(name: str) -> str:
    """A name in which what `wikipedia_iri` escapes is plain again, and nothing else decoded."""
    return _ESCAPED.sub(lambda code: chr(int(code[0][1:], 16)), name)


def wikidata_iri(number: str) -> str:
    """The IRI of a Wikidata item, from its Q number."""
    return f"http://www.wikidata.org/entity/{number}"


def wikidata_id(entity: str) -> str | None:
    """The Q number of a Wikidata item (also a bare one), None for every other entity."""
    if _BARE.fullmatch(entity):
        return entity
    found = parse(entity)
    return found.title if found.kind == "wikidata" and found.problem is None else None
