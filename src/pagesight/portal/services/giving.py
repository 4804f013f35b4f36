"""What leaves the portal: shares, messages, exports; and what comes in by an import."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from pagesight.errors import NotificationFailed
from pagesight.portal.errors import Invalid, NotThere
from pagesight.portal.excluding import without
from pagesight.portal.messages import Message, send
from pagesight.portal.secrets import is_signed, signature
from pagesight.portal.services.base import checked_admin, checked_name
from pagesight.portal.services.looking import Looking
from pagesight.portal.values import (
    Account,
    Board,
    Channel,
    Health,
    Share,
    Shared,
    Tile,
)
from pagesight.watch.notifying import check_services
from pagesight.watch.values import Observation, Part

MOST_CHANNELS = 20
MOST_TOLD = 200  # observations of a part, the last ones, that its feed tells of

Feed = tuple[Part, list[Observation], Observation | None]
"""A part, what was observed of it, and how it was before that."""


class Giving(Looking):
    """Links, messages, and how it goes."""

    # Shares

    def share(
        self,
        account: Account,
        *,
        board: str | None = None,
        tile: str | None = None,
        public: bool = False,
        expires: datetime | None = None,
    ) -> tuple[Share, str]:
        """A link to one board or one tile, and its secret part. `public` ones are listed."""
        if (board is None) == (tile is None):
            raise Invalid("a link shows one board or one tile", field="board")
        if expires and expires <= self.now():
            raise Invalid("this time is over", field="expires")
        shown = self._owned(account, board).id if board else None
        part = self._owned_tile(account, tile) if tile else None
        share = self._sharing.share(board=shown, tile=part, is_public=public, expires=expires)
        return share, self.link(share)

    def link(self, share: Share) -> str:
        """What opens a share, and nothing else."""
        return f"{share.uid}.{signature(self.key('share'), share.uid)}"

    def shares(
        self, account: Account, *, board: str | None = None, tile: str | None = None
    ) -> list[Share]:
        """The links to a board and its tiles, to a tile, or to all of somebody's own boards."""
        if tile:
            return self._sharing.of([], [self._owned_tile(account, tile)])
        boards = (
            [self._owned(account, board)]
            if board
            else [one for one in self._boards.of_account(account.id) if one.owner == account.id]
        )
        tiles = [one.id for shown in boards for one in shown.tiles]
        return self._sharing.of([shown.id for shown in boards], tiles)

    def _owned_tile(self, account: Account, uid: str) -> int:
        board, tile = self._tile(account, uid)
        self._owned(account, board.uid)
        return tile.id

    def unshare(self, account: Account, uid: str) -> None:
        """A link leads nowhere any more."""
        for share in self.shares(account):
            if share.uid == uid:
                return self._sharing.unshare(share.id)
        raise NotThere("there is no such link")

    def shared(self, token: str, tile: str | None = None) -> Shared:
        """What a link shows, to whoever has it, or one tile of that; raises `NotThere`."""
        uid, _, given = token.partition(".")
        share = self._sharing.by_uid(uid) if is_signed(self.key("share"), uid, given) else None
        if share is None:
            raise NotThere("this link leads nowhere, or no longer")
        return self._shown(share, tile)

    def shared_picture(self, token: str, tile_uid: str) -> bytes | None:
        """The picture of a tile that a link shows."""
        (view,) = self.shared(token, tile_uid).views
        if view.observation is None:
            raise NotThere("this part was not looked at yet")
        return self.store.picture(view.observation.part, view.observation.number)

    def _shown(self, share: Share, uid: str | None) -> Shared:
        board = None if share.board is None else self._boards.by_id(share.board)
        alone = None if share.tile is None else self._boards.tile_by_id(share.tile)
        there = board.tiles if board else (alone,) if alone else ()
        tiles = [tile for tile in there if uid in (None, tile.uid)]
        if uid and not tiles:
            raise NotThere("this link shows no such tile")
        views = self._views(tiles, self.now(), may_edit=False)
        name = board.name if board else alone.name if alone else ""
        public = _without_people(board) if board else None
        return Shared(share=share, name=name, board=public, views=tuple(views))

    # Feeds

    def feed(self, account: Account, uid: str) -> Feed:
        """What a feed of a tile is made of."""
        return self._feed(self._part(account, uid)[0])

    def feed_link(self, account: Account, uid: str) -> str:
        """What opens the feed of a tile, and nothing else; readers of feeds cannot sign in."""
        self._part(account, uid)
        return f"{uid}.{signature(self.key('feed'), uid)}"

    def opened_feed(self, token: str) -> Feed:
        """What the feed of a link is made of; raises `NotThere`."""
        uid, _, given = token.partition(".")
        board = self._boards.of_tile(uid) if is_signed(self.key("feed"), uid, given) else None
        for tile in board.tiles if board else ():
            if tile.uid == uid and tile.part is not None:
                return self._feed(tile)
        raise NotThere("this feed is not there, or no longer")

    def _feed(self, tile: Tile) -> Feed:
        assert tile.part is not None
        part = replace(self.store.part(tile.part), name=tile.name)
        seen = self.store.observations(tile.part, most=MOST_TOLD)
        known = self.store.present(tile.part, seen[0].number - 1) if seen else None
        cut = [without(one, tile.excluded) for one in seen]
        return part, cut, without(known, tile.excluded) if known else None

    # Messages

    def channels(self, account: Account) -> list[Channel]:
        """Where messages to somebody go."""
        return self._sharing.channels(account.id)

    def add_channel(self, account: Account, name: str, address: str) -> Channel:
        """Another place for messages, as Apprise writes it; raises `Invalid`."""
        if len(self.channels(account)) >= MOST_CHANNELS:
            raise Invalid("these are many channels already", field="address")
        try:
            check_services([address])
        except NotificationFailed as error:
            raise Invalid(error.message, field="address", hint=error.hint) from error
        return self._sharing.add_channel(account.id, checked_name(name), address.strip())

    def remove_channel(self, account: Account, number: int) -> None:
        """No message goes there any more."""
        self._sharing.remove_channel(self._channel(account, number).id)

    def try_channel(self, account: Account, number: int) -> None:
        """Send a message to see whether it comes; raises `NotificationFailed`."""
        message = Message("Pagesight", "Messages about your page will come here.")
        send(self._channel(account, number).address, message, self.config.guard)

    def _channel(self, account: Account, number: int) -> Channel:
        channel = self._sharing.channel(number)
        if channel is None or channel.account != account.id:
            raise NotThere("you have no such channel")
        return channel

    # How it goes

    def health(self, account: Account | None = None) -> Health:
        """Whether the work is being done; which pages fail only for who looks after it."""
        if account:
            checked_admin(account)
        count, lag = self._queue.waiting()
        pages = self.store.pages() if account else ()  # monitors ask often
        return Health(
            workers=tuple(self._queue.workers()),
            waiting=count,
            lag=lag,
            pages=len(pages) if account else self._queue.pages(),
            failing=tuple(page for page in pages if page.failures),
            database=self.store.engine.dialect.name,
        )


def _without_people(board: Board) -> Board:
    """A board without who else may see it, which is nobody else's business."""
    return replace(board, people={})
