"""Articles: the reader's own time as a ratio to rendering.

    python benchmarks/article.py [--sample 60] [--seed 0] [--profile]

Times are ratios against the bare Chromium loop of benchmarks/render.py, on the same pages in the
same run. Pages of other kinds are measured as well: `pagesight read` looks at each.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import random
import statistics
import time
from collections.abc import Callable

from corpora import corpora_folder, sample
from pagesight.errors import PagesightError
from pagesight.page import Page
from pagesight.readers.article.reader import may_be_article, read_article
from pagesight.render import open_renderer
from pagesight.render.cache import CachedRenderer
from pagesight.sources import Request, load
from render import bare_loop, report

MOST_OF_RENDERING = 0.25
Way = Callable[[Page], object]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=60, help="pages of each corpus")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--profile", action="store_true", help="say where the time goes")
    options = parser.parse_args()
    articles = article_sample(options.sample, options.seed)
    ways: dict[str, Way] = {
        "tags ignored": lambda page: read_article(page, metadata="ignore"),
        "with tags": read_article,
    }
    print_times("articles", articles, ways)
    others = sample("titles", options.sample, options.seed)
    print_times("other pages", others, {"as pagesight read does": read_if_article})
    if options.profile:
        print_profile(articles)


def article_sample(size: int, seed: int) -> list[Request]:
    """A repeatable sample of the articles in HTML."""
    folder = corpora_folder() / "articles"
    rows = [json.loads(line) for line in (folder / "articles.jsonl").read_text().splitlines()]
    chosen = random.Random(seed).sample(rows, min(size, len(rows)))
    return [Request(source=folder / row["file"], url=row.get("url")) for row in chosen]


def read_if_article(page: Page) -> object:
    return read_article(page) if may_be_article(page) else None


def print_times(name: str, requests: list[Request], ways: dict[str, Way]) -> None:
    rows = []
    with bare_loop() as bare, open_renderer("chromium") as chromium:
        cached = CachedRenderer(chromium)
        for number, request in enumerate([*requests[:3], *requests]):
            try:
                source = load(request)
                data = cached.render(source).to_bytes(compress=False)
            except PagesightError as error:
                print(f"  not rendered: {error}")
                continue
            # Each way gets a page of its own, on which nothing has been computed yet.
            took = [clocked(way, Page.from_bytes(data)) for way in ways.values()]
            if number >= 3:  # the first ones warm up
                rows.append((bare(source), *took))
    columns = list(zip(*rows, strict=True))
    medians, sums = [statistics.median(each) for each in columns], [sum(each) for each in columns]
    print(f"\ntime / bare snapshot loop ({medians[0] * 1e3:.0f} ms), {len(rows)} {name}")
    for way, median, total in zip(ways, medians[1:], sums[1:], strict=True):
        report(f"{way}, median page", median / medians[0], MOST_OF_RENDERING, at_least=False)
        print(f"  {f'{way}, all pages':<34}{total / sums[0]:8.3f}")


def clocked(way: Way, page: Page) -> float:
    start = time.perf_counter()
    way(page)
    return time.perf_counter() - start


def print_profile(requests: list[Request]) -> None:
    """The functions in which most of the time is spent."""
    with open_renderer("chromium") as chromium:
        cached = CachedRenderer(chromium)
        pages = [cached.render(load(request)) for request in requests]
    profile = cProfile.Profile()
    for page in pages:
        fresh = Page.from_bytes(page.to_bytes(compress=False))
        profile.runcall(read_article, fresh)
    pstats.Stats(profile).sort_stats("cumulative").print_stats("readers/article|segment|models", 30)


if __name__ == "__main__":
    main()
