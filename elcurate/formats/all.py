"""All formats, and how the format of a file is found."""

from __future__ import annotations

from pathlib import Path

from elcurate.errors import ReadError
from elcurate.formats.aida import AIDA, CONLL03_NEL
from elcurate.formats.annotation_tools import ANNOTATION_TOOLS
from elcurate.formats.base import Format
from elcurate.formats.brat import BRAT
from elcurate.formats.conll03_offsets import CONLL03_OFFSETS
from elcurate.formats.conll2003 import CONLL2003_FORMATS
from elcurate.formats.conll_coref import CONLL_COREF
from elcurate.formats.conllu import CONLLU
from elcurate.formats.erd import ERD
from elcurate.formats.gerdaq import GERDAQ
from elcurate.formats.hipe import HIPE
from elcurate.formats.iitb import IITB
from elcurate.formats.json_tools import JSON_TOOLS
from elcurate.formats.jsonl import JSONL
from elcurate.formats.kdd import KDD
from elcurate.formats.meij import MEIJ
from elcurate.formats.msnbc import MSNBC
from elcurate.formats.neel import NEEL
from elcurate.formats.neleval import NELEVAL
from elcurate.formats.nif import NIF_FORMATS
from elcurate.formats.not_corpora import not_a_corpus
from elcurate.formats.parquet import PARQUET, PARQUET_LINKS
from elcurate.formats.source import Source
from elcurate.formats.tac import TAC
from elcurate.formats.tac2015 import TAC2015
from elcurate.formats.wikifier import WIKIFIER
from elcurate.formats.wned import WNED
from elcurate.registry import Registry

FORMATS: Registry[Format] = Registry("format")

for _format in (
    JSONL,
    NELEVAL,
    PARQUET,
    PARQUET_LINKS,
    CONLL_COREF,
    AIDA,
    CONLL03_NEL,
    CONLL03_OFFSETS,
    *CONLL2003_FORMATS,
    BRAT,
    CONLLU,
    HIPE,
    MSNBC,
    IITB,
    WNED,
    WIKIFIER,
    TAC,
    TAC2015,
    *JSON_TOOLS,
    MEIJ,
    GERDAQ,
    NEEL,
    ERD,
    KDD,
    *ANNOTATION_TOOLS,
    *NIF_FORMATS,
):
    FORMATS.add(_format.name, _format)


def detect(source: Source) -> Format:
    """The format of a file: by its content first, then by its name.

    Raises:
        ReadError: when the file is empty, or no format or more than one claims it.
    """
    if source.is_folder:
        return FORMATS.get(_only(claims(Path(source.path)), source.path))
    head = source.head
    sure = claims(Path(source.path)) if source.path != "-" else {}
    if not head and not any(sure.values()):
        raise ReadError(
            "the file is empty",
            path=source.path,
            remedy="If it is a system without annotations, name its format: --from neleval.",
        )
    name = source.name.lower()
    for form in FORMATS:
        if form.read is not None and head:
            sure[form.name] = max(sure.get(form.name, 0), form.sniff(head, name))
    other = None if any(sure.values()) else not_a_corpus(head)
    if other is not None:
        raise ReadError(other, path=source.path)
    return FORMATS.get(_only(sure, source.path))


def claims(path: Path) -> dict[str, int]:
    """How sure each format is of a folder, or of a file by what lies beside it."""
    return {form.name: form.claim(path) for form in FORMATS if form.read is not None}


def claiming(folder: Path) -> bool:
    """Whether any format reads this folder as one corpus."""
    return any(claims(folder).values())


def _only(sure: dict[str, int], path: str) -> str:
    best = max(sure.values(), default=0)
    names = [name for name, value in sure.items() if value == best]
    if best == 0 or len(names) > 1:
        what = "can't tell its format" if best == 0 else f"it may be {' or '.join(names)}"
        raise ReadError(
            what,
            path=path,
            remedy="Name the format with --from; `elcurate list formats` shows them.",
        )
    return names[0]


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
        if form.can_write
        for suffix in form.suffixes
        if name.endswith(suffix)
    ]
    if not matching:
        known = sorted({form.suffixes[0] for form in FORMATS if form.can_write and form.suffixes})
        raise ReadError(
            "can't tell in which format to write",
            path=path,
            remedy=f"Name it with --to, or use one of the suffixes {', '.join(known)}.",
        )
    return max(matching, key=lambda pair: pair[0])[1]
