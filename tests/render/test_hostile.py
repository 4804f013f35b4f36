"""Bad input: each page ends in a Page or in an error that says what it is, and the next is read."""

from __future__ import annotations

import asyncio
import gzip
import os
import struct
import sys
import threading
import time
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest
from small_pdfs import locked, pdf, text

from hurrying import AMPLE, hurried
from pagesight.document import Document, Failure, read, read_all
from pagesight.errors import (
    FetchTimeout,
    NotAPage,
    PagesightError,
    PageTooComplex,
    PdfDamaged,
    PdfLocked,
    RenderCrash,
    RenderError,
    RenderTimeout,
    SourceNotFound,
    SourceTooLarge,
    UnexpectedError,
)
from pagesight.render import AnyRenderer, RenderOptions, open_renderer
from pagesight.render.chromium.discovery import find_browser
from pagesight.render.showing import TOO_DEEP
from pagesight.render.worker import renderer as workers
from pagesight.sources import DEFAULT_LIMITS, Limits, Source, read_manifest
from serving import silent_site, website

LIMIT = 3.0  # seconds for a page that may be too much
GRACE = 60.0  # more for starting, and for a busy machine
GOOD = b"<!doctype html><title>Tea</title><h1>Good morning</h1><p>Tea is <b>served</b>.</p>"
GOOD_TEXT = "Good morning\nTea is served."
each_renderer = pytest.mark.parametrize(
    "renderer", [pytest.param("chromium", marks=pytest.mark.browser), "embedded"], indirect=True
)


@pytest.fixture(scope="module")
def renderer(request: pytest.FixtureRequest) -> Iterator[AnyRenderer]:
    with open_renderer(request.param, RenderOptions(timeout=AMPLE)) as opened:
        yield opened


def read_with_next(
    bad: bytes | str | Path,
    renderer: AnyRenderer,
    limits: Limits = DEFAULT_LIMITS,
    seconds: float = AMPLE,
) -> Document | Failure:
    """What becomes of a bad page within some seconds; the page after it is read well."""
    started = time.monotonic()
    with hurried(renderer, seconds):
        (first,) = read_all([bad], renderer=renderer, limits=limits)
    assert time.monotonic() - started < limits.total_timeout + seconds + GRACE
    (second,) = read_all([GOOD], renderer=renderer)
    assert isinstance(second, Document), second
    assert second.page.root.text == GOOD_TEXT
    if isinstance(first, Failure):
        assert not isinstance(first.error, UnexpectedError), first.error
        assert first.error.source == first.source
    return first


def page_text(result: Document | Failure) -> str:
    assert isinstance(result, Document), result
    return result.page.root.text


def error_of(result: Document | Failure) -> PagesightError:
    assert isinstance(result, Failure), result
    return result.error


