"""Writing Turtle, and telling which strings can be IRIs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import BinaryIO
from urllib.parse import quote

import pyoxigraph as ox

from elcurate.formats import nif_terms as n

_ESCAPED = re.compile(r'[\x00-\x1f"\\\x7f]')
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
_LOCAL = re.compile(r"[A-Za-z][\w-]*")

IDENTIFIERS = "https://w3id.org/elcurate/id/"
"""Where strings that are no IRIs get one; the string itself stands beside it."""


@lru_cache(maxsize=65536)
def is_iri(text: str) -> bool:
    """Whether a string is a valid absolute IRI (RFC 3987)."""
    try:
        ox.NamedNode(text)
    except ValueError:
        return False
    return True


def made_iri(text: str) -> str:
    """An IRI made of a string that is none."""
    return IDENTIFIERS + quote(text, safe="")


def is_term(value: object) -> bool:
    """Whether a value is the N-Triples form of an IRI or literal."""
    if not isinstance(value, str) or not value.startswith(("<", '"')):
        return False
    try:
        found = list(ox.parse(f"<a:b> <a:b> {value} .".encode(), format=ox.RdfFormat.N_TRIPLES))
    except SyntaxError:
        return False
    return len(found) == 1 and str(found[0].object) == value


def string(text: str) -> str:
    """A Turtle string literal."""
    return '"' + _ESCAPED.sub(lambda c: _NAMED.get(c[0]) or f"\\u{ord(c[0]):04X}", text) + '"'


class Turtle:
    """Writes nodes as Turtle, with compact names for declared prefixes.

    Args:
        out: Where bytes go.
        prefixes: Prefix to namespace; they are declared at once.
    """

    def __init__(self, out: BinaryIO, prefixes: Mapping[str, str]) -> None:
        self.out = out
        self.prefixes = prefixes
        self.out.write(
            "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in prefixes.items()).encode()
        )

    def iri(self, text: str) -> str:
        """An IRI as a compact name where a prefix allows it."""
        for name, namespace in self.prefixes.items():
            if text.startswith(namespace) and _LOCAL.fullmatch(text, len(namespace)):
                return f"{name}:{text[len(namespace) :]}"
        return f"<{text}>"

    def integer(self, number: int) -> str:
        """A typed offset; NIF asks for xsd:nonNegativeInteger."""
        kind = "nonNegativeInteger" if number >= 0 else "integer"
        return f'"{number}"^^xsd:{kind}'

    def decimal(self, number: float) -> str:
        """A typed number that reads back to the same float."""
        return f'"{number!r}"^^xsd:double'

    def blank(self, properties: Iterable[tuple[str, Iterable[str]]]) -> str:
        """A blank node with properties, for use as an object."""
        return "[ " + " ; ".join(self._lines(properties)) + " ]"

    def node(self, subject: str, properties: Iterable[tuple[str, Iterable[str]]]) -> None:
        """One node; objects are printed terms, predicates IRIs. Empty predicates are left out."""
        lines = " ;\n    ".join(self._lines(properties))
        self.out.write(f"\n<{subject}>\n    {lines} .\n".encode())

    def _lines(self, properties: Iterable[tuple[str, Iterable[str]]]) -> list[str]:
        lines = []
        for predicate, values in properties:
            objects = ", ".join(values)
            if objects:
                name = "a" if predicate == n.TYPE else self.iri(predicate)
                lines.append(f"{name} {objects}")
        return lines
