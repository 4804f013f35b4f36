"""Articles: the reader's own time as a ratio to rendering.

    python benchmarks/article.py [--sample 60] [--seed 0] [--profile]

Times are ratios against the bare Chromium loop of benchmarks/render.py, on the same pages in the
same run. Pages of other kinds are measured as well: `pagesight read` looks at each.
"""

from __future__ import annotations

import argparse
import json
import random

from corpora import corpora_folder, sample
from pagesight.page import Page
from pagesight.readers.article.reader import may_be_article, read_article
from pagesight.sources import Request
from render import report
from timing import Way, print_profile, time_ways

MOST_OF_RENDERING = 0.25


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
        print_profile(articles, read_article, 30, "readers/article|segment|models")


def article_sample(size: int, seed: int) -> list[Request]:
    """A repeatable sample of the articles in HTML."""
    folder = corpora_folder() / "articles"
    rows = [json.loads(line) for line in (folder / "articles.jsonl").read_text().splitlines()]
    chosen = random.Random(seed).sample(rows, min(size, len(rows)))
    return [Request(source=folder / row["file"], url=row.get("url")) for row in chosen]


def read_if_article(page: Page) -> object:
    return read_article(page) if may_be_article(page) else None


def print_times(name: str, requests: list[Request], ways: dict[str, Way]) -> None:
    times = time_ways(requests, lambda _: ways)
    print(f"\ntime / bare snapshot loop ({times.bare * 1e3:.0f} ms), {times.pages} {name}")
    for way, share in times.median.items():
        report(f"{way}, median page", share, MOST_OF_RENDERING, at_least=False)
        print(f"  {f'{way}, all pages':<34}{times.total[way]:8.3f}")


if __name__ == "__main__":
    main()
