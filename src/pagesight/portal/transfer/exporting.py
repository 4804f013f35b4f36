"""All that is somebody's, or everybody's, as a zip file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

from sqlalchemy import ColumnElement, Connection, Table, select, true

from pagesight.portal.store import tables
from pagesight.portal.store.database import Database
from pagesight.portal.transfer.archive import Packing
from pagesight.portal.transfer.rows import ORDER, row_to_json
from pagesight.portal.values import Account
from pagesight.watch.store import tables as watched

LEFT_OUT = frozenset({"accounts", "tokens", "shares", "board_people"})
"""Tables that are left out of what one person takes along."""


def exported(database: Database, account: Account, *, whole: bool) -> IO[bytes]:
    """Boards, tabs, tiles, their parts with what was learned and observed; all at one moment."""
    packing = Packing()
    chosen = _chosen(None if whole else account)
    with database.reading() as connection:
        for table in ORDER:
            if whole or table.name not in LEFT_OUT:
                rows = _rows(connection, table, chosen, packing)
                packing.rows(table.name, rows)
    about: dict[str, Any] = {"whole": whole, "made": database.now().isoformat()}
    return packing.finish(about)


def _rows(
    connection: Connection, table: Table, chosen: dict[str, ColumnElement[bool]], packing: Packing
) -> Iterator[dict[str, Any]]:
    query = select(table).where(chosen.get(table.name, true())).order_by(*table.primary_key.columns)
    for row in connection.execution_options(yield_per=100).execute(query):
        yield row_to_json(row, table, packing)


def _chosen(account: Account | None) -> dict[str, ColumnElement[bool]]:
    """By table which rows are taken along: of the boards of a person, or of all."""
    own = true() if account is None else tables.boards.c.account_id == account.id
    boards = select(tables.boards.c.id).where(own)
    tabs = select(tables.tabs.c.id).where(tables.tabs.c.board_id.in_(boards))
    parts = select(tables.tiles.c.part_id).where(
        tables.tiles.c.tab_id.in_(tabs), tables.tiles.c.part_id.is_not(None)
    )
    of_parts = watched.parts.c.id.in_(parts)
    pages = select(watched.parts.c.page_id).where(of_parts)
    learned = select(watched.parts.c.learned_id).where(of_parts)
    mine = true() if account is None else tables.channels.c.account_id == account.id
    return {
        "channels": mine,
        "pages": watched.pages.c.id.in_(pages),
        "learned": watched.learned.c.id.in_(learned),
        "parts": of_parts,
        "checks": watched.checks.c.page_id.in_(pages),
        "observations": watched.observations.c.part_id.in_(parts),
        "snapshots": watched.snapshots.c.page_id.in_(pages),
        "boards": own,
        "tabs": tables.tabs.c.board_id.in_(boards),
        "tiles": tables.tiles.c.tab_id.in_(tabs),
    }
