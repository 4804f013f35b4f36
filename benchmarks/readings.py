"""All readings of a rendered page and its components, against trafilatura's `extract` on the same.

    pip install -e .[benchmarks]
    python benchmarks/readings.py [--sample 200] [--seed 0] [--rounds 3] [--profile]

CPU time of the thread, in rounds that take turns; of each page the quickest round counts. (The
clock of the process advances by 4 ms at a time while a limit of CPU time holds, which is too coarse
for a page.) Every way gets a Page on which nothing has been computed yet, and trafilatura the bytes
of the same page. The single readings add up to more than all together: what several of them need is
computed once. Components are the fragments of the published method; what is seen of parts that are
known again is measured by itself, since reading a page does not take it.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import statistics
import time
import warnings
from collections.abc import Callable, Mapping, Sequence

from corpora import sample
from pagesight.document import Document
from pagesight.page import Page
from pagesight.readers.registry import readings
from pagesight.segment.index_tree import index_tree
from pagesight.sources import Source
from pagesight.watch.components.sight import sight_of
from render import report
from timing import rendered

OF_TEXT = ("zones", "title", "outline", "article")
MOST_OF_TEXT = 0.80
MOST_OF_ALL = 1.10
Way = Callable[[Source, bytes], object]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--profile", action="store_true", help="say where the time goes")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    pages = list(rendered(sample("titles", options.sample, options.seed)))
    if options.profile:
        print_profile(pages)
        return
    names = [reading.name for reading in readings()]
    ways: dict[str, Way] = {name: _reading(name) for name in names}
    ways |= {"fragments": _fragments, "sight of parts": _sight}
    ways |= {"text": _reading(*OF_TEXT), "all": _everything}
    times = measure({"trafilatura": _trafilatura(), **ways}, pages, options.rounds)
    print_table(times)


def _trafilatura() -> Way:
    from trafilatura import extract  # type: ignore[import-not-found,import-untyped,unused-ignore]

    return lambda source, _: extract(source.data, url=source.url)


def _reading(*names: str) -> Way:
    """What reads pages as `pagesight read` does, one reading after the other."""

    def read(_: Source, data: bytes) -> object:
        document = Document("page", Page.from_bytes(data))
        return [document.glance(name) for name in names]

    return read


def _fragments(_: Source, data: bytes) -> object:
    """What divides a page into components, as published."""
    return index_tree(Page.from_bytes(data)).fragments()


def _sight(_: Source, data: bytes) -> object:
    """What is seen of all parts of a page before any of them is looked for."""
    return sight_of(Page.from_bytes(data))


def _everything(_: Source, data: bytes) -> object:
    """All readings of one page, and its components."""
    document = Document("page", Page.from_bytes(data))
    results = [document.glance(reading.name) for reading in readings()]
    return results, index_tree(document.page).fragments()


def measure(
    ways: Mapping[str, Way], pages: Sequence[tuple[Source, bytes]], rounds: int
) -> dict[str, list[float]]:
    """CPU seconds of each way for each page, without the time in which a Page is loaded."""
    times = {name: [float("inf")] * len(pages) for name in ways}
    for way in ways.values():  # what is loaded on first use
        way(*pages[0])
    for _ in range(rounds):
        for number, (source, data) in enumerate(pages):
            loading = _cpu(_loaded, source, data)
            for name, way in ways.items():
                spent = _cpu(way, source, data) - (loading if name != "trafilatura" else 0)
                times[name][number] = min(times[name][number], spent)
    return times


def _loaded(_: Source, data: bytes) -> Page:
    return Page.from_bytes(data)


def _cpu(way: Way, source: Source, data: bytes) -> float:
    start = time.thread_time()
    way(source, data)
    return time.thread_time() - start


def print_table(times: Mapping[str, Sequence[float]]) -> None:
    peer = times["trafilatura"]
    middle = statistics.median(peer)
    print(f"\n{len(peer)} pages, CPU time / trafilatura's extract ({middle * 1e3:.0f} ms)")
    print(f"  {'':<24}{'median':>8}{'sum':>8}")
    for name, spent in times.items():
        median, total = statistics.median(spent) / middle, sum(spent) / sum(peer)
        print(f"  {name:<24}{median:>8.2f}{total:>8.2f}")
    for name, most in (("text", MOST_OF_TEXT), ("all", MOST_OF_ALL)):
        median, total = statistics.median(times[name]) / middle, sum(times[name]) / sum(peer)
        report(f"{name}, median and sum", max(median, total), most, at_least=False)


def print_profile(pages: Sequence[tuple[Source, bytes]]) -> None:
    """The functions in which most of the time of all readings is spent."""
    profile = cProfile.Profile()
    for source, data in pages:
        profile.runcall(_everything, source, data)
    pstats.Stats(profile).sort_stats("tottime").print_stats(60)
    pstats.Stats(profile).sort_stats("cumulative").print_stats("pagesight", 110)


if __name__ == "__main__":
    main()
