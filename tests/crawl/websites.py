"""Crawls of pages that are made here, with a clock that nobody waits for."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from pagesight.crawl import Crawl, CrawlOptions, Visit
from pagesight.sources import Limits

AMPLE = Limits(connect_timeout=60, read_timeout=60, total_timeout=60)  # on a busy machine, too


@dataclass
class FakeClock:
    """Time goes on only while somebody sleeps."""

    now: float = 1000.0
    slept: list[float] = field(default_factory=list)

    def time(self) -> float:
        return self.now

    def sleep(self, seconds: float, /) -> None:
        self.slept.append(seconds)
        self.now += seconds


def crawled(
    folder: Path,
    *starts: str,
    clock: FakeClock | None = None,
    limits: Limits = AMPLE,
    **options: bool | float,
) -> list[Visit]:
    """The visits of a crawl."""
    chosen = CrawlOptions(limits=limits, **options)  # type: ignore[arg-type]
    with Crawl(folder, chosen, clock=clock or FakeClock()) as crawl:
        return list(crawl.run(starts))


def page(*links: str, title: str = "", head: str = "", body: str = "<h1>A</h1><h2>B</h2>") -> str:
    """A well-formed page with these links; no two titles, no two pages."""
    anchors = "".join(f'<a href="{link}">x</a>' for link in links)
    return (
        f"<!DOCTYPE html><html><head><title>{title}</title>{head}</head>"
        f"<body>{body}<p>{anchors}</p></body></html>"
    )