def png(width: int, height: int) -> bytes:
    """The head of a picture of any size, with hardly any data."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(bytes(1000)))
        + chunk(b"IEND", b"")
    )


SVG_BOMB = (
    "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>"
    "<defs><g id='u0'><path d='M0 0h1'/></g>"
    + "".join(f"<g id='u{n + 1}'>" + f"<use href='#u{n}'/>" * 10 + "</g>" for n in range(12))
    + "</defs><use href='#u12'/></svg>"
)
ENTITY_BOMB = (
    '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY e0 "ha">'
    + "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(10))
    + ']><svg xmlns="http://www.w3.org/2000/svg"><text>&e10;</text></svg>'
)
VARIABLE_BOMB = "".join(f"--v{n + 1}: var(--v{n}) var(--v{n});" for n in range(40))

# What is no page at all.


@each_renderer
@pytest.mark.parametrize("bad", [b"", b"\xff" * 10_000, bytes(range(256)) * 20])
def test_no_page(bad: bytes, renderer: AnyRenderer) -> None:
    assert isinstance(error_of(read_with_next(bad, renderer)), NotAPage)


@each_renderer
def test_50_megabytes(renderer: AnyRenderer) -> None:
    bad = b"<p>" + b"word " * 10_000_000
    assert isinstance(error_of(read_with_next(bad, renderer)), SourceTooLarge)


@each_renderer
def test_50_megabytes_where_they_are_allowed(renderer: AnyRenderer) -> None:
    bad = b"<p>hello <img alt='" + b"word " * 10_000_000 + b"'>"
    result = read_with_next(bad, renderer, Limits(max_size=100 << 20), seconds=LIMIT)
    assert isinstance(result, Document) or isinstance(result.error, RenderError)


@each_renderer
def test_gzip_bomb(renderer: AnyRenderer) -> None:
    bad = gzip.compress(bytes(100 << 20))
    assert isinstance(error_of(read_with_next(bad, renderer)), SourceTooLarge)


@each_renderer
def test_pdf_with_a_password(renderer: AnyRenderer) -> None:
    assert isinstance(error_of(read_with_next(locked(), renderer)), PdfLocked)


@each_renderer
@pytest.mark.parametrize("left", [30, 400])
def test_truncated_pdf(left: int, renderer: AnyRenderer) -> None:
    bad = pdf(text(72, 700, "Hello"))[:left]
    assert isinstance(error_of(read_with_next(bad, renderer)), PdfDamaged)


@each_renderer
def test_a_file_that_vanishes(renderer: AnyRenderer, tmp_path: Path) -> None:
    page, manifest = tmp_path / "page.html", tmp_path / "list.jsonl"
    page.write_bytes(GOOD)
    manifest.write_text('{"source": "page.html"}\n')
    (request,) = read_manifest(str(manifest))
    page.unlink()
    assert isinstance(request.source, str | Path)
    assert isinstance(error_of(read_with_next(request.source, renderer)), SourceNotFound)


@each_renderer
def test_an_address_that_never_answers(renderer: AnyRenderer) -> None:
    with silent_site() as address:
        limits = Limits(read_timeout=1, total_timeout=2)
        assert isinstance(error_of(read_with_next(address, renderer, limits)), FetchTimeout)


# Pages whose text is known: nothing of the bad things in them costs anything.

HARMLESS = {
    "a wide page": ("<div style='width:30000px'>wide</div>", "wide"),
    "a script without end": ("<p>hi</p><script>while (true) {}</script>", "hi"),
    "refresh": ("<meta http-equiv=refresh content=0><p>hi", "hi"),
    "refresh elsewhere": ("<meta http-equiv=refresh content='0;url=http://127.0.0.1:9/'>hi", "hi"),
    "refresh to itself": ("<meta http-equiv=refresh content='0;url=page.html'><p>hi", "hi"),
    "refresh to nothing": ("<meta http-equiv=refresh content='0;url=about:blank'><p>hi", "hi"),
    "refresh to data": ("<meta http-equiv=refresh content='0;url=data:text/html,no'><p>hi", "hi"),
    "an attribute of 5 MB": (f"<p title='{'a' * 5_000_000}'>hi", "hi"),
    "nested calc()": (f"<p style='width:{'calc(1px + ' * 5000}1px{')' * 5000}'>hi", "hi"),
    "nested :not()": (f"<style>{':not(' * 5000}p{')' * 5000}{{color:red}}</style><p>hi", "hi"),
    "a link of 1 MB": (f"<a href='{'a/' * 500_000}'>hi</a>", "hi"),
    "rules in rules": (f"<style>{'div,p {' * 60}color:red</style><div><p>hi", "hi"),
    "rules in rules beside it": ("<link rel=stylesheet href=deep.css><div><p>hi", "hi"),
    "at-rules in at-rules": (f"<style>{'@media screen {' * 20_000}</style><p>hi", "hi"),
    "brackets in a style": (f"<p style='width:{'([{' * 20_000}'>hi", "hi"),
    "nested var()": (
        f"<style>:root {{--v0: x; {VARIABLE_BOMB}}} p {{font-family: var(--v40)}}</style><p>hi",
        "hi",
    ),
    "a stylesheet that imports itself": (
        "<link rel=stylesheet href=a.css><style>@import 'b.css';</style><p>hi", "hi",
    ),
    "fonts of garbage": (
        "<style>@font-face {font-family: G; src: url(garbage.woff2), "
        "url(data:font/woff2;base64,AA)} p {font-family: G}</style><p>hi", "hi",
    ),
    "a huge picture": (
        "<img src=huge.png><div style='background:url(huge.png)'>hi</div>"
        f"<img src='data:image/png;base64,{b64encode(png(16000, 16000)).decode()}'>", "hi",
    ),
    "a picture of entities": ("<img src=entities.svg><p>hi", "hi"),
    "odd data addresses": (
        "<img src='data:'><img src='data:,x'><img src='data:image/png;base64,!!!'>"
        "<link rel=stylesheet href='data:text/css,p{color:red}'><p>hi", "hi",
    ),
    "addresses that are none": (
        "<base href='http://[::1'><a href='//['>x</a><img src='http://['><img src='%zz%00%ff'>"
        "<link rel=stylesheet href='http://['><p>hi", "x\nhi",
    ),
    "a script as base": ("<base href='javascript:alert(1)'><img src=x><p>hi", "hi"),
    "bidi and zero width": (
        "<p>a\u202eb\u2066c\u200b\u200d\ufeff\u2069</p><p dir=rtl>\u05d0\u05d1",
        "a\u202eb\u2066c\u200b\u200d\ufeff\u2069\n\u05d0\u05d1",
    ),
    "NULs": ("<p>a\0b</p>c<a href='\0'>d</a>", "a\ufffdb\ncd"),
    "lone surrogates": ("<p title='&#xD800;'>&#xD800;&#xDFFF;&#x110000;hi", "\ufffd" * 3 + "hi"),
    "plaintext": ("<p>a</p><plaintext><b>b</plaintext>", "a\n<b>b</plaintext>"),
    "unclosed tags": ("<div><p <a href='x' <b><ul><li>a<li>b <!-- <style>", "a\nb"),
    "a doctype of 5 MB": (f"<!doctype {'x' * 5_000_000}><p>hi", "hi"),
    "a huge table": ("<table><tr><td colspan=99999999 rowspan=9999999>hi</table>", "hi"),
    "impossible sizes": (
        "<p>hi<p style='width:calc(1px / 0);font-size:calc(0 / 0)'>"
        "<p style='position:absolute;left:1e30px;width:1e30px'>", "hi",
    ),
    "entities outside": (
        "<?xml version='1.0'?><!DOCTYPE html [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"
        "<html xmlns='http://www.w3.org/1999/xhtml'><body><p>&x;</p></body></html>", None,
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def beside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of bad files that pages refer to, with a secret outside of it."""
    outside = tmp_path_factory.mktemp("outside")
    folder = outside / "a" / "b"
    folder.mkdir(parents=True)
    (outside / "secret.html").write_text("<p>TREASURE</p>")
    (folder / "a.css").write_text("@import 'a.css'; @import url(b.css); p { color: red }")
    (folder / "b.css").write_text("@import 'a.css'; @import 'b.css'; p { color: blue }")
    (folder / "deep.css").write_text("& &, div {" * 60 + "color: red")
    (folder / "garbage.woff2").write_bytes(os.urandom(20_000))
    (folder / "huge.png").write_bytes(png(16000, 16000))
    (folder / "bomb.svg").write_text(SVG_BOMB)
    (folder / "entities.svg").write_text(ENTITY_BOMB)
    return folder


