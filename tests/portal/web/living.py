"""A portal that runs: a website to look at, a worker that is told when, a server, a browser."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import harbour
import uvicorn

from pagesight.portal import Portal, Settings
from pagesight.portal.values import Account, Board, JobState, Tile, TileState, TileView
from pagesight.portal.web import make_app
from pagesight.portal.work.worker import Worker
from serving import Answer, Website, website

NAME, PASSWORD = "ada", "a quiet harbour at night"
OTHER_NEWS = (
    "Opera opens tonight in the town hall",
    "Weather stays mild for another week",
    "Council meets about the bridge",
    "Ships collide off the cape",
)
LETTERS = ("Letters to the editor", "Crossword of the week", "Concerts in the park")
# Which of these leaves a reader unsure depends on what the model has learned.
REDESIGNS = tuple(
    harbour.redesigned(first, second).replace("<h3>News</h3>", f"<h3>{heading}</h3>")
    for first, second, heading in (
        (OTHER_NEWS, LETTERS, "Today"),
        (OTHER_NEWS, OTHER_NEWS, "Today"),
        (OTHER_NEWS, LETTERS, "News"),
        ((*OTHER_NEWS[:2], harbour.NEWS[0]), (*LETTERS[:2], harbour.NEWS[1]), "News"),
        ((*harbour.NEWS[:2], *OTHER_NEWS[:2]), (*harbour.NEWS[2:], *LETTERS[:2]), "Today"),
    )
)


@dataclass
class Living:
    """All of it."""

    site: Website
    portal: Portal
    worker: Worker
    address: str
    tiles: dict[str, Tile] = field(default_factory=dict)
    is_working: bool = False
    """Whether the worker works by itself."""

    @property
    def me(self) -> Account:
        """Who looks after it, made if there is nobody."""
        if not self.portal.has_accounts():
            self.portal.first_account(NAME, PASSWORD)
        return self._account()

    def _account(self) -> Account:
        return next(one for one in self.portal._accounts.all() if one.name == NAME)

    @property
    def board(self) -> Board:
        """The first board."""
        boards = self.portal.boards(self.me)
        return boards[0] if boards else self.portal.make_board(self.me, "Port Ellery")

    def place(self, path: str, words: str = "News of the day", **settings: object) -> Tile:
        """Put the outermost part that begins with some words on the board."""
        preview = self.portal.preview(self.me, self.site(path))
        self.work(lambda: self.portal.preview_of(self.me, preview.uid).state != "waiting")
        nodes = self.portal.pickable(self.me, preview.uid)
        node = next(one for one in nodes if one.name.startswith(words) and "/section" in one.xpath)
        tab = self.board.tabs[0].uid
        placed = self.portal.place(
            self.me,
            tab,
            preview.uid,
            xpaths=[node.xpath],
            **settings,  # type: ignore[arg-type]
        )
        return placed[0]

    def work(self, is_done: Callable[[], bool]) -> None:
        """Have the work done, by this thread or by the one that works already."""
        for _ in range(1000):
            if not self.is_working:
                self.worker.do_all()
            if is_done():
                return
            time.sleep(0.02)
        raise AssertionError("the work is not done")

    def look(self, tile: Tile) -> TileView:
        """Have a tile looked at now."""
        self.portal.check_now(self.me, tile.uid)
        self.work(lambda: self.portal.check_state(self.me, tile.uid) is JobState.DONE)
        return self.portal.tile(self.me, tile.uid)

    def make_unsure(self, path: str, tile: Tile) -> TileView:
        """Redesign a page so that it is not certain any more where a part is."""
        for page in REDESIGNS:
            self.site.pages[path] = page
            view = self.look(tile)
            if view.state is TileState.UNSURE:
                return view
        raise AssertionError("no redesign leaves it unsure")


@contextmanager
def living(folder: Path, pages: Sequence[str] = ("/",), renderer: str = "auto") -> Iterator[Living]:
    """A portal with a website that has the same front page at some paths."""
    config = Settings(
        database=str(folder / "portal.sqlite"),
        private=True,
        delay=0.0,
        threads=1,
        renderer=renderer,
    )
    with (
        website({path: harbour.front() for path in pages}) as site,
        Portal.open(config) as portal,
        Worker(config) as worker,
        served(portal) as address,
    ):
        yield Living(site, portal, worker, address)


@contextmanager
def served(portal: Portal) -> Iterator[str]:
    """The address of a portal on this machine, in a thread."""
    config = uvicorn.Config(make_app(portal), port=0, log_level="warning", access_log=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


PATHS = ("/", "/weather", "/fish", "/down", "/wall", "/redesign", "/gone", "/picture")


def fill(portal: Living) -> None:
    """A board with a tile in every state."""
    wanted = {
        "changed": ("/", "News of the day"),
        "fresh": ("/weather", "Weather"),
        "unchanged": ("/fish", "Fish market"),
        "old copy": ("/down", "Tides"),
        "wall": ("/wall", "Weather"),
        "unsure": ("/redesign", "News of the day"),
        "gone": ("/gone", "Fish market"),
    }
    for state, (path, words) in wanted.items():
        portal.tiles[state] = portal.place(path, words)
    pages = portal.site.pages
    pages["/"] = harbour.front(news=("Lighthouse gets a keeper again", *harbour.NEWS[:3]))
    pages["/down"] = Answer(status=503)
    pages["/wall"] = harbour.login()
    pages["/gone"] = harbour.front().replace("Fish market", "").replace("<table>", "<table hidden>")
    for state in ("changed", "unchanged", "old copy", "wall", "gone"):
        portal.look(portal.tiles[state])
    portal.make_unsure("/redesign", portal.tiles["unsure"])
