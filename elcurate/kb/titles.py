"""Wikipedia page titles by MediaWiki's rules: decoding, validity, namespaces, the first letter.

The rules are those of MediaWiki's title parser (``TitleParser::splitTitleString``) with the
settings of the Wikipedias. MediaWiki brings input to Unicode NFC, so titles here are NFC too.
"""

from __future__ import annotations

import re
from html import unescape
from html.entities import html5
from typing import NamedTuple
from unicodedata import normalize

from elcurate.kb._namespaces import LOCAL, SHARED

MAX_BYTES = 255
MAX_INPUT = 16_384
_ROUNDS = 16

_SURELY_SHORT = 250
_PLAIN = re.compile(r"[A-Za-z0-9(][A-Za-z0-9(),.'!*-]*+(?:_[A-Za-z0-9(),.'!*-]++)*+").fullmatch

_SPACES = r"\u00a0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_BIDI = re.compile(r"[\u200e\u200f\u202a-\u202e]")
_BLANKS = re.compile(rf"[ {_SPACES}][ _{_SPACES}]*|_[ _{_SPACES}]+")
_FRAGMENT_BLANKS = re.compile(rf"[\s_{_SPACES}]+")
_REPLACEMENT = re.compile(r"[\ufffd\ud800-\udfff]")
_ILLEGAL = re.compile(
    r"[\x00-\x1f\x7f-\x9f#<>\[\]|{}]"
    r"|%[0-9A-Fa-f]{2}"
    r"|&(?:[A-Za-z0-9\x80-\U0010ffff]+|#[0-9]+|#x[0-9A-Fa-f]+);"
)
_RELATIVE = re.compile(r"(?:\A|/)\.\.?(?:/|\Z)")
_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_ENTITY = re.compile(r"&(?:[A-Za-z][A-Za-z0-9]{0,31}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});")

_ESCAPE = re.compile(
    r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"
    r"|\\u((?!00[01]|[dD][89a-fA-F])[0-9a-fA-F]{4})"
)

# Small letters whose capitals are younger than Unicode 11, which Wikimedia's case table stops at.
_YOUNG = frozenset(
    "\u019b\u0264\u0282\u1c8a\u1d8e\u2c5f\ua794\ua7bb\ua7bd\ua7bf\ua7c1\ua7c3\ua7c8\ua7ca\ua7cd"
    "\ua7cf\ua7d1\ua7d3\ua7d5\ua7d7\ua7d9\ua7db\ua7f6"
).union(
    map(chr, range(0x10597, 0x105BD)),
    map(chr, range(0x10D70, 0x10D86)),
    map(chr, range(0x16EBB, 0x16ED4)),
)
_DOTTED_I = frozenset({"az", "tr"})
_CASE_SENSITIVE = frozenset({"jbo"})


class Title(NamedTuple):
    """A page title in its parts.

    Attributes:
        namespace: English name with underscores, None for articles.
        name: The title without namespace and fragment; as given when there is a problem.
        fragment: The section, None when there is none.
        problem: Why the title is invalid: ``too-long``, ``encoding``, ``replacement-character``,
            ``empty``, ``talk-namespace``, ``illegal-character``, ``relative-path``, ``tildes`` or
            ``leading-colon``.
    """

    namespace: str | None
    name: str
    fragment: str | None = None
    problem: str | None = None


def split(text: str, language: str) -> Title:
    """A title as a link or URL path writes it, in its parts.

    Args:
        text: The title; percent-encoding and HTML entities are undone first.
        language: The Wikipedia's language code, for its namespaces and first letter.
    """
    if len(text) < _SURELY_SHORT and _PLAIN(text) is not None:
        return Title(None, capitalised(text, language))
    plain = decoded(text)
    if plain is None:
        return Title(None, text, problem="too-long" if len(text) > MAX_INPUT else "encoding")
    name, _, rest = plain.partition("#")
    name = _spaced(name)
    if not name.isascii() and _REPLACEMENT.search(name):
        return Title(None, text, problem="replacement-character")
    namespace = None
    if ":" in name:
        namespace, name = _without_namespace(name.removeprefix(":").strip("_"), language)
    found = _problem(namespace, name)
    if found is None:
        name = capitalised(name, language)
        if 4 * len(name) > MAX_BYTES and len(name.encode()) > MAX_BYTES:
            found = "too-long"
    if found is not None:
        return Title(None, text, problem=found)
    return Title(namespace, name, fragment(rest) if rest else None)


