"""What `pagesight doctor` checks."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pagesight
from pagesight import render
from pagesight.errors import PagesightError, RenderError, UnexpectedError
from pagesight.page import Page
from pagesight.render import RenderOptions, choose, open_renderer
from pagesight.render.cache import cache_folder
from pagesight.render.chromium.discovery import Browser, all_browsers
from pagesight.sources import load

PACKAGES = ("playwright", "plutoprint", "pypdfium2")
VARIABLES = ("PAGESIGHT_BROWSER", "PAGESIGHT_BROWSER_SANDBOX", "PAGESIGHT_CACHE")
HTML_RENDERERS = ("chromium", "embedded")
REINSTALL = "something is missing: reinstall pagesight with its dependencies"
PATIENCE = 10.0  # seconds for a program to print its version
TIMEOUT = 30.0  # seconds for a page of two words

_GREETING = "Good morning"
_HTML = f"<!doctype html><title>Test</title><p>{_GREETING}</p>".encode()
_PDF = b"""%%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 300 100] /Contents 4 0 R
 /Resources <</Font <</F <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>>>>>>> endobj
4 0 obj <</Length %d>> stream
%s
endstream endobj
trailer <</Root 1 0 R>>
%%%%EOF
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundBrowser:
    """An installed browser; `version` is None if it does not print one."""

    path: str
    found_in: str
    version: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """The result of rendering a small page."""

    name: str
    media: str
    version: str | None = None
    seconds: float
    error: PagesightError | None = None

    @property
    def ok(self) -> bool:
        return self.error is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fonts:
    """The fonts for the embedded renderer, and those of the system for a browser."""

    bundled: int
    system: int | None  # None where fontconfig is missing
    default: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """The state of an installation."""

    pagesight: str
    python: str
    system: str
    packages: dict[str, str | None]
    browsers: tuple[FoundBrowser, ...]
    auto: str
    trials: tuple[Trial, ...]
    fonts: Fonts
    cache: Path
    environment: dict[str, str | None]

    @property
    def ok(self) -> bool:
        """Whether HTML can be rendered."""
        return any(trial.ok for trial in self.trials if trial.name in HTML_RENDERERS)


def diagnose() -> Diagnosis:
    """Check everything, and try every renderer."""
    return Diagnosis(
        pagesight=pagesight.__version__,
        python=platform.python_version(),
        system=f"{platform.system()} {platform.machine()}",
        packages={name: _package_version(name) for name in PACKAGES},
        browsers=_browsers(),
        auto=choose("auto"),
        trials=(
            *(_try(name, _HTML, name, "html") for name in HTML_RENDERERS),
            _try("auto", _pdf(), "pdf", "pdf"),
        ),
        fonts=_fonts(),
        cache=cache_folder(),
        environment={name: os.environ.get(name) for name in VARIABLES},
    )


def _package_version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _browsers() -> tuple[FoundBrowser, ...]:
    """Each browser once, even if it has several names."""
    browsers: dict[Path, Browser] = {}
    for browser in all_browsers():
        browsers.setdefault(browser.path.resolve(), browser)
    return tuple(
        FoundBrowser(
            path=str(browser.path),
            found_in=browser.found_in,
            version=_program_version(browser.path),
        )
        for browser in browsers.values()
    )


def _program_version(path: Path) -> str | None:
    if sys.platform == "win32":  # there, browsers open a window instead
        return None
    printed = _output(str(path), "--version")
    number = re.search(r"\d+(\.\d+)+", printed or "")
    return number[0] if number else None


def _output(*command: str) -> str | None:
    """What a program prints, or None if it cannot be run."""
    try:
        return subprocess.run(
            command,
            capture_output=True,
            check=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=PATIENCE,
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None


def _try(renderer: str, data: bytes, name: str, media: str) -> Trial:
    start = time.monotonic()
    page: Page | None = None
    error: PagesightError | None = None
    try:
        with open_renderer(renderer, RenderOptions(timeout=TIMEOUT)) as opened:
            page = opened.render(load(data))
        _check(page)
    except PagesightError as problem:
        error = problem
    except ImportError as problem:
        error = RenderError(f"cannot be loaded ({problem})", hint=REINSTALL)
    except Exception as problem:  # noqa: BLE001 - whatever it is, it is the answer
        error = UnexpectedError.of(problem)
    return Trial(
        name=name,
        media=media,
        version=page.info.renderer_version if page else None,
        seconds=round(time.monotonic() - start, 2),
        error=error,
    )


def _check(page: Page) -> None:
    if page.root.text != _GREETING:
        raise RenderError(
            f"the text of the page is {page.root.text!r} instead of {_GREETING!r}",
            hint="is there any font on this system?",
        )


def _pdf() -> bytes:
    content = f"BT /F 24 Tf 20 40 Td ({_GREETING}) Tj ET".encode()
    return _PDF % (len(content), content)


def _fonts() -> Fonts:
    bundled = [*Path(render.__file__).parent.rglob("*.ttf")]
    listed = _output("fc-list")
    return Fonts(
        bundled=len(bundled),
        system=None if listed is None else len(listed.splitlines()),
        default=(_output("fc-match", "--format=%{family}", "sans-serif") or "").strip() or None,
    )
