"""A snapshot of a Wikipedia: which pages exist, where redirects lead, what is a disambiguation."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from pydantic import ValidationError

from elcurate.collector import collector_paused
from elcurate.errors import SnapshotError
from elcurate.kb import titles
from elcurate.kb.follow import Asked, Page, Pages, follow
from elcurate.kb.iri import Identifier, parse
from elcurate.kb.resolution import Outcome, Resolution
from elcurate.kb.snapshot_file import APPLICATION_ID, VERSION, SnapshotInfo

_PAGES = """
SELECT pages.title, is_redirect, namespace, redirects.title, interwiki, fragment,
       disambiguations.page IS NOT NULL, item
FROM pages
LEFT JOIN redirects ON redirects.page = pages.id AND is_redirect
LEFT JOIN disambiguations ON disambiguations.page = pages.id
LEFT JOIN items ON items.page = pages.id
WHERE pages.title IN ({})
"""
_BATCH = 500
_BY_ITEM = """
SELECT title FROM items JOIN pages ON pages.id = page WHERE item = ?
ORDER BY is_redirect, id LIMIT 1
"""
_ALIASES = """
SELECT pages.title FROM redirects JOIN pages ON pages.id = page
WHERE redirects.title = ? AND namespace = 0 AND interwiki = '' AND fragment = '' AND is_redirect
ORDER BY pages.title
"""
_BARE_ITEM = re.compile(r"Q([1-9][0-9]{0,17})")
_QUALIFIER = re.compile(r"(?<=.)_\([^()]*\)\Z")


class Snapshot:
    """A snapshot file, opened for reading.

    Args:
        path: The file.

    Raises:
        SnapshotError: when there is no such file, or it isn't a snapshot of this version.

    Attributes:
        info: Its wiki, date, source and counts.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if not self.path.is_file():
            raise SnapshotError(f"there is no file {path}")
        try:
            uri = f"{self.path.resolve().as_uri()}?mode=ro"
            self._connection = sqlite3.connect(uri, uri=True, isolation_level=None)
            self._connection.execute("PRAGMA mmap_size = 1073741824")
            self.info = self._checked()
        except (sqlite3.Error, ValidationError) as error:
            raise SnapshotError(
                f"{path} is no snapshot", remedy="Make one with `elcurate kb build`."
            ) from error
        self._root = f"https://{self.info.language}.wikipedia.org/wiki/"

    def __enter__(self) -> Snapshot:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file."""
        self._connection.close()

    def resolve(self, identifier: str) -> Resolution:
        """Where an identifier leads.

        Args:
            identifier: An address in Wikipedia, DBpedia or Wikidata, a Q number, or a bare title.
        """
        return self._resolved([identifier])[0]

    def resolve_all(self, identifiers: Iterable[str]) -> list[Resolution]:
        """Where each identifier leads; faster than one by one."""
        every = list(identifiers)
        # neighbours in the index come together
        distinct = sorted(set(every))
        known: dict[str, Resolution] = {}
        with collector_paused():
            for start in range(0, len(distinct), _BATCH):
                batch = distinct[start : start + _BATCH]
                known.update(zip(batch, self._resolved(batch), strict=True))
        return [known[identifier] for identifier in every]

    def aliases(self, title: str) -> tuple[str, ...]:
        """The titles of the redirects to a page, sorted, with underscores.

        Redirects to its sections are left out: they name something else.
        """
        return tuple(row[0] for row in self._rows(_ALIASES, [self._name(title)]))

    def labels(self, title: str) -> tuple[str, ...]:
        """Names of what a page is about: its title, then its aliases, each once.

        They have blanks for underscores and no qualifier in parentheses at the end.
        """
        name = self._name(title)
        every = (_QUALIFIER.sub("", one).replace("_", " ") for one in (name, *self.aliases(name)))
        return tuple(dict.fromkeys(every))

    def _name(self, title: str) -> str:
        return titles.split(title, self.info.language).name

    def _resolved(self, identifiers: list[str]) -> list[Resolution]:
        asked = [self._asked(identifier) for identifier in identifiers]
        pages = self._pages({one.title for one in asked if isinstance(one, Asked)})
        return [
            follow(one, pages, self._root, self._absent) if isinstance(one, Asked) else one
            for one in asked
        ]

    def _asked(self, identifier: str) -> Asked | Resolution:
        """The article that an identifier names, or why it names none."""
        read = parse(identifier)
        if read.kind in ("wikipedia", "dbpedia"):
            return self._addressed(identifier, read)
        item = _BARE_ITEM.fullmatch(read.title if read.kind == "wikidata" else identifier.strip())
        if item is not None:
            found = self._one(_BY_ITEM, int(item[1]))
            if found is None:
                return Resolution(identifier=identifier, outcome="not-covered")
            return Asked(identifier, found, None)
        if read.kind == "other" and "//" not in identifier:
            return self._named(identifier, *titles.split(identifier, self.info.language))
        return Resolution(identifier=identifier, outcome="other-kind")

    def _addressed(self, identifier: str, read: Identifier) -> Asked | Resolution:
        """The article that an address in Wikipedia or DBpedia names."""
        if read.language != self.info.language:
            return Resolution(identifier=identifier, outcome="other-wiki", title=read.title or None)
        if read.page_id is None:
            return self._named(identifier, read.namespace, read.title, read.fragment, read.problem)
        found = self._one("SELECT title FROM pages WHERE id = ?", read.page_id)
        if found is None:
            outcome: Outcome = "missing" if self.info.complete else "not-covered"
            return Resolution(identifier=identifier, outcome=outcome)
        return Asked(identifier, found, read.fragment)

    def _named(
        self,
        identifier: str,
        namespace: str | None,
        title: str,
        section: str | None,
        problem: str | None,
    ) -> Asked | Resolution:
        if problem is not None:
            return Resolution(identifier=identifier, outcome="invalid", title=title)
        if namespace is None:
            return Asked(identifier, title, section)
        full = f"{namespace}:{title}"
        return Resolution(identifier=identifier, outcome="wrong-namespace", title=full)

    def _pages(self, wanted: set[str]) -> Pages:
        """The pages of that title, and those that their redirects lead to."""
        known: Pages = {}
        asked: set[str] = set()
        while wanted:
            asked |= wanted
            query = _PAGES.format(",".join("?" * len(wanted)))
            found = [Page._make(row) for row in self._rows(query, list(wanted))]
            known.update((page.title, page) for page in found)
            wanted = {page.target for page in found if page.target is not None} - asked
        return known

    def _one(self, query: str, value: str | int) -> str | None:
        """The only value of the only row."""
        rows = self._rows(query, [value])
        return str(rows[0][0]) if rows else None

    def _rows(self, query: str, values: Sequence[str | int]) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise SnapshotError(f"{self.path} is damaged: {error}") from error

    def _absent(self, title: str) -> Outcome:
        if self.info.complete:
            return "missing"
        reason = self._one("SELECT reason FROM absent WHERE title = ?", title)
        return "not-covered" if reason is None else "invalid" if reason == "invalid" else "missing"

    def _checked(self) -> SnapshotInfo:
        application, version = (
            self._connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("application_id", "user_version")
        )
        if application != APPLICATION_ID:
            raise sqlite3.DatabaseError("another application's file")
        if version != VERSION:
            raise SnapshotError(
                f"{self.path} is a snapshot of version {version}, not {VERSION}",
                remedy="Make it again with `elcurate kb build`.",
            )
        known: dict[str, Any] = dict(self._connection.execute("SELECT key, value FROM meta"))
        return SnapshotInfo.model_validate(known)
