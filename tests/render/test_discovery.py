"""Which browser is used, and from where."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pagesight.render.chromium.discovery import all_browsers, find_browser, live_installed

needs_x = pytest.mark.skipif(sys.platform == "win32", reason="programs are marked as such")


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without browsers."""
    for name in ("PAGESIGHT_BROWSER", "PLAYWRIGHT_BROWSERS_PATH", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr("sys.platform", "linux")
    return tmp_path


def paths() -> list[Path]:
    return [browser.path for browser in all_browsers()]


def test_a_machine_without_a_browser(home: Path) -> None:
    assert find_browser() is None


def test_the_headless_shell_comes_first(home: Path) -> None:
    chrome = program(home / "bin/google-chrome")
    shell = program(home / "bin/chromium-headless-shell")
    assert paths() == [shell, chrome]
    assert [browser.found_in for browser in all_browsers()] == ["PATH", "PATH"]


def test_a_browser_that_is_named_excludes_all_others(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(home / "bin/chromium")
    named = program(home / "mine/browser")
    monkeypatch.setenv("PAGESIGHT_BROWSER", str(named))
    assert paths() == [named]
    monkeypatch.setenv("PAGESIGHT_BROWSER", str(home / "nothing"))
    assert paths() == []


def test_a_named_browser_may_be_a_program_on_the_path(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = program(home / "bin/own-build")
    monkeypatch.setenv("PAGESIGHT_BROWSER", "own-build")
    assert paths() == [own]


@pytest.mark.parametrize(
    ("variable", "folder", "below"),
    [
        ("HOME", ".", ".cache/ms-playwright"),
        ("XDG_CACHE_HOME", "caches", "caches/ms-playwright"),
        ("PLAYWRIGHT_BROWSERS_PATH", "browsers", "browsers"),
    ],
)
def test_browsers_of_playwright_need_no_playwright(
    variable: str, folder: str, below: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "playwright", None)
    monkeypatch.setenv(variable, str(home / folder))
    shell = program(home / below / "chromium_headless_shell-1200/chrome-linux/headless_shell")
    newer = program(home / below / "chromium_headless_shell-1210/chrome-linux/headless_shell")
    full = program(home / below / "chromium-1210/chrome-linux/chrome")
    assert paths() == [newer, shell, full]
    assert {browser.found_in for browser in all_browsers()} == {"Playwright"}


@needs_x
def test_what_cannot_be_run_is_not_a_browser(home: Path) -> None:
    path = program(home / ".cache/ms-playwright/chromium-1/chrome-linux/chrome")
    path.chmod(0o644)
    assert paths() == []


def test_applications_of_a_mac(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    chrome = program(home / "Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
    found = [browser for browser in all_browsers() if home in browser.path.parents]
    assert [(browser.path, browser.found_in) for browser in found] == [(chrome, "applications")]


def test_live_pages_need_playwright(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "playwright", None)
    assert not live_installed()
