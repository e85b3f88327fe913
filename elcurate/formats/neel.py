"""The #Microposts2016 NEEL corpora: tweets as ``|id|,|text|``, annotations in a ``.gs`` beside.

A row of annotations is ``id start end uri|NILn score type`` with tabs between, in code points,
ends exclusive. Rows of one span are candidates of one mention.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from elcurate.errors import ReadError
from elcurate.formats.base import Format, Reading, ReadOptions, Writing
from elcurate.formats.beside import Endings, partner, parts, stem
from elcurate.formats.features import place
from elcurate.formats.rows import Cells, Row, number, one_per_span, rows
from elcurate.formats.source import BOM, Source
from elcurate.model.corpus import Document, Link, Mention, in_order

TWEETS: Endings = (".tsv",)
GOLD: Endings = ("_neel.gs", ".gs")
KEEPS = frozenset(
    {
        "text",
        "no-text",
        "empty-documents",
        "offsets",
        "nesting",
        "several-links",
        "nil",
        "nil-clusters",
        "scores",
        "types",
    }
)
NIL = "NIL"
NO_TYPE = "-"
_KINDS = {"tweets": TWEETS, "gold": GOLD}
_TWEET = re.compile(r"\|([^|]*)\|,(?:\|(.*)\|)?", re.DOTALL)
_TWEET_HEAD = re.compile(rb"\|[^|\n]+\|,\|")
_ROW_HEAD = re.compile(rb"[^\t\n]*\t-?[0-9]+\t-?[0-9]+\t[^\t\n]+\t[0-9.eE+-]*\t[^\t\n]+\n?")


def sniff(head: bytes, name: str) -> int:
    """Sure of tweets by their bars; of annotations only by name, since neleval's are alike."""
    head = head.removeprefix(BOM)
    if _TWEET_HEAD.match(head):
        return 95
    first = head.split(b"\n", 1)[0].rstrip(b"\r")
    return 90 if name.endswith(".gs") and _ROW_HEAD.fullmatch(first) else 0


def claim(path: Path) -> int:
    """Sure of a pair of tweets and annotations, and of a folder of nothing else."""
    tweets: Path | None = None
    gold: Path | None = None
    if path.is_dir():
        found = parts(path, _KINDS)
        tweets, gold = found.get("tweets"), found.get("gold")
    elif stem(path, GOLD) is not None:
        tweets, gold = partner(path, GOLD, TWEETS), path
    elif stem(path, TWEETS) is not None and _has_tweets(path):
        tweets, gold = path, partner(path, TWEETS, GOLD)
    return 85 if tweets is not None and gold is not None and _has_tweets(tweets) else 0


def read(source: Source, options: ReadOptions) -> Reading:
    """Reads tweets and annotations, whichever of them the input is."""
    tweets, gold = _files(source)
    return Reading(source.stem, _documents(tweets, gold, options), repairs=source.repairs)


def _files(source: Source) -> tuple[Source | None, Source | None]:
    """The tweets and the annotations, as far as they are there."""
    path = Path(source.path)
    if source.is_folder:
        found = parts(path, _KINDS)
        tweets, gold = (source.part(found[kind]) if kind in found else None for kind in _KINDS)
        return tweets, gold
    if source.path == "-":
        return (source, None) if _has_tweets(source) else (None, source)
    if stem(path, GOLD) is None and _has_tweets(source):
        beside = partner(path, TWEETS, GOLD)
        return source, None if beside is None else source.part(beside)
    beside = partner(path, GOLD, TWEETS)
    return None if beside is None or not _has_tweets(beside) else source.part(beside), source


def _has_tweets(file: Path | Source) -> bool:
    """Whether a file begins as tweets do, or is empty."""
    try:
        head = (file if isinstance(file, Source) else Source(file)).head
    except ReadError:
        return False
    return head.removeprefix(BOM)[:1] in (b"|", b"")


