"""Files of the field that hold no documents, so that a reader can say what they are."""

from __future__ import annotations

import re

_RELATEDNESS = re.compile(
    rb"(?:[^\n]*[,;\t]) *(?:relatedness|similarity|human \(mean\)) *(?:[,;\t][^\n]*)?\r?(?:\n|$)",
    re.IGNORECASE,
)


def not_a_corpus(head: bytes) -> str | None:
    """What a file is, where its beginning tells that it is no corpus."""
    if _RELATEDNESS.match(head.removeprefix(b"\xef\xbb\xbf")):
        return "a table of term pairs and their relatedness is no corpus: it has no documents"
    return None
