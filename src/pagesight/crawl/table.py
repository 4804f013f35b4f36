"""Table 2 of the published method: what the visited pages are like."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pagesight.crawl.form import is_coherent
from pagesight.crawl.visit import EXPLORED, WELL_FORMED, Visit


def statistics(visits: Sequence[Visit]) -> dict[str, float]:
    """The rows of the table: what, and how much."""
    explored = sum(visit.outcome in EXPLORED for visit in visits)
    good = [visit for visit in visits if visit.outcome in WELL_FORMED]
    return {
        "pages explored": explored,
        "share of well-formed pages": len(good) / max(1, explored),
        "stylesheets of a well-formed page": _mean(visit.sheets for visit in good),
        "heading levels of a well-formed page": _mean(len(set(visit.levels)) for visit in good),
        "share with coherent headings": _mean(is_coherent(visit.levels) for visit in good),
        **{f"share with h{level}": _mean(level in v.levels for v in good) for level in "123456"},
    }


def table_lines(visits: Sequence[Visit]) -> list[str]:
    """The table as it is printed."""
    return [
        f"{name:<38}{value:>8,.0f}" if isinstance(value, int) else f"{name:<38}{value:>8.2f}"
        for name, value in statistics(visits).items()
    ]


def _mean(values: Iterable[float]) -> float:
    given = [*values]
    return sum(given) / max(1, len(given))
