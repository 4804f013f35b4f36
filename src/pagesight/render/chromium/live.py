"""The browser for pages at their addresses: scripts and network on, driven by Playwright.

Each page gets a context of its own: no cookies, cache or storage of another page.
"""

from __future__ import annotations

import asyncio
import contextlib
from importlib.resources import files
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from playwright import async_api as playwright

from pagesight.errors import AddressRefused, RenderCrash
from pagesight.page import Note
from pagesight.render.chromium.browser import (
    ARGUMENTS,
    AT_REST,
    CLOSE_TIMEOUT,
    GUARDED_ARGUMENTS,
    LAUNCH_TIMEOUT,
    UNSKIPPED,
    Captured,
    RunningBrowser,
    check_count,
    does_not_start,
    or_crash,
    picture_of,
    sandboxed,
)
from pagesight.render.chromium.discovery import Browser
from pagesight.render.chromium.snapshot import CAPTURE
from pagesight.render.renderer import RenderOptions
from pagesight.render.resources import Loads
from pagesight.sources import Source
from pagesight.sources.fetching import user_agent

if TYPE_CHECKING:
    from pagesight.sources import Guard
    from pagesight.sources.egress.proxy import Proxy

QUIET_LIMIT = 5.0  # seconds to wait for a quiet network after load
MOST_MOVES = 5  # times that a live page may lead elsewhere
NOTICE = 0.5  # seconds until the death of a browser is known
GRACE = 2.0  # seconds of the time limit that are kept for the snapshot of a page that still loads
# About the transfer, or about saving instead of showing.
_NOT_PASSED_ON = frozenset(
    {"content-encoding", "content-length", "transfer-encoding", "content-disposition"}
)
_SEEN = frozenset({"document", "stylesheet", "image", "font", "script"})
_SCROLL = (files(__package__) / "scroll.js").read_text("utf-8")


