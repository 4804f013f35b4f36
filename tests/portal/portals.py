"""What tests of the portal share: from an address to tiles, and from day to day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pagesight.portal.portal import Portal
from pagesight.portal.values import Account, Board, Preview, Tile, TileView
from pagesight.portal.work.worker import Worker
from serving import Website
from watched import FakeClock, page

PASSWORD = "a cup of tea"
NEWS, WEATHER = "/html/body/div[1]", "/html/body/div[2]"
HOUR = 3600.0


@dataclass
class Harbour:
    """A portal with a board of one person, a worker, and a website to look at."""

    portal: Portal
    account: Account
    worker: Worker
    site: Website
    clock: FakeClock
    board: Board

    @property
    def tab(self) -> str:
        return self.board.tabs[0].uid

    def preview(self, path: str = "/", account: Account | None = None) -> Preview:
        """A page that a worker has looked at."""
        account = account or self.account
        preview = self.portal.preview(account, self.site(path))
        self.work()
        return self.portal.preview_of(account, preview.uid)

    def place(self, *xpaths: str, path: str = "/", **settings: Any) -> list[Tile]:
        """Tiles of parts of a page."""
        preview = self.preview(path)
        chosen = xpaths or (NEWS,)
        return self.portal.place(self.account, self.tab, preview.uid, xpaths=chosen, **settings)

    def work(self) -> int:
        """Do what is due, when the servers may be asked again."""
        self.clock.now += 3
        return self.worker.do_all()

    def publish(self, path: str = "/", **content: Any) -> None:
        """Another day on the website, and a worker that looks at it."""
        self.site.pages[path] = page(**content)
        self.clock.now += 40 * HOUR
        self.work()

    def views(self) -> Sequence[TileView]:
        return self.portal.tile_views(self.account, self.board.uid)

    def view(self) -> TileView:
        (view,) = self.views()
        return view
