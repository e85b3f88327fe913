"""Measures as values, in neleval's grammar ``aggregator:filter:key+key``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from elcurate.errors import SpecError, suggestion
from elcurate.match.encode import Pair, Side
from elcurate.match.numbering import Bools, Ints, dense
from elcurate.model.categories import BITS, DIMENSIONS, GROUPS, expand

Kind = Literal["sets", "clusters", "overlaps", "mean"]

_MODES = {"max": "one mention", "sum": "all mentions"}
AGGREGATORS: Mapping[str, tuple[Kind, str]] = {
    "sets": ("sets", "sets of keys"),
    "muc": ("clusters", "MUC: links between the mentions of a cluster"),
    "b_cubed": ("clusters", "B³: the mean over mentions of how well their clusters agree"),
    "mention_ceaf": ("clusters", "CEAF with φ3: mentions in common of clusters paired best"),
    "entity_ceaf": ("clusters", "CEAF with φ4: similarity of clusters paired best"),
    "lea": ("clusters", "LEA: links of each cluster, weighted by its size"),
    "pairwise": ("clusters", "pairs of mentions of one cluster"),
    "pairwise_negative": ("clusters", "pairs of mentions of different clusters"),
    "cs_b_cubed": ("clusters", "B³ as Cai and Strube adjust it for mentions of one side"),
    "mention_cs_ceaf": ("clusters", "CEAF φ3 as Cai and Strube adjust it"),
    "entity_cs_ceaf": ("clusters", "CEAF φ4 as Cai and Strube adjust it"),
    "blanc": ("mean", "BLANC: the mean of pairwise and pairwise_negative"),
    "conll": ("mean", "the mean of muc, b_cubed and entity_ceaf"),
    **{
        f"overlap-{recall}{precision}": (
            "overlaps",
            f"share of length covered, by {_MODES[recall]} for recall and by {_MODES[precision]} "
            "for precision",
        )
        for recall in _MODES
        for precision in _MODES
    },
}
"""What compares the keys of both sides: its kind and its meaning."""

PARTS: Mapping[str, tuple[str, ...]] = {
    "blanc": ("pairwise", "pairwise_negative"),
    "conll": ("muc", "b_cubed", "entity_ceaf"),
}
"""The aggregators of which others are the mean."""


@dataclass(frozen=True)
class Key:
    """A field by which mentions are compared.

    Attributes:
        codes: The field of each row as an integer, numbered alike on both sides.
        of_link: It can differ between the links of one mention.
        has_span: Equal keys imply equal spans.
        text: What it is, in a few words.
    """

    codes: Callable[[Side], Ints]
    of_link: bool
    has_span: bool
    text: str


def _score(side: Side) -> Ints:
    return (side.score + 0.0).view(np.int64)


def _dimension(name: str) -> Callable[[Side], Ints]:
    bits = sum(bit for (dimension, _), bit in BITS.items() if dimension == name)
    return lambda side: (side.mask & np.uint32(bits)).astype(np.int64)


def _leaves(dimension: str, name: str) -> Callable[[Side], Bools]:
    bits = np.uint32(sum(BITS[dimension, leaf] for leaf in expand(dimension, name)))
    return lambda side: (side.mask & bits) != 0


def _flag(name: str) -> Callable[[Side], Ints]:
    return lambda side: FILTERS[name][0](side).astype(np.int64)


FILTERS: Mapping[str, tuple[Callable[[Side], Bools], str]] = {
    "is_linked": (lambda side: side.linked, "the link names an entity"),
    "is_nil": (lambda side: side.nil, "the link is NIL"),
    "is_first": (lambda side: side.first, "first mention of its entity in the document"),
    **{
        f"{dimension}={name}": (_leaves(dimension, name), f"{dimension} is {name}")
        for dimension in DIMENSIONS
        for name in (*DIMENSIONS[dimension], *GROUPS[dimension])
    },
}
"""What lets a row count, and its meaning; both sides are filtered."""

KEYS: Mapping[str, Key] = {
    "docid": Key(lambda side: side.doc, False, False, "document"),
    "start": Key(lambda side: side.begin, False, False, "first offset"),
    "end": Key(lambda side: side.end, False, False, "last offset"),
    "span": Key(lambda side: side.span, False, True, "document, first and last offset"),
    "kbid": Key(lambda side: side.kbid, True, False, "entity; none for every NIL"),
    "eid": Key(lambda side: side.eid, True, False, "entity or NIL cluster"),
    "type": Key(lambda side: side.type, True, False, "entity type"),
    "score": Key(_score, True, False, "confidence"),
    "candidates": Key(
        lambda side: side.candidates, False, False, "the set of entities it may be linked to"
    ),
    "is_first": Key(_flag("is_first"), True, False, "first mention of its entity"),
    "is_linked": Key(_flag("is_linked"), True, False, "whether the link names an entity"),
    "is_nil": Key(_flag("is_nil"), True, False, "whether the link is NIL"),
    **{
        name: Key(_dimension(name), True, False, f"leaves of the dimension {name}")
        for name in DIMENSIONS
    },
}


@dataclass(frozen=True)
class Measure:
    """A measure: which rows count, and which fields make two of them the same.

    Attributes:
        keys: Names in `KEYS`.
        filter: A name in `FILTERS`, or None for all rows.
        aggregator: A name in `AGGREGATORS`.
        fuzzy: Precision stays crisp and recall is weighted by membership.
    """

    keys: tuple[str, ...]
    filter: str | None = None
    aggregator: str = "sets"
    fuzzy: bool = False

    def __post_init__(self) -> None:
        _known("aggregator", self.aggregator, list(AGGREGATORS))
        if self.filter is not None:
            _known("filter", self.filter, list(FILTERS))
        if not self.keys:
            raise SpecError("a measure needs at least one key", remedy=f"Keys: {', '.join(KEYS)}")
        for key in self.keys:
            _known("key", key, list(KEYS))
        if self.fuzzy and self.kind != "sets":
            raise SpecError(
                f"{self.aggregator} has no fuzzy form",
                remedy="Memberships weight the recall of set measures only.",
            )
        if self.kind == "overlaps" and "span" not in self.keys:
            raise SpecError("measures of overlap need the key span")

    def __str__(self) -> str:
        plain = f"{self.aggregator}:{self.filter}:{'+'.join(self.keys)}"
        return f"fuzzy({plain})" if self.fuzzy else plain

    @property
    def by_document(self) -> bool:
        """Equal keys imply the same document, so counts add up over documents."""
        return "docid" in self.keys or "span" in self.keys

    @property
    def kind(self) -> Kind:
        """What its aggregator compares."""
        return AGGREGATORS[self.aggregator][0]

    @property
    def parts(self) -> tuple[Measure, ...]:
        """The measures that it is the mean of; none for most."""
        names = PARTS.get(self.aggregator, ())
        return tuple(replace(self, aggregator=name) for name in names)

    @property
    def has_span(self) -> bool:
        """Equal keys imply equal spans."""
        return any(KEYS[key].has_span for key in self.keys)

    def as_fuzzy(self) -> Measure:
        """The measure with recall weighted by membership."""
        return replace(self, fuzzy=True)

    @classmethod
    def parse(cls, text: str) -> Measure:
        """Parses ``aggregator:filter:key+key``; an empty filter and ``None`` are none.

        Raises:
            SpecError: for another form, or an unknown aggregator, filter or key.
        """
        if text.startswith("fuzzy(") and text.endswith(")"):
            return cls.parse(text[len("fuzzy(") : -1]).as_fuzzy()
        parts = text.split(":")
        if len(parts) != 3:
            raise SpecError(
                f"{text!r} is no measure",
                remedy="Write aggregator:filter:key+key, such as sets:is_linked:span+kbid, or "
                "a name from `elcurate list measures`.",
            )
        aggregator, filter_, keys = parts
        return cls(tuple(keys.split("+")), None if filter_ in ("", "None") else filter_, aggregator)


def passing(measure: Measure, side: Side) -> Bools:
    """The rows that a measure's filter lets through, as a new array."""
    if measure.filter is None:
        return np.ones(len(side), dtype=bool)
    return FILTERS[measure.filter][0](side).copy()


