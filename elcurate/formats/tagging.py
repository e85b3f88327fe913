"""Tags that mark mentions token by token: IOB1, IOB2, BIOES and BILOU."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

SCHEMES = ("IOB1", "IOB2", "BIOES", "BILOU")
DEFAULT = "IOB2"
OUTSIDE = "O"
_BEGINS, _ENDS, _INSIDE = frozenset("BSU"), frozenset("ESLU"), "I"
_PREFIXES = {*_BEGINS, *_ENDS, _INSIDE}
_LAST_AND_ONLY = {"BIOES": ("E", "S"), "BILOU": ("L", "U")}


class Tagged(NamedTuple):
    """A stretch of tagged tokens.

    Attributes:
        begin: The first token.
        end: After the last token.
        type: What follows the hyphen; empty when nothing does.
    """

    begin: int
    end: int
    type: str


def is_tag(tag: str) -> bool:
    """Whether it is a tag of any of the schemes."""
    return tag == OUTSIDE or (tag[:1] in _PREFIXES and tag[1:2] in ("", "-") and tag[1:] != "-")


def decode(tags: Sequence[str]) -> list[Tagged]:
    """What the tags of a sentence mark, in any scheme.

    A stretch begins at a tag that says so, and where the tag before is none of its type.
    """
    found: list[Tagged] = []
    open_ = False
    for place, tag in enumerate(tags):
        if tag == OUTSIDE:
            open_ = False
            continue
        prefix, type_ = tag[0], tag[2:]
        if open_ and prefix not in _BEGINS and found[-1].type == type_:
            found[-1] = found[-1]._replace(end=place + 1)
        else:
            found.append(Tagged(place, place + 1, type_))
        open_ = prefix not in _ENDS
    return found


def encode(length: int, marked: Iterable[Tagged], scheme: str) -> list[str]:
    """The tags of a sentence.

    Args:
        length: How many tokens it has.
        marked: What to mark, in order and apart.
        scheme: One of `SCHEMES`.
    """
    tags = [OUTSIDE] * length
    before: Tagged | None = None
    for one in marked:
        tags[one.begin : one.end] = stretch(one, before, scheme)
        before = one
    return tags


def stretch(one: Tagged, before: Tagged | None, scheme: str) -> list[str]:
    """The tags of one stretch, which may touch the one before it."""
    last, only = _LAST_AND_ONLY.get(scheme, (_INSIDE, "B"))
    length = one.end - one.begin
    prefixes = [only] if length == 1 else ["B", *_INSIDE * (length - 2), last]
    if scheme == "IOB1" and (before is None or (before.end, before.type) != one[::2]):
        prefixes[0] = _INSIDE
    rest = f"-{one.type}" if one.type else ""
    return [prefix + rest for prefix in prefixes]


def find_scheme(sentences: Iterable[Sequence[str]]) -> str | None:
    """The scheme that the tags of some sentences are in, None when nothing is tagged.

    Where no stretch touches another of its type, tags that never begin with B are IOB1.
    """
    prefixes: set[str] = set()
    loose = False
    for tags in sentences:
        prefixes.update(tag[0] for tag in tags)
        loose = loose or any(tags[one.begin][0] == _INSIDE for one in decode(tags))
    for scheme, letters in _LAST_AND_ONLY.items():
        if prefixes & {*letters}:
            return scheme
    if loose:
        return "IOB1"
    return "IOB2" if "B" in prefixes else None
