"""Fields of documents, mentions and links as JSON values and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from pydantic import JsonValue, TypeAdapter, ValidationError

from elcurate.model.corpus import Attributes, Document, Link, Mention, Span, Tag
from elcurate.model.record import Record

R = TypeVar("R", bound=Record)
Json = JsonValue

_PAIRS = TypeAdapter(tuple[tuple[int, int], ...])
_TEXT = TypeAdapter(str | None)
_SCORE = TypeAdapter(float | None)


def same(one: object, other: object) -> bool:
    """Whether two JSON values are equal, with ``true``, ``1`` and ``1.0`` told apart."""
    if one is other or (isinstance(one, str) and isinstance(other, str)):
        return one == other
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def dumped(record: Record) -> dict[str, Any]:
    """A record as a JSON object without the fields that have their default."""
    return record.model_dump(mode="json", exclude_defaults=True)


def pairs(spans: Sequence[Span]) -> list[Json]:
    """Spans as pairs of offsets."""
    return [[span.begin, span.end] for span in spans]


def spans(value: object) -> tuple[Span, ...]:
    """Pairs of offsets as spans."""
    return tuple(Span(begin=begin, end=end) for begin, end in _PAIRS.validate_python(value))


def _records(kind: type[R]) -> Callable[[object], tuple[R, ...]]:
    adapter: TypeAdapter[tuple[R, ...]] = TypeAdapter(tuple[kind, ...])  # type: ignore[valid-type]
    return adapter.validate_python


Codec = tuple[Callable[[Any], Json], Callable[[object], Any]]

DOCUMENT_FIELDS: dict[str, Codec] = {
    "text": (lambda text: text, _TEXT.validate_python),
    "tags": (lambda tags: [dumped(tag) for tag in tags], _records(Tag)),
    "sentences": (pairs, spans),
    "tokens": (pairs, spans),
    "mentions": (lambda mentions: [dumped(one) for one in mentions], _records(Mention)),
}
"""Fields of a document that change as a whole: to JSON and back."""

MENTION_FIELDS: dict[str, Codec] = {
    "fragments": (pairs, spans),
    "surface": (lambda text: text, _TEXT.validate_python),
}

LINK_FIELDS: dict[str, Codec] = {
    "entity": (lambda text: text, _TEXT.validate_python),
    "score": (lambda number: number, _SCORE.validate_python),
    "type": (lambda text: text, _TEXT.validate_python),
}


def key_changes(old: Attributes, new: Attributes) -> Iterator[tuple[Json, Json]]:
    """Each key that differs, as the objects before and after (None for a key that isn't there)."""
    for key in dict.fromkeys([*old, *new]):
        if key not in old or key not in new or not same(old[key], new[key]):
            yield (
                {key: old[key]} if key in old else None,
                {key: new[key]} if key in new else None,
            )


def change_key(attributes: Attributes, old: Json, new: Json) -> tuple[Attributes, str | None]:
    """Attributes after one change of `key_changes`, and what is wrong if it doesn't fit."""
    if not isinstance(old or new, dict) or not isinstance(old or {}, dict):
        return attributes, "old and new have to be objects of one key"
    found = {
        key: attributes[key] for key in {**as_object(old), **as_object(new)} if key in attributes
    }
    if not same(found, as_object(old)):
        return attributes, expected(as_object(old), found)
    kept = {key: value for key, value in attributes.items() if key not in found}
    return {**kept, **as_object(new)}, None


def as_object(value: Json) -> Attributes:
    """A JSON object; empty for anything else."""
    return value if isinstance(value, dict) else {}


def as_pair(value: Json) -> tuple[int, int] | None:
    """A JSON list of two whole numbers; None for anything else."""
    if isinstance(value, list) and [type(part) for part in value] == [int, int]:
        return value[0], value[1]  # type: ignore[return-value]
    return None


def expected(wanted: object, found: object) -> str:
    """The sentence of a conflict between two values."""
    return f"expected {shown(wanted)}, found {shown(found)}"


def shown(value: object, length: int = 60) -> str:
    """A JSON value, cut."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= length else f"{text[: length - 1]}…"


def parsed(make: Callable[[object], Any], value: object) -> tuple[Any, str | None]:
    """What is made of a JSON value, or what is wrong with it."""
    try:
        return make(value), None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        return None, f"{shown(value)} can't be used: {place}{': ' if place else ''}{first['msg']}"


def document_value(document: Document, field: str) -> Json:
    """A field of `DOCUMENT_FIELDS` as JSON."""
    return DOCUMENT_FIELDS[field][0](getattr(document, field))


def link_of(value: object) -> Link:
    """A link from JSON."""
    return Link.model_validate(value)


def mention_of(value: object) -> Mention:
    """A mention from JSON."""
    return Mention.model_validate(value)