@each_renderer
@pytest.mark.parametrize("name", HARMLESS)
def test_harmless(name: str, renderer: AnyRenderer, beside: Path) -> None:
    html, expected = HARMLESS[name]
    path = beside / "page.html"
    path.write_text(html, encoding="utf-8")
    seen = page_text(read_with_next(path, renderer))
    if expected is not None:
        assert seen == expected
    assert "root:" not in seen


@each_renderer
def test_rules_that_are_nested_too_deeply_are_noted(renderer: AnyRenderer, beside: Path) -> None:
    path, deep = beside / "page.html", "b {" * 60
    path.write_text(
        f"<link rel=stylesheet href=deep.css><style>p {{color: #00f}} {deep}</style><p>hi"
    )
    page = read(path, renderer=renderer).page
    assert [note.detail for note in page.info.notes] == ["deep.css", TOO_DEEP]
    assert {note.kind for note in page.info.notes} == {"nested"}
    assert page.find("p")[0].style.color == "#0000ff"


@each_renderer
@pytest.mark.parametrize(
    ("bad", "expected"),
    [
        ("<p>Käse".encode("utf-16"), "Käse"),
        ("<p>Käse</p>".encode("utf-16-be"), "Käse"),
        (b"<meta charset=utf-16><p>hi", "hi"),
        (b"<meta charset=klingon><p>hi", "hi"),
        (b"<meta charset=utf-8><p>h\xe9i", "h\ufffdi"),
    ],
)
def test_charsets(bad: bytes, expected: str, renderer: AnyRenderer) -> None:
    assert page_text(read_with_next(bad, renderer)) == expected


