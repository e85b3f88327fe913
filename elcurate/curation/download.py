"""Downloads that resume, report their progress and are checked."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from elcurate.curation.cards import DatasetError
from elcurate.version import VERSION

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    import httpx2

Tick = Callable[[int, int | None], None]
"""Is told how many bytes there are, and of how many."""

LIMIT = 4 << 30
_RETRIED = frozenset({429, 500, 502, 503, 504})
_RANGE = re.compile(r"bytes (?:(\d+)-\d+|\*)/(\d+|\*)")


class _AgainError(Exception):
    """A download that stopped and may go on."""


def download(
    url: str,
    target: Path,
    *,
    sha256: str = "",
    tick: Tick | None = None,
    limit: int = LIMIT,
    tries: int = 4,
    pause: float = 1.0,
) -> str:
    """Downloads a file; what an earlier attempt got is kept and continued.

    Args:
        url: An address of HTTP or HTTPS.
        target: Where the file goes when it is complete.
        sha256: What the file must have; empty for any.
        tick: Is told about the progress.
        limit: The largest size in bytes.
        tries: How often a download that stops is continued.
        pause: Seconds before the first further try; doubled each time.

    Returns:
        The SHA-256 of the file.

    Raises:
        DatasetError: when it can't be had or has another sum; the target is untouched.
    """
    import httpx2

    if not url.startswith(("http://", "https://")):
        raise DatasetError(f"{url or 'an empty address'} is no address of HTTP")
    getting = _Getting(url, target, bool(sha256), tick or (lambda done, total: None), limit)
    headers = {"User-Agent": f"elcurate/{VERSION}", "Accept-Encoding": "identity"}
    timeout = httpx2.Timeout(30, connect=10)
    client = httpx2.Client(headers=headers, timeout=timeout, follow_redirects=True)
    with _alone(getting.part), client:
        for attempt in range(1, tries + 1):
            try:
                getting.get(client)
                break
            except (_AgainError, httpx2.TransportError) as error:
                if attempt == tries:
                    remedy = "What came is kept: run the same again to go on."
                    raise DatasetError(f"{url}: {_said(error)}", remedy=remedy) from error
                time.sleep(pause * 2 ** (attempt - 1))
            except (httpx2.HTTPError, httpx2.InvalidURL) as error:
                raise DatasetError(f"{url}: {_said(error)}") from error
        return getting.finish(sha256)


def digest_of(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@contextlib.contextmanager
def _alone(part: Path) -> Iterator[None]:
    """Keeps other processes from downloading the same."""
    with part.open("ab") as held:
        if sys.platform != "win32":
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise DatasetError(f"{part} is being downloaded by another process") from error
        try:
            yield
        finally:
            if part.exists() and not part.stat().st_size:
                part.unlink()


def _said(error: Exception) -> str:
    return str(error) or type(error).__name__


class _Getting:
    """A file that is being downloaded, beside its place: ``….part`` and what it is a part of."""

    def __init__(self, url: str, target: Path, summed: bool, tick: Tick, limit: int) -> None:
        self.url = url
        self.target = target
        self.summed = summed
        self.tick = tick
        self.limit = limit
        self.part = target.with_name(f"{target.name}.part")
        self.about = target.with_name(f"{target.name}.part.json")

    def get(self, client: httpx2.Client) -> None:
        """One request, for the rest if a part is there."""
        done, validator = self._there()
        headers = {}
        if done:
            headers = {"Range": f"bytes={done}-"} | ({"If-Range": validator} if validator else {})
        with client.stream("GET", self.url, headers=headers) as response:
            if self.url.startswith("https:") and response.url.scheme != "https":
                raise DatasetError(f"{self.url} leads to {response.url}, which is not encrypted")
            begin, total = self._place(response, done)
            if begin is None:
                return
            if total is not None and total > self.limit:
                raise DatasetError(f"{self.url} has {total:,} bytes, more than {self.limit:,}")
            if not begin:
                self._note(response)
            self._save(response, begin, total)

    def finish(self, sha256: str) -> str:
        """Puts the file in its place if it has the right sum."""
        found = digest_of(self.part)
        self.about.unlink(missing_ok=True)
        if sha256 and found != sha256:
            self.part.unlink()
            raise DatasetError(
                f"{self.url} has the SHA-256 {found}, the card says {sha256}",
                remedy="The file is another version or damaged; it was not kept.",
            )
        self.part.replace(self.target)
        return found

    def _there(self) -> tuple[int, str]:
        """How much an earlier attempt got, and what tells the version that it is of."""
        if not self.part.exists() or not self.about.exists():
            return 0, ""
        try:
            about = json.loads(self.about.read_text(encoding="utf-8"))
            validator = str(about["validator"])
        except (ValueError, KeyError, TypeError):
            return 0, ""
        usable = about.get("url") == self.url and (validator or self.summed)
        return (self.part.stat().st_size, validator) if usable else (0, "")

    def _note(self, response: httpx2.Response) -> None:
        etag = response.headers.get("ETag", "")
        validator = "" if etag.startswith("W/") else etag
        validator = validator or response.headers.get("Last-Modified", "")
        about = json.dumps({"url": self.url, "validator": validator})
        self.about.write_text(about, encoding="utf-8")

    def _place(self, response: httpx2.Response, done: int) -> tuple[int | None, int | None]:
        """Where the body begins (None when everything is there), and the size of the whole."""
        status = response.status_code
        if status in _RETRIED:
            raise _AgainError(f"the server says {status} {response.reason_phrase}")
        span = _RANGE.fullmatch(response.headers.get("Content-Range", ""))
        size = span[2] if span else "*"
        if status == 416 and done and size == str(done):
            return None, done
        if status == 416 or (status == 206 and (span is None or span[1] != str(done))):
            self.part.unlink(missing_ok=True)
            raise _AgainError("the server can't continue what is there")
        if status == 206:
            return done, int(size) if size != "*" else None
        if status != 200:
            remedy = "The corpus may have moved: see its homepage."
            message = f"{self.url}: the server says {status} {response.reason_phrase}"
            raise DatasetError(message, remedy=remedy)
        length = response.headers.get("Content-Length", "")
        return 0, int(length) if length.isdigit() else None

    def _save(self, response: httpx2.Response, begin: int, total: int | None) -> None:
        done = begin
        with self.part.open("r+b" if begin else "wb") as out:
            out.seek(begin)
            for chunk in response.iter_raw():
                done += len(chunk)
                if done > self.limit:
                    raise DatasetError(f"{self.url} has more than {self.limit:,} bytes")
                out.write(chunk)
                self.tick(done, total)
        if total is not None and done != total:
            raise _AgainError(f"{done:,} of {total:,} bytes came")
