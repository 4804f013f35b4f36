"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make all tables."""
    op.create_table(
        "accounts",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("uid", sa.Text, nullable=False, unique=True),
        sa.Column("name", sa.Text, nullable=False, unique=True),
        sa.Column("password", sa.Text, nullable=False),
        sa.Column("is_admin", sa.Boolean, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.Column("visited", sa.DateTime, nullable=False),
        sa.Column("seen_until", sa.DateTime, nullable=False),
        sa.Column("settings", sa.JSON, nullable=False),
        sa.Column("digested", sa.DateTime),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "attempts",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("key", sa.Text, nullable=False, index=True),
        sa.Column("time", sa.DateTime, nullable=False),
    )
    op.create_table(
        "facts",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("value", sa.JSON, nullable=False),
    )
    op.create_table(
        "hosts",
        sa.Column("host", sa.Text, primary_key=True),
        sa.Column("free", sa.DateTime, nullable=False),
        sa.Column("worker", sa.Text),
    )
    op.create_table(
        "jobs",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False, unique=True),
        sa.Column("payload", sa.JSON, nullable=False),
        sa.Column("host", sa.Text, nullable=False),
        sa.Column("due", sa.DateTime, nullable=False, index=True),
        sa.Column("lease", sa.DateTime),
        sa.Column("worker", sa.Text),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("error", sa.JSON),
        sa.Column("created", sa.DateTime, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "workers",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("started", sa.DateTime, nullable=False),
        sa.Column("seen", sa.DateTime, nullable=False),
    )
    op.create_table(
        "boards",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("uid", sa.Text, nullable=False, unique=True),
        sa.Column(
            "account_id",
            sa.Integer,
            sa.ForeignKey("accounts.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "channels",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column(
            "account_id",
            sa.Integer,
            sa.ForeignKey("accounts.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
    )
    op.create_table(
        "invitations",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("token", sa.Text, nullable=False, unique=True),
        sa.Column(
            "account_id",
            sa.Integer,
            sa.ForeignKey("accounts.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.Column("expires", sa.DateTime, nullable=False),
        sa.Column("used", sa.DateTime),
    )
    op.create_table(
        "previews",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("uid", sa.Text, nullable=False, unique=True),
        sa.Column(
            "account_id",
            sa.Integer,
            sa.ForeignKey("accounts.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("error", sa.JSON),
        sa.Column("problem", sa.Text),
        sa.Column("content", sa.JSON),
        sa.Column("page", sa.LargeBinary),
        sa.Column("source", sa.LargeBinary),
        sa.Column("picture", sa.LargeBinary),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "sessions",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("token", sa.Text, nullable=False, unique=True),
        sa.Column(
            "account_id",
            sa.Integer,
            sa.ForeignKey("accounts.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.Column("used", sa.DateTime, nullable=False),
        sa.Column("expires", sa.DateTime, nullable=False),
        sa.Column("agent", sa.Text, nullable=False),
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("token", sa.Text, nullable=False, unique=True),
        sa.Column(
            "account_id",
            sa.Integer,
            sa.ForeignKey("accounts.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("scopes", sa.JSON, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.Column("used", sa.DateTime),
        sa.Column("expires", sa.DateTime),
    )
    op.create_table(
        "board_people",
        sa.Column(
            "board_id", sa.Integer, sa.ForeignKey("boards.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column(
            "account_id",
            sa.Integer,
            sa.ForeignKey("accounts.id", ondelete="CASCADE"),
            primary_key=True,
            index=True,
        ),
        sa.Column("may_edit", sa.Boolean, nullable=False),
    )
    op.create_table(
        "tabs",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("uid", sa.Text, nullable=False, unique=True),
        sa.Column(
            "board_id",
            sa.Integer,
            sa.ForeignKey("boards.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "tiles",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("uid", sa.Text, nullable=False, unique=True),
        sa.Column(
            "tab_id",
            sa.Integer,
            sa.ForeignKey("tabs.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        sa.Column(
            "part_id", sa.Integer, sa.ForeignKey("parts.id", ondelete="SET NULL"), index=True
        ),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("x", sa.Integer, nullable=False),
        sa.Column("y", sa.Integer, nullable=False),
        sa.Column("width", sa.Integer, nullable=False),
        sa.Column("height", sa.Integer, nullable=False),
        sa.Column("look", sa.Text, nullable=False),
        sa.Column("every", sa.Integer),
        sa.Column("excluded", sa.JSON, nullable=False),
        sa.Column("condition", sa.JSON),
        sa.Column("channel_id", sa.Integer, sa.ForeignKey("channels.id", ondelete="SET NULL")),
        sa.Column("is_paused", sa.Boolean, nullable=False),
        sa.Column("told", sa.Integer, nullable=False),
        sa.Column("added", sa.DateTime, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "notices",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column(
            "tile_id",
            sa.Integer,
            sa.ForeignKey("tiles.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.Column("sent", sa.DateTime),
        sa.Column("error", sa.JSON),
        sa.UniqueConstraint("tile_id", "number"),
    )
    op.create_table(
        "shares",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("uid", sa.Text, nullable=False, unique=True),
        sa.Column(
            "board_id", sa.Integer, sa.ForeignKey("boards.id", ondelete="CASCADE"), index=True
        ),
        sa.Column("tile_id", sa.Integer, sa.ForeignKey("tiles.id", ondelete="CASCADE"), index=True),
        sa.Column("is_public", sa.Boolean, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.Column("expires", sa.DateTime),
    )
