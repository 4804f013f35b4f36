"""A portal at work, for tests: a website to look at, a worker that is told when, and a program."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from guarding import PUBLIC, guard_of, public_website
from pagesight.portal import Portal, Settings
from pagesight.portal.values import Account, Scope, Tile
from pagesight.portal.web import make_app
from pagesight.portal.work.worker import Worker
from pagesight.render import AnyRenderer
from pagesight.sources import Limits
from serving import Website
from watched import FakeClock, page

NAME, PASSWORD = "ada", "a cup of green tea"
HERE = "http://127.0.0.1:8181"


@dataclass
class Working:
    """All of it. The website is at `tea.example`."""

    site: Website
    portal: Portal
    worker: Worker
    clock: FakeClock
    account: Account
    client: TestClient

    @property
    def address(self) -> str:
        """Of its page."""
        return f"http://tea.example:{self.site.host.partition(':')[2]}/"

    def token(self, *scopes: Scope, account: Account | None = None) -> dict[str, str]:
        """What a program sends to be let in."""
        _, secret = self.portal.make_token(account or self.account, "a program", scopes)
        return {"Authorization": f"Bearer {secret}"}

    def place(self, select: str = "/html/body/div[1]", **settings: Any) -> Tile:
        """A part of the page, on the first tab of a board."""
        boards = self.portal.boards(self.account)
        board = boards[0] if boards else self.portal.make_board(self.account, "Tea")
        preview = self.portal.preview(self.account, self.address)
        self.worker.do_all()
        tab = board.tabs[0].uid
        (tile,) = self.portal.place(self.account, tab, preview.uid, xpaths=[select], **settings)
        return tile

    def look(self, tile: Tile, **content: Any) -> None:
        """Have a tile looked at, after its page has changed."""
        self.site.pages["/"] = page(**content)
        self.clock.now += 3600
        self.portal.check_now(self.account, tile.uid)
        self.worker.do_all()

    def another(self, name: str = "bob") -> Account:
        """Somebody else."""
        _, secret = self.portal.invite(self.account, "")
        return self.portal.accept(secret, name, PASSWORD)


@contextmanager
def working(folder: Path, renderer: str | AnyRenderer = "embedded") -> Iterator[Working]:
    """A portal with one account."""
    clock = FakeClock()
    config = Settings(
        database=str(folder / "portal.sqlite"),
        limits=Limits(guard=guard_of(tea=PUBLIC)),
        renderer=renderer,
        delay=0.0,
        threads=1,
        clock=clock,
    )
    with (
        public_website({"/": page()}) as site,
        Portal.open(config) as portal,
        Worker(config) as worker,
        TestClient(make_app(portal), base_url=HERE, follow_redirects=False) as client,
    ):
        account = portal.first_account(NAME, PASSWORD)
        yield Working(site, portal, worker, clock, account, client)
