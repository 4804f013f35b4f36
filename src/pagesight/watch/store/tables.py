"""The tables. A migration makes them; a test compares the two."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)


class Moment(TypeDecorator[datetime]):
    """A moment with its time zone; kept in UTC, which every database can."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """As the database gets it."""
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """As we get it."""
        return None if value is None else value.replace(tzinfo=UTC)


def _below(table: str, **settings: Any) -> Column[int]:
    """A reference to a row of another table, with which this row goes."""
    name = f"{table.removesuffix('s')}_id"
    return Column(name, ForeignKey(f"{table}.id", ondelete="CASCADE"), nullable=False, **settings)


pages = Table(
    "pages",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("address", Text, nullable=False, unique=True),
    Column("version", Integer, nullable=False),  # rises with every write: the loser of a race sees
    Column("etag", Text),
    Column("last_modified", Text),
    Column("digest", Text, nullable=False),  # of the bytes that were observed last
    Column("added", Moment, nullable=False),
    Column("checked", Moment, nullable=False),
    Column("next_check", Moment, nullable=False),
    Column("failures", Integer, nullable=False),  # one after the other
    Column("failing_since", Moment),
    Column("error", JSON(none_as_null=True)),
)

learned = Table(
    "learned",
    metadata,
    Column("id", Integer, primary_key=True),
    _below("pages", index=True),
    Column("components", JSON, nullable=False),  # a `ComponentIndex`
)

parts = Table(
    "parts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("uid", Text, nullable=False, unique=True),  # the same wherever the part is copied to
    _below("pages", index=True),
    _below("learned", index=True),
    Column("component", Text, nullable=False),  # its id in there
    Column("name", Text, nullable=False),
    Column("selector", Text),
    Column("state", Text, nullable=False),
    Column("added", Moment, nullable=False),
    sqlite_autoincrement=True,  # the number of a part that is gone is not given to another
)

checks = Table(
    "checks",
    metadata,
    Column("id", Integer, primary_key=True),
    _below("pages", index=True),
    Column("time", Moment, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("error", JSON(none_as_null=True)),
    sqlite_autoincrement=True,
)

observations = Table(
    "observations",
    metadata,
    _below("parts", primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # from 1, without gaps
    _below("checks", index=True),
    Column("time", Moment, nullable=False),
    Column("last", Moment, nullable=False),  # when it was seen to hold
    Column("status", Text, nullable=False),
    Column("html", Text, nullable=False),
    Column("styled", Text),  # the same, with the styles that were computed
    Column("text", Text, nullable=False),
    Column("items", JSON, nullable=False),
    Column("picture", LargeBinary),
    Column("box", JSON(none_as_null=True)),
    Column("xpath", Text),
    Column("css", Text),
    Column("confidence", Float),
    Column("runner_up", JSON(none_as_null=True)),
    Column("changes", JSON, nullable=False),
    UniqueConstraint("part_id", "check_id"),
)

snapshots = Table(
    "snapshots",
    metadata,
    _below("pages", primary_key=True),  # only the last, and only while a part of it is unsure
    Column("page", LargeBinary, nullable=False),
    Column("source", LargeBinary, nullable=False),
    Column("picture", LargeBinary),
)

robots = Table(
    "robots",
    metadata,
    Column("server", Text, primary_key=True),
    Column("time", Float, nullable=False),
    Column("text", Text, nullable=False),
    Column("error", JSON(none_as_null=True)),
)
