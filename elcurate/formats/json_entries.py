"""Entries of other tools' JSON files and their fields, one line in memory at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from pydantic import ValidationError

from elcurate.errors import ReadError
from elcurate.formats.base import ReadOptions
from elcurate.formats.checks import load_json
from elcurate.formats.source import Source

_DECIMAL = re.compile(r"0|[1-9][0-9]{0,17}", re.ASCII)

Entry = dict[str, Any]
Pair = tuple[int, int]
Made = TypeVar("Made")


class MalformedError(ValueError):
    """An entry without a field that it needs, or with something else in it."""


def made(
    source: Source, options: ReadOptions, make: Callable[[Entry, int], Made], remedy: str
) -> Iterator[Made]:
    """What is made of each line's object and its number (from 0), one line in memory at a time.

    A line that can't be read is handed to `ReadOptions.fail`.
    """
    place = -1
    for number, line in source.lines():
        if not line.strip():
            continue
        place += 1
        try:
            one = make(loaded(line), place)
        except ValueError as error:
            options.fail(ReadError(explained(error), path=source.path, line=number, remedy=remedy))
            continue
        yield one


def loaded(line: str) -> Entry:
    """A line's JSON object.

    Raises:
        MalformedError: when it is something else.
    """
    try:
        found = load_json(line)
    except ValueError as error:
        raise MalformedError(f"not JSON: {error}") from error
    if not isinstance(found, dict):
        raise MalformedError("the line is no JSON object")
    return found


def explained(error: ValueError) -> str:
    """An error as one sentence."""
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors(include_url=False)[0]
    return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"


def whole(entry: Entry, key: str) -> int:
    """Takes a whole number out of an entry."""
    value = entry.pop(key, None)
    if type(value) is not int:
        raise MalformedError(f"{key} is {_shown(value)}, not a whole number")
    return value


def pair(entry: Entry, key: str) -> Pair:
    """Takes a pair of whole numbers out of an entry."""
    return as_pair(entry.pop(key, None), key)


def as_pair(value: object, key: str) -> Pair:
    """A list of two whole numbers as a pair."""
    if isinstance(value, list) and [type(part) for part in value] == [int, int]:
        return value[0], value[1]
    raise MalformedError(f"{key} is {_shown(value)}, not a pair of whole numbers")


def words(entry: Entry, key: str) -> str | None:
    """Takes a string out of an entry; None when it is absent or null."""
    value = entry.pop(key, None)
    if value is None or isinstance(value, str):
        return value
    raise MalformedError(f"{key} is {_shown(value)}, not a string")


def stated(entry: Entry, key: str) -> str:
    """Takes a string that must be there out of an entry."""
    value = words(entry, key)
    if value is None:
        raise MalformedError(f"{key} is missing")
    return value


def items(entry: Entry, key: str) -> list[Any]:
    """Takes a list out of an entry; empty when it is absent or null."""
    value = entry.pop(key, None)
    if value is None:
        return []
    if not isinstance(value, list):
        raise MalformedError(f"{key} is {_shown(value)}, not a list")
    return value


def each(entry: Entry, key: str, make: Callable[[Entry], Made]) -> list[Made]:
    """What is made of a copy of each object in a list; an error says which."""
    found = []
    for place, one in enumerate(items(entry, key)):
        if not isinstance(one, dict):
            raise MalformedError(f"{key}[{place}] is {_shown(one)}, not an object")
        try:
            found.append(make(dict(one)))
        except ValueError as error:
            raise MalformedError(f"{key}[{place}]: {explained(error)}") from error
    return found


def corpus_name(source: Source, *endings: str) -> str:
    """The name of a file without the ending of its format."""
    for ending in (*endings, ".jsonl", ".json", ".ndjson"):
        if source.name.lower().endswith(ending):
            return source.name[: -len(ending)]
    return source.stem


def document_id(entry: Entry, place: int) -> str:
    """Takes the id of a document, a string or a number, out of an entry; else its place."""
    value = entry.pop("id", None)
    if value is None:
        return str(place)
    if type(value) is int or isinstance(value, str):
        return str(value)
    raise MalformedError(f"id is {_shown(value)}, not a string or a whole number")


def number_or_text(name: str) -> int | str:
    """An id as the number that it is, if it is one."""
    return int(name) if _DECIMAL.fullmatch(name) else name


def _shown(value: object) -> str:
    text = "missing" if value is None else repr(value)
    return text if len(text) <= 40 else f"{text[:40]}…"
