"""The four category dimensions of a link, their leaves, groups and published names.

Source: Rosales-Méndez, Hogan and Poblete, "Fine-Grained Entity Linking", EMNLP 2019, section 4,
and its vocabulary ``fel:``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, PlainSerializer, WithJsonSchema

from elcurate.errors import SpecError, suggestion
from elcurate.model.record import Record

FEL = "http://w3id.org/vcb/fel#"

BaseForm = Literal[
    "full_name",
    "short_name",
    "extended_name",
    "alias",
    "numeric_temporal",
    "common_form",
    "pro_form",
]
PartOfSpeech = Literal["singular_noun", "plural_noun", "adjective", "verb", "adverb"]
Overlap = Literal["none", "maximal", "intermediate", "minimal"]
Reference = Literal["direct", "anaphoric", "metaphoric", "metonymic", "related", "descriptive"]

_NAMES: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "base_form": {
        "full_name": ("FullProperForm", "Mnt-Full"),
        "short_name": ("ShortProperForm", "Mnt-Short"),
        "extended_name": ("ExtendedProperForm", "Mnt-Extended"),
        "alias": ("AliasProperForm", "Mnt-Alias"),
        "numeric_temporal": ("NumericTemporalForm", "Mnt-NumericTemporal"),
        "common_form": ("CommonForm", "Mnt-CommonForm"),
        "pro_form": ("ProForm", "Mnt-ProForm"),
    },
    "part_of_speech": {
        "singular_noun": ("SingularNounPhrasePoS", "PoS-NounSingular"),
        "plural_noun": ("PluralNounPhrasePoS", "PoS-NounPlural"),
        "adjective": ("AdjectivePoS", "PoS-Adjective"),
        "verb": ("VerbPoS", "PoS-Verb"),
        "adverb": ("AdverbPoS", "PoS-Adverb"),
    },
    "overlap": {
        "none": ("NoOverlap", "Olp-None"),
        "maximal": ("MaximalOverlap", "Olp-Maximal"),
        "intermediate": ("IntermediateOverlap", "Olp-Intermediate"),
        "minimal": ("MinimalOverlap", "Olp-Minimal"),
    },
    "reference": {
        "direct": ("DirectReference", "Ref-Direct"),
        "anaphoric": ("AnaphoricReference", "Ref-Anaphoric"),
        "metaphoric": ("MetaphoricReference", "Ref-Metaphoric"),
        "metonymic": ("MetonymicReference", "Ref-Metonymic"),
        "related": ("RelatedReference", "Ref-Related"),
        "descriptive": ("DescriptiveReference", "Ref-Descriptive"),
    },
}

DIMENSIONS: Mapping[str, tuple[str, ...]] = {dim: tuple(names) for dim, names in _NAMES.items()}
"""Each dimension with its leaves, in the order of the published tables."""

GROUPS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "base_form": {"proper_form": ("full_name", "short_name", "extended_name", "alias")},
    "part_of_speech": {"noun_phrase": ("singular_noun", "plural_noun")},
    "overlap": {},
    "reference": {},
}
"""Group names that stand for several leaves in a filter."""

LEAVES: tuple[tuple[str, str], ...] = tuple(
    (dim, leaf) for dim, leaves in DIMENSIONS.items() for leaf in leaves
)
"""All 22 (dimension, leaf) pairs; the position of a pair is its bit in a category mask."""

BITS: Mapping[tuple[str, str], int] = {pair: 1 << place for place, pair in enumerate(LEAVES)}

FEL_CLASSES: Mapping[tuple[str, str], str] = {
    (dim, leaf): _NAMES[dim][leaf][0] for dim, leaf in LEAVES
}
"""The local name of the ``fel:`` class of each leaf."""

PUBLISHED_TAGS: Mapping[tuple[str, str], str] = {
    (dim, leaf): _NAMES[dim][leaf][1] for dim, leaf in LEAVES
}
"""The local name of the ``el:`` tag of each leaf in the published corpora."""


def _as_leaves(value: object) -> object:
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else value


def _as_json(leaves: tuple[str, ...]) -> str | list[str]:
    return leaves[0] if len(leaves) == 1 else list(leaves)


def _schema(leaves: tuple[str, ...]) -> WithJsonSchema:
    several = {"type": "array", "items": {"enum": list(leaves)}, "uniqueItems": True}
    return WithJsonSchema({"anyOf": [{"enum": list(leaves)}, several]})


class Categories(Record):
    """The leaves of one link in each dimension.

    A well-formed link has exactly one leaf per dimension. None and several can be held as well,
    because a validator has to be able to report them. In JSON one leaf is a string, several are a
    list, and none is absent.
    """

    base_form: Annotated[
        tuple[BaseForm, ...],
        BeforeValidator(_as_leaves),
        PlainSerializer(_as_json),
        _schema(DIMENSIONS["base_form"]),
    ] = ()
    part_of_speech: Annotated[
        tuple[PartOfSpeech, ...],
        BeforeValidator(_as_leaves),
        PlainSerializer(_as_json),
        _schema(DIMENSIONS["part_of_speech"]),
    ] = ()
    overlap: Annotated[
        tuple[Overlap, ...],
        BeforeValidator(_as_leaves),
        PlainSerializer(_as_json),
        _schema(DIMENSIONS["overlap"]),
    ] = ()
    reference: Annotated[
        tuple[Reference, ...],
        BeforeValidator(_as_leaves),
        PlainSerializer(_as_json),
        _schema(DIMENSIONS["reference"]),
    ] = ()

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, str]]) -> Categories:
        """From (dimension, leaf) pairs, each leaf once, in the order of the tables."""
        wanted = set(pairs)
        if not wanted:
            return NO_CATEGORIES
        found: dict[str, Any] = {}
        for dim, leaf in LEAVES:
            if (dim, leaf) in wanted:
                found[dim] = (*found.get(dim, ()), leaf)
        return cls(**found)

    def leaves(self, dimension: str) -> tuple[str, ...]:
        """The leaves of one dimension."""
        return tuple(getattr(self, dimension))

    def pairs(self) -> Iterator[tuple[str, str]]:
        """All (dimension, leaf) pairs."""
        for dim in DIMENSIONS:
            for leaf in getattr(self, dim):
                yield dim, leaf

    @property
    def mask(self) -> int:
        """The pairs as a bit mask (`BITS`)."""
        return sum(BITS[pair] for pair in set(self.pairs()))


NO_CATEGORIES = Categories()


def expand(dimension: str, name: str) -> tuple[str, ...]:
    """The leaves that a leaf or group name stands for.

    Raises:
        SpecError: when the dimension has no such leaf or group, with the nearest names.
    """
    if dimension not in DIMENSIONS:
        raise SpecError(
            f"there is no category dimension {dimension!r}",
            remedy=suggestion(dimension, list(DIMENSIONS)),
        )
    if name in GROUPS[dimension]:
        return GROUPS[dimension][name]
    if name in DIMENSIONS[dimension]:
        return (name,)
    known = [*DIMENSIONS[dimension], *GROUPS[dimension]]
    raise SpecError(f"{dimension} has no leaf {name!r}", remedy=suggestion(name, known))


def find_leaf(name: str) -> tuple[str, str] | None:
    """The (dimension, leaf) of a published tag (``Mnt-Full``) or ``fel:`` class local name."""
    return _BY_NAME.get(name)


_BY_NAME: Mapping[str, tuple[str, str]] = {
    name: (dim, leaf) for dim, leaf in LEAVES for name in _NAMES[dim][leaf]
}
