"""The names that the reader and the writer of spaCy's DocBin share."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from elcurate.errors import ElcurateError

OWN = "elcurate"
"""The key in ``Doc.user_data`` of what spaCy has no place for."""
GROUP = "mentions"
"""The span group with every link of every mention."""
NIL = "NIL"
"""The identifier by which spaCy's entity linker says that there is no entity."""
UNTYPED = "Untyped"
"""The label in ``doc.ents`` of mentions without type: spaCy drops entities without label."""
ATTRS = ("ENT_IOB", "ENT_TYPE", "ENT_KB_ID", "ENT_ID", "SENT_START")
Key = tuple[str, str, int | None, int | None]


def extension(name: str, begin: int, end: int) -> Key:
    """The key in ``Doc.user_data`` of ``span._.name``."""
    return "._.", name, begin, end


def spacy_tokens(error: type[ElcurateError]) -> Any:
    """The module ``spacy.tokens``; an error that names the extra when spaCy is missing."""
    try:
        return import_module("spacy.tokens")
    except ImportError as missing:
        raise error(
            "this format needs the package spacy",
            remedy="Install it with: pip install spacy.",
        ) from missing