@each_renderer
def test_frames_show_no_files_from_elsewhere(renderer: AnyRenderer, beside: Path) -> None:
    path = beside / "frames.html"
    climbing = "../" * len(path.parts) + "etc/passwd"
    path.write_text(
        f"<p>hi<iframe src='file:///etc/passwd'></iframe><iframe src='/etc/passwd'></iframe>"
        f"<iframe src='{climbing}'></iframe><object data='{climbing}'></object>"
        f"<embed src='{climbing}'><iframe src='../../secret.html'></iframe>"
        f"<frameset><frame src='../../secret.html'></frameset>"
    )
    result = read_with_next(path, renderer)
    assert page_text(result) == "hi"
    assert isinstance(result, Document)
    assert not result.page.complete
    assert not any("root:" in string or "TREASURE" in string for string in result.page.strings)


@pytest.mark.browser
@pytest.mark.parametrize("framed", [True, False])
def test_transformations_show_no_files_from_elsewhere(framed: bool, tmp_path: Path) -> None:
    (tmp_path / "secret.xml").write_text("<s>TREASURE</s>")
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "show.xsl").write_text(
        '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">'
        '<xsl:template match="/"><html><body><p>seen</p>'
        "<xsl:value-of select=\"document('../../secret.xml')\"/></body></html>"
        "</xsl:template></xsl:stylesheet>"
    )
    sheet = '<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="show.xsl"?>'
    (inner / "evil.xml").write_text(sheet + "<r/>")
    path = inner / "page.html"
    if framed:
        path.write_text("<p>hi</p><iframe src=evil.xml></iframe>")
    else:
        namespace = "http://www.w3.org/1999/xhtml"
        path.write_text(f'{sheet}<html xmlns="{namespace}"><body><p>hi</p></body></html>')
    with open_renderer("chromium") as renderer:
        page = read(path, renderer=renderer).page
    assert not any("TREASURE" in string for string in page.strings)


@each_renderer
def test_frames_of_frames_of_frames(renderer: AnyRenderer, beside: Path) -> None:
    path = beside / "frames.html"
    path.write_text("<p>hi</p><iframe src='frames.html'></iframe><iframe src=''></iframe>" * 2)
    assert page_text(read_with_next(path, renderer)).startswith("hi")


@each_renderer
def test_framesets(renderer: AnyRenderer, beside: Path) -> None:
    path = beside / "set.html"
    path.write_text("<frameset cols='*,*'><frame src='set.html'><frame src='no.html'></frameset>")
    assert page_text(read_with_next(path, renderer)) == ""


# Pages that may be too much: whatever becomes of them, it has a name.

HEAVY = {
    "nested divs": lambda: b"<div>" * 200_000 + b"hi",
    "nested tables": lambda: b"<table><tr><td>" * 20_000 + b"hi",
    "nested inline elements": lambda: b"<b>" * 100_000 + b"hi",
    "unclosed formatting": lambda: b"<p><font><b><i>" * 3_000 + b"hi",
    "many attributes": lambda: b"<p " + b" ".join(b"a%d=1" % n for n in range(100_000)) + b">hi",
    "10 MB of CSS": lambda: b"<style>" + b".a b>c{margin:0}" * 625_000 + b"</style><p>hi",
    "one word of 5 MB": lambda: b"<p>" + b"a" * 5_000_000,
    "one line of 5 MB": lambda: b"<pre>" + b"a b\tc" * 1_000_000,
    "drawn bomb": lambda: SVG_BOMB.encode() + b"<p>hi",
    "accents": lambda: ("<p>a" + "\u0301" * 50_000).encode(),
    "nested inline blocks": lambda: b"<div style='display:inline-block'>" * 400 + b"hi",
    "counters": lambda: (
        "<style>p{counter-increment:a} p::before{content:" + "counters(a,'.')" * 500 + "}</style>"
    ).encode() + b"<p>hi" * 100,
}  # fmt: skip


@each_renderer
@pytest.mark.parametrize("name", HEAVY)
def test_heavy(name: str, renderer: AnyRenderer) -> None:
    build: Callable[[], bytes] = HEAVY[name]
    result = read_with_next(build(), renderer, seconds=LIMIT)
    assert isinstance(result, Document) or isinstance(result.error, RenderError)


@each_renderer
def test_a_million_siblings(renderer: AnyRenderer) -> None:
    error = error_of(read_with_next(b"<i></i>" * 1_000_000, renderer, seconds=LIMIT))
    assert isinstance(error, PageTooComplex | RenderTimeout)


@each_renderer
def test_a_drawn_bomb_as_picture(renderer: AnyRenderer, beside: Path) -> None:
    path = beside / "page.html"
    path.write_text("<img src=bomb.svg><p>hi")
    result = read_with_next(path, renderer, seconds=LIMIT)
    assert isinstance(result, Document) or isinstance(result.error, RenderError)


