"""Hostile parts in a real browser: does any of them run, reach out, or leave its tile?

    python benchmarks/portal_hostile.py                 10,000 generated parts, in both looks
    python benchmarks/portal_hostile.py --count 300     fewer

Parts are made by Hypothesis from what is known to get past cleaners, nested and broken at random.
They are shown without a content security policy, so that nothing but the cleaning holds them. A
second line of defence is tried alone: hostile styles that were not cleaned at all, in the frame.
"""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from PIL import Image
from playwright.sync_api import Browser, Dialog, sync_playwright

from pagesight.portal.foreign import WRAPPER_STYLE, Foreign
from pagesight.portal.values import Look
from pagesight.render.chromium.discovery import find_browser
from pagesight.watch import Observation, Status

RUN = "window.ran=1"
ASK = "http://127.0.0.1:PORT/canary"
ACROSS = 10  # tiles on a row
WIDTH, HEIGHT, GAP = 120, 80, 20  # px of a tile, and around it
GROUND = (0, 255, 0)  # of the page, which shows between tiles
LATE = 300  # ms for what comes late

VECTORS = [
    f"<script>{RUN}</script>",
    f"<script src={ASK}></script>",
    f"<img src=x onerror={RUN}>",
    f"<img src={ASK} srcset='{ASK} 2x'>",
    f"<picture><source srcset={ASK}><img src={ASK}></picture>",
    f"<svg onload={RUN}><image href={ASK} /><use href={ASK}#x /></svg>",
    f"<svg><script>{RUN}</script><style>*{{background:url({ASK})}}</style></svg>",
    f"<svg><animate onbegin={RUN} attributeName=x dur=1s></svg>",
    f"<math><mtext><table><mglyph><style><img src=x onerror={RUN}></style></mglyph></table>",
    f"<math><annotation-xml encoding=text/html><style><img src=x onerror={RUN}>",
    f"<form><math><mtext></form><form><mglyph><style></math><img src=x onerror={RUN}>",
    f"<svg></p><style><a id='</style><img src=x onerror={RUN}>'>",
    f"<noscript><p title='</noscript><img src=x onerror={RUN}>'>",
    f'<iframe src="javascript:parent.{RUN}"></iframe>',
    f"<iframe srcdoc='<script>parent.{RUN}</script>'></iframe>",
    f"<iframe src={ASK}></iframe><frame src={ASK}><object data={ASK}></object><embed src={ASK}>",
    f"<video src={ASK} poster={ASK} autoplay onerror={RUN}></video><audio src={ASK} autoplay>",
    f"<link rel=stylesheet href={ASK}><link rel=prefetch href={ASK}><link rel=icon href={ASK}>",
    f"<meta http-equiv=refresh content='0;url={ASK}'><base href={ASK}>",
    f"<style>@import '{ASK}'; * {{ background: url({ASK}); position: fixed; inset: 0 }}</style>",
    "<style>:host { contain: none !important; position: fixed; inset: 0; z-index: 9999 }</style>",
    f"<div style='background:url({ASK})'>x</div><div style='list-style:url({ASK})'>x</div>",
    "<div style='position:fixed;inset:0;z-index:2147483647;background:#ff0000'>x</div>",
    "<div style='position:absolute;top:-900px;left:-900px;width:9000px;height:9000px;"
    "background-color:#ff0000'>x</div>",
    "<div style='margin:-500px;padding:900px;background-color:#ff0000;width:3000px'>x</div>",
    "<div style='width:2000px;padding:2000px;background-color:#ff0000;font-size:120px'>x</div>",
    "<div style='box-shadow:0 0 0 9999px red;outline:9999px solid red;transform:scale(99)'>x</div>",
    "<dialog open style='position:fixed;inset:0;background:red'>x</dialog>",
    f"<div popover id=p>x</div><button popovertarget=p autofocus onfocus={RUN}>x</button>",
    f"<input autofocus onfocus={RUN}><select autofocus onfocus={RUN}></select>",
    f"<details open ontoggle={RUN}><summary>x</summary>x</details>",
    f"<marquee onstart={RUN} style='position:fixed'>x</marquee>",
    f"<form action={ASK} id=f><input type=image src={ASK}></form><button form=f>x</button>",
    f"<a href=javascript:{RUN} ping={ASK}>x</a><a href='java\tscript:{RUN}'>x</a>",
    f"<a href=' &#1;javascript:{RUN}' autofocus>x</a><area href=javascript:{RUN}>",
    f"<table background={ASK}><td background={ASK}>x</table><body background={ASK}>",
    f"<template shadowrootmode=open><script>{RUN}</script><img src={ASK}></template>",
    f"</template></div></div><script>{RUN}</script><div style='position:fixed;inset:0'>",
    f"</style><script>{RUN}</script>",
    f"<textarea></template><img src=x onerror={RUN}></textarea>",
    f"<xmp></xmp><img src=x onerror={RUN}><plaintext>",
    f"<!--><img src=x onerror={RUN}>--><!--!><script>{RUN}</script>-->",
    f"<![CDATA[><img src=x onerror={RUN}>]]><?php <script>{RUN}</script> ?>",
    f"<x-y onclick={RUN} is=x style='animation:x 1s' onanimationstart={RUN} tabindex=0 autofocus>",
    f"<p class='s0 app' id=app name=app slot=x part=x hx-get={ASK} hx-trigger=load>x</p>",
    f'<img src=\'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="{RUN}"/>\'>',
    f"<style>.s0{{background:url({ASK})}}</style><p style='color:#112233'>x</p>",
    f"<p style='color:#fff}}*{{background:url({ASK})'>x</p>",
    f"<p style='font-family:\"</style><script>{RUN}</script>\"'>x</p>",
    "<p>tea",
    "\0\ufeff\u202e&#0;&#xD800;&lt;script&gt;",
]
WRAPPERS = [
    "<div>{}</div>", "<p>{}", "<table><tr><td>{}", "<ul><li>{}</ul>", "<b><i>{}</b>", "<a>{}",
    "<svg><foreignObject>{}</foreignObject></svg>", "<svg><desc>{}", "<math>{}</math>",
    "<math><annotation-xml encoding='text/html'>{}", "<template>{}</template>", "<style>{}</style>",
    "<noscript>{}</noscript>", "<title>{}</title>", "<textarea>{}</textarea>", "<xmp>{}</xmp>",
    "<select><option>{}", "<iframe>{}</iframe>", "<noembed>{}</noembed>", "<!--{}-->", "<form>{}",
    '<p title="{}">', "<p title='{}'>", "<img alt='{}'>", '<a href="{}">x</a>', "<p style='{}'>",
    "<template shadowrootmode=open>{}</template>", "</template>{}", "</div></div>{}", "<{}",
    "<head>{}</head>", "<frameset>{}", "<object>{}</object>", "<button>{}</button>",
    "<svg><style>{}",
]  # fmt: skip
NAMES = (
    "a b div form iframe img input li link math meta object p script span style svg table td "
    "template tr use video base button details dialog".split()
)
ATTRIBUTES = (
    "href src style class id onerror onload onclick onfocus autofocus popover action formaction "
    "srcset srcdoc background xlink:href poster data ping name is slot target".split()
)
VALUES = [
    ASK, RUN, f"javascript:{RUN}", f"data:text/html,<script>{RUN}</script>", f"url({ASK})", "x",
    "position:fixed;inset:0;background:red", f"background:url('{ASK}')", f"//{ASK[7:]}", "s0", "#",
    f"&#106;avascript:{RUN}", "'\"><", "\U0001f375",
]  # fmt: skip


