"""What rules over a whole corpus look up, gathered in one walk."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from elcurate.kb.iri import canonical
from elcurate.model.categories import GROUPS
from elcurate.model.corpus import Corpus, Document, Link, Mention
from elcurate.rules.links import is_nil_page


class Place(NamedTuple):
    """A link with where it is.

    Attributes:
        document, mention, link: Places in the corpus, the document and the mention.
        surface: The surface of the mention; empty where it isn't known.
        entity: The canonical entity, None for NIL.
        value: The link itself.
    """

    document: int
    mention: int
    link: int
    surface: str
    entity: str | None
    value: Link

    @property
    def key(self) -> tuple[int, int]:
        """Document and mention."""
        return self.document, self.mention

    @property
    def may_be_name(self) -> bool:
        """Whether the base form is that of a name, or not stated."""
        forms = self.value.categories.base_form
        return not forms or forms[0] in GROUPS["base_form"]["proper_form"]


@dataclass
class Index:
    """A corpus with its links by surface and by entity.

    Attributes:
        corpus: All of it.
        unsound: (document, mention) of mentions whose span or identifier is unusable; they are
            left out of the tables.
    """

    corpus: Corpus
    unsound: frozenset[tuple[int, int]] = frozenset()

    @cached_property
    def places(self) -> list[Place]:
        """Every link of a sound mention."""
        found = []
        for number, document in enumerate(self.corpus.documents):
            for at, mention in enumerate(document.mentions):
                if (number, at) not in self.unsound:
                    found += _places(number, document, at, mention)
        return found

    @cached_property
    def by_surface(self) -> dict[str, list[Place]]:
        """The links of each surface."""
        found: defaultdict[str, list[Place]] = defaultdict(list)
        for place in self.places:
            if place.surface:
                found[place.surface].append(place)
        return found

    @cached_property
    def by_entity(self) -> dict[str, list[Place]]:
        """The links of each canonical entity, NIL left out."""
        found: defaultdict[str, list[Place]] = defaultdict(list)
        for place in self.places:
            if place.entity is not None:
                found[place.entity].append(place)
        return found

    def where(self, place: Place) -> str:
        """Document and span, for a message."""
        document = self.corpus.documents[place.document]
        mention = document.mentions[place.mention]
        return f"{document.id} {mention.begin}-{mention.end}"


def _entity(link: Link) -> str | None:
    if link.entity is None or link.is_nil or is_nil_page(link.entity):
        return None
    return canonical(link.entity)


def _places(number: int, document: Document, at: int, mention: Mention) -> list[Place]:
    surface = document.surface(mention) or ""
    return [
        Place(
            number,
            at,
            count,
            surface,
            _entity(link),
            link,
        )
        for count, link in enumerate(mention.links)
    ]
