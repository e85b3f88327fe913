"""TAC KBP entity discovery and linking, 2015 to 2017: one file with tabs, one line per candidate.

The columns: run id, mention id, mention string, ``docid: begin - end`` (ends inclusive), KB id or
NIL, entity type, NAM or NOM, confidence; gold adds whether annotators used a web search, the
wiki text, and whether the entity is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from elcurate.errors import ReadError
from elcurate.formats.base import Format, Reading, ReadOptions
from elcurate.formats.features import EVERYTHING
from elcurate.formats.rows import Row, is_score, rows
from elcurate.formats.source import Source
from elcurate.formats.tac2015_write import FIRST, write_tac2015
from elcurate.formats.tac_documents import Assembly, read_regions
from elcurate.formats.tac_files import PLACE, is_one_file, report_unused
from elcurate.formats.tac_links import FLAGS, MORE
from elcurate.formats.tac_query import MADE_UP, Query, entity_of
from elcurate.formats.tac_texts import BESIDE, Texts
from elcurate.model.corpus import Attributes, Document, Link

_LOST = {
    "text",
    "empty-documents",
    "sentences",
    "tokens",
    "tags",
    "metadata",
    "bare-mentions",
    "fragments",
    "repeated-spans",
    "categories",
}
_REMEDY = "A line has 8 or 11 columns, the fourth of them docid: begin - end."


def sniff(head: bytes, name: str) -> int:
    """Sure when the fourth cell of every line is a document id with offsets."""
    return 95 if is_one_file(head) else 0


def claim(path: Path) -> int:
    """Sure of a folder that has one such file beside a folder of source documents."""
    try:
        if not path.is_dir() or not any((path / name).is_dir() for name in BESIDE):
            return 0
        return 70 if len(_files(path)) == 1 else 0
    except (OSError, ReadError):
        return 0


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads twice: for the last line of each document, then documents as they are complete."""
    lines = source
    if source.is_folder:
        found = _files(Path(source.path))
        if len(found) != 1:
            message = f"the folder has {len(found)} files of entity mentions"
            raise ReadError(message, path=source.path, remedy="Name the one to read.")
        lines = source.part(found[0])
        report_unused(source)
    return Reading(source.stem, _documents(source, lines, options), repairs=source.repairs)


def _files(folder: Path) -> list[Path]:
    found = sorted(path for path in folder.glob("*.tab*") if path.is_file())
    return [path for path in found if is_one_file(Source(path).head)]


def _documents(source: Source, lines: Source, options: ReadOptions) -> Iterator[Document]:
    last = _last_lines(lines)
    assembly = Assembly(
        options=options,
        repairs=source.repairs,
        texts=Texts(source, lines.path, options, last),
        excluded=read_regions(source, options),
    )
    found: dict[str, list[Query]] = {}
    for row in rows(lines):
        try:
            query = _query(row)
        except ReadError as error:
            options.fail(error)
            query = None
        if query is not None:
            found.setdefault(query.document, []).append(query)
        while found and last[first := next(iter(found))] <= row.line:
            yield assembly.document(first, found.pop(first))


def _last_lines(source: Source) -> dict[str, int]:
    """The number of the last line of each document; what is repaired is reported when rereading."""
    last: dict[str, int] = {}
    known = len(source.repairs)
    for row in rows(source):
        found = PLACE.fullmatch(row.cells[3]) if row.text.count("\t") > 2 else None
        if found is not None:
            last[found[1]] = row.line
    del source.repairs[known:]
    return last


def _query(row: Row) -> Query | None:
    """What a line says; None for a line of column names."""
    cells = row.cells
    found = PLACE.fullmatch(cells[3]) if len(cells) > 3 else None
    if found is None and row.line == 1 and len(cells) > 7 and not any(map(is_score, cells)):
        row.repair("column-names", before=" ".join(cells), after="left out")
        return None
    if len(cells) < 8:
        raise row.error(f"{len(cells)} columns", _REMEDY)
    if found is None:
        raise row.error(f"{cells[3][:80]!r} is no document id with offsets", _REMEDY)
    run, name, surface, _, kb_id, type_, mention_type, confidence, *rest = cells
    link = Link(
        entity=entity_of(kb_id, f"{row.source.path}:{row.line}", row.source.repairs),
        score=row.score(confidence),
        type=type_ or None,
        attributes=_flags(rest),
    )
    stated = zip(FIRST, (run, name, mention_type), strict=True)
    return Query(
        document=found[1],
        span=(row.whole(found[2], "offset"), row.whole(found[3], "offset")),
        name=surface or None,
        attributes={key: cell for key, cell in stated if cell and not MADE_UP.fullmatch(cell)},
        links=[link],
        line=row.line,
    )


def _flags(cells: list[str]) -> Attributes:
    known = zip_longest(FLAGS, cells[: len(FLAGS)], fillvalue="")
    flags: Attributes = {name: cell for name, cell in known if cell}
    if any(cells[len(FLAGS) :]):
        flags[MORE] = [*cells[len(FLAGS) :]]
    return flags


TAC2015 = Format(
    name="tac2015",
    text="TAC KBP entity mentions in one file, 2015 to 2017",
    suffixes=(".edl.tab", ".edl.tsv"),
    keeps=EVERYTHING - _LOST,
    sniff=sniff,
    read=read,
    write=write_tac2015,
    claim=claim,
)