class LiveBrowser(RunningBrowser):
    """A browser process driven by Playwright."""

    def __init__(
        self,
        driver: playwright.Playwright,
        browser: playwright.Browser,
        viewport: tuple[int, int],
        proxy: Proxy | None = None,
    ) -> None:
        super().__init__(browser.version, viewport)
        self._driver = driver
        self._browser = browser
        self._proxy = proxy
        # Playwright leaves some commands without an answer when the browser dies.
        browser.on("disconnected", lambda _: self._gone.set())

    @classmethod
    async def launch(
        cls, program: Browser, viewport: tuple[int, int], guard: Guard | None = None
    ) -> LiveBrowser:
        """Start the browser; raises `NoBrowser` if it does not start.

        With a guard, all its requests go through a proxy of its own.
        """
        driver = await playwright.async_playwright().start()
        proxy = await _started(guard)
        try:
            browser = await driver.chromium.launch(
                executable_path=program.path,
                args=[*ARGUMENTS, *_only_through(proxy)],
                chromium_sandbox=sandboxed(),
                timeout=LAUNCH_TIMEOUT * 1000,
            )
        except playwright.Error as error:
            await driver.stop()
            if proxy:
                await proxy.close()
            raise does_not_start(program, _first_line(error)) from error
        return cls(driver, browser, viewport, proxy)

    async def capture(self, source: Source, options: RenderOptions, *, picture: bool) -> Captured:
        """Show a page in a tab of its own, and take its snapshot."""
        tab = await self._opened(self._open_tab(source), playwright.Error)
        try:
            async with asyncio.timeout(options.timeout):
                visit = _LiveVisit(tab, source, options, self._proxy)
                showing = or_crash(tab.crashed, visit.capture(picture))
                return await or_crash(self._gone, showing)
        except playwright.Error as error:
            await self._notice()
            raise RenderCrash(f"the browser failed ({_first_line(error)})") from error
        except RenderCrash:
            await self._notice()
            raise
        finally:
            self._drop(tab)

    async def _notice(self) -> None:
        """Wait until it is known if the browser is gone: of a dead one, tabs are closed first."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._gone.wait(), NOTICE)

    def _is_connected(self) -> bool:
        return self._browser.is_connected()

    async def _end(self) -> None:
        for closing in (self._browser.close, self._driver.stop):
            with contextlib.suppress(Exception):  # a driver that died raises plain ones
                await asyncio.wait_for(closing(), CLOSE_TIMEOUT)
        if self._proxy:
            await self._proxy.close()

    async def _open_tab(self, source: Source) -> _LiveTab:
        width, height = self.viewport
        context = await self._browser.new_context(
            viewport={"width": width, "height": height},
            user_agent=user_agent(),
            accept_downloads=False,
            service_workers="block",
            http_credentials=_credentials(source),
        )
        page = await context.new_page()
        return _LiveTab(context, page, await context.new_cdp_session(page))


async def _started(guard: Guard | None) -> Proxy | None:
    if guard is None:
        return None
    from pagesight.sources.egress.proxy import Proxy

    return await Proxy.start(guard)


def _only_through(proxy: Proxy | None) -> tuple[str, ...]:
    """What a browser is started with to have no other way out."""
    return (f"--proxy-server={proxy.address}", *GUARDED_ARGUMENTS) if proxy else ()


def _credentials(source: Source) -> playwright.HttpCredentials | None:
    """The login of a page, for its resources on the same server."""
    if source.login is None:
        return None
    name, password = source.login
    return {"username": name, "password": password, "origin": _origin(source)}


def _origin(source: Source) -> str:
    """The server of a page, as browsers name it; the one it redirects to, if that is safe."""
    asked, given = urlsplit(source.name), urlsplit(source.url or "")
    moved = given.hostname == asked.hostname and given.scheme in (asked.scheme, "https")
    server = given if moved else asked
    host = f"[{server.hostname}]" if ":" in (server.hostname or "") else server.hostname
    usual = {"http": 80, "https": 443}.get(server.scheme)
    port = f":{server.port}" if server.port not in (None, usual) else ""
    return f"{server.scheme}://{host}{port}"


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


class _LiveTab:
    """A tab in a context of its own."""

    def __init__(
        self,
        context: playwright.BrowserContext,
        page: playwright.Page,
        session: playwright.CDPSession,
    ) -> None:
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
        with contextlib.suppress(Exception):  # a driver that died raises plain ones
            await asyncio.wait_for(self.context.close(), CLOSE_TIMEOUT)


class _LiveVisit:
    """One page in a tab; the document itself is the one that was fetched."""

    def __init__(
        self, tab: _LiveTab, source: Source, options: RenderOptions, proxy: Proxy | None
    ) -> None:
        self.tab = tab
        self.source = source
        self.options = options
        self.proxy = proxy
        self.refused: str | None = None  # why the page that this one leads to was not requested
        self.notes: list[Note] = []
        self.loads = Loads()

    async def capture(self, picture: bool) -> Captured:
        page = self.tab.page
        address = self.source.url or self.source.name
        page.on("requestfailed", lambda request: self._note_missing(request))
        page.on("response", lambda response: self._note_refused(response))
        await self._allow_local_network(address)
        # The first request is for the document; a pattern might not match its address.
        await page.route("**/*", self._first_document, times=1)
        await self._load(address)
        self._check_place()
        await check_count(self.tab, self.options.max_nodes)
        await self.tab.send("Runtime.evaluate", expression=UNSKIPPED)
        await self.tab.send("Runtime.evaluate", expression=AT_REST)
        snapshot = await self.tab.send("DOMSnapshot.captureSnapshot", **CAPTURE)
        shot = await picture_of(self.tab, snapshot, self.options.viewport) if picture else None
        url = page.url if page.url.startswith(("http:", "https:")) else address
        return Captured(snapshot, url, (*self.loads.notes(), *self.notes), shot)

    async def _load(self, address: str) -> None:
        """Wait until the page is loaded, or most of the time is over."""
        patience = max(self.options.timeout - GRACE, self.options.timeout / 2)
        try:
            async with asyncio.timeout(patience):
                await self._arrive(address)
        except TimeoutError:
            self.notes.append(Note("timeout", f"still loading after {patience:g} s"))

    def _note_refused(self, response: Any) -> None:
        if response.status >= 400:
            self._note_missing(response.request)

    def _note_missing(self, request: Any) -> None:
        # An aborted request is not missing: the page changed its mind, or leads elsewhere.
        if request.resource_type not in _SEEN or request.failure == "net::ERR_ABORTED":
            return
        why = self._why_refused(request.url)
        (self.loads.blocked if why else self.loads.missing).add(request.url[:500])
        if why and request.is_navigation_request() and request.frame.parent_frame is None:
            self.refused = why

    def _check_place(self) -> None:
        """Raise `AddressRefused` if the page led to where it must not, and shows an error now."""
        url = self.tab.page.url
        if self.refused and (url.startswith("chrome-error:") or self._why_refused(url)):
            raise AddressRefused(f"this page leads elsewhere, and {self.refused}")

    def _why_refused(self, url: str) -> str | None:
        return self.proxy.why_refused(url) if self.proxy else None

    async def _allow_local_network(self, address: str) -> None:
        """Let a page of the local network load from there; pages of the web must not.

        The browser cannot know: it gets the document from here, not from its server.
        """
        if self.proxy:
            return  # which is what decides then
        if await _is_local(urlsplit(address).hostname or ""):
            with contextlib.suppress(playwright.Error):  # browsers before 2025 do not ask for it
                await self.tab.context.grant_permissions(["local-network-access"])

    async def _arrive(self, address: str) -> None:
        """Go to a page, and follow it if it leads elsewhere meanwhile."""
        page = self.tab.page
        with contextlib.suppress(playwright.Error):  # it leads elsewhere before it is loaded
            await page.goto(address, wait_until="load", timeout=0)
        for _ in range(MOST_MOVES):
            with contextlib.suppress(playwright.Error):
                await page.wait_for_load_state("load", timeout=0)
                await self._settle()
                return
            if page.is_closed():
                raise RenderCrash("the page closed its tab")
        self.notes.append(Note("moves", "the page keeps leading elsewhere"))

    async def _first_document(self, route: Any) -> None:
        """Answer with the bytes that were already fetched: a page is requested once."""
        headers = {name: value for name, value in self.source.headers if name not in _NOT_PASSED_ON}
        if not headers.get("content-type", "").startswith(("text/html", "application/xhtml+xml")):
            headers["content-type"] = "text/html"  # whatever else is stated, it is markup
        await route.fulfill(status=200, headers=headers, body=self.source.data)

    async def _settle(self) -> None:
        """Wait for a quiet network, trigger lazy pictures by a scroll, and wait again."""
        await self._quiet()
        await self.tab.page.evaluate(_SCROLL)
        await self._quiet()

    async def _quiet(self) -> None:
        try:
            await self.tab.page.wait_for_load_state("networkidle", timeout=QUIET_LIMIT * 1000)
        except playwright.TimeoutError:
            self.notes.append(Note("timeout", f"network not quiet after {QUIET_LIMIT:g} s"))


async def _is_local(host: str) -> bool:
    """Whether a host is this machine, or in its network."""
    try:
        entries = await asyncio.get_running_loop().getaddrinfo(host, None)
        return all(ip_address(entry[4][0]).is_private for entry in entries)
    except (OSError, ValueError):
        return False
