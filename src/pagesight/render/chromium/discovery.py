"""Where a Chromium may be installed, and whether Playwright is."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from platformdirs import user_cache_path

VARIABLE = "PAGESIGHT_BROWSER"
INSTALL_HINT = (
    "install one, e.g. `apt-get install chromium-headless-shell` or `playwright install "
    f"chromium-headless-shell`, or name one in {VARIABLE}"
)
LIVE_HINT = "pip install 'pagesight[live]'"

# The headless shell comes first: the same layout, and a new context takes a third of the time.
_PROGRAMS = (
    "chromium-headless-shell chrome-headless-shell chromium chromium-browser"
    " google-chrome-stable google-chrome chrome microsoft-edge"
).split()
_MAC = tuple(
    f"{name}.app/Contents/MacOS/{name}" for name in ("Google Chrome", "Chromium", "Microsoft Edge")
)
_WINDOWS = (
    r"Google\Chrome\Application\chrome.exe",
    r"Chromium\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
)
_PLAYWRIGHT = (
    "chromium_headless_shell-*/*/headless_shell*",
    "chromium_headless_shell-*/*/chrome-headless-shell*",
    "chromium-*/*/chrome",
    "chromium-*/*/Chromium.app/Contents/MacOS/Chromium",
    "chromium-*/*/chrome.exe",
)


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser program, and how it was found."""

    path: Path
    found_in: str


def live_installed() -> bool:
    """Whether there is Playwright, which drives the browser for live pages."""
    return find_spec("playwright") is not None


def find_browser() -> Browser | None:
    """The browser that the chromium renderer uses, or None."""
    return next(all_browsers(), None)


def all_browsers() -> Iterator[Browser]:
    """Every browser found, the preferred one first. `PAGESIGHT_BROWSER` excludes all others."""
    if named := os.environ.get(VARIABLE):
        path = shutil.which(named)
        if path:
            yield Browser(Path(path), VARIABLE)
        return
    for program in _PROGRAMS:
        if path := shutil.which(program):
            yield Browser(Path(path), "PATH")
    yield from _in_applications()
    yield from _of_playwright()


def _in_applications() -> Iterator[Browser]:
    folders: list[Path] = []
    programs: tuple[str, ...] = ()
    if sys.platform == "darwin":
        folders = [Path("/Applications"), Path.home() / "Applications"]
        programs = _MAC
    elif sys.platform == "win32":
        variables = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
        folders = [Path(os.environ[name]) for name in variables if name in os.environ]
        programs = _WINDOWS
    for program in programs:
        for folder in folders:
            if (folder / program).is_file():
                yield Browser(folder / program, "applications")


def _of_playwright() -> Iterator[Browser]:
    folder = _playwright_folder()
    for pattern in _PLAYWRIGHT:
        for path in sorted(folder.glob(pattern), reverse=True):
            if path.is_file() and os.access(path, os.X_OK):
                yield Browser(path, "Playwright")


def _playwright_folder() -> Path:
    if named := os.environ.get("PLAYWRIGHT_BROWSERS_PATH"):
        return Path(named)
    return user_cache_path("ms-playwright", appauthor=False, opinion=False)
