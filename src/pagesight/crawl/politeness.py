"""Polite requests: as robots.txt allows, slowly, and one at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol, TypeVar
from urllib.parse import urlsplit

from protego import Protego

from pagesight.crawl.visit import Outcome, error_fields
from pagesight.errors import (
    AddressRefused,
    FetchFailed,
    SourceError,
    SourceNotFound,
    TooManyRedirects,
)
from pagesight.sources import Limits, Request, Source, Validators, load
from pagesight.sources.fetching import Answer, fetch
from pagesight.sources.loading import decompress
from pagesight.sources.source import is_address

T = TypeVar("T")

NAME = "Pagesight"  # in robots.txt; the user agent says the same
LONGEST_DELAY = 60.0  # seconds that a site may ask us to wait; one that asks for more is left alone
LARGEST_RULES = 512 * 1024  # bytes of a robots.txt
FRESH = 24 * 3600.0  # seconds for which a robots.txt holds
FAILING = 240.0  # seconds for which one that could not be had is not asked for again


class Clock(Protocol):
    """Returns the time, and waits."""

    def time(self) -> float:
        """Seconds since some moment."""

    def sleep(self, seconds: float, /) -> None:
        """Wait."""


class Journal(Protocol):
    """Where what robots.txt says is kept, for as long as it holds."""

    @property
    def rows(self) -> Sequence[dict[str, Any]]:
        """What was written so far; other rows are none of our business."""

    def add(self, fields: dict[str, Any], /) -> None:
        """Write a row."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What a server allows robots to do; an `error` if that is unknown."""

    parsed: Protego
    time: float
    """When they were asked for."""

    error: dict[str, str] | None = None

    def hold(self, now: float) -> bool:
        """Whether they need not be asked for again."""
        return now - self.time < (FAILING if self.error else FRESH)

    @property
    def delay(self) -> float:
        """Seconds that it asks for between two requests."""
        delay = self.parsed.crawl_delay(NAME) or 0.0
        rate = self.parsed.request_rate(NAME)
        return max(delay, rate.seconds / rate.requests if rate and rate.requests else 0.0)


class Refused(Exception):
    """An address must not be asked for."""

    def __init__(self, url: str, outcome: Outcome, error: dict[str, str]) -> None:
        super().__init__(error["message"])
        self.url = url
        self.outcome = outcome
        self.error = error


class Turns(Protocol):
    """When a server may be asked, by whoever asks it."""

    def take(self, server: str) -> None:
        """Wait until it may be asked; raises a `FetchFailed` if that takes too long."""

    def end(self, server: str, wait: float) -> None:
        """It was asked, and may be asked again after so many seconds."""


class OwnTurns:
    """The turns of one process."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._free: dict[str, float] = {}

    def take(self, server: str) -> None:
        """Wait until it may be asked."""
        wait = self._free.get(server, 0.0) - self._clock.time()
        if wait > 0:
            self._clock.sleep(wait)

    def end(self, server: str, wait: float) -> None:
        """It was asked."""
        self._free[server] = self._clock.time() + wait


class Visitor:
    """Asks for pages and files, one at a time. What robots.txt says is kept in the journal."""

    def __init__(
        self,
        journal: Journal,
        *,
        delay: float,
        limits: Limits,
        clock: Clock = time,
        turns: Turns | None = None,
    ) -> None:
        self.journal = journal
        self.delay = delay
        self.limits = limits
        self.clock = clock
        self.turns = turns or OwnTurns(clock)
        self._rules: dict[str, Rules] = {}
        # In a thread, so that an interrupt need not wait for an answer.
        self._thread = ThreadPoolExecutor(1)
        for row in journal.rows:
            if "robots" in row:
                rules = Rules(Protego.parse(row["text"]), row["time"], row.get("error"))
                self._rules[row["robots"]] = rules

    def close(self) -> None:
        """End, without waiting for requests that are not answered yet."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def page(self, url: str, validators: Validators | None = None) -> Source:
        """The page at an address; raises a `SourceError`, or `Refused`.

        With the `validators` of a copy, it may be `NotModified`.
        """

        def ask(hop: str, limits: Limits) -> Source:
            return load(Request(source=hop, validators=validators), limits=limits)

        return self._followed(url, ask)

    def file(self, url: str) -> Answer:
        """The stylesheet or picture at an address; raises a `SourceError`, or `Refused`."""
        return self._followed(url, lambda hop, limits: _unpacked(fetch(hop, limits), limits))

    def _followed(self, url: str, ask: Callable[[str, Limits], T]) -> T:
        """What is at an address, or where that leads, as far as robots may go."""
        once = replace(self.limits, max_redirects=0)
        for _ in range(self.limits.max_redirects + 1):
            self._check(url)
            try:
                return self._asked(url, partial(ask, url, once))
            except TooManyRedirects as error:
                if error.location is None:
                    raise
                url = error.location
                if not is_address(url):
                    raise FetchFailed("it leads to what is not an http(s) address") from error
        raise TooManyRedirects(f"more than {self.limits.max_redirects} redirects")

    def _check(self, url: str) -> None:
        """Raise `Refused` if an address must not be asked for."""
        rules = self._rules_of(url)
        if rules.error:
            raise Refused(url, Outcome.FAILED, rules.error)
        if not rules.parsed.can_fetch(url, NAME):
            raise _forbidden(url, "robots.txt does not want this address to be visited")
        if rules.delay > LONGEST_DELAY:
            raise _forbidden(url, f"robots.txt asks for {rules.delay:g} s between two requests")

    def _asked(self, url: str, ask: Callable[[], T]) -> T:
        """What a server answers, after the delay that it asks for between two requests."""
        server = server_of(url)
        self.turns.take(server)
        try:
            return self._thread.submit(ask).result()
        finally:
            self._end_turn(server)

    def _end_turn(self, server: str) -> None:
        rules = self._rules.get(server)
        self.turns.end(server, max(self.delay, rules.delay if rules else 0.0))

    def _rules_of(self, url: str) -> Rules:
        server = server_of(url)
        known = self._rules.get(server)
        if known is None or not known.hold(self.clock.time()):
            text, error = self._robots(server)
            now = self.clock.time()
            row = {"robots": server, "time": now, "text": text}
            self.journal.add(row | ({"error": error} if error else {}))
            self._rules[server] = Rules(Protego.parse(text), now, error)
            self._end_turn(server)  # it may have asked for a longer delay
        return self._rules[server]

    def _robots(self, server: str) -> tuple[str, dict[str, str] | None]:
        """The robots.txt of a server: nothing if it has none, an error if it does not say."""
        address = f"{server}/robots.txt"
        limits = replace(self.limits, max_size=LARGEST_RULES)
        try:
            answer = self._asked(address, lambda: _unpacked(fetch(address, limits), limits))
        except SourceNotFound:
            return "", None
        except AddressRefused:
            raise  # which says nothing about the server, and may be allowed the next time
        except SourceError as error:
            fields = error_fields(error)
            return "", {**fields, "message": f"robots.txt: {fields['message']}"}
        return answer.data.decode("utf-8", errors="replace"), None


def _unpacked(answer: Answer, limits: Limits) -> Answer:
    return replace(answer, data=decompress(answer.data, limits.max_size))


def server_of(url: str) -> str:
    """The server of an address, which is asked for one thing at a time."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.lower()}"


def _forbidden(url: str, message: str) -> Refused:
    return Refused(url, Outcome.FORBIDDEN, {"kind": "forbidden", "message": message})
