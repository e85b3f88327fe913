"""An HTTP server in the test's own process, with the habits of real ones."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Site:
    """What the server has, and what it was asked.

    Attributes:
        files: By path.
        failures: A status, or from 1000 how many bytes come before the end; one a request.
        ranges: Whether it continues downloads.
        etag: Of every file.
        requests: The Range headers it got, in order.
    """

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    failures: list[int] = field(default_factory=list)
    moved: dict[str, str] = field(default_factory=dict)
    ranges: bool = True
    etag: str = '"one"'
    requests: list[str] = field(default_factory=list)


@contextlib.contextmanager
def serving() -> Iterator[Site]:
    """A site on a port of its own, until the block ends."""
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.requests.append(self.headers.get("Range", ""))
            failure = site.failures.pop(0) if site.failures else None
            data = site.files.get(self.path)
            if self.path in site.moved:
                self.send_response(302)
                self.send_header("Location", site.moved[self.path])
                self.end_headers()
            elif failure is not None and failure < 1000:
                self.send_error(failure)
            elif data is None:
                self.send_error(404)
            else:
                self.answer(data, failure)

        def answer(self, data: bytes, most: int | None) -> None:
            begin = int(self.headers.get("Range", "bytes=0-")[6:-1])
            known = self.headers.get("If-Range", site.etag) == site.etag
            if begin and site.ranges and known:
                if begin >= len(data):
                    self.send_response(416)
                    self.send_header("Content-Range", f"bytes */{len(data)}")
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                self.send_response(206)
                self.send_header("Content-Range", f"bytes {begin}-{len(data) - 1}/{len(data)}")
                data = data[begin:]
            else:
                self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            if site.etag:
                self.send_header("ETag", site.etag)
            self.end_headers()
            self.wfile.write(data if most is None else data[:most])

        def log_message(self, *arguments: object) -> None:
            """Nothing is logged."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
