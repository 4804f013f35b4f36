"""Opening a database: where it is, how it is written to, and that its schema is the current one."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from platformdirs import user_data_path
from sqlalchemy import (
    URL,
    Connection,
    Engine,
    create_engine,
    event,
    exc,
    inspect,
    make_url,
    text,
)

from pagesight.errors import StoreError, StoreTooNew
from pagesight.watch.extras import not_installed

VARIABLE = "PAGESIGHT_DATABASE"
FILE = "watch.sqlite"


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """Tables that are made and brought up to date together."""

    head: str
    """The version that this program works with: the last of the migrations."""

    migrations: str
    """Where they are, as Alembic has it."""

    version_table: str
    """Where a database keeps its version."""


WATCH = Schema(
    head="0002",
    migrations="pagesight.watch.store:migrations",
    version_table="alembic_version",
)
HEAD = WATCH.head

BUSY = 60.0  # seconds to wait for another process that writes
_PAUSE = 0.05
_LOCK = 7_350_917_264  # of PostgreSQL, for whoever migrates; any number that nobody else uses
_DRIVERS = {"postgresql": "postgresql+pg8000", "postgres": "postgresql+pg8000"}
_NOTHING_YET = "nothing is watched yet"
_NOT_READ_ONLY = "open it once to write"
_PRAGMAS = ("synchronous=FULL", "foreign_keys=ON")


def opened(
    url: str | None = None, *, read_only: bool = False, schemas: Sequence[Schema] = (WATCH,)
) -> Engine:
    """The database at `url`, with the current schemas, in this order.

    Without a `url`: that of the variable `PAGESIGHT_DATABASE`, or a file in the user's data folder.
    With `read_only`, nothing can be written: there must be one, and it must be up to date. Raises a
    `StoreError` that says what is wrong, without the password.
    """
    address = _address(url or os.environ.get(VARIABLE) or _usual())
    name = address.render_as_string(hide_password=True)
    with explained(name):
        engine = _engine(address, read_only=read_only)
        try:
            for schema in schemas:
                (_check_schema if read_only else _bring_up_to_date)(engine, schema, name)
        except BaseException:
            engine.dispose()
            raise
    return engine


def _usual() -> str:
    return str(user_data_path("pagesight", appauthor=False) / FILE)


def _address(url: str) -> Any:
    """An address with its driver; a path is that of a SQLite file."""
    if "://" not in url:
        return URL.create("sqlite", database=url)
    try:
        address = make_url(url)
    except exc.ArgumentError as error:
        raise StoreError(
            "this is not the address of a database",
            hint="such as sqlite:///watch.sqlite or postgresql://user@host/name",
        ) from error
    return address.set(drivername=_DRIVERS.get(address.drivername, address.drivername))


def _engine(address: Any, *, read_only: bool) -> Engine:
    if address.get_backend_name() != "sqlite":
        options = {"postgresql_readonly": True} if read_only else {}
        engine = create_engine(address, pool_pre_ping=True, execution_options=options)
        engine.dialect  # noqa: B018 - imports the driver
        return engine
    if address.database and address.database != ":memory:":
        _make_room(Path(address.database), read_only=read_only)
    engine = create_engine(address, connect_args={"timeout": BUSY})
    event.listen(engine, "connect", _protected if read_only else _prepared)
    event.listen(engine, "begin", _begun)
    return engine


def _make_room(file: Path, *, read_only: bool) -> None:
    """Let SQLite make a new file, unless nothing may be written."""
    if not read_only:
        file.parent.mkdir(parents=True, exist_ok=True)
    elif not file.is_file():
        raise StoreError(_NOTHING_YET, source=str(file), hint=_NOT_READ_ONLY)


def _protected(connection: sqlite3.Connection, _: object) -> None:
    """A new connection to SQLite that writes nothing."""
    connection.isolation_level = None
    connection.execute("PRAGMA query_only=ON")


def _prepared(connection: sqlite3.Connection, _: object) -> None:
    """A new connection to SQLite: acknowledged is what is on the disk."""
    connection.isolation_level = None  # transactions begin where we say so, tables among them
    until = time.monotonic() + BUSY
    while not _is_write_ahead(connection):
        if time.monotonic() > until:
            raise sqlite3.OperationalError("database is locked")
        time.sleep(_PAUSE)
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def _is_write_ahead(connection: sqlite3.Connection) -> bool:
    """Switch the log on: while several processes make the same new file, SQLite does not wait."""
    try:
        connection.execute("PRAGMA journal_mode=WAL")
    except sqlite3.OperationalError as error:
        if "locked" not in str(error):
            raise
        return False
    return True


def _begun(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that writes: all of it, or nothing. Others wait for it."""
    with engine.execution_options(writes=True).begin() as connection:
        yield connection


@contextmanager
def explained(name: str) -> Iterator[None]:
    """Errors of the database as ours, in plain words."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise not_installed(error) from error
    except exc.NoSuchModuleError as error:
        raise StoreError(f"no such kind of database: {name}") from error
    except exc.IntegrityError:
        raise  # somebody was faster: that is for those who write
    except (exc.DBAPIError, OSError) as error:
        raise StoreError(f"the database cannot be used ({_reason(error)})", source=name) from error


def _reason(error: Exception) -> str:
    """What the driver says, in one line; that of PostgreSQL gives the fields of its answer."""
    cause = getattr(error, "orig", None) or error
    fields = cause.args[0] if cause.args else None
    told = fields.get("M") if isinstance(fields, dict) else None
    return str(told or cause).partition("\n")[0]


# The schema


def _bring_up_to_date(engine: Engine, schema: Schema, name: str) -> None:
    with engine.connect() as connection:
        revision = revision_of(connection, schema)
    if revision == schema.head:
        return
    with writing(engine) as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
        revision = revision_of(connection, schema)  # another process may have done it meanwhile
        if revision is not None and revision > schema.head:
            raise _too_new(revision, schema, name)
        if revision != schema.head:
            _migrate(connection, schema)


def _check_schema(engine: Engine, schema: Schema, name: str) -> None:
    """Refuse a database that would have to be brought up to date first."""
    with engine.connect() as connection:
        revision = revision_of(connection, schema)
    if revision is None:
        raise StoreError(_NOTHING_YET, source=name, hint=_NOT_READ_ONLY)
    if revision < schema.head:
        told = f"made by an older version of Pagesight (schema {revision}, known is {schema.head})"
        raise StoreError(told, source=name, hint=_NOT_READ_ONLY)
    if revision > schema.head:
        raise _too_new(revision, schema, name)


def _too_new(revision: str, schema: Schema, name: str) -> StoreTooNew:
    return StoreTooNew(
        f"made by a newer version of Pagesight (schema {revision}, known is {schema.head})",
        source=name,
        hint="upgrade pagesight",
    )


def revision_of(connection: Connection, schema: Schema = WATCH) -> str | None:
    """The version of a schema; None if there are no tables yet."""
    if not inspect(connection).has_table(schema.version_table):
        return None
    versions = text(f"SELECT version_num FROM {schema.version_table}")  # noqa: S608 - our own name
    return connection.execute(versions).scalar()


def _migrate(connection: Connection, schema: Schema) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", schema.migrations)
    config.attributes["connection"] = connection
    config.attributes["version_table"] = schema.version_table
    command.upgrade(config, "head")
