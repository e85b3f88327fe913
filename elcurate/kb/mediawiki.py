"""A client of MediaWiki's action API: what becomes of titles, fifty per call, one at a time."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from elcurate.errors import SnapshotError
from elcurate.version import VERSION

if TYPE_CHECKING:
    import httpx2

TITLES_PER_CALL = 50
_ATTEMPTS = 7
_LONGEST_WAIT = 300.0
_MOST_PARTS = 200
_BUSY = ("maxlag", "ratelimited", "readonly")

Json = dict[str, Any]


@dataclass(frozen=True)
class Site:
    """The wiki behind an API, and its clock.

    Attributes:
        wiki: The database name.
        date: ``YYYY-MM-DD``.
    """

    wiki: str
    date: str


@dataclass
class Answer:
    """What the API says of some titles; titles have blanks.

    Attributes:
        renamed: Titles to those that the wiki writes for them (normalised or converted).
        redirects: By title: the entries ``to``, ``tofragment``, ``tointerwiki``.
        interwiki: Titles to the prefix of the other wiki that they name.
        pages: By title: ``pageid``, ``ns``, ``pageprops``, or ``missing`` or ``invalid``.
    """

    renamed: dict[str, str] = field(default_factory=dict)
    redirects: dict[str, Json] = field(default_factory=dict)
    interwiki: dict[str, str] = field(default_factory=dict)
    pages: dict[str, Json] = field(default_factory=dict)

    def add(self, query: Mapping[str, Any]) -> None:
        """Adds a part of an answer; the properties of a page may come in several."""
        for kind in ("normalized", "converted"):
            self.renamed.update((one["from"], one["to"]) for one in query.get(kind, ()))
        self.redirects.update((one["from"], one) for one in query.get("redirects", ()))
        self.interwiki.update((one["title"], one["iw"]) for one in query.get("interwiki", ()))
        for page in query.get("pages", ()):
            known = self.pages.setdefault(page["title"], dict(page))
            known["pageprops"] = {**known.get("pageprops", {}), **page.get("pageprops", {})}


class WikiApi:
    """An action API.

    Args:
        url: The address of ``api.php``.
        contact: An address or e-mail that the User-Agent names, as Wikimedia asks for.
        timeout: Seconds without an answer after which a call is repeated.
        sleep: Waits for some seconds.
    """

    def __init__(
        self,
        url: str,
        *,
        contact: str | None = None,
        timeout: float = 30,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        import httpx2

        self.url = url
        who = f"; {contact}" if contact else ""
        agent = f"elcurate/{VERSION} (entity-linking corpora{who}) httpx2/{httpx2.__version__}"
        self._client = httpx2.Client(
            timeout=timeout, follow_redirects=True, headers={"User-Agent": agent}
        )
        self._sleep = sleep

    def close(self) -> None:
        """Ends the connection."""
        self._client.close()

    def site(self) -> Site:
        """Which wiki it is."""
        query = self._call({"meta": "siteinfo", "siprop": "general"}).get("query", {})
        try:
            general = query["general"]
            return Site(wiki=general["wikiid"], date=general["time"][:10])
        except (KeyError, TypeError) as error:
            raise self._error("the answer names no wiki") from error

    def titles(self, titles: Sequence[str]) -> Answer:
        """What becomes of at most fifty titles, redirects followed.

        Raises:
            SnapshotError: when the API refuses, or gives no usable answer after several attempts.
        """
        asked = {
            "redirects": "1",
            "prop": "pageprops",
            "ppprop": "disambiguation|wikibase_item",
            "titles": "|".join(titles),
        }
        answer = Answer()
        more: dict[str, str] = {}
        for _ in range(_MOST_PARTS):
            found = self._call({**asked, **more})
            try:
                answer.add(found.get("query", {}))
                following = {name: str(value) for name, value in found.get("continue", {}).items()}
            except (KeyError, TypeError, AttributeError, ValueError) as error:
                raise self._error("the answer has an unknown form") from error
            if not following:
                return answer
            if following == more:
                break
            more = following
        raise self._error("the answer goes on without end")

    def _call(self, parameters: Mapping[str, str]) -> Json:
        """The answer to one call, which is repeated while the server is busy or out of reach."""
        fields = {"action": "query", "format": "json", "formatversion": "2", "maxlag": "5"}
        problem, wait = "", None
        for attempt in range(_ATTEMPTS):
            if attempt:
                self._sleep(min(wait if wait is not None else 2.0 ** (attempt - 1), _LONGEST_WAIT))
            found, problem, wait = self._attempt({**fields, **parameters})
            if found is not None:
                return found
        raise self._error(f"no answer after {_ATTEMPTS} attempts: {problem}", "Try again later.")

    def _attempt(self, fields: Mapping[str, str]) -> tuple[Json | None, str, float | None]:
        """The answer, or why there is none yet and how many seconds to wait."""
        import httpx2

        try:
            response = self._client.post(self.url, data=dict(fields))
        except (httpx2.InvalidURL, httpx2.UnsupportedProtocol) as error:
            raise self._error(f"this is no address of an API: {error}") from error
        except httpx2.TransportError as error:
            return None, str(error) or type(error).__name__, None
        except httpx2.HTTPError as error:
            raise self._error(str(error)) from error
        wait = _retry_after(response)
        if response.status_code == 429 or response.status_code >= 500:
            return None, f"status {response.status_code}", wait
        if response.status_code >= 400:
            raise self._error(f"status {response.status_code}", "Is --api the address of api.php?")
        try:
            found = json.loads(response.content)
        except ValueError:
            return None, "the answer is no JSON", wait
        if not isinstance(found, dict):
            raise self._error("the answer has an unknown form")
        code = str(found["error"].get("code")) if isinstance(found.get("error"), dict) else None
        if code in _BUSY or (code or "").startswith("internal_api_error"):
            return None, f"the API says {code}", wait
        if code is not None:
            raise self._error(f"the API says {code}: {found['error'].get('info', '')}")
        return found, "", None

    def _error(self, message: str, remedy: str | None = None) -> SnapshotError:
        return SnapshotError(f"{self.url}: {message}", remedy=remedy)


def _retry_after(response: httpx2.Response) -> float | None:
    """The seconds that a server asks to wait, from a number or a date."""
    text = response.headers.get("Retry-After", "").strip()
    if text.isdecimal():
        return float(text)
    try:
        when = parsedate_to_datetime(text)
    except ValueError:
        return None
    when = when if when.tzinfo is not None else when.replace(tzinfo=UTC)
    return max((when - datetime.now(UTC)).total_seconds(), 0.0)
