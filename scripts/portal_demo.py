"""Serves the example pages and a portal with a board made of parts of them, until Ctrl-C.

Nothing leaves this machine. What is kept is in .cache/portal; remove that to begin anew.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from pagesight.portal import Portal, Settings, serve
from pagesight.portal.settings import PORT
from pagesight.portal.values import Account, Look, Place, Preview, PreviewState
from pagesight.portal.work.worker import Worker

REPOSITORY = Path(__file__).parents[1]
PAGES_PORT = 8182  # always the same, or parts would be of other pages the next time
NAME, PASSWORD = "demo", "harbour view"
TICKER = re.compile(rb"11:40")  # the newest entry of the newspaper is always of this minute

# Board and tab, page, how the part begins, and where and how it is shown.
TILES = (
    ("Today", "news-front", "Live: storm Runa", Place(x=0, y=0, width=4, height=5), Look.PLAIN),
    ("Today", "news-front", "Sports", Place(x=4, y=0, width=4, height=5), Look.PLAIN),
    ("Today", "news-front", "Science", Place(x=8, y=0, width=4, height=5), Look.PICTURE),
    ("Today", "jobs", "Night baker", Place(x=0, y=5, width=6, height=3), Look.ORIGINAL),
    ("Today", "shop-results", "Others also bought", Place(x=6, y=5, width=6, height=3), Look.PLAIN),
    ("Reading", "documentation", "On this page", Place(x=0, y=0, width=4, height=5), Look.PLAIN),
    ("Reading", "journal-article", "Abstract", Place(x=4, y=0, width=8, height=5), Look.PLAIN),
)


class Pages(SimpleHTTPRequestHandler):
    """The example pages."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments, directory=str(REPOSITORY / "examples"))  # type: ignore[arg-type]

    def do_GET(self) -> None:
        """Send a file; the front page of the newspaper is new every minute."""
        if self.path != "/news-front/":
            super().do_GET()
            return
        page = (REPOSITORY / "examples/news-front/index.html").read_bytes()
        body = TICKER.sub(time.strftime("%H:%M").encode(), page)
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def fill(config: Settings, pages: str) -> None:
    """Make an account with a board of parts of the pages at an address, if there is none."""
    with Portal.open(config) as portal:
        if portal.has_accounts():
            return
        print("Looking at the example pages …", flush=True)
        with Worker(config) as worker:
            place_all(portal, worker, portal.first_account(NAME, PASSWORD), pages)


def place_all(portal: Portal, worker: Worker, account: Account, pages: str) -> None:
    """Put the parts on their tabs."""
    board = portal.make_board(account, "Port Ellery")
    tabs = {"Today": portal.rename_tab(account, board.tabs[0].uid, "Today")}
    tabs["Reading"] = portal.make_tab(account, board.uid, "Reading")
    previews: dict[str, Preview] = {}
    for tab, page, words, place, look in TILES:
        if page not in previews:
            asked = portal.preview(account, f"{pages}/{page}/")
            previews[page] = seen(portal, worker, account, asked)
        nodes = portal.pickable(account, previews[page].uid)
        named = [one for one in nodes if one.name.startswith(words)]
        node = max(named, key=lambda one: one.box.width * one.box.height)
        portal.place(
            account, tabs[tab].uid, previews[page].uid, xpaths=[node.xpath], place=place, look=look
        )


def seen(portal: Portal, worker: Worker, account: Account, preview: Preview) -> Preview:
    """A preview when a worker has looked at the page."""
    while (now := portal.preview_of(account, preview.uid)).state is PreviewState.WAITING:
        worker.do_all()
        time.sleep(0.1)  # the server of the pages is asked politely
    return now


def say(address: str, _: bool) -> None:
    """Where it is, and how one gets in."""
    print(f"The example pages are at http://127.0.0.1:{PAGES_PORT}")
    print(f"The portal is at {address}: sign in as {NAME} with the password {PASSWORD}")
    print("Ctrl-C ends it.", flush=True)


@contextmanager
def filled(folder: Path, port: int = PORT, pages_port: int = PAGES_PORT) -> Iterator[Settings]:
    """The settings of a portal with a board, while the example pages are served."""
    folder.mkdir(parents=True, exist_ok=True)
    config = Settings(database=str(folder / "portal.sqlite"), port=port, private=True, delay=0.5)
    with ThreadingHTTPServer(("127.0.0.1", pages_port), Pages) as pages:
        threading.Thread(target=pages.serve_forever, daemon=True).start()
        fill(config, f"http://127.0.0.1:{pages_port}")
        yield config
        pages.shutdown()


def main() -> None:
    """Serve both."""
    with filled(REPOSITORY / ".cache/portal") as config:
        serve(config, say)


if __name__ == "__main__":
    main()
