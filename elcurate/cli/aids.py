"""The files that scoring takes besides gold and systems: weights, maps of entities, a reference."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from elcurate.cli.common import check_files, report_kinds
from elcurate.cli.inputs import read_input
from elcurate.errors import ReadError, SpecError
from elcurate.evaluation.evaluate import as_table
from elcurate.kb.canonicalise import EntityMap, SnapshotMap
from elcurate.kb.snapshot import Snapshot
from elcurate.kb.title_map import TitleMap
from elcurate.measures.weights import TypeWeights
from elcurate.model.table import Table


def type_weights(table: Path | None, hierarchy: Path | None, decay: float) -> TypeWeights | None:
    """Credit for types that are not equal, from one of two files.

    Raises:
        SpecError: when both are given, or one is not what it should be.
    """
    if table is not None and hierarchy is not None:
        raise SpecError("--type-weights and --type-hierarchy exclude each other")
    if hierarchy is not None:
        return TypeWeights.of_hierarchy(hierarchy, decay)
    return None if table is None else TypeWeights.read(table)


def entity_map(
    kb: Path | None,
    title_map: Path | None,
    missing_as_nil: bool,
    sections_as_pages: bool,
    stack: ExitStack,
) -> EntityMap | None:
    """What replaces entities before they are compared.

    Args:
        kb: A snapshot.
        title_map: A file of titles and redirects instead.
        missing_as_nil, sections_as_pages: How the snapshot is used.
        stack: Keeps the snapshot open until it is left.

    Raises:
        SpecError: for a missing or wrong file, and options that don't go together.
    """
    if kb is None and (missing_as_nil or sections_as_pages):
        raise SpecError("--missing-as-nil and --sections-as-pages need --kb")
    if kb is None:
        return None if title_map is None else TitleMap.read(title_map)
    if title_map is not None:
        raise SpecError("--kb and --title-map exclude each other")
    missing = check_files([str(kb)])
    if missing:
        raise SpecError(missing[0])
    return SnapshotMap(stack.enter_context(Snapshot(kb)), sections_as_pages, missing_as_nil)


def reference(path: str | None, from_: str | None, texts: Path | None = None) -> Table | None:
    """The output that says what can be linked.

    Args:
        path: Its file.
        from_: Its format, detected when None.
        texts: Where the texts are, if the format has none.

    Raises:
        SpecError: when it can't be read.
    """
    if path is None:
        return None
    missing = check_files([path])
    if missing:
        raise SpecError(missing[0])
    try:
        found, repairs = read_input([path], from_, texts=texts)
    except ReadError as error:
        raise SpecError(str(error)) from error
    report_kinds(repairs, found.name)
    return as_table(found)
