"""Links that show a board or a tile, and where messages go."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, or_, select

from pagesight.portal.store import tables
from pagesight.portal.store.database import Database, new_uid
from pagesight.portal.values import Channel, Share
from pagesight.watch.store.rows import inserted, storable


class Sharing(Database):
    """Shares and channels. Whoever calls has asked whether this person may."""

    def share(
        self, *, board: int | None, tile: int | None, is_public: bool, expires: datetime | None
    ) -> Share:
        """A new link to one of them."""
        fields: dict[str, Any] = {
            "uid": new_uid(), "is_public": is_public, "created": self.now(), "expires": expires
        }  # fmt: skip
        with self.writing() as connection:
            number = inserted(connection, tables.shares, board_id=board, tile_id=tile, **fields)
        return Share(id=number, board=board, tile=tile, **fields)

    def by_uid(self, uid: str) -> Share | None:
        """A share that still holds, or None."""
        query = select(tables.shares).where(tables.shares.c.uid == uid)
        with self.reading() as connection:
            row = connection.execute(query).first()
        if row is None or (row.expires and row.expires <= self.now()):
            return None
        return _share(row)

    def of(self, boards: Sequence[int], tiles: Sequence[int]) -> list[Share]:
        """The shares of these boards and tiles."""
        columns = tables.shares.c
        query = select(tables.shares).where(
            or_(columns.board_id.in_(boards), columns.tile_id.in_(tiles))
        )
        with self.reading() as connection:
            return [_share(row) for row in connection.execute(query.order_by(columns.id))]

    def unshare(self, share: int) -> None:
        """The link leads nowhere any more."""
        with self.writing() as connection:
            connection.execute(delete(tables.shares).where(tables.shares.c.id == share))

    # Channels

    def channels(self, account: int) -> list[Channel]:
        """Where messages to somebody go."""
        columns = tables.channels.c
        query = select(tables.channels).where(columns.account_id == account).order_by(columns.id)
        with self.reading() as connection:
            return [_channel(row) for row in connection.execute(query)]

    def channel(self, number: int) -> Channel | None:
        """A channel, or None."""
        query = select(tables.channels).where(tables.channels.c.id == number)
        with self.reading() as connection:
            row = connection.execute(query).first()
        return _channel(row) if row else None

    def add_channel(self, account: int, name: str, address: str) -> Channel:
        """A new one."""
        fields: dict[str, Any] = {
            "name": storable(name),
            "address": storable(address),
            "created": self.now(),
        }
        with self.writing() as connection:
            number = inserted(connection, tables.channels, account_id=account, **fields)
        return Channel(id=number, account=account, **fields)

    def remove_channel(self, number: int) -> None:
        """No message goes there any more."""
        with self.writing() as connection:
            connection.execute(delete(tables.channels).where(tables.channels.c.id == number))


def _share(row: Row[Any]) -> Share:
    return Share(
        id=row.id, uid=row.uid, board=row.board_id, tile=row.tile_id, is_public=row.is_public,
        created=row.created, expires=row.expires,
    )  # fmt: skip


def _channel(row: Row[Any]) -> Channel:
    return Channel(
        id=row.id, account=row.account_id, name=row.name, address=row.address, created=row.created
    )
