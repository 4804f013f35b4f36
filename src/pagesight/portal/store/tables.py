"""The tables of the portal. A migration makes them; a test compares the two.

Parts and what was observed of them are in the tables of `pagesight.watch`, in the same database.
Secrets that somebody presents (sessions, invitations, tokens) are kept as SHA-256 digests only.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

from pagesight.watch.store import tables as watched
from pagesight.watch.store.tables import Moment

metadata = MetaData(naming_convention=watched.metadata.naming_convention)


def _below(table: str, *, name: str | None = None, **settings: Any) -> Column[int]:
    """A reference to a row of another table, with which this row goes."""
    settings = {"nullable": False, "index": not settings.get("primary_key")} | settings
    name = name or f"{table.removesuffix('s')}_id"
    return Column(name, ForeignKey(f"{table}.id", ondelete="CASCADE"), **settings)


accounts = Table(
    "accounts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("uid", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False, unique=True),  # to sign in with; folded
    Column("password", Text, nullable=False),  # an argon2 hash
    Column("is_admin", Boolean, nullable=False),
    Column("created", Moment, nullable=False),
    Column("visited", Moment, nullable=False),  # the last request
    Column("seen_until", Moment, nullable=False),  # what changed later is news
    Column("settings", JSON, nullable=False),  # theme, digest
    Column("digested", Moment),  # the last digest
    sqlite_autoincrement=True,
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("token", Text, nullable=False, unique=True),
    _below("accounts"),
    Column("created", Moment, nullable=False),
    Column("used", Moment, nullable=False),
    Column("expires", Moment, nullable=False),
    Column("agent", Text, nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("token", Text, nullable=False, unique=True),
    _below("accounts"),
    Column("name", Text, nullable=False),
    Column("scopes", JSON, nullable=False),
    Column("created", Moment, nullable=False),
    Column("used", Moment),
    Column("expires", Moment),
)

invitations = Table(
    "invitations",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("token", Text, nullable=False, unique=True),
    _below("accounts"),  # who invites
    Column("note", Text, nullable=False),
    Column("created", Moment, nullable=False),
    Column("expires", Moment, nullable=False),
    Column("used", Moment),  # whoever sets this makes the account
)

attempts = Table(
    "attempts",  # to sign in, that failed
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", Text, nullable=False, index=True),  # an account or an address
    Column("time", Moment, nullable=False),
)

channels = Table(
    "channels",  # where messages go
    metadata,
    Column("id", Integer, primary_key=True),
    _below("accounts"),
    Column("name", Text, nullable=False),
    Column("address", Text, nullable=False),  # as Apprise has it; may hold a password
    Column("created", Moment, nullable=False),
)

boards = Table(
    "boards",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("uid", Text, nullable=False, unique=True),
    _below("accounts"),  # the owner
    Column("name", Text, nullable=False),
    Column("position", Integer, nullable=False),
    Column(
        "version", Integer, nullable=False
    ),  # rises with every change of it, its tabs, its tiles
    Column("created", Moment, nullable=False),
    sqlite_autoincrement=True,
)

board_people = Table(
    "board_people",
    metadata,
    _below("boards", primary_key=True),
    _below("accounts", primary_key=True, index=True),
    Column("may_edit", Boolean, nullable=False),
)

tabs = Table(
    "tabs",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("uid", Text, nullable=False, unique=True),
    _below("boards"),
    Column("name", Text, nullable=False),
    Column("position", Integer, nullable=False),
    sqlite_autoincrement=True,
)

tiles = Table(
    "tiles",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("uid", Text, nullable=False, unique=True),
    _below("tabs"),
    Column(
        "part_id",
        ForeignKey(watched.parts.c.id, ondelete="SET NULL"),
        index=True,
    ),  # none: waiting for the first look, or its part was forgotten
    Column("address", Text, nullable=False),  # of its page
    Column("name", Text, nullable=False),
    Column("x", Integer, nullable=False),  # in columns of the board
    Column("y", Integer, nullable=False),  # in rows
    Column("width", Integer, nullable=False),
    Column("height", Integer, nullable=False),
    Column("look", Text, nullable=False),  # plain, original, picture
    Column("every", Integer),  # seconds between checks; none: as often as it changes
    Column("excluded", JSON, nullable=False),  # XPaths below the part that are cut out
    Column("condition", JSON(none_as_null=True)),  # which changes matter
    Column("channel_id", ForeignKey("channels.id", ondelete="SET NULL")),  # who is told of them
    Column("is_paused", Boolean, nullable=False),
    Column("told", Integer, nullable=False),  # the last observation that a message was thought of
    Column("added", Moment, nullable=False),
    sqlite_autoincrement=True,
)

shares = Table(
    "shares",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("uid", Text, nullable=False, unique=True),  # the link is this and its signature
    _below("boards", nullable=True),  # either a board
    _below("tiles", nullable=True),  # or a tile
    Column("is_public", Boolean, nullable=False),  # search engines may list it
    Column("created", Moment, nullable=False),
    Column("expires", Moment),
)

previews = Table(
    "previews",  # pages to pick parts from
    metadata,
    Column("id", Integer, primary_key=True),
    Column("uid", Text, nullable=False, unique=True),
    _below("accounts"),
    Column("address", Text, nullable=False),
    Column("created", Moment, nullable=False),
    Column("state", Text, nullable=False),  # waiting, ready, failed
    Column("error", JSON(none_as_null=True)),
    Column("problem", Text),  # a wall in front of the page
    Column("content", JSON(none_as_null=True)),  # digest and validators of its bytes
    Column("page", LargeBinary),
    Column("source", LargeBinary),
    Column("picture", LargeBinary),
    sqlite_autoincrement=True,
)

jobs = Table(
    "jobs",  # work to do; a row goes when it is done
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("key", Text, nullable=False, unique=True),  # the same work waits once
    Column("payload", JSON, nullable=False),
    Column("host", Text, nullable=False),  # asked one at a time; empty: none
    Column("due", Moment, nullable=False, index=True),
    Column("lease", Moment),  # until then a worker has it
    Column("worker", Text),
    Column("attempts", Integer, nullable=False),
    Column("error", JSON(none_as_null=True)),
    Column("created", Moment, nullable=False),
    sqlite_autoincrement=True,
)

hosts = Table(
    "hosts",  # when each may be asked again, by whichever worker
    metadata,
    Column("host", Text, primary_key=True),
    Column("free", Moment, nullable=False),
    Column("worker", Text),  # that asks it now
)

workers = Table(
    "workers",  # processes that do the work
    metadata,
    Column("name", Text, primary_key=True),
    Column("started", Moment, nullable=False),
    Column("seen", Moment, nullable=False),  # when it last said that it is there
)

notices = Table(
    "notices",  # messages to send or sent, each once
    metadata,
    Column("id", Integer, primary_key=True),
    _below("tiles"),
    Column("number", Integer, nullable=False),  # of the observation
    Column("created", Moment, nullable=False),
    Column("sent", Moment),
    Column("error", JSON(none_as_null=True)),
    UniqueConstraint("tile_id", "number"),
)

facts = Table(
    "facts",  # what the installation knows of itself: its secret, its name
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", JSON, nullable=False),
)
