"""The files of Meij's tweets, and which of them a file is."""

from __future__ import annotations

import re
from pathlib import Path

from elcurate.formats.beside import Endings, partner, parts, stem
from elcurate.formats.source import BOM, Source

TWEETS, ANNOTATIONS, QRELS, CHECKSUMS = "tweets", "annotations", "qrels", "checksums"
KINDS: dict[str, Endings] = {
    TWEETS: ("tweets.list",),
    ANNOTATIONS: ("annotations.txt",),
    QRELS: ("qrels.txt",),
    CHECKSUMS: ("tweets.dat",),
}
NAMES = {
    TWEETS: "original_tweets.list",
    ANNOTATIONS: "wsdm2012_annotations.txt",
    QRELS: "wsdm2012_qrels.txt",
    CHECKSUMS: "wsdm2012_tweets.dat",
}
"""What the published files are called."""
_ROWS = {
    TWEETS: rb"[0-9]{8,20}\t[^\t]*\t[0-9]{3}\t[^\t]*(?:\t.*)?",
    ANNOTATIONS: rb"[0-9]{8,20}\t-?[0-9]+\t[^\t]*[^\t0-9][^\t]*",
    QRELS: rb"[0-9]{8,20} [0-9]+ [0-9]+ [0-9]+",
    CHECKSUMS: rb"[0-9]{8,20}\t[^\t]+\t[0-9a-f]{32}",
}
_SURE = {TWEETS: 85, ANNOTATIONS: 60, QRELS: 60, CHECKSUMS: 85}


def sniff(head: bytes, name: str) -> int:
    """Surer of tweets and checksums than of annotations and qrels, which others have too."""
    kind = _kind(head)
    return 0 if kind is None else _SURE[kind]


def claim(path: Path) -> int:
    """Sure of files under the published names, if tweets or annotations are beside each other."""
    if path.is_dir():
        found = parts(path, KINDS)
        return 85 if len(found) > 1 and (TWEETS in found or ANNOTATIONS in found) else 0
    kind = _named(path)
    if kind is None:
        return 0
    others = {TWEETS, ANNOTATIONS} - {kind}
    return 85 if any(partner(path, KINDS[kind], KINDS[other]) for other in others) else 0


def find(source: Source) -> dict[str, Source]:
    """The files of a corpus by their kinds, whichever of them the input is."""
    path = Path(source.path)
    if source.is_folder:
        return {kind: source.part(file) for kind, file in parts(path, KINDS).items()}
    kind = _named(path) or _kind(source.head) or TWEETS
    found = {kind: source}
    for other in KINDS.keys() - {kind}:
        beside = None if source.path == "-" else partner(path, KINDS[kind], KINDS[other])
        if beside is not None:
            found[other] = source.part(beside)
    return found


def _named(path: Path) -> str | None:
    return next((kind for kind, ends in KINDS.items() if stem(path, ends) is not None), None)


def _kind(head: bytes) -> str | None:
    """The kind of file whose rows all of the first lines are."""
    lines = head.removeprefix(BOM).splitlines()
    lines = [line for line in (lines[:-1] or lines)[:20] if line.strip()]
    for kind, row in _ROWS.items():
        if lines and all(re.fullmatch(row, line) for line in lines):
            return kind
    return None
