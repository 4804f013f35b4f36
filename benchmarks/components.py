"""Components: the time to find 20 parts of a page again, as a ratio to rendering.

    python benchmarks/components.py [--sample 40] [--seed 0] [--profile]

Each page of the snapshots gives 20 parts, which are then found on the next snapshot of the same
page. Times are ratios against the bare Chromium loop of benchmarks/render.py, on the same pages in
the same run.
"""

from __future__ import annotations

import argparse
import random

import numpy as np

from pagesight.learning.corpora import Corpora, request_of, rows
from pagesight.page import Page
from pagesight.render import open_renderer
from pagesight.render.cache import CachedRenderer
from pagesight.sources import Request, Source, load
from pagesight.watch.components import ComponentIndex, find, learn
from pagesight.watch.components.sight import sight_of
from render import report
from timing import Way, print_profile, time_ways

PARTS = 20
LEAST = 40  # characters of a part
MOST_OF_RENDERING = 0.5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=40, help="pairs of snapshots")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--profile", action="store_true", help="say where the time goes")
    options = parser.parse_args()
    pairs = random.Random(options.seed).sample(snapshot_pairs(), options.sample)
    index_of = indices(pairs)

    def ways_of(source: Source) -> dict[str, Way]:
        index = index_of[str(source.path)]
        return {"find": lambda page: find(index, page)}

    requests = [later for _, later in pairs]
    times = time_ways(requests, ways_of)
    print(f"time / bare snapshot loop ({times.bare * 1e3:.0f} ms), {times.pages} pages")
    report(f"{PARTS} parts, median page", times.median["find"], MOST_OF_RENDERING, at_least=False)
    print(f"  {f'{PARTS} parts, all pages':<34}{times.total['find']:8.3f}")
    if options.profile:
        index = index_of[str(load(requests[0]).path)]
        print_profile(requests[:1], lambda page: find(index, page), 30, "watch|segment|models")


def snapshot_pairs() -> list[tuple[Request, Request]]:
    """Neighbouring snapshots of portals and health offices."""
    folder = Corpora().folder_of("snapshots")
    of_site: dict[str, dict[str, Request]] = {}
    for row in rows(folder):
        if row["kind"] != "terms":
            of_site.setdefault(row["site"], {})[row["file"]] = request_of(folder, row)
    return [
        (one, other)
        for requests in of_site.values()
        for one, other in zip([*requests.values()][:-1], [*requests.values()][1:], strict=True)
    ]


def indices(pairs: list[tuple[Request, Request]]) -> dict[str, ComponentIndex]:
    """What is known of the parts, by the path of the page on which they are to be found."""
    known = {}
    with open_renderer("chromium") as chromium:
        cached = CachedRenderer(chromium)
        for before, later in pairs:
            known[str(load(later).path)] = learned(cached.render(load(before)))
    return known


def learned(page: Page) -> ComponentIndex:
    """An index of as many parts, evenly spread over the page."""
    sight = sight_of(page)
    parts = np.flatnonzero(sight.is_element & (sight.size >= LEAST) & (sight.size < sight.size[0]))
    spread = parts[np.unique(np.linspace(0, len(parts) - 1, PARTS).astype(np.int64))]
    return learn([page], nodes=sight.units.node[spread].tolist())


if __name__ == "__main__":
    main()
