"""The changes of one document, each checked against the document as it was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from elcurate.curation.hashes import digest, is_masked, layout
from elcurate.curation.mention_edit import MentionEdit
from elcurate.curation.mentions_diff import Place, by_span
from elcurate.curation.patch import Conflict, Entry
from elcurate.curation.values import (
    DOCUMENT_FIELDS,
    as_pair,
    change_key,
    document_value,
    expected,
    mention_of,
    parsed,
    same,
    shown,
)
from elcurate.model.corpus import Document, Mention, in_order


class DocumentEdit:
    """A document and the entries of a patch that change it.

    Args:
        document: As it is.
        entries: With their lines.
        masked: Whether the surfaces of the entries are digests.

    Attributes:
        conflicts: Grows while the result is made.
    """

    def __init__(
        self, document: Document, entries: Sequence[tuple[int, Entry]], *, masked: bool
    ) -> None:
        self.document = document
        self.entries = entries
        self.masked = masked
        self.conflicts: list[Conflict] = []
        self.hidden = document.text is None or is_masked(document.text)
        self.text_hash = None if document.text is None else digest(document.text)
        self.spans = by_span(document)
        self.edits: dict[tuple[Place, int], MentionEdit] = {}
        self.added: dict[Place, list[tuple[int, Mention]]] = {}

    def result(self) -> Document:
        """The document after the changes that fit."""
        update: dict[str, Any] = {}
        for line, entry in self.entries:
            wrong = self._other_text(entry)
            if wrong is None and entry.begin is None:
                wrong = self._field(entry, update)
            elif wrong is None:
                wrong = self._mention(entry)
            if wrong is not None:
                self.conflicts.append(Conflict.at(line, entry, wrong))
        if self.edits or self.added:
            update["mentions"] = self._mentions()
        return self.document.model_copy(update=update) if update else self.document

    def _other_text(self, entry: Entry) -> str | None:
        text = self.document.text
        if text is None or entry.text_hash in (None, self.text_hash):
            return None
        if self.hidden and layout(text) == entry.layout_hash:
            return None
        return "the patch is for another text"

    def _field(self, entry: Entry, update: dict[str, Any]) -> str | None:
        if entry.field == "metadata":
            metadata = update.get("metadata", self.document.metadata)
            update["metadata"], wrong = change_key(metadata, entry.old, entry.new)
            return wrong
        if entry.field not in DOCUMENT_FIELDS:
            return "a document has no such field"
        found = document_value(self.document, entry.field)
        if not same(found, entry.old):
            return expected(entry.old, found)
        value, wrong = parsed(DOCUMENT_FIELDS[entry.field][1], entry.new)
        if wrong is None:
            update[entry.field] = value
        return wrong

    def _mention(self, entry: Entry) -> str | None:
        span = (entry.begin or 0, entry.end or 0)
        there = self.spans.get(span, [])
        if entry.field == "mention" and entry.link is None and entry.old is None:
            return self._add(entry, span, len(there))
        if not 0 <= entry.mention < len(there):
            return f"there is no mention; nearest: {self._nearest(span)}"
        mention = there[entry.mention]
        wrong = self._surface(entry, self.document, mention) or self._taken(entry)
        if wrong is not None:
            return wrong
        edit = self.edits.setdefault((span, entry.mention), MentionEdit(mention))
        return edit.take(entry)

    def _add(self, entry: Entry, span: Place, there: int) -> str | None:
        mention, wrong = parsed(mention_of, entry.new)
        if wrong is not None:
            return str(wrong)
        if mention.span != span:
            return f"the new mention is at {mention.begin}-{mention.end}"
        if entry.mention < there:
            return "there is a mention already"
        texts = [one.new for _, one in self.entries if one.field == "text"]
        after = texts[0] if texts and isinstance(texts[0], str) else None
        after = after if texts else self.document.text
        wrong = self._surface(entry, self.document.model_copy(update={"text": after}), mention)
        if wrong is None:
            self.added.setdefault(span, []).append((entry.mention, mention))
        return wrong

    def _surface(self, entry: Entry, document: Document, mention: Mention) -> str | None:
        found = document.surface(mention)
        if entry.surface is None or found is None or (self.hidden and mention.surface is None):
            return None
        if (digest(found) if self.masked else found) == entry.surface:
            return None
        return f"the surface is {shown(found)}"

    def _taken(self, entry: Entry) -> str | None:
        if entry.field != "span" or entry.link is not None:
            return None
        return "there is a mention already" if as_pair(entry.new) in self.spans else None

    def _nearest(self, span: Place) -> str:
        def distance(mention: Mention) -> int:
            return abs(mention.begin - span[0]) + abs(mention.end - span[1])

        near = min(self.document.mentions, key=distance, default=None)
        if near is None:
            return "none in the document"
        return f"{near.begin}-{near.end} {shown(self.document.surface(near), 30)}"

    def _mentions(self) -> tuple[Mention, ...]:
        """The mentions after the changes, in the order of the text."""
        kept: dict[Place, list[Mention]] = {}
        for span, mentions in self.spans.items():
            for place, mention in enumerate(mentions):
                edit = self.edits.get((span, place))
                result = mention if edit is None else edit.result()
                if result is not None:
                    kept.setdefault(result.span, []).append(result)
        for span, additions in self.added.items():
            group = kept.setdefault(span, [])
            for place, mention in sorted(additions, key=lambda one: one[0]):
                group.insert(place, mention)
        return in_order([mention for group in kept.values() for mention in group])
