"""Boards with their tabs and tiles, and who may see them. Each method is one transaction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, func, or_, select, update

from pagesight.portal.errors import Conflict, NotThere
from pagesight.portal.store import tables
from pagesight.portal.store.database import Database, new_uid
from pagesight.portal.values import Board, Look, Place, Tab, Tile
from pagesight.watch.store import tables as watched
from pagesight.watch.store.rows import inserted, storable

_TILE = ("id", "uid", "address", "name", "every", "condition", "is_paused", "added", "told")
_PLACE = ("x", "y", "width", "height")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTile:
    """A tile to be put on a tab."""

    part: int | None
    address: str
    name: str
    place: Place
    look: Look
    every: int | None = None
    excluded: Sequence[str] = ()
    told: int = 1


class Boards(Database):
    """Boards. Whoever calls has asked whether this person may."""

    # Reading

    def of_account(self, account: int) -> list[Board]:
        """The boards that somebody may see, their own first."""
        shared = select(tables.board_people.c.board_id).where(
            tables.board_people.c.account_id == account
        )
        columns = tables.boards.c
        boards = self._boards(or_(columns.account_id == account, columns.id.in_(shared)))
        return sorted(boards, key=lambda board: board.owner != account)

    def by_uid(self, uid: str) -> Board | None:
        """A board, or None."""
        return next(iter(self._boards(tables.boards.c.uid == uid)), None)

    def by_id(self, number: int) -> Board | None:
        """A board, or None."""
        return next(iter(self._boards(tables.boards.c.id == number)), None)

    def of_tab(self, uid: str) -> Board | None:
        """The board of a tab, or None."""
        return self._of(select(tables.tabs.c.board_id).where(tables.tabs.c.uid == uid))

    def of_tile(self, uid: str) -> Board | None:
        """The board of a tile, or None."""
        return self._of(
            select(tables.tabs.c.board_id)
            .join(tables.tiles, tables.tiles.c.tab_id == tables.tabs.c.id)
            .where(tables.tiles.c.uid == uid)
        )

    def _of(self, query: Any) -> Board | None:
        return next(iter(self._boards(tables.boards.c.id.in_(query))), None)

    def _boards(self, chosen: ColumnElement[bool]) -> list[Board]:
        """Boards with all that is on them, by few queries."""
        columns = tables.boards.c
        query = select(tables.boards).where(chosen).order_by(columns.position, columns.id)
        with self.reading() as connection:
            rows = connection.execute(query).all()
            numbers = [row.id for row in rows]
            tabs, people = _tabs(connection, numbers), _people(connection, numbers)
        return [
            Board(
                id=row.id, uid=row.uid, owner=row.account_id, name=row.name, version=row.version,
                created=row.created, tabs=tuple(tabs[row.id]), people=people[row.id],
            )
            for row in rows
        ]  # fmt: skip

    def tiles_of_parts(self, parts: Iterable[int]) -> list[tuple[Tile, int]]:
        """The tiles that show these parts, each with the owner of its board."""
        query = (
            select(tables.tiles, tables.boards.c.account_id)
            .join(tables.tabs, tables.tabs.c.id == tables.tiles.c.tab_id)
            .join(tables.boards, tables.boards.c.id == tables.tabs.c.board_id)
            .where(tables.tiles.c.part_id.in_(list(parts)))
            .order_by(tables.tiles.c.id)
        )
        with self.reading() as connection:
            return [(_tile(row), row.account_id) for row in connection.execute(query)]

    def tile_by_id(self, number: int) -> Tile | None:
        """A tile, or None."""
        query = select(tables.tiles).where(tables.tiles.c.id == number)
        with self.reading() as connection:
            row = connection.execute(query).first()
        return _tile(row) if row else None

    # Boards

    def add(self, account: int, name: str, tab: str) -> str:
        """A new board with one tab, the last of somebody's; its uid."""
        columns = tables.boards.c
        with self.writing() as connection:
            last = select(func.max(columns.position)).where(columns.account_id == account)
            position = (connection.execute(last).scalar() or 0) + 1
            uid = new_uid()
            board = inserted(
                connection, tables.boards, uid=uid, account_id=account, name=storable(name),
                position=position, version=1, created=self.now(),
            )  # fmt: skip
            _add_tab(connection, board, tab)
        return uid

    def rename(self, board: int, name: str) -> None:
        """Another name."""
        with self.writing() as connection:
            _advance(connection, board)
            changed = update(tables.boards).where(tables.boards.c.id == board)
            connection.execute(changed.values(name=storable(name)))

    def move(self, account: int, board: int, position: int) -> None:
        """Another place among the boards of its owner, from 0."""
        columns = tables.boards.c
        with self.writing() as connection:
            query = select(columns.id).where(columns.account_id == account)
            rows = connection.execute(query.order_by(columns.position, columns.id))
            _reorder(connection, tables.boards, [row.id for row in rows], board, position)

    def remove(self, board: int) -> None:
        """Forget a board with all that is on it."""
        tabs = select(tables.tabs.c.id).where(tables.tabs.c.board_id == board)
        with self.writing() as connection, _forgetting(connection, tables.tiles.c.tab_id.in_(tabs)):
            connection.execute(delete(tables.boards).where(tables.boards.c.id == board))

    def set_people(self, board: int, people: Mapping[int, bool]) -> None:
        """Who else may see it, by account, and whether they may change it."""
        with self.writing() as connection:
            _advance(connection, board)
            shared = tables.board_people
            connection.execute(delete(shared).where(shared.c.board_id == board))
            for account, may_edit in people.items():
                row = {"board_id": board, "account_id": account, "may_edit": may_edit}
                connection.execute(shared.insert().values(**row))
            _tell_no_others(connection, board, people)

    # Tabs

    def add_tab(self, board: int, name: str) -> str:
        """A new tab, the last one; its uid."""
        with self.writing() as connection:
            _advance(connection, board)
            return _add_tab(connection, board, name)

    def rename_tab(self, board: int, tab: int, name: str) -> None:
        """Another name."""
        with self.writing() as connection:
            _advance(connection, board)
            changed = update(tables.tabs).where(tables.tabs.c.id == tab)
            connection.execute(changed.values(name=storable(name)))

    def move_tab(self, board: int, tab: int, position: int) -> None:
        """Another place among the tabs, from 0."""
        with self.writing() as connection:
            _advance(connection, board)
            numbers = [row.id for row in _tab_rows(connection, [board])]
            _reorder(connection, tables.tabs, numbers, tab, position)

    def remove_tab(self, board: int, tab: int) -> None:
        """Forget a tab with its tiles; a board keeps one."""
        with self.writing() as connection:
            _advance(connection, board)
            if len(_tab_rows(connection, [board])) == 1:
                raise Conflict("a board keeps one tab", hint="remove the board instead")
            with _forgetting(connection, tables.tiles.c.tab_id == tab):
                connection.execute(delete(tables.tabs).where(tables.tabs.c.id == tab))

    # Tiles

    def add_tiles(self, board: int, tab: int, tiles: Sequence[NewTile]) -> list[str]:
        """New tiles; their uids."""
        now, uids = self.now(), [new_uid() for _ in tiles]
        with self.writing() as connection:
            _advance(connection, board)
            for uid, tile in zip(uids, tiles, strict=True):
                inserted(
                    connection, tables.tiles, uid=uid, tab_id=tab, part_id=tile.part,
                    address=tile.address, name=storable(tile.name), look=tile.look.value,
                    every=tile.every, excluded=list(tile.excluded), is_paused=False,
                    told=tile.told, added=now, **asdict(tile.place),
                )  # fmt: skip
        return uids

    def arrange(self, board: int, places: Mapping[int, Place], version: int | None) -> None:
        """Other places for tiles; raises `Conflict` if the board is not of that version."""
        with self.writing() as connection:
            _advance(connection, board, version)
            for tile, place in places.items():
                changed = update(tables.tiles).where(tables.tiles.c.id == tile)
                connection.execute(changed.values(**asdict(place)))

    def change_tile(self, board: int, tile: int, fields: Mapping[str, Any]) -> None:
        """Other values of some columns."""
        with self.writing() as connection:
            _advance(connection, board)
            changed = update(tables.tiles).where(tables.tiles.c.id == tile)
            connection.execute(changed.values(**fields))

    def move_tile(self, boards: Iterable[int], tile: int, tab: int, place: Place) -> None:
        """To another tab, which may be of another board."""
        with self.writing() as connection:
            for board in sorted(set(boards)):
                _advance(connection, board)
            changed = update(tables.tiles).where(tables.tiles.c.id == tile)
            connection.execute(changed.values(tab_id=tab, **asdict(place)))

    def look_soon(self, part: int, every: int) -> None:
        """The page of a part is due after so many seconds at the latest."""
        due = self.now() + timedelta(seconds=every)
        pages, parts = watched.pages.c, watched.parts.c
        here = select(parts.page_id).where(parts.id == part).scalar_subquery()
        later = update(watched.pages).where(pages.id == here, pages.next_check > due)
        with self.writing() as connection:
            connection.execute(later.values(next_check=due))

    def remove_tile(self, board: int, tile: int) -> None:
        """Forget a tile. What was observed of its part stays, for those who use it."""
        with self.writing() as connection:
            _advance(connection, board)
            with _forgetting(connection, tables.tiles.c.id == tile):
                connection.execute(delete(tables.tiles).where(tables.tiles.c.id == tile))


