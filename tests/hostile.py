"""A hostile site, and all the ways in which its pages try to reach this machine.

The pages are at a made-up name of the web; the door that must stay closed is at the same port of
127.0.0.1.
"""

from __future__ import annotations

import contextlib
import functools
import socket
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest
from playwright import async_api as playwright

from guarding import public_website
from hurrying import AMPLE
from pagesight.render import AnyRenderer, RenderOptions, open_renderer
from pagesight.render.chromium import live
from pagesight.render.chromium.browser import ARGUMENTS
from serving import Answer, Website, doorkeeper

NAME = "hostile.example"
LATE = 0.3  # seconds for what comes after the page was taken


def script(code: str) -> str:
    return f"<p>hi</p><script>{code}</script>"


def script_file(code: str) -> Answer:
    return Answer(code.encode(), "text/javascript")


def leading(status: int) -> Answer:
    return Answer(status=status, headers={"Location": "http://DOOR/"})


WAYS: dict[str, str | Mapping[str, str | Answer]] = {
    "redirect 302": {"/": "<p>hi</p><img src=/go>", "/go": leading(302)},
    "redirect 307": {
        "/": "<p>hi</p><form action=/go method=post></form><script>document.forms[0].submit()"
        "</script>",
        "/go": leading(307),
    },
    "meta refresh": "<p>hi</p><meta http-equiv=refresh content='0;url=http://DOOR/'>",
    "script navigation": script("location = 'http://DOOR/'"),
    "pop-up": script("window.open('http://DOOR/')"),
    "form": "<form action=http://DOOR/ method=post></form><script>document.forms[0].submit()"
    "</script>",
    "iframe": "<p>hi</p><iframe src=http://DOOR/></iframe>",
    "fetch": script("fetch('http://DOOR/', {mode: 'no-cors'})"),
    "WebSocket": script("new WebSocket('ws://DOOR/')"),
    "EventSource": script("new EventSource('http://DOOR/')"),
    "image": "<p>hi</p><img src=http://DOOR/>",
    "stylesheet": "<link rel=stylesheet href=http://DOOR/><p>hi</p>",
    "font": "<style>@font-face { font-family: F; src: url(http://DOOR/) } p { font-family: F }"
    "</style><p>hi</p>",
    "prefetch": "<link rel=prefetch href=http://DOOR/><link rel=preconnect href=http://DOOR/>"
    "<link rel=dns-prefetch href=http://DOOR/><p>hi</p>",
    "service worker": {
        "/": script("navigator.serviceWorker.register('/worker.js')"),
        "/worker.js": script_file(
            "oninstall = event => event.waitUntil(fetch('http://DOOR/', {mode: 'no-cors'}))"
        ),
    },
    "beacon": script("navigator.sendBeacon('http://DOOR/', 'tea')"),
    "worker import": {
        "/": script("new Worker('/worker.js')"),
        "/worker.js": script_file("importScripts('http://DOOR/')"),
    },
    "IPv6 forms": "<p>hi</p>"
    + "".join(
        f"<img src=http://{host}:PORT/>"
        for host in (
            "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]",
            "[2002:7f00:1::]", "[2001:0:7f00:1::]", "0x7f.1", "0177.1", "2130706433", "127.1",
            "127.0.0.1.", "127。0。0。1", "localhost", "tea.localhost", "0.0.0.0", "[::]",
        )
    ),
    "secure": "<p>hi</p><img src=https://DOOR/><script>new WebSocket('wss://DOOR/')</script>",
}  # fmt: skip


@dataclass
class Stage:
    """A hostile site, and a door at the same port that must stay closed."""

    site: Website
    port: int
    visitors: list[str]

    def play(self, way: str) -> None:
        """Let the site have the pages of one way, or this page, and forget who came."""
        given = WAYS.get(way, way)
        pages = {"/": given} if isinstance(given, str) else given
        self.site.pages.clear()
        self.site.pages.update({path: self._filled(page) for path, page in pages.items()})
        self.visitors.clear()
        self.site.asked.clear()

    def _filled(self, page: str | Answer) -> str | Answer:
        if isinstance(page, str):
            return page.replace("DOOR", self.door).replace("PORT", str(self.port))
        headers = {name: value.replace("DOOR", self.door) for name, value in page.headers.items()}
        body = page.body.replace(b"DOOR", self.door.encode())
        return replace(page, body=body, headers=headers)

    @property
    def door(self) -> str:
        return f"127.0.0.1:{self.port}"


@contextlib.contextmanager
def staged() -> Iterator[Stage]:
    """A hostile site that runs."""
    with doorkeeper() as (place, visitors):
        port = int(place.rpartition(":")[2])
        with public_website(port=port) as site, contextlib.ExitStack() as stack:
            if has_ipv6():
                stack.enter_context(doorkeeper(("::1", port), visitors))
            yield Stage(site, port, visitors)


@functools.cache
def has_ipv6() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


@contextlib.contextmanager
def careless_renderer() -> Iterator[AnyRenderer]:
    """A browser that is less careful than ours: with service workers, and any certificate."""
    patch = pytest.MonkeyPatch()
    patch.setattr(live, "ARGUMENTS", (*ARGUMENTS, "--ignore-certificate-errors"))
    new_context = playwright.Browser.new_context

    def open_to_workers(self: Any, **options: Any) -> Any:
        return new_context(self, **{**options, "service_workers": "allow"})

    patch.setattr(playwright.Browser, "new_context", open_to_workers)
    with open_renderer("chromium", RenderOptions(timeout=AMPLE)) as opened:
        yield opened
    patch.undo()
