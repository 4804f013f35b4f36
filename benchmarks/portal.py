"""The portal under load: how long people wait, how late pages are looked at, and what that takes.

    python benchmarks/portal.py                             everything, about 10 minutes
    python benchmarks/portal.py --seconds 5 --pages 20 --renders 40

A board of 24 parts is asked for by 20 people, each of them every two seconds, while a worker
renders pages that have changed. A bare Starlette application that sends as many bytes is asked in
the same way before and after, so that a slow machine is seen as such. Then pages become due at the
pace of 1,000 pages every 30 minutes; `--pages 100` is a tenth of that, in 3 minutes. In the end
pages are rendered again and again, and memory is measured: the proportional share of all processes.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psutil  # type: ignore[import-untyped]
from sqlalchemy import update

from database_server import database
from pagesight.portal.portal import Portal
from pagesight.portal.settings import Settings
from pagesight.watch.store import tables as watched
from portal_server import Filled, Served, Town, fill, free_port, served, town, waited_for

PARTS, USERS, EVERY = 24, 20, 2.0
PACE = 1.8  # seconds from one page that is due to the next: 1,000 in 30 minutes
BARE = """
import sys, uvicorn
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route
body = "x" * int(sys.argv[2])
def page(_): return HTMLResponse(body)
uvicorn.run(Starlette(routes=[Route("/", page)]), port=int(sys.argv[1]), log_level="error")
"""


@dataclass(frozen=True)
class Times:
    """How long answers took, in milliseconds."""

    sorted: list[float]
    wrong: int = 0

    def at(self, share: float) -> float:
        return self.sorted[min(len(self.sorted) - 1, int(share * len(self.sorted)))]

    def __str__(self) -> str:
        told = (
            f"median {self.at(0.5):6.1f} ms, p95 {self.at(0.95):6.1f} ms, {len(self.sorted)} times"
        )
        return told + (f", {self.wrong} WRONG" if self.wrong else "")


@dataclass(frozen=True)
class Asked:
    """What is asked for, and the status of the right answer."""

    port: int
    path: str
    headers: dict[str, str]
    status: int = 200


def measured(asked: Asked, seconds: float, users: int = USERS) -> Times:
    """How long people wait who ask for the same thing, each of them every two seconds."""
    times: list[float] = []
    wrong: list[int] = []
    until = time.monotonic() + seconds

    def person(number: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", asked.port, timeout=60)
        time.sleep(EVERY * number / users)
        with contextlib.closing(connection):
            while time.monotonic() < until:
                began = time.monotonic()
                connection.request("GET", asked.path, headers=asked.headers)
                response = connection.getresponse()
                response.read()
                took = time.monotonic() - began
                times.append(1000 * took)
                if response.status != asked.status:
                    wrong.append(response.status)
                time.sleep(max(0.0, EVERY - took))

    threads = [threading.Thread(target=person, args=(number,)) for number in range(users)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return Times(sorted(times), len(wrong))


@contextlib.contextmanager
def bare_server(size: int) -> Iterator[int]:
    """The port of an application that sends so many bytes."""
    port = free_port()
    process = subprocess.Popen([sys.executable, "-c", BARE, str(port), str(size)])
    try:
        probe = Served("", port, "")
        waited_for(probe.answers)
        yield port
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def rendering(url: str, houses: Town) -> Iterator[None]:
    """A page that has changed is due every 1.8 seconds, one after the other."""
    ending = threading.Event()

    def turn() -> None:
        with Portal.open(Settings(database=url)) as portal:
            while not ending.wait(PACE):
                houses.round += 1
                page = portal.store.pages()[houses.round % PARTS]
                _due(portal, page.id, datetime.now(UTC))

    thread = threading.Thread(target=turn)
    thread.start()
    try:
        yield
    finally:
        ending.set()
        thread.join()


def _due(portal: Portal, page: int, when: datetime) -> None:
    with portal.store.writing() as connection:
        chosen = update(watched.pages).where(watched.pages.c.id == page)
        connection.execute(chosen.values(next_check=when))


# People


def people(server: Served, filled: Filled, url: str, houses: Town, seconds: float) -> None:
    board = Asked(server.port, f"/boards/{filled.board}", {"Cookie": f"session={filled.session}"})
    token = {"Authorization": f"Bearer {filled.token}"}
    status, body, tag = _tagged(server.port, f"/api/v1/boards/{filled.board}/tiles", token)
    assert status == 200, body[:200]
    known = Asked(server.port, f"/api/v1/boards/{filled.board}/tiles", token, 200)
    _, page, _ = _tagged(server.port, board.path, board.headers)
    print(f"a board of {PARTS} parts, {len(page):,} bytes; {USERS} people, each every {EVERY:g} s")
    with bare_server(len(page)) as port, rendering(url, houses):
        bare = measured(Asked(port, "/", {}), seconds)
        times = measured(board, seconds)
        again = measured(Asked(port, "/", {}), seconds)
        tiles = measured(known, seconds)
    one = bare.at(0.95) / 2 + again.at(0.95) / 2
    print(f"  bare Starlette, before    {bare}")
    print(f"  the board                 {times}: {times.at(0.95) / one:.1f} × bare")
    print(f"  bare Starlette, after     {again}")
    print(f"  its tiles as JSON         {tiles}")
    with bare_server(0) as port:
        bare = measured(Asked(port, "/", {}), seconds)
        _, _, tag = _tagged(server.port, known.path, token)
        unchanged = Asked(server.port, known.path, {**token, "If-None-Match": tag}, 304)
        times = measured(unchanged, seconds)
    print(f"  304, nothing is rendered  {times}: {times.at(0.95) / bare.at(0.95):.1f} × bare")


def _tagged(port: int, path: str, headers: dict[str, str]) -> tuple[int, bytes, str]:
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        return response.status, response.read(), response.getheader("ETag") or ""


# Pages


def pages_in_time(server: Served, url: str, houses: Town, count: int) -> None:
    """Let pages become due one after the other, and see how late they are looked at."""
    houses.round += 1
    with Portal.open(Settings(database=url)) as portal:
        pages = portal.store.pages()[:count]
        begin = datetime.now(UTC) + timedelta(seconds=2)
        due = {}
        for number, page in enumerate(pages):
            due[page.id] = begin + timedelta(seconds=PACE * number)
            _due(portal, page.id, due[page.id])
        used, start = _cpu(server), time.monotonic()
        until = PACE * count + 120
        waited_for(lambda: _all_checked(portal, due), most=until)
        wall = time.monotonic() - start
        cpu = _cpu(server) - used
        lags = sorted(
            (page.checked - due[page.id]).total_seconds()
            for page in portal.store.pages()
            if page.id in due and page.checked >= due[page.id]
        )
    middle, last = lags[len(lags) // 2], lags[int(0.95 * len(lags))]
    share = f"{count / 1000:g} of 1,000 pages every 30 minutes"
    print(f"{count} pages in {PACE * count:.0f} s: {share}")
    print(f"  looked at                 {len(lags)} of {count}")
    print(f"  lag                       median {middle:.1f} s, p95 {last:.1f} s")
    print(f"  CPU                       {100 * cpu / wall:.0f} % of one processor, all processes")


def _all_checked(portal: Portal, due: dict[int, datetime]) -> bool:
    time.sleep(0.5)
    return all(page.checked >= due[page.id] for page in portal.store.pages() if page.id in due)


def _cpu(server: Served) -> float:
    """Seconds of all processes of the portal, those that have ended included."""
    total = 0.0
    for process in _processes(server):
        with contextlib.suppress(psutil.Error):
            times = process.cpu_times()
            total += times.user + times.system + times.children_user + times.children_system
    return total


def _processes(server: Served) -> list[psutil.Process]:
    assert server.process
    return [psutil.Process(server.process.pid), *server.below()]


# Memory


def memory(server: Served, url: str, houses: Town, renders: int) -> None:
    """Render pages again and again."""
    with Portal.open(Settings(database=url)) as portal:
        pages, done, sizes = portal.store.pages(), 0, list[tuple[int, float]]()
        while done < renders:
            houses.round += 1
            now = datetime.now(UTC)
            for page in pages:
                _due(portal, page.id, now)
            due = {page.id: now for page in pages}
            waited_for(lambda due=due: _all_checked(portal, due), most=600)  # type: ignore[misc]
            done += len(pages)
            sizes.append((done, _megabytes(server)))
    warm = next(size for count, size in sizes if count >= renders / 4)
    print(f"memory of server, worker and browser over {done} renders")
    print(f"  after a quarter           {warm:6.0f} MB")
    print(f"  in the end                {sizes[-1][1]:6.0f} MB ({sizes[-1][1] / warm:.2f} ×)")
    print(f"  at most                   {max(size for _, size in sizes):6.0f} MB")


def _megabytes(server: Served) -> float:
    total = 0
    for process in _processes(server):
        with contextlib.suppress(psutil.Error):
            total += process.memory_full_info().pss
    return total / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=20.0, help="of each measurement")
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--renders", type=int, default=2000)
    parser.add_argument("--renderer", default="auto")
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    options = parser.parse_args()
    count = max(PARTS, options.pages)
    with (
        tempfile.TemporaryDirectory() as folder,
        database(options.database, Path(folder)) as url,
        town() as houses,
    ):
        filled = fill(url, houses, count, shown=PARTS)
        with served(url, options.renderer) as server:
            people(server, filled, url, houses, options.seconds)
            pages_in_time(server, url, houses, options.pages)
            memory(server, url, houses, options.renders)


if __name__ == "__main__":
    main()
