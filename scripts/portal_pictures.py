"""Takes the pictures of docs/portal.md from a running portal: python scripts/portal_pictures.py."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright
from portal_demo import NAME, PASSWORD, REPOSITORY, filled

from pagesight.render.chromium.discovery import find_browser

FOLDER = REPOSITORY / "docs/pictures"
PORT, PAGES_PORT = 8183, 8184  # others than those of the demonstration
ADDRESS = f"http://127.0.0.1:{PORT}"
DESK, TALL = {"width": 1200, "height": 760}, {"width": 1200, "height": 1240}
PHONE = {"width": 390, "height": 760}
COLOURS = 128  # of a picture: flat areas and a few photographs need no more


def keep(page: Page, name: str) -> None:
    """Save what the window shows."""
    page.wait_for_timeout(400)
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    small = picture.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    small.save(FOLDER / f"portal-{name}.png", optimize=True)


def sign_in(page: Page) -> None:
    """Come in."""
    page.goto(f"{ADDRESS}/sign-in")
    page.fill("#name", NAME)
    page.fill("#password", PASSWORD)
    page.click("main .button.main")
    page.wait_for_url("**/boards/**")


def take(page: Page, phone: Page) -> None:
    """All pictures, in the order of the guide."""
    sign_in(page)
    page.goto(f"{ADDRESS}/add")
    page.fill("#address", f"http://127.0.0.1:{PAGES_PORT}/news-front/")
    page.click("main .button.main")
    page.wait_for_selector('.zone[data-front="true"]', timeout=60_000)
    page.locator('.zone[aria-label^="Most read"]').first.click()
    keep(page, "pick")
    page.click("#next")
    page.wait_for_url("**/place/**")
    keep(page, "place")
    page.goto(ADDRESS)
    keep(page, "board")
    page.locator(".tile h2 a").first.click()
    page.get_by_role("button", name="Look again now").click()
    page.wait_for_selector(".note.good")
    for _ in range(90):  # the newspaper is new every minute
        if page.locator("#to").count():
            break
        page.wait_for_timeout(1000)
        page.get_by_role("button", name="Look again now").click()
    page.set_viewport_size(TALL)  # type: ignore[arg-type]
    page.goto(page.url.partition("?")[0])
    keep(page, "part")
    page.set_viewport_size(DESK)  # type: ignore[arg-type]
    page.goto(f"{ADDRESS}/news")
    keep(page, "news")
    page.goto(f"{ADDRESS}/settings/people")
    keep(page, "settings")
    sign_in(phone)
    keep(phone, "phone")


def main() -> None:
    """Serve a new portal, and look at it."""
    FOLDER.mkdir(exist_ok=True)
    browser = find_browser()
    if browser is None:
        sys.exit("no Chromium found")
    with tempfile.TemporaryDirectory() as folder, filled(Path(folder), PORT, PAGES_PORT) as config:
        command = [sys.executable, "-m", "pagesight", "serve", "--port", str(PORT),
                   "--allow-private", "--database", str(config.database)]  # fmt: skip
        with subprocess.Popen(command) as server, sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=str(browser.path))
            page = chromium.new_page(viewport=DESK)  # type: ignore[arg-type]
            phone = chromium.new_page(viewport=PHONE, color_scheme="dark", is_mobile=True)  # type: ignore[arg-type]
            page.wait_for_timeout(4000)  # until the server listens
            take(page, phone)
            chromium.close()
            server.send_signal(signal.SIGINT)


if __name__ == "__main__":
    main()
