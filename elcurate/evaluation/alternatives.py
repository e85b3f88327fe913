"""`select_alternatives`: gold with its ambiguity resolved towards a system.

The strategy is that of neleval's ``select-alternatives`` as its documentation describes it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from elcurate.errors import SpecError, suggestion
from elcurate.match.policy import Policy
from elcurate.match.relations import LINK_RELATIONS
from elcurate.model.categories import DIMENSIONS
from elcurate.model.corpus import Corpus, Document, Link, Mention
from elcurate.model.record import Record

Key = Callable[[Link], Hashable]

BACKOFFS: Mapping[str, str] = {
    "span": "the first alternative that the system predicts on the same span",
    "document": "the first that it predicts anywhere in the document",
    "collection": "the first that it predicts anywhere",
    "first": "the first listed",
}
"""The steps, in the order in which they are tried, and what each takes."""

PROFILE_BACKOFFS: Mapping[str, tuple[str, ...]] = {"neleval": ("document", "collection", "first")}
"""The steps of profiles of tools that don't take all."""

FIELDS: Mapping[str, str] = {
    "eid": "entity or NIL cluster",
    "kbid": "entity; none for every NIL",
    "type": "entity type",
    **{name: f"leaves of the dimension {name}" for name in DIMENSIONS},
}
"""What alternatives can be compared by."""

EVERYTHING = ("*",)
"""The fields that stand for everything but the score."""


class Selected(Record):
    """The choice for one ambiguous mention.

    Attributes:
        alternatives: The entities that it had.
        chosen: The place of the one that is left, from 0.
        backoff: The step that chose it.
    """

    document: str
    begin: int
    end: int
    surface: str | None
    alternatives: tuple[str | None, ...]
    chosen: int
    backoff: str


class SelectionReport(Record):
    """What was chosen, and by which step.

    Attributes:
        mentions: All gold mentions.
        ambiguous: Those that had several alternatives.
        counts: How many were decided by each step.
        choices: Each decision.
    """

    gold: str
    system: str
    fields: tuple[str, ...]
    mentions: int
    ambiguous: int
    counts: dict[str, int]
    choices: tuple[Selected, ...]


@dataclass(frozen=True)
class Selection:
    """A gold corpus with one link for each mention that was decided, and what was done."""

    corpus: Corpus
    report: SelectionReport


def select_alternatives(
    gold: Corpus,
    system: Corpus,
    *,
    fields: Sequence[str] = ("eid",),
    backoff: Sequence[str] = tuple(BACKOFFS),
    policy: Policy | None = None,
) -> Selection:
    """Leaves one alternative to each gold mention, one that the system predicts if there is any.

    Args:
        gold: The gold corpus.
        system: A system's output; of each mention the best candidate counts.
        fields: In what alternative and prediction have to agree (`FIELDS`), or `EVERYTHING`.
        backoff: The steps that are tried (`BACKOFFS`). Without ``first`` a mention for which none
            decides keeps its alternatives.
        policy: Its link relation and NIL ids say when entities are the same; the default's if None.

    Raises:
        SpecError: for unknown fields and steps.
    """
    check_names(fields, backoff)
    key = _key(fields, policy or Policy())
    said = _Predictions(system, key)
    choices: list[Selected] = []
    documents = []
    for document in gold.documents:
        mentions = []
        for mention in document.mentions:
            found = _choose(document, mention, said, key, backoff)
            if found is not None:
                choices.append(found)
                link = mention.links[found.chosen]
                mention = mention.model_copy(update={"links": (link,)})
            mentions.append(mention)
        documents.append(document.model_copy(update={"mentions": tuple(mentions)}))
    report = SelectionReport(
        gold=gold.name,
        system=system.name,
        fields=tuple(fields),
        mentions=sum(len(document.mentions) for document in gold.documents),
        ambiguous=sum(len(mention.links) > 1 for _, mention in gold.mentions()),
        counts={step: sum(one.backoff == step for one in choices) for step in backoff},
        choices=tuple(choices),
    )
    return Selection(gold.model_copy(update={"documents": tuple(documents)}), report)


def check_names(fields: Sequence[str], backoff: Sequence[str]) -> None:
    """Refuses unknown fields and steps, all together.

    Raises:
        SpecError: with the nearest names.
    """
    problems = [
        f"there is no {kind} {name!r}. {suggestion(name, list(known))}"
        for kind, names, known in (("field", fields, FIELDS), ("back-off", backoff, BACKOFFS))
        for name in names
        if name not in known and tuple(names) != EVERYTHING
    ]
    problems += [f"no {kind} is named" for kind, names in (("field", fields),) if not names]
    if problems:
        raise SpecError("\n".join(problems))


class _Predictions:
    """The keys that the system predicts, by span, by document, and overall."""

    def __init__(self, system: Corpus, key: Key) -> None:
        self.spans: dict[tuple[str, int, int], set[Hashable]] = {}
        self.documents: dict[str, set[Hashable]] = {}
        self.collection: set[Hashable] = set()
        for document, mention in system.mentions():
            if mention.links:
                found = key(max(mention.links, key=_score))
                self.spans.setdefault((document.id, *mention.span), set()).add(found)
                self.documents.setdefault(document.id, set()).add(found)
                self.collection.add(found)

    def of(self, step: str, document: str, mention: Mention) -> set[Hashable]:
        """Where a step looks."""
        if step == "span":
            return self.spans.get((document, *mention.span), set())
        if step == "document":
            return self.documents.get(document, set())
        return self.collection


def _choose(
    document: Document, mention: Mention, said: _Predictions, key: Key, backoff: Sequence[str]
) -> Selected | None:
    """The choice for an ambiguous mention; None if there is none to make or no step decides."""
    if len(mention.links) < 2:
        return None
    keys = [key(link) for link in mention.links]
    for step in backoff:
        known = set(keys) if step == "first" else said.of(step, document.id, mention)
        places = (place for place, one in enumerate(keys) if one in known)
        place = next(places, None)
        if place is not None:
            return Selected(
                document=document.id,
                begin=mention.begin,
                end=mention.end,
                surface=document.surface(mention),
                alternatives=tuple(link.entity for link in mention.links),
                chosen=place,
                backoff=step,
            )
    return None


def _score(link: Link) -> float:
    return -math.inf if link.score is None else link.score


def _key(fields: Sequence[str], policy: Policy) -> Key:
    """What links are compared by."""
    same = cache(LINK_RELATIONS[policy.links])

    def entity(link: Link, nil: str | None) -> str | None:
        if link.entity is None or policy.is_nil(link.entity):
            return nil
        return same(link.entity)

    def field(name: str, link: Link) -> Hashable:
        if name == "eid":
            return entity(link, f"NIL {link.entity or 'NIL'}")
        if name == "kbid":
            return entity(link, None)
        return link.type if name == "type" else link.categories.leaves(name)

    if tuple(fields) != EVERYTHING:
        return lambda link: tuple(field(name, link) for name in fields)
    names = [name for name in FIELDS if name != "kbid"]
    return lambda link: (
        *(field(name, link) for name in names),
        json.dumps(link.attributes, sort_keys=True),
    )
