"""`pagesight doctor`: what is installed, what is used, and what works."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import pagesight
from pagesight.cli.options import FAILED, flag
from pagesight.cli.output import headed, labelled, say_json, say_lines, styled
from pagesight.errors import PagesightError, RenderError, UnexpectedError, error_fields

if TYPE_CHECKING:
    from rich.text import Text

    from pagesight.page import Page

Diagnosis = dict[str, Any]
EXAMPLES = """\
  pagesight doctor
  PAGESIGHT_BROWSER=google-chrome pagesight doctor
"""
PACKAGES = ("playwright", "plutoprint", "pypdfium2")
VARIABLES = (
    "PAGESIGHT_BROWSER", "PAGESIGHT_BROWSER_SANDBOX", "PAGESIGHT_CACHE", "PAGESIGHT_CORPORA",
    "PAGESIGHT_DATABASE", "PAGESIGHT_DEBUG",
)  # fmt: skip
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


def doctor(as_json: Annotated[bool, flag("--json", "Print one JSON object.")] = False) -> None:
    """Show which renderers there are and which one is used, and try each."""
    diagnosis = diagnose()
    if as_json:
        say_json(diagnosis)
    else:
        say_lines(lines(diagnosis), cut=False)
    if not diagnosis["ok"]:
        raise typer.Exit(FAILED)


def diagnose() -> Diagnosis:
    """Check everything, and try every renderer: what `docs/commands/doctor.md` describes."""
    from pagesight.render import choose
    from pagesight.render.cache import cache_folder

    html = [_try(name, _HTML, name, "html") for name in HTML_RENDERERS]
    return {
        "ok": any(trial["ok"] for trial in html),
        "pagesight": pagesight.__version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "packages": {name: _package_version(name) for name in PACKAGES},
        "browsers": _browsers(),
        "auto": choose("auto"),
        "renderers": [*html, _try("auto", _pdf(), "pdf", "pdf")],
        "fonts": _fonts(),
        "cache": str(cache_folder()),
        "environment": {name: os.environ.get(name) for name in VARIABLES},
    }


def _package_version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _browsers() -> list[dict[str, str | None]]:
    """Each browser once, even if it has several names."""
    from pagesight.render.chromium.discovery import all_browsers

    unique = {browser.path.resolve(): browser for browser in reversed(list(all_browsers()))}
    return [
        {
            "path": str(browser.path),
            "found_in": browser.found_in,
            "version": _program_version(browser.path),
        }
        for browser in reversed(unique.values())
    ]


def _program_version(path: Path) -> str | None:
    if sys.platform == "win32":  # there, browsers open a window instead
        return None
    printed = _output(str(path), "--version")
    number = re.search(r"\d+(\.\d+)+", printed or "")
    return number[0] if number else None


def _output(*command: str) -> str | None:
    """What a program prints, or None if it cannot be run."""
    try:
        done = subprocess.run(
            command, capture_output=True, check=True, stdin=subprocess.DEVNULL, timeout=PATIENCE
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode(errors="replace")


def _try(renderer: str, data: bytes, name: str, media: str) -> dict[str, Any]:
    """What comes of rendering a small page."""
    from pagesight.render import RenderOptions, open_renderer
    from pagesight.sources import load

    start = time.monotonic()
    printed: str | None = None
    error: PagesightError | None = None
    try:
        with open_renderer(renderer, RenderOptions(timeout=TIMEOUT)) as opened:
            page = opened.render(load(data))
        printed = page.info.renderer_version
        _check(page)
    except PagesightError as problem:
        error = problem
    except ImportError as problem:
        error = RenderError(f"cannot be loaded ({problem})", hint=REINSTALL)
    except Exception as problem:  # noqa: BLE001 - whatever it is, it is the answer
        error = UnexpectedError.of(problem)
    seconds = round(time.monotonic() - start, 2)
    trial = {"name": name, "media": media, "ok": not error, "version": printed, "seconds": seconds}
    return trial | ({"error": error_fields(error)} if error else {})


def _check(page: Page) -> None:
    if page.root.text != _GREETING:
        raise RenderError(
            f"the text of the page is {page.root.text!r} instead of {_GREETING!r}",
            hint="is there any font on this system?",
        )


def _pdf() -> bytes:
    content = f"BT /F 24 Tf 20 40 Td ({_GREETING}) Tj ET".encode()
    return _PDF % (len(content), content)


def _fonts() -> dict[str, Any]:
    """The fonts for the embedded renderer, and those of the system for a browser."""
    listed = _output("fc-list")
    return {
        "bundled": len([*(Path(pagesight.__file__).parent / "render").rglob("*.ttf")]),
        "system": None if listed is None else len(listed.splitlines()),
        "default": (_output("fc-match", "--format=%{family}", "sans-serif") or "").strip() or None,
    }


def lines(diagnosis: Diagnosis) -> Iterator[Text]:
    """The diagnosis for a person: the conclusion comes last, where it is seen."""
    yield styled(f"pagesight {diagnosis['pagesight']}", style="bold")
    yield labelled("Python", f"{diagnosis['python']} on {diagnosis['system']}")
    for name, installed in diagnosis["packages"].items():
        yield labelled(name, installed or styled(("not installed", "red")))
    yield from _browser_lines(diagnosis["browsers"])
    yield labelled("fonts", _described(**diagnosis["fonts"]))
    state = "" if Path(diagnosis["cache"]).is_dir() else " (does not exist yet)"
    yield labelled("cache", f"{_short(Path(diagnosis['cache']))}{state}")
    for name, value in diagnosis["environment"].items():
        yield labelled("environment", f"{name} " + (f"= {value}" if value else "is not set"))
    yield from headed("Rendering a small page")
    for trial in diagnosis["renderers"]:
        yield from _trial_lines(trial)
    yield styled()
    yield from _conclusion(diagnosis)


def _browser_lines(browsers: list[dict[str, str | None]]) -> Iterator[Text]:
    if not browsers:
        yield labelled("browser", "none found")
    for number, browser in enumerate(browsers):
        used = "" if number else ", used"
        where = f"{browser['path']} (from {browser['found_in']}{used})"
        yield labelled("browser", f"{browser['version'] or 'version unknown'}  {where}")


def _described(bundled: int, system: int | None, default: str | None) -> str:
    installed = "those" if system is None else str(system)
    named = f" ({default})" if default else ""
    return f"embedded has its own {bundled}; chromium uses {installed} of the system{named}"


def _short(path: Path) -> str:
    home = Path.home()
    return str("~" / path.relative_to(home)) if path.is_relative_to(home) else str(path)


def _trial_lines(trial: Mapping[str, Any]) -> Iterator[Text]:
    if trial["ok"]:
        details = "      {media} in {seconds:.2f} s, version {version}"
        shown = details.format(**{**trial, "media": trial["media"].upper()})
        yield labelled(trial["name"], styled(("OK", "green"), shown))
        return
    error = trial["error"]
    yield labelled(trial["name"], styled(("failed", "red"), f"  {error['message']}"))
    if "hint" in error:
        yield labelled("", styled(f"hint: {error['hint']}", style="dim"))


def _conclusion(diagnosis: Diagnosis) -> Iterator[Text]:
    from pagesight.render.chromium.discovery import LIVE_HINT

    working = {trial["name"] for trial in diagnosis["renderers"] if trial["ok"]}
    if diagnosis["auto"] in working:
        yield styled(f"HTML is rendered by {diagnosis['auto']}.", style="bold green")
    elif diagnosis["ok"]:
        yield styled(f"{diagnosis['auto']} is chosen, but fails here.", style="bold red")
        yield styled("Until that is repaired, use --renderer embedded.")
    else:
        yield styled("No renderer for HTML works here.", style="bold red")
    if "chromium" not in working:
        yield styled("chromium would render scripts and CSS grid as well; see the hint above.")
    elif diagnosis["packages"]["playwright"] is None:
        yield styled("Pages at an address are rendered as the document alone, without scripts,")
        yield styled(f"stylesheets and pictures, because Playwright is missing: {LIVE_HINT}")
