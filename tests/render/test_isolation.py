"""Pages share a browser, a tab, a worker: no page gets anything of the page before."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_network import png

from hurrying import AMPLE, hurried
from pagesight.document import Document, Failure, read_all
from pagesight.page import Page
from pagesight.render import AnyRenderer, RenderOptions, open_renderer
from pagesight.render.embedded import layout
from pagesight.render.resources import HOST
from pagesight.sources import Request

EXAMPLES = Path(__file__).parents[2] / "examples"
each_renderer = pytest.mark.parametrize(
    "renderer", [pytest.param("chromium", marks=pytest.mark.browser), "embedded"], indirect=True
)


@pytest.fixture(scope="module")
def renderer(request: pytest.FixtureRequest) -> Iterator[AnyRenderer]:
    with open_renderer(request.param, RenderOptions(timeout=AMPLE)) as opened:
        yield opened


def pages(renderer: AnyRenderer, *sources: bytes | Path | Request) -> list[Page]:
    """The pages of sources that are read one after the other."""
    results = list(read_all(sources, renderer=renderer))
    assert all(isinstance(result, Document) for result in results), results
    return [result.page for result in results if isinstance(result, Document)]


def fresh(renderer: AnyRenderer, source: bytes | Path) -> Page:
    """The page of a source that is the first of a new renderer."""
    with open_renderer(renderer.html) as other:
        return pages(other, source)[0]


def folder(path: Path, width: int, font: str) -> Path:
    """A page whose stylesheet, picture and font have the same names as those of others."""
    path.mkdir()
    (path / "page.html").write_text(
        "<!doctype html><link rel=stylesheet href=style.css><img src=tea.png>"
        "<p><span>Good morning</span></p><iframe src=frame.html></iframe>"
    )
    (path / "style.css").write_text(
        f"p {{ width: {width}px }} span {{ font-family: Own }}"
        "@font-face { font-family: Own; src: url(own.ttf) }"
    )
    (path / "frame.html").write_text(f"<p>{width}")
    (path / "tea.png").write_bytes(png(width, 20))
    shutil.copy(Path(layout.__file__).parent / "fonts" / font, path / "own.ttf")
    return path / "page.html"


@each_renderer
def test_files_of_the_same_name(renderer: AnyRenderer, tmp_path: Path) -> None:
    first = folder(tmp_path / "a", 100, "LiberationSans-Regular.ttf")
    second = folder(tmp_path / "b", 300, "LiberationMono-Regular.ttf")
    read = pages(renderer, first, second, first, second)
    for page, width in zip(read, (100, 300, 100, 300), strict=True):
        assert page.find("p")[0].box.width == width
        assert page.find("img")[0].box.width == width
    wide = [page.find("span")[0].box.width for page in read]
    assert wide[0] == wide[2] != wide[1] == wide[3]
    if renderer.html == "chromium":
        assert [page.root.text.split()[-1] for page in read] == ["100", "300", "100", "300"]
    assert read[0] == read[2] == fresh(renderer, first)
    assert read[1] == read[3] == fresh(renderer, second)


@each_renderer
def test_a_file_that_changes(renderer: AnyRenderer, tmp_path: Path) -> None:
    page, style = tmp_path / "page.html", tmp_path / "style.css"
    page.write_text("<link rel=stylesheet href=style.css><p>hi")
    for width in (100, 200, 300):
        style.write_text(f"p {{ width: {width}px }}")
        assert pages(renderer, page)[0].find("p")[0].box.width == width


@each_renderer
def test_a_file_that_is_gone(renderer: AnyRenderer, tmp_path: Path) -> None:
    page, style = tmp_path / "page.html", tmp_path / "style.css"
    page.write_text("<!doctype html><link rel=stylesheet href=style.css><p>hi")
    style.write_text("p { width: 100px }")
    (before,) = pages(renderer, page)
    style.unlink()
    (after,) = pages(renderer, page)
    assert (before.complete, after.complete) == (True, False)
    assert after.find("p")[0].box.width == 1264


PLAIN = (
    b"<!doctype html><html lang=en><title>Tea</title><h1>Good morning</h1><p>Tea is <b>served</b>."
    b"<table><tr><td>one<td>two</table><img src=tea.png><a href=x>link</a><input value=text>"
)
BEFORE = {
    "xhtml": b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title>'
    b"</head><body><p>x</p></body></html>",
    "broken xhtml": b'<?xml version="1.0"?>'
    b'<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" '
    b'"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd"><html xmlns="http://www.w3.org/1999/xhtml">'
    b"<body><p>x<b></p></body></html>",
    "base": b"<base href='http://elsewhere.example/a/b/'><base target=_blank><p>x",
    "quirks": b"<p>x<table><tr><td>y</table>",
    "zoom": b"<!doctype html><html style='zoom:3'><meta name=viewport content='width=300'><p>x",
    "scroll": b"<!doctype html><body style='height:9000px'><p id=a style='margin-top:5000px'>x"
    b"<input autofocus>",
    "no overflow": b"<!doctype html><html style='overflow:hidden;width:100px;height:100px'><p>x",
    "wide": b"<!doctype html><div style='width:5000px;height:5000px'>x</div>",
    "dark": b"<meta name=color-scheme content=dark><style>*{color:red!important}</style><p>x",
    "right to left": b"<html dir=rtl lang=ar style='writing-mode:vertical-rl'><p>x",
    "policy": b"<meta http-equiv=content-security-policy content=\"default-src 'none'\"><p>x",
    "refresh": b"<meta http-equiv=refresh content='0;url=about:blank'><p>x",
    "refresh later": b"<meta http-equiv=refresh content='1;url=other.html'><p>x",
    "frameset": b"<frameset cols='*,*'><frame src=a.html><frame src=b.html></frameset>",
    "plaintext": b"<plaintext><p>x",
    "open dialog": b"<dialog open>x</dialog><div popover>y</div><details open>z</details>",
    "encoding": "<meta charset=utf-16><p>ä".encode("utf-16"),
    "unclosed comment": b"<p>x<!-- y",
    "unclosed script": b"<p>x<script>y",
    "named": b"<style>@property --a {syntax:'<length>';inherits:true;initial-value:9px}"
    b"@layer a; @keyframes a {to {width:0}} p {font-size: 99px}</style><p>x",
}  # fmt: skip


@pytest.fixture(scope="module")
def alone(renderer: AnyRenderer) -> Page:
    return fresh(renderer, PLAIN)


@each_renderer
@pytest.mark.parametrize("name", BEFORE)
def test_the_page_before(name: str, renderer: AnyRenderer, alone: Page) -> None:
    _, after, again = pages(renderer, BEFORE[name], PLAIN, PLAIN)
    assert after == alone
    assert again == alone


@each_renderer
def test_no_page_shows_where_it_was_rendered(renderer: AnyRenderer, tmp_path: Path) -> None:
    path = folder(tmp_path / "a", 100, "LiberationSans-Regular.ttf")
    request = Request(source=path, url="https://example.org/shop/tea")
    page, bare = pages(renderer, request, path)
    assert page.find("img")[0].target == "https://example.org/shop/tea.png"
    assert bare.find("img")[0].target == "tea.png"
    assert not any(HOST in string for string in (*page.strings, *bare.strings))


@each_renderer
@pytest.mark.parametrize("frame", ["<embed src=tea.wav>", "<iframe src=tea.png></iframe>"])
def test_what_is_put_into_a_frame_says_nothing_of_it(
    renderer: AnyRenderer, frame: str, tmp_path: Path
) -> None:
    path = folder(tmp_path / "a", 100, "LiberationSans-Regular.ttf")
    path.write_text(f"<p>Good morning</p>{frame}")
    path.with_name("tea.wav").write_bytes(b"RIFF$\0\0\0WAVEfmt \x10" + bytes(27))
    assert not any(
        HOST in string for page in pages(renderer, path, path) for string in page.strings
    )


@each_renderer
def test_after_ten_other_pages(renderer: AnyRenderer) -> None:
    examples = sorted(EXAMPLES.glob("*/index.html"))
    others = list(BEFORE.values())[:10]
    with open_renderer(renderer.html) as busy:
        after = pages(busy, *others, *examples)[len(others) :]
    for example, page in zip(examples, after, strict=True):
        assert page == fresh(renderer, example)


@each_renderer
def test_after_pages_that_failed(renderer: AnyRenderer, alone: Page) -> None:
    with open_renderer(renderer.html, RenderOptions(timeout=AMPLE)) as other:
        (before,) = read_all([PLAIN], renderer=other)
        with hurried(other, 1.5):
            (late,) = read_all([b"<div>" * 200_000], renderer=other)
        after, empty, last = read_all([PLAIN, b"", PLAIN], renderer=other)
    assert isinstance(late, Failure)
    assert isinstance(empty, Failure)
    for result in (before, after, last):
        assert isinstance(result, Document), result
        assert result.page == alone


@each_renderer
def test_pages_side_by_side(renderer: AnyRenderer, tmp_path: Path) -> None:
    """More pages at a time than processors: each gets its own files."""
    sources = [
        folder(tmp_path / str(number), 50 + number, "LiberationSans-Regular.ttf")
        for number in range(30)
    ]
    with open_renderer(renderer.html, RenderOptions(jobs=4)) as busy:
        read = pages(busy, *sources)
    for number, page in enumerate(read):
        assert page.find("p")[0].box.width == 50 + number
        assert page.find("img")[0].box.width == 50 + number
