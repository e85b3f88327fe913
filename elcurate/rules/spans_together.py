"""Rules on how the spans of a document lie to each other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from elcurate.kb.iri import canonical
from elcurate.kb.pages import wikipedia_title
from elcurate.model.corpus import Document, Mention
from elcurate.rules.base import Problem, rule


@rule(
    "S207",
    "crossing-mentions",
    "warning",
    example="`New York` and `York City` in `New York City`",
    source="inline formats can't carry it",
)
def crossing(document: Document) -> Iterator[Problem]:
    """Two mentions overlap and neither contains the other."""
    open_: list[Mention] = []
    for number, mention in enumerate(document.mentions):
        open_ = [other for other in open_ if other.end > mention.begin]
        for other in open_:
            if other.begin < mention.begin < other.end < mention.end:
                yield Problem(
                    f"the mention crosses {other.begin}-{other.end}",
                    f"{other.begin}-{other.end}",
                    mention=number,
                )
                break
        if mention.begin < mention.end:
            open_.append(mention)


@rule(
    "S208",
    "repeated-mention",
    "warning",
    fix="safe",
    example="the same span twice with the same link",
    source="files that were joined",
)
def repeated_mention(document: Document) -> Iterator[Problem]:
    """A mention occurs twice with all that it says, so it is counted twice."""
    seen: dict[tuple[int, int], list[Mention]] = {}
    for number, mention in enumerate(document.mentions):
        others = seen.setdefault(mention.span, [])
        if mention in others:
            yield Problem("the mention occurs twice", edits=(("mention", None),), mention=number)
        else:
            others.append(mention)


@rule(
    "S209",
    "same-span",
    "warning",
    example="two mentions `Paris` at 0-5, one for the city and one for its mayor",
    source="formats without alternatives write one annotation for each",
)
def same_span(document: Document) -> Iterator[Problem]:
    """Two mentions have one span and differ in what they say.

    If both entities are acceptable, they are alternatives of one mention; else one is wrong.
    """
    seen: dict[tuple[int, int], list[Mention]] = {}
    for number, mention in enumerate(document.mentions):
        others = seen.setdefault(mention.span, [])
        if others and mention not in others and mention.fragments == others[0].fragments:
            yield Problem("another mention has this span", mention=number)
        others.append(mention)


@rule(
    "S210",
    "nested-mention",
    "info",
    default=False,
    example="`York` in `New York`",
    source="AIDA CoNLL-YAGO and most corpora before 2018 have none",
)
def nested(document: Document) -> Iterator[Problem]:
    """The mention lies within another.

    A matter of policy: select it for corpora whose guidelines forbid nesting.
    """
    reach: tuple[int, int] | None = None
    for number, mention in enumerate(document.mentions):
        if reach and mention.end <= reach[1] and mention.span != reach:
            yield Problem(f"within {reach[0]}-{reach[1]}", mention=number)
        if reach is None or mention.end > reach[1]:
            reach = mention.span


@rule(
    "S301",
    "split-name",
    "info",
    example="`Mount` and `Everest`, both linked to Mount Everest",
    source="combined tagging: one name annotated in pieces",
)
def split_name(document: Document) -> Iterator[Problem]:
    """Two mentions side by side are pieces of one name.

    Both have the same entity, and its title holds the words of both in this order.
    """
    text = document.text
    if text is None:
        return
    begins: defaultdict[int, list[Mention]] = defaultdict(list)
    for mention in document.mentions:
        begins[mention.begin].append(mention)
    for number, mention in enumerate(document.mentions):
        if text[mention.end : mention.end + 1] not in (" ", "-") or not mention.links:
            continue
        for other in begins.get(mention.end + 1, ()):
            both = text[mention.begin : other.end]
            if _pieces(mention, other, both) and (mention.begin, other.end) not in {
                whole.span for whole in begins[mention.begin]
            }:
                yield Problem(f"a piece of {both!r}", both, mention=number)
                break


def _pieces(one: Mention, two: Mention, both: str) -> bool:
    for link in two.links:
        if link.entity is None or link.is_nil:
            continue
        entity = canonical(link.entity)
        title = wikipedia_title(entity)
        if title is not None and both.casefold() in title.casefold():
            return any(other.entity and canonical(other.entity) == entity for other in one.links)
    return False
