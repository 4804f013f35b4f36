"""Records: the reader's own time as a ratio to rendering.

    python benchmarks/records.py [--sample 60] [--seed 0] [--profile]

Times are ratios against the bare Chromium loop of benchmarks/render.py, on the same pages in the
same run. Pages of other kinds are measured as well: `pagesight read` looks at each.
"""

from __future__ import annotations

import argparse
import json
import random

from corpora import corpora_folder, sample
from pagesight.readers.records.reader import read_records
from pagesight.sources import Request
from render import report
from timing import print_profile, time_ways

MOST_OF_RENDERING = 0.4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=60, help="pages of each corpus")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--profile", action="store_true", help="say where the time goes")
    options = parser.parse_args()
    lists = list_sample(options.sample, options.seed)
    print_times("lists", lists, MOST_OF_RENDERING)
    print_times("other pages", sample("titles", options.sample, options.seed))
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


if __name__ == "__main__":
    main()