def hostile_parts() -> st.SearchStrategy[str]:
    """Pieces of HTML that nobody should put into a page."""
    noise = st.text(alphabet="<>/='\"&;#!-[]{}()\\ \t\n\0aX:@*", max_size=12)
    leaf = st.one_of(st.sampled_from(VECTORS), _elements(), noise)
    nested = st.recursive(leaf, _around, max_leaves=8)
    return st.one_of(nested, nested, nested.map(_shouted))


def _elements() -> st.SearchStrategy[str]:
    pairs = st.tuples(st.sampled_from(ATTRIBUTES), st.sampled_from(VALUES), st.sampled_from("\"' "))
    attributes = st.lists(pairs.map(lambda one: f" {one[0]}={one[2]}{one[1]}{one[2]}"), max_size=4)
    names = st.sampled_from(NAMES)
    return st.builds(lambda name, given: f"<{name}{''.join(given)}>x", names, attributes)


def _around(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Hostile pieces in others, beside others, and broken off."""
    wrappers = st.sampled_from(WRAPPERS)
    wrapped = st.builds(lambda around, one: around.replace("{}", one), wrappers, inner)
    several = st.lists(inner, min_size=2, max_size=4).map("".join)
    broken = st.builds(lambda one, length: one[:-length], inner, st.integers(1, 40))
    return st.one_of(wrapped, several, broken)


def _shouted(html: str) -> str:
    return html.upper().replace(RUN.upper(), RUN)


def generated(count: int, start: int = 0) -> list[str]:
    """As many hostile parts, the same every time."""
    found: list[str] = []

    @seed(start)
    @settings(
        max_examples=count, database=None, phases=[Phase.generate], deadline=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(hostile_parts())
    def collect(part: str) -> None:
        found.append(part)

    collect()
    return found


def observed(html: str) -> Observation:
    """A part that consists of some HTML, which is also what is kept as its look."""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return Observation(
        part=1, number=1, time=now, last=now, status=Status.FOUND, html=html, styled=html, text="",
        items=(), box=None, xpath=None, css=None, confidence=None, runner_up=None, changes=(),
        has_picture=False,
    )  # fmt: skip


def shown(parts: Sequence[str], look: Look) -> list[str]:
    """Parts as a board shows them."""
    foreign = Foreign(b"secret")
    return [foreign.show(observed(part), look=look) for part in parts]


class Stand:
    """A browser, and a server that knows what it is asked for."""

    def __init__(
        self, browser: Browser, port: int, asked: list[str], pages: dict[str, str]
    ) -> None:
        self.port = port
        self._browser = browser
        self._asked = asked
        self._pages = pages

    def rings(self, tiles: Sequence[str]) -> list[str]:
        """Which canaries ring when these tiles are shown on one page."""
        self._asked.clear()
        self._pages["/"] = _page(tiles).replace("PORT", str(self.port))
        with self._browser.new_context(viewport=_size(len(tiles))) as context:
            rung: list[str] = []
            page = context.new_page()
            context.on("page", lambda _: rung.append("a window was opened"))

            def dismiss(dialog: Dialog) -> None:
                rung.append("a dialog was opened")
                dialog.dismiss()

            page.on("dialog", dismiss)
            page.on("request", lambda one: rung.extend(_stray(one.url, self.port)))
            page.goto(f"http://127.0.0.1:{self.port}/")
            page.wait_for_timeout(LATE)
            rung += [f"the server was asked for {path}" for path in self._asked if "canary" in path]
            if page.url != f"http://127.0.0.1:{self.port}/":
                return [*rung, "the page was left"]
            rung += ["a script ran"] if page.evaluate("window.ran") else []
            if page.evaluate("document.activeElement !== document.body"):
                rung.append("something took the focus")
            rung += _covered(page.screenshot(), len(tiles))
        return rung


def _stray(url: str, port: int) -> list[str]:
    """A request for anything but the page, and the pictures that this server gives."""
    place = f"http://127.0.0.1:{port}/"
    is_ours = url in (place, f"{place}favicon.ico") or url.startswith(f"{place}pictures/")
    return [] if is_ours else [f"asked for {url[:100]}"]


def _page(tiles: Sequence[str]) -> str:
    shown = "".join(f'<div class="tile">{tile}</div>' for tile in tiles)
    return (
        "<!doctype html><meta charset=utf-8><title>x</title><style>"
        f"{WRAPPER_STYLE}html{{background:rgb{GROUND}}}body{{margin:0;width:{_size(0)['width']}px}}"
        f".tile{{float:left;width:{WIDTH}px;height:{HEIGHT}px;margin:{GAP}px 0 0 {GAP}px}}"
        ".tile>.foreign{height:100%;background:white}</style>" + shown
    )


def _size(count: int) -> Any:
    rows = -(-count // ACROSS)
    return {"width": ACROSS * (WIDTH + GAP) + GAP, "height": rows * (HEIGHT + GAP) + GAP}


def _covered(screenshot: bytes, count: int) -> list[str]:
    """Whether anything but the page shows between the tiles."""
    pixels = np.asarray(Image.open(BytesIO(screenshot)).convert("RGB"))
    between = np.ones(pixels.shape[:2], dtype=bool)
    for number in range(count):
        left, top = GAP + number % ACROSS * (WIDTH + GAP), GAP + number // ACROSS * (HEIGHT + GAP)
        between[top : top + HEIGHT, left : left + WIDTH] = False
    covered = int((pixels[between] != GROUND).any(axis=1).sum())
    return [f"{covered} pixels of the page are covered"] if covered else []


@contextmanager
def stand() -> Iterator[Stand]:
    """One that runs."""
    asked: list[str] = []
    pages: dict[str, str] = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            body = pages.get(self.path, "").encode("utf-8", "replace")
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815 – as http.server names it

        def log_message(self, *_: object) -> None:
            pass

    found = find_browser()
    assert found, "there is no Chromium"
    with (
        ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=found.path) as browser,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield Stand(browser, server.server_port, asked, pages)
        server.shutdown()


UNCLEANED = [
    "<style>:host{contain:none!important;position:fixed!important;inset:0!important}</style>x",
    "<div style='position:fixed;inset:0;z-index:2147483647;background:red'>x</div>",
    "<div style='position:absolute;inset:-9000px;background:red;z-index:9'>x</div>",
    "<div style='margin:-500px;width:5000px;height:5000px;background:red'>x</div>",
    "<div style='box-shadow:0 0 0 9999px red;outline:9999px solid red;height:9px'>x</div>",
    "<div style='transform:scale(99);background:red;height:90px'>x</div>",
    "<style>:host{overflow:visible!important;contain:none!important}"
    ":host::before{content:'';position:fixed;inset:0;background:red}</style>x",
]
"""Styles that the frame has to hold by itself."""


def main() -> None:
    """Show them all, and print what rings."""
    parser = argparse.ArgumentParser(description="Hostile parts in a real browser.")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--at-once", type=int, default=100, help="parts on a page")
    options = parser.parse_args()
    begun = time.monotonic()
    parts = generated(options.count)
    rung: list[str] = []
    with stand() as running:
        for look in (Look.PLAIN, Look.ORIGINAL):
            for first in range(0, len(parts), options.at_once):
                tiles = shown(parts[first : first + options.at_once], look)
                rung += [f"from {first}, {look}: {one}" for one in running.rings(tiles)]
    took = time.monotonic() - begun
    print(f"{len(parts)} parts in 2 looks, {took:.0f} s: {len(rung)} canaries rang")
    for one in rung:
        print(one)


if __name__ == "__main__":
    main()
