"""Boards, tabs and tiles: making, arranging, and showing them to others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pagesight.portal.conditions import Condition
from pagesight.portal.errors import Invalid, NotThere
from pagesight.portal.picks import checked_paths
from pagesight.portal.services.base import Service, checked_name
from pagesight.portal.services.people import account_name
from pagesight.portal.values import Account, Board, Look, Place, Tab, Tile

COLUMNS = 12  # of a tab
TALLEST, LOWEST = 60, 10_000  # rows of a tile, and of a tab
FIRST_TAB = "First"
SHORTEST, LONGEST = 300, 30 * 24 * 3600  # seconds between two checks that somebody may ask for


class Composing(Service):
    """What somebody does with their boards."""

    def boards(self, account: Account) -> list[Board]:
        """The boards that somebody may see, their own first."""
        return self._boards.of_account(account.id)

    def board(self, account: Account, uid: str) -> Board:
        """A board with its tabs and tiles."""
        return self._board(account, uid)

    def make_board(self, account: Account, name: str) -> Board:
        """A new board with one tab."""
        return self._board(account, self._boards.add(account.id, checked_name(name), FIRST_TAB))

    def rename_board(self, account: Account, uid: str, name: str) -> Board:
        """Another name."""
        board = self._board(account, uid, to_edit=True)
        self._boards.rename(board.id, checked_name(name))
        return self._board(account, uid)

    def move_board(self, account: Account, uid: str, position: int) -> list[Board]:
        """Another place among somebody's own boards, from 0."""
        self._boards.move(account.id, self._owned(account, uid).id, position)
        return self.boards(account)

    def remove_board(self, account: Account, uid: str) -> None:
        """Forget a board."""
        self._boards.remove(self._owned(account, uid).id)

    def set_people(self, account: Account, uid: str, people: Mapping[str, bool]) -> Board:
        """Who else may see a board, by name, and whether they may change it."""
        board = self._owned(account, uid)
        wanted = {account_name(name): may_edit for name, may_edit in people.items()}
        known = self._accounts.by_names(wanted)
        if not known.keys() >= wanted.keys():
            raise Invalid("nobody has this name", field="people")
        chosen = {known[name].id: may_edit for name, may_edit in wanted.items()}
        chosen.pop(board.owner, None)
        self._boards.set_people(board.id, chosen)
        return self._board(account, uid)

    # Tabs

    def make_tab(self, account: Account, board_uid: str, name: str) -> Tab:
        """A new tab, the last one."""
        board = self._board(account, board_uid, to_edit=True)
        return self._tab(account, self._boards.add_tab(board.id, checked_name(name)))[1]

    def rename_tab(self, account: Account, uid: str, name: str) -> Tab:
        """Another name."""
        board, tab = self._tab(account, uid, to_edit=True)
        self._boards.rename_tab(board.id, tab.id, checked_name(name))
        return self._tab(account, uid)[1]

    def move_tab(self, account: Account, uid: str, position: int) -> Board:
        """Another place among the tabs, from 0."""
        board, tab = self._tab(account, uid, to_edit=True)
        self._boards.move_tab(board.id, tab.id, position)
        return self._board(account, board.uid)

    def remove_tab(self, account: Account, uid: str) -> Board:
        """Forget a tab with its tiles; a board keeps one."""
        board, tab = self._tab(account, uid, to_edit=True)
        self._boards.remove_tab(board.id, tab.id)
        return self._board(account, board.uid)

    # Tiles

    def arrange(
        self,
        account: Account,
        tab_uid: str,
        places: Mapping[str, Place],
        version: int | None = None,
    ) -> Board:
        """Other places for tiles of a tab; raises `Conflict` if the board has another version."""
        board, tab = self._tab(account, tab_uid, to_edit=True)
        numbers = {tile.uid: tile.id for tile in tab.tiles}
        if not numbers.keys() >= places.keys():
            raise NotThere("there is no such tile on this tab")
        chosen = {numbers[uid]: checked_place(place) for uid, place in places.items()}
        self._boards.arrange(board.id, chosen, version)
        return self._board(account, board.uid)

    def change_tile(self, account: Account, uid: str, **fields: Any) -> Tile:
        """Another name, look, every, condition, channel, is_paused, excluded or place."""
        board, tile = self._tile(account, uid, to_edit=True)
        columns: dict[str, Any] = {}
        for name, value in fields.items():
            columns |= self._column(account, tile, name, value)
        if columns:
            self._boards.change_tile(board.id, tile.id, columns)
        if columns.get("every") and tile.part:
            self._boards.look_soon(tile.part, columns["every"])
        return self._tile(account, uid)[1]

    def _column(self, account: Account, tile: Tile, name: str, value: Any) -> dict[str, Any]:
        """What a field of a tile is in the database, if it can be used."""
        match name:
            case "name":
                return {"name": checked_name(value)}
            case "look":
                return {"look": checked_look(value).value}
            case "every":
                return {"every": checked_every(value)}
            case "condition":
                condition = Condition.from_json(value)
                return {"condition": condition.to_json() if condition else None}
            case "channel":
                return {"channel_id": self._checked_channel(account, value)} | (
                    {"told": self._last_number(tile)} if tile.channel is None else {}
                )
            case "is_paused":
                return {"is_paused": bool(value)}
            case "excluded":
                return {"excluded": checked_paths(value)}
            case "place":
                place = checked_place(value)
                return {"x": place.x, "y": place.y, "width": place.width, "height": place.height}
        raise Invalid("a tile has no such field", field=name)

    def _checked_channel(self, account: Account, number: int | None) -> int | None:
        if number is None or number in {one.id for one in self._sharing.channels(account.id)}:
            return number
        raise Invalid("you have no such channel", field="channel")

    def _last_number(self, tile: Tile) -> int:
        """The last observation of a tile: messages are about later ones."""
        seen = self.store.latest([tile.part]) if tile.part else {}
        return max((one.number for one in seen.values()), default=0)

    def move_tile(self, account: Account, uid: str, tab_uid: str) -> Tile:
        """To the end of another tab."""
        board, tile = self._tile(account, uid, to_edit=True)
        target, tab = self._tab(account, tab_uid, to_edit=True)
        place = free_place(tab, tile.place)
        self._boards.move_tile([board.id, target.id], tile.id, tab.id, place)
        return self._tile(account, uid)[1]

    def remove_tile(self, account: Account, uid: str) -> None:
        """Forget a tile; what was observed of its part stays as long as others show it."""
        board, tile = self._tile(account, uid, to_edit=True)
        self._boards.remove_tile(board.id, tile.id)


def checked_look(look: Look | str) -> Look:
    """One of the looks."""
    try:
        return Look(look)
    except ValueError as error:
        raise Invalid("there is no such look", field="look") from error


def checked_every(every: int | None) -> int | None:
    """Seconds between two checks that are neither a burden nor forgotten."""
    if every is None or SHORTEST <= int(every) <= LONGEST:
        return every
    raise Invalid("a part is checked every 5 minutes to every 30 days", field="every")


def checked_place(place: Place) -> Place:
    """A place that is on a tab."""
    if place.width < 1 or place.height < 1 or place.x < 0 or place.y < 0:
        raise Invalid("a tile has a place on its tab", field="place")
    if place.x + place.width > COLUMNS or place.height > TALLEST or place.y > LOWEST:
        raise Invalid(f"a tab has {COLUMNS} columns", field="place")
    return place


def free_place(tab: Tab, size: Place) -> Place:
    """A place of this size below all tiles of a tab."""
    below = max((tile.place.y + tile.place.height for tile in tab.tiles), default=0)
    return Place(x=0, y=below, width=size.width, height=size.height)