def decoded(text: str) -> str | None:
    """Text without percent-encoding and HTML entities, in NFC.

    Layers of encoding are undone until nothing changes. Percent-encoded bytes that aren't UTF-8
    are read as Windows-1252, as MediaWiki does. None when the text is too long or has too many
    layers.
    """
    if len(text) > MAX_INPUT:
        return None
    for _ in range(_ROUNDS):
        before = text
        if "%" in text:
            text = _PERCENT.sub(_from_percent, text)
        if "&" in text:
            text = _ENTITY.sub(_from_entity, text)
        if not text.isascii():
            text = normalize("NFC", text)
        if text == before:
            return text
    return None


def unescaped(text: str) -> str:
    """Text without HTML entities that end in a semicolon; unknown ones stay."""
    if "&" not in text or len(text) > MAX_INPUT:
        return text
    for _ in range(_ROUNDS):
        before = text
        text = _ENTITY.sub(_from_entity, text)
        if text == before:
            break
    return text


def without_escapes(text: str) -> str:
    r"""Text without YAGO's ``\uXXXX``, trimmed; controls and lone surrogates stay escaped."""
    if "\\u" not in text or len(text) > MAX_INPUT:
        return text
    for _ in range(_ROUNDS):
        before = text
        text = _ESCAPE.sub(_from_escape, text).strip()
        if text == before:
            return text
    return before


def fragment(text: str) -> str | None:
    """The section that a URL's fragment names, with underscores; None when it names none."""
    plain = decoded(text)
    if plain is None:
        return None
    return _FRAGMENT_BLANKS.sub("_", plain).strip("_") or None


def capitalised(name: str, language: str) -> str:
    """A title with its first letter in Unicode's title case, as the Wikipedias store it.

    Letters without a single title-case letter stay (``ß``, ``ŉ``, ``ﬁ``), and so do Georgian ones
    and those that got a capital after Unicode 11. Turkish and Azerbaijani ``i`` becomes ``İ``;
    the Lojban Wikipedia distinguishes the case of the first letter.
    """
    first = name[:1]
    if language in _CASE_SENSITIVE:
        return name
    if first == "i" and language in _DOTTED_I:
        return normalize("NFC", "İ" + name[1:])
    upper = first.title()
    if upper == first or len(upper) != 1 or first in _YOUNG:
        return name
    return upper + name[1:] if name.isascii() else normalize("NFC", upper + name[1:])


def _spaced(name: str) -> str:
    """A title without bidi marks and with one underscore for each run of blanks."""
    if not name.isascii() and _BIDI.search(name):
        name = normalize("NFC", _BIDI.sub("", name))
    return _BLANKS.sub("_", name).strip("_")


def _without_namespace(name: str, language: str) -> tuple[str | None, str]:
    """The namespace that the part before the first colon names, if it does, and the rest."""
    namespace = _namespace(name, language)
    if namespace is None:
        return None, name
    return namespace, name.partition(":")[2].lstrip("_")


def _namespace(name: str, language: str) -> str | None:
    prefix, colon, _ = name.partition(":")
    if not colon:
        return None
    key = prefix.rstrip("_").lower()
    return LOCAL.get(language, SHARED).get(key) or SHARED.get(key)


def _problem(namespace: str | None, name: str) -> str | None:
    """Why a title without its namespace is invalid; None when it is valid."""
    if not name:
        return "empty"
    if ":" in name:
        if name[0] == ":":
            return "leading-colon"
        if namespace == "Talk" and _namespace(name, "") is not None:
            return "talk-namespace"
    if _ILLEGAL.search(name):
        return "illegal-character"
    if "." in name and _RELATIVE.search(name):
        return "relative-path"
    return "tildes" if "~~~" in name else None


def _from_percent(match: re.Match[str]) -> str:
    octets = bytes.fromhex(match[0].replace("%", ""))
    try:
        return octets.decode()
    except UnicodeDecodeError:
        return octets.decode("cp1252", "replace")


def _from_entity(match: re.Match[str]) -> str:
    entity = match[0]
    if entity[1] == "#":
        return unescape(entity) or entity
    return html5.get(entity[1:], entity)


def _from_escape(match: re.Match[str]) -> str:
    if match[3] is not None:
        return chr(int(match[3], 16))
    high, low = int(match[1], 16), int(match[2], 16)
    return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
