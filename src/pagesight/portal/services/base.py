"""What all services share: the database, and who may see and change what."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime
from functools import cached_property

from pagesight.portal.errors import Invalid, NotAllowed, NotThere
from pagesight.portal.foreign.styling import styled
from pagesight.portal.secrets import new_secret, signature
from pagesight.portal.settings import Settings
from pagesight.portal.store.accounts import Accounts
from pagesight.portal.store.boards import Boards
from pagesight.portal.store.previews import Previews
from pagesight.portal.store.queue import Queue
from pagesight.portal.store.sharing import Sharing
from pagesight.portal.values import Account, Board, Tab, Tile
from pagesight.watch.store.store import Store
from pagesight.watch.watching import Watch

LONGEST_NAME = 200  # characters


class Service:
    """One database, and what is kept in it."""

    def __init__(self, config: Settings, store: Store) -> None:
        clock = config.clock
        self.config = config
        self.store = store
        self._accounts = Accounts(store, clock)
        self._boards = Boards(store, clock)
        self._previews = Previews(store, clock)
        self._queue = Queue(store, clock)
        self._sharing = Sharing(store, clock)
        # Its renderer is opened when it is needed, and nothing here needs it.
        self._watch = Watch(store, renderer="embedded", clock=clock, styled=styled)

    def now(self) -> datetime:
        """The time."""
        return datetime.fromtimestamp(self.config.clock.time(), UTC)

    @cached_property
    def _secret(self) -> str:
        """That of this installation, which signs what it gives out."""
        return str(self._accounts.settled("secret", new_secret()))

    def key(self, purpose: str) -> bytes:
        """A key to sign things of one purpose with."""
        return signature(self._secret.encode(), purpose).encode()

    def _board(self, account: Account, uid: str, *, to_edit: bool = False) -> Board:
        return _allowed(self._boards.by_uid(uid), account, "board", to_edit=to_edit)

    def _owned(self, account: Account, uid: str) -> Board:
        board = self._board(account, uid)
        if board.owner != account.id:
            raise NotAllowed("only the owner of a board may do that")
        return board

    def _tab(self, account: Account, uid: str, *, to_edit: bool = False) -> tuple[Board, Tab]:
        board = _allowed(self._boards.of_tab(uid), account, "tab", to_edit=to_edit)
        return board, next(tab for tab in board.tabs if tab.uid == uid)

    def _tile(self, account: Account, uid: str, *, to_edit: bool = False) -> tuple[Board, Tile]:
        board = _allowed(self._boards.of_tile(uid), account, "tile", to_edit=to_edit)
        return board, next(tile for tile in board.tiles if tile.uid == uid)

    def _part(self, account: Account, uid: str, *, to_edit: bool = False) -> tuple[Tile, int]:
        """A tile, and the number of the part that it shows."""
        _, tile = self._tile(account, uid, to_edit=to_edit)
        if tile.part is None:
            raise NotThere("this part was not looked at yet")
        return tile, tile.part


def _allowed(board: Board | None, account: Account, what: str, *, to_edit: bool) -> Board:
    """A board that somebody may see, or change."""
    if board is None or not board.may_see(account):
        raise NotThere(f"there is no such {what}")
    if to_edit and not board.may_edit(account):
        raise NotAllowed("you may look at this board, but not change it")
    return board


def checked_admin(account: Account) -> None:
    """Refuse who does not look after the others."""
    if not account.is_admin:
        raise NotAllowed("only who looks after this portal may do that")


def checked_name(name: str, *, field: str = "name", longest: int = LONGEST_NAME) -> str:
    """A name in one line that can be read."""
    text = " ".join(unicodedata.normalize("NFC", name).split())
    if not text:
        raise Invalid("a name is needed", field=field)
    if len(text) > longest:
        raise Invalid(f"a name has at most {longest} characters", field=field)
    if any(unicodedata.category(char) in ("Cc", "Cs", "Co", "Cn") for char in text):
        raise Invalid("a name has letters, not control characters", field=field)
    return text
