from __future__ import annotations

import json
from pathlib import Path

import pytest
from running import needs_worker, run

import pagesight
from pagesight.cli.checkup import as_fields, lines
from pagesight.cli.diagnosis import Diagnosis, Fonts, FoundBrowser, Trial
from pagesight.errors import NoBrowser, PagesightError


def _trial(name: str, error: PagesightError | None = None) -> Trial:
    version = None if error else "1.2"
    return Trial(name=name, media="html", version=version, seconds=0.5, error=error)


def _diagnosis(auto: str, *trials: Trial, playwright: str | None = "1.65.0") -> Diagnosis:
    return Diagnosis(
        pagesight="0.1.0",
        python="3.11.7",
        system="Linux",
        packages={"playwright": playwright, "plutoprint": None},
        browsers=(FoundBrowser(path="/usr/bin/chromium", found_in="PATH", version="1.2"),),
        auto=auto,
        trials=trials,
        fonts=Fonts(bundled=12, system=None, default=None),
        cache=Path("no-such-folder"),
        environment={"PAGESIGHT_BROWSER": None},
    )


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


@needs_worker
def test_what_needs_no_browser_works() -> None:
    fields = json.loads(run("doctor", "--json", PAGESIGHT_BROWSER="no-such-browser").stdout)
    assert [trial["ok"] for trial in fields["renderers"]] == [False, True, True]


def test_a_browser_that_is_not_there() -> None:
    result = run("doctor", "--json", PAGESIGHT_BROWSER="no-such-browser", PAGESIGHT_CACHE="here")
    fields = json.loads(result.stdout)
    assert result.returncode == (0 if fields["ok"] else 1)
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


def test_all_is_well() -> None:
    diagnosis = _diagnosis("chromium", _trial("chromium"), _trial("embedded"))
    assert diagnosis.ok
    screen = [line.plain for line in lines(diagnosis)]
    assert screen[-1] == "HTML is rendered by chromium."
    assert "plutoprint  not installed" in screen
    assert "cache       no-such-folder (does not exist yet)" in screen


def test_without_chromium_there_is_advice() -> None:
    missing = _trial("chromium", NoBrowser("no Chromium found", hint="install one"))
    diagnosis = _diagnosis("embedded", missing, _trial("embedded"))
    assert diagnosis.ok
    screen = "\n".join(line.plain for line in lines(diagnosis))
    assert "HTML is rendered by embedded." in screen
    assert "hint: install one" in screen
    assert "see the hint above" in screen


def test_without_playwright_there_is_advice_for_live_pages() -> None:
    light = _diagnosis("chromium", _trial("chromium"), _trial("embedded"), playwright=None)
    assert light.ok
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


def test_a_pdf_alone_is_not_enough() -> None:
    broken = _trial("chromium", NoBrowser("no Chromium found"))
    diagnosis = _diagnosis("embedded", broken, _trial("pdf"))
    assert not diagnosis.ok
    assert as_fields(diagnosis)["ok"] is False
    assert "No renderer for HTML works here." in [line.plain for line in lines(diagnosis)]
