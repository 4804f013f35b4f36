"""A page with its parts: previewing it, picking parts, and placing them on a board."""

from __future__ import annotations

from collections.abc import Sequence

from pagesight.crawl.politeness import server_of
from pagesight.errors import WatchError
from pagesight.page import Page
from pagesight.portal.errors import Invalid, NotThere
from pagesight.portal.foreign.styling import styled
from pagesight.portal.learning import learned_parts
from pagesight.portal.picks import pickable_nodes, relative_path
from pagesight.portal.services.base import Service, checked_name
from pagesight.portal.services.composing import (
    checked_every,
    checked_look,
    checked_place,
    free_place,
)
from pagesight.portal.store.boards import NewTile
from pagesight.portal.values import (
    Account,
    Look,
    Pickable,
    Place,
    Preview,
    PreviewState,
    Tab,
    Tile,
)
from pagesight.sources.source import is_address
from pagesight.watch.visiting import place_of
from pagesight.watch.watching import Visit

USUAL = Place(x=0, y=0, width=4, height=5)
MOST_PICKED = 50  # parts at a time


class Picking(Service):
    """From an address to tiles."""

    def preview(self, account: Account, address: str) -> Preview:
        """A page to pick parts from; a worker looks at it soon."""
        place = web_address(address)
        return self._previews.add(account.id, place, server_of(place))

    def preview_of(self, account: Account, uid: str) -> Preview:
        """How far a preview is."""
        preview = self._previews.by_uid(uid)
        if preview is None or preview.account != account.id:
            raise NotThere("there is no such page; look at it again")
        return preview

    def preview_page(self, account: Account, uid: str) -> Page:
        """The page itself."""
        return self._visit(self.preview_of(account, uid)).shown.page

    def preview_picture(self, account: Account, uid: str) -> bytes | None:
        """How it looks, as a PNG; None if it was not painted."""
        return self._previews.picture(self.preview_of(account, uid))

    def pickable(self, account: Account, uid: str) -> list[Pickable]:
        """The nodes of the zone tree of the page, from the outermost on."""
        return pickable_nodes(self.preview_page(account, uid))

    def _visit(self, preview: Preview) -> Visit:
        visit = self._previews.visit(preview, styled)
        if visit is None:
            is_failed = preview.state is PreviewState.FAILED
            raise NotThere("this page could not be had" if is_failed else "it is not ready yet")
        return visit

    def place(
        self,
        account: Account,
        tab_uid: str,
        preview_uid: str,
        *,
        xpaths: Sequence[str],
        excluded: Sequence[str] = (),
        name: str | None = None,
        look: Look | str = Look.PLAIN,
        every: int | None = None,
        place: Place | None = None,
    ) -> list[Tile]:
        """Put parts of a previewed page on a tab. A part that is watched already is shared."""
        board, tab = self._tab(account, tab_uid, to_edit=True)
        preview = self.preview_of(account, preview_uid)
        if not xpaths or len(xpaths) > MOST_PICKED:
            raise Invalid("pick at least one part, and not too many", field="xpaths")
        every, look = checked_every(every), checked_look(look)
        size = checked_place(place) if place else USUAL
        label = checked_name(name) if name else None
        picked = list(dict.fromkeys(xpaths))
        parts = learned_parts(
            self._watch, preview.address, self._visit(preview), picked, preview.created
        )
        numbers = {number: seen.number for number, seen in self.store.latest(
            [part.id for part in parts.values()]).items()}  # fmt: skip
        places = [size] if place and len(parts) == 1 else spots(tab, size, len(parts))
        tiles = [
            NewTile(
                part=part.id, address=preview.address, name=label or part.name, place=spot,
                look=look, every=every, told=numbers[part.id],
                excluded=[path for one in excluded if (path := relative_path(xpath, one))],
            )
            for (xpath, part), spot in zip(parts.items(), places, strict=True)
        ]  # fmt: skip
        uids = self._boards.add_tiles(board.id, tab.id, tiles)
        if every:
            for part in parts.values():
                self._boards.look_soon(part.id, every)
        there = {tile.uid: tile for tile in self._board(account, board.uid).tiles}
        return [there[uid] for uid in uids]


def spots(tab: Tab, size: Place, count: int) -> list[Place]:
    """Places below the tiles of a tab, in rows."""
    first, across = free_place(tab, size), max(1, 12 // size.width)
    return [
        Place(
            x=at % across * size.width, y=first.y + at // across * size.height,
            width=size.width, height=size.height,
        )
        for at in range(count)
    ]  # fmt: skip


def web_address(typed: str) -> str:
    """An address of the web, as somebody typed it; raises `Invalid`. Files are none of it."""
    written = typed.strip()
    if "://" not in written and not written.startswith(("/", ".", "~")):
        written = f"https://{written}"
    if not written or not is_address(written):
        raise Invalid("this is not an address of a page on the web", field="address")
    try:
        return place_of(written)
    except WatchError as error:
        raise Invalid(error.message, field="address", hint=error.hint) from error
