"""How long to wait until a page is looked at again."""

from __future__ import annotations

from pagesight.watch.values import WatchedPage

EVERY = 3600.0  # seconds from one check of a page until the next one is due
FIRST_RETRY = 300.0  # seconds until a failed check is due again; each further failure doubles it
LONGEST_RETRY = 24 * 3600.0
MOST_DOUBLED = 20  # times; it is the longest long before


class Pace:
    """The same for all pages. Others derive from it."""

    def until_next(self, page: WatchedPage | None) -> float:  # noqa: ARG002 - others need it
        """Seconds until the next check of a page, which is None if it is new."""
        return EVERY

    def until_retry(self, page: WatchedPage, asked: float = 0.0) -> float:
        """Seconds after a check that failed; a server may have `asked` for that many."""
        wait = FIRST_RETRY * 2.0 ** min(page.failures, MOST_DOUBLED)
        return max(min(LONGEST_RETRY, wait), asked)
