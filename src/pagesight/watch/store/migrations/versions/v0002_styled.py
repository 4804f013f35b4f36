"""The HTML of a part with the styles that it had."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """What was observed before has none."""
    op.add_column("observations", sa.Column("styled", sa.Text))
