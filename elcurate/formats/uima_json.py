"""UIMA CAS JSON 0.4.0, as INCEpTION and cassis exchange it: each file with its own types."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from elcurate.errors import ReadError
from elcurate.formats.base import Format, Reading, ReadOptions, Writing
from elcurate.formats.checks import load_json
from elcurate.formats.features import EVERYTHING
from elcurate.formats.source import Source
from elcurate.formats.text_folder import FileNames
from elcurate.formats.uima_cas import DEFAULT_VIEW, CasReader, Object, Structure, View, chosen
from elcurate.formats.uima_types import Types
from elcurate.formats.uima_write import CasWriter
from elcurate.formats.uima_xmi import report_order
from elcurate.model.change import Loss
from elcurate.model.corpus import Document

SUFFIX = ".json"
TYPES = "TypeSystem.json"
"""What is written where there are no documents."""
_SOFA = "uima.cas.Sofa"
_MARKS = (b'"%TYPES"', b'"%FEATURE_STRUCTURES"', b'"%VIEWS"')


def sniff(head: bytes, name: str) -> int:
    """Sure of an object with the types, structures or views of a CAS."""
    if not head.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"{"):
        return 0
    return 95 if any(mark in head for mark in _MARKS) else 0


def claim(path: Path) -> int:
    """Sure of a folder whose first JSON file is a CAS."""
    try:
        with next(iter(_files(path))).open("rb") as file:
            return 90 if sniff(file.read(1 << 12), path.name) else 0
    except (StopIteration, OSError):
        return 0


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob(f"[!.]*{SUFFIX}") if path.is_file())


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads one CAS, or all in a folder."""
    folder = Path(source.path)
    files = [source.part(file) for file in _files(folder)] if source.is_folder else [source]
    name = source.name if source.is_folder else source.stem
    return Reading(name, _documents(files, options), repairs=source.repairs)


def _documents(files: list[Source], options: ReadOptions) -> Iterator[Document]:
    for file in files:
        try:
            views = _views(file)
            if views is not None:
                view = chosen(views, file.path, file.repairs)
                yield CasReader(view, file.path, file.stem, file.repairs).document()
        except ReadError as error:
            options.fail(error)


def _views(file: Source) -> list[View] | None:
    """The views of a CAS with their indexed feature structures; None for types alone."""
    try:
        found = load_json(file.text())
    except ValueError as error:
        raise _error(file, f"not JSON: {error}") from error
    root = _object(file, found)
    raw = root.get("%FEATURE_STRUCTURES", [])
    if isinstance(raw, dict):
        raw = [{"%ID": number, **_object(file, one)} for number, one in raw.items()]
    listed = [_object(file, one) for one in raw] if isinstance(raw, list) else []
    if not listed and not root.get("%VIEWS"):
        return None
    structures = {str(one.get("%ID")): one for one in listed}
    views = []
    for name, content in _object(file, root.get("%VIEWS", {})).items():
        inside = _object(file, content)
        sofa = structures.get(str(inside.get("%SOFA")), {})
        text = sofa.get("sofaString")
        view = View(name, text if isinstance(text, str) else None)
        members = inside.get("%MEMBERS")
        for number in members if isinstance(members, list) else []:
            one = structures.get(str(number))
            if one is not None and one.get("%TYPE") != _SOFA:
                view.structures.append(_structure(file, one))
        views.append(view)
    return views


def _structure(file: Source, one: Object) -> Structure:
    type_ = str(one.get("%TYPE"))
    skipped = ("@sofa", "begin", "end")
    features = {
        name: value
        for name, value in one.items()
        if name not in skipped and not name.startswith("%") and value is not None
    }
    places = []
    for name in ("begin", "end"):
        # UIMA's own JSON leaves zeros out
        offset = one.get(name, 0 if "@sofa" in one else None)
        if offset is not None and type(offset) is not int:
            raise _error(file, f"{name} is {offset!r}, which is no offset")
        places.append(offset)
    return Structure(type_, places[0], places[1], features)


def _object(file: Source, value: object) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    raise _error(file, "a part of the CAS is no object")


def _error(file: Source, message: str) -> ReadError:
    return ReadError(message, path=file.path, remedy="Export the document as UIMA CAS JSON 0.4.0.")


def write(writing: Writing, folder: Path) -> None:
    """Writes a CAS with its types for each document."""
    names = FileNames()
    written: list[str] = []
    for document in writing.documents:
        if document.text is None:
            loss = Loss(kind="document", where=document.id, reason="a CAS has a text")
            writing.losses.append(loss)
            continue
        types = Types.ours()
        found = CasWriter(writing, types, document, document.text).structures()
        written.append(f"{names.new(document.id)}{SUFFIX}")
        _dump(folder / written[-1], _cas(types, found, document.text))
    if not written:
        _dump(folder / TYPES, {"%TYPES": _declared(Types.ours())})
    report_order(writing, written)


def _dump(path: Path, cas: Object) -> None:
    path.write_bytes(json.dumps(cas, ensure_ascii=False, indent=1).encode() + b"\n")


def _declared(types: Types) -> Object:
    return {
        name: {
            "%NAME": name,
            "%SUPER_TYPE": types.supertypes[name],
            **{one: {"%NAME": one, "%RANGE": range_} for one, range_ in features.items()},
        }
        for name, features in types.features.items()
    }


def _cas(types: Types, structures: list[Structure], text: str) -> Object:
    sofa = {"sofaNum": 1, "sofaID": DEFAULT_VIEW, "mimeType": "text", "sofaString": text}
    listed: list[Object] = [{"%ID": 1, "%TYPE": _SOFA, **sofa}]
    for number, one in enumerate(structures, 2):
        place = {"@sofa": 1, "begin": one.begin, "end": one.end}
        listed.append({"%ID": number, "%TYPE": one.type, **place, **one.features})
    members = [one["%ID"] for one in listed[1:]]
    views = {DEFAULT_VIEW: {"%SOFA": 1, "%MEMBERS": members}}
    return {"%TYPES": _declared(types), "%FEATURE_STRUCTURES": listed, "%VIEWS": views}


UIMAJSON = Format(
    name="uimajson",
    text="UIMA CAS JSON for INCEpTION",
    suffixes=(),
    keeps=EVERYTHING - {"no-text"},
    sniff=sniff,
    read=read,
    write_folder=write,
    claim=claim,
)
