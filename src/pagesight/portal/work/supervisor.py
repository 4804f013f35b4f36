"""Starting workers beside the server, and starting them again when they die."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import Self

from pagesight.errors import StoreError
from pagesight.portal.settings import Settings
from pagesight.portal.store.queue import Queue
from pagesight.portal.work.worker import name_of

LOOK = 0.5  # seconds between two looks whether all are there
LONGEST_PAUSE = 4.0  # seconds until one that dies at once is started again; doubled from 0.5
SETTLED = 30.0  # seconds after which one is not taken to die at once
PATIENCE = 15.0  # seconds for workers to end

COMMAND = (sys.executable, "-m", "pagesight.portal.work")


class Supervisor:
    """Keeps workers running. Use it as a context manager.

    Workers get their settings through a pipe, which nobody else can read, and end when it does.
    """

    def __init__(self, config: Settings, queue: Queue) -> None:
        self.config = config
        self.queue = queue
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        self._clear()
        self.processes = [self._started() for _ in range(self.config.workers)]
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._thread.join()
        for process in self.processes:
            _let_end(process)
        until = time.monotonic() + PATIENCE
        for process in self.processes:
            try:
                process.wait(max(0.1, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _clear(self) -> None:
        """Let others do what dead workers of this machine have taken."""
        host = name_of(0).rpartition(":")[0]
        for name in self.queue.known_workers():
            machine, _, process = name.rpartition(":")
            if machine == host and not _is_alive(int(process)):
                self.queue.gone(name)

    def _started(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE)
        assert process.stdin
        with suppress(BrokenPipeError):
            process.stdin.write(json.dumps(passed_on(self.config)).encode() + b"\n")
            process.stdin.flush()
        return process

    def _watch(self) -> None:
        pauses = [LOOK] * len(self.processes)
        born = [time.monotonic()] * len(self.processes)
        while not self._stopping.wait(LOOK):
            for at, process in enumerate(self.processes):
                if process.poll() is None:
                    continue
                lived = time.monotonic() - born[at]
                pauses[at] = LOOK if lived > SETTLED else min(LONGEST_PAUSE, 2 * pauses[at])
                if lived < pauses[at]:
                    continue
                _let_end(process)
                with suppress(StoreError):  # its leases run out anyway
                    self.queue.gone(name_of(process.pid))
                born[at] = time.monotonic()
                with suppress(OSError):  # too many processes, or no memory: the next time, then
                    self.processes[at] = self._started()


def _let_end(process: subprocess.Popen[bytes]) -> None:
    """Close the pipe of a worker, which ends then, if it has not yet."""
    assert process.stdin
    with suppress(OSError):
        process.stdin.close()


def passed_on(config: Settings) -> dict[str, object]:
    """The settings that a worker needs, as plain values."""
    return {
        "database": config.database,
        "public_address": config.address,
        "private": config.private,
        "threads": config.threads,
        "renderer": config.renderer if isinstance(config.renderer, str) else config.renderer.name,
        "timeout": config.timeout,
        "delay": config.delay,
    }


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
