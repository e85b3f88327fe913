"""Maps of redirects to page titles, so that titles of different years can be compared."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from elcurate.errors import SpecError
from elcurate.kb.canonicalise import Input, Moves, entities_of, replaced
from elcurate.kb.iri import canonical
from elcurate.kb.pages import unescaped, wikipedia_iri
from elcurate.spec import Form

_FOLDER = re.compile(r"https?://(?:[^/]*\.)?(?:wikipedia\.org/wiki|dbpedia\.org/resource)/")
_ROOT = wikipedia_iri("")
_REMEDY = "A line has a title and its redirects, with tabs between them."


@dataclass(frozen=True)
class TitleMap:
    """Which title each redirect stands for; it is applied once, so chains are not followed.

    Attributes:
        titles: Redirect to title, and title to itself, with ``_`` for blanks.
        canonical: Whether titles are looked up by their canonical forms, or exactly as they are.
    """

    titles: Mapping[str, str]
    canonical: bool = True

    @cached_property
    def form(self) -> Form:
        """A digest of the map."""
        text = json.dumps(sorted(self.titles.items()))
        return Form("TitleMap", (f"m{hashlib.sha256(text.encode()).hexdigest()[:15]}",), {})

    def apply(self, value: Input) -> tuple[Input, Moves]:
        """The corpus or table with titles for redirects.

        Titles are looked up in the addresses of Wikipedia and DBpedia pages, which keep their
        site, and in identifiers that are no addresses.
        """
        counts = entities_of(value)
        changed: dict[str, str] = {}
        redirected = 0
        for entity, number in counts.items():
            folder, name = self._name(entity)
            title = self._titles.get(name)
            if title is not None:
                redirected += number * (title != name)
                changed[entity] = folder + title
        return replaced(value, changed), Moves(links=sum(counts.values()), redirected=redirected)

    def _name(self, entity: str) -> tuple[str, str]:
        """The address before a title, and the title."""
        known = canonical(entity) if self.canonical else entity
        page = _FOLDER.match(known)
        folder = page[0] if page else ""
        name = known[len(folder) :]
        if page and not self.canonical:
            name = unescaped(name)
        return folder, name.replace(" ", "_")

    @cached_property
    def _titles(self) -> Mapping[str, str]:
        if not self.canonical:
            return self.titles

        def form(name: str) -> str:
            return canonical(wikipedia_iri(name)).removeprefix(_ROOT)

        return {form(name): form(title) for name, title in self.titles.items()}

    @classmethod
    def read(cls, path: Path) -> TitleMap:
        """Reads lines of a title and its redirects; of what is stated twice the last counts.

        Raises:
            SpecError: with the line that is none, and for a file without any redirect.
        """
        titles: dict[str, str] = {}
        for number, line in _lines(path):
            title, *redirects = (cell.replace(" ", "_") for cell in line.split("\t"))
            if not title:
                raise SpecError(f"{path}:{number}: the line has no title", remedy=_REMEDY)
            titles |= {name: title for name in redirects if name} | {title: title}
        if all(name == title for name, title in titles.items()):
            raise SpecError(f"{path} has no redirects", remedy=_REMEDY)
        return cls(titles)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SpecError(f"{path} can't be read: {error.strerror}") from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise SpecError(f"{path}:{number}: the line is not UTF-8") from error
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, line.rstrip()
