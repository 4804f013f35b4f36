"""What the two kinds of running browsers have in common.

Pages from files go through a *sealed* browser (`sealed`), pages at their addresses through a *live*
one (`live`). Each is started with the first such page.
"""

from __future__ import annotations

import asyncio
import base64
import os
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Coroutine
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Protocol, TypeVar

from pagesight.errors import LiveNotInstalled, NoBrowser, PageTooComplex, RenderCrash
from pagesight.lazy import table
from pagesight.page import Note
from pagesight.render.chromium.discovery import LIVE_HINT, Browser, live_installed
from pagesight.render.renderer import RenderOptions, clipped
from pagesight.sources import Source

T = TypeVar("T")

_FLAGS = table(__package__, "flags.tsv")
ARGUMENTS = tuple(flag for flag, use in _FLAGS.items() if use == "always")
SEALED_ARGUMENTS = tuple(flag for flag, use in _FLAGS.items() if use != "guarded")
GUARDED_ARGUMENTS = tuple(flag for flag, use in _FLAGS.items() if use == "guarded")
SANDBOX_VARIABLE = "PAGESIGHT_BROWSER_SANDBOX"
LAUNCH_TIMEOUT = 30.0
CLOSE_TIMEOUT = 5.0
TAB_TIMEOUT = 10.0
_COUNT = "document.getElementsByTagName('*').length"
AT_REST = (files(__package__) / "rest.js").read_text("utf-8")
UNSKIPPED = (files(__package__) / "unskip.js").read_text("utf-8")


@dataclass(frozen=True, slots=True)
class Captured:
    """A page as the browser returns it."""

    snapshot: dict[str, Any]
    url: str | None
    notes: tuple[Note, ...]
    picture: bytes | None = None  # PNG, if it was asked for


class Tab(Protocol):
    """Something that takes commands of the DevTools protocol, in a context of its own."""

    def send(self, method: str, **parameters: Any) -> Awaitable[Any]:
        """Send one command; its answer may be awaited."""

    async def close(self) -> None:
        """Drop the page, even if it hangs."""


class RunningBrowser(ABC):
    """A browser process that takes pages."""

    def __init__(self, version: str, viewport: tuple[int, int]) -> None:
        self.version = version
        self.viewport = viewport
        self._opens_tabs = True
        self._gone = asyncio.Event()  # what waits for the browser need wait no longer
        self._closing: set[asyncio.Task[None]] = set()

    @property
    def alive(self) -> bool:
        """Whether it is running and still opens tabs."""
        return self._opens_tabs and self._is_connected()

    @abstractmethod
    async def capture(self, source: Source, options: RenderOptions, *, picture: bool) -> Captured:
        """Show a page in a tab, and take its snapshot."""

    async def close(self) -> None:
        """End the browser and all that belongs to it."""
        await self._end()
        await asyncio.gather(*self._closing)

    @abstractmethod
    def _is_connected(self) -> bool: ...

    @abstractmethod
    async def _end(self) -> None: ...

    async def _opened(self, opening: Coroutine[Any, Any, T], failure: type[Exception]) -> T:
        """A new tab. If none opens, that is never the fault of the page it is for."""
        try:
            async with asyncio.timeout(TAB_TIMEOUT):
                return await or_crash(self._gone, opening)
        except (failure, RenderCrash, TimeoutError) as error:
            self._opens_tabs = False
            raise RenderCrash("the browser does not open a tab") from error

    def _drop(self, tab: Tab) -> None:
        """Close a tab without waiting for it."""
        task = asyncio.create_task(tab.close())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)


def does_not_start(program: Browser, reason: str) -> NoBrowser:
    """The error to raise for a browser that is installed and does not start."""
    return NoBrowser(
        f"{program.path} does not start ({reason})",
        hint=f"try another browser in PAGESIGHT_BROWSER, or {SANDBOX_VARIABLE}=0 where "
        "the system does not allow the browser's sandbox",
    )


def check_live() -> None:
    """Raise `LiveNotInstalled` if nothing can drive a browser for pages at their addresses."""
    if not live_installed():
        raise LiveNotInstalled(
            "a page at an address needs Playwright, which is not installed",
            hint=f"{LIVE_HINT}, or --renderer embedded for the document without scripts, "
            "stylesheets and pictures",
        )


def sandboxed() -> bool:
    """Whether the browser protects the system from its pages."""
    if named := os.environ.get(SANDBOX_VARIABLE):
        return named != "0"
    return not (hasattr(os, "geteuid") and os.geteuid() == 0)  # root has no sandbox on Linux


async def or_crash(crashed: asyncio.Event, work: Coroutine[Any, Any, T]) -> T:
    """The result of `work`, or `RenderCrash` as soon as the tab, or the browser, crashes."""
    task = asyncio.ensure_future(work)
    crash = asyncio.create_task(crashed.wait())
    try:
        await asyncio.wait((task, crash), return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise RenderCrash("the tab crashed")
        return task.result()
    finally:
        for pending in (task, crash):
            pending.cancel()
        await asyncio.gather(task, crash, return_exceptions=True)


async def check_count(tab: Tab, limit: int) -> None:
    """Raise `PageTooComplex` if the page in a tab has more elements than the limit."""
    answer = await tab.send("Runtime.evaluate", expression=_COUNT)
    count = answer.get("result", {}).get("value", 0)
    if count > limit:
        raise PageTooComplex(f"{count:,} elements, more than the limit of {limit:,}")


async def picture_of(tab: Tab, snapshot: dict[str, Any], viewport: tuple[int, int]) -> bytes:
    """A picture of the whole page in a tab, not only of its window."""
    document = snapshot["documents"][0]
    width = max(document.get("contentWidth", 0), viewport[0])
    height = max(document.get("contentHeight", 0), viewport[1])
    width, height = clipped(width, height)
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
    # A right-to-left page that fits its window would be shifted by a capture beyond the viewport.
    beyond = (width, height) != viewport
    screenshot = await tab.send(
        "Page.captureScreenshot", format="png", captureBeyondViewport=beyond, clip=clip
    )
    return base64.b64decode(screenshot["data"])
