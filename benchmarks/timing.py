"""The time of readings, as a ratio to the bare Chromium loop on the same pages in the same run."""

from __future__ import annotations

import cProfile
import pstats
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pagesight.errors import PagesightError
from pagesight.page import Page
from pagesight.render import open_renderer
from pagesight.render.cache import CachedRenderer
from pagesight.sources import Request, Source, load
from render import bare_loop

WARM_UP = 3  # pages
Way = Callable[[Page], object]
Ways = Callable[[Source], Mapping[str, Way]]


@dataclass(frozen=True)
class Times:
    """Of each way the time of the median page, and of all pages, as shares of the bare loop's."""

    pages: int
    bare: float
    """Seconds for the median page."""

    median: Mapping[str, float]
    total: Mapping[str, float]


def time_ways(requests: Sequence[Request], ways_of: Ways) -> Times:
    """Measure page by page. Each way gets a page on which nothing has been computed yet."""
    took: dict[str, list[float]] = {}
    bare_took: list[float] = []
    with bare_loop() as bare:
        pages = rendered([*requests[:WARM_UP], *requests])
        for number, (source, data) in enumerate(pages):
            ways = ways_of(source)
            times = {name: clocked(way, Page.from_bytes(data)) for name, way in ways.items()}
            if number >= WARM_UP:
                bare_took.append(bare(source))
                for name, seconds in times.items():
                    took.setdefault(name, []).append(seconds)
    median = statistics.median(bare_took)
    return Times(
        pages=len(bare_took),
        bare=median,
        median={name: statistics.median(each) / median for name, each in took.items()},
        total={name: sum(each) / sum(bare_took) for name, each in took.items()},
    )


def rendered(requests: Sequence[Request]) -> Iterator[tuple[Source, bytes]]:
    """Sources, and their pages as bytes, from which fresh ones are made."""
    with open_renderer("chromium") as chromium:
        cached = CachedRenderer(chromium)
        for request in requests:
            try:
                source = load(request)
                yield source, cached.render(source).to_bytes(compress=False)
            except PagesightError as error:
                print(f"  not rendered: {error}")


def clocked(way: Way, page: Page) -> float:
    start = time.perf_counter()
    way(page)
    return time.perf_counter() - start


def print_profile(requests: Sequence[Request], way: Way, most: int, only: str = "") -> None:
    """The functions in which most of the time is spent."""
    profile = cProfile.Profile()
    for _, data in rendered(requests):
        profile.runcall(way, Page.from_bytes(data))
    pstats.Stats(profile).sort_stats("cumulative").print_stats(only, most)
