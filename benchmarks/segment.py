"""Segmentation: time as a ratio to rendering, and how it grows with the page.

    python benchmarks/segment.py [--sample 40] [--only time growth]

Times are ratios against the bare Chromium loop of benchmarks/render.py, on the same pages in the
same run.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from corpora import samples
from pagesight.page import Display, NodeKind, Page, PageInfo
from pagesight.segment.leaves import leaf_zones
from pagesight.segment.xycut import zone_tree
from pagesight.sources import Request
from render import report
from timing import Way, clocked, time_ways

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)
MOST_OF_RENDERING = 0.15
FASTEST_GROWTH = 1.2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=40, help="pages of each corpus")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="+", choices=["time", "growth"], default=["time", "growth"])
    options = parser.parse_args()
    if "time" in options.only:
        print_times(samples(("outlines", "titles"), options.sample, options.seed))
    if "growth" in options.only:
        print_growth()


def segmenters() -> dict[str, Way]:
    """What is measured, by name."""
    ways: dict[str, Way] = {
        "leaf zones and X-Y cut": lambda page: zone_tree(page, leaf_zones(page))
    }
    try:
        from pagesight.segment.vips import vision_tree
    except ImportError:
        return ways
    return ways | {"vision tree": vision_tree}


# (a) time


def print_times(requests: Sequence[Request]) -> None:
    times = time_ways(requests, lambda _: segmenters())
    print(f"\n(a) time / bare snapshot loop, {times.pages} pages of outlines and titles")
    for name, share in times.median.items():
        print(f"  {name:<34}{share:8.3f}")
    together = sum(times.median.values())
    report("together, median page", together, MOST_OF_RENDERING, at_least=False)
    print(f"  {'together, all pages':<34}{sum(times.total.values()):8.3f}")


# (b) growth


def print_growth() -> None:
    print(f"\n(b) growth from {SIZES[0]:,} to {SIZES[-1]:,} nodes: exponent of time")
    for shape, build in SHAPES.items():
        for name, way in segmenters().items():
            times = [min(clocked(way, build(size)) for _ in range(3)) for size in SIZES]
            exponent = float(np.polyfit(np.log(SIZES), np.log(times), 1)[0])
            report(f"{shape}: {name}", exponent, FASTEST_GROWTH, at_least=False)


def article(nodes: int) -> Page:
    """Sections of paragraphs with links, and a column of links beside them."""
    rng = np.random.default_rng(0)
    rows = nodes // 4  # each a block, a text, a link, a text in it
    beside = np.arange(rows) % 3 == 2
    height = np.where(beside, 20.0, rng.integers(1, 6, rows) * 20.0)
    gap = np.where(np.arange(rows) % 12 == 0, 40.0, 16.0)
    below = np.cumsum(np.where(beside, 0.0, height + gap))
    top = np.where(beside, 36.0 * np.cumsum(beside), below - height)
    box = np.stack((np.where(beside, 900.0, 40.0), top, np.where(beside, 300.0, 800.0), height))
    return page_of(box.T)


def chain(nodes: int) -> Page:
    """Blocks below each other, every gap larger than the one before: nested cuts, one by one."""
    rows = nodes // 4
    gap = 3.0 + np.arange(rows) * 0.05
    top = np.cumsum(gap + 10.0)
    return page_of(
        np.stack((np.full(rows, 40.0), top, np.full(rows, 600.0), np.full(rows, 10.0))).T
    )


SHAPES: Mapping[str, Callable[[int], Page]] = {"article": article, "chain": chain}


def page_of(box: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> Page:
    """A page of blocks at these places, each with a text and a link."""
    count = len(box)
    strings = ["#document", "body", "div", "#text", "a", "href", "/", "words that are read here"]
    of_row = {"name": (2, 3, 4, 3), "kind": (1, 2, 1, 2), "text": (-1, 7, -1, 7)}
    first = 2 + 4 * np.arange(count)
    parent = np.stack((np.ones(count), first, first, first + 2), axis=1).ravel()
    display = (Display.BLOCK, Display.INLINE, Display.INLINE, Display.INLINE)
    whole = (0.0, 0.0, 1280.0, float((box[:, 1] + box[:, 3]).max()))
    columns: dict[str, Any] = {
        "parent": np.concatenate(([-1, 0], parent)),
        "kind": [NodeKind.DOCUMENT, NodeKind.ELEMENT, *np.tile(of_row["kind"], count)],
        "name": [0, 1, *np.tile(of_row["name"], count)],
        "text": [-1, -1, *np.tile(of_row["text"], count)],
        "display": [Display.BLOCK, Display.BLOCK, *np.tile(display, count)],
        "box": np.vstack((whole, whole, np.repeat(box, 4, axis=0))),
        "font_size": np.full(2 + 4 * count, 16.0),
        "attr_first": np.concatenate(([0], np.cumsum([0, 0, *np.tile((0, 0, 1, 0), count)]))),
        "attr_name": np.full(count, 5),
        "attr_value": np.full(count, 6),
    }
    info = PageInfo(renderer="made", renderer_version="1", size=whole[2:])
    return Page(columns, strings, info)


if __name__ == "__main__":
    main()
