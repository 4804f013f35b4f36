"""Outlines: time as a ratio to rendering, and where it goes.

    python benchmarks/outline.py [--sample 40] [--profile 15]

The ratio is against the bare Chromium loop of benchmarks/render.py, on the same pages in the same
run.
"""

from __future__ import annotations

import argparse

from corpora import samples
from pagesight.output.html import document_with_headings
from pagesight.page import Page
from pagesight.readers.outline import read_outline
from pagesight.readers.outline.reading import Seen
from pagesight.segment.blocks import text_blocks
from pagesight.sources import Source
from render import report
from timing import Way, print_profile, time_ways

MOST_OF_RENDERING = 0.20
WHOLE = "the reading"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=40, help="pages of each corpus")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--profile", type=int, default=0, help="the functions that take longest")
    options = parser.parse_args()
    requests = samples(("outlines", "titles"), options.sample, options.seed)
    times = time_ways(requests, ways)
    print(f"\noutline, time / bare snapshot loop, {times.pages} pages of outlines and titles")
    for name, share in times.median.items():
        if name == WHOLE:
            report(f"{name}, median page", share, MOST_OF_RENDERING, at_least=False)
            report(f"{name}, all pages", times.total[name], MOST_OF_RENDERING, at_least=False)
        else:
            print(f"  {name:<34}{share:8.3f}")
    print(f"  bare snapshot loop, median page {times.bare * 1000:8.1f} ms")
    if options.profile:
        print_profile(requests, read_outline, options.profile)


def ways(source: Source) -> dict[str, Way]:
    """What is measured, by name."""

    def emitted(page: Page) -> object:
        return document_with_headings(source, page, read_outline(page).headings)

    return {
        "  text blocks": text_blocks,
        "  text blocks, features": lambda page: Seen.of(text_blocks(page)),
        WHOLE: read_outline,
        "reading, and giving the page back": emitted,
    }


if __name__ == "__main__":
    main()
