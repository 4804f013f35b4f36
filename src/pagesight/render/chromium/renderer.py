"""The chromium renderer: a browser in its own thread, behind a plain function."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import os
import threading
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import CancelledError, Future
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from pagesight.errors import (
    AddressRefused,
    NoBrowser,
    PageTooComplex,
    RenderCrash,
    RenderError,
)
from pagesight.page import Page, PageInfo
from pagesight.render.chromium.browser import Captured, RunningBrowser, check_live
from pagesight.render.chromium.discovery import INSTALL_HINT, VARIABLE, Browser, find_browser
from pagesight.render.chromium.snapshot import page_from_snapshot
from pagesight.render.renderer import Picture, Renderer, RenderOptions, too_slow
from pagesight.sources import Kind, Source

if TYPE_CHECKING:
    from pagesight.sources import Guard

T = TypeVar("T")
Need = tuple[bool, "Guard | None"]  # whether a browser is for live pages, and what guards them
END_TIMEOUT = 20.0


class ChromiumRenderer(Renderer):
    """Renders with an installed Chromium, which is started with the first page."""

    name = "chromium"

    def __init__(self, options: RenderOptions, browser: Browser | None = None) -> None:
        program = browser or find_browser()
        if program is None:
            raise _no_browser()
        self._program = program
        self._options = options
        self._running: dict[Need, RunningBrowser] = {}
        self._replaced: list[asyncio.Task[None]] = []  # browsers that are being closed, or were
        self._closed = False
        self._lock = threading.Lock()
        self._waiting: set[Future[Any]] = set()
        self._starting = asyncio.Lock()
        self._slots = asyncio.Semaphore(options.jobs)
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(_complain_when_debugging)
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._process = os.getpid()
        atexit.register(self.close)

    @property
    def version(self) -> str:
        """The version of the browser; starts it."""
        return self._run(self._browser((False, None))).version

    def _render(
        self, source: Source, *, picture: bool, timeout: float | None
    ) -> tuple[Page, Picture | None]:
        if source.kind not in (Kind.HTML, Kind.XHTML):
            raise RenderError("a browser renders nothing but HTML", source=source.name)
        captured, version = self._run(self._capture(source, picture, timeout))
        _check_nodes(captured.snapshot, self._options.max_nodes, source.name)
        info = PageInfo(
            renderer=self.name, renderer_version=version, url=captured.url,
            viewport=self._options.viewport, notes=captured.notes,
        )  # fmt: skip
        # Outside the browser's thread, so that other pages continue meanwhile.
        page = page_from_snapshot(captured.snapshot, info)
        return page, Picture.of_png(captured.picture) if captured.picture else None

    def close(self) -> None:
        """End the browser. Pages that are being rendered fail."""
        atexit.unregister(self.close)
        if os.getpid() != self._process:
            return  # in a child of the process that the browser belongs to
        with self._lock:
            if self._closed:
                return
            self._closed = True
            waiting = list(self._waiting)
        for future in waiting:
            future.cancel()
        with contextlib.suppress(Exception):
            asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(END_TIMEOUT)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=10)
        if not self._thread.is_alive():
            self._loop.close()

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run work in the browser's thread, and return its result."""
        with self._lock:
            if self._closed:
                work.close()
                raise RenderError("the renderer is closed")
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
            self._waiting.add(future)
        try:
            return future.result()
        except CancelledError as error:
            raise RenderError("the renderer was closed meanwhile") from error
        except BaseException:
            future.cancel()
            raise
        finally:
            self._waiting.discard(future)

    async def _browser(self, need: Need) -> RunningBrowser:
        # A start that is cancelled halfway would leave processes that nobody ends.
        return await asyncio.shield(self._start(need))

    async def _start(self, need: Need) -> RunningBrowser:
        async with self._starting:
            if self._closed:
                raise RenderError("the renderer is closed")
            running = self._running.get(need)
            if running is not None and not running.alive:
                self._replaced.append(asyncio.create_task(running.close()))
                running = None
            if running is None:
                running = await _launch(need, self._program, self._options.viewport)
                self._running[need] = running
            return running

    async def _end(self) -> None:
        async with self._starting:
            await asyncio.gather(*(running.close() for running in self._running.values()))
        await asyncio.gather(*self._replaced, return_exceptions=True)

    async def _capture(
        self, source: Source, picture: bool, timeout: float | None
    ) -> tuple[Captured, str]:
        """A page, and the version of the browser; a second attempt if the browser itself died."""
        options = replace(self._options, timeout=timeout) if timeout else self._options
        async with self._slots:
            need = (source.live, source.guard)
            browser = await self._browser(need)
            try:
                return await self._capture_in(browser, source, options, picture), browser.version
            except RenderCrash:
                if browser.alive:
                    raise
            browser = await self._browser(need)
            return await self._capture_in(browser, source, options, picture), browser.version

    async def _capture_in(
        self, browser: RunningBrowser, source: Source, options: RenderOptions, picture: bool
    ) -> Captured:
        try:
            return await browser.capture(source, options, picture=picture)
        except TimeoutError as error:
            raise too_slow(options.timeout, source.name) from error
        except (RenderError, AddressRefused) as error:
            raise error.about(source.name) from error.__cause__


async def _launch(need: Need, program: Browser, viewport: tuple[int, int]) -> RunningBrowser:
    """A running browser; a second attempt if it dies while it starts, as now and then happens."""
    launch = _launcher(*need)
    try:
        return await launch(program, viewport)
    except NoBrowser:
        return await launch(program, viewport)


def _launcher(
    live: bool, guard: Guard | None
) -> Callable[[Browser, tuple[int, int]], Awaitable[RunningBrowser]]:
    if live:
        check_live()
        from pagesight.render.chromium.live import LiveBrowser

        return partial(LiveBrowser.launch, guard=guard)
    from pagesight.render.chromium.sealed import SealedBrowser

    return SealedBrowser.launch


def _complain_when_debugging(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What a dead browser leaves unanswered shows in the errors of its pages."""
    if "PAGESIGHT_DEBUG" in os.environ:
        loop.default_exception_handler(context)


def _check_nodes(snapshot: dict[str, Any], limit: int, name: str) -> None:
    """Count all nodes of all frames; `check_count` refuses most large pages with less work."""
    count = sum(len(document["nodes"]["nodeType"]) for document in snapshot["documents"])
    if count > limit:
        raise PageTooComplex(f"{count:,} nodes, more than the limit of {limit:,}", source=name)


def _no_browser() -> NoBrowser:
    if named := os.environ.get(VARIABLE):
        return NoBrowser(f"{VARIABLE} does not name a program: {named}", hint=INSTALL_HINT)
    return NoBrowser("no Chromium found", hint=INSTALL_HINT)