@contextmanager
def _forgetting(connection: Connection, chosen: ColumnElement[bool]) -> Iterator[None]:
    """Some tiles go within; so do their parts that no other tile shows, with their pages."""
    tiles, parts, pages = tables.tiles.c, watched.parts.c, watched.pages.c
    query = select(parts.id, parts.page_id).join(tables.tiles, tiles.part_id == parts.id)
    shown = connection.execute(query.where(chosen)).all()
    yield
    used = select(tiles.part_id).where(tiles.part_id.is_not(None))
    gone = parts.id.in_({row.id for row in shown}), parts.id.not_in(used)
    connection.execute(delete(watched.parts).where(*gone))
    here = {row.page_id for row in shown}
    learned = watched.learned.c
    unused = learned.page_id.in_(here), learned.id.not_in(select(parts.learned_id))
    connection.execute(delete(watched.learned).where(*unused))
    empty = pages.id.in_(here), pages.id.not_in(select(parts.page_id))
    connection.execute(delete(watched.pages).where(*empty))


def _advance(connection: Connection, board: int, version: int | None = None) -> None:
    """A new version of a board, of which there was this one; others who write wait."""
    columns = tables.boards.c
    mine = update(tables.boards).where(columns.id == board)
    if version is not None:
        mine = mine.where(columns.version == version)
    if connection.execute(mine.values(version=columns.version + 1)).rowcount == 1:
        return
    if connection.execute(select(columns.id).where(columns.id == board)).first() is None:
        raise NotThere("this board is no longer there")
    raise Conflict("somebody has changed this board meanwhile", hint="look at it again")


