"""A small wiki behind MediaWiki's action API, with the faults that a test asks for."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

Reply = tuple[int, dict[str, str], bytes]
NAMESPACES = {"Wikipedia": 4, "Talk": 1, "Category": 14}


@dataclass
class FakeWiki:
    """Pages, redirects, and what is to go wrong.

    Attributes:
        pages: Page id and properties by title; titles have blanks.
        redirects: Target, fragment and interwiki prefix by title.
        converted: Titles to those that the wiki finds in another script.
        faults: Replies instead of the next answers; None is the usual answer.
        per_part: How many properties one part of an answer holds.
        calls: The parameters of every call so far.
        headers: The headers of the last call.
    """

    pages: dict[str, tuple[int, dict[str, str]]] = field(default_factory=dict)
    redirects: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    converted: dict[str, str] = field(default_factory=dict)
    faults: list[Reply | Callable[[], Reply | None] | None] = field(default_factory=list)
    per_part: int = 500
    calls: list[dict[str, str]] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    url: str = ""

    def reply(self, parameters: dict[str, str]) -> Reply:
        """The reply to a call."""
        self.calls.append(parameters)
        fault = self.faults.pop(0) if self.faults else None
        fault = fault() if callable(fault) else fault
        return fault or (200, {}, json.dumps(self.answer(parameters)).encode())

    def answer(self, parameters: dict[str, str]) -> dict[str, Any]:
        """The answer of the API."""
        assert parameters["action"] == "query"
        assert (parameters["format"], parameters["formatversion"]) == ("json", "2")
        if parameters.get("meta") == "siteinfo":
            general = {"wikiid": "enwiki", "lang": "en", "time": "2024-05-06T07:08:09Z"}
            return {"batchcomplete": True, "query": {"general": general}}
        titles = parameters["titles"].split("|")
        assert len(titles) <= 50
        return self._query(titles, int(parameters.get("ppcontinue", 0)))

    def _query(self, titles: list[str], start: int) -> dict[str, Any]:
        query: dict[str, list[dict[str, Any]]] = {}
        found: dict[str, dict[str, Any]] = {}
        for title in titles:
            self._one(title, query, found)
        if found:
            query["pages"] = list(found.values())
        props = [(title, name) for title in found for name in sorted(found[title]["all"])]
        for title, name in props[start : start + self.per_part]:
            found[title].setdefault("pageprops", {})[name] = found[title]["all"][name]
        for page in found.values():
            del page["all"]
        answer: dict[str, Any] = {"query": query}
        if len(props) > start + self.per_part:
            answer["continue"] = {"ppcontinue": start + self.per_part, "continue": "||"}
        else:
            answer["batchcomplete"] = True
        return answer

    def _one(
        self, asked: str, query: dict[str, list[dict[str, Any]]], found: dict[str, dict[str, Any]]
    ) -> None:
        if any(mark in asked for mark in "<>[]{}#"):
            found[asked] = {"title": asked, "invalid": True, "invalidreason": "bad", "all": {}}
            return
        title = (asked[:1].upper() + asked[1:]).replace("_", " ")
        if title != asked:
            query.setdefault("normalized", []).append({"from": asked, "to": title})
        if title.lower().startswith("fr:"):
            query.setdefault("interwiki", []).append({"title": title, "iw": "fr"})
            return
        if title in self.converted:
            to = self.converted[title]
            query.setdefault("converted", []).append({"from": title, "to": to})
            title = to
        seen = set()
        while title in self.redirects:
            if title in seen:
                return
            seen.add(title)
            to, fragment, interwiki = self.redirects[title]
            entry = {"from": title, "to": to}
            if fragment:
                entry["tofragment"] = fragment
            if interwiki:
                entry["tointerwiki"] = interwiki
            if entry not in query.setdefault("redirects", []):
                query["redirects"].append(entry)
            if interwiki:
                return
            title = to
        namespace = NAMESPACES.get(title.partition(":")[0], 0)
        id_, props = self.pages.get(title, (0, {}))
        page = {"ns": namespace, "title": title, "all": props}
        found[title] = page | ({"pageid": id_} if id_ else {"missing": True})


@contextlib.contextmanager
def serving(wiki: FakeWiki) -> Iterator[FakeWiki]:
    """The wiki with an address, while the block runs."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            wiki.headers = dict(self.headers)
            fields = {name: values[0] for name, values in parse_qs(body).items()}
            status, headers, content = wiki.reply(fields)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            with contextlib.suppress(OSError):
                self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Nothing is logged."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    wiki.url = f"http://127.0.0.1:{server.server_port}/w/api.php"
    try:
        yield wiki
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def small_api() -> FakeWiki:
    """The wiki of `kb.dump_files.small_wiki` behind an API, as far as the API shows it."""
    return FakeWiki(
        pages={
            "New York City": (1, {"wikibase_item": "Q60"}),
            "Mercury": (5, {"disambiguation": ""}),
            "Zürich (city)": (15, {"wikibase_item": "Q72"}),
            "What?": (16, {}),
            "Wikipedia:Style": (99, {}),
        },
        redirects={
            "Big Apple": ("New York City", "", ""),
            "The Big Apple": ("Big Apple", "", ""),
            "Mercurius": ("Mercury", "", ""),
            "Harlem (section)": ("New York City", "Upper Manhattan", ""),
            "Loop A": ("Loop B", "", ""),
            "Loop B": ("Loop A", "", ""),
            "Self": ("Self", "", ""),
            "Paris FR": ("fr:Paris", "", "fr"),
            "Manual": ("Wikipedia:Style", "", ""),
            "Broken": ("Nothing here", "", ""),
        },
        converted={"Zuerich": "Zürich (city)"},
    )
