"""The network: closed for pages from files, open for pages at an address."""

from __future__ import annotations

import struct
import time
import zlib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from hurrying import AMPLE, hurried
from pagesight.document import Document, Failure, read, read_all
from pagesight.errors import RenderTimeout
from pagesight.page import Page
from pagesight.render import AnyRenderer, RenderOptions, open_renderer
from pagesight.render.chromium import live
from pagesight.render.chromium.live import _credentials
from pagesight.sources import Kind, Source, load
from serving import Answer, doorkeeper, website

GOOD = b"<p>Good morning"
LIMIT = 6.0  # seconds for a page that may never end
SLOW = ("a download", "closes itself", "popups")  # taken when their time is nearly over
GRACE = 60.0  # more for starting, and for a busy machine
each_renderer = pytest.mark.parametrize(
    "renderer", [pytest.param("chromium", marks=pytest.mark.browser), "embedded"], indirect=True
)
in_the_browser = pytest.mark.parametrize(
    "renderer", [pytest.param("chromium", marks=pytest.mark.browser)], indirect=True
)

each_live_renderer = pytest.mark.parametrize(
    "renderer", [pytest.param("chromium", marks=pytest.mark.live), "embedded"], indirect=True
)
live_in_the_browser = pytest.mark.parametrize(
    "renderer", [pytest.param("chromium", marks=pytest.mark.live)], indirect=True
)


@pytest.fixture(scope="module")
def renderer(request: pytest.FixtureRequest) -> Iterator[AnyRenderer]:
    with open_renderer(request.param, RenderOptions(timeout=AMPLE)) as opened:
        yield opened


def png(width: int, height: int) -> bytes:
    """A grey picture."""

    def chunk(name: bytes, data: bytes) -> bytes:
        checked = name + data
        return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib.crc32(checked))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + bytes(width)) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def notes(page: Page) -> list[str]:
    return [note.kind for note in page.info.notes]


# Closed.

REFERENCES = """<!doctype html><html manifest="http://HOST/manifest"><head>
<link rel=preconnect href="http://HOST"><link rel=dns-prefetch href="//HOST">
<link rel=prefetch href="http://HOST/prefetch"><link rel=preload as=image href="http://HOST/pre">
<link rel=modulepreload href="http://HOST/m.js"><link rel=prerender href="http://HOST/prerender">
<link rel=stylesheet href="http://HOST/link.css"><link rel=icon href="http://HOST/icon">
<link rel=manifest href="http://HOST/app"><script src="http://HOST/script.js"></script>
<script type=speculationrules>{"prefetch": [{"urls": ["http://HOST/speculation"]}]}</script>
<script>fetch("http://HOST/fetch"); new WebSocket("ws://HOST/socket")</script>
<style>@import "http://HOST/import.css"; @import url(//HOST/import2.css);
@font-face { font-family: F; src: url(http://HOST/font.woff2) }
p { font-family: F; background: url(http://HOST/css.png); cursor: url(http://HOST/cursor), auto }
p::before { content: url(http://HOST/content.png) } li { list-style: url(http://HOST/list.png) }
</style><meta http-equiv=refresh content="0;url=http://HOST/refresh"></head><body>
<p>hi</p><ul><li>item</ul><img src="http://HOST/img.png"><img srcset="http://HOST/set.png 2x">
<picture><source srcset="http://HOST/source.png"><img src="//HOST/slashes.png"></picture>
<iframe src="http://HOST/frame"></iframe><iframe srcdoc="<img src='http://HOST/inner'>"></iframe>
<object data="http://HOST/object"></object><embed src="http://HOST/embed">
<video src="http://HOST/video" poster="http://HOST/poster" autoplay></video>
<audio src="http://HOST/audio" autoplay></audio><input type=image src="http://HOST/input">
<svg><image href="http://HOST/svg"/><use href="http://HOST/use#a"/></svg>
<table background="http://HOST/table"><tr><td>cell</table>
<form action="http://HOST/form"><input autofocus></form><a ping="http://HOST/ping" href="x">a</a>
"""


