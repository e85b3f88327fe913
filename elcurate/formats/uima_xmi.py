"""UIMA CAS XMI, as INCEpTION and DKPro exchange it: XMI files with a TypeSystem.xml beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from lxml import etree

from elcurate.errors import ReadError
from elcurate.formats.base import Format, Reading, ReadOptions, Writing
from elcurate.formats.features import EVERYTHING
from elcurate.formats.source import Source
from elcurate.formats.text_folder import FileNames
from elcurate.formats.uima_cas import DEFAULT_VIEW, CasReader, Structure, View, chosen
from elcurate.formats.uima_types import Types, read_types
from elcurate.formats.uima_write import CasWriter
from elcurate.formats.xml_read import parse_bytes
from elcurate.formats.xml_text import for_xml
from elcurate.model.change import Loss, Repair
from elcurate.model.corpus import Attributes, Document

TYPE_SYSTEM = "TypeSystem.xml"
SUFFIX = ".xmi"
XMI = "http://www.omg.org/XMI"
CAS = "http:///uima/cas.ecore"
_ID = f"{{{XMI}}}id"
_XML_1_1 = re.compile(rb"""\s*<\?xml\s+version\s*=\s*["']1\.1""")
_CONTROL = re.compile(rb"&#(?:x0*(?:[1-8bcef]|1[0-9a-f])|0*(?:[1-8]|1[124-9]|2[0-9]|3[01]));", re.I)


def sniff(head: bytes, name: str) -> int:
    """Sure of XMI with feature structures of UIMA."""
    return 95 if XMI.encode() in head and b"http:///uima/cas.ecore" in head else 0


def claim(path: Path) -> int:
    """Sure of a folder with XMI files or a type system, and of the type system beside XMI files."""
    if path.is_dir():
        return 90 if _files(path) else 60 if (path / TYPE_SYSTEM).is_file() else 0
    return 90 if path.name == TYPE_SYSTEM and _files(path.parent) else 0


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob(f"[!.]*{SUFFIX}") if path.is_file())


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads one XMI file, or all in a folder, with the type system beside them if there is one."""
    path = Path(source.path)
    whole = source.is_folder or path.name == TYPE_SYSTEM
    folder = path if source.is_folder else path.parent
    files = [source.part(file) for file in _files(folder)] if whole else [source]
    beside = folder / TYPE_SYSTEM
    types = source.part(beside) if source.path != "-" and beside.is_file() else None
    name = source.name if source.is_folder else source.stem
    return Reading(name, _documents(files, types, options), repairs=source.repairs)


def _documents(
    files: list[Source], type_system: Source | None, options: ReadOptions
) -> Iterator[Document]:
    types = Types() if type_system is None else read_types(type_system)
    for file in files:
        try:
            view = chosen(_views(file, types), file.path, file.repairs)
            yield CasReader(view, file.path, file.stem, file.repairs).document()
        except ReadError as error:
            options.fail(error)


def _views(file: Source, types: Types) -> list[View]:
    """The views of a CAS with their indexed feature structures."""
    root = parse_bytes(file, _as_xml_1_0(file))
    if root.tag != f"{{{XMI}}}XMI":
        raise ReadError("no XMI", path=file.path, remedy="Export the document as UIMA CAS XMI.")
    structures: dict[str, Structure] = {}
    views: dict[str, View] = {}
    members: dict[str, list[str]] = {}
    for element in root.iterchildren("*"):
        namespace, name = etree.QName(element).namespace or "", etree.QName(element).localname
        number = element.get(_ID, "")
        if namespace != CAS:
            structures[number] = _structure(file, element, _type_name(namespace, name), types)
        elif name == "Sofa":
            views[number] = View(element.get("sofaID", ""), element.get("sofaString"))
        elif name == "View":
            members[element.get("sofa", "")] = element.get("members", "").split()
    for number, view in views.items():
        listed = members.get(number, [])
        view.structures += [structures[one] for one in listed if one in structures]
    return list(views.values())


def _as_xml_1_0(file: Source) -> bytes:
    """The bytes of a file; the control characters that only XML 1.1 has become U+FFFD."""
    data = file.bytes()
    if not _XML_1_1.match(data):
        return data
    data, count = _CONTROL.subn(b"&#xFFFD;", data)
    if count:
        before = f"{count} control characters"
        repair = Repair(kind="characters", where=file.path, before=before, after="U+FFFD")
        file.repairs.append(repair)
    return data


def _structure(file: Source, element: etree._Element, type_: str, types: Types) -> Structure:
    features: Attributes = {}
    for name, value in element.attrib.items():
        if not str(name).startswith("{") and name not in ("sofa", "begin", "end"):
            features[str(name)] = types.value(type_, str(name), str(value))
    for child in element.iterchildren("*"):
        found = features.setdefault(etree.QName(child).localname, [])
        if isinstance(found, list):
            found.append(child.text or "")
    begin, end = (_offset(file, element, name) for name in ("begin", "end"))
    return Structure(type_, begin, end, features, _line(element))


def _line(element: etree._Element) -> int | None:
    return cast("int | None", element.sourceline)


def _offset(file: Source, element: etree._Element, name: str) -> int | None:
    text = element.get(name)
    try:
        return None if text is None else int(text)
    except ValueError:
        raise ReadError(
            f"{name} is {text!r}, which is no offset",
            path=file.path,
            line=_line(element),
            remedy="Offsets are whole numbers.",
        ) from None


def _type_name(namespace: str, name: str) -> str:
    """The type of an element: ``http:///a/b.ecore`` and ``C`` are ``a.b.C``."""
    package = namespace.removeprefix("http:///").removesuffix(".ecore").replace("/", ".")
    return name if package in ("", "uima.noNamespace") else f"{package}.{name}"


