"""The ways in which a hostile page can reach this machine: none of them does, past a guard.

Each way is tried without a guard as well, and arrives: else its test would show nothing.
"""

from __future__ import annotations

import contextlib
import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest

from guarding import ANYWHERE, PUBLIC, guard_of, public_website
from hostile import LATE, NAME, WAYS, Stage, careless_renderer, has_ipv6, script, staged
from hurrying import AMPLE
from pagesight.document import Document, Failure, read_all
from pagesight.errors import AddressRefused
from pagesight.render import AnyRenderer, RenderOptions, open_renderer
from pagesight.sources import Guard, Limits
from serving import Answer

pytestmark = pytest.mark.live
PATIENCE = 20.0  # seconds until all is closed, on a busy machine


def read(stage: Stage, renderer: AnyRenderer, host: str, guard: Guard | None) -> Document | Failure:
    """Read the page of a hostile site."""
    limits = Limits(guard=guard)
    (result,) = read_all([f"http://{host}:{stage.port}/"], renderer=renderer, limits=limits)
    time.sleep(LATE)
    return result


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with staged() as running:
        yield running


@pytest.fixture(scope="module")
def renderer(live_browser: object) -> Iterator[AnyRenderer]:
    with careless_renderer() as opened:
        yield opened


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
    result = read(stage, renderer, host, guard)
    assert stage.visitors == []
    assert set(stage.site.pages) <= set(stage.site.asked)  # it came as far as that
    assert isinstance(result, Document) or isinstance(result.error, AddressRefused), result


@pytest.mark.parametrize("way", WAYS)
def test_without_a_guard_it_arrives(way: str, stage: Stage, renderer: AnyRenderer) -> None:
    stage.play(way)
    read(stage, renderer, PUBLIC, None)
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
    result = read(stage, renderer, "rebinding.example", guard)
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
        read(stage, renderer, *((NAME, guard) if is_guarded else (PUBLIC, None)))
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
        result = read(stage, renderer, NAME, guard)
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
    result = read(stage, renderer, NAME, guard)
    assert isinstance(result, Failure)
    assert isinstance(result.error, AddressRefused)
    assert re.search(r"leads elsewhere, and 127\.0\.0\.1 is an address of", str(result.error))


def test_nothing_is_left_of_a_guarded_browser(live_browser: object, stage: Stage) -> None:
    stage.site.pages["/"] = script(f"new WebSocket('ws://{NAME}:{stage.port}/held')") + "tea"
    stage.site.pages["/held"] = Answer(delay=60)
    before, threads = _sockets(stage), set(threading.enumerate())
    with open_renderer("chromium", RenderOptions(timeout=AMPLE)) as renderer:
        result = read(stage, renderer, NAME, guard_of(hostile=PUBLIC))
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
