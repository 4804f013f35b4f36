"""The embedded and the pdf renderer, as the program sees them: a pool of worker processes."""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from typing import Any

from pagesight import errors
from pagesight.errors import RenderCrash, RenderError, RenderTimeout
from pagesight.page import Page
from pagesight.render.renderer import RenderOptions
from pagesight.render.worker.protocol import receive, send
from pagesight.sources import Kind, Source

MEMORY_LIMIT = 3072  # MB of address space of a worker
PAGES_PER_WORKER = 200  # after which a worker is replaced: libraries leak


class WorkerRenderer:
    """Renders in worker processes: HTML with the embedded engine, or PDF."""

    def __init__(self, name: str, options: RenderOptions) -> None:
        self.name = name
        self._options = options
        self._idle: queue.LifoQueue[_Worker | None] = queue.LifoQueue()
        for _ in range(options.jobs):
            self._idle.put(None)  # a place for a worker that is started when it is needed
        self._busy: set[_Worker] = set()
        self._closed = False
        atexit.register(self.close)

    @property
    def version(self) -> str:
        """The version of the library that renders."""
        if self.name == "pdf":
            from pagesight.render.pdf import version
        else:
            from pagesight.render.embedded.layout import version
        return version()

    def render(self, source: Source) -> Page:
        """Lay a page out in a worker."""
        request = {
            "renderer": self.name,
            "url": source.url,
            "path": str(source.path) if source.path else None,
            "root": str(source.root) if source.root else None,
            "viewport": self._options.viewport,
            "max_nodes": self._options.max_nodes,
            "timeout": self._options.timeout,
        }
        payload = source.data if source.kind is Kind.PDF else source.text.encode()
        answer, data = self._ask(source.name, request, payload)
        if not answer.get("ok"):
            raise _error(answer, source.name)
        return Page.from_bytes(data, source=source.name)

    def close(self) -> None:
        """End all workers."""
        atexit.unregister(self.close)
        self._closed = True
        with contextlib.suppress(queue.Empty):
            while True:
                if worker := self._idle.get_nowait():
                    worker.kill()
        for worker in list(self._busy):
            worker.kill()

    def _ask(
        self, name: str, request: dict[str, Any], payload: bytes
    ) -> tuple[dict[str, Any], bytes]:
        worker = self._idle.get()
        keep: _Worker | None = None
        try:
            if worker is None or not worker.alive:
                worker = _Worker()
            self._busy.add(worker)
            answer = worker.ask(name, request, payload, self._options.timeout)
            if worker.pages < PAGES_PER_WORKER:
                keep = worker
            return answer
        finally:
            if worker is not None:
                self._busy.discard(worker)
                if keep is None or self._closed:
                    worker.kill()
                    keep = None
            self._idle.put(keep)


class _Worker:
    """One process. Whoever holds it talks to it alone."""

    def __init__(self) -> None:
        self.pages = 0
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pagesight.render.worker", str(MEMORY_LIMIT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def ask(
        self, name: str, request: dict[str, Any], payload: bytes, timeout: float
    ) -> tuple[dict[str, Any], bytes]:
        """Send a page and wait for the answer; a worker that is late is ended."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        late = threading.Event()

        def end() -> None:
            late.set()
            process.kill()

        watch = threading.Timer(timeout, end)
        watch.daemon = True
        watch.start()
        self.pages += 1
        try:
            send(process.stdin, request, payload)
            return receive(process.stdout)
        except (EOFError, OSError, ValueError) as error:
            process.wait()
            raise self._death(name, timeout, late.is_set()) from error
        finally:
            watch.cancel()

    def kill(self) -> None:
        """End the process and close its pipes."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _death(self, name: str, timeout: float, late: bool) -> RenderError:
        code = self._process.returncode
        if late or code == -getattr(signal, "SIGALRM", 14):
            return RenderTimeout(
                f"not rendered within {timeout:g} s",
                source=name,
                hint="raise the limit with --timeout",
            )
        return RenderCrash(f"the layout process died ({_describe(code)})", source=name)


def _describe(code: int) -> str:
    if code < 0:
        with contextlib.suppress(ValueError):
            return signal.Signals(-code).name
    return f"status {code}"


def _error(answer: dict[str, Any], name: str) -> errors.PagesightError:
    kind = getattr(errors, str(answer.get("kind")), RenderCrash)
    if not (isinstance(kind, type) and issubclass(kind, RenderError)):
        kind = RenderCrash
    hint = answer.get("hint")
    error: errors.PagesightError = kind(
        str(answer.get("message")), source=name, hint=str(hint) if hint else None
    )
    return error
