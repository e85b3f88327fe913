"""Files that belong together by their names, such as texts and their annotations."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

Endings = tuple[str, ...]
"""How the names of one kind of file end, in small letters, the longest ending first."""

_PACKED = (".gz", ".bz2", ".zst")


def stem(path: Path, endings: Endings) -> str | None:
    """The name without its ending and the suffix of compression; None when it ends otherwise."""
    name = path.name.lower()
    for packed in _PACKED:
        name = name.removesuffix(packed)
    for ending in endings:
        if name.endswith(ending):
            return name[: -len(ending)]
    return None


def partner(path: Path, own: Endings, other: Endings) -> Path | None:
    """The file beside one that has the other ending and the same stem.

    Where there is none, the only one of that ending, if there is only one of the own ending too.
    """
    around = [one for one in _visible(path.parent) if one.name != path.name]
    found = [one for one in around if stem(one, other) is not None and one.is_file()]
    same = [one for one in found if stem(one, other) == stem(path, own)]
    if same:
        return same[0]
    alone = all(stem(one, own) is None for one in around)
    return found[0] if alone and len(found) == 1 else None


def parts(folder: Path, kinds: Mapping[str, Endings]) -> dict[str, Path]:
    """The file of each kind in a folder; nothing when one is doubled or anything else is there."""
    found: dict[str, Path] = {}
    for path in _visible(folder):
        kind = next((name for name, ends in kinds.items() if stem(path, ends) is not None), None)
        if kind is None or kind in found or not path.is_file():
            return {}
        found[kind] = path
    return found


def _visible(folder: Path) -> list[Path]:
    """What is in a folder, sorted; nothing when it can't be listed."""
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError:
        return []
