"""The chromium renderer: a browser in a thread of its own, behind a plain function."""

from __future__ import annotations

import asyncio
import atexit
import base64
import contextlib
import os
import re
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future
from ipaddress import ip_address
from typing import Any, TypeVar
from urllib.parse import urlsplit

from pagesight.errors import NoBrowser, PageTooComplex, RenderCrash, RenderError, RenderTimeout
from pagesight.page import Note, Page, PageInfo
from pagesight.render.chromium.browser import PAGES_PER_TAB, SANDBOX, RunningBrowser, Tab
from pagesight.render.chromium.discovery import INSTALL_HINT, Browser, find_browser
from pagesight.render.chromium.snapshot import CAPTURE, page_from_snapshot
from pagesight.render.renderer import RenderOptions
from pagesight.render.resources import BASE, Loads, Neighbourhood, readable
from pagesight.sources import Kind, Source
from pagesight.sources.fetching import user_agent

T = TypeVar("T")
QUIET_LIMIT = 5.0  # seconds to wait for a quiet network after load
END_TIMEOUT = 20.0
MOST_MOVES = 5  # that a live page may lead elsewhere
GRACE = 2.0  # seconds of the time limit that are kept for the snapshot of a page that still loads
CROWDED = 20_000  # tags; below that, counting the nodes is not worth a round trip
# Of the length on the way, or about saving instead of showing.
_NOT_PASSED_ON = frozenset(
    {"content-encoding", "content-length", "transfer-encoding", "content-disposition"}
)
_SEEN = frozenset({"document", "stylesheet", "image", "font", "script"})
_POLICY = "content-security-policy"
_LOCAL = re.compile(r"Not allowed to load local resource: (\S+)")
_LOOKED_AT = frozenset({"Stylesheet", "Image", "Font", "Media"})
_FONTS = "document.fonts.ready.then(() => 0)"
_COUNT = "document.getElementsByTagName('*').length"
_SCROLL = """async () => {
    const step = window.innerHeight, pause = 40, furthest = 40 * step;
    for (let y = 0; y < Math.min(document.documentElement.scrollHeight, furthest); y += step) {
        window.scrollTo(0, y);
        await new Promise(done => setTimeout(done, pause));
    }
    window.scrollTo(0, 0);
}"""


