"""Calls of tools: off the event loop, a few at a time, and within a time limit."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar

import anyio

from pagesight.errors import CallTimeout

T = TypeVar("T")


class Cancelled(Exception):
    """Nobody waits for the result any more."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call, as the work that is done for it sees it."""

    seconds: float
    started: float = field(default_factory=time.monotonic)
    ended: threading.Event = field(default_factory=threading.Event)

    @property
    def time_used(self) -> float:
        """The share of the time that is over: 1 is all of it."""
        return (time.monotonic() - self.started) / self.seconds

    def go_on(self) -> None:
        """Raise `Cancelled` if the work is in vain: called between two steps of it."""
        if self.ended.is_set():
            raise Cancelled


class Calls:
    """Does the work of calls, each in a thread of its own, so many at a time; others wait.

    Python cannot end a thread: work that is in vain ends at its next step, and does not keep the
    program from ending.
    """

    def __init__(self, jobs: int, seconds: float) -> None:
        self.seconds = seconds
        self._places = anyio.Semaphore(jobs)

    async def run(self, work: Callable[[Call], T]) -> T:
        """The result of work; raises `CallTimeout`, also for work that had to wait too long."""
        call = Call(self.seconds)
        try:
            with anyio.fail_after(self.seconds):
                await self._places.acquire()
                return await asyncio.wrap_future(self._begun(work, call))
        except TimeoutError:
            raise CallTimeout(
                f"not answered within {self.seconds:g} s",
                hint="what was begun may still be completed; ask for less, or start the server "
                "with a larger --call-time",
            ) from None
        finally:
            call.ended.set()

    def _begun(self, work: Callable[[Call], T], call: Call) -> Future[T]:
        loop, future = asyncio.get_running_loop(), Future[T]()
        future.set_running_or_notify_cancel()  # nobody can cancel what a thread does

        def run() -> None:
            try:
                future.set_result(work(call))
            except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
                future.set_exception(error)
            with suppress(RuntimeError):  # the loop has ended meanwhile
                loop.call_soon_threadsafe(self._places.release)

        threading.Thread(target=run, name="pagesight-mcp", daemon=True).start()
        return future
