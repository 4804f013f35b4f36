"""A running browser with prepared tabs.

Every page gets a context of its own, with no cookies, cache or history. Opening one takes longer
than laying out a small page, so the next tab is prepared while the current page is rendered.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from pagesight.errors import NoBrowser
from pagesight.render.chromium.discovery import INSTALL_HINT, Browser
from pagesight.render.resources import BASE

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, CDPSession, Page, Playwright
    from playwright.async_api import Browser as PlaywrightBrowser

ARGUMENTS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--dns-prefetch-disable",
    "--hide-scrollbars",  # a page is 1280 px wide on every system
    "--no-first-run",
    "--font-render-hinting=none",  # the same line breaks on every system
)
SANDBOX_VARIABLE = "PAGESIGHT_BROWSER_SANDBOX"
LAUNCH_TIMEOUT = 30.0
CLOSE_TIMEOUT = 5.0
_EMPTY = {"responseCode": 200, "responseHeaders": [{"name": "Content-Type", "value": "text/html"}]}


class Tab:
    """One page in a context of its own."""

    def __init__(self, context: BrowserContext, page: Page, session: CDPSession) -> None:
        self.context = context
        self.page = page
        self.session = session
        self.frame = ""
        self.crashed = asyncio.Event()
        page.on("crash", lambda _: self.crashed.set())

    async def send(self, method: str, **parameters: Any) -> Any:
        """One command of the DevTools protocol."""
        return await self.session.send(method, parameters)

    async def close(self) -> None:
        """Drop the page, even if it hangs."""
        with contextlib.suppress(Exception):
            await asyncio.wait_for(self.context.close(), CLOSE_TIMEOUT)


class RunningBrowser:
    """A browser process, and the tabs that are ready in it."""

    def __init__(self, playwright: Playwright, browser: PlaywrightBrowser, options: Any) -> None:
        self.playwright = playwright
        self.browser = browser
        self._options = options
        self._ready: asyncio.Queue[asyncio.Task[Tab]] = asyncio.Queue()
        self._closing: set[asyncio.Task[None]] = set()

    @classmethod
    async def launch(
        cls, found: Browser, *, viewport: tuple[int, int], user_agent: str
    ) -> RunningBrowser:
        """Start the browser; raises `NoBrowser` where it does not start."""
        from playwright.async_api import Error, async_playwright

        playwright = await async_playwright().start()
        try:
            browser = await playwright.chromium.launch(
                executable_path=found.path,
                args=list(ARGUMENTS),
                chromium_sandbox=_sandboxed(),
                timeout=LAUNCH_TIMEOUT * 1000,
            )
        except Error as error:
            await playwright.stop()
            reason = str(error).strip().splitlines()[0]
            raise NoBrowser(
                f"{found.path} does not start ({reason})",
                hint=f"try another browser in PAGESIGHT_BROWSER, or {SANDBOX_VARIABLE}=0 where "
                "the system does not allow the browser's sandbox",
            ) from error
        options = {"viewport": {"width": viewport[0], "height": viewport[1]},
                   "user_agent": user_agent, "accept_downloads": False,
                   "service_workers": "block"}  # fmt: skip
        return cls(playwright, browser, options)

    @property
    def version(self) -> str:
        return self.browser.version

    @property
    def alive(self) -> bool:
        return self.browser.is_connected()

    @contextlib.asynccontextmanager
    async def sealed_tab(self) -> AsyncIterator[Tab]:
        """A tab without scripts and network, at the made-up address that files are rendered at."""
        if self._ready.empty():
            self._prepare()
        task = self._ready.get_nowait()
        try:
            tab = await task
        except BaseException:
            task.cancel()
            raise
        self._prepare()
        try:
            yield tab
        finally:
            self._drop(tab)

    @contextlib.asynccontextmanager
    async def live_tab(self) -> AsyncIterator[Tab]:
        """A tab with scripts and network."""
        tab = await self._open(offline=False, scripts=True)
        try:
            yield tab
        finally:
            self._drop(tab)

    async def close(self) -> None:
        """End the browser and all that belongs to it."""
        while not self._ready.empty():
            task = self._ready.get_nowait()
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        for closing in (self.browser.close, self.playwright.stop):
            with contextlib.suppress(Exception):
                await asyncio.wait_for(closing(), CLOSE_TIMEOUT)

    def _prepare(self) -> None:
        self._ready.put_nowait(asyncio.create_task(self._open_sealed()))

    def _drop(self, tab: Tab) -> None:
        task = asyncio.create_task(tab.close())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def _open(self, *, offline: bool, scripts: bool) -> Tab:
        context = await self.browser.new_context(
            offline=offline, java_script_enabled=scripts, **self._options
        )
        page = await context.new_page()
        return Tab(context, page, await context.new_cdp_session(page))

    async def _open_sealed(self) -> Tab:
        tab = await self._open(offline=True, scripts=False)
        await asyncio.gather(
            tab.send("Page.enable"),
            tab.send("Log.enable"),
            tab.send("Fetch.enable", patterns=_SEALED_PATTERNS),
            tab.send("Network.enable"),
            tab.send("Network.setBlockedURLs", urlPatterns=_BLOCKED),
        )
        paused: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        tab.session.once("Fetch.requestPaused", lambda request: paused.set_result(request))
        loaded = asyncio.Event()
        tab.session.once("Page.loadEventFired", lambda _: loaded.set())
        going = asyncio.create_task(tab.send("Page.navigate", url=BASE))
        request = await paused
        await tab.send("Fetch.fulfillRequest", requestId=request["requestId"], **_EMPTY)
        tab.frame = (await going)["frameId"]
        await loaded.wait()
        return tab


# The page's own files are answered from disk. Navigation anywhere else is stopped: a refresh would
# replace the page by an error page. All the rest fails by itself, since the tab is offline.
_BLOCKED = [
    {"urlPattern": BASE.partition("/-/")[0] + "/-/*", "block": False},
    {"urlPattern": "http://*:*/*", "block": True},
    {"urlPattern": "https://*:*/*", "block": True},
]
_SEALED_PATTERNS = [
    {"urlPattern": BASE.partition("/-/")[0] + "/*"},
    {"urlPattern": "*", "resourceType": "Document"},
]


def _sandboxed() -> bool:
    if named := os.environ.get(SANDBOX_VARIABLE):
        return named != "0"
    return not (hasattr(os, "geteuid") and os.geteuid() == 0)  # root has no sandbox on Linux
