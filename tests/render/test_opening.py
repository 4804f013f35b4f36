"""Which renderer a source goes through, and what is opened for it."""

from __future__ import annotations

import multiprocessing
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_pdfs import pdf, text

from pagesight.errors import NoBrowser, PageFileError, RenderError
from pagesight.page import Page, PageInfo
from pagesight.render import AnyRenderer, Picture, RenderOptions, choose, open_renderer, render
from pagesight.render.chromium.discovery import all_browsers, find_browser
from pagesight.render.renderer import LONGEST_SIDE, MOST_PIXELS, clipped
from pagesight.sources import load

INFO = PageInfo(renderer="x", renderer_version="1")
SAVED = Page({"parent": [-1], "name": [0]}, ["#document"], INFO)
NOWHERE = "no-such-browser"


@pytest.fixture
def no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGESIGHT_BROWSER", NOWHERE)


@pytest.fixture
def empty_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A system without any browser; the folder is its PATH."""
    monkeypatch.delenv("PAGESIGHT_BROWSER", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "playwright"))
    monkeypatch.setattr("sys.platform", "linux")
    return tmp_path


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


# Choosing


def test_only_these_renderers() -> None:
    with pytest.raises(ValueError, match="no renderer 'lynx'; there are auto, chromium, embedded"):
        choose("lynx")
    with pytest.raises(ValueError, match="lynx"):
        open_renderer("lynx")


@pytest.mark.usefixtures("no_browser")
def test_auto_is_embedded_without_a_browser() -> None:
    assert choose("auto") == "embedded"
    assert choose("chromium") == "chromium"  # whoever asks for it gets an error later
    with pytest.raises(NoBrowser, match=f"PAGESIGHT_BROWSER does not name a program: {NOWHERE}"):
        render(load(b"<p>tea"), "chromium")


def test_auto_is_chromium_with_a_browser(empty_system: Path) -> None:
    assert choose("auto") == "embedded"
    program(empty_system / "chromium")
    assert choose("auto") == "chromium"


def test_the_choice_is_made_when_html_comes(empty_system: Path) -> None:
    with open_renderer("auto") as renderer:
        program(empty_system / "chromium")
        assert renderer.html == "chromium"
        (empty_system / "chromium").unlink()
        assert renderer.html == "chromium"  # and once


# Finding browsers


def test_no_browser_is_found_in_an_empty_system(empty_system: Path) -> None:
    assert find_browser() is None
    assert not list(all_browsers())


def test_the_headless_shell_is_preferred(empty_system: Path) -> None:
    for name in ("google-chrome", "chromium", "chromium-headless-shell"):
        program(empty_system / name)
    names = [browser.path.name for browser in all_browsers()]
    assert names == ["chromium-headless-shell", "chromium", "google-chrome"]


def test_a_named_browser_excludes_all_others(
    empty_system: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(empty_system / "chromium")
    mine = program(empty_system / "mine" / "browser")
    monkeypatch.setenv("PAGESIGHT_BROWSER", str(mine))
    assert [(browser.path, browser.found_in) for browser in all_browsers()] == [
        (mine, "PAGESIGHT_BROWSER")
    ]
    mine.chmod(0o600)  # not a program any more
    assert find_browser() is None


def test_the_newest_browser_of_playwright_comes_first(empty_system: Path) -> None:
    for version in ("1100", "1200"):
        folder = empty_system / f"playwright/chromium_headless_shell-{version}/linux"
        program(folder / "headless_shell")
    old = empty_system / "playwright/chromium-900/linux/chrome"
    old.parent.mkdir(parents=True)
    old.write_text("not a program")
    found = [browser.path.parts[-3] for browser in all_browsers()]
    assert found == ["chromium_headless_shell-1200", "chromium_headless_shell-1100"]
    assert {browser.found_in for browser in all_browsers()} == {"Playwright"}


# Opening


@pytest.mark.usefixtures("no_browser")
def test_a_saved_page_needs_no_renderer() -> None:
    source = load(SAVED.to_bytes())
    with open_renderer("chromium") as renderer:  # there is none
        assert renderer.render(source) == SAVED
        assert renderer.render_with_picture(source) == (SAVED, None)


def test_a_damaged_saved_page_is_named(tmp_path: Path) -> None:
    path = tmp_path / "tea.pagesight"
    path.write_bytes(SAVED.to_bytes()[:-3])
    with open_renderer("embedded") as renderer, pytest.raises(PageFileError) as caught:
        renderer.render(load(path))
    assert caught.value.source == str(path)


def test_a_pdf_goes_past_the_renderer_of_html() -> None:
    source = load(pdf(text(72, 700, "tea")))
    with open_renderer("embedded") as renderer:
        page, picture = renderer.render_with_picture(source)
    assert page.info.renderer == "pdf"
    assert picture is not None
    assert abs(picture.width - page.info.size[0]) <= 1


def test_a_closed_renderer_opens_nothing() -> None:
    with open_renderer("embedded") as renderer:
        pass
    with pytest.raises(RenderError, match="closed"):
        renderer.render(load(b"<p>tea"))
    with pytest.raises(RenderError, match="closed"):
        renderer.version_of("pdf")


def _error_in_child(renderer: AnyRenderer, answers: multiprocessing.SimpleQueue[str]) -> None:
    try:
        renderer.render(load(b"<p>tea"))
    except RenderError as error:
        answers.put(str(error.hint))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_renderer_does_not_work_after_a_fork() -> None:
    context = multiprocessing.get_context("fork")
    with open_renderer("embedded") as renderer:
        answers = context.SimpleQueue()
        child = context.Process(target=_error_in_child, args=(renderer, answers))
        child.start()
        assert answers.get() == "open one in each process"
        child.join()


@pytest.mark.usefixtures("no_browser")
def test_reading_a_saved_page_imports_no_renderer_and_nothing_of_the_network(
    tmp_path: Path,
) -> None:
    SAVED.save(tmp_path / "tea.pagesight")
    code = (
        "import sys, pagesight\n"
        f"assert len(pagesight.read({str(tmp_path / 'tea.pagesight')!r}).page) == 1\n"
        "print(*sorted(name for name in sys.modules if name.startswith('pagesight.')))\n"
        "assert not {'httpx', 'playwright', 'pypdfium2', 'plutoprint', 'PIL'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    modules = set(done.stdout.split())
    stages = ("pagesight.render.", "pagesight.sources.", "pagesight.page.")
    lower = {name.removeprefix("pagesight.") for name in modules if name.startswith(stages)}
    assert not {name for name in lower if name.count(".") > 1}  # no package of a renderer
    assert not lower & {"sources.fetching", "sources.charset", "sources.sniffing"}
    assert "page.visibility" not in lower


# Options and pictures


@pytest.mark.parametrize(
    "wrong",
    [
        {"timeout": 0},
        {"timeout": -1.0},
        {"timeout": float("nan")},
        {"max_nodes": 0},
        {"jobs": 0},
        {"viewport": (0, 800)},
        {"viewport": (1280, -1)},
    ],
)
def test_options_that_no_renderer_can_use(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        RenderOptions(**wrong)  # type: ignore[arg-type]


@given(st.floats(0, 1e7), st.floats(0, 1e7))
def test_a_picture_is_neither_empty_nor_huge(width: float, height: float) -> None:
    wide, high = clipped(width, height)
    assert 1 <= wide <= LONGEST_SIDE
    assert 1 <= high <= LONGEST_SIDE
    assert wide * high <= MOST_PIXELS
    if width * height <= MOST_PIXELS and 1 <= min(width, height) <= max(width, height) <= 8000:
        assert (wide, high) == (round(width), round(height))


@pytest.mark.parametrize(
    ("start", "media_type"),
    [
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"RIFF1234WEBP", "image/webp"),
        (b"<svg xmlns=", "image/svg+xml"),
    ],
)
def test_the_format_of_a_picture(start: bytes, media_type: str) -> None:
    assert Picture(start + b"...", 1, 1).media_type == media_type


def test_what_is_not_a_png_has_no_size() -> None:
    with pytest.raises(ValueError, match="not a PNG"):
        Picture.of_png(b"\xff\xd8" * 20)
