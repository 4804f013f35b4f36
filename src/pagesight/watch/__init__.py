"""Parts of pages over time: learn what a part is, and find it again on another day.

>>> from pagesight.watch import Watch
>>> with Watch.open("sqlite:///watch.sqlite") as watch:
...     (news,) = watch.add("https://example.com/", select=["#news"])
...     for checked in watch.check():
...         print(checked.page.address, checked.outcome)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pagesight.lazy import offered

if TYPE_CHECKING:
    from pagesight.watch.changes import Changes
    from pagesight.watch.offering import Offer, parts_of
    from pagesight.watch.values import (
        Checked,
        Item,
        Observation,
        Outcome,
        Part,
        PartState,
        Seen,
        Status,
        WatchedPage,
    )
    from pagesight.watch.watching import Watch

__all__ = [
    "Changes",
    "Checked",
    "Item",
    "Observation",
    "Offer",
    "Outcome",
    "Part",
    "PartState",
    "Seen",
    "Status",
    "Watch",
    "WatchedPage",
    "parts_of",
]

if not TYPE_CHECKING:  # or no misspelt name would be noticed
    _offered = offered(__name__, __all__, "values", "changes", "offering", "watching")

    def __getattr__(name: str) -> Any:
        """What is used is imported then; the database needs an extra."""
        try:
            return _offered(name)
        except ModuleNotFoundError as error:
            from pagesight.watch.extras import not_installed

            raise not_installed(error) from error
