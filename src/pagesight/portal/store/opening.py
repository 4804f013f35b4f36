"""Opening the database of the portal, which is also that of what is watched."""

from __future__ import annotations

from sqlalchemy import Engine

from pagesight.watch.store.opening import WATCH, Schema, opened

PORTAL = Schema(
    head="0001",
    migrations="pagesight.portal.store:migrations",
    version_table="portal_version",
)


def open_database(url: str | None = None) -> Engine:
    """The database at `url`, or the usual one, with the tables of the portal; see `opened`."""
    return opened(url, schemas=(WATCH, PORTAL))
