"""A limit of processor time for a piece of work, in whichever thread it is done.

Python cannot end a thread, but it can raise an exception in one: between two steps of Python code,
and, by a signal in the main thread of Linux and macOS, also within a pattern that is being
matched. What nothing can interrupt is a single call into other compiled code, a sum over an array
for example; such calls are short, or have limits of their own.
"""

from __future__ import annotations

import ctypes
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from pagesight.errors import ReadingTimeout

T = TypeVar("T")

TICK = 0.25  # seconds between two looks at the clock
_SIGNAL = getattr(signal, "SIGPROF", None)  # there is none on Windows
_limits = threading.local()  # `end` is set while a limit holds in this thread


class _Over(BaseException):
    """Raised in the middle of the work, which must not take it for an error of its own."""


def limited(work: Callable[[], T], seconds: float) -> T:
    """The result of `work`; raises `ReadingTimeout` if that takes more CPU time of this thread.

    Within a limit, no other holds.
    """
    if getattr(_limits, "end", None) is not None:
        return work()
    watched = _by_signal if _can_signal() else _by_thread
    try:
        with watched(seconds):
            return work()
    except _Over:
        raise ReadingTimeout(
            f"not read within {seconds:g} s of CPU time",
            hint="raise the limit with --reading-time",
        ) from None


def used(thread: int | None = None) -> float:
    """The CPU time of this thread, or of another; of the process where nobody knows better."""
    if thread is None:
        return time.thread_time()
    if hasattr(time, "pthread_getcpuclockid"):
        return time.clock_gettime(time.pthread_getcpuclockid(thread))
    return time.process_time()


def _can_signal() -> bool:
    """Whether this is a thread that signals are sent to, and nobody else uses them."""
    if _SIGNAL is None or threading.current_thread() is not threading.main_thread():
        return False
    if signal.getsignal(_SIGNAL) is signal.SIG_DFL:
        signal.signal(_SIGNAL, _tick)  # for good: a late signal would end the program
    return signal.getsignal(_SIGNAL) is _tick


def _tick(*_: object) -> None:
    end = getattr(_limits, "end", None)
    if end is not None and used() > end:
        raise _Over


@contextmanager
def _by_signal(seconds: float) -> Iterator[None]:
    _limits.end = used() + seconds
    signal.setitimer(signal.ITIMER_PROF, TICK, TICK)
    try:
        yield
    finally:
        _insisting(lambda: signal.setitimer(signal.ITIMER_PROF, 0))


@contextmanager
def _by_thread(seconds: float) -> Iterator[None]:
    done, worker = threading.Event(), threading.get_ident()
    end = used(worker) + seconds

    def watch() -> None:
        while not done.wait(TICK):
            if used(worker) > end:
                _throw(worker, _Over)  # again and again: some libraries swallow what they call

    watcher = threading.Thread(target=watch, name="pagesight-limit", daemon=True)
    _limits.end = end
    watcher.start()

    def stop() -> None:
        done.set()
        watcher.join()
        _throw(worker, None)  # which was on its way

    try:
        yield
    finally:
        _insisting(stop)


def _insisting(stop: Callable[[], object]) -> None:
    """Lift a limit, even if the time is over in this very moment."""
    while True:
        try:
            stop()
            _limits.end = None
        except _Over:
            continue
        return


def _throw(thread: int, error: type[BaseException] | None) -> None:
    """Raise an error in another thread, or take back one that was not raised yet."""
    raised = None if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)
