"""One patch from several of the same version."""

from __future__ import annotations

from elcurate.curation.patch import Conflict, Entry, Patch, PatchError
from elcurate.curation.places import collisions
from elcurate.curation.values import shown


def merge(*patches: Patch) -> Patch:
    """The patch with the decisions of all, each once.

    Args:
        patches: All made of the same version of a corpus.

    Raises:
        PatchError: when two of them decide differently on one place, or when some are masked.
    """
    if not patches:
        raise PatchError("there is nothing to merge")
    if len({patch.header.masked for patch in patches}) > 1:
        raise PatchError(
            "some of the patches are masked and some are not",
            remedy="Make all of them with or without masking",
        )
    entries: list[Entry] = []
    conflicts: list[Conflict] = []
    for number, patch in enumerate(patches, 1):
        known = {_decision(entry) for entry in entries}
        lines = {id(entry): line for line, entry in enumerate(patch.entries, 2)}
        more = [entry for entry in patch.entries if _decision(entry) not in known]
        for one, other in collisions(entries, more):
            message = (
                f"patch {number} makes {shown(other.old)} {shown(other.new)}, "
                f"an earlier one {shown(one.old)} {shown(one.new)} ({one.where}: {one.field})"
            )
            conflicts.append(Conflict.at(lines[id(other)], other, message))
        entries += more
    if conflicts:
        raise PatchError(
            f"the patches contradict each other in {len(conflicts)} places", tuple(conflicts)
        )
    sides = [patch.header.old for patch in patches]
    old = sides[0] if all(side == sides[0] for side in sides) else None
    return Patch.of(entries, old, masked=patches[0].header.masked)


def _decision(entry: Entry) -> str:
    """What an entry decides, without who and why."""
    said = {"rule": None, "author": None, "reason": None, "date": None, "snapshot": None}
    return entry.model_copy(update={**said, "after": None}).to_json()
