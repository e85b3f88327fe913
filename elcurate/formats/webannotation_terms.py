"""The names that the reader and the writer of Web Annotations share."""

from __future__ import annotations

import re

from elcurate.formats.nif_terms import ELC
from elcurate.formats.turtle import is_iri
from elcurate.model.categories import FEL

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
"""Is named, never fetched: its terms are known."""
PREFIXES = {"elc": ELC, "fel": FEL}
NIL = "elc:NIL"
"""The source that says that there is no entity."""
SCORE = "elc:score"
ATTRIBUTES = "elc:attributes"
DOCUMENT = "elc:document"
"""A document's id, where it is no IRI."""
REST = "elc:rest"
"""What Web Annotations have no place for, as JSON in a string."""
CORPUS = "elc:corpus"
KEPT = ("creator", "created", "modified", "generator", "generated", "rights", "canonical", "via")
"""Facts about an annotation that are attributes of its link or mention under the same names."""
MADE_ID = re.compile(r".*#m\d+\.\d+", re.DOTALL)
"""The ids of annotations that we write."""

_SCHEME = re.compile(r"(?:https?|ftps?|file)://|(?:urn|mailto|tag|info|doi):", re.IGNORECASE)


def is_source(text: str) -> bool:
    """Whether a string is an IRI that no prefix of the context could change."""
    return _SCHEME.match(text) is not None and is_iri(text)
