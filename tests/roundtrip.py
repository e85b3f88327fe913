"""What must be left of a corpus after a format wrote and read it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from elcurate.formats.base import Format
from elcurate.formats.features import EVERYTHING, outermost, place
from elcurate.formats.io import read
from elcurate.formats.outputs import write
from elcurate.model.categories import NO_CATEGORIES
from elcurate.model.change import Loss
from elcurate.model.corpus import Corpus, Document, Link, Mention, Span, in_order

Lost = set[tuple[str, str]]


def through(corpus: Corpus, form: Format, folder: Path) -> tuple[Corpus, list[Loss], Path]:
    """Writes and reads a corpus."""
    path = target(form, folder)
    losses = write(corpus, path, format=form.name, overwrite=True)
    return read(path, format=form.name), losses, path


def target(form: Format, folder: Path, name: str = "corpus") -> Path:
    """Where a format writes: a file with its suffix, or a folder."""
    return folder / (name if form.write_folder else f"{name}{form.suffixes[0]}")


def check_kept(corpus: Corpus, back: Corpus, form: Format, losses: Iterable[Loss]) -> None:
    """Everything that was not reported as lost is there.

    Features that the format doesn't keep count as equal everywhere; what the writer reports
    besides counts as equal at the places that it names. Besides features a writer may report
    these kinds: ``document`` and ``mention`` (not written at all), ``link`` (one of the links at
    that place is missing or changed), ``entity`` (another spelling), ``document-id`` (another
    id), ``document-order``, ``link-order``, ``characters``; ``offsets`` of a document whose text
    had to be changed. Tokens and sentences that the document did not state may be made, and where
    a text is lost its surfaces may be stated.
    """
    if form.keeps == EVERYTHING and not losses:
        assert back.documents == corpus.documents
        return
    lost = {(loss.kind, loss.where) for loss in losses}
    gone = {where for kind, where in lost if kind == "document"}
    expected = [
        one for one in corpus.documents if one.id not in gone and _survives(one, form.keeps)
    ]
    found = [one for one in back.documents if _survives(one, form.keeps)]
    assert len(found) == len(expected)
    if any(kind == "document-order" for kind, _ in lost):
        expected.sort(key=lambda document: document.id)
        found.sort(key=lambda document: document.id)
    if "text" not in form.keeps:
        lost |= {
            ("surfaces", place(one, mention))
            for one in expected
            for mention in one.mentions
            if one.text is not None and mention.surface is None
        }
    for before, after in zip(expected, found, strict=True):
        assert after.id == before.id or ("document-id", before.id) in lost
        made = {name: () for name in ("tokens", "sentences") if not getattr(before, name)}
        facts = {key: after.metadata[key] for key in before.metadata if key in after.metadata}
        after = after.model_copy(update={"id": before.id, "metadata": facts, **made})
        here = {(kind, where) for kind, where in lost if kind != "mention"}
        kept = here if ("offsets", before.id) in lost else lost
        assert strip(after, form.keeps, kept) == strip(before, form.keeps, lost)


_ILLEGAL = dict.fromkeys([*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF], "\ufffd")


def _survives(document: Document, keeps: frozenset[str]) -> bool:
    if document.mentions:
        return True
    return "empty-documents" in keeps and (document.text is not None or "no-text" in keeps)


def strip(document: Document, keeps: frozenset[str], lost: Lost) -> Document:
    """A document without what a format doesn't keep, or reported as lost."""
    here = {kind for kind, where in lost if where == document.id}
    if "characters" in here and document.text is not None:
        document = document.model_copy(update={"text": document.text.translate(_ILLEGAL)})
    gone = {"text", "tags", "metadata", "tokens", "sentences"} & (here | (EVERYTHING - keeps))
    blank: dict[str, object] = {
        name: None if name == "text" else {} if name == "metadata" else () for name in gone
    }
    moved = "offsets" in here
    for name in ("tokens", "sentences") if moved else ():
        blank.setdefault(name, (Span(begin=0, end=0),) * len(getattr(document, name)))
    inside = f"{document.id} "
    everywhere = {kind for kind, where in lost if moved and where.startswith(inside)}
    mentions = [
        _mention(mention, keeps, everywhere | {kind for kind, spot in lost if spot == where})
        for mention in document.mentions
        for where in [place(document, mention)]
        if ("mention", where) not in lost
    ]
    if "repeated-spans" not in keeps:
        unordered = {where for kind, where in lost if kind == "link-order"}
        mentions = [
            mention.model_copy(update={"links": tuple(sorted(mention.links, key=repr))})
            if place(document, mention) in unordered
            else mention
            for mention in _merged(mentions)
        ]
    if "nesting" not in keeps:
        mentions = outermost(in_order(mentions))
    if "bare-mentions" not in keeps:
        mentions = [mention for mention in mentions if mention.links]
    if "offsets" not in keeps or moved:
        nowhere = {"begin": 0, "end": 0, "fragments": ()}
        mentions = [mention.model_copy(update=nowhere) for mention in mentions]
    if moved:
        mentions.sort(key=repr)
    return document.model_copy(update={**blank, "mentions": in_order(mentions)})


def _mention(mention: Mention, keeps: frozenset[str], lost: set[str]) -> Mention:
    gone = lost | (EVERYTHING - keeps)
    links = tuple(_link(link, gone) for link in mention.links)
    if {"several-links", "link"} & lost:
        links = ()
    elif "link-order" in lost:
        links = tuple(sorted(links, key=repr))
    change: dict[str, object] = {"links": links}
    if "surfaces" in gone:
        change["surface"] = None
    if "fragments" in gone:
        change["fragments"] = ()
    if "mention-attributes" in gone:
        change["attributes"] = {}
    return mention.model_copy(update=change)


def _link(link: Link, gone: set[str]) -> Link:
    change: dict[str, object] = {}
    if link.is_nil and "nil-clusters" in gone:
        change["entity"] = None
    if link.entity is None and "nil" in gone:
        change["entity"] = "NIL"
    if not link.is_nil and gone & {"entity", "entity-spelling"}:
        change["entity"] = "changed"
    if "scores" in gone:
        change["score"] = None
    if "types" in gone:
        change["type"] = None
    if "categories" in gone:
        change["categories"] = NO_CATEGORIES
    if "link-attributes" in gone:
        change["attributes"] = {}
    return link.model_copy(update=change)


def _merged(mentions: list[Mention]) -> list[Mention]:
    spans: dict[tuple[int, int], Mention] = {}
    for mention in mentions:
        known = spans.setdefault(mention.span, mention)
        if known is not mention:
            links = known.links + mention.links
            spans[mention.span] = known.model_copy(update={"links": links})
    return list(spans.values())