def _documents(
    tweets: Source | None, gold: Source | None, options: ReadOptions
) -> Iterator[Document]:
    """The tweets in their order, then what is annotated without being among them."""
    annotated = {} if gold is None else _annotations(gold, options)
    for row in () if tweets is None else rows(tweets):
        match = _TWEET.fullmatch(row.text)
        if match is None:
            options.fail(row.error("this is no tweet", "A line is |id|,|text|."))
        else:
            yield _document(match[1], match[2], annotated.pop(match[1], []))
    for name, found in annotated.items():
        if tweets is not None:
            found[0].row.repair("unknown-document", name, "a document without text")
        yield _document(name, None, found)


class _Annotation(NamedTuple):
    row: Row
    span: tuple[int, int]
    link: Link


def _annotations(gold: Source, options: ReadOptions) -> dict[str, list[_Annotation]]:
    found: dict[str, list[_Annotation]] = {}
    for row in rows(gold):
        try:
            name, annotation = _annotation(row)
        except ReadError as error:
            options.fail(error)
        else:
            found.setdefault(name, []).append(annotation)
    return found


def _annotation(row: Row) -> tuple[str, _Annotation]:
    cells = row.cells
    if len(cells) != 6:
        raise row.error(
            f"{len(cells)} columns", "A row is id, start, end, URI or NIL, score and type."
        )
    name, begin, end, entity, score, type_ = cells
    if not entity:
        row.repair("empty-id", "", "NIL")
    link = Link(
        entity=None if entity in ("", NIL) else entity,
        score=row.score(score),
        type=None if type_ in ("", NO_TYPE) else type_,
    )
    return name, _Annotation(row, (row.whole(begin, "offset"), row.whole(end, "offset")), link)


def _document(name: str, text: str | None, found: Sequence[_Annotation]) -> Document:
    spans: dict[tuple[int, int], list[Link]] = {}
    for one in found:
        spans.setdefault(one.span, []).append(one.link)
    mentions = [
        Mention(begin=begin, end=end, links=tuple(sorted(links, key=_rank)))
        for (begin, end), links in spans.items()
    ]
    return Document(id=name, text=text, mentions=in_order(mentions))


def _rank(link: Link) -> float:
    return math.inf if link.score is None else -link.score


def write_folder(writing: Writing, folder: Path) -> None:
    """Writes the tweets and, beside them, their annotations."""
    cells = Cells(writing)
    with (
        (folder / "tweets.tsv").open("wb") as tweets,
        (folder / "tweets_neel.gs").open("wb") as gold,
    ):
        for document in writing.documents:
            name = cells.name(document, forbidden="|")
            text = ""
            if document.text is not None:
                text = f"|{cells.cell(document.text, 'text', document.id)}|"
            tweets.write(f"|{name}|,{text}\n".encode())
            for mention in one_per_span(document.mentions):
                where = place(document, mention)
                head = f"{name}\t{mention.begin}\t{mention.end}"
                for row in _link_rows(mention, where, cells):
                    gold.write(f"{head}\t{row}\n".encode())


def _link_rows(mention: Mention, where: str, cells: Cells) -> list[str]:
    """What follows the span in the rows of a mention, the best candidate first."""
    ranked = []
    for link in mention.links:
        if link.score is None:
            cells.lose("scores", where, "1", "every row has a score")
        if link.entity in ("", NIL):
            kind = "nil-clusters" if link.entity else "link"
            cells.lose(kind, where, link.entity, "it means a NIL without a cluster")
        if link.type in ("", NO_TYPE):
            cells.lose("types", where, link.type, "it means that there is none")
        kind = "nil-clusters" if link.is_nil else "entity"
        entity = cells.cell(link.entity or NIL, kind, where)
        type_ = cells.cell(link.type or NO_TYPE, "types", where)
        score = 1.0 if link.score is None else link.score
        ranked.append((score, f"{entity}\t{number(score)}\t{type_}"))
    best = sorted(ranked, key=lambda one: -one[0])
    if best != ranked:
        cells.lose("link-order", where, reason="candidates are read best score first")
    return [row for _, row in best]


NEEL = Format(
    name="neel",
    text="#Microposts2016 NEEL: tweets and annotations",
    suffixes=(),
    keeps=KEEPS,
    sniff=sniff,
    read=read,
    claim=claim,
    write_folder=write_folder,
)
