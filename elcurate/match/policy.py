"""The scoring policies: every choice that can change a score, as one frozen value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace

from elcurate.errors import SpecError, suggestion
from elcurate.model.corpus import is_nil

CHOICES: Mapping[str, Mapping[str, str]] = {
    "spans": {"strong": "same document, begin and end"},
    "align": {"max": "system units with spans are right in a maximum one-to-one matching"},
    "links": {
        "canonical": "equal canonical identifiers",
        "raw": "equal strings",
        "last-segment": "equal last /-segment, case-sensitive, not decoded",
        "title": "equal after http://XX.wikipedia.org/wiki/ is left off, blanks as _",
    },
    "nil": {
        "one-class": "any NIL equals any NIL",
        "separate": "NIL clusters are compared like identifiers; NIL without one is a class",
        "exclude": "NIL links are left out on both sides",
    },
    "nil_ids": {
        "cluster": "NIL alone or followed by a non-letter",
        "prefix": "everything that begins with NIL",
    },
    "alternatives": {
        "any": "any link of a gold mention is right",
        "first": "only its first link is right",
    },
    "duplicates": {
        "collapse": "mentions with equal keys are one, as in sets",
        "count": "of system mentions with equal keys one can be right, the others are wrong",
    },
    "sentences": {
        "cross": "mentions may go on after the end of a sentence",
        "cut": "a system mention ends with the gold sentence in which it begins",
    },
    "missing": {
        "fn": "gold in a document that the system lacks is missed",
        "skip": "documents and sentences that the system lacks are left out",
    },
    "unknown": {
        "error": "a system document that the gold lacks is an error",
        "ignore": "system documents that the gold lacks are left out",
        "count": "their links are false positives",
    },
    "restrict": {
        "none": "all system mentions count",
        "slices": "within a slice or filter, only system mentions on its gold spans count",
        "gold": "only system mentions on gold spans count",
    },
    "groups": {
        "gold": "types slice the gold; documents of either side are groups",
        "own": "each side is grouped by its own fields, groups come from the gold",
    },
    "clusters": {
        "corpus": "mentions of one entity are one cluster wherever they are",
        "document": "clusters end with their document",
    },
    "unclustered": {
        "apart": "mentions without an id, and NIL without one, are clusters of their own",
        "together": "they are one cluster, to which B-cubed reckons mentions of one side only",
    },
    "pairs": {
        "all": "of measures of overlap, all mentions that share a character meet",
        "sweep": "only those that meet when both lists are walked from their ends",
    },
    "zero": {
        "undefined": "0/0 stays undefined and is left out of means",
        "zero": "0/0 is 0",
        "one": "0/0 is 1, F1 too when precision and recall are 0",
        "emnlp2019": "0/0 is undefined for precision, 0 for recall and F1",
        "gerbil": "all three 1 when there is nothing on either side, else 0 without a match",
        "bat": "0/0 is 1 for precision and recall, 0 for F1",
    },
}
"""Each policy with its values and what they mean, in the order in which signatures print them."""


@dataclass(frozen=True)
class Policy:
    """One value per policy (`CHOICES`).

    Raises:
        SpecError: for a value that doesn't exist, with the nearest ones.
    """

    spans: str = "strong"
    align: str = "max"
    links: str = "canonical"
    nil: str = "one-class"
    nil_ids: str = "cluster"
    alternatives: str = "any"
    duplicates: str = "collapse"
    sentences: str = "cross"
    missing: str = "fn"
    unknown: str = "error"
    restrict: str = "slices"
    groups: str = "gold"
    clusters: str = "corpus"
    unclustered: str = "apart"
    pairs: str = "all"
    zero: str = "undefined"

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if value not in CHOICES[name]:
                raise SpecError(
                    f"the policy {name} has no value {value!r}",
                    remedy=suggestion(str(value), list(CHOICES[name])),
                )

    def with_values(self, values: Mapping[str, str]) -> Policy:
        """The policy with some values replaced; an unknown policy is a `SpecError`."""
        names = [field.name for field in fields(self)]
        for name in values:
            if name not in names:
                raise SpecError(f"there is no policy {name!r}", remedy=suggestion(name, names))
        return replace(self, **values)

    @property
    def is_nil(self) -> Callable[[str], bool]:
        """Which entity ids are NIL."""
        return is_nil if self.nil_ids == "cluster" else _begins_with_nil


def _begins_with_nil(entity: str) -> bool:
    return entity.startswith("NIL")
