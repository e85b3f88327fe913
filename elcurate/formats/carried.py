"""What a format has no place for, as JSON that rides along in one of its free fields."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import JsonValue, ValidationError

from elcurate.errors import ReadError
from elcurate.model.corpus import Document, Mention
from elcurate.model.record import Record

Model = TypeVar("Model", bound=Record)
_DOCUMENT = {"tags", "sentences", "tokens", "metadata"}
_MENTION = {"fragments", "surface", "attributes"}


def of_document(document: Document) -> dict[str, Any]:
    """Tags, sentences, tokens and metadata, as far as there are any."""
    return document.model_dump(mode="json", include=_DOCUMENT, exclude_defaults=True)


def of_mention(mention: Mention) -> dict[str, Any]:
    """Fragments, stated surface and attributes, as far as there are any."""
    return mention.model_dump(mode="json", include=_MENTION, exclude_defaults=True)


def restored(
    model: type[Model], rest: JsonValue, path: str, document: str, /, **fields: object
) -> Model:
    """A record made of what was carried and of what the format states, which goes first.

    Raises:
        ReadError: when what was carried doesn't fit the record.
    """
    carried = rest if isinstance(rest, dict) else {"carried": rest}
    try:
        return model.model_validate({**carried, **fields})
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise ReadError(
            f"what elcurate wrote for itself was changed: {place}: {first['msg']}",
            path=path,
            document=document,
            remedy="Without the field that it is in, the rest can be read.",
        ) from error
