"""How often a page is looked at: as somebody asked for, or as often as it changes."""

from __future__ import annotations

from datetime import timedelta
from random import SystemRandom

from sqlalchemy import func, select

from pagesight.portal.store import tables
from pagesight.portal.store.database import Database
from pagesight.watch.pacing import LONGEST_RETRY, Pace
from pagesight.watch.store import tables as watched
from pagesight.watch.values import Outcome, WatchedPage

SOONEST, LATEST = 600.0, 24 * 3600.0  # seconds between two checks that nobody asked for
FIRST = 3600.0  # seconds until the second look at a page
LOOKS = 4.0  # from one change to the next, on average
REMEMBERED = timedelta(days=14)
JITTER = 0.1  # so that pages that were added together are not asked for together
_random = SystemRandom()


def learned_interval(age: float, changes: int) -> float:
    """Seconds between two checks of a page that changed so often in so many seconds.

    It is as if there had been one change more, in the time in which a new page is expected to
    change: little is known at first.

    >>> learned_interval(0, 0), learned_interval(24 * 3600, 0), learned_interval(24 * 3600, 96)
    (3600.0, 25200.0, 600.0)
    """
    between = (age + LOOKS * FIRST) / (changes + 1)
    return min(LATEST, max(SOONEST, between / LOOKS))


class LearnedPace(Database, Pace):
    """The shortest interval that the tiles of a page ask for, give or take a tenth."""

    def until_next(self, page: WatchedPage | None) -> float:
        """Seconds until the next check of a page, which is None if it is new."""
        if page is None:
            return _jittered(FIRST)
        asked = self._asked(page.id)
        wanted = [float(every) for every in asked if every is not None]
        if len(wanted) < len(asked) or not asked:
            wanted.append(self._learned(page))
        return _jittered(min(wanted))

    def until_retry(self, page: WatchedPage, asked: float = 0.0) -> float:
        """Seconds after a check that failed."""
        return max(_jittered(super().until_retry(page)), min(asked, LONGEST_RETRY))

    def _asked(self, page: int) -> list[int | None]:
        """What each tile of a page asks for."""
        parts, tiles = watched.parts.c, tables.tiles.c
        query = (
            select(tiles.every)
            .join(watched.parts, parts.id == tiles.part_id)
            .where(parts.page_id == page, tiles.is_paused.is_(False))
        )
        with self.reading() as connection:
            return list(connection.execute(query).scalars())

    def _learned(self, page: WatchedPage) -> float:
        now = self.now()
        since = max(page.added, now - REMEMBERED)
        columns = watched.checks.c
        query = select(func.count()).where(
            columns.page_id == page.id,
            columns.outcome == Outcome.CHANGED.value,
            columns.time > since,
        )
        with self.reading() as connection:
            changes = connection.execute(query).scalar_one()
        return learned_interval(max(0.0, (now - since).total_seconds()), changes)


def _jittered(seconds: float) -> float:
    return seconds * _random.uniform(1 - JITTER, 1 + JITTER)