@each_renderer
@pytest.mark.parametrize("as_file", [True, False])
def test_a_page_from_a_file_connects_to_nobody(
    as_file: bool, renderer: AnyRenderer, tmp_path: Path
) -> None:
    with doorkeeper() as (host, visitors):
        html = REFERENCES.replace("HOST", host)
        path = tmp_path / "page.html"
        path.write_text(html)
        page = read(path if as_file else html.encode(), renderer=renderer).page
        time.sleep(0.5)  # for what comes late
    assert visitors == []
    assert page.root.text.startswith("hi\nitem")
    assert "blocked" in notes(page)
    assert "scripts" in notes(page)


@each_renderer
def test_a_base_elsewhere(renderer: AnyRenderer, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    with doorkeeper() as (host, visitors):
        path.write_text(
            f"<base href='http://{host}/'><link rel=stylesheet href=a.css><img src=b>hi"
        )
        page = read(path, renderer=renderer).page
        time.sleep(0.3)
    assert visitors == []
    assert page.root.text == "hi"
    assert "blocked" in notes(page)


@in_the_browser
def test_an_xhtml_page_connects_to_nobody(renderer: AnyRenderer) -> None:
    with doorkeeper() as (host, visitors):
        page = read(
            f'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title>'
            f'<link rel="preconnect" href="http://{host}"/>'
            f'<link rel="stylesheet" href="//{host}/a"/>'
            f'</head><body><p>hi</p><img src="http://{host}/b" alt=""/></body></html>'.encode(),
            renderer=renderer,
        ).page
        time.sleep(0.3)
    assert visitors == []
    assert page.root.text == "hi"
    assert "blocked" in notes(page)


@each_renderer
def test_what_is_blocked_is_what_was_asked_for(renderer: AnyRenderer, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    (tmp_path / "own.css").write_text("b { background: url(http://x.example/bold.png) }")
    path.write_text(
        "<!doctype html><link rel=stylesheet href=own.css>"
        "<style>p { background: url(/root.png) } q { background: url(//x.example/unused.png) }"
        "</style><p><b>hi</b><img src=http://x.example/a.png><img src=file:///etc/none.png>"
        "<pre>url(https://shown.example/)</pre>"
    )
    (note,) = (note for note in read(path, renderer=renderer).page.info.notes)
    assert (note.kind, note.count) == ("blocked", 4)


# Open.


@live_in_the_browser
def test_a_live_page_says_what_it_lacks(renderer: AnyRenderer) -> None:
    html = b"<link rel=stylesheet href=no.css><img src='http://127.0.0.1:9/no.png'>hi"
    with website({"/": html}) as server:
        page = read(server.address + "/", renderer=renderer).page
    (note,) = page.info.notes
    assert (note.kind, note.count) == ("missing", 2)


@live_in_the_browser
def test_a_live_page_connects_to_others(renderer: AnyRenderer) -> None:
    with doorkeeper() as (host, visitors):
        html = f"<link rel=preconnect href='http://{host}'><img src='http://{host}/img.png'>hi"
        with website({"/": html.encode()}) as server:
            read(server.address + "/", renderer=renderer)
    assert any("/img.png" in visitor for visitor in visitors), visitors


@live_in_the_browser
def test_a_live_page(renderer: AnyRenderer) -> None:
    html = b"""<!doctype html><link rel=stylesheet href=style.css><img src=tea.png>
        <p id=here>before</p><div style="height:9000px"></div>
        <img id=lazy loading=lazy src=lazy.png><p id=seen>not seen</p><script>
        document.getElementById("here").textContent = "after";
        new IntersectionObserver(([entry]) => {
            if (entry.isIntersecting) entry.target.textContent = "seen";
        }).observe(document.getElementById("seen"));</script>"""
    replies: dict[str, Answer | bytes | str] = {
        "/page?a={1,2}*[x]": html,
        "/style.css": Answer(b"p { width: 123px }", "text/css"),
        "/tea.png": Answer(png(30, 20), "image/png"),
        "/lazy.png": Answer(png(50, 40), "image/png"),
    }
    with website(replies) as server:
        page = read(f"{server.address}/page?a={{1,2}}*[x]", renderer=renderer).page
    assert page.root.text == "after\nseen"
    assert page.find("p")[0].box.width == 123
    tea, lazy = page.find("img")
    assert (tea.box.width, tea.box.height) == (30, 20)
    assert (lazy.box.width, lazy.box.height) == (50, 40)
    asked = sorted(path for path in server.asked if path != "/favicon.ico")
    assert asked == sorted(replies)
    assert page.complete


@live_in_the_browser
def test_a_login_is_for_all_of_a_page_and_not_in_it(renderer: AnyRenderer) -> None:
    html = b"<link rel=stylesheet href=style.css><img src=no.png><p>tea <a href=more>more</a>"
    replies: dict[str, Answer | bytes | str] = {
        "/": html, "/style.css": Answer(b"p { width: 123px }", "text/css"),
    }  # fmt: skip
    with website(replies) as server:
        server.login = "reader:secret"
        document = read(f"http://reader:secret@{server.host}/", renderer=renderer)
    page = document.page
    assert page.find("p")[0].box.width == 123
    assert document.source == page.url == f"http://{server.host}/"
    assert [note.detail for note in page.info.notes] == [f"http://{server.host}/no.png"]
    assert b"secret" not in page.to_bytes(compress=False)


@pytest.mark.parametrize(
    ("asked", "given", "origin"),
    [
        ("http://tea.example:80/a", "http://tea.example:80/a", "http://tea.example"),
        ("http://tea.example:81/a", "http://tea.example:81/a", "http://tea.example:81"),
        ("http://tea.example/a", "https://tea.example/b", "https://tea.example"),
        ("https://tea.example/a", "http://tea.example/b", "https://tea.example"),
        ("https://tea.example/a", "https://cup.example/b", "https://tea.example"),
        ("http://[::1]:80/a", "http://[::1]:80/a", "http://[::1]"),
    ],
)
def test_the_server_that_a_login_is_for(asked: str, given: str, origin: str) -> None:
    source = Source(
        name=asked, data=b"", kind=Kind.HTML, url=given, live=True, login=("reader", "secret")
    )
    credentials = _credentials(source)
    assert credentials is not None
    assert credentials.get("origin") == origin


@each_live_renderer
def test_the_address_after_redirects(renderer: AnyRenderer) -> None:
    replies: dict[str, Answer | bytes | str] = {
        "/": Answer(status=301, headers={"Location": "/second"}),
        "/second": Answer(status=302, headers={"Location": "/third"}),
        "/third": b"<p>hi",
    }
    with website(replies) as server:
        page = read(server.address + "/", renderer=renderer).page
    assert page.url == server.address + "/third"
    assert page.root.text == "hi"
    assert server.asked.count("/third") == 1


@live_in_the_browser
@pytest.mark.parametrize("moving", ["location = '/next'", "setTimeout(() => location = '/next')"])
def test_a_page_that_leads_elsewhere(moving: str, renderer: AnyRenderer) -> None:
    replies = {"/": f"<p>moving<script>{moving}</script>".encode(), "/next": b"<p>arrived"}
    with website(replies) as server:
        page = read(server.address + "/", renderer=renderer).page
    assert page.root.text == "arrived"
    assert page.url == server.address + "/next"


@live_in_the_browser
@pytest.mark.parametrize(
    "headers", [{"Content-Disposition": "attachment; filename=a.html"}, {"X-Frame-Options": "DENY"}]
)
def test_headers_that_would_hide_a_page(headers: dict[str, str], renderer: AnyRenderer) -> None:
    with website({"/": Answer(b"<!doctype html><p>hi", headers=headers)}) as server:
        assert read(server.address + "/", renderer=renderer).page.root.text == "hi"


@live_in_the_browser
@pytest.mark.parametrize("media_type", ["application/octet-stream", "text/plain", "x"])
def test_a_page_that_is_sent_as_something_else(media_type: str, renderer: AnyRenderer) -> None:
    html = b"<!doctype html><html><head><title>t</title></head><body><p>hi</p></body></html>"
    with website({"/": Answer(html, media_type)}) as server:
        (result,) = read_all([server.address + "/"], renderer=renderer)
        if isinstance(result, Document):  # else the sources say that it is no page
            assert result.page.root.text == "hi"
        else:
            assert result.error.kind == "not_a_page"


HOSTILE = {
    "dialogs": (
        "<p>hi</p><script>alert(1); confirm(2); prompt(3); print();"
        "onbeforeunload = event => event.preventDefault()</script>", "hi",
    ),
    "popups": ("<p>hi</p><script>for (let n = 0; n < 5; n++) window.open('/#' + n)</script>", "hi"),
    "a popup that is closed": ("<p>hi</p><script>window.open('/').close()</script>", "hi"),
    "a download in a frame": ("<p>hi</p><iframe src='/download'></iframe>", "hi"),
    "a download": ("<p>hi</p><script>location = '/download'</script>", "hi"),
    "refresh to nothing": ("<p>hi</p><meta http-equiv=refresh content='0;url=about:blank'>", None),
    "refresh for ever": ("<p>hi</p><meta http-equiv=refresh content='0'>", None),
    "moves for ever": ("<p>hi</p><script>location = '/?' + Math.random()</script>", None),
    "moves for ever, later": (
        "<p>hi</p><script>setTimeout(() => location = '/?' + Math.random(), 300)</script>", None,
    ),
    "closes itself": ("<p>hi</p><script>window.close(); window.stop()</script>", "hi"),
    "writes for ever": ("<script>setInterval(() => document.write('<p>hi'), 10)</script>", None),
    "errors": ("<p>hi</p><script>throw 1</script><script>null.x</script><script>{</script>", "hi"),
    "a broken world": (
        "<p>hi</p><script>delete window.Promise; window.setTimeout = 1; document.body.remove = 1;"
        "Object.prototype.toJSON = () => { throw 1 }; Array.prototype.map = null</script>", None,
    ),
    "scripts of others": ("<p>hi</p><script src='//127.0.0.1:9/x.js'></script>", "hi"),
}  # fmt: skip


@live_in_the_browser
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_live_pages(
    name: str, renderer: AnyRenderer, monkeypatch: pytest.MonkeyPatch
) -> None:
    html, expected = HOSTILE[name]

    replies: dict[str, Answer | bytes | str] = defaultdict(lambda: html.encode())
    replies["/download"] = Answer(b"x", headers={"Content-Disposition": "attachment; filename=x"})
    with website(replies) as server:
        started, limit = time.monotonic(), LIMIT if expected is None else AMPLE
        if name in SLOW:
            limit = 16.0
            monkeypatch.setattr(live, "GRACE", 8.0)  # half of it to wait, half to take the page
        with hurried(renderer, limit):
            (first,) = read_all([server.address + "/"], renderer=renderer)
        assert time.monotonic() - started < limit + GRACE
        (second,) = read_all([GOOD], renderer=renderer)
    assert isinstance(second, Document)
    assert second.page.root.text == "Good morning"
    if expected is not None:
        assert isinstance(first, Document), first
        assert first.page.root.text == expected
    elif isinstance(first, Failure):
        assert first.error.kind in ("render_timeout", "render_crash")


@pytest.mark.live
def test_a_live_script_without_end() -> None:
    endless = b"<p>hi</p><script>while (true) {}</script>"
    ample = RenderOptions(timeout=AMPLE)
    with website({"/": endless}) as server, open_renderer("chromium", ample) as renderer:
        started = time.monotonic()
        with hurried(renderer, 2):
            (first,) = read_all([server.address + "/"], renderer=renderer)
        assert time.monotonic() - started < 2 + GRACE
        (second,) = read_all([GOOD], renderer=renderer)
    assert isinstance(first, Failure)
    assert isinstance(first.error, RenderTimeout)
    assert isinstance(second, Document)
    assert second.page.root.text == "Good morning"


@pytest.mark.live
def test_a_stylesheet_that_never_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "GRACE", 7.0)  # seconds to take the page, on a busy machine, too
    replies: dict[str, Answer | bytes | str] = {
        "/": b"<p>hi</p><link rel=stylesheet href=slow.css>",
        "/slow.css": Answer(delay=600),
    }
    options = RenderOptions(timeout=10)
    with website(replies) as server, open_renderer("chromium", options) as renderer:
        page = renderer.render(load(server.address + "/"))
    assert "timeout" in notes(page)
    assert "hi" in page.strings


@pytest.mark.parametrize("renderer", ["embedded"], indirect=True)
def test_the_embedded_renderer_says_what_a_live_page_lacks(renderer: AnyRenderer) -> None:
    html = b"<link rel=stylesheet href=a.css><img src=b.png><p>hi<script>1</script>"
    with website({"/": html}) as server:
        page = read(server.address + "/", renderer=renderer).page
    assert server.asked == ["/"]
    assert page.root.text == "hi"
    assert page.url == server.address + "/"
    assert {"blocked", "scripts"} <= set(notes(page))
