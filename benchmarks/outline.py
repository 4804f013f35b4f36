"""Outlines: time as a ratio to rendering, and where it goes.

    python benchmarks/outline.py [--sample 40] [--profile 15]

The ratio is against the bare Chromium loop of benchmarks/render.py, on the same pages in the same
run. Each reading gets a page of its own, on which nothing has been computed yet.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial

from corpora import sample
from pagesight.errors import PagesightError
from pagesight.page import Page
from pagesight.readers.outline import read_outline
from pagesight.readers.outline.blocks import text_blocks
from pagesight.readers.outline.emission import document_with_headings
from pagesight.readers.outline.reading import Seen
from pagesight.render import open_renderer
from pagesight.render.cache import CachedRenderer
from pagesight.sources import Request, Source, load
from render import bare_loop, report

MOST_OF_RENDERING = 0.20
WARM_UP = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=40, help="pages of each corpus")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--profile", type=int, default=0, help="the functions that take longest")
    options = parser.parse_args()
    corpora = ("outlines", "titles")
    requests = [r for name in corpora for r in sample(name, options.sample, options.seed)]
    pages = print_times([*requests[:WARM_UP], *requests])
    if options.profile:
        print_profile(pages, options.profile)


def print_times(requests: Sequence[Request]) -> list[bytes]:
    """Measure page by page; the pages that were read."""
    rows: list[tuple[float, ...]] = []
    pages = []
    with bare_loop() as bare, open_renderer("chromium") as chromium:
        cached = CachedRenderer(chromium)
        for number, request in enumerate(requests):
            try:
                source = load(request)
                data = cached.render(source).to_bytes(compress=False)
            except PagesightError as error:
                print(f"  not rendered: {error}")
                continue
            took = [clocked(step, Page.from_bytes(data)) for step in STEPS.values()]
            took.append(clocked(partial(emitted, source), Page.from_bytes(data)))
            if number >= WARM_UP:
                rows.append((bare(source), *took))
                pages.append(data)
    medians = [statistics.median(column) for column in zip(*rows, strict=True)]
    sums = [sum(column) for column in zip(*rows, strict=True)]
    print(f"\noutline, time / bare snapshot loop, {len(rows)} pages of outlines and titles")
    for name, median, total in zip([*STEPS, EMITTED], medians[1:], sums[1:], strict=True):
        if name == WHOLE:
            report(f"{name}, median page", median / medians[0], MOST_OF_RENDERING, at_least=False)
            report(f"{name}, all pages", total / sums[0], MOST_OF_RENDERING, at_least=False)
        else:
            print(f"  {name:<34}{median / medians[0]:8.3f}")
    print(f"  bare snapshot loop, median page {medians[0] * 1000:8.1f} ms")
    return pages


def emitted(source: Source, page: Page) -> object:
    return document_with_headings(source, page, read_outline(page).headings)


WHOLE = "the reading"
EMITTED = "reading, and giving the page back"
STEPS: dict[str, Callable[[Page], object]] = {
    "  text blocks": text_blocks,
    "  text blocks, features": lambda page: Seen.of(text_blocks(page)),
    WHOLE: read_outline,
}


def clocked(step: Callable[[Page], object], page: Page) -> float:
    start = time.perf_counter()
    step(page)
    return time.perf_counter() - start


def print_profile(pages: Sequence[bytes], most: int) -> None:
    fresh = [Page.from_bytes(data) for data in pages]
    profile = cProfile.Profile()
    profile.enable()
    for page in fresh:
        read_outline(page)
    profile.disable()
    pstats.Stats(profile).sort_stats("tottime").print_stats(most)


if __name__ == "__main__":
    main()
