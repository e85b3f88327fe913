"""Surfaces that say the same in another spelling."""

from __future__ import annotations

from collections.abc import Sequence

from elcurate.formats.offsets import Stated
from elcurate.formats.xml_text import legal
from elcurate.model.change import Repair

_LOST = "\ufffd"
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛`´′", "'"),
        **dict.fromkeys("“”„‟″", '"'),
        **dict.fromkeys("‐‑‒–—―", "-"),
        "_": " ",
    }
)


def alike(stated: str, found: str) -> bool:
    """Two surfaces are the same but for typography.

    Blanks, kinds of quotes and dashes, UTF-8 that was read as another encoding, and single
    characters that were lost on the way (``?`` or U+FFFD) make no difference.
    """
    if stated == found:
        return True
    one, two = _plain(stated), _plain(found)
    if one == two or _plain(_decoded(stated)) == two or one == _plain(_decoded(found)):
        return True
    return len(one) == len(two) and all(map(_may_be, one, two))


def report_spellings(
    text: str, stated: Sequence[Stated], settled: Sequence[Stated], repairs: list[Repair], id_: str
) -> None:
    """Reports the stated surfaces that were dropped for one spelled otherwise in the text."""
    for before, after in zip(stated, settled, strict=True):
        found = text[max(after.begin, 0) : max(after.end, 0)]
        dropped = before.surface if after.surface is None else None
        if dropped and dropped.split() != found.split():
            where = f"{id_} {after.begin}-{after.end}"
            repairs.append(
                Repair(kind="surface-spelling", where=where, before=dropped, after=found)
            )


def _plain(text: str) -> str:
    return " ".join(legal(text).translate(_PLAIN).split())


def _decoded(text: str) -> str:
    """UTF-8 that was read as Windows-1252 as it was meant; other text as it is."""
    try:
        return text.encode("cp1252").decode("utf-8")
    except UnicodeError:
        return text


def _may_be(one: str, two: str) -> bool:
    return (
        one == two
        or _LOST in (one, two)
        or (one == "?" and two > "\x7f")
        or (two == "?" and one > "\x7f")
    )
