"""What tests of the screens need: a portal and a browser for each module."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from living import PATHS, Living, fill, living
from playwright.sync_api import Browser, sync_playwright

from pagesight.render.chromium.discovery import Browser as Program


@pytest.fixture(scope="module")  # while it runs, no other test could run an event loop
def shown_in(live_browser: Program) -> Iterator[Browser]:
    """A browser in which the portal is looked at."""
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=str(live_browser.path))


@pytest.fixture(scope="session")
def axe() -> str:
    """The script that finds what keeps people from using a page."""
    script = Path(__file__).parents[3] / ".cache/assets/node_modules/axe-core/axe.min.js"
    if not script.exists():
        pytest.skip("no axe-core: run scripts/assets")
    return script.read_text("utf-8")


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Living]:
    """A portal without anybody, and a website."""
    with living(tmp_path_factory.mktemp("portal"), PATHS, renderer="embedded") as running:
        yield running


@pytest.fixture(scope="module")
def filled(portal: Living) -> Living:
    """A portal with a tile in every state."""
    fill(portal)
    return portal
