"""A patch: the decisions that lead from one version of a corpus to another, one a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from elcurate.errors import ElcurateError, ReadError
from elcurate.formats.checks import load_json
from elcurate.formats.outputs import atomic
from elcurate.formats.source import Source
from elcurate.model.change import Change
from elcurate.model.record import Record
from elcurate.version import VERSION as TOOL_VERSION

R = TypeVar("R", bound=Record)

FORMAT = "elcurate-patch"
VERSION = 1


class Side(Record):
    """A version of a corpus.

    Attributes:
        name: The corpus's name.
        fingerprint: Of its documents.
    """

    name: str = ""
    fingerprint: str


class Header(Record):
    """The first line of a patch.

    Attributes:
        format: Always ``elcurate-patch``.
        version: Of the format.
        elcurate: The version that made the patch.
        old: The version that the patch was made of; None for several.
        new: The version that it leads to; None when nobody has made it yet.
        masked: Whether surfaces stand as digests, because the text may not be redistributed.
        entries: How many lines follow.
    """

    format: str = FORMAT
    version: int = VERSION
    elcurate: str = TOOL_VERSION
    old: Side | None = None
    new: Side | None = None
    masked: bool = False
    entries: int

    def to_json(self) -> str:
        """Compact JSON with everything that is set."""
        return self.model_dump_json(exclude_none=True)


class Entry(Change):
    """One line of a patch: a change, and what has to be there for it to apply.

    Attributes:
        entity: The entity of the link before the change, for changes within a link.
        new_surface: The surface after the change, where it is another one.
        links: How many links the mention has before the change, where one is added or removed.
        after: For a document that was added or removed: the id of the one before it.
        snapshot: The snapshot of the knowledge base that the decision rests on.
        text_hash: The digest of the document's text before the change.
        layout_hash: The digest of the text's white space, for copies with a masked text.
    """

    entity: str | None = None
    new_surface: str | None = None
    links: int | None = None
    after: str | None = None
    snapshot: str | None = None
    text_hash: str | None = None
    layout_hash: str | None = None

    @property
    def where(self) -> str:
        """The place, for people."""
        if self.document is None:
            return "the corpus"
        if self.begin is None:
            return self.document
        nth = f" (mention {self.mention + 1} there)" if self.mention else ""
        return f"{self.document} {self.begin}-{self.end}{nth}"


class Patch(Record):
    """A header and its entries; all places are those of the version before the patch."""

    header: Header
    entries: tuple[Entry, ...] = ()

    @classmethod
    def of(
        cls,
        entries: list[Entry],
        old: Side | None = None,
        new: Side | None = None,
        *,
        masked: bool = False,
    ) -> Patch:
        """Entries under a header that counts them."""
        header = Header(old=old, new=new, masked=masked, entries=len(entries))
        return cls(header=header, entries=tuple(entries))

    def lines(self) -> Iterator[str]:
        """The lines of the file."""
        yield self.header.to_json()
        for entry in self.entries:
            yield entry.to_json()


class Conflict(Record):
    """A place that is not as an entry expects it.

    Attributes:
        line: The entry's line in the file of the patch.
        document: The document's id; None for the corpus.
        begin: The span of the mention, if it is one.
        end: Its end.
        field: What the entry changes.
        message: What is different.
    """

    line: int
    document: str | None = None
    begin: int | None = None
    end: int | None = None
    field: str
    message: str

    @classmethod
    def at(cls, line: int, entry: Entry, message: str) -> Conflict:
        """A conflict of an entry."""
        place = {"document": entry.document, "begin": entry.begin, "end": entry.end}
        return cls(line=line, field=entry.field, message=message, **place)

    def __str__(self) -> str:
        span = "" if self.begin is None else f" {self.begin}-{self.end}"
        where = "the corpus" if self.document is None else f"{self.document}{span}"
        return f"line {self.line}: {where}: {self.field}: {self.message}"


class PatchError(ElcurateError):
    """A patch that can't be made, merged or applied.

    Attributes:
        conflicts: Every place that is not as the patch expects it.
    """

    def __init__(
        self, message: str, conflicts: tuple[Conflict, ...] = (), *, remedy: str | None = None
    ) -> None:
        shown = [f"\n  {conflict}" for conflict in conflicts[:20]]
        more = len(conflicts) - len(shown)
        super().__init__(
            message + "".join(shown) + (f"\n  and {more} more" if more > 0 else ""), remedy=remedy
        )
        self.conflicts = conflicts


def write_patch(patch: Patch, path: str | Path) -> None:
    """Writes a patch as JSON Lines, atomically; ``-`` is standard output."""
    with atomic(path) as out:
        for line in patch.lines():
            out.write(line.encode() + b"\n")


def read_patch(path: str | Path) -> Patch:
    """Reads a patch.

    Raises:
        ReadError: with the line, for what is no patch, another version, or truncated.
    """
    source = Source(path)
    lines = ((number, line) for number, line in source.lines() if line.strip())
    number, line = next(lines, (1, ""))
    header = _header(source, number, line)
    entries = [_record(Entry, source, at, _object(source, at, text)) for at, text in lines]
    if len(entries) != header.entries:
        raise ReadError(
            f"the header promises {header.entries} entries, there are {len(entries)}",
            path=source.path,
            line=1,
            remedy="The file may be truncated; after editing by hand, correct the number.",
        )
    return Patch(header=header, entries=tuple(entries))


def _header(source: Source, number: int, line: str) -> Header:
    found = _object(source, number, line)
    if found.get("format") != FORMAT:
        raise ReadError(
            "this is no patch",
            path=source.path,
            line=number,
            remedy="Make one with: elcurate diff OLD NEW -o PATCH.jsonl",
        )
    if found.get("version") != VERSION:
        raise ReadError(
            f"this is version {found.get('version')!r} of the format of patches",
            path=source.path,
            line=number,
            remedy=f"This elcurate reads version {VERSION}: make the patch again with it.",
        )
    return _record(Header, source, number, found)


def _object(source: Source, number: int, line: str) -> dict[str, Any]:
    try:
        found = load_json(line)
    except ValueError as error:
        raise ReadError(
            f"not JSON: {error}",
            path=source.path,
            line=number,
            remedy="Each line is one JSON object; the file may be truncated.",
        ) from error
    if not isinstance(found, dict):
        raise ReadError("the line is no JSON object", path=source.path, line=number)
    return found


def _record(record: type[R], source: Source, number: int, found: dict[str, Any]) -> R:
    try:
        return record.model_validate(found)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise ReadError(
            f"{place}: {first['msg']}",
            path=source.path,
            line=number,
            remedy="See schemas/patch-entry.schema.json.",
        ) from error