def _known(kind: str, name: str, known: list[str]) -> None:
    if name not in known:
        raise SpecError(f"there is no {kind} {name!r}", remedy=suggestion(name, known))


def codes_of(keys: tuple[str, ...], pair: Pair) -> tuple[Ints, Ints]:
    """The rows of both sides by a tuple of keys, as dense numbers shared by the sides."""
    names = tuple(key for key in keys if key != "docid" or "span" not in keys)
    if not names:
        return np.zeros(len(pair.gold), dtype=np.int64), np.zeros(len(pair.system), dtype=np.int64)
    if names not in pair.memo:
        sides = (pair.gold, pair.system)
        total, *others = [
            _normalised(np.concatenate([KEYS[name].codes(side) for side in sides]))
            for name in names
        ]
        for codes in others:
            total = _pairs(total, codes)
        size = len(pair.gold)
        pair.memo[names] = total[:size], total[size:]
    return pair.memo[names]


def _normalised(codes: Ints) -> Ints:
    if not len(codes):
        return codes
    low, high = int(codes.min()), int(codes.max())
    return codes - low if high - low < 4 * len(codes) + 1024 else dense(codes)


def _pairs(left: Ints, right: Ints) -> Ints:
    if not len(left):
        return left
    return dense(left * (int(right.max()) + 1) + right)
