"""A diagnosis, in words and in JSON."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.text import Text

from pagesight.cli.diagnosis import Diagnosis, FoundBrowser, Trial
from pagesight.cli.output import error_fields, printable, say_json, say_lines
from pagesight.render.chromium.discovery import LIVE_HINT

LABEL = 12


def print_json(diagnosis: Diagnosis) -> None:
    """One object."""
    say_json(as_fields(diagnosis))


def print_screen(diagnosis: Diagnosis) -> None:
    """One screen."""
    say_lines(lines(diagnosis), cut=False)


def as_fields(diagnosis: Diagnosis) -> dict[str, Any]:
    """The diagnosis as `docs/commands/doctor.md` describes it."""
    fonts = diagnosis.fonts
    return {
        "ok": diagnosis.ok,
        "pagesight": diagnosis.pagesight,
        "python": diagnosis.python,
        "system": diagnosis.system,
        "packages": diagnosis.packages,
        "browsers": [
            {"path": browser.path, "found_in": browser.found_in, "version": browser.version}
            for browser in diagnosis.browsers
        ],
        "auto": diagnosis.auto,
        "renderers": [_trial_fields(trial) for trial in diagnosis.trials],
        "fonts": {"bundled": fonts.bundled, "system": fonts.system, "default": fonts.default},
        "cache": str(diagnosis.cache),
        "environment": diagnosis.environment,
    }


def _trial_fields(trial: Trial) -> dict[str, Any]:
    fields = {
        "name": trial.name,
        "media": trial.media,
        "ok": trial.ok,
        "version": trial.version,
        "seconds": trial.seconds,
    }
    return fields | ({"error": error_fields(trial.error)} if trial.error else {})


def lines(diagnosis: Diagnosis) -> Iterator[Text]:
    """The diagnosis for a person: the conclusion comes last, where it is seen."""
    yield Text(f"pagesight {diagnosis.pagesight}", style="bold")
    yield _line("Python", f"{diagnosis.python} on {diagnosis.system}")
    for name, version in diagnosis.packages.items():
        yield _line(name, version or Text("not installed", style="red"))
    yield from _browser_lines(diagnosis.browsers)
    yield _line("fonts", _fonts(diagnosis))
    state = "" if diagnosis.cache.is_dir() else " (does not exist yet)"
    yield _line("cache", f"{_short(diagnosis.cache)}{state}")
    for name, value in diagnosis.environment.items():
        yield _line("environment", f"{name} " + (f"= {value}" if value else "is not set"))
    yield Text()
    yield Text("Rendering a small page", style="bold")
    for trial in diagnosis.trials:
        yield from _trial_lines(trial)
    yield Text()
    yield from _conclusion(diagnosis)


def _browser_lines(browsers: tuple[FoundBrowser, ...]) -> Iterator[Text]:
    if not browsers:
        yield _line("browser", "none found")
    for number, browser in enumerate(browsers):
        used = "" if number else ", used"
        version = browser.version or "version unknown"
        yield _line("browser", f"{version}  {browser.path} (from {browser.found_in}{used})")


def _fonts(diagnosis: Diagnosis) -> str:
    fonts = diagnosis.fonts
    system = "those" if fonts.system is None else str(fonts.system)
    default = f" ({fonts.default})" if fonts.default else ""
    return f"embedded has its own {fonts.bundled}; chromium uses {system} of the system{default}"


def _short(path: Path) -> str:
    home = Path.home()
    return str("~" / path.relative_to(home)) if path.is_relative_to(home) else str(path)


def _trial_lines(trial: Trial) -> Iterator[Text]:
    if trial.error is None:
        state = Text("OK", style="green")
        details = f"      {trial.media.upper()} in {trial.seconds:.2f} s, version {trial.version}"
        yield _line(trial.name, state.append(details, style="default"))
        return
    state = Text("failed", style="red")
    yield _line(trial.name, state.append(f"  {printable(trial.error.message)}", style="default"))
    if trial.error.hint:
        yield _line("", Text(f"hint: {printable(trial.error.hint)}", style="dim"))


def _conclusion(diagnosis: Diagnosis) -> Iterator[Text]:
    working = {trial.name for trial in diagnosis.trials if trial.ok}
    if diagnosis.auto in working:
        yield Text(f"HTML is rendered by {diagnosis.auto}.", style="bold green")
    elif diagnosis.ok:
        yield Text(f"{diagnosis.auto} is chosen, but fails here.", style="bold red")
        yield Text("Until that is repaired, use --renderer embedded.")
    else:
        yield Text("No renderer for HTML works here.", style="bold red")
    if "chromium" not in working:
        yield Text("chromium would render scripts and CSS grid as well; see the hint above.")
    elif diagnosis.packages["playwright"] is None:
        yield Text("Pages at an address are rendered as the document alone, without scripts,")
        yield Text(f"stylesheets and pictures, because Playwright is missing: {LIVE_HINT}")


def _line(label: str, text: str | Text) -> Text:
    styled = text if isinstance(text, Text) else Text(printable(text))
    return Text.assemble((f"{label:<{LABEL}}", "dim"), styled)
