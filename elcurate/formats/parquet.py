"""Parquet: whole documents (lossless), or the flat table of links."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any, BinaryIO

import polars as pl

from elcurate.errors import ReadError, suggestion
from elcurate.formats.base import Format, Reading, ReadOptions, Writing, never
from elcurate.formats.checks import load_json
from elcurate.formats.features import EVERYTHING
from elcurate.formats.source import Source
from elcurate.model.categories import DIMENSIONS, LEAVES, Categories
from elcurate.model.corpus import Corpus, Document, Link, Mention, in_order
from elcurate.model.table import LINK_SCHEMA, Table

_SPAN = pl.Struct({"begin": pl.Int64, "end": pl.Int64})
_LINK = pl.Struct(
    {
        "entity": pl.String,
        "score": pl.Float64,
        "type": pl.String,
        "categories": pl.Struct({name: pl.List(pl.String) for name in DIMENSIONS}),
        "attributes": pl.String,
    }
)
_MENTION = pl.Struct(
    {
        "begin": pl.Int64,
        "end": pl.Int64,
        "links": pl.List(_LINK),
        "fragments": pl.List(_SPAN),
        "surface": pl.String,
        "attributes": pl.String,
    }
)
_TAG = pl.Struct({"entity": pl.String, "score": pl.Float64, "attributes": pl.String})
_COLUMNS: dict[str, pl.DataType] = {
    "id": pl.String(),
    "text": pl.String(),
    "mentions": pl.List(_MENTION),
    "tags": pl.List(_TAG),
    "sentences": pl.List(_SPAN),
    "tokens": pl.List(_SPAN),
    "metadata": pl.String(),
}
DOCUMENT_SCHEMA = pl.Schema(_COLUMNS)
"""The columns of the nested form; attributes and metadata are JSON."""

_KEPT_FLAT = {
    "offsets",
    "nesting",
    "no-text",
    "bare-mentions",
    "repeated-spans",
    "several-links",
    "nil",
    "nil-clusters",
    "scores",
    "types",
    "categories",
}


def sniff(head: bytes, name: str) -> int:
    """Sure of the magic number."""
    return 100 if head.startswith(b"PAR1") else 0


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads either form; the columns tell which."""
    frame, header = read_frame(source)
    if set(LINK_SCHEMA.names()) <= set(frame.columns):
        links = links_frame(frame, source)
        return Reading(source.stem, _from_links(links), repairs=source.repairs)
    if set(DOCUMENT_SCHEMA.names()) <= set(frame.columns):
        return Reading(
            str(header.get("name", source.stem)),
            _from_documents(frame, source),
            metadata=header.get("metadata") or {},
            repairs=source.repairs,
        )
    raise ReadError(
        f"the columns are {', '.join(frame.columns)}",
        path=source.path,
        remedy="Expected those of elcurate's documents or links; see the page on formats.",
    )


def read_flat(source: Source, options: ReadOptions) -> Table | None:
    """The table in a file of links; None for a file of documents."""
    frame, _ = read_frame(source)
    if not set(LINK_SCHEMA.names()) <= set(frame.columns):
        return None
    return Table.of_links(source.stem, links_frame(frame, source))


def read_frame(source: Source) -> tuple[pl.DataFrame, dict[str, Any]]:
    """The frame and our header (name, metadata) if the file has one.

    Raises:
        ReadError: when it is no readable Parquet file.
    """
    data = source.bytes()
    try:
        frame = pl.read_parquet(io.BytesIO(data))
        header = load_json(pl.read_parquet_metadata(io.BytesIO(data)).get("elcurate", "{}"))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as error:
        raise ReadError(
            f"not a readable Parquet file: {error}",
            path=source.path,
            remedy="The file may be truncated.",
        ) from error
    stated = isinstance(header, dict) and isinstance(header.get("metadata", {}), dict)
    return frame, header if stated else {}


