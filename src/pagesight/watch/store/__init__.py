"""Where watched parts and their observations are kept: any database that SQLAlchemy knows."""

from pagesight.watch.store.opening import opened
from pagesight.watch.store.store import Store

__all__ = ["Store", "opened"]
