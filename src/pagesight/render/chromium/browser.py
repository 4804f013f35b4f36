"""What the two kinds of running browsers have in common.

Pages from files go through a *sealed* browser (`sealed`), pages at their addresses through a *live*
one (`live`). Each is started when the first such page comes.
"""

from __future__ import annotations

import asyncio
import base64
import os
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from pagesight.errors import NoBrowser, PageTooComplex, RenderCrash
from pagesight.page import Note
from pagesight.render.chromium.discovery import Browser
from pagesight.render.renderer import RenderOptions, clipped
from pagesight.sources import Source

T = TypeVar("T")

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
TAB_TIMEOUT = 10.0
COUNT = "document.getElementsByTagName('*').length"
# Ends what moves where it was going, so that a page looks the same whenever it is looked at. What
# would move for ever goes back to where it began.
AT_REST = """for (const view of [window, ...Array.from(window.frames)])
    try {
        for (const animation of view.document.getAnimations())
            try { animation.finish() } catch { animation.cancel() }
    } catch {}"""


@dataclass(frozen=True, slots=True)
class Captured:
    """A page as the browser gives it."""

    snapshot: dict[str, Any]
    url: str | None
    notes: tuple[Note, ...]
    picture: bytes | None = None  # PNG, if it was asked for


class RunningBrowser(Protocol):
    """A browser process that takes pages."""

    version: str

    @property
    def alive(self) -> bool:
        """Whether it is there and still opens tabs."""
        ...

    async def capture(self, source: Source, options: RenderOptions, *, picture: bool) -> Captured:
        """Show a page in a tab, and take its snapshot."""
        ...

    async def close(self) -> None:
        """End the browser and all that belongs to it."""
        ...


def does_not_start(found: Browser, reason: str) -> NoBrowser:
    """What to say of a browser that is there and does not start."""
    return NoBrowser(
        f"{found.path} does not start ({reason})",
        hint=f"try another browser in PAGESIGHT_BROWSER, or {SANDBOX_VARIABLE}=0 where "
        "the system does not allow the browser's sandbox",
    )


def sandboxed() -> bool:
    """Whether the browser protects the system from its pages."""
    if named := os.environ.get(SANDBOX_VARIABLE):
        return named != "0"
    return not (hasattr(os, "geteuid") and os.geteuid() == 0)  # root has no sandbox on Linux


async def or_crash(crashed: asyncio.Event, work: Coroutine[Any, Any, T]) -> T:
    """The result of `work`, or `RenderCrash` as soon as the tab crashes."""
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


def check_count(answer: dict[str, Any], limit: int) -> None:
    """Raise `PageTooComplex` where the answer to `COUNT` is beyond the limit."""
    count = answer.get("result", {}).get("value", 0)
    if count > limit:
        raise PageTooComplex(f"{count:,} elements, more than the limit of {limit:,}")


class Tab(Protocol):
    """Something that takes commands of the DevTools protocol."""

    async def send(self, method: str, **parameters: Any) -> Any:
        """One command, and its answer."""
        ...


async def picture_of(tab: Tab, snapshot: dict[str, Any], viewport: tuple[int, int]) -> bytes:
    """A picture of the whole page in a tab, not only of what its window shows."""
    document = snapshot["documents"][0]
    width = max(document.get("contentWidth", 0), viewport[0])
    height = max(document.get("contentHeight", 0), viewport[1])
    width, height = clipped(width, height)
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
    # Where all of a page is seen, one from right to left would be moved aside by going beyond.
    beyond = (width, height) != viewport
    taken = await tab.send(
        "Page.captureScreenshot", format="png", captureBeyondViewport=beyond, clip=clip
    )
    return base64.b64decode(taken["data"])