@each_renderer
def test_more_nodes_than_allowed(renderer: AnyRenderer) -> None:
    options = RenderOptions(timeout=AMPLE, max_nodes=50)
    with open_renderer(renderer.html, options) as strict:
        error = error_of(read_with_next(b"<p>a" * 30, strict))
        assert isinstance(error, PageTooComplex)


# Processes that die.

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="names of processes")
SLOW = b"<b>" * 15_000 + b"hi"  # takes a second or more


def start_reading(
    sources: Sequence[bytes | str], renderer: AnyRenderer, pool: ThreadPoolExecutor
) -> Callable[[], list[Document | Failure]]:
    return pool.submit(lambda: list(read_all(sources, renderer=renderer))).result


def wait_for_child(before: set[int], *words: str) -> list[psutil.Process]:
    """New processes below this one that are busy, with all these words in their command line."""
    deadline = time.monotonic() + GRACE
    while time.monotonic() < deadline:
        found = [
            child
            for child in psutil.Process().children(recursive=True)
            if child.pid not in before and _is_busy(child, words)
        ]
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"no process with {words}")


def _is_busy(process: psutil.Process, words: tuple[str, ...]) -> bool:
    try:
        command = " ".join(process.cmdline())
        return sum(process.cpu_times()[:2]) > 0.2 and all(word in command for word in words)
    except psutil.NoSuchProcess:
        return False


def children() -> set[int]:
    return {child.pid for child in psutil.Process().children(recursive=True)}


@needs_linux
@pytest.mark.browser
def test_a_tab_that_is_killed() -> None:
    before = children()
    with (
        open_renderer("chromium", RenderOptions(timeout=AMPLE)) as renderer,
        ThreadPoolExecutor(1) as pool,
    ):
        list(read_all([GOOD], renderer=renderer))
        results = start_reading([b"<div>" * 200_000, GOOD], renderer, pool)
        time.sleep(0.5)  # the tab is at the first page now
        for tab in wait_for_child(before, "--type=renderer"):
            tab.kill()
        first, second = results()
        assert isinstance(error_of(first), RenderCrash)
        assert page_text(second) == GOOD_TEXT


@needs_linux
@pytest.mark.browser
def test_tabs_that_are_killed_between_pages() -> None:
    before = children()
    with open_renderer("chromium") as renderer:
        list(read_all([GOOD] * 3, renderer=renderer))
        for process in psutil.Process().children(recursive=True):
            if process.pid not in before and "--type=renderer" in process.cmdline():
                process.kill()
        time.sleep(0.3)
        for result in read_all([GOOD] * 5, renderer=renderer):
            assert page_text(result) == GOOD_TEXT


@needs_linux
@pytest.mark.browser
@pytest.mark.parametrize(
    ("live", "victim"),
    [
        pytest.param(False, "--remote-debugging-pipe", id="file"),
        pytest.param(True, "--remote-debugging-pipe", id="address", marks=pytest.mark.live),
        pytest.param(True, "run-driver", id="driver", marks=pytest.mark.live),
    ],
)
def test_a_browser_that_is_killed(live: bool, victim: str) -> None:
    before = children()
    with (
        website({"/slow": SLOW, "/good": GOOD}) as server,
        open_renderer("chromium", RenderOptions(timeout=AMPLE)) as renderer,
        ThreadPoolExecutor(1) as pool,
    ):
        slow, good = (f"{server.address}/slow", f"{server.address}/good") if live else (SLOW, GOOD)
        list(read_all([good], renderer=renderer))
        results = start_reading([slow, good], renderer, pool)
        for process in wait_for_child(before, victim):
            if "--type=" not in " ".join(process.cmdline()):
                process.kill()
        first, second = results()
        assert page_text(first) == "hi"  # in a new browser
        assert page_text(second) == GOOD_TEXT
        assert [page_text(result) for result in read_all([good], renderer=renderer)] == [GOOD_TEXT]


