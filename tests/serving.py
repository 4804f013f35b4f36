"""Servers on this machine, for pages at an address."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from base64 import b64encode
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

HERE = ("127.0.0.1", 0)  # at any port


@dataclass(frozen=True)
class Answer:
    """What a server says at one path; with `redirect`, where to go instead."""

    body: bytes = b""
    media_type: str = "text/html"
    status: int = 200
    redirect: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0

    def lines(self) -> Iterator[tuple[str, str]]:
        """The headers, all of them."""
        yield "Content-Type", self.media_type
        yield "Content-Length", str(len(self.body))
        if self.redirect:
            yield "Location", self.redirect
        yield from self.headers.items()


Pages = Mapping[str, Answer | bytes | str]


@dataclass
class Website:
    """A running server, and the paths that it was asked for. Its pages may be changed."""

    host: str
    pages: dict[str, Answer | bytes | str]
    asked: list[str] = field(default_factory=list)
    agents: set[str] = field(default_factory=set)
    hosts: set[str] = field(default_factory=set)
    unmodified: list[str] = field(default_factory=list)
    """The paths of which the asker had a copy that still holds."""

    login: str = ""
    """The name and the password, with a colon, without which nothing is given."""

    @property
    def address(self) -> str:
        return f"http://{self.host}"

    def __call__(self, path: str = "/") -> str:
        """An address."""
        return self.address + path

    def answer(self, path: str, authorization: str | None = None) -> Answer:
        if self.login and authorization != f"Basic {b64encode(self.login.encode()).decode()}":
            return Answer(status=401, headers={"WWW-Authenticate": 'Basic realm="tea"'})
        try:
            found = self.pages[path]  # which may have an answer for all
        except KeyError:
            found = Answer(status=404)
        if isinstance(found, str):
            found = Answer(found.encode(), "text/html; charset=utf-8")
        return Answer(found) if isinstance(found, bytes) else found


@contextlib.contextmanager
def website(
    pages: Pages | None = None,
    place: tuple[str, int] = HERE,
    secured: ssl.SSLContext | None = None,
) -> Iterator[Website]:
    """Serve pages by path; everything else is not found."""
    ending = threading.Event()
    held: Any = copy(pages or {})  # a `defaultdict` stays one

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            running.asked.append(self.path)
            running.agents.add(self.headers["User-Agent"])
            running.hosts.add(self.headers["Host"])
            answer = running.answer(self.path, self.headers["Authorization"])
            if _is_known(answer, self.headers):
                running.unmodified.append(self.path)
                answer = replace(answer, status=304, body=b"")
            ending.wait(answer.delay)
            with contextlib.suppress(OSError):  # nobody waits for it any more
                self.send_response(302 if answer.redirect else answer.status)
                for name, value in answer.lines():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer.body)

        do_POST = do_GET  # noqa: N815 – as http.server names it

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

    with Server(place, Handler) as server:
        if secured:
            server.socket = secured.wrap_socket(server.socket, server_side=True)
        running = Website(f"{place[0]}:{server.server_port}", held)
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield running
        finally:
            ending.set()
            server.shutdown()
            thread.join()


def _is_known(answer: Answer, asked: Message) -> bool:
    """Whether the asker has this very answer."""
    known = {"ETag": "If-None-Match", "Last-Modified": "If-Modified-Since"}
    return any(
        asked.get(header) == answer.headers[name]
        for name, header in known.items()
        if name in answer.headers
    )


def nobody() -> str:
    """An address at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"http://127.0.0.1:{server.getsockname()[1]}/"


@contextlib.contextmanager
def silent_site() -> Iterator[str]:
    """An address that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"


@contextlib.contextmanager
def doorkeeper(
    place: tuple[str, int] = HERE, guests: list[str] | None = None
) -> Iterator[tuple[str, list[str]]]:
    """An address, and a list of those who came to it: `guests`, if that is given."""
    visitors: list[str] = [] if guests is None else guests
    family = socket.AF_INET6 if ":" in place[0] else socket.AF_INET
    with socket.create_server(place, family=family, backlog=100) as server:
        server.settimeout(0.05)
        closing = threading.Event()

        def watch() -> None:
            while not closing.is_set():
                with contextlib.suppress(TimeoutError):
                    visitor, _ = server.accept()
                    visitors.append("")  # some say nothing
                    visitor.settimeout(0.5)
                    with visitor, contextlib.suppress(OSError):
                        visitors[-1] = visitor.recv(100).decode("latin-1")

        thread = threading.Thread(target=watch, daemon=True)
        thread.start()
        try:
            yield f"{place[0]}:{server.getsockname()[1]}", visitors
        finally:
            closing.set()
            thread.join()
