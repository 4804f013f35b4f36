"""The browser for live pages: scripts and network are on, and Playwright drives it.

Playwright comes with the extra `live`. Each page gets a context of its own, without the cookies,
cache or storage of other pages.
"""

from __future__ import annotations

import asyncio
import contextlib
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pagesight.errors import LiveNotInstalled, RenderCrash
from pagesight.page import Note
from pagesight.render.chromium.browser import (
    ARGUMENTS,
    AT_REST,
    CLOSE_TIMEOUT,
    COUNT,
    LAUNCH_TIMEOUT,
    TAB_TIMEOUT,
    Captured,
    check_count,
    does_not_start,
    or_crash,
    picture_of,
    sandboxed,
)
from pagesight.render.chromium.discovery import LIVE_HINT, Browser, live_installed
from pagesight.render.chromium.snapshot import CAPTURE
from pagesight.render.renderer import RenderOptions
from pagesight.render.resources import Loads
from pagesight.sources import Source
from pagesight.sources.fetching import user_agent

if TYPE_CHECKING:
    from playwright.async_api import Browser as PlaywrightBrowser
    from playwright.async_api import BrowserContext, CDPSession, HttpCredentials, Page, Playwright

QUIET_LIMIT = 5.0  # seconds to wait for a quiet network after load
MOST_MOVES = 5  # times that a live page may navigate to another address
GRACE = 2.0  # seconds of the time limit reserved for the snapshot of a page that is still loading
# About the encoding of the transfer, or about saving instead of showing.
_NOT_PASSED_ON = frozenset(
    {"content-encoding", "content-length", "transfer-encoding", "content-disposition"}
)
_SEEN = frozenset({"document", "stylesheet", "image", "font", "script"})
_SCROLL = """async () => {
    const step = window.innerHeight, pause = 40, furthest = 40 * step;
    for (let y = 0; y < Math.min(document.documentElement.scrollHeight, furthest); y += step) {
        window.scrollTo(0, y);
        await new Promise(done => setTimeout(done, pause));
    }
    window.scrollTo(0, 0);
}"""


class LiveBrowser:
    """A browser process with Playwright's driver beside it."""

    def __init__(
        self, playwright: Playwright, browser: PlaywrightBrowser, viewport: tuple[int, int]
    ) -> None:
        self.version: str = browser.version
        self._playwright = playwright
        self._browser = browser
        self._viewport = viewport
        self._healthy = True
        self._closing: set[asyncio.Task[None]] = set()

    @classmethod
    async def launch(cls, found: Browser, viewport: tuple[int, int]) -> LiveBrowser:
        """Start the browser; raises `NoBrowser` if it does not start."""
        if not live_installed():
            raise LiveNotInstalled(
                "a page at an address needs Playwright, which is not installed",
                hint=f"{LIVE_HINT}, or --renderer embedded for the document without scripts, "
                "stylesheets and pictures",
            )
        from playwright.async_api import Error, async_playwright

        playwright = await async_playwright().start()
        try:
            browser = await playwright.chromium.launch(
                executable_path=found.path,
                args=list(ARGUMENTS),
                chromium_sandbox=sandboxed(),
                timeout=LAUNCH_TIMEOUT * 1000,
            )
        except Error as error:
            await playwright.stop()
            raise does_not_start(found, _first_line(error)) from error
        return cls(playwright, browser, viewport)

    @property
    def alive(self) -> bool:
        """Whether it is running and still opens tabs."""
        return self._healthy and self._browser.is_connected()

    async def capture(self, source: Source, options: RenderOptions, *, picture: bool) -> Captured:
        """Show a page in a tab of its own, and take its snapshot."""
        from playwright.async_api import Error

        tab = await self._open_tab(source)
        try:
            async with asyncio.timeout(options.timeout):
                return await or_crash(tab.crashed, _Visit(tab, source, options).capture(picture))
        except Error as error:
            raise RenderCrash(f"the browser failed ({_first_line(error)})") from error
        finally:
            task = asyncio.create_task(tab.close())
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)

    async def close(self) -> None:
        """End the browser and all that belongs to it."""
        for closing in (self._browser.close, self._playwright.stop):
            with contextlib.suppress(Exception):
                await asyncio.wait_for(closing(), CLOSE_TIMEOUT)
        await asyncio.gather(*self._closing)

    async def _open_tab(self, source: Source) -> _Tab:
        """Open a tab. A failure is never the fault of the page that it is for."""
        from playwright.async_api import Error

        width, height = self._viewport
        try:
            async with asyncio.timeout(TAB_TIMEOUT):
                context = await self._browser.new_context(
                    viewport={"width": width, "height": height},
                    user_agent=user_agent(),
                    accept_downloads=False,
                    service_workers="block",
                    http_credentials=_credentials(source),
                )
                page = await context.new_page()
                return _Tab(context, page, await context.new_cdp_session(page))
        except (Error, TimeoutError) as error:
            self._healthy = False
            raise RenderCrash("the browser opens no tab") from error


