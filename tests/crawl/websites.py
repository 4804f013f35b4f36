"""A web of our own: servers on this machine, and a clock that nobody waits for."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from pagesight.crawl import Crawl, CrawlOptions, Visit
from pagesight.sources import Limits

QUICK = Limits(connect_timeout=5, read_timeout=5, total_timeout=5)


@dataclass
class Answer:
    """What a server says at one path; with `redirect`, where to go instead."""

    body: bytes = b""
    media_type: str = "text/html; charset=utf-8"
    status: int = 200
    redirect: str = ""
    hangs: bool = False


Pages = Mapping[str, Answer | bytes | str]


@dataclass
class Website:
    """A running server, and the paths that it was asked for. Its pages may be changed."""

    host: str
    pages: dict[str, Answer | bytes | str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    agents: set[str] = field(default_factory=set)

    def __call__(self, path: str = "/") -> str:
        """An address."""
        return f"http://{self.host}{path}"

    def answer(self, path: str) -> Answer:
        found = self.pages.get(path, Answer(status=404))
        if isinstance(found, str):
            found = found.encode()
        return Answer(found) if isinstance(found, bytes) else found


@contextlib.contextmanager
def website(pages: Pages | None = None) -> Iterator[Website]:
    """Serve pages by path; everything else is not found."""
    ending = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            running.asked.append(self.path)
            running.agents.add(self.headers["User-Agent"])
            answer = running.answer(self.path)
            if answer.hangs:
                ending.wait()
            with contextlib.suppress(OSError):  # nobody waits for it any more
                self.send_response(302 if answer.redirect else answer.status)
                if answer.redirect:
                    self.send_header("Location", answer.redirect)
                self.send_header("Content-Type", answer.media_type)
                self.send_header("Content-Length", str(len(answer.body)))
                self.end_headers()
                self.wfile.write(answer.body)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

    with Server(("127.0.0.1", 0), Handler) as server:
        running = Website(f"127.0.0.1:{server.server_port}", dict(pages or {}))
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield running
        finally:
            ending.set()
            server.shutdown()
            thread.join()


def nobody() -> str:
    """An address at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"http://127.0.0.1:{server.getsockname()[1]}/"


@dataclass
class FakeClock:
    """Time goes on only while somebody sleeps."""

    now: float = 1000.0
    slept: list[float] = field(default_factory=list)

    def time(self) -> float:
        return self.now

    def sleep(self, seconds: float, /) -> None:
        self.slept.append(seconds)
        self.now += seconds


def crawled(
    folder: Path,
    *starts: str,
    clock: FakeClock | None = None,
    limits: Limits = QUICK,
    **options: bool | float,
) -> list[Visit]:
    """The visits of a crawl."""
    chosen = CrawlOptions(limits=limits, **options)  # type: ignore[arg-type]
    with Crawl(folder, chosen, clock=clock or FakeClock()) as crawl:
        return list(crawl.run(starts))


def page(*links: str, title: str = "", head: str = "", body: str = "<h1>A</h1><h2>B</h2>") -> str:
    """A well-formed page with these links; no two titles, no two pages."""
    anchors = "".join(f'<a href="{link}">x</a>' for link in links)
    return (
        f"<!DOCTYPE html><html><head><title>{title}</title>{head}</head>"
        f"<body>{body}<p>{anchors}</p></body></html>"
    )