def links_frame(frame: pl.DataFrame, source: Source) -> pl.DataFrame:
    """The columns of the flat form, checked.

    Raises:
        ReadError: for a column of another type, a missing value, an unknown category.
    """
    try:
        links = frame.select(LINK_SCHEMA.names()).cast(LINK_SCHEMA)
    except pl.exceptions.PolarsError as error:
        raise ReadError(f"a column has another type: {error}", path=source.path) from error
    for name in ("document", "mention", "begin", "end"):
        if links[name].null_count():
            raise ReadError(f"the column {name} has an empty cell", path=source.path)
    for dimension, leaves in DIMENSIONS.items():
        for value in links[dimension].drop_nulls().unique().to_list():
            for leaf in value.split("|"):
                if leaf not in leaves:
                    raise ReadError(
                        f"{dimension} has no leaf {leaf!r}",
                        path=source.path,
                        remedy=suggestion(leaf, list(leaves)),
                    )
    return links


def write_documents(writing: Writing, out: BinaryIO) -> None:
    """Writes one row per document with everything in it."""
    rows = [_row(document) for document in writing.documents]
    frame = pl.DataFrame(rows, schema=DOCUMENT_SCHEMA)
    header = json.dumps({"name": writing.name, "metadata": writing.metadata})
    frame.write_parquet(out, metadata={"elcurate": header})


def write_links(writing: Writing, out: BinaryIO) -> None:
    """Writes the flat table, one row per link."""
    corpus = Corpus(name=writing.name, documents=tuple(writing.documents))
    Table.of(corpus).links.write_parquet(out)


def _row(document: Document) -> dict[str, Any]:
    row = document.model_dump()
    row["metadata"] = _json(row["metadata"])
    for mention in row["mentions"]:
        mention["attributes"] = _json(mention["attributes"])
        for link in mention["links"]:
            link["attributes"] = _json(link["attributes"])
            link["categories"] = {
                name: [leaves] if isinstance(leaves, str) else leaves
                for name, leaves in link["categories"].items()
            }
    for tag in row["tags"]:
        tag["attributes"] = _json(tag["attributes"])
    return row


def _json(attributes: dict[str, Any]) -> str | None:
    return json.dumps(attributes, ensure_ascii=False) if attributes else None


def _from_documents(frame: pl.DataFrame, source: Source) -> Iterator[Document]:
    for row in frame.select(DOCUMENT_SCHEMA.names()).iter_rows(named=True):
        try:
            row["metadata"] = load_json(row["metadata"] or "{}")
            for mention in row["mentions"]:
                mention["attributes"] = load_json(mention["attributes"] or "{}")
                for link in mention["links"]:
                    link["attributes"] = load_json(link["attributes"] or "{}")
            for tag in row["tags"]:
                tag["attributes"] = load_json(tag["attributes"] or "{}")
            yield Document.model_validate(row)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ReadError(
                f"a row is no document: {error}", path=source.path, document=str(row.get("id"))
            ) from error


def _from_links(frame: pl.DataFrame) -> Iterator[Document]:
    documents: dict[str, dict[int, list[dict[str, Any]]]] = {}
    for row in frame.iter_rows(named=True):
        documents.setdefault(row["document"], {}).setdefault(row["mention"], []).append(row)
    for name, mentions in documents.items():
        found = [
            Mention(
                begin=rows[0]["begin"],
                end=rows[0]["end"],
                links=tuple(_link(row) for row in rows if row["link"] is not None),
            )
            for rows in mentions.values()
        ]
        yield Document(id=name, mentions=in_order(found))


def _link(row: dict[str, Any]) -> Link:
    pairs = [
        (dimension, leaf)
        for dimension in DIMENSIONS
        for leaf in (row[dimension] or "").split("|")
        if (dimension, leaf) in LEAVES
    ]
    return Link(
        entity=row["entity"],
        score=row["score"],
        type=row["type"],
        categories=Categories.of(pairs),
    )


PARQUET = Format(
    name="parquet",
    text="Parquet, one row per document, lossless",
    suffixes=(".parquet",),
    keeps=EVERYTHING,
    sniff=sniff,
    read=read,
    write=write_documents,
    read_table=read_flat,
)

PARQUET_LINKS = Format(
    name="parquet-links",
    text="Parquet, one row per link: the flat table",
    suffixes=(".links.parquet",),
    keeps=frozenset(_KEPT_FLAT),
    sniff=never,
    read=read,
    write=write_links,
    read_table=read_flat,
)
