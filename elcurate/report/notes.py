"""What reports say besides the scores."""

from __future__ import annotations

from elcurate.evaluation.records import Entities


def entities_notes(entities: Entities | None) -> list[str]:
    """A sentence for each input on the entities that were replaced before comparing."""
    if entities is None:
        return []
    return [
        f"{name}: of {moves.links:,} links, {moves.redirected:,} followed redirects, "
        f"{moves.mapped:,} came from other identifiers, {moves.missing:,} name missing pages"
        + (f", {moves.other_wiki:,} are of other wikis" if moves.other_wiki else "")
        for name, moves in (("the gold", entities.gold), *entities.systems.items())
    ]
