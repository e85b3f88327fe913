"""Chains of mentions in formats that mark them with brackets at tokens."""

from __future__ import annotations

from collections.abc import Iterator

from elcurate.model.change import Repair
from elcurate.model.corpus import is_nil


def chain_entity(chain: str, document: str) -> str:
    """The entity of a chain: a number counts in its document only, a name everywhere.

    A name that is a NIL cluster already is kept; others become ``NIL:<name>``.
    """
    if chain.isdecimal():
        return f"NIL:{chain}:{document}"
    return chain if is_nil(chain) else f"NIL:{chain}"


def chain_of(entity: str, document: str) -> str | None:
    """The chain that `chain_entity` makes an entity of; None when no chain does."""
    found = entity
    if entity.startswith("NIL:"):
        found = entity[4:]
        tail = f":{document}"
        if found.endswith(tail) and found[: -len(tail)].isdecimal():
            found = found[: -len(tail)]
    return found if found and chain_entity(found, document) == entity else None


class Brackets:
    """Pairs brackets of chains: a closing one ends the mention of its chain opened last.

    Args:
        path: The file, for repairs.
        repairs: Brackets without partner are left out and added here.
    """

    def __init__(self, path: str, repairs: list[Repair]) -> None:
        self.path = path
        self.repairs = repairs
        self._open: dict[str, list[int]] = {}
        self._found: list[tuple[str, int, int, int]] = []

    def open(self, chain: str, token: int, line: int) -> None:
        """A mention begins at a token."""
        self._open.setdefault(chain, []).append(len(self._found))
        self._found.append((chain, token, -1, line))

    def close(self, chain: str, token: int, line: int) -> None:
        """A mention ends at a token."""
        waiting = self._open.get(chain)
        if not waiting:
            where = f"{self.path}:{line}"
            self.repairs.append(Repair(kind="bracket-not-opened", where=where, before=f"{chain})"))
            return
        number = waiting.pop()
        self._found[number] = (*self._found[number][:2], token, line)

    def unclosed(self) -> None:
        """Reports the mentions that don't end."""
        for chain, _, last, line in self._found:
            if last < 0:
                self.repairs.append(
                    Repair(
                        kind="bracket-not-closed", where=f"{self.path}:{line}", before=f"({chain}"
                    )
                )

    def closed(self) -> Iterator[tuple[str, int, int]]:
        """Chain, first and last token of each mention, in the order in which they begin."""
        for chain, first, last, _ in self._found:
            if last >= 0:
                yield chain, first, last
