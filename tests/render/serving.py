"""Servers on this machine, for pages at an address."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Reply:
    """What a server says at one path."""

    body: bytes = b""
    media_type: str = "text/html"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0


@dataclass
class Site:
    """A running server, and the paths that it was asked for."""

    address: str
    asked: list[str] = field(default_factory=list)


@contextlib.contextmanager
def site(replies: Mapping[str, Reply | bytes]) -> Iterator[Site]:
    """Serve `replies` by path; everything else is not found."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            running.asked.append(self.path)
            try:
                reply = replies[self.path]
            except KeyError:
                reply = Reply(status=404)
            with contextlib.suppress(OSError):  # the browser is gone meanwhile
                self.answer(Reply(reply) if isinstance(reply, bytes) else reply)

        def answer(self, reply: Reply) -> None:
            time.sleep(reply.delay)
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.media_type)
            self.send_header("Content-Length", str(len(reply.body)))
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

    with Server(("127.0.0.1", 0), Handler) as server:
        running = Site(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield running
        finally:
            server.shutdown()
            thread.join()


@contextlib.contextmanager
def silent_site() -> Iterator[str]:
    """An address that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"


@contextlib.contextmanager
def doorkeeper() -> Iterator[tuple[str, list[str]]]:
    """An address, and a list of those who came to it."""
    visitors: list[str] = []
    with socket.create_server(("127.0.0.1", 0), backlog=100) as server:
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
            yield f"127.0.0.1:{server.getsockname()[1]}", visitors
        finally:
            closing.set()
            thread.join()
