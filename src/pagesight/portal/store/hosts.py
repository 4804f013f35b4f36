"""When a server may be asked, by whichever worker: one request at a time, some seconds apart."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection, or_, select, update

from pagesight.crawl.politeness import Clock
from pagesight.errors import FetchFailed
from pagesight.portal.store import tables
from pagesight.portal.store.database import Database, insert_new
from pagesight.portal.store.queue import FAR
from pagesight.watch.store.store import Store

HELD = timedelta(seconds=90)  # for one request, which has a shorter limit of its own
PATIENCE = 120.0  # seconds that a worker waits for its turn
STEP = 0.5  # seconds between two looks whether it is its turn


class HostTurns(Database):
    """Turns that all workers of a database share; see `pagesight.crawl.politeness.Turns`."""

    def __init__(self, store: Store, clock: Clock, worker: str) -> None:
        super().__init__(store, clock)
        self.worker = worker

    def take(self, server: str) -> None:
        """Wait until a server may be asked, and keep others from asking it."""
        waited = 0.0
        while (wait := self._try(server)) > 0:
            if waited > PATIENCE:
                raise FetchFailed("others are asking this server all the time")
            pause = min(wait, STEP)
            self.clock.sleep(pause)
            waited += pause

    def end(self, server: str, wait: float) -> None:
        """It was asked, and may be asked again after so many seconds."""
        mine = update(tables.hosts).where(tables.hosts.c.host == server)
        free = self.now() + timedelta(seconds=min(wait, FAR.total_seconds()))
        with self.writing() as connection:
            connection.execute(mine.values(free=free, worker=None))

    def _try(self, server: str) -> float:
        """Take the turn, if it is free; otherwise the seconds until it may be."""
        now = self.now()
        fields = {"free": now + HELD, "worker": self.worker}
        with self.writing() as connection:
            if insert_new(connection, tables.hosts, host=server, **fields):
                return 0.0
            columns = tables.hosts.c
            over = or_(columns.free <= now, columns.free > now + FAR)
            mine = update(tables.hosts).where(columns.host == server, over)
            if connection.execute(mine.values(**fields)).rowcount == 1:
                return 0.0
            return max(STEP / 10, (_free(connection, server, now) - now).total_seconds())


def _free(connection: Connection, server: str, now: datetime) -> datetime:
    query = select(tables.hosts.c.free).where(tables.hosts.c.host == server)
    return connection.execute(query).scalar() or now
