"""A worker process as the program sees it: it is asked, and answers, or dies."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from typing import Any

from pagesight.render.worker.protocol import receive, send

Answer = tuple[dict[str, Any], bytes]
_TIMERS = ("SIGALRM", "SIGPROF")  # by which a worker ends itself in time; Windows has none


class ProcessDied(Exception):
    """A process ended before it answered; the message is how."""


class WorkerProcess:
    """One process that runs a module with `arguments`. Only its holder talks to it."""

    def __init__(self, module: str, *arguments: str) -> None:
        self.pages = 0
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # One heap for all threads: the limit counts reserved memory, used or not.
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
                "MALLOC_ARENA_MAX": "1",
            },
        )

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    @property
    def process_id(self) -> int:
        return self._process.pid

    def ask(
        self, request: dict[str, Any], payload: bytes = b"", *, within: float | None = None
    ) -> Answer:
        """Send a question and wait for the answer: a `TimeoutError` or `ProcessDied` if none comes.

        It may take `within` seconds.
        """
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        late = threading.Event()

        def end() -> None:
            late.set()
            process.kill()

        watch = threading.Timer(within or 0.0, end)
        watch.daemon = True
        if within is not None:
            watch.start()
        self.pages += 1
        try:
            send(process.stdin, request, payload)
            return receive(process.stdout)
        except (EOFError, OSError, ValueError) as error:
            reason = how_ended(process.wait())
            if late.is_set() or reason in _TIMERS:
                raise TimeoutError from error
            raise ProcessDied(reason) from error
        finally:
            watch.cancel()

    def close(self, patience: float) -> None:
        """End the process as soon as it notices that nothing more is asked, or after a time."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            self._process.stdin.close()
            self._process.wait(patience)
        self.kill()

    def kill(self) -> None:
        """End the process and close its pipes."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def how_ended(code: int) -> str:
    """The status of a process that has ended, or the signal that has ended it."""
    if code < 0:
        with contextlib.suppress(ValueError):
            return signal.Signals(-code).name
    return f"status {code}"
