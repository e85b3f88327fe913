"""Registries: one explicit list of members for each kind of thing."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import entry_points
from typing import Generic, TypeVar

from elcurate.errors import SpecError, suggestion

T = TypeVar("T")


class Registry(Generic[T]):
    """Named members of one kind, iterated in the order of their names.

    Third parties add members through the entry-point group ``elcurate.<kind>s``; they are loaded
    when a name is not found or the registry is listed.

    Args:
        kind: What the members are, in the singular ("format", "measure").
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._members: dict[str, T] = {}
        self._loaded_entry_points = False

    def add(self, name: str, member: T) -> T:
        """Adds a member; a name that is taken is a `ValueError`."""
        if name in self._members:
            raise ValueError(f"the {self.kind} {name} is registered twice")
        self._members[name] = member
        return member

    def get(self, name: str) -> T:
        """The member of that name; `SpecError` with the nearest names when there is none."""
        if name not in self._members:
            self._load_entry_points()
        try:
            return self._members[name]
        except KeyError:
            raise SpecError(
                f"there is no {self.kind} named {name!r}",
                remedy=suggestion(name, list(self._members)),
            ) from None

    def names(self) -> list[str]:
        """All names, sorted."""
        self._load_entry_points()
        return sorted(self._members)

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def __iter__(self) -> Iterator[T]:
        return iter([self._members[name] for name in self.names()])

    def _load_entry_points(self) -> None:
        if self._loaded_entry_points:
            return
        self._loaded_entry_points = True
        for point in entry_points(group=f"elcurate.{self.kind}s"):
            if point.name not in self._members:
                self._members[point.name] = point.load()