class ChromiumRenderer:
    """Renders with an installed Chromium. Starts it with the first page."""

    name = "chromium"

    def __init__(self, options: RenderOptions, browser: Browser | None = None) -> None:
        found = browser or find_browser()
        if found is None:
            raise NoBrowser("no Chromium found", hint=INSTALL_HINT)
        self._found = found
        self._options = options
        self._running: RunningBrowser | None = None
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
        atexit.register(self.close)

    @property
    def version(self) -> str:
        """The version of the browser; starts it."""
        return self._run(self._browser()).version

    def render(self, source: Source) -> Page:
        """Lay a page out in the browser."""
        if source.kind not in (Kind.HTML, Kind.XHTML):
            raise RenderError("only HTML goes through a browser", source=source.name)
        snapshot, info = self._run(self._capture(source))
        _check_nodes(snapshot, self._options.max_nodes, source.name)
        # Outside of the browser's thread, so that other pages go on meanwhile.
        return page_from_snapshot(snapshot, info)

    def close(self) -> None:
        """End the browser. Pages that it is at fail."""
        atexit.unregister(self.close)
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
        """The result of work in the browser's thread."""
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

    async def _browser(self) -> RunningBrowser:
        # A start that is cut off halfway would leave processes that nobody knows.
        return await asyncio.shield(self._start())

    async def _start(self) -> RunningBrowser:
        async with self._starting:
            if self._closed:
                raise RenderError("the renderer is closed")
            if self._running is not None and not self._running.alive:
                self._replaced.append(asyncio.create_task(self._running.close()))
                self._running = None
            if self._running is None:
                self._running = await RunningBrowser.launch(
                    self._found, viewport=self._options.viewport, user_agent=user_agent()
                )
            return self._running

    async def _end(self) -> None:
        async with self._starting:
            if self._running is not None:
                await self._running.close()
        await asyncio.gather(*self._replaced, return_exceptions=True)

    async def _capture(self, source: Source) -> tuple[dict[str, Any], PageInfo]:
        """The snapshot of a page; once more in a new browser if the old one died meanwhile."""
        async with self._slots:
            browser = await self._browser()
            try:
                return await self._capture_in(browser, source)
            except RenderCrash:
                if browser.alive:
                    raise
            return await self._capture_in(await self._browser(), source)

    async def _capture_in(
        self, browser: RunningBrowser, source: Source
    ) -> tuple[dict[str, Any], PageInfo]:
        from playwright.async_api import Error

        visit = _LiveVisit if source.live else _SealedVisit
        opened = browser.live_tab() if source.live else browser.sealed_tab()
        try:
            async with opened as tab:
                work = visit(tab, source, self._options, browser.empty_used_tabs).capture()
                async with asyncio.timeout(self._options.timeout):
                    snapshot, url, notes = await _or_crash(tab, work)
        except TimeoutError as error:
            raise RenderTimeout(
                f"not rendered within {self._options.timeout:g} s",
                source=source.name,
                hint="raise the limit with --timeout",
            ) from error
        except Error as error:
            reason = str(error).strip().splitlines()[0]
            raise RenderCrash(f"the browser failed ({reason})", source=source.name) from error
        except RenderError as error:
            raise error.about(source.name) from error.__cause__
        info = PageInfo(
            renderer=self.name, renderer_version=browser.version, url=url,
            viewport=self._options.viewport, notes=notes,
        )  # fmt: skip
        return snapshot, info