def write(writing: Writing, folder: Path) -> None:
    """Writes an XMI file for each document, and their type system."""
    names = FileNames()
    types = Types.ours()
    written: list[str] = []
    legal = for_xml(writing)
    for document in legal.documents:
        if document.text is None:
            loss = Loss(kind="document", where=document.id, reason="a CAS has a text")
            writing.losses.append(loss)
            continue
        found = CasWriter(writing, types, document, document.text).structures()
        name = names.new(document.id)
        written.append(name)
        (folder / f"{name}{SUFFIX}").write_bytes(_xmi(found, document.text))
    (folder / TYPE_SYSTEM).write_bytes(types.xml())
    report_order(writing, [f"{name}{SUFFIX}" for name in written])


def report_order(writing: Writing, written: list[str]) -> None:
    """Reports documents whose files have another order than they."""
    if written != sorted(written):
        reason = "files have the order of their names"
        writing.losses.append(Loss(kind="document-order", where=writing.name, reason=reason))


def _xmi(structures: list[Structure], text: str) -> bytes:
    """A CAS with one view."""
    root = etree.Element(f"{{{XMI}}}XMI", nsmap={"xmi": XMI, "cas": CAS})
    root.set(f"{{{XMI}}}version", "2.0")
    etree.SubElement(root, f"{{{CAS}}}NULL").set(_ID, "0")
    prefixes: dict[str, str] = {}
    for number, one in enumerate(structures, 2):
        package, _, name = one.type.rpartition(".")
        uri = f"http:///{package.replace('.', '/') or 'uima/noNamespace'}.ecore"
        prefix = prefixes.setdefault(uri, f"t{len(prefixes)}")
        element = etree.SubElement(root, f"{{{uri}}}{name}", nsmap={prefix: uri})
        element.set(_ID, str(number))
        element.set("sofa", "1")
        element.set("begin", str(one.begin))
        element.set("end", str(one.end))
        for feature, value in one.features.items():
            element.set(feature, _text(value))
    sofa = {"sofaNum": "1", "sofaID": DEFAULT_VIEW, "mimeType": "text", "sofaString": text}
    etree.SubElement(root, f"{{{CAS}}}Sofa", {_ID: "1", **sofa})
    members = " ".join(str(number) for number in range(2, len(structures) + 2))
    etree.SubElement(root, f"{{{CAS}}}View", {"sofa": "1", "members": members})
    etree.cleanup_namespaces(
        root, top_nsmap={"xmi": XMI, "cas": CAS} | {p: u for u, p in prefixes.items()}
    )
    etree.indent(root)
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8") + b"\n"


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


UIMA_XMI = Format(
    name="xmi",
    text="UIMA CAS XMI for INCEpTION",
    suffixes=(),
    keeps=EVERYTHING - {"no-text"},
    sniff=sniff,
    read=read,
    write_folder=write,
    claim=claim,
)
