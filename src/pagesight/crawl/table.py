"""Table 2 of the published method: what the visited pages are like."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from pagesight.crawl.form import is_coherent
from pagesight.crawl.visit import EXPLORED, WELL_FORMED, Visit


@dataclass(frozen=True)
class Table:
    """The statistics of a crawl."""

    visits: Sequence[Visit]

    @cached_property
    def explored(self) -> list[Visit]:
        return [visit for visit in self.visits if visit.outcome in EXPLORED]

    @cached_property
    def well_formed(self) -> list[Visit]:
        return [visit for visit in self.visits if visit.outcome in WELL_FORMED]

    def rows(self) -> list[tuple[str, float]]:
        """The rows of the table: what, and how much."""
        good = self.well_formed
        levels = (len(set(visit.levels)) for visit in good)
        rows: list[tuple[str, float]] = [
            ("pages explored", len(self.explored)),
            ("share of well-formed pages", len(good) / max(1, len(self.explored))),
            ("stylesheets of a well-formed page", _mean(visit.sheets for visit in good)),
            ("heading levels of a well-formed page", _mean(levels)),
            ("share with coherent headings", _mean(is_coherent(visit.levels) for visit in good)),
        ]
        return rows + [
            (f"share with h{level}", _mean(level in visit.levels for visit in good))
            for level in "123456"
        ]

    def lines(self) -> list[str]:
        """The table as it is printed."""
        return [
            f"{name:<38}{value:>8,.0f}" if isinstance(value, int) else f"{name:<38}{value:>8.2f}"
            for name, value in self.rows()
        ]


def _mean(values: Iterable[float]) -> float:
    given = [*values]
    return sum(given) / max(1, len(given))
