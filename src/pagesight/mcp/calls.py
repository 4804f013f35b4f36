"""Calls of tools: off the event loop, a few at a time, and within a time limit."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
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
    """Does the work of calls in threads. Python cannot end a thread: work ends at its next step."""

    def __init__(self, jobs: int, seconds: float) -> None:
        self.seconds = seconds
        self._threads = ThreadPoolExecutor(jobs, thread_name_prefix="pagesight-mcp")

    async def run(self, work: Callable[[Call], T]) -> T:
        """The result of work; raises `CallTimeout`, also for work that had to wait too long."""
        call = Call(self.seconds)
        future = self._threads.submit(work, call)
        try:
            with anyio.fail_after(self.seconds):
                return await asyncio.wrap_future(future)
        except TimeoutError:
            raise CallTimeout(
                f"not answered within {self.seconds:g} s",
                hint="what was begun may still be completed; ask for less, or start the server "
                "with a larger --call-time",
            ) from None
        finally:
            call.ended.set()

    def close(self) -> None:
        """End, without waiting for work that is not done."""
        self._threads.shutdown(wait=False, cancel_futures=True)
