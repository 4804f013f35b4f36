"""What all tables of the portal are read and written with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4
from zlib import crc32

from sqlalchemy import Connection, func, select
from sqlalchemy.dialects import postgresql, sqlite

from pagesight.crawl.politeness import Clock
from pagesight.portal.errors import Conflict
from pagesight.watch.store.store import Overtaken, Store

_LOCKS = 7_350_918_000_000_000_000  # of PostgreSQL, for those who take turns


def new_uid() -> str:
    """The name of a thing in addresses, which cannot be guessed."""
    return uuid4().hex


class Database:
    """A database with a clock. Those who read and write a group of tables derive from it."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.store = store
        self.clock = clock

    def now(self) -> datetime:
        """The time."""
        return datetime.fromtimestamp(self.clock.time(), UTC)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection to read with."""
        with self.store.reading() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction, kept when the block ends; raises `Conflict` if others were faster."""
        try:
            with self.store.writing() as connection:
                yield connection
        except Overtaken as error:
            raise Conflict(
                "somebody has changed this meanwhile", hint="look at it again"
            ) from error


def insert_new(connection: Connection, table: Any, **fields: Any) -> bool:
    """Write a row, unless there is one of its key; whether there was none."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    written = dialect.insert(table).values(**fields).on_conflict_do_nothing()
    counted = {"preserve_rowcount": True}  # not all drivers count what is inserted otherwise
    return connection.execute(written, execution_options=counted).rowcount == 1


def alone(connection: Connection, name: str) -> None:
    """Wait until nobody else does what has this name, until the end of the transaction.

    SQLite lets one write at a time anyway.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_LOCKS + crc32(name.encode()))))
