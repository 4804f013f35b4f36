"""The browser for pages from files and bytes: no scripts, no network, their own files from disk.

A sealed page can leave nothing behind except its document and what was loaded for it. So each page
gets a new, empty document at an address of its own, and the tab is kept: a new context takes longer
than laying out a page. Tabs are replaced after `PAGES_PER_TAB` pages to free memory, and dropped
after any page that failed.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import re
from collections.abc import AsyncIterator
from importlib.resources import files
from typing import Any

from pagesight.errors import RenderCrash
from pagesight.page import Note
from pagesight.render.chromium.browser import (
    AT_REST,
    CLOSE_TIMEOUT,
    LAUNCH_TIMEOUT,
    SEALED_ARGUMENTS,
    UNSKIPPED,
    Captured,
    RunningBrowser,
    check_count,
    does_not_start,
    or_crash,
    picture_of,
    sandboxed,
)
from pagesight.render.chromium.devtools import (
    CRASHED,
    Connection,
    DevToolsError,
    Event,
    Listener,
)
from pagesight.render.chromium.discovery import Browser
from pagesight.render.chromium.snapshot import CAPTURE
from pagesight.render.renderer import RenderOptions
from pagesight.render.resources import BASE, SITE, Loads, Neighbourhood, numbered_base, readable
from pagesight.sources import Kind, Source

EMPTYING_TIMEOUT = 5.0
PAGES_PER_TAB = 50
CROWDED = 20_000  # tags; below that, counting the nodes is not worth a round trip

# No network and no scripts; the fonts of a desktop browser, as a headless one may have others.
_SEALING = json.loads((files(__package__) / "sealing.json").read_bytes())
_ELSEWHERE = [
    {"urlPattern": "http://*:*/*", "block": True},
    {"urlPattern": "https://*:*/*", "block": True},
]
# The page's own files are served from disk. Navigation anywhere else is stopped: a refresh would
# replace the page with an error page.
_ASKED_FOR = [{"urlPattern": SITE + "*"}, {"urlPattern": "*", "resourceType": "Document"}]
# In a sandbox, no page can refresh itself into "about:blank", which needs no request.
_SANDBOX = {"name": "Content-Security-Policy", "value": "sandbox allow-same-origin"}
_EMPTY = {
    "responseCode": 200,
    "responseHeaders": [{"name": "Content-Type", "value": "text/html"}, _SANDBOX],
}
_POLICY = "content-security-policy"
_LOCAL = re.compile(r"Not allowed to load local resource: (\S+)")
_LOOKED_AT = frozenset({"Stylesheet", "Image", "Font", "Media"})
_SHOWN_IN_OBJECTS = (
    "[...Document.prototype.querySelectorAll.call(document, 'object *')]"
    ".filter(e => Element.prototype.getClientRects.call(e).length).length"
)
CHECK_INTERVAL = 0.03  # seconds between looks at what objects show
MOST_CHECKS = 60  # looks in all; what moves for ever is taken as it is then
QUIET_CHECKS = 3  # looks without a change, after which they have done all they do
_SKIPS = b"content-visibility"
_FONTS = "document.fonts.ready.then(() => 0)"


class SealedBrowser(RunningBrowser):
    """A browser process, and the tabs that are free in it."""

    def __init__(self, connection: Connection, version: str, viewport: tuple[int, int]) -> None:
        super().__init__(version, viewport)
        self._connection = connection
        self._used: list[SealedTab] = []  # to be emptied while the next page is rendered
        self._free: list[asyncio.Task[SealedTab]] = []  # being emptied, or ready

    @classmethod
    async def launch(cls, program: Browser, viewport: tuple[int, int]) -> SealedBrowser:
        """Start the browser; raises `NoBrowser` if that fails."""
        arguments = SEALED_ARGUMENTS if sandboxed() else (*SEALED_ARGUMENTS, "--no-sandbox")
        try:
            connection = await Connection.launch(str(program.path), arguments)
        except OSError as error:
            raise does_not_start(program, error.strerror or str(error)) from error
        try:
            async with asyncio.timeout(LAUNCH_TIMEOUT):
                answer = await connection.send("Browser.getVersion")
        except (DevToolsError, TimeoutError) as error:
            reason = connection.last_words or str(error) or "it does not answer"
            await connection.close(CLOSE_TIMEOUT)
            raise does_not_start(program, reason) from error
        except BaseException:
            await connection.close(CLOSE_TIMEOUT)
            raise
        return cls(connection, answer["product"].partition("/")[2], viewport)

    async def capture(self, source: Source, options: RenderOptions, *, picture: bool) -> Captured:
        """Show a page in a tab, and take its snapshot."""
        try:
            async with self._tab() as tab, asyncio.timeout(options.timeout):
                visit = _SealedVisit(tab, source, options, self)
                return await or_crash(tab.crashed, visit.capture(picture))
        except DevToolsError as error:
            raise RenderCrash(f"the browser failed ({error})") from error

    def empty_used_tabs(self) -> None:
        """Empty the used tabs, while another one is rendering."""
        for tab in self._used:
            self._free.append(asyncio.create_task(tab.emptied()))
        self._used.clear()

    def _is_connected(self) -> bool:
        return self._connection.alive

    async def _end(self) -> None:
        for task in self._free:
            task.cancel()
        await asyncio.gather(*self._free, return_exceptions=True)
        await self._connection.close(CLOSE_TIMEOUT)

    @contextlib.asynccontextmanager
    async def _tab(self) -> AsyncIterator[SealedTab]:
        """An empty tab, at the made-up address that files are rendered at."""
        tab = await self._free_tab()
        kept = False
        try:
            yield tab
            tab.pages += 1
            kept = tab.pages < PAGES_PER_TAB
        finally:
            tab.listen(None)
            if kept and not tab.crashed.is_set():
                self._used.append(tab)
            else:
                self._drop(tab)

    async def _free_tab(self) -> SealedTab:
        while self._free:
            with contextlib.suppress(DevToolsError, TimeoutError):  # it hangs
                tab = await self._free.pop(0)
                if not tab.crashed.is_set():
                    return tab
                self._drop(tab)
        return await self._opened(SealedTab.open(self._connection, self.viewport), DevToolsError)


class SealedTab:
    """A tab without scripts and network, in a context of its own."""

    def __init__(self, connection: Connection, context: str, session: str, frame: str) -> None:
        self.connection = connection
        self.context = context
        self.session = session
        self.frame = frame
        self.pages = 0
        self.crashed = asyncio.Event()
        self._listener: Listener | None = None
        self._admits_whole_site: bool | None = None
        self._ignores_policies = False
        connection.listen(session, self._tell)

    @classmethod
    async def open(cls, connection: Connection, viewport: tuple[int, int]) -> SealedTab:
        """A new, empty tab."""
        created = await connection.send("Target.createBrowserContext", disposeOnDetach=True)
        context = created["browserContextId"]
        try:
            await connection.send(
                "Browser.setDownloadBehavior", behavior="deny", browserContextId=context
            )
            target = await connection.send(
                "Target.createTarget", url="about:blank", browserContextId=context
            )
            attached = await connection.send(
                "Target.attachToTarget", targetId=target["targetId"], flatten=True
            )
            tab = cls(connection, context, attached["sessionId"], target["targetId"])
            await tab._seal(viewport)
        except BaseException:
            forget(connection.send("Target.disposeBrowserContext", browserContextId=context))
            raise
        return await tab.emptied()

    async def _seal(self, viewport: tuple[int, int]) -> None:
        width, height = viewport
        await asyncio.gather(
            *(self.send(method, **parameters) for method, parameters in _SEALING.items()),
            self.send(
                "Emulation.setDeviceMetricsOverride", width=width, height=height,
                screenWidth=width, screenHeight=height, deviceScaleFactor=1, mobile=False,
            ),
            self.send("Fetch.enable", patterns=_ASKED_FOR),
        )  # fmt: skip

    def send(self, method: str, **parameters: Any) -> asyncio.Future[Any]:
        """Send a command now; its answer may be awaited later."""
        return self.connection.send(method, session=self.session, **parameters)

    def listen(self, listener: Listener | None) -> None:
        """From now on, tell `listener` about the events of this tab."""
        self._listener = listener

    def _tell(self, event: str, parameters: Event) -> None:
        if event in (CRASHED, "Inspector.detached"):
            self.crashed.set()
        elif self._listener is not None:
            self._listener(event, parameters)

    async def ignore_policies(self, ignore: bool) -> None:
        """Whether security policies are ignored.

        Those of pages name hosts of the web. But the sandbox that keeps a page from leaving its
        empty document is a policy as well, and must be in force when that document is made.
        """
        if ignore != self._ignores_policies:
            self._ignores_policies = ignore
            await self.send("Page.setBypassCSP", enabled=ignore)

    async def admit(self, *, whole_site: bool) -> None:
        """Let all requests fail at once in the tab itself, except those for the page's own files.

        Addresses that begin with a slash are among the latter only if the page has a root folder.
        """
        if whole_site == self._admits_whole_site:
            return
        self._admits_whole_site = whole_site
        admitted = {"urlPattern": SITE + ("*" if whole_site else "*/-/*"), "block": False}
        # Browsers before 2025 do not take patterns. There, requests fail later: the tab is offline.
        with contextlib.suppress(DevToolsError):
            await self.send("Network.setBlockedURLs", urlPatterns=[admitted, *_ELSEWHERE])

    async def emptied(self) -> SealedTab:
        """The tab, with a new, empty document at an address that none of its other pages has."""
        loaded = asyncio.Event()

        def listener(event: str, parameters: Event) -> None:
            if event == "Page.loadEventFired":
                loaded.set()
            elif event == "Fetch.requestPaused":
                forget(self.send("Fetch.fulfillRequest", requestId=parameters["requestId"],
                                 **_EMPTY))  # fmt: skip

        self.listen(listener)
        try:
            async with asyncio.timeout(EMPTYING_TIMEOUT):
                await self.ignore_policies(False)
                await or_crash(self.crashed, self._go(numbered_base(self.pages), loaded))
        except BaseException as error:
            await self.close()
            if isinstance(error, RenderCrash):
                raise DevToolsError("the tab crashed") from error
            raise
        self.listen(None)
        return self

    async def _go(self, url: str, loaded: asyncio.Event) -> None:
        going = await self.send("Page.navigate", url=url)
        self.frame = going["frameId"]
        await loaded.wait()

    async def close(self) -> None:
        """Drop the page, even if it hangs."""
        self.connection.listen(self.session, None)
        with contextlib.suppress(DevToolsError, TimeoutError):
            disposing = self.connection.send(
                "Target.disposeBrowserContext", browserContextId=self.context
            )
            await asyncio.wait_for(disposing, CLOSE_TIMEOUT)


def forget(answer: asyncio.Future[Any]) -> None:
    """Ignore an answer: the page that it is for may be gone by then."""
    answer.add_done_callback(lambda done: done.cancelled() or done.exception())


class _SealedVisit:
    """One page in a tab."""

    def __init__(
        self, tab: SealedTab, source: Source, options: RenderOptions, browser: SealedBrowser
    ) -> None:
        self.tab = tab
        self.source = source
        self.options = options
        self.browser = browser
        self.loads = Loads()
        self.files = Neighbourhood(source.path, source.root)
        self.document_pending = source.kind is Kind.XHTML
        self.loaded = asyncio.Event()
        self.fonts = "@font-face" in source.text
        self.skips = _SKIPS in source.data

    async def capture(self, picture: bool) -> Captured:
        await self._show()
        await self.loaded.wait()
        if self.source.data.count(b"<") > CROWDED:
            await check_count(self.tab, self.options.max_nodes)
        if self.fonts:
            await self.tab.send("Runtime.evaluate", expression=_FONTS, awaitPromise=True)
        if "<object" in self.source.text.lower():
            await self._fall_back()
        if self.skips:
            forget(self.tab.send("Runtime.evaluate", expression=UNSKIPPED))
        forget(self.tab.send("Runtime.evaluate", expression=AT_REST))
        taking = self.tab.send("DOMSnapshot.captureSnapshot", **CAPTURE)
        self.browser.empty_used_tabs()  # while the browser takes the snapshot
        scripts = _scripts_note(self.source)
        snapshot = await taking
        shot = await picture_of(self.tab, snapshot, self.options.viewport) if picture else None
        return Captured(snapshot, self.source.url, (*self.loads.notes(), *scripts), shot)

    async def _fall_back(self) -> None:
        """Wait until objects that cannot be had show what is in them; that may hold others."""
        shown, quiet = -1, 0
        for _ in range(MOST_CHECKS):
            answer = await self.tab.send("Runtime.evaluate", expression=_SHOWN_IN_OBJECTS)
            before, shown = shown, answer["result"].get("value", 0)
            quiet = quiet + 1 if shown == before else 0
            if quiet == QUIET_CHECKS:
                break
            await asyncio.sleep(CHECK_INTERVAL)

    async def _show(self) -> None:
        self.tab.listen(self._listen)
        if self.document_pending:
            # Only a navigation makes the browser parse XML; HTML cannot replace that document.
            self.tab.pages = PAGES_PER_TAB
            await self.tab.send("Page.navigate", url=BASE)
            return
        await self.tab.admit(whole_site=self.source.root is not None)
        await self.tab.ignore_policies(_POLICY in self.source.text.lower())
        await self.tab.send(
            "Page.setDocumentContent", frameId=self.tab.frame, html=self.source.text
        )

    def _listen(self, event: str, parameters: Event) -> None:
        if event == "Page.loadEventFired":
            self.loaded.set()
        elif event == "Fetch.requestPaused":
            self._answer(parameters)
        elif event == "Network.requestWillBeSent":
            self._note_blocked(parameters["request"]["url"])
        elif event == "Log.entryAdded" and (named := _LOCAL.search(parameters["entry"]["text"])):
            self._note_blocked(named[1])

    def _note_blocked(self, url: str) -> None:
        """Note a request that fails because it is not for one of the page's own files."""
        if url.startswith(("http:", "https:", "file:", "ftp:")) and self.files.find(url) is None:
            self.loads.blocked.add(readable(url))

    def _answer(self, paused: Event) -> None:
        identifier, kind = paused["requestId"], paused["resourceType"]
        if kind == "Document" and paused["frameId"] == self.tab.frame:
            self._answer_navigation(identifier)
            return
        # Anything that is not certain to be only looked at may become text of the page.
        resource = self.files.load(
            paused["request"]["url"], document=kind not in _LOOKED_AT, loads=self.loads
        )
        if resource is None:
            forget(self.tab.send("Fetch.failRequest", requestId=identifier,
                                 errorReason="BlockedByClient"))  # fmt: skip
        else:
            self.fonts = self.fonts or b"@font-face" in resource.data
            self.skips = self.skips or _SKIPS in resource.data
            self._send(identifier, resource.data, resource.media_type)

    def _answer_navigation(self, identifier: str) -> None:
        if self.document_pending:
            self.document_pending = False
            data = self.source.text.encode()
            self._send(identifier, data, "application/xhtml+xml; charset=utf-8")
        else:  # "no content": the browser stays where it is
            forget(self.tab.send("Fetch.fulfillRequest", requestId=identifier, responseCode=204))

    def _send(self, identifier: str, data: bytes, media_type: str) -> None:
        headers = [
            {"name": "Content-Type", "value": media_type},
            {"name": "Cache-Control", "value": "no-store"},
            _SANDBOX,
            {"name": "Access-Control-Allow-Origin", "value": "*"},  # fonts ask for it
        ]
        body = base64.b64encode(data).decode()
        forget(self.tab.send("Fetch.fulfillRequest", requestId=identifier, responseCode=200,
                             responseHeaders=headers, body=body))  # fmt: skip


def _scripts_note(source: Source) -> tuple[Note, ...]:
    """Scripts of a page from a file are not run: it may show less than its author intended."""
    markup = source.text.lower()
    count = markup.count("<script") - markup.count("application/ld+json")
    return (Note("scripts", "not run", count),) if count > 0 else ()
