"""The portal: all that anybody can do, for screens and programs alike.

Permissions are checked here and nowhere else: each method takes who acts, and raises a
`PortalError` of `pagesight.portal.errors` if they may not.
"""

from __future__ import annotations

from typing import Self

from pagesight.portal.services.composing import Composing
from pagesight.portal.services.giving import Giving
from pagesight.portal.services.moving import Moving
from pagesight.portal.services.people import People
from pagesight.portal.services.picking import Picking
from pagesight.portal.settings import Settings
from pagesight.portal.store.opening import open_database
from pagesight.watch.store.store import Store


class Portal(People, Composing, Picking, Giving, Moving):
    """A portal on a database. Use it as a context manager, or call `close`.

    It may be used from several threads, and several may use the same database. It never renders:
    that is what workers do.
    """

    @classmethod
    def open(cls, config: Settings | None = None) -> Portal:
        """Open the database, and bring its tables up to date."""
        config = config or Settings()
        return cls(config, Store(open_database(config.database)))

    def close(self) -> None:
        """End all connections."""
        self._watch.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
