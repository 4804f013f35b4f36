from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Self

import pytest
from running import needs_worker, run, small_page

import pagesight
from pagesight.cli.commands.doctor import Diagnosis, diagnose, lines
from pagesight.errors import NoBrowser, PagesightError, RenderCrash
from pagesight.page import Page


def _trial(name: str, error: PagesightError | None = None) -> dict[str, Any]:
    version = None if error else "1.2"
    trial = {"name": name, "media": "html", "ok": not error, "version": version, "seconds": 0.5}
    return trial | ({"error": error.to_json()} if error else {})


def _diagnosis(auto: str, *trials: dict[str, Any], playwright: str | None = "1.65.0") -> Diagnosis:
    return {
        "ok": any(trial["ok"] for trial in trials if trial["name"] != "pdf"),
        "pagesight": "0.1.0",
        "python": "3.11.7",
        "system": "Linux",
        "packages": {"playwright": playwright, "plutoprint": None},
        "browsers": [{"path": "/usr/bin/chromium", "found_in": "PATH", "version": "1.2"}],
        "auto": auto,
        "renderers": trials,
        "fonts": {"bundled": 12, "system": None, "default": None},
        "cache": "no-such-folder",
        "environment": {"PAGESIGHT_BROWSER": None, "PAGESIGHT_CORPORA": "/corpora"},
    }


@pytest.mark.browser
def test_json() -> None:
    result = run("doctor", "--json")
    assert (result.returncode, result.stderr) == (0, b"")
    fields = json.loads(result.stdout)
    assert list(fields) == [
        "ok", "pagesight", "python", "system", "packages", "browsers", "auto", "renderers",
        "fonts", "cache", "environment",
    ]  # fmt: skip
    assert fields["ok"] is True
    assert fields["auto"] == "chromium"
    assert fields["pagesight"] == pagesight.__version__
    chromium, embedded, pdf = fields["renderers"]
    assert chromium["ok"] is True
    assert chromium["version"] == fields["browsers"][0]["version"]
    assert (embedded["name"], pdf["name"], pdf["media"]) == ("embedded", "pdf", "pdf")
    assert fields["fonts"]["bundled"] == 12


@pytest.fixture(scope="module")
def without_browser() -> dict[str, Any]:
    """The diagnosis where no browser is found."""
    result = run("doctor", "--json", PAGESIGHT_BROWSER="no-such-browser", PAGESIGHT_CACHE="here")
    fields: dict[str, Any] = json.loads(result.stdout)
    assert result.returncode == (0 if fields["ok"] else 1)
    return fields


@needs_worker
def test_what_needs_no_browser_works(without_browser: dict[str, Any]) -> None:
    assert [trial["ok"] for trial in without_browser["renderers"]] == [False, True, True]


def test_a_browser_that_is_not_there(without_browser: dict[str, Any]) -> None:
    fields = without_browser
    assert fields["auto"] == "embedded"
    assert fields["browsers"] == []
    assert fields["cache"] == "here"
    assert fields["environment"]["PAGESIGHT_BROWSER"] == "no-such-browser"
    assert fields["renderers"][0]["error"]["kind"] == "no_browser"


def test_a_browser_that_does_not_start(tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.write_text("#!/bin/sh\nexit 1\n")
    browser.chmod(0o755)
    result = run("doctor", PAGESIGHT_BROWSER=str(browser))
    screen = result.stdout.decode()
    assert f"version unknown  {browser}" in screen
    assert "chromium    failed" in screen
    assert "hint: " in screen


class _Odd:
    """A renderer to which something happens."""

    def __init__(self, outcome: Page | Exception) -> None:
        self.outcome = outcome

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    def render(self, _: object) -> Page:
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


@pytest.mark.parametrize(
    ("outcome", "kind", "message", "hint"),
    [
        (small_page(text="\ufffd"), "render_error", "instead of 'Good morning'", "any font"),
        (
            ImportError("no plutoprint"),
            "render_error",
            "cannot be loaded",
            "reinstall",
        ),
        (ZeroDivisionError("oops"), "unexpected_error", "ZeroDivisionError: oops", "report it"),
        (RenderCrash("gone", hint="try again"), "render_crash", "gone", "try again"),
    ],
)
def test_what_may_happen_to_a_renderer(
    outcome: Page | Exception, kind: str, message: str, hint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pagesight.render.open_renderer", lambda *_: _Odd(outcome))
    state = diagnose()
    assert state["ok"] is False
    for trial in state["renderers"]:
        assert trial["ok"] is False
        assert trial["error"]["kind"] == kind
        assert message in trial["error"]["message"]
        assert hint in trial["error"]["hint"]


def test_a_renderer_that_works_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "pagesight.render.open_renderer", lambda *_: _Odd(small_page(text="Good morning"))
    )
    state = diagnose()
    assert state["ok"] is True
    assert [trial["version"] for trial in state["renderers"]] == ["1.2.3"] * 3
    assert all(trial["seconds"] >= 0 for trial in state["renderers"])


def test_all_is_well() -> None:
    state = _diagnosis("chromium", _trial("chromium"), _trial("embedded"))
    screen = [line.plain for line in lines(state)]
    assert screen[-1] == "HTML is rendered by chromium."
    assert "plutoprint  not installed" in screen
    assert "cache       no-such-folder (does not exist yet)" in screen
    assert "environment PAGESIGHT_BROWSER is not set" in screen
    assert "environment PAGESIGHT_CORPORA = /corpora" in screen


def test_without_chromium_there_is_advice() -> None:
    missing = _trial("chromium", NoBrowser("no Chromium found", hint="install one"))
    state = _diagnosis("embedded", missing, _trial("embedded"))
    screen = "\n".join(line.plain for line in lines(state))
    assert "HTML is rendered by embedded." in screen
    assert "hint: install one" in screen
    assert "see the hint above" in screen


def test_without_playwright_there_is_advice_for_live_pages() -> None:
    light = _diagnosis("chromium", _trial("chromium"), _trial("embedded"), playwright=None)
    screen = "\n".join(line.plain for line in lines(light))
    assert "HTML is rendered by chromium." in screen
    assert "Playwright is missing: pip install 'pagesight[live]'" in screen


def test_without_chromium_playwright_is_no_use() -> None:
    missing = _trial("chromium", NoBrowser("no Chromium found", hint="install one"))
    light = _diagnosis("embedded", missing, _trial("embedded"), playwright=None)
    assert "pagesight[live]" not in "\n".join(line.plain for line in lines(light))


def test_a_broken_chromium_is_not_silently_the_choice() -> None:
    broken = _trial("chromium", NoBrowser("does not start"))
    screen = "\n".join(
        line.plain for line in lines(_diagnosis("chromium", broken, _trial("embedded")))
    )
    assert "use --renderer embedded" in screen


def test_all_variables_of_the_environment_are_listed(without_browser: dict[str, Any]) -> None:
    source = Path(pagesight.__file__).parent
    # What is read from the settings of another program is not a variable.
    ours = [path for path in source.rglob("*.py") if "integrations" not in path.parts]
    texts = [path.read_text(encoding="utf-8") for path in ours]
    used = {name for text in texts for name in re.findall(r'"(PAGESIGHT_[A-Z_]+)"', text)}
    assert used == set(without_browser["environment"])


def test_a_pdf_alone_is_not_enough() -> None:
    broken = _trial("chromium", NoBrowser("no Chromium found"))
    state = _diagnosis("embedded", broken, _trial("pdf"))
    assert "No renderer for HTML works here." in [line.plain for line in lines(state)]
