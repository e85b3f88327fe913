"""What happened to a corpus: repairs by readers, losses by writers, changes on purpose."""

from __future__ import annotations

from pydantic import JsonValue

from elcurate.model.record import Record


class Repair(Record):
    """Something in an input that was not as it should be, and what the reader made of it.

    Attributes:
        kind: A slug such as ``undeclared-prefix``.
        where: The place: a file and line, or a document and span.
        before: What the input says.
        after: What was made of it; empty when it was kept as it is.
    """

    kind: str
    where: str
    before: str = ""
    after: str = ""


class Loss(Record):
    """Something that an output format can't carry.

    Attributes:
        kind: The feature that was lost, a slug such as ``categories``.
        where: The document and span.
        what: The value that was dropped or changed.
        reason: Why, in a few words.
    """

    kind: str
    where: str
    what: str = ""
    reason: str = ""


class Change(Record):
    """One decision that changed a corpus: by a rule, a person, or as the difference of two corpora.

    What changed is told by the place and the field:

    * a link (``link`` is set): ``link`` when it was added or removed as a whole, else ``entity``,
      ``score``, ``type``, ``attributes`` or ``categories.`` and a dimension;
    * a mention (``begin`` and ``end`` are set): ``mention`` as a whole, ``span`` when it moved,
      else ``fragments``, ``surface`` or ``attributes``;
    * a document: ``document`` as a whole, else ``text``, ``mentions``, ``tags``, ``sentences``,
      ``tokens`` or ``metadata``;
    * the corpus (``document`` is None): ``metadata``, or ``order`` of the documents.

    Attributes:
        document: The document's id; None for the corpus.
        begin: The mention's span before the change (after it, for a mention that was added).
        end: Its end.
        surface: The mention's surface.
        mention: Which of several mentions with that span, from 0.
        link: Which link of the mention before the change (after it, for one that was added).
        field: What changed.
        old: The value before, as JSON; None for what was added.
        new: The value after; None for what was removed.
        rule: The code of the rule that decided it.
        author: Who decided it.
        reason: Why.
        date: When, in ISO 8601.
    """

    document: str | None = None
    begin: int | None = None
    end: int | None = None
    surface: str | None = None
    mention: int = 0
    link: int | None = None
    field: str
    old: JsonValue = None
    new: JsonValue = None
    rule: str | None = None
    author: str | None = None
    reason: str | None = None
    date: str | None = None
