"""The first tables."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def _below(table: str, **settings: Any) -> sa.Column[int]:
    """A reference to a row of another table, with which this row goes."""
    name = f"{table.removesuffix('s')}_id"
    below = sa.ForeignKey(f"{table}.id", ondelete="CASCADE")
    return sa.Column(name, sa.Integer, below, nullable=False, **settings)


def upgrade() -> None:
    """Make all tables."""
    op.create_table(
        "pages",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("address", sa.Text, nullable=False, unique=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("etag", sa.Text),
        sa.Column("last_modified", sa.Text),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("added", sa.DateTime, nullable=False),
        sa.Column("checked", sa.DateTime, nullable=False),
        sa.Column("next_check", sa.DateTime, nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("failing_since", sa.DateTime),
        sa.Column("error", sa.JSON),
    )
    op.create_table(
        "learned",
        sa.Column("id", sa.Integer, primary_key=True),
        _below("pages", index=True),
        sa.Column("components", sa.JSON, nullable=False),
    )
    op.create_table(
        "parts",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("uid", sa.Text, nullable=False, unique=True),
        _below("pages", index=True),
        _below("learned", index=True),
        sa.Column("component", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("selector", sa.Text),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("added", sa.DateTime, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "checks",
        sa.Column("id", sa.Integer, primary_key=True),
        _below("pages", index=True),
        sa.Column("time", sa.DateTime, nullable=False),
        sa.Column("outcome", sa.Text, nullable=False),
        sa.Column("error", sa.JSON),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "observations",
        _below("parts", primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        _below("checks", index=True),
        sa.Column("time", sa.DateTime, nullable=False),
        sa.Column("last", sa.DateTime, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("html", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("items", sa.JSON, nullable=False),
        sa.Column("picture", sa.LargeBinary),
        sa.Column("box", sa.JSON),
        sa.Column("xpath", sa.Text),
        sa.Column("css", sa.Text),
        sa.Column("confidence", sa.Float),
        sa.Column("runner_up", sa.JSON),
        sa.Column("changes", sa.JSON, nullable=False),
        sa.UniqueConstraint("part_id", "check_id"),
    )
    op.create_table(
        "snapshots",
        _below("pages", primary_key=True),
        sa.Column("page", sa.LargeBinary, nullable=False),
        sa.Column("source", sa.LargeBinary, nullable=False),
        sa.Column("picture", sa.LargeBinary),
    )
    op.create_table(
        "robots",
        sa.Column("server", sa.Text, primary_key=True),
        sa.Column("time", sa.Float, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("error", sa.JSON),
    )


def downgrade() -> None:
    """Drop them."""
    tables = ("robots", "snapshots", "observations", "checks", "parts", "learned", "pages")
    for table in tables:
        op.drop_table(table)
