"""Applying patches: everything is checked against the version before, then all of it or nothing."""

from __future__ import annotations

from collections.abc import Sequence

from elcurate.curation.edit import DocumentEdit
from elcurate.curation.inverse import inverse
from elcurate.curation.patch import Conflict, Entry, Patch, PatchError
from elcurate.curation.places import repeated
from elcurate.curation.values import change_key, dumped, parsed, same
from elcurate.model.corpus import Corpus, Document

Numbered = list[tuple[int, Entry]]


def apply(corpus: Corpus, *patches: Patch) -> Corpus:
    """The corpus after patches, one after the other.

    Raises:
        PatchError: with every conflict of the first patch that doesn't fit.
    """
    for number, patch in enumerate(patches, 1):
        corpus, conflicts = attempt(corpus, patch)
        if conflicts:
            which = f"patch {number} of {len(patches)}" if len(patches) > 1 else "the patch"
            raise PatchError(
                f"nothing was changed: {which} doesn't fit {corpus.name or 'the corpus'} "
                f"in {len(conflicts)} places",
                tuple(conflicts),
            )
    return corpus


def revert(corpus: Corpus, *patches: Patch) -> Corpus:
    """The corpus before patches, undone from the last to the first.

    Raises:
        PatchError: with every conflict of the first patch that can't be undone.
    """
    return apply(corpus, *(inverse(patch) for patch in reversed(patches)))


def check(corpus: Corpus, patch: Patch) -> list[Conflict]:
    """Every place that is not as the patch expects it; empty when the patch applies."""
    return attempt(corpus, patch)[1]


def attempt(corpus: Corpus, patch: Patch) -> tuple[Corpus, list[Conflict]]:
    """The corpus after a patch, or as it was with the conflicts."""
    numbered = list(enumerate(patch.entries, 2))
    conflicts = repeated(numbered)
    whole: Numbered = []
    within: dict[str, Numbered] = {}
    for line, entry in numbered:
        if entry.document is None or entry.field == "document":
            whole.append((line, entry))
        else:
            within.setdefault(entry.document, []).append((line, entry))
    documents = {document.id: document for document in corpus.documents}
    if len(documents) < len(corpus.documents):
        raise PatchError(f"{corpus.name or 'the corpus'} has a document id twice")
    for name, entries in within.items():
        if name not in documents:
            conflicts += [Conflict.at(*one, "there is no such document") for one in entries]
            continue
        edit = DocumentEdit(documents[name], entries, masked=patch.header.masked)
        documents[name] = edit.result()
        conflicts += edit.conflicts
    edited = _Whole(corpus, documents, whole)
    result = edited.result()
    conflicts = sorted([*conflicts, *edited.conflicts], key=lambda conflict: conflict.line)
    return (corpus, conflicts) if conflicts else (result, [])


class _Whole:
    """The changes of a corpus itself: metadata, documents added and removed, their order."""

    def __init__(self, corpus: Corpus, documents: dict[str, Document], entries: Numbered) -> None:
        self.corpus = corpus
        self.documents = documents
        self.entries = entries
        self.conflicts: list[Conflict] = []

    def result(self) -> Corpus:
        """The corpus after the changes that fit."""
        metadata = self.corpus.metadata
        order = [document.id for document in self.corpus.documents]
        added = []
        for line, entry in self.entries:
            wrong = None
            if entry.field == "document" and entry.old is not None:
                wrong = self._remove(entry, order)
            elif entry.field == "document":
                added.append((line, entry))
            elif entry.field == "metadata":
                metadata, wrong = change_key(metadata, entry.old, entry.new)
            elif entry.field != "order":
                wrong = "a corpus has no such field"
            self._note(line, entry, wrong)
        for line, entry in self.entries:
            if entry.field == "order" and entry.document is None:
                self._note(line, entry, _reorder(entry, order))
        for line, entry in added:
            self._note(line, entry, self._add(entry, order))
        documents = tuple(self.documents[name] for name in order)
        return self.corpus.model_copy(update={"documents": documents, "metadata": metadata})

    def _note(self, line: int, entry: Entry, wrong: str | None) -> None:
        if wrong is not None:
            self.conflicts.append(Conflict.at(line, entry, wrong))

    def _remove(self, entry: Entry, order: list[str]) -> str | None:
        document = self.documents.get(entry.document or "")
        if document is None:
            return "there is no such document"
        if not same(dumped(document), entry.old):
            return "the document is not as it was when it was removed"
        order.remove(document.id)
        return None

    def _add(self, entry: Entry, order: list[str]) -> str | None:
        document, wrong = parsed(Document.model_validate, entry.new)
        if wrong is not None:
            return str(wrong)
        if document.id != entry.document or document.id in order:
            return "there is such a document already" if document.id in order else "another id"
        end = order.index(entry.after) + 1 if entry.after in order else len(order)
        order.insert(0 if entry.after is None else end, document.id)
        self.documents[document.id] = document
        return None


def _reorder(entry: Entry, order: list[str]) -> str | None:
    """Puts documents into a new order, those that the entry names where one of them was."""
    old, new = entry.old, entry.new
    if (
        not isinstance(old, list)
        or not isinstance(new, list)
        or set(map(str, old)) != set(map(str, new))
    ):
        return "old and new have to be the same documents"
    present = [name for name in order if name in old]
    if present != [name for name in old if name in present]:
        return "the documents are in another order"
    wanted: Sequence[str] = [str(name) for name in new if name in present]
    slots = [place for place, name in enumerate(order) if name in old]
    for place, name in zip(slots, wanted, strict=True):
        order[place] = name
    return None