@needs_linux
@pytest.mark.browser
@pytest.mark.live
def test_a_browser_that_dies_while_a_tab_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    from pagesight.render.chromium.live import LiveBrowser

    tabs: list[Source] = []
    open_tab = LiveBrowser._open_tab

    async def opening(self: LiveBrowser, source: Source) -> object:
        tabs.append(source)
        if len(tabs) == 1:  # what Playwright does now and then: it never answers
            for process in psutil.Process().children(recursive=True):
                if "--remote-debugging-pipe" in process.cmdline():
                    process.kill()
            await asyncio.Event().wait()
        return await open_tab(self, source)

    monkeypatch.setattr(LiveBrowser, "_open_tab", opening)
    monkeypatch.setattr("pagesight.render.chromium.browser.TAB_TIMEOUT", AMPLE)
    with (
        website({"/good": GOOD}) as server,
        open_renderer("chromium", RenderOptions(timeout=AMPLE)) as renderer,
    ):
        start = time.monotonic()
        (result,) = read_all([f"{server.address}/good"], renderer=renderer)
    assert page_text(result) == GOOD_TEXT
    assert len(tabs) == 2
    assert time.monotonic() - start < AMPLE / 2


@pytest.mark.browser
def test_a_browser_that_dies_while_it_starts_is_started_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = find_browser()
    assert program is not None
    fragile, died = tmp_path / "fragile", tmp_path / "died"
    fragile.write_text(
        f'#!/bin/sh\n[ -e "{died}" ] || {{ touch "{died}"; kill -SEGV $$; }}\n'
        f'exec "{program.path}" "$@"\n'
    )
    fragile.chmod(0o755)
    monkeypatch.setenv("PAGESIGHT_BROWSER", str(fragile))
    with open_renderer("chromium", RenderOptions(timeout=AMPLE)) as renderer:
        assert page_text(next(iter(read_all([GOOD], renderer=renderer)))) == GOOD_TEXT
    assert died.exists()


@needs_linux
def test_a_worker_that_is_killed() -> None:
    before = children()
    with (
        open_renderer("embedded", RenderOptions(timeout=AMPLE)) as renderer,
        ThreadPoolExecutor(1) as pool,
    ):
        endless = b"<table><tr><td>" * 60 + b"hi"
        results = start_reading([endless, GOOD], renderer, pool)
        (worker,) = wait_for_child(before, "pagesight.render.worker")
        worker.kill()
        first, second = results()
        assert page_text(first) == "hi"  # laid out in a simple way
        assert page_text(second) == GOOD_TEXT


@needs_linux
def test_an_idle_worker_that_is_killed_costs_nothing() -> None:
    before = children()
    with open_renderer("embedded") as renderer:
        list(read_all([GOOD], renderer=renderer))
        (worker,) = children() - before
        psutil.Process(worker).kill()
        assert [page_text(result) for result in read_all([GOOD], renderer=renderer)] == [GOOD_TEXT]


def test_workers_outlive_the_thread_that_asked_first() -> None:
    before = children()
    with open_renderer("embedded") as renderer:
        for _ in range(2):
            thread = threading.Thread(target=lambda: list(read_all([GOOD], renderer=renderer)))
            thread.start()
            thread.join()
            (worker,) = children() - before
        time.sleep(0.2)
        assert children() - before == {worker}


@needs_linux
def test_a_page_that_eats_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "MEMORY_LIMIT", 400)
    with open_renderer("embedded", RenderOptions(timeout=AMPLE)) as renderer:
        bad = b"<p>" + b"<i>a</i> " * 100_000
        assert isinstance(error_of(read_with_next(bad, renderer)), RenderCrash)


def test_a_page_that_takes_too_long() -> None:
    with open_renderer("embedded", RenderOptions(timeout=AMPLE)) as renderer:
        result = read_with_next(b"<div>" * 200_000, renderer, seconds=1.5)
        assert isinstance(error_of(result), RenderTimeout)


@each_renderer
def test_a_closed_renderer_renders_nothing(renderer: AnyRenderer) -> None:
    with open_renderer(renderer.html) as other:
        list(read_all([GOOD], renderer=other))
    (result,) = read_all([GOOD], renderer=other)
    assert isinstance(error_of(result), RenderError)


@each_renderer
def test_closing_ends_a_page_at_work(renderer: AnyRenderer) -> None:
    with ThreadPoolExecutor(1) as pool:
        with open_renderer(renderer.html, RenderOptions(timeout=AMPLE)) as other:
            list(read_all([GOOD], renderer=other))
            results = start_reading([b"<div>" * 200_000, GOOD], other, pool)
            time.sleep(0.5)
            started = time.monotonic()
        first, second = results()
        assert time.monotonic() - started < GRACE
    assert isinstance(error_of(first), RenderError)
    assert isinstance(error_of(second), RenderError)
