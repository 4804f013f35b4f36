"""Records: the reader's own time as a ratio to rendering.

    python benchmarks/records.py [--sample 60] [--seed 0] [--only time growth] [--profile]

Times are ratios against the bare Chromium loop of benchmarks/render.py, on the same pages in the
same run. Pages of other kinds are measured as well: `pagesight read` looks at each. How they grow
with the page is CPU time, over all lists, and over some whose body is repeated.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from corpora import corpora_folder, sample
from pagesight.page import Page
from pagesight.readers.records.reader import read_records
from pagesight.render import open_renderer
from pagesight.sources import Request, Source, load
from render import report
from timing import print_profile, rendered, time_ways

MOST_OF_RENDERING = 0.4
FASTEST_GROWTH = 1.1  # the exponent of nodes
TIMES = (1, 2, 4, 8)  # that a body is repeated
REPEATED = 5  # lists
ROUNDS = 3  # of which the fastest counts
BODY = re.compile(rb"(.*?<body\b[^>]*>)(.*?)(</body.*|$)", re.DOTALL | re.IGNORECASE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=60, help="pages of each corpus")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="+", choices=["time", "growth"], default=["time", "growth"])
    parser.add_argument("--profile", action="store_true", help="say where the time goes")
    options = parser.parse_args()
    lists = list_sample(options.sample, options.seed)
    if "time" in options.only:
        print_times("lists", lists, MOST_OF_RENDERING)
        print_times("other pages", sample("titles", options.sample, options.seed))
    if "growth" in options.only:
        print_growth(lists)
    if options.profile:
        print_profile(lists, read_records, 30, "readers/records|segment|models")


def list_sample(size: int, seed: int) -> list[Request]:
    """A repeatable sample of the lists."""
    folder = corpora_folder() / "records"
    rows = [json.loads(line) for line in (folder / "lists.jsonl").read_text().split("\n") if line]
    chosen = random.Random(seed).sample(rows, min(size, len(rows)))
    return [Request(source=folder / row["file"]) for row in chosen]


def print_times(name: str, requests: list[Request], most: float | None = None) -> None:
    times = time_ways(requests, lambda _: {"records": read_records})
    print(f"\ntime / bare snapshot loop ({times.bare * 1e3:.0f} ms), {times.pages} {name}")
    median = times.median["records"]
    if most is None:
        print(f"  {'records, median page':<34}{median:8.3f}")
    else:
        report("records, median page", median, most, at_least=False)
    print(f"  {'records, all pages':<34}{times.total['records']:8.3f}")


def print_growth(requests: Sequence[Request]) -> None:
    """How the time grows with the nodes of a page, as the exponent of a line through logarithms."""
    print("\ngrowth of CPU time with nodes: exponent (1 is linear)")
    pages = [cost_of(data) for _, data in rendered(requests)]
    print(f"  {f'{len(pages)} lists':<34}{exponent(pages):8.3f}")
    for source, bodies in repeated(requests):
        costs = [cost_of(data) for data in bodies]
        by_nodes = ", ".join(f"{nodes:,}: {1e3 * seconds:.0f} ms" for nodes, seconds in costs)
        report(f"a body {TIMES[0]} to {TIMES[-1]} times", exponent(costs), FASTEST_GROWTH,
               at_least=False)  # fmt: skip
        print(f"    {by_nodes}  ({source.name.rpartition('lists/')[2]})")


def repeated(requests: Sequence[Request]) -> Iterator[tuple[Source, list[bytes]]]:
    """Pages with their bodies once, twice and more."""
    with open_renderer("chromium") as chromium:
        for request in requests[:REPEATED]:
            source = load(request)
            if (parts := BODY.match(source.data)) is None:
                continue  # a page without the tag
            head, body, end = parts.groups()
            longer = [replace(source, data=head + body * times + end) for times in TIMES]
            yield source, [chromium.render(some).to_bytes(compress=False) for some in longer]


def cost_of(data: bytes) -> tuple[int, float]:
    """How many nodes a page has, and the seconds of CPU that reading it takes."""
    took = []
    for _ in range(ROUNDS):
        page = Page.from_bytes(data)
        start = time.process_time()
        read_records(page)
        took.append(time.process_time() - start)
    return len(page.columns["parent"]), min(took)


def exponent(costs: Sequence[tuple[int, float]]) -> float:
    nodes, seconds = np.log(costs).T
    return float(np.polyfit(nodes, seconds, 1)[0])


if __name__ == "__main__":
    main()
