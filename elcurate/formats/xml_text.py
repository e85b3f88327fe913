"""What XML needs: characters that it can carry, entities that don't grow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from elcurate.errors import ReadError
from elcurate.formats.base import Writing
from elcurate.model.change import Loss
from elcurate.model.corpus import Document

_ILLEGAL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


_ENTITY = re.compile(rb"<!ENTITY\s+(?:%\s*)?[^\s\"\']+\s*(\"[^\"]*\"|\'[^\']*\')")
_LONGEST_ENTITY = 300


def check_entities(data: bytes, path: str) -> None:
    """Refuses entities that grow when they are expanded; namespace abbreviations pass.

    Raises:
        ReadError: for an entity that holds other entities or a long text.
    """
    for found in _ENTITY.finditer(data):
        value = found.group(1)
        if b"&" in value or b"%" in value or len(value) > _LONGEST_ENTITY:
            raise ReadError(
                "an XML entity would grow when it is expanded",
                path=path,
                line=data.count(b"\n", 0, found.start()) + 1,
                remedy="Write its text where it is used.",
            )


def legal(text: str) -> str:
    """A text with U+FFFD for each character that XML can't carry."""
    return _ILLEGAL.sub("\ufffd", text)


def for_xml(writing: Writing) -> Writing:
    """Puts U+FFFD for each character that XML can't carry, and reports the documents."""

    def documents() -> Iterator[Document]:
        for document in writing.documents:
            found: set[str] = set()
            fields = _legal(document.model_dump(), found)
            if not found:
                yield document
                continue
            what = " ".join(sorted(f"U+{ord(char):04X}" for char in found))
            reason = "XML has no such character: written as U+FFFD"
            loss = Loss(kind="characters", where=document.id, what=what, reason=reason)
            writing.losses.append(loss)
            yield Document.model_validate(fields)

    metadata = _legal(writing.metadata, set())
    return replace(writing, documents=documents(), metadata=metadata)


def _legal(value: Any, found: set[str]) -> Any:
    if isinstance(value, str):
        found.update(_ILLEGAL.findall(value))
        return legal(value)
    if isinstance(value, dict):
        return {_legal(key, found): _legal(item, found) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_legal(item, found) for item in value]
    return value
