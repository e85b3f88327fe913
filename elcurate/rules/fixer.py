"""Applies the fixes of findings until nothing is left to fix."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial

from pydantic import TypeAdapter

from elcurate.kb.snapshot import Snapshot
from elcurate.model.categories import Categories
from elcurate.model.change import Change
from elcurate.model.corpus import Corpus, Document, Link, Mention, in_order
from elcurate.rules.base import Finding
from elcurate.rules.engine import validate
from elcurate.rules.select import EVERYTHING, Selection

PASSES = 20
"""A document that still changes after so many passes is left as it was."""

_SPAN = TypeAdapter(tuple[int, int])
_WHOLE = ("mention", "link", "span")


@dataclass(frozen=True)
class Fixed:
    """What became of a corpus.

    Attributes:
        corpus: The corrected corpus.
        changes: What was done, pass by pass; the places are those before each pass.
        refused: Documents left as they were, with the reason: their fixes don't come to an end,
            or another rule finds more afterwards.
    """

    corpus: Corpus
    changes: tuple[Change, ...]
    refused: dict[str, str]


def fix(
    corpus: Corpus,
    selection: Selection = EVERYTHING,
    *,
    unsafe: bool = False,
    today: date | None = None,
    kb: Snapshot | None = None,
) -> Fixed:
    """Applies safe fixes, pass by pass, until none is left; each document as a whole or not.

    Args:
        corpus: Is left as it is.
        selection: The rules whose fixes are applied.
        unsafe: Whether fixes that may change the meaning are applied too.
        today: The date of the changes; none when None.
        kb: A snapshot, for the rules that need one.
    """
    kinds = ("safe", "unsafe") if unsafe else ("safe",)
    check = partial(validate, kb=kb)
    start = corpus.model_copy(update={"repairs": ()})
    ids = Counter(document.id for document in corpus.documents)
    refused = {name: "its id occurs more than once" for name, count in ids.items() if count > 1}
    while True:
        found, changes, endless = _to_the_end(
            start, partial(check, selection=selection), kinds, refused, today
        )
        worse = _worse(check(start), check(found), {one.document for one in changes})
        new = dict.fromkeys(endless, "its fixes don't come to an end") | worse
        if not new:
            whole = found.model_copy(update={"repairs": corpus.repairs})
            return Fixed(whole, tuple(changes), refused)
        refused |= new


def _to_the_end(
    corpus: Corpus,
    check: Callable[[Corpus], list[Finding]],
    kinds: Sequence[str],
    refused: Mapping[str, str],
    today: date | None,
) -> tuple[Corpus, list[Change], list[str]]:
    """The corpus after all passes, the changes, and the documents that still change."""
    changes: list[Change] = []
    todo: dict[str, list[Change]] = {}
    for _ in range(PASSES):
        findings = [
            one
            for one in check(corpus)
            if one.fix is not None and one.fix.kind in kinds and (one.document or "") not in refused
        ]
        todo = _compatible(findings)
        if not todo:
            return corpus, changes, []
        documents = tuple(
            _changed(document, todo[document.id]) if document.id in todo else document
            for document in corpus.documents
        )
        corpus = corpus.model_copy(update={"documents": documents})
        when = None if today is None else today.isoformat()
        changes += [
            change.model_copy(update={"date": when}) for group in todo.values() for change in group
        ]
    return corpus, changes, list(todo)


def _compatible(findings: Sequence[Finding]) -> dict[str, list[Change]]:
    """The edits of one pass by document: no value twice, and what goes or moves only that."""
    chosen: defaultdict[str, list[Change]] = defaultdict(list)
    taken: dict[tuple[object, ...], set[tuple[object, ...]]] = {}
    for finding in findings:
        edits = finding.fix.edits if finding.fix is not None else ()
        keys = [
            ((one.document, one.begin, one.end, one.mention), (one.link, one.field))
            for one in edits
        ]
        if all(_free(taken.get(mention, set()), value) for mention, value in keys):
            for mention, value in keys:
                taken.setdefault(mention, set()).add(value)
            for edit in edits:
                chosen[edit.document or ""].append(edit)
    return dict(chosen)


def _free(taken: set[tuple[object, ...]], value: tuple[object, ...]) -> bool:
    if value[1] in _WHOLE:
        return not taken
    return value not in taken and not any(other[1] in _WHOLE for other in taken)


def _changed(document: Document, edits: Iterable[Change]) -> Document:
    """A document with edits to its mentions."""
    by_place: defaultdict[tuple[int | None, int | None, int], list[Change]] = defaultdict(list)
    for edit in edits:
        by_place[edit.begin, edit.end, edit.mention].append(edit)
    seen: Counter[tuple[int, int]] = Counter()
    mentions = []
    for mention in document.mentions:
        found = by_place.get((*mention.span, seen[mention.span]), [])
        seen[mention.span] += 1
        if not any(edit.field == "mention" for edit in found):
            mentions.append(_edited(mention, found) if found else mention)
    return document.model_copy(update={"mentions": in_order(mentions)})


def _edited(mention: Mention, edits: Sequence[Change]) -> Mention:
    links: list[Link | None] = list(mention.links)
    update: dict[str, object] = {}
    for edit in edits:
        if edit.field == "span":
            update["begin"], update["end"] = _SPAN.validate_python(edit.new)
        elif edit.link is not None:
            one = links[edit.link]
            links[edit.link] = None if one is None or edit.field == "link" else _link(one, edit)
    update["links"] = tuple(link for link in links if link is not None)
    return mention.model_copy(update=update)


def _link(link: Link, edit: Change) -> Link:
    """A link with another value; the categories are checked."""
    head, _, dimension = edit.field.partition(".")
    if head != "categories":
        return link.model_copy(update={edit.field: edit.new})
    values = {**link.categories.model_dump(), dimension: edit.new}
    return link.model_copy(update={"categories": Categories.model_validate(values)})


def _worse(
    before: Sequence[Finding], after: Sequence[Finding], changed: set[str | None]
) -> dict[str, str]:
    """Changed documents in which some rule finds more than before."""
    had = Counter((one.document, one.code) for one in before)
    has = Counter((one.document, one.code) for one in after)
    found: dict[str, str] = {}
    for (document, code), count in has.items():
        if document in changed and document is not None and count > had[document, code]:
            found.setdefault(document, f"{code} would find more than before")
    return found
