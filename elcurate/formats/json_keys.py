"""The keys in the first bytes of a JSON file, which tell formats apart."""

from __future__ import annotations

import re
from functools import lru_cache

_TOKEN = re.compile(rb'"((?:[^"\\]++|\\.)*+)"(\s*+:)?|([{}\[\]])|"', re.DOTALL)


@lru_cache(maxsize=4)
def json_keys(head: bytes) -> frozenset[str]:
    """The paths of all keys that begin in a head, as ``labels.span``; arrays don't show.

    A head that is cut inside a value gives the keys before it; one that is not JSON gives none.
    """
    data = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    found: set[str] = set()
    if not data.startswith((b"{", b"[")):
        return frozenset()
    outer: list[str] = []
    path = ""
    for token in _TOKEN.finditer(data):
        text, colon, bracket = token.groups()
        if bracket in (b"{", b"["):
            outer.append(path)
        elif bracket is not None:
            if not outer:
                break
            path = outer.pop()
        elif text is None:
            break
        elif colon is not None and outer:
            name = text.decode("utf-8", "replace")
            path = f"{outer[-1]}.{name}" if outer[-1] else name
            found.add(path)
    return frozenset(found)


def outer_keys(head: bytes) -> frozenset[str]:
    """The keys of the outermost objects alone."""
    return frozenset(key for key in json_keys(head) if "." not in key)


def is_array(head: bytes) -> bool:
    """Whether a head begins as a JSON array."""
    return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"[")
