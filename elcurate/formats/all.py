"""All formats, and how the format of a file is found."""

from __future__ import annotations

from elcurate.errors import ReadError
from elcurate.formats.base import Format
from elcurate.formats.jsonl import JSONL
from elcurate.formats.neleval import NELEVAL
from elcurate.formats.nif import NIF_FORMATS
from elcurate.formats.parquet import PARQUET, PARQUET_LINKS
from elcurate.formats.source import Source
from elcurate.registry import Registry

FORMATS: Registry[Format] = Registry("format")

for _format in (JSONL, NELEVAL, PARQUET, PARQUET_LINKS, *NIF_FORMATS):
    FORMATS.add(_format.name, _format)


def detect(source: Source) -> Format:
    """The format of a file: by its content first, then by its name.

    Raises:
        ReadError: when the file is empty, or no format or more than one claims it.
    """
    head = source.head
    if not head:
        raise ReadError(
            "the file is empty",
            path=source.path,
            remedy="If it is a system without annotations, name its format: --from neleval.",
        )
    sure = {form.name: form.sniff(head, source.name.lower()) for form in FORMATS if form.read}
    best = max(sure.values())
    names = [name for name, value in sure.items() if value == best]
    if best == 0 or len(names) > 1:
        what = "can't tell its format" if best == 0 else f"it may be {' or '.join(names)}"
        raise ReadError(
            what,
            path=source.path,
            remedy="Name the format with --from; `elcurate list formats` shows them.",
        )
    return FORMATS.get(names[0])


def format_for(path: str) -> Format:
    """The format in which a file of that name is written, by its longest known suffix.

    Raises:
        ReadError: when no format has that suffix.
    """
    name = path.lower()
    for packed in (".gz", ".bz2", ".zst"):
        name = name.removesuffix(packed)
    matching = [
        (len(suffix), form)
        for form in FORMATS
        if form.write is not None
        for suffix in form.suffixes
        if name.endswith(suffix)
    ]
    if not matching:
        known = sorted({form.suffixes[0] for form in FORMATS if form.write})
        raise ReadError(
            "can't tell in which format to write",
            path=path,
            remedy=f"Name it with --to, or use one of the suffixes {', '.join(known)}.",
        )
    return max(matching, key=lambda pair: pair[0])[1]
