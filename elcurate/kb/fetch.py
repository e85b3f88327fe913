"""Snapshots of only some titles, from MediaWiki's action API."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from elcurate.errors import SnapshotError
from elcurate.kb import titles
from elcurate.kb.iri import parse
from elcurate.kb.mediawiki import TITLES_PER_CALL, Answer, Site, WikiApi
from elcurate.kb.snapshot_file import SnapshotInfo, SnapshotWriter, new_snapshot
from elcurate.kb.wikis import language_of

Progress = Callable[[int, int], None]
"""Is called with how many titles of how many have been asked for."""

_KEPT = timedelta(days=2)


def titles_of(entities: Iterable[str], language: str) -> list[str]:
    """The titles of articles in a language's Wikipedia that identifiers name, sorted.

    Addresses in Wikipedia and DBpedia and bare titles name articles; Wikidata items and page ids
    are left out, because the API is asked for titles.
    """
    found = set()
    for entity in entities:
        read = parse(entity)
        if read.kind == "other" and "//" not in entity:
            namespace, name, _, problem = titles.split(entity, language)
        elif read.kind in ("wikipedia", "dbpedia") and read.language == language:
            namespace, name, problem = read.namespace, read.title, read.problem
        else:
            continue
        if namespace is None and problem is None and name:
            found.add(name)
    return sorted(found)


def fetch_snapshot(
    entities: Iterable[str], api: WikiApi, output: Path, progress: Progress | None = None
) -> SnapshotInfo:
    """Makes a snapshot of the titles that identifiers name.

    What has been answered is kept beside the output until it is complete, so that a fetch that was
    interrupted goes on where it stopped, for two days.

    Args:
        entities: Identifiers; those of other wikis are left out.
        api: The API of the wiki.
        output: The snapshot; an older one stays as it was until all is there.
        progress: Is told how far it is.

    Raises:
        SnapshotError: when the API gives no answer, no identifier names an article of the wiki, or
            the file can't be written.
    """
    with new_snapshot(output) as writer:
        kept = _Kept(output.with_name(f".{output.name}.fetched"), api)
        asked = titles_of(entities, language_of(kept.site.wiki))
        if not asked:
            raise SnapshotError(f"no link names an article of {kept.site.wiki}")
        for start in range(0, len(asked), TITLES_PER_CALL):
            if progress is not None:
                progress(start, len(asked))
            kept.ask(asked[start : start + TITLES_PER_CALL])
        digest = _write(writer, asked, kept.answers())
        info = writer.finish(
            SnapshotInfo(
                wiki=kept.site.wiki,
                language=language_of(kept.site.wiki),
                date=kept.site.date,
                source="api",
                digest=digest,
            )
        )
    kept.path.unlink()
    return info


class _Kept:
    """The answers so far, a line of JSON each, after one that says from where and when."""

    def __init__(self, path: Path, api: WikiApi) -> None:
        self.path = path
        self._api = api
        self._asked: set[str] = set()
        lines = list(self._lines())
        head = lines[0] if lines else {}
        old = datetime.now(UTC) - _KEPT
        if head.get("api") == api.url and datetime.fromisoformat(head["begun"]) > old:
            self.site = Site(**head["site"])
            self._asked = {title for line in lines[1:] for title in line["titles"]}
            return
        self.site = api.site()
        self.path.unlink(missing_ok=True)
        begun = datetime.now(UTC).isoformat()
        self._append({"api": api.url, "begun": begun, "site": asdict(self.site)})

    def ask(self, wanted: list[str]) -> None:
        """Asks for those titles that have no answer yet."""
        left = [title for title in wanted if title not in self._asked]
        if left:
            answer = self._api.titles([title.replace("_", " ") for title in left])
            self._append({"titles": left, **asdict(answer)})

    def answers(self) -> Answer:
        """All answers."""
        whole = Answer()
        for line in self._lines():
            for name in vars(whole):
                getattr(whole, name).update(line.get(name, {}))
        return whole

    def _append(self, line: dict[str, Any]) -> None:
        with self.path.open("a", encoding="utf-8") as out:
            out.write("\n" + json.dumps(line))

    def _lines(self) -> Iterator[dict[str, Any]]:
        """The lines that are whole."""
        if not self.path.is_file():
            return
        with self.path.open(encoding="utf-8") as lines:
            for line in lines:
                with contextlib.suppress(ValueError):
                    yield json.loads(line)


def _write(writer: SnapshotWriter, asked: list[str], answer: Answer) -> str:
    """Writes what the answers say, and returns a digest of it."""
    redirects = {_key(title): (0, _key(new), "", "") for title, new in answer.renamed.items()}
    for title, prefix in answer.interwiki.items():
        redirects[_key(title)] = (0, _key(title.partition(":")[2]), prefix, "")
    redirects = {title: target for title, target in redirects.items() if title != target[1]}
    for title, redirect in answer.redirects.items():
        redirects[_key(title)] = _target(redirect, answer)
    articles, absent = [], {}
    for title, page in answer.pages.items():
        name = _key(title)
        if "invalid" in page or "missing" in page:
            absent[name] = "invalid" if "invalid" in page else "missing"
        elif page.get("ns") == 0 and name not in redirects:
            articles.append((int(page["pageid"]), name, page.get("pageprops", {})))
    articles.sort()
    rows = [(-number, *row) for number, row in enumerate(sorted(redirects.items()), 1)]
    writer.pages((number, name, 0) for number, name, _ in articles)
    writer.pages((number, name, 1) for number, name, _ in rows)
    writer.redirects((number, *target) for number, _, target in rows)
    writer.disambiguations((number,) for number, _, props in articles if "disambiguation" in props)
    items = [(number, str(props.get("wikibase_item", ""))) for number, _, props in articles]
    writer.items((number, item[1:]) for number, item in items if item[1:].isdecimal())
    gone = sorted((name, why) for name, why in absent.items() if name not in redirects)
    writer.absent(gone)
    content = json.dumps([asked, articles, rows, gone], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:12]


def _target(redirect: dict[str, Any], answer: Answer) -> tuple[int, str, str, str]:
    """Namespace, title, interwiki prefix and section of the target of a redirect."""
    title, prefix = str(redirect["to"]), str(redirect.get("tointerwiki", ""))
    if prefix:
        return 0, _key(title.removeprefix(f"{prefix}:")), prefix, ""
    namespace = int(answer.pages.get(title, {}).get("ns", 0))
    name = title.partition(":")[2] if namespace else title
    return namespace, _key(name), "", _key(str(redirect.get("tofragment", "")))


def _key(title: str) -> str:
    return title.replace(" ", "_")
