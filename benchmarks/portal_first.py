"""The first run of the portal: from `pip install` to the first tile, as a newcomer does it.

    python benchmarks/portal_first.py

A wheel is built, which is not counted: an index has one. Then a new environment is made, the wheel
is installed with what it needs, without the cache of pip, `pagesight serve` is started with an
empty home folder, and a browser makes the first account, pastes the address of an example page,
picks a part, and places it.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import sync_playwright

from pagesight.render.chromium.discovery import find_browser
from portal_server import PASSWORD, Served, free_port, waited_for

REPOSITORY = Path(__file__).parents[1]
PAGE, PART = "news-front", "Sports"
PATIENCE = 120_000  # ms for any step


class Steps:
    """How long each step took, and how much of that its processes worked, if they have ended."""

    def __init__(self) -> None:
        self.began = self.last = time.monotonic()
        self.worked = _worked()

    def done(self, what: str) -> None:
        """A step is over."""
        now, worked = time.monotonic(), _worked()
        busy = f"   {worked - self.worked:.1f} s of processor time" if worked > self.worked else ""
        print(f"  {what:<44}{now - self.last:6.1f} s{busy}", flush=True)
        self.last, self.worked = now, worked


def _worked() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class _Pages(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def examples() -> Iterator[str]:
    """The address of the example pages."""
    handler = partial(_Pages, directory=str(REPOSITORY / "examples"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{PAGE}/"
        server.shutdown()


def wheel_in(folder: Path) -> Path:
    """A wheel of this checkout, with the libraries of the browser."""
    subprocess.run([str(REPOSITORY / "scripts/assets")], check=True)
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "-w",
        str(folder),
        str(REPOSITORY),
    ]
    subprocess.run(command, check=True)
    return next(folder.glob("*.whl"))


def install(wheel: Path, folder: Path, steps: Steps) -> Path:
    """The folder of the programs of a new environment that has it."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    steps.done("a new environment")
    command = [str(folder / "bin/pip"), "install", "-qq", "--no-cache-dir", f"{wheel}[portal]"]
    subprocess.run(command, check=True)
    steps.done("pip install 'pagesight[portal]'")
    return folder / "bin"


@contextmanager
def started(programs: Path, home: Path, steps: Steps) -> Iterator[str]:
    """The address of `pagesight serve`, without any configuration but the port."""
    port = free_port()
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    command = [str(programs / "pagesight"), "serve", "--port", str(port), "--allow-private"]
    with subprocess.Popen(command, env=kept | {"HOME": str(home)}) as server:
        try:
            waited_for(Served("", port, "").answers)
            steps.done("pagesight serve answers, with a worker")
            yield f"http://127.0.0.1:{port}"
        finally:
            server.send_signal(signal.SIGINT)


def visit(address: str, page_address: str, steps: Steps) -> None:
    """Make the first account, and the first tile."""
    program = find_browser()
    assert program, "no Chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(program.path))
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(address)
        page.fill("#name", "Ann")
        page.fill("#password", PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_url("**/add**")
        steps.done("the first account")
        page.fill("#address", page_address)
        page.keyboard.press("Enter")
        page.wait_for_selector('.zone[data-front="true"]')
        steps.done("the page with its parts")
        page.locator(f'.zone[data-front="true"][aria-label^="{PART}"]').first.press("Enter")
        page.click("#next")
        page.wait_for_url("**/place/**")
        page.press("#name", "Enter")
        page.wait_for_url("**/boards/**")
        page.wait_for_selector('.tile .state[data-state="fresh"]')
        steps.done("the first tile")
        browser.close()


def main() -> None:
    argparse.ArgumentParser(description=__doc__.partition("\n")[0]).parse_args()
    with tempfile.TemporaryDirectory() as name, examples() as pages:
        folder = Path(name)
        wheel, steps = wheel_in(folder), Steps()
        programs = install(wheel, folder / "environment", steps)
        with started(programs, folder / "home", steps) as address:
            visit(address, pages, steps)
        print(f"  {'all of it':<44}{steps.last - steps.began:6.1f} s")


if __name__ == "__main__":
    main()