def _tell_no_others(connection: Connection, board: int, people: Iterable[int]) -> None:
    """No messages about tiles of a board go to who may not see it any more."""
    tabs = select(tables.tabs.c.id).where(tables.tabs.c.board_id == board)
    owner = select(tables.boards.c.account_id).where(tables.boards.c.id == board)
    account = tables.channels.c.account_id
    others = select(tables.channels.c.id).where(
        account.not_in(list(people)), account != owner.scalar_subquery()
    )
    tiles = tables.tiles.c
    told = update(tables.tiles).where(tiles.tab_id.in_(tabs), tiles.channel_id.in_(others))
    connection.execute(told.values(channel_id=None))


def _add_tab(connection: Connection, board: int, name: str) -> str:
    uid = new_uid()
    position = 1 + max((row.position for row in _tab_rows(connection, [board])), default=0)
    inserted(
        connection, tables.tabs, uid=uid, board_id=board, name=storable(name), position=position
    )
    return uid


def _reorder(
    connection: Connection, table: Any, numbers: Sequence[int], one: int, position: int
) -> None:
    """Number rows anew, with one of them at another position."""
    others = [number for number in numbers if number != one]
    others.insert(max(0, position), one)
    for at, number in enumerate(others, 1):
        connection.execute(update(table).where(table.c.id == number).values(position=at))


def _tab_rows(connection: Connection, boards: Sequence[int]) -> Sequence[Row[Any]]:
    columns = tables.tabs.c
    query = select(tables.tabs).where(columns.board_id.in_(boards))
    return connection.execute(query.order_by(columns.position, columns.id)).all()


def _tabs(connection: Connection, boards: Sequence[int]) -> dict[int, list[Tab]]:
    rows = _tab_rows(connection, boards)
    columns = tables.tiles.c
    query = select(tables.tiles).where(columns.tab_id.in_([row.id for row in rows]))
    tiles: dict[int, list[Tile]] = defaultdict(list)
    for tile in connection.execute(query.order_by(columns.y, columns.x, columns.id)):
        tiles[tile.tab_id].append(_tile(tile))
    tabs: dict[int, list[Tab]] = defaultdict(list)
    for row in rows:
        tab = Tab(
            id=row.id, uid=row.uid, board=row.board_id, name=row.name, tiles=tuple(tiles[row.id])
        )
        tabs[row.board_id].append(tab)
    return tabs


def _people(connection: Connection, boards: Sequence[int]) -> dict[int, dict[int, bool]]:
    query = select(tables.board_people).where(tables.board_people.c.board_id.in_(boards))
    people: dict[int, dict[int, bool]] = defaultdict(dict)
    for row in connection.execute(query):
        people[row.board_id][row.account_id] = row.may_edit
    return people


def _tile(row: Row[Any]) -> Tile:
    return Tile(
        tab=row.tab_id,
        part=row.part_id,
        place=Place(**{name: getattr(row, name) for name in _PLACE}),
        look=Look(row.look),
        excluded=tuple(row.excluded),
        channel=row.channel_id,
        **{name: getattr(row, name) for name in _TILE},
    )