def _complain_when_debugging(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What a dead browser leaves unanswered is told by the errors of its pages."""
    if "PAGESIGHT_DEBUG" in os.environ:
        loop.default_exception_handler(context)


async def _or_crash(tab: Tab, work: Coroutine[Any, Any, T]) -> T:
    """The result of `work`, or `RenderCrash` as soon as the tab crashes."""
    task = asyncio.ensure_future(work)
    crash = asyncio.create_task(tab.crashed.wait())
    try:
        await asyncio.wait((task, crash), return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise RenderCrash("the tab crashed")
        return task.result()
    finally:
        for pending in (task, crash):
            pending.cancel()
        await asyncio.gather(task, crash, return_exceptions=True)


Captured = tuple[dict[str, Any], str | None, tuple[Note, ...]]


class _SealedVisit:
    """A page from a file or from bytes: no scripts, no network, its own files from disk."""

    def __init__(
        self, tab: Tab, source: Source, options: RenderOptions, meanwhile: Callable[[], None]
    ) -> None:
        self.tab = tab
        self.source = source
        self.options = options
        self.meanwhile = meanwhile
        self.loads = Loads()
        self.files = Neighbourhood(source.path, source.root)
        self.answering: set[asyncio.Task[None]] = set()
        self.document_pending = source.kind is Kind.XHTML
        self.loaded = asyncio.Event()
        self.fonts = "@font-face" in source.text

    async def capture(self) -> Captured:
        self.tab.listen(self._listen)
        if self.document_pending:
            # Only a navigation makes the browser parse XML; HTML cannot replace that document.
            self.tab.pages = PAGES_PER_TAB
            await self.tab.send("Page.navigate", url=BASE)
        else:
            await asyncio.gather(  # in this order
                self.tab.admit(whole_site=self.source.root is not None),
                self.tab.ignore_policies(_POLICY in self.source.text.lower()),
                self.tab.send(
                    "Page.setDocumentContent", frameId=self.tab.frame, html=self.source.text
                ),
            )
        await self.loaded.wait()
        if self.source.data.count(b"<") > CROWDED:
            await _check_count(self.tab, self.options.max_nodes)
        if self.fonts:
            await self.tab.send("Runtime.evaluate", expression=_FONTS, awaitPromise=True)
        taking = asyncio.ensure_future(self.tab.send("DOMSnapshot.captureSnapshot", **CAPTURE))
        await asyncio.sleep(0)  # Once the command is sent, there is time for something else.
        self.meanwhile()
        scripts = _scripts_note(self.source)
        snapshot = await taking
        return snapshot, self.source.url, (*self.loads.notes(), *scripts)

    def _listen(self, event: str, parameters: dict[str, Any]) -> None:
        if event == "Page.loadEventFired":
            self.loaded.set()
        elif event == "Fetch.requestPaused":
            self._answer(parameters)
        elif event == "Network.requestWillBeSent":
            self._note_blocked(parameters["request"]["url"])
        elif named := _LOCAL.search(parameters.get("entry", {}).get("text", "")):
            self._note_blocked(named[1])

    def _note_blocked(self, url: str) -> None:
        """A request, which fails if it is not for one of the page's own files."""
        if url.startswith(("http:", "https:", "file:", "ftp:")) and self.files.find(url) is None:
            self.loads.blocked.add(readable(url))

    def _answer(self, request: dict[str, Any]) -> None:
        task = asyncio.create_task(self._fulfil(request))
        self.answering.add(task)
        task.add_done_callback(self.answering.discard)

    async def _fulfil(self, paused: dict[str, Any]) -> None:
        identifier, url = paused["requestId"], paused["request"]["url"]
        main = paused["resourceType"] == "Document" and paused["frameId"] == self.tab.frame
        found = None
        if not main:
            # Whatever is not certain to be only looked at may become text of the page.
            readable = paused["resourceType"] not in _LOOKED_AT
            found = self.files.load(url, document=readable, loads=self.loads)
        with contextlib.suppress(Exception):  # the page may be gone meanwhile
            if main:
                await self._answer_navigation(identifier)
            elif found is None:
                await self.tab.send(
                    "Fetch.failRequest", requestId=identifier, errorReason="BlockedByClient"
                )
            else:
                self.fonts = self.fonts or b"@font-face" in found.data
                await self._send(identifier, found.data, found.media_type)

    async def _answer_navigation(self, identifier: str) -> None:
        if self.document_pending:
            self.document_pending = False
            data = self.source.text.encode()
            await self._send(identifier, data, "application/xhtml+xml; charset=utf-8")
        else:  # "no content": the browser stays where it is
            await self.tab.send("Fetch.fulfillRequest", requestId=identifier, responseCode=204)

    async def _send(self, identifier: str, data: bytes, media_type: str) -> None:
        await self.tab.send(
            "Fetch.fulfillRequest",
            requestId=identifier,
            responseCode=200,
            responseHeaders=[
                {"name": "Content-Type", "value": media_type},
                {"name": "Cache-Control", "value": "no-store"},
                SANDBOX,
                {"name": "Access-Control-Allow-Origin", "value": "*"},  # fonts ask for it
            ],
            body=base64.b64encode(data).decode(),
        )


def _scripts_note(source: Source) -> tuple[Note, ...]:
    """Scripts of a page from a file are not run: the page may be less than its author meant."""
    markup = source.text.lower()
    count = markup.count("<script") - markup.count("application/ld+json")
    return (Note("scripts", "not run", count),) if count > 0 else ()


class _LiveVisit:
    """A page at its address: scripts and network on, the document itself as it was fetched."""

    def __init__(
        self, tab: Tab, source: Source, options: RenderOptions, meanwhile: Callable[[], None]
    ) -> None:
        self.tab = tab
        self.source = source
        self.options = options
        self.meanwhile = meanwhile
        self.notes: list[Note] = []
        self.loads = Loads()

    async def capture(self) -> Captured:
        page = self.tab.page
        address = self.source.url or self.source.name
        page.on("requestfailed", lambda request: self._miss(request))
        page.on("response", lambda response: self._miss_if_refused(response))
        await self._open_own_network(address)
        # The first request is that for the document; a pattern might not match its address.
        await page.route("**/*", self._first_document, times=1)
        patience = max(self.options.timeout - GRACE, self.options.timeout / 2)
        try:
            async with asyncio.timeout(patience):
                await self._arrive(address)
        except TimeoutError:
            self.notes.append(Note("timeout", f"still loading after {patience:g} s"))
        await _check_count(self.tab, self.options.max_nodes)
        self.meanwhile()
        snapshot = await self.tab.send("DOMSnapshot.captureSnapshot", **CAPTURE)
        url = page.url if page.url.startswith(("http:", "https:")) else address
        return snapshot, url, (*self.loads.notes(), *self.notes)

    def _miss_if_refused(self, response: Any) -> None:
        if response.status >= 400:
            self._miss(response.request)

    def _miss(self, request: Any) -> None:
        # What is broken off is not missed: the page has changed its mind, or leads elsewhere.
        if request.resource_type in _SEEN and request.failure != "net::ERR_ABORTED":
            self.loads.missing.add(request.url[:500])

    async def _open_own_network(self, address: str) -> None:
        """Let a page of the local network load from there; pages of the web must not.

        The browser cannot tell by itself: it gets the document from here, not from its server.
        """
        from playwright.async_api import Error

        if await _is_local(urlsplit(address).hostname or ""):
            with contextlib.suppress(Error):  # browsers before 2025 do not ask for it
                await self.tab.context.grant_permissions(["local-network-access"])

    async def _arrive(self, address: str) -> None:
        """Go to a page, and on with it if it leads elsewhere meanwhile."""
        from playwright.async_api import Error

        page = self.tab.page
        with contextlib.suppress(Error):  # it leads elsewhere before it is loaded
            await page.goto(address, wait_until="load", timeout=0)
        for _ in range(MOST_MOVES):
            with contextlib.suppress(Error):
                await page.wait_for_load_state("load", timeout=0)
                await self._settle()
                return
            if page.is_closed():
                raise RenderCrash("the page has closed its tab")
        self.notes.append(Note("moves", "the page keeps leading elsewhere"))

    async def _first_document(self, route: Any) -> None:
        """Answer with the bytes that were fetched already: a page is asked for once."""
        headers = {name: value for name, value in self.source.headers if name not in _NOT_PASSED_ON}
        if not headers.get("content-type", "").startswith(("text/html", "application/xhtml+xml")):
            headers["content-type"] = "text/html"  # whatever else it says, it is markup
        await route.fulfill(status=200, headers=headers, body=self.source.data)

    async def _settle(self) -> None:
        """Wait for a quiet network, trigger lazy pictures by a scroll, and wait again."""
        await self._quiet()
        await self.tab.page.evaluate(_SCROLL)
        await self._quiet()

    async def _quiet(self) -> None:
        from playwright.async_api import TimeoutError as PlaywrightTimeout

        try:
            await self.tab.page.wait_for_load_state("networkidle", timeout=QUIET_LIMIT * 1000)
        except PlaywrightTimeout:
            self.notes.append(Note("timeout", f"network not quiet after {QUIET_LIMIT:g} s"))


async def _is_local(host: str) -> bool:
    """Whether a host is this machine, or near it."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, None)
        return all(ip_address(entry[4][0]).is_private for entry in found)
    except (OSError, ValueError):
        return False


async def _check_count(tab: Tab, limit: int) -> None:
    answer = await tab.send("Runtime.evaluate", expression=_COUNT)
    count = answer.get("result", {}).get("value", 0)
    if count > limit:
        raise PageTooComplex(f"{count:,} elements, more than the limit of {limit:,}")


def _check_nodes(snapshot: dict[str, Any], limit: int, name: str) -> None:
    """All nodes of all frames; `_check_count` only spares the work for most pages beyond it."""
    count = sum(len(document["nodes"]["nodeType"]) for document in snapshot["documents"])
    if count > limit:
        raise PageTooComplex(f"{count:,} nodes, more than the limit of {limit:,}", source=name)
