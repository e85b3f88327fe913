"""The fix of a finding, from what a rule wants changed."""

from __future__ import annotations

from pydantic import JsonValue

from elcurate.model.change import Change
from elcurate.model.corpus import Document, Mention
from elcurate.rules.base import Fix, Problem, Rule


def fix_of(
    rule: Rule,
    problem: Problem,
    document: Document | None,
    at: int | None,
    nth: int,
    link: int | None,
) -> Fix | None:
    """The edits of a problem as changes; None when it has none, or its rule no fix.

    Args:
        rule, problem: What was found.
        document, at, link: The document, and the places of the mention and of the link.
        nth: Which of the mentions with its span the mention is.
    """
    if not problem.edits or rule.fix is None or document is None or at is None:
        return None
    mention = document.mentions[at]
    edits = []
    for field, new in problem.edits:
        edits.append(
            Change(
                document=document.id,
                begin=mention.begin,
                end=mention.end,
                surface=document.surface(mention),
                mention=nth,
                link=None if field in ("span", "mention") else link,
                field=field,
                old=_old(mention, link, field),
                new=new,
                rule=rule.code,
                reason=problem.message,
            )
        )
    return Fix(kind=rule.fix, edits=tuple(edits))


def _old(mention: Mention, link: int | None, field: str) -> JsonValue:
    """The value of a field, as a change states it."""
    if field == "span":
        return [mention.begin, mention.end]
    if field == "mention":
        return mention.model_dump(mode="json", exclude_defaults=True)
    one = mention.links[link or 0]
    if field == "link":
        return one.model_dump(mode="json", exclude_defaults=True)
    if field.startswith("categories."):
        leaves = one.categories.leaves(field.partition(".")[2])
        return leaves[0] if len(leaves) == 1 else list(leaves)
    value: JsonValue = getattr(one, field)
    return value
