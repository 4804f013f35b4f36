"""Work in a copy of this process, beside what this process does itself."""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Generic, TypeVar

from pagesight.errors import RenderCrash
from pagesight.render.worker.guarding import die_with_parent

T = TypeVar("T")


@contextmanager
def beside(work: Callable[[], T]) -> Iterator[Callable[[], T]]:
    """Begin some work now; yields a function that waits for its result.

    In a process with threads, or where there is no fork, the work is done when it is asked for.
    """
    if not hasattr(os, "fork") or threading.active_count() > 1:
        yield work
        return
    copy = _Copy(work)
    try:
        yield copy.result
    finally:
        copy.end()


class _Copy(Generic[T]):
    """A copy of this process. What it says is trusted as much as this process is."""

    def __init__(self, work: Callable[[], T]) -> None:
        remaining = signal.getitimer(signal.ITIMER_REAL)[0]
        self._ear, mouth = os.pipe()
        self._process = os.fork()
        if self._process == 0:
            status = 1
            with suppress(BaseException):
                die_with_parent()
                signal.setitimer(signal.ITIMER_REAL, remaining)  # a copy has none
                with os.fdopen(mouth, "wb") as stream:
                    pickle.dump(work(), stream, pickle.HIGHEST_PROTOCOL)
                status = 0
            os._exit(status)
        os.close(mouth)

    def result(self) -> T:
        """Wait for the work; raises `RenderCrash` where the copy died of it."""
        try:
            with os.fdopen(os.dup(self._ear), "rb") as stream:
                found: T = pickle.load(stream)  # noqa: S301 - our own copy wrote it
        except (EOFError, pickle.UnpicklingError) as error:
            raise RenderCrash("the layout engine failed") from error
        return found

    def end(self) -> None:
        """Leave nothing behind."""
        os.close(self._ear)
        with suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(self._process, 0)
