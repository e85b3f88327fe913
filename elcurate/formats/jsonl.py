"""Our own format: a header line, then one document a line. Lossless and streaming."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from pydantic import ValidationError

from elcurate.errors import ReadError, suggestion
from elcurate.formats.base import Format, Reading, ReadOptions, Writing
from elcurate.formats.checks import load_json
from elcurate.formats.features import EVERYTHING
from elcurate.formats.source import Source
from elcurate.model.corpus import Document

VERSION = 1
_UNUSUAL = re.compile(r"NaN|Infinity|[eE]\+?\d{3}")
"""What may be a number that is not finite."""


def sniff(head: bytes, name: str) -> int:
    """Sure of the header line, and of a first line with an id and mentions or a text."""
    first = head.lstrip(b"\xef\xbb\xbf \r\n").split(b"\n", 1)[0]
    if not first.startswith(b"{"):
        return 0
    if b'"format"' in first and b'"elcurate"' in first:
        return 100
    if b'"id"' in first and (b'"mentions"' in first or b'"text"' in first):
        return 60 if name.endswith((".jsonl", ".ndjson")) else 40
    return 20 if name.endswith(".jsonl") else 0


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads the header, then documents as they are asked for."""
    lines = source.lines()
    first = next((item for item in lines if item[1].strip()), None)
    header, pending = _header(source, first)
    return Reading(
        name=str(header.get("name", source.stem)),
        documents=_documents(source, lines, pending),
        metadata=header.get("metadata") or {},
        repairs=source.repairs,
    )


def write(writing: Writing, out: BinaryIO) -> None:
    """Writes the header and one line per document."""
    header = {"format": "elcurate", "version": VERSION, "name": writing.name}
    if writing.metadata:
        header["metadata"] = writing.metadata
    out.write(json.dumps(header, ensure_ascii=False).encode() + b"\n")
    for document in writing.documents:
        out.write(document.to_json().encode() + b"\n")


def _header(
    source: Source, first: tuple[int, str] | None
) -> tuple[dict[str, Any], tuple[int, str] | None]:
    """The header, and the first line if it is a document already."""
    if first is None:
        raise ReadError("the file is empty", path=source.path, remedy="Nothing can be read of it.")
    number, line = first
    try:
        found = load_json(line)
    except ValueError as error:
        raise _not_json(source, number, error) from error
    if not isinstance(found, dict) or "format" not in found or "id" in found:
        return {}, first
    if found["format"] != "elcurate" or not isinstance(found.get("version"), int):
        raise ReadError(
            f"the header names the format {found['format']!r}, version {found.get('version')!r}",
            path=source.path,
            line=number,
            remedy='Expected {"format": "elcurate", "version": 1, …}.',
        )
    if found["version"] > VERSION:
        raise ReadError(
            f"this is version {found['version']} of the format",
            path=source.path,
            line=number,
            remedy=f"This elcurate reads version {VERSION}: upgrade it.",
        )
    if not isinstance(found.get("metadata", {}), dict):
        raise ReadError("metadata is no object", path=source.path, line=number)
    return found, None


def _documents(
    source: Source, lines: Iterator[tuple[int, str]], pending: tuple[int, str] | None
) -> Iterator[Document]:
    if pending is not None:
        yield _document(source, *pending)
    for number, line in lines:
        if line.strip():
            yield _document(source, number, line)


def _document(source: Source, number: int, line: str) -> Document:
    if _UNUSUAL.search(line):
        try:
            load_json(line)
        except ValueError as error:
            raise _not_json(source, number, error) from error
    try:
        return Document.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        if first["type"] == "json_invalid":
            raise _not_json(source, number, first["msg"]) from error
        place = ".".join(str(part) for part in first["loc"])
        remedy = "See schemas/document.schema.json."
        if first["type"] == "literal_error":
            known = str(first.get("ctx", {}).get("expected", "")).replace(" or ", ", ")
            remedy = suggestion(
                str(first["input"]), [name.strip("'") for name in known.split(", ")]
            )
        raise ReadError(
            f"{place}: {first['msg']}", path=source.path, line=number, remedy=remedy
        ) from error


def _not_json(source: Source, number: int, error: object) -> ReadError:
    return ReadError(
        f"not JSON: {error}",
        path=source.path,
        line=number,
        remedy="Each line is one JSON object; the file may be truncated.",
    )


JSONL = Format(
    name="jsonl",
    text="elcurate's own JSON Lines, lossless",
    suffixes=(".jsonl",),
    keeps=EVERYTHING,
    sniff=sniff,
    read=read,
    write=write,
)