def _credentials(source: Source) -> HttpCredentials | None:
    """The login of a page, for everything else that it loads from its own server."""
    if source.login is None:
        return None
    name, password = source.login
    return {"username": name, "password": password, "origin": _origin(source)}


def _origin(source: Source) -> str:
    """The origin of a page, after redirects if it is safe to send the login there."""
    asked, given = urlsplit(source.name), urlsplit(source.url or "")
    moved = given.hostname == asked.hostname and given.scheme in (asked.scheme, "https")
    origin = given if moved else asked
    host = f"[{origin.hostname}]" if ":" in (origin.hostname or "") else origin.hostname
    usual = {"http": 80, "https": 443}.get(origin.scheme)
    port = f":{origin.port}" if origin.port not in (None, usual) else ""
    return f"{origin.scheme}://{host}{port}"


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


class _Tab:
    """A tab in a context of its own."""

    def __init__(self, context: BrowserContext, page: Page, session: CDPSession) -> None:
        self.context = context
        self.page = page
        self.session = session
        self.crashed = asyncio.Event()
        page.on("crash", lambda _: self.crashed.set())

    async def send(self, method: str, **parameters: Any) -> Any:
        """One command of the DevTools protocol."""
        return await self.session.send(method, parameters)

    async def close(self) -> None:
        """Drop the page, even if it hangs."""
        with contextlib.suppress(Exception):
            await asyncio.wait_for(self.context.close(), CLOSE_TIMEOUT)


class _Visit:
    """One page in a tab, beginning with the document as it was fetched."""

    def __init__(self, tab: _Tab, source: Source, options: RenderOptions) -> None:
        self.tab = tab
        self.source = source
        self.options = options
        self.notes: list[Note] = []
        self.loads = Loads()

    async def capture(self, picture: bool) -> Captured:
        page = self.tab.page
        address = self.source.url or self.source.name
        page.on("requestfailed", lambda request: self._miss(request))
        page.on("response", lambda response: self._miss_if_refused(response))
        await self._open_own_network(address)
        # The first request is for the document; a pattern might not match its address.
        await page.route("**/*", self._first_document, times=1)
        patience = max(self.options.timeout - GRACE, self.options.timeout / 2)
        try:
            async with asyncio.timeout(patience):
                await self._arrive(address)
        except TimeoutError:
            self.notes.append(Note("timeout", f"still loading after {patience:g} s"))
        counted = await self.tab.send("Runtime.evaluate", expression=COUNT)
        check_count(counted, self.options.max_nodes)
        await self.tab.send("Runtime.evaluate", expression=AT_REST)
        snapshot = await self.tab.send("DOMSnapshot.captureSnapshot", **CAPTURE)
        shot = await picture_of(self.tab, snapshot, self.options.viewport) if picture else None
        url = page.url if page.url.startswith(("http:", "https:")) else address
        return Captured(snapshot, url, (*self.loads.notes(), *self.notes), shot)

    def _miss_if_refused(self, response: Any) -> None:
        if response.status >= 400:
            self._miss(response.request)

    def _miss(self, request: Any) -> None:
        # An aborted request is not missing: the page did not need it any more, or was left.
        if request.resource_type in _SEEN and request.failure != "net::ERR_ABORTED":
            self.loads.missing.add(request.url[:500])

    async def _open_own_network(self, address: str) -> None:
        """Let a page of the local network load from there; pages of the web must not.

        The browser cannot know: it gets the document from Pagesight, not from its server.
        """
        from playwright.async_api import Error

        if await _is_local(urlsplit(address).hostname or ""):
            with contextlib.suppress(Error):  # browsers before 2025 do not ask for it
                await self.tab.context.grant_permissions(["local-network-access"])

    async def _arrive(self, address: str) -> None:
        """Go to a page, and follow it if it navigates elsewhere."""
        from playwright.async_api import Error

        page = self.tab.page
        with contextlib.suppress(Error):  # it navigates elsewhere before it is loaded
            await page.goto(address, wait_until="load", timeout=0)
        for _ in range(MOST_MOVES):
            with contextlib.suppress(Error):
                await page.wait_for_load_state("load", timeout=0)
                await self._settle()
                return
            if page.is_closed():
                raise RenderCrash("the page has closed its tab")
        self.notes.append(Note("moves", "the page keeps moving to other addresses"))

    async def _first_document(self, route: Any) -> None:
        """Answer with the bytes that were fetched already: a page is requested once."""
        headers = {name: value for name, value in self.source.headers if name not in _NOT_PASSED_ON}
        if not headers.get("content-type", "").startswith(("text/html", "application/xhtml+xml")):
            headers["content-type"] = "text/html"  # whatever the server says, it is markup
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
    """Whether a host is this machine, or in its local network."""
    try:
        resolved = await asyncio.get_running_loop().getaddrinfo(host, None)
        return all(ip_address(entry[4][0]).is_private for entry in resolved)
    except (OSError, ValueError):
        return False
