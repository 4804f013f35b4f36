"""A running browser and its tabs.

A live page gets a context of its own: no cookies, cache or storage of another page. Pages from
files are rendered in *sealed* tabs: no scripts, no network, no cache. A sealed page can leave
nothing behind but its document and what was loaded for it; so each one gets a new, empty document
at an address of its own, and the tab is kept (a new context costs as much processor time as laying
out a page). Tabs are replaced after `PAGES_PER_TAB` pages to give memory back, and dropped after
any page that went wrong.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any

from pagesight.errors import NoBrowser, RenderCrash
from pagesight.render.chromium.discovery import Browser
from pagesight.render.resources import SITE, numbered_base

if TYPE_CHECKING:
    from playwright.async_api import Browser as PlaywrightBrowser
    from playwright.async_api import BrowserContext, CDPSession, Page, Playwright

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
    "--in-process-gpu",  # one process less to start and to talk to
    "--hide-scrollbars",  # a page is 1280 px wide on every system
    "--no-first-run",
    "--font-render-hinting=none",  # the same line breaks on every system
)
SANDBOX_VARIABLE = "PAGESIGHT_BROWSER_SANDBOX"
LAUNCH_TIMEOUT = 30.0
CLOSE_TIMEOUT = 5.0
EMPTYING_TIMEOUT = 5.0
TAB_TIMEOUT = 10.0
PAGES_PER_TAB = 50
Event = dict[str, Any]


# In a sandbox, no page can refresh itself into "about:blank", which needs no request.
SANDBOX = {"name": "Content-Security-Policy", "value": "sandbox allow-same-origin"}
_EMPTY = {
    "responseCode": 200,
    "responseHeaders": [{"name": "Content-Type", "value": "text/html"}, SANDBOX],
}


class Tab:
    """A tab in a context of its own."""

    def __init__(self, context: BrowserContext, page: Page, session: CDPSession) -> None:
        self.context = context
        self.page = page
        self.session = session
        self.frame = ""
        self.pages = 0
        self.crashed = asyncio.Event()
        page.on("crash", lambda _: self.crashed.set())
        self._admits_whole_site: bool | None = None
        self._ignores_policies = False
        self._listener: Callable[[str, Event], None] | None = None

    async def send(self, method: str, **parameters: Any) -> Any:
        """One command of the DevTools protocol."""
        return await self.session.send(method, parameters)

    async def ignore_policies(self, ignore: bool) -> None:
        """Whether security policies count.

        Those of pages name hosts of the web. But the one that keeps a page from leaving its empty
        document is a policy too, and must count when that is made.
        """
        if ignore != self._ignores_policies:
            self._ignores_policies = ignore
            await self.send("Page.setBypassCSP", enabled=ignore)

    async def admit(self, *, whole_site: bool) -> None:
        """Let requests fail at once in the tab itself, all but those for the page's own files.

        Addresses that begin with a slash are among those only where the page has a root folder.
        """
        from playwright.async_api import Error

        if whole_site == self._admits_whole_site:
            return
        self._admits_whole_site = whole_site
        admitted = {"urlPattern": SITE + ("*" if whole_site else "*/-/*"), "block": False}
        # Browsers before 2025 do not take patterns. There they fail a little later: it is offline.
        with contextlib.suppress(Error):
            await self.send("Network.setBlockedURLs", urlPatterns=[admitted, *_ELSEWHERE])

    def listen(self, listener: Callable[[str, Event], None] | None) -> None:
        """From now on, tell `listener` about the events of `listen_to`."""
        self._listener = listener

    def listen_to(self, *events: str) -> None:
        """Pass on these events of the DevTools protocol."""
        for event in events:
            self.session.on(event, partial(self._tell, event))

    def _tell(self, event: str, parameters: Event) -> None:
        if self._listener is not None:
            self._listener(event, parameters)

    async def close(self) -> None:
        """Drop the page, even if it hangs."""
        with contextlib.suppress(Exception):
            await asyncio.wait_for(self.context.close(), CLOSE_TIMEOUT)


class RunningBrowser:
    """A browser process, and the sealed tabs that are free in it."""

    def __init__(self, playwright: Playwright, browser: PlaywrightBrowser, options: Any) -> None:
        self.playwright = playwright
        self.browser = browser
        self._options = options
        self._healthy = True
        self._used: list[Tab] = []  # to be emptied while the next page is rendered
        self._free: list[asyncio.Task[Tab]] = []  # being emptied, or ready
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
        """Whether it is there and still opens tabs."""
        return self._healthy and self.browser.is_connected()

    @contextlib.asynccontextmanager
    async def sealed_tab(self) -> AsyncIterator[Tab]:
        """A tab without scripts and network, at the made-up address that files are rendered at."""
        tab = await self._in_time(self._free_tab())
        kept = False
        try:
            yield tab
            tab.pages += 1
            kept = tab.pages < PAGES_PER_TAB and not tab.crashed.is_set()
        finally:
            tab.listen(None)
            if kept:
                self._used.append(tab)
            else:
                self._drop(tab)

    def empty_used_tabs(self) -> None:
        """Empty the tabs that were used, while another one is at work."""
        for tab in self._used:
            if tab.crashed.is_set():
                self._drop(tab)
            else:
                self._free.append(asyncio.create_task(_emptied(tab)))
        self._used.clear()

    async def _free_tab(self) -> Tab:
        """An empty tab."""
        from playwright.async_api import Error

        task = self._free.pop(0) if self._free else None
        with contextlib.suppress(Error, TimeoutError):  # it crashed, or hangs: take a new one
            if task is not None:
                tab = await task
                if not tab.crashed.is_set():
                    return tab
                self._drop(tab)
        return await self._open_sealed()

    @contextlib.asynccontextmanager
    async def live_tab(self) -> AsyncIterator[Tab]:
        """A tab with scripts and network."""
        tab = await self._in_time(self._open(offline=False, scripts=True))
        try:
            yield tab
        finally:
            self._drop(tab)

    async def close(self) -> None:
        """End the browser and all that belongs to it."""
        for task in self._free:
            task.cancel()
        await asyncio.gather(*self._free, return_exceptions=True)
        for closing in (self.browser.close, self.playwright.stop):
            with contextlib.suppress(Exception):
                await asyncio.wait_for(closing(), CLOSE_TIMEOUT)
        await asyncio.gather(*self._closing)

    async def _in_time(self, opening: Coroutine[Any, Any, Tab]) -> Tab:
        """A new tab. That there is none is never the fault of the page it is for."""
        try:
            async with asyncio.timeout(TAB_TIMEOUT):
                return await opening
        except Exception as error:
            self._healthy = False
            raise RenderCrash("the browser opens no tab") from error

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
        tab.listen_to(*_EVENTS)
        await asyncio.gather(
            tab.send("Page.enable"),
            tab.send("Log.enable"),
            tab.send("Network.enable"),
            tab.send("Fetch.enable", patterns=_ASKED_FOR),
        )
        return await _emptied(tab)


async def _emptied(tab: Tab) -> Tab:
    """Put a new, empty document into a tab, at an address that no other page of it has."""
    loaded = asyncio.Event()
    answers: set[asyncio.Task[None]] = set()

    async def answer(request: str) -> None:
        with contextlib.suppress(Exception):  # the tab may be gone meanwhile
            await tab.send("Fetch.fulfillRequest", requestId=request, **_EMPTY)

    def listener(event: str, parameters: Event) -> None:
        if event == "Page.loadEventFired":
            loaded.set()
        elif event == "Fetch.requestPaused":
            answers.add(asyncio.create_task(answer(parameters["requestId"])))

    tab.listen(listener)
    try:
        async with asyncio.timeout(EMPTYING_TIMEOUT):
            await tab.ignore_policies(False)
            going = await tab.send("Page.navigate", url=numbered_base(tab.pages))
            tab.frame = going["frameId"]
            await loaded.wait()
            await asyncio.gather(*answers)
    except BaseException:
        await tab.close()
        raise
    tab.listen(None)
    return tab


_EVENTS = (
    "Page.loadEventFired",
    "Fetch.requestPaused",
    "Network.requestWillBeSent",
    "Log.entryAdded",
)
_ELSEWHERE = [
    {"urlPattern": "http://*:*/*", "block": True},
    {"urlPattern": "https://*:*/*", "block": True},
]
# The page's own files are answered from disk. Navigation anywhere else is stopped: a refresh would
# replace the page by an error page.
_ASKED_FOR = [{"urlPattern": SITE + "*"}, {"urlPattern": "*", "resourceType": "Document"}]


def _sandboxed() -> bool:
    if named := os.environ.get(SANDBOX_VARIABLE):
        return named != "0"
    return not (hasattr(os, "geteuid") and os.geteuid() == 0)  # root has no sandbox on Linux
