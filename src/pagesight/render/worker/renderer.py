"""The embedded and the pdf renderer, as the program sees them: a pool of worker processes."""

from __future__ import annotations

import atexit
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from pagesight import errors
from pagesight.errors import RenderCrash, RenderError
from pagesight.page import Page
from pagesight.render.renderer import Picture, Renderer, RenderOptions, too_slow
from pagesight.render.worker.process import Answer, ProcessDied, WorkerProcess
from pagesight.sources import Kind, Source

MEMORY_LIMIT = 3072  # MB of address space per worker
FIRST_TRY = 0.6  # of the time limit; in the rest, a simpler layout is tried
PATIENCE = 10.0  # times a limit of CPU time, for a worker that has to wait for its turn
PAGES_PER_WORKER = 100  # after which a worker is replaced: libraries leak


class WorkerRenderer(Renderer):
    """Renders in worker processes: HTML with the embedded engine, or PDF."""

    def __init__(self, name: str, options: RenderOptions) -> None:
        self.name = name
        self._options = options
        self._places = threading.Semaphore(options.jobs)
        self._lock = threading.Lock()
        self._idle: list[WorkerProcess] = []
        self._busy: set[WorkerProcess] = set()
        self._closed = False
        # A worker ends with the thread that started it, which must not be the caller's thread.
        self._starter = ThreadPoolExecutor(1, thread_name_prefix="pagesight-workers")
        self._process = os.getpid()
        atexit.register(self.close)

    @property
    def version(self) -> str:
        """The version of the library that renders."""
        if self.name == "pdf":
            from pagesight.render.pdf import version
        else:
            from pagesight.render.embedded.layout import version
        return version()

    def _render(
        self, source: Source, *, picture: bool, timeout: float | None
    ) -> tuple[Page, Picture | None]:
        request = {
            "picture": picture,
            "renderer": self.name,
            "url": source.url,
            "path": str(source.path) if source.path else None,
            "root": str(source.root) if source.root else None,
            "viewport": self._options.viewport,
            "max_nodes": self._options.max_nodes,
            "simple": False,
        }
        payload = (
            source.data if source.kind is Kind.PDF else source.text.encode("utf-8", "surrogatepass")
        )
        limit, in_cpu_time = timeout or self._options.timeout, self._options.cpu_time
        try:
            with self._places:
                answer, data = self._ask_twice(source.name, request, payload, limit)
        except TimeoutError as error:
            raise too_slow(limit, source.name, cpu_time=in_cpu_time) from error
        if not answer.get("ok"):
            raise _error(answer, source.name)
        size = int(answer.get("page", 0))
        page = Page.from_bytes(data[:size], source=source.name)
        return page, Picture.of_png(data[size:]) if picture else None

    def close(self) -> None:
        """End all workers. Pages that are being rendered fail."""
        atexit.unregister(self.close)
        if os.getpid() != self._process:
            return  # in a child of the process that the workers belong to
        with self._lock:
            self._closed = True
            for worker in (*self._idle, *self._busy):
                worker.kill()
            self._idle.clear()
        self._starter.shutdown(wait=False)

    def _ask_twice(
        self, name: str, request: dict[str, Any], payload: bytes, limit: float
    ) -> Answer:
        """The answer of a worker; to a simpler question if the page is too much for the engine."""
        patience = limit * (PATIENCE if self._options.cpu_time else 1.0)
        end = time.monotonic() + patience
        if request["renderer"] == "pdf" or request["picture"]:
            return self._ask(name, request | self._cpu_limit(limit), payload, end)
        try:
            first = end - (1 - FIRST_TRY) * patience
            sooner = self._cpu_limit(FIRST_TRY * limit)
            answer = self._ask(name, request | sooner, payload, first)
            if answer[0].get("kind") != RenderCrash.__name__:
                return answer
        except (TimeoutError, RenderCrash):
            pass
        simple = {**request, "simple": True} | self._cpu_limit((1 - FIRST_TRY) * limit)
        return self._ask(name, simple, payload, end)

    def _cpu_limit(self, seconds: float) -> dict[str, float]:
        """The part of a request that limits CPU time, if that is what is limited."""
        return {"cpu_time": seconds} if self._options.cpu_time else {}

    def _ask(self, name: str, request: dict[str, Any], payload: bytes, deadline: float) -> Answer:
        """The answer of a worker; of a new one if a used one died, perhaps of earlier pages."""
        worker = self._take()
        was_used = worker.pages > 0
        try:
            return self._ask_one(worker, name, request, payload, deadline)
        except RenderCrash:
            if not was_used or time.monotonic() >= deadline:
                raise
        return self._ask_one(self._take(), name, request, payload, deadline)

    def _ask_one(
        self,
        worker: WorkerProcess,
        name: str,
        request: dict[str, Any],
        payload: bytes,
        deadline: float,
    ) -> Answer:
        reusable = False
        try:
            timeout = max(deadline - time.monotonic(), 0.0)
            answer = worker.ask({**request, "timeout": timeout}, payload, within=timeout)
            # A worker that ran out of memory once may have no room left for the next page.
            crashed = answer[0].get("kind") == RenderCrash.__name__
            reusable = worker.pages < PAGES_PER_WORKER and not crashed
            return answer
        except ProcessDied as died:
            raise RenderCrash(f"the layout process died ({died})", source=name) from died
        finally:
            self._give_back(worker, reusable)

    def _take(self) -> WorkerProcess:
        with self._lock:
            while not self._closed:
                worker = self._idle.pop() if self._idle else self._starter.submit(_started).result()
                if worker.alive:
                    self._busy.add(worker)
                    return worker
                worker.kill()
        raise RenderError("the renderer is closed")

    def _give_back(self, worker: WorkerProcess, reusable: bool) -> None:
        with self._lock:
            self._busy.discard(worker)
            if reusable and not self._closed:
                self._idle.append(worker)
                return
        worker.kill()


def _started() -> WorkerProcess:
    return WorkerProcess("pagesight.render.worker", str(MEMORY_LIMIT))


def _error(answer: dict[str, Any], name: str) -> errors.PagesightError:
    kind = getattr(errors, str(answer.get("kind")), RenderCrash)
    if not (isinstance(kind, type) and issubclass(kind, RenderError)):
        kind = RenderCrash
    hint = answer.get("hint")
    error: errors.PagesightError = kind(
        str(answer.get("message")), source=name, hint=str(hint) if hint else None
    )
    return error
