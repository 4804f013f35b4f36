"""The portal under kill -9: is anything lost that was acknowledged, or observed twice?

    python benchmarks/portal_kill.py                      100 kills on each of both databases
    python benchmarks/portal_kill.py --pages 5 --kills 6 --database sqlite

While somebody makes tabs and asks for checks without a pause, and all pages change, the server, its
worker, or the worker's browser is ended by SIGKILL, at random moments. A killed server is started
again at once, as an init system would do. A request that was answered with success is an
acknowledgement: what it made must be there in the end. No round of a page may be observed twice,
and observations have no gaps in their numbers. `back` is the time until the server answers, until
another worker or browser is there; a browser is started for the next page that has changed.
"""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import psutil  # type: ignore[import-untyped]

from killing import kill_on_databases
from pagesight.render.opening import choose
from pagesight.watch import Watch
from portal_server import Filled, Served, Town, fill, served, town, waited_for

PAUSE = 3.0  # seconds at most between two kills
ROUND = 2.0  # seconds between two rounds of the pages
SETTLING = 180.0  # seconds for all pages to be up to date in the end


@dataclass
class Outcome:
    """What came of all kills."""

    kills: dict[str, int] = field(default_factory=dict)
    back: dict[str, list[float]] = field(default_factory=dict)
    starts: list[float] = field(default_factory=list)
    acknowledged: int = 0
    lost: int = 0
    refused: int = 0
    observations: int = 0
    twice: int = 0
    gaps: int = 0
    missing: int = 0
    seconds: float = 0.0

    @property
    def is_flawless(self) -> bool:
        return not (self.lost or self.twice or self.gaps or self.missing)

    def lines(self) -> Iterator[str]:
        for target, count in self.kills.items():
            times = sorted(self.back[target])
            middle, last = times[len(times) // 2], times[-1]
            yield f"kills of the {target:<8} {count:>5}   back after {middle:.1f} s ({last:.1f} s)"
        yield f"a start of the server takes {max(self.starts):.1f} s of processor time at most"
        yield f"changes acknowledged               {self.acknowledged:>8,}"
        yield f"  of these lost                    {self.lost:>8,}"
        yield f"changes not acknowledged           {self.refused:>8,}"
        yield f"observations in the database       {self.observations:>8,}"
        yield f"  of these twice                   {self.twice:>8,}"
        yield f"  gaps in their numbers            {self.gaps:>8,}"
        yield f"pages not up to date in the end    {self.missing:>8,}"
        yield f"seconds                            {self.seconds:>8.0f}"


class Load:
    """Somebody who makes tabs and asks for checks without a pause, and pages that change."""

    def __init__(self, server: Served, filled: Filled, town: Town, outcome: Outcome) -> None:
        self.server = server
        self.filled = filled
        self.town = town
        self.outcome = outcome
        self.made: list[str] = []
        self._ending = threading.Event()
        self._threads = [threading.Thread(target=work) for work in (self._write, self._turn)]

    def __enter__(self) -> Load:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        for thread in self._threads:
            thread.join()

    def _turn(self) -> None:
        while not self._ending.wait(ROUND):
            self.town.round += 1

    def _write(self) -> None:
        tabs = f"/api/v1/boards/{self.filled.board}/tabs"
        number = 0
        while not self._ending.wait(0.02):
            number += 1
            name, tile = f"tab {number}", self.filled.tiles[number % len(self.filled.tiles)]
            if self._accepted("POST", tabs, {"name": name}):
                self.made.append(name)
            self._accepted("POST", f"/api/v1/tiles/{tile}/check", {})

    def _accepted(self, method: str, path: str, body: object) -> bool:
        try:
            status, _ = self.server.ask(method, path, token=self.filled.token, body=body)
        except (OSError, http.client.HTTPException):
            self.outcome.refused += 1
            return False
        return status < 300


def run(url: str, *, pages: int, kills: int, renderer: str = "auto", seed: int = 0) -> Outcome:
    """Kill so many processes of a portal with so many pages, then let it settle."""
    start, chance, outcome = time.monotonic(), random.Random(seed), Outcome()
    targets = ["server", "worker", *(["browser"] if choose(renderer) == "chromium" else [])]
    with town() as houses:
        filled = fill(url, houses, pages)
        with served(url, renderer) as server:
            waited_for(lambda: server.worker() is not None)
            with Load(server, filled, houses, outcome) as load:
                for number in range(kills):
                    time.sleep(chance.uniform(0.2, PAUSE))
                    target = targets[number % len(targets)]
                    seconds = _killed(server, target)
                    outcome.kills[target] = outcome.kills.get(target, 0) + 1
                    outcome.back.setdefault(target, []).append(seconds)
            _settle(server, filled, houses, url, outcome)
            outcome.acknowledged, outcome.starts = len(load.made), server.starts
            outcome.lost = len(set(load.made) - _tabs(server, filled))
    _compare(url, outcome)
    outcome.seconds = time.monotonic() - start
    return outcome


def _killed(server: Served, target: str) -> float:
    """Kill a part of the portal; the seconds until it is back."""
    if target == "server":
        server.kill()
        return server.start()
    find: Callable[[], psutil.Process | None] = getattr(server, target)
    waited_for(lambda: find() is not None)
    victim = find()
    if victim is None:
        return float("inf")
    victim.kill()
    return waited_for(lambda: (now := find()) is not None and now.pid != victim.pid)


def _settle(server: Served, filled: Filled, houses: Town, url: str, outcome: Outcome) -> None:
    """Ask for checks until all pages are up to date."""
    until = time.monotonic() + SETTLING
    last = f"Round {houses.round} "
    with Watch.open(url, renderer="embedded") as watch:
        while time.monotonic() < until:
            latest = watch.latest(watch.parts())
            behind = [part for part, seen in latest.items() if last not in seen.text]
            outcome.missing = len(behind)
            if not behind:
                return
            for tile in filled.tiles:
                server.ask("POST", f"/api/v1/tiles/{tile}/check", token=filled.token, body={})
            time.sleep(2)


def _tabs(server: Served, filled: Filled) -> set[str]:
    _, answer = server.ask("GET", f"/api/v1/boards/{filled.board}", token=filled.token)
    return {tab["name"] for tab in json.loads(answer)["tabs"]}


def _compare(url: str, outcome: Outcome) -> None:
    """Look at everything that was observed."""
    with Watch.open(url, renderer="embedded") as watch:
        for part in watch.parts():
            seen = watch.history(part.id)
            rounds = [_round(one.text) for one in seen]
            outcome.observations += len(seen)
            outcome.twice += len(seen) - len(set(rounds))
            outcome.gaps += [one.number for one in seen] != [*range(1, len(seen) + 1)]
            outcome.gaps += rounds != sorted(rounds)


def _round(text: str) -> int:
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("Round "))


if __name__ == "__main__":
    kill_on_databases(
        __doc__,
        lambda _, url, options: run(
            url, pages=options.pages, kills=options.kills, seed=options.seed,
            renderer=options.renderer,
        ),
        pages=10,
        kills=100,
        renderer="auto",
    )  # fmt: skip
