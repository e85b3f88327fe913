"""Corpora and tables with the entities that a snapshot leads to; always a step of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar, cast

import numpy as np
import polars as pl

from elcurate.errors import SnapshotError
from elcurate.kb.resolution import Resolution
from elcurate.kb.snapshot import Snapshot
from elcurate.model.corpus import Corpus, Document, Link, Mention, Tag, is_nil
from elcurate.model.record import Record
from elcurate.model.table import STRINGS, Table
from elcurate.spec import Form

NIL = "NIL"
_WIKI = ".wikipedia.org/"
_FOLLOWED = ("redirect", "section-redirect", "double-redirect", "disambiguation")

Input = TypeVar("Input", Corpus, Table)


class Moves(Record):
    """What a snapshot changed, in links (and tags of documents).

    Attributes:
        links: Those that name an entity.
        redirected: Those that followed a redirect.
        mapped: Those that went from another knowledge base or from a bare title to Wikipedia.
        missing: Those to pages that don't exist.
        other_wiki: Those to the Wikipedias and DBpedias of other languages.
    """

    links: int = 0
    redirected: int = 0
    mapped: int = 0
    missing: int = 0
    other_wiki: int = 0


class EntityMap(Protocol):
    """Replaces entities before gold and system are compared."""

    @property
    def form(self) -> Form:
        """What signatures call it."""

    def apply(self, value: Input) -> tuple[Input, Moves]:
        """The corpus or table with its entities replaced, and how many were."""


@dataclass(frozen=True)
class SnapshotMap:
    """`canonicalise` with a snapshot and its options, as a value."""

    snapshot: Snapshot
    sections: bool = False
    missing_is_nil: bool = False

    @property
    def form(self) -> Form:
        """The snapshot's id, and the options."""
        missing = "nil" if self.missing_is_nil else "kept"
        sections = "pages" if self.sections else "apart"
        options = {"missing": missing, "sections": sections}
        return Form("Snapshot", (self.snapshot.info.id,), options)

    def apply(self, value: Input) -> tuple[Input, Moves]:
        """The corpus or table with canonical entities.

        Raises:
            SnapshotError: when all its links are of other wikis than the snapshot.
        """
        found, moves = canonicalise(
            value, self.snapshot, sections=self.sections, missing_is_nil=self.missing_is_nil
        )
        if moves.links and moves.other_wiki == moves.links:
            wiki = self.snapshot.info.wiki
            raise SnapshotError(
                f"all links of {value.name} are of other wikis, but the snapshot is of {wiki}",
                remedy="Use a snapshot of their wiki.",
            )
        return found, moves


def canonicalise(
    value: Input, snapshot: Snapshot, *, sections: bool = False, missing_is_nil: bool = False
) -> tuple[Input, Moves]:
    """The corpus or table with each entity replaced by what it leads to in the snapshot's wiki.

    Redirects are followed, and DBpedia, Wikidata, page ids and bare titles go to Wikipedia.
    Identifiers of which the snapshot knows nothing stay as they are.

    Args:
        value: A corpus or its table.
        snapshot: The snapshot.
        sections: Whether a redirect to a section counts as the whole page; without, the section
            stays part of the identifier.
        missing_is_nil: Whether links to pages that don't exist become NIL.
    """
    counts = entities_of(value)
    found = dict(zip(counts, snapshot.resolve_all(counts), strict=True))
    changed = {
        entity: new
        for entity, resolution in found.items()
        if (new := _entity(resolution, sections, missing_is_nil)) not in (None, entity)
    }
    moves = _moves(found, counts, changed)
    return replaced(value, cast("Mapping[str, str]", changed)), moves


def replaced(value: Input, entities: Mapping[str, str]) -> Input:
    """The corpus or table with some entities replaced by others, or by NIL."""
    if not entities:
        return value
    return _in_table(value, entities) if isinstance(value, Table) else _in_corpus(value, entities)


def _entity(resolution: Resolution, sections: bool, missing_is_nil: bool) -> str | None:
    """What an identifier becomes, None if it stays as it is."""
    if missing_is_nil and resolution.outcome == "missing":
        return NIL
    is_bare = "//" not in resolution.identifier
    if is_bare and resolution.outcome not in ("ok", *_FOLLOWED):
        return None
    whole = sections and resolution.section_of_redirect
    return resolution.page if whole else resolution.entity


def _moves(
    found: Mapping[str, Resolution], counts: Mapping[str, int], changed: Mapping[str, str | None]
) -> Moves:
    def total(chosen: Callable[[str, Resolution], bool]) -> int:
        return sum(counts[entity] for entity, one in found.items() if chosen(entity, one))

    return Moves(
        links=sum(counts.values()),
        redirected=total(lambda _, one: bool(one.path) and one.outcome in _FOLLOWED),
        mapped=total(lambda entity, _: changed.get(entity, NIL) != NIL and _WIKI not in entity),
        missing=total(lambda _, one: one.outcome == "missing"),
        other_wiki=total(lambda _, one: one.outcome == "other-wiki"),
    )


def entities_of(value: Corpus | Table) -> dict[str, int]:
    """Each entity and how often it occurs, in links and tags; NIL is left out."""
    if isinstance(value, Table):
        names, places = value.column("entity")
        numbers = np.bincount(places[places >= 0], minlength=len(names))
        pairs = zip(names.to_list(), numbers.tolist(), strict=True)
        return {entity: number for entity, number in pairs if not is_nil(entity)}
    entities = [link.entity for _, _, link in value.links()]
    entities += [tag.entity for document in value.documents for tag in document.tags]
    return dict(Counter(entity for entity in entities if entity and not is_nil(entity)))


def _in_table(table: Table, entities: Mapping[str, str]) -> Table:
    names, places = table.column("entity")
    new = [entities.get(entity, entity) for entity in names]
    column = pl.Series("entity", [*new, None], dtype=pl.String).gather(places % (len(new) + 1))
    nil = np.array([*(is_nil(entity) for entity in new), False])[places]
    links = table.links.with_columns(
        column.cast(STRINGS), nil=pl.col("nil") | pl.Series(nil, dtype=pl.Boolean)
    )
    return replace(table, links=links, memo={})


def _in_corpus(corpus: Corpus, entities: Mapping[str, str]) -> Corpus:
    documents = tuple(_in_document(document, entities) for document in corpus.documents)
    return corpus.model_copy(update={"documents": documents})


def _in_document(document: Document, entities: Mapping[str, str]) -> Document:
    mentions = tuple(_in_mention(mention, entities) for mention in document.mentions)
    tags: tuple[Tag, ...] = tuple(
        tag.model_copy(update={"entity": entities[tag.entity]}) if tag.entity in entities else tag
        for tag in document.tags
    )
    return document.model_copy(update={"mentions": mentions, "tags": tags})


def _in_mention(mention: Mention, entities: Mapping[str, str]) -> Mention:
    if not any(link.entity in entities for link in mention.links):
        return mention
    links = tuple(_in_link(link, entities) for link in mention.links)
    return mention.model_copy(update={"links": links})


def _in_link(link: Link, entities: Mapping[str, str]) -> Link:
    new = entities.get(link.entity or "")
    return link if new is None else link.model_copy(update={"entity": new})
