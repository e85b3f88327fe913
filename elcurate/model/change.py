"""What happened to a corpus on its way: repairs by readers, losses by writers."""

from __future__ import annotations

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
