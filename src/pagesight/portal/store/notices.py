"""Messages that are to be sent or were, each once; and when the last digest was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import or_, select, update

from pagesight.portal.store import tables
from pagesight.portal.store.database import Database, insert_new
from pagesight.portal.store.queue import add_job


@dataclass(frozen=True, slots=True)
class Notice:
    """A message about what was observed in a tile."""

    tile: int
    number: int


class Notices(Database):
    """Messages. Who takes one sends it; nobody else does."""

    def add(self, tile: int, numbers: Sequence[int], told: int) -> None:
        """Messages about these observations of a tile, all up to `told` having been thought of."""
        now = self.now()
        columns = tables.notices.c
        with self.writing() as connection:
            for number in numbers:
                insert_new(connection, tables.notices, tile_id=tile, number=number, created=now)
                query = select(columns.id).where(columns.tile_id == tile, columns.number == number)
                notice = connection.execute(query).scalar_one()
                payload = {"notice": notice}
                add_job(connection, "notify", f"notify:{notice}", payload, now=now)
            mine = update(tables.tiles).where(tables.tiles.c.id == tile, tables.tiles.c.told < told)
            connection.execute(mine.values(told=told))

    def take(self, notice: int) -> Notice | None:
        """A message to be sent now; None if somebody has taken it already.

        It counts as sent from now on: who dies while sending it does not send it again.
        """
        columns = tables.notices.c
        mine = update(tables.notices).where(columns.id == notice, columns.sent.is_(None))
        with self.writing() as connection:
            if connection.execute(mine.values(sent=self.now())).rowcount != 1:
                return None
            row = connection.execute(select(tables.notices).where(columns.id == notice)).one()
        return Notice(row.tile_id, row.number)

    def failed(self, notice: int, error: dict[str, str]) -> None:
        """It could not be sent."""
        mine = update(tables.notices).where(tables.notices.c.id == notice)
        with self.writing() as connection:
            connection.execute(mine.values(sent=None, error=error))

    def take_digest(self, account: int, since: datetime) -> datetime | None:
        """When the digest before was, to send one now; None if there was one `since` already."""
        columns = tables.accounts.c
        query = select(columns.digested, columns.created).where(columns.id == account)
        mine = update(tables.accounts).where(
            columns.id == account, or_(columns.digested.is_(None), columns.digested < since)
        )
        with self.writing() as connection:
            row = connection.execute(query.with_for_update()).first()
            if row is None or connection.execute(mine.values(digested=self.now())).rowcount != 1:
                return None
        before: datetime = row.digested or row.created
        return before
