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

from pagesight.lazy import table

VARIABLE = "PAGESIGHT_BROWSER"
INSTALL_HINT = (
    "install one, e.g. `apt-get install chromium-headless-shell` or `playwright install "
    f"chromium-headless-shell`, or name one in {VARIABLE}"
)
LIVE_HINT = "pip install 'pagesight[live]'"


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
    for place, kind in table(__package__, "places.tsv").items():
        if kind == "PATH" and (path := shutil.which(place)):
            yield Browser(Path(path), "PATH")
        elif kind == sys.platform and (program := _expanded(place)).is_file():
            yield Browser(program, "applications")
        elif kind == "Playwright":
            yield from _of_playwright(place)


def _expanded(place: str) -> Path:
    return Path(os.path.expandvars(place)).expanduser()


def _of_playwright(pattern: str) -> Iterator[Browser]:
    for path in sorted(_playwright_folder().glob(pattern), reverse=True):
        if path.is_file() and os.access(path, os.X_OK):
            yield Browser(path, "Playwright")


def _playwright_folder() -> Path:
    if named := os.environ.get("PLAYWRIGHT_BROWSERS_PATH"):
        return Path(named)
    return user_cache_path("ms-playwright", appauthor=False, opinion=False)
