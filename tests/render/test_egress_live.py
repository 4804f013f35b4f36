"""The ways in which a hostile page can reach this machine: none of them does, past a guard.

Each way is tried without a guard as well, and arrives: else its test would show nothing. The page
is at a made-up name of the web; the door that must stay closed is at the same port of 127.0.0.1.
"""

from __future__ import annotations

import contextlib
import functools
import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest
from playwright import async_api as playwright

from guarding import ANYWHERE, PUBLIC, guard_of, public_website
from hurrying import AMPLE
from pagesight.document import Document, Failure, read_all
from pagesight.errors import AddressRefused
from pagesight.render import AnyRenderer, RenderOptions, open_renderer
from pagesight.render.chromium import live
from pagesight.render.chromium.browser import ARGUMENTS
from pagesight.sources import Guard, Limits
from serving import Answer, Website, doorkeeper

pytestmark = pytest.mark.live
NAME = "hostile.example"
PATIENCE = 20.0  # seconds until all is closed, on a busy machine
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

    def read(self, renderer: AnyRenderer, host: str, guard: Guard | None) -> Document | Failure:
        limits = Limits(guard=guard)
        (result,) = read_all([f"http://{host}:{self.port}/"], renderer=renderer, limits=limits)
        time.sleep(LATE)
        return result


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
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


@pytest.fixture(scope="module")
def renderer(live_browser: object) -> Iterator[AnyRenderer]:
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


@pytest.fixture(scope="module")
def guard() -> Guard:
    """One for all tests: each guard has a browser of its own."""
    return guard_of(hostile=PUBLIC)


@pytest.mark.parametrize("way", WAYS)
def test_past_a_guard_nothing_arrives(
    way: str, stage: Stage, renderer: AnyRenderer, guard: Guard
) -> None:
    stage.play(way)
    host = PUBLIC if way == "service worker" else NAME  # which takes what is secure, or local
    result = stage.read(renderer, host, guard)
    assert stage.visitors == []
    assert set(stage.site.pages) <= set(stage.site.asked)  # it came as far as that
    assert isinstance(result, Document) or isinstance(result.error, AddressRefused), result


@pytest.mark.parametrize("way", WAYS)
def test_without_a_guard_it_arrives(way: str, stage: Stage, renderer: AnyRenderer) -> None:
    stage.play(way)
    stage.read(renderer, PUBLIC, None)
    assert stage.visitors != []


@pytest.mark.parametrize("answers", [[["127.0.0.1"]], [[PUBLIC, "127.0.0.1"]], [["::1"]]])
@pytest.mark.parametrize("is_open", [False, True])
def test_a_name_that_leads_elsewhere_the_second_time(
    is_open: bool, answers: list[list[str]], stage: Stage, renderer: AnyRenderer
) -> None:
    if answers == [["::1"]] and not has_ipv6():
        pytest.skip("no IPv6 on this machine")
    guard = guard_of(rebinding=[[PUBLIC], *answers])
    if is_open:  # the same look-ups, without the check
        guard = replace(guard, allow=ANYWHERE)
    stage.play(script("fetch('/secret')"))  # DNS rebinding: of its own name, as a page may
    result = stage.read(renderer, "rebinding.example", guard)
    assert isinstance(result, Document)
    arrived = bool(stage.visitors) or "/secret" in stage.site.asked
    assert arrived is is_open


STUN = """const peer = new RTCPeerConnection({iceServers: [{urls: "stun:127.0.0.1:PORT"}]});
peer.createDataChannel("tea"); peer.createOffer().then(offer => peer.setLocalDescription(offer))"""


@pytest.mark.parametrize("is_guarded", [True, False])
def test_no_datagram_leaves_past_a_guard(
    is_guarded: bool, stage: Stage, renderer: AnyRenderer, guard: Guard
) -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as receiver:
        receiver.bind(("127.0.0.1", 0))
        receiver.settimeout(2.0)
        stage.site.pages["/"] = script(STUN.replace("PORT", str(receiver.getsockname()[1])))
        stage.read(renderer, *((NAME, guard) if is_guarded else (PUBLIC, None)))
        received = None
        with contextlib.suppress(TimeoutError):
            received = receiver.recv(100)
    assert (received is None) is is_guarded


# What the guard lets pass, and what a page says about the rest


SAYING = """fetch("/said", {method: "post", body: "x"}).then(answer => answer.text())
.then(text => document.querySelector("p").textContent = text)"""


def test_a_guarded_page_has_what_is_public(
    stage: Stage, renderer: AnyRenderer, guard: Guard, certificate: tuple[Path, Path]
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    sheet = Answer(b"p { width: 123px }", "text/css")
    with public_website({"/secure.css": sheet}, secured=context) as other:
        html = (
            f"<link rel=stylesheet href='https://{other.host}/secure.css'>"
            "<link rel=stylesheet href=/a//plain.css?><link rel=stylesheet href=/no.css>"
            f"<img src='http://{stage.door}/picture'><p>tea</p>"
        ) + script(SAYING)
        plain = Answer(b"p { height: 45px }", "text/css")
        stage.site.pages.clear()
        stage.site.pages.update({"/": html, "/a//plain.css?": plain, "/said": "coffee"})
        result = stage.read(renderer, NAME, guard)
    assert isinstance(result, Document), result
    paragraph = result.page.find("p")[0]
    assert (paragraph.text, paragraph.box.width, paragraph.box.height) == ("coffee", 123, 45)
    notes = {(note.kind, note.detail) for note in result.page.info.notes}
    assert notes == {
        ("blocked", f"http://{stage.door}/picture"),
        ("missing", f"http://{NAME}:{stage.port}/no.css"),
    }


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_page_that_leads_inside_is_an_error(
    scheme: str, stage: Stage, renderer: AnyRenderer, guard: Guard
) -> None:
    stage.site.pages["/"] = script(f"location = '{scheme}://{stage.door}/'")
    result = stage.read(renderer, NAME, guard)
    assert isinstance(result, Failure)
    assert isinstance(result.error, AddressRefused)
    assert re.search(r"leads elsewhere, and 127\.0\.0\.1 is an address of", str(result.error))


def test_nothing_is_left_of_a_guarded_browser(live_browser: object, stage: Stage) -> None:
    stage.site.pages["/"] = script(f"new WebSocket('ws://{NAME}:{stage.port}/held')") + "tea"
    stage.site.pages["/held"] = Answer(delay=60)
    before, threads = _sockets(stage), set(threading.enumerate())
    with open_renderer("chromium", RenderOptions(timeout=AMPLE)) as renderer:
        result = stage.read(renderer, NAME, guard_of(hostile=PUBLIC))
        assert isinstance(result, Document)
        assert _sockets(stage) - before  # the proxy listens
    deadline = time.monotonic() + PATIENCE
    while _sockets(stage) - before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert _sockets(stage) - before == set()
    assert set(threading.enumerate()) <= threads | _serving()


def _sockets(stage: Stage) -> set[Any]:
    """The sockets of this process, except those of the hostile site."""
    sockets = psutil.Process().net_connections()
    return {each for each in sockets if each.laddr.port != stage.port}


def _serving() -> set[threading.Thread]:
    """The threads in which test servers answer."""
    return {each for each in threading.enumerate() if "process_request" in each.name}
