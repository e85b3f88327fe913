"""NIF as formats: four dialects in Turtle, and the default dialect in the other RDF syntaxes."""

from __future__ import annotations

import io
import re
from functools import partial
from typing import Any, BinaryIO

import pyoxigraph as ox

from elcurate.collector import collector_paused
from elcurate.formats import nif_terms as n
from elcurate.formats.base import Format, Reading, ReadOptions, Sniff, Writer, Writing, never
from elcurate.formats.features import EVERYTHING
from elcurate.formats.nif_blocks import SYNTAXES, Blocks, read_blocks
from elcurate.formats.nif_dialects import write_gerbil, write_nif21
from elcurate.formats.nif_published import write_nifify
from elcurate.formats.nif_read import NifReader
from elcurate.formats.nif_write import PREFIXES, write
from elcurate.formats.source import Source
from elcurate.formats.xml_text import for_xml
from elcurate.model.corpus import Attributes

_OURS_ONLY = {
    "no-text",
    "tokens",
    "tags",
    "metadata",
    "repeated-spans",
    "fragments",
    "surfaces",
    "mention-attributes",
    "link-attributes",
    "nil-clusters",
}
_NIFIFY = EVERYTHING - _OURS_ONLY
_GERBIL = _NIFIFY - {"categories", "sentences"}

_TURTLE = re.compile(rb"(?m)^\s*(@prefix|PREFIX|@base)\s|\bnif:[A-Za-z]|^<[^>\s]+>\s+a\s")
_NTRIPLES = re.compile(rb'^(#[^\n]*\n|\s)*(<[^>]*>|_:\S+) <[^>]*> (<[^>]*>|_:\S+|").* \.\s*$', re.M)


def read(source: Source, options: ReadOptions, syntax: str) -> Reading:
    """Reads NIF in one RDF syntax."""
    with collector_paused():
        found = read_blocks(source, syntax)
        reader = NifReader(found, source.path, options.nil_iris)
        documents = reader.documents()
    return Reading(
        name=source.stem,
        documents=iter(documents),
        metadata=_metadata(reader, found),
        repairs=found.repairs,
    )


def _metadata(reader: NifReader, found: Blocks) -> Attributes:
    stated = [block for block in found.blocks if block.subject == n.ELC_CORPUS]
    return reader.json(stated[0], n.ELC_ATTRIBUTES, n.ELC_CORPUS) if stated else {}


def _sniff_turtle(head: bytes, name: str) -> int:
    if head.lstrip().startswith((b"<?xml", b"{", b"[", b"PAR1")) or b"<rdf:RDF" in head[:2000]:
        return 0
    named = name.endswith((".ttl", ".nif", ".n3"))
    if _NTRIPLES.match(head.split(b"\n", 1)[0]):
        return 55 if named else 0
    if b"nif-core#" in head or re.search(rb"\bnif:[A-Za-z]", head):
        return 90 if _TURTLE.search(head) else 0
    return 50 if named else 0


def _sniff_ntriples(head: bytes, name: str) -> int:
    lines = [line for line in head.split(b"\n")[:3] if line.strip()]
    matched = bool(lines) and bool(_NTRIPLES.match(lines[0]))
    if name.endswith((".nt", ".ntriples")):
        return 95 if matched else 50
    return 85 if matched and not name.endswith(".ttl") else 0


def _sniff_jsonld(head: bytes, name: str) -> int:
    opening = head.lstrip(b"\xef\xbb\xbf \r\n\t")[:1]
    if opening not in (b"{", b"["):
        return 0
    marked = b'"@id"' in head or b'"@context"' in head
    return 90 if marked else 50 if name.endswith(".jsonld") else 0


def _sniff_rdfxml(head: bytes, name: str) -> int:
    return 90 if b"<rdf:RDF" in head[:5000] else 50 if name.endswith(".rdf") else 0


def _sniff_trig(head: bytes, name: str) -> int:
    return 95 if name.endswith(".trig") else 0


def _in_syntax(writing: Writing, out: BinaryIO, syntax: str) -> None:
    """Writes the default dialect in another syntax, in the same order each time."""
    if syntax == "rdfxml":
        writing = for_xml(writing)
    turtle = io.BytesIO()
    write(writing, turtle, ordered=True)
    names: dict[ox.BlankNode, ox.BlankNode] = {}

    def numbered(node: Any) -> Any:
        known = isinstance(node, ox.BlankNode)
        return names.setdefault(node, ox.BlankNode(f"b{len(names)}")) if known else node

    triples = (
        ox.Triple(numbered(quad.subject), quad.predicate, numbered(quad.object))
        for quad in ox.parse(turtle.getvalue(), format=ox.RdfFormat.TURTLE)
    )
    ox.serialize(triples, out, format=SYNTAXES[syntax], prefixes=PREFIXES)


def _format(
    name: str,
    text: str,
    suffixes: tuple[str, ...],
    keeps: frozenset[str],
    sniff: Sniff,
    syntax: str,
    writer: Writer,
) -> Format:
    return Format(name, text, suffixes, keeps, sniff, partial(read, syntax=syntax), writer)


NIF_FORMATS = (
    _format(
        "nif", "NIF 2.0 in Turtle, lossless", (".ttl",), EVERYTHING, _sniff_turtle, "turtle", write
    ),
    _format(
        "nif21", "NIF 2.1 in Turtle", (".nif21.ttl",), EVERYTHING, never, "turtle", write_nif21
    ),
    _format(
        "gerbil", "NIF as GERBIL reads it", (".gerbil.ttl",), _GERBIL, never, "turtle", write_gerbil
    ),
    _format(
        "nifify",
        "NIF as the published fine-grained corpora use it",
        (".nifify.ttl",),
        _NIFIFY,
        never,
        "turtle",
        write_nifify,
    ),
    _format(
        "nif-nt",
        "NIF in N-Triples",
        (".nt",),
        EVERYTHING,
        _sniff_ntriples,
        "ntriples",
        partial(_in_syntax, syntax="ntriples"),
    ),
    _format(
        "nif-jsonld",
        "NIF in JSON-LD",
        (".jsonld",),
        EVERYTHING,
        _sniff_jsonld,
        "jsonld",
        partial(_in_syntax, syntax="jsonld"),
    ),
    _format(
        "nif-rdfxml",
        "NIF in RDF/XML",
        (".rdf",),
        EVERYTHING,
        _sniff_rdfxml,
        "rdfxml",
        partial(_in_syntax, syntax="rdfxml"),
    ),
    _format(
        "nif-trig",
        "NIF in TriG",
        (".trig",),
        EVERYTHING,
        _sniff_trig,
        "trig",
        partial(_in_syntax, syntax="trig"),
    ),
)
