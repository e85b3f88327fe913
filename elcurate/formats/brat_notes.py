"""What brat has no place for: JSON in a note at the annotation that it belongs to."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from pydantic import FiniteFloat, TypeAdapter

from elcurate.formats.brat_terms import BREAKS
from elcurate.formats.checks import load_json
from elcurate.model.corpus import Attributes, Mention

_ATTRIBUTES = TypeAdapter(Attributes)
_SCORE = TypeAdapter(FiniteFloat)
_ESCAPES = {ord(character): f"\\u{ord(character):04x}" for character in BREAKS}


@dataclass(frozen=True)
class Note:
    """What is noted at one annotation.

    Attributes:
        number: Which of several mentions on one span the annotation belongs to, from 1.
        score: The score of the link.
        attributes: Attributes of the link.
        mention: The mention without its links, where brat can't state it.
    """

    number: int = 1
    score: float | None = None
    attributes: Attributes = field(default_factory=dict)
    mention: Mention | None = None

    def to_json(self) -> str:
        """The note on one line, without what has its default; empty if everything has."""
        fields: dict[str, object] = {}
        if self.number != 1:
            fields["number"] = self.number
        if self.score is not None:
            fields["score"] = self.score
        if self.attributes:
            fields["attributes"] = self.attributes
        if self.mention is not None:
            fields["mention"] = self.mention.model_dump(mode="json", exclude_defaults=True)
        return one_line(fields) if fields else ""


def read_note(text: str) -> Note | None:
    """The note in a text; None when it is something else."""
    try:
        fields = load_json(text)
        if not isinstance(fields, dict):
            return None
        number, score = fields.pop("number", 1), fields.pop("score", None)
        attributes = _ATTRIBUTES.validate_python(fields.pop("attributes", {}))
        stated = fields.pop("mention", None)
        mention = None if stated is None else Mention.model_validate(stated)
        score = None if score is None else _SCORE.validate_python(score)
    except ValueError:
        return None
    if fields or type(number) is not int or (mention is not None and mention.links):
        return None
    return Note(number, score, attributes, mention)


def one_line(value: object) -> str:
    """JSON without any of the characters at which brat cuts lines."""
    return json.dumps(value, ensure_ascii=False).translate(_ESCAPES)
