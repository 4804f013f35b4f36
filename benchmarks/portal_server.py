"""What benchmarks of the portal share: websites that change, a filled portal, and a server."""

from __future__ import annotations

import contextlib
import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import psutil  # type: ignore[import-untyped]

from pagesight.portal.portal import Portal
from pagesight.portal.settings import Settings
from pagesight.portal.work.worker import Worker

PASSWORD = "a cup of tea"
PATIENCE = 60.0  # seconds for a server to start, on a busy machine
MOST_HOSTS = 250  # addresses of this machine: 127.0.0.2 and so on
PAGE = """<!doctype html><html><head><title>Tea house {number}</title></head><body>
<h1>The tea house number {number} by the river</h1>
<div id="news"><h2>News of house {number}</h2><p>What happens in the house, told every morning by
whoever is first to open the shutters, light the stove and fill the kettles.</p>
<ul><li><a href="/{number}/{round}">Round {round} of the tea house {number}</a></li>
<li><a href="/{number}/about">The house and who keeps it</a></li></ul></div>
<div id="hours"><h2>Opening hours</h2><p>We open at eight and close when the last guest leaves.</p>
</div></body></html>"""
PART = "/html/body/div[1]"


@dataclass
class Town:
    """Tea houses with a page each, at addresses of this machine. All are in the same round."""

    port: int
    round: int = 0
    asked: list[float] = field(default_factory=list)

    def address(self, number: int) -> str:
        return f"http://127.0.0.{2 + number % MOST_HOSTS}:{self.port}/{number}"

    def page(self, number: int) -> bytes:
        return PAGE.format(number=number, round=self.round).encode()


@contextlib.contextmanager
def town() -> Iterator[Town]:
    """Websites that change when the round does."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if not self.path[1:].isdigit():
                self.send_error(404)
                return
            running.asked.append(time.monotonic())
            body = running.page(int(self.path[1:]))
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            with contextlib.suppress(OSError):
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False
        request_queue_size = 128

    with Server(("0.0.0.0", 0), Handler) as server:
        running = Town(server.server_port)
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield running
        finally:
            server.shutdown()
            thread.join()


@dataclass(frozen=True)
class Filled:
    """A database with a board full of tiles, and what lets a program use it."""

    token: str
    session: str
    board: str
    tiles: list[str]


def fill(url: str, town: Town, pages: int, shown: int | None = None) -> Filled:
    """An account with a board that has a part of each page; only the first are `shown` on it."""
    config = Settings(database=url, private=True, renderer="embedded", delay=0.0)
    with Portal.open(config) as portal, Worker(config) as worker:
        ann = portal.first_account("Ann", PASSWORD)
        board = portal.make_board(ann, "Tea houses")
        rest = portal.make_board(ann, "More tea houses")
        previews = [portal.preview(ann, town.address(number)) for number in range(pages)]
        worker.do_all()
        tiles = []
        for number, preview in enumerate(previews):
            tab = (rest if shown and number >= shown else board).tabs[0]
            (tile,) = portal.place(ann, tab.uid, preview.uid, xpaths=[PART])
            tiles.append(tile.uid)
        _, token = portal.make_token(ann, "Benchmark", ["read", "write", "admin"])
        session = portal.sign_in("Ann", PASSWORD, client="here")
    return Filled(token, session, board.uid, tiles)


@dataclass
class Served:
    """`pagesight serve` as a process, which may be killed and started again."""

    url: str
    port: int
    renderer: str
    process: subprocess.Popen[bytes] | None = None
    starts: list[float] = field(default_factory=list)
    """Seconds of processor time that each start took: the same on a busy machine."""

    def start(self) -> float:
        """Start it; the seconds until it answers."""
        began = time.monotonic()
        command = [
            sys.executable, "-m", "pagesight", "serve", "--port", str(self.port), "--database",
            self.url, "--allow-private", "--renderer", self.renderer,
        ]  # fmt: skip
        self.process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        while not self.answers():
            if time.monotonic() - began > PATIENCE:
                raise RuntimeError("the server does not start")
            time.sleep(0.05)
        times = psutil.Process(self.process.pid).cpu_times()
        self.starts.append(times.user + times.system)
        return time.monotonic() - began

    def answers(self) -> bool:
        try:
            return self.ask("GET", "/health")[0] < 500
        except OSError:
            return False
        except http.client.HTTPException:
            return False

    def ask(
        self, method: str, path: str, *, token: str = "", body: Any = None, timeout: float = 10.0
    ) -> tuple[int, bytes]:
        """Send a request; the status and the answer. Raises an `OSError` if there is none."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        data = None if body is None else json.dumps(body)
        if data:
            headers["Content-Type"] = "application/json"
        with contextlib.closing(connection):
            connection.request(method, path, data, headers)
            response = connection.getresponse()
            return response.status, response.read()

    def below(self) -> list[psutil.Process]:
        """All processes that it has started."""
        assert self.process
        try:
            return list(psutil.Process(self.process.pid).children(recursive=True))
        except psutil.NoSuchProcess:
            return []

    def worker(self) -> psutil.Process | None:
        return next((one for one in self.below() if _is(one, "pagesight.portal.work")), None)

    def browser(self) -> psutil.Process | None:
        return next((one for one in self.below() if _is(one, "--remote-debugging")), None)

    def kill(self) -> None:
        assert self.process
        self.process.kill()
        self.process.wait()

    def end(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.kill()


def _is(process: psutil.Process, word: str) -> bool:
    try:
        command = " ".join(process.cmdline())
    except psutil.Error:
        return False
    return word in command and not ("--type=" in command or command.startswith("/bin/sh"))


@contextlib.contextmanager
def served(url: str, renderer: str) -> Iterator[Served]:
    """A server that ends with the block."""
    running = Served(url, free_port(), renderer)
    try:
        running.start()
        yield running
    finally:
        running.end()


def free_port() -> int:
    """A port at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def waited_for(is_so: Callable[[], bool], most: float = PATIENCE) -> float:
    """The seconds until something is so."""
    began = time.monotonic()
    while not is_so():
        if time.monotonic() - began > most:
            return float("inf")
        time.sleep(0.05)
    return time.monotonic() - began
