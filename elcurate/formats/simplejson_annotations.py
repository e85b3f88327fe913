"""The annotations of GERBIL's SimpleJson, to mentions and tags and back."""

from __future__ import annotations

from typing import TypeGuard
from urllib.parse import quote, unquote

from elcurate.formats import nif_terms
from elcurate.formats.json_carried import without
from elcurate.formats.json_entries import Entry, MalformedError, whole
from elcurate.model.corpus import Link, Mention, Tag, is_nil

FIELDS = ("start", "end", "meaning")


def read_mention(one: Entry, nil_iris: tuple[str, ...]) -> Mention:
    """The mention of an annotation, its offsets as they are."""
    begin, end = whole(one, "start"), whole(one, "end")
    if "meaning" not in one:
        return Mention(begin=begin, end=end, attributes=one)
    entities = [entity_of(iri, nil_iris) for iri in _addresses(one)] or [None]
    score = one.pop("confidence", None)
    if score is not None and type(score) not in (int, float):
        raise MalformedError(f"confidence is {score!r}, not a number")
    types = one.get("types")
    type_ = types[0] if isinstance(types, list) and types and isinstance(types[0], str) else None
    if types == [type_]:
        del one["types"]
    links = tuple(Link(entity=entity, score=score, type=type_) for entity in entities)
    return Mention(begin=begin, end=end, links=links, attributes=one)


def read_tag(one: Entry) -> list[Tag]:
    """The tag of an annotation without a span, if it has a meaning."""
    addresses = _addresses(one)
    if not addresses:
        raise MalformedError("it has neither a span nor a meaning")
    score = one.pop("confidence", None)
    if len(addresses) > 1:
        one["meaning"] = addresses
    return [Tag(entity=addresses[0], score=score, attributes=one)]


def _addresses(one: Entry) -> list[str]:
    found = one.pop("meaning", None)
    if not _is_strings(found):
        raise MalformedError("meaning is not a list of addresses")
    return found


def _is_strings(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def entity_of(iri: str, nil_iris: tuple[str, ...]) -> str | None:
    """The entity that an address means; None is NIL."""
    found = nif_terms.NIL_IRI.search(iri)
    if found is None and not (nil_iris and iri.startswith(nil_iris)):
        return iri
    rest = unquote(found["rest"] or "") if found else ""
    return rest if rest and is_nil(rest) else None


def write_mention(mention: Mention, surface: str) -> Entry:
    """The annotation of a mention, its offsets as they are."""
    fields: Entry = {"start": mention.begin, "end": mention.end}
    if not mention.links:
        return fields | without(mention.attributes, *FIELDS)
    first = mention.links[0]
    if first.score is not None:
        fields["confidence"] = first.score
    fields["meaning"] = [_iri(link, surface) for link in mention.links]
    if first.type is not None:
        fields["types"] = [first.type]
    return fields | without(mention.attributes, *FIELDS, "confidence")


def write_tag(tag: Tag) -> Entry:
    """The annotation of a tag."""
    score = {} if tag.score is None else {"confidence": tag.score}
    addresses = tag.attributes.get("meaning")
    if not _is_strings(addresses) or addresses[:1] != [tag.entity]:
        addresses = [tag.entity]
    rest = without(tag.attributes, "start", "end", "confidence", "meaning")
    return {**score, "meaning": addresses, **rest}


def _iri(link: Link, surface: str) -> str:
    if link.entity is None:
        return nif_terms.NOT_IN_WIKI + quote("" if is_nil(surface) else surface, safe="")
    return nif_terms.NOT_IN_WIKI + quote(link.entity, safe="") if link.is_nil else link.entity
