"""Titles: the fast reading against trafilatura and newspaper4k, on the same bytes in one run.

    pip install -e .[benchmarks]
    python benchmarks/title.py [--sample 120] [--seed 0] [--rounds 3]

Times are ratios of CPU time per page, median over pages, and those of the sums; the medians are
judged. The methods take turns on each page, every other time in reverse, so that each finds the
data and the processor's cache as the others left them; of each page the quickest round counts. Our
scores are of models that have not learned from the page (five folds by registered domain); the
peers have nothing to learn.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from corpora import corpora_folder
from pagesight.learning import corpora as corpora_
from pagesight.readers.title import read_title_fast
from pagesight.readers.title.learning.corpus import CORPUS, parsed_pages
from pagesight.readers.title.learning.training import TITLE
from pagesight.readers.title.text import similarity
from pagesight.sources import load
from render import report

TARGETS = {"trafilatura": 10.0, "newspaper4k, all": 25.0}  # at least, by medians
Peer = Callable[[bytes, str], str | None]


def _our_title(data: bytes, url: str) -> str | None:
    title = read_title_fast(data, url).title
    return title.text if title else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=120)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    folder = corpora_folder() / CORPUS
    rows = corpora_.rows(folder)
    sample = random.Random(options.seed).sample(rows, min(options.sample, len(rows)))
    pages = [((folder / row["file"]).read_bytes(), row["url"]) for row in sample]
    truths = [row["title"] for row in sample]
    peers: dict[str, Peer] = {"ours, fast": _our_title}
    times, titles = measure(peers | installed_peers(), pages, options.rounds)
    scores = {name: _scores(found, truths) for name, found in titles.items()}
    scores["ours, fast"] = our_scores([row["file"] for row in sample])
    print_table(times, scores, [row["kind"] for row in sample])


def installed_peers() -> dict[str, Peer]:
    """What people use today, as far as it is installed."""
    try:
        import newspaper  # type: ignore[import-not-found,import-untyped,unused-ignore]
        from trafilatura.metadata import (  # type: ignore[import-not-found,import-untyped,unused-ignore]
            extract_metadata,
        )
    except ImportError:
        sys.exit("no trafilatura or no newspaper4k: pip install -e .[benchmarks]")
    return {
        "trafilatura": lambda data, url: extract_metadata(data, default_url=url).title,
        "newspaper4k, metadata": partial(_newspaper_metadata, newspaper),
        "newspaper4k, all": partial(_newspaper_all, newspaper),
    }


def _newspaper_metadata(newspaper: Any, data: bytes, url: str) -> str | None:
    """The steps of its `Article.parse` up to the body: title, authors, metadata, date."""
    article = newspaper.Article(url, fetch_images=False)
    article.doc = newspaper.parsers.fromstring(load(data).text)
    title: str | None = article.extractor.get_title(article.doc)
    article.extractor.get_authors(article.doc)
    article.extractor.get_metadata(url, article.doc)
    article.extractor.get_publishing_date(url, article.doc)
    return title


def _newspaper_all(newspaper: Any, data: bytes, url: str) -> str | None:
    article = newspaper.Article(url, fetch_images=False)
    article.download(input_html=load(data).text)
    article.parse()
    title: str | None = article.title
    return title


def measure(
    methods: dict[str, Peer], pages: Sequence[tuple[bytes, str]], rounds: int
) -> tuple[dict[str, list[float]], dict[str, list[str]]]:
    """Seconds of CPU time, in the quickest round, and titles of each method on each page."""
    times = {name: [float("inf")] * len(pages) for name in methods}
    titles = {name: [""] * len(pages) for name in methods}
    for method in methods.values():  # what is loaded on first use
        method(*pages[0])
    for number in range(rounds):
        for at, (data, url) in enumerate(pages):
            order = list(methods.items())
            for name, method in order if (number + at) % 2 else reversed(order):
                start = time.thread_time()
                try:
                    title = method(data, url)
                except Exception:  # noqa: BLE001 - a peer that fails has no title
                    title = None
                times[name][at] = min(times[name][at], time.thread_time() - start)
                titles[name][at] = title or ""
    return times, titles


def _scores(titles: Sequence[str], truths: Sequence[str]) -> list[float]:
    return [similarity(title, truth) for title, truth in zip(titles, truths, strict=True)]


def our_scores(names: Sequence[str]) -> list[float]:
    """The likeness of what a model chose that has not seen the page."""
    pages = list(parsed_pages(corpora_.Corpora()))
    chosen = {title.page.name: title.likeness for title in TITLE.held_out(pages)}
    return [chosen[name] for name in names]


def print_table(
    times: dict[str, list[float]], scores: dict[str, list[float]], kinds: Sequence[str]
) -> None:
    print(f"\n{len(kinds)} pages: average similarity, exact matches, and time relative to ours")
    print(f"  {'':<24}{'all':>8}{'exact':>8}{'service':>9}{'ms':>8}{'ratio':>8}{'of sums':>9}")
    ours = times["ours, fast"]
    for name, values in scores.items():
        service = [v for v, kind in zip(values, kinds, strict=True) if kind == "service"]
        ratio = statistics.median(t / o for t, o in zip(times[name], ours, strict=True))
        print(
            f"  {name:<24}{statistics.mean(values):>8.3f}"
            f"{statistics.mean(v == 1 for v in values):>8.3f}"
            f"{statistics.mean(service or [0]):>9.3f}"
            f"{statistics.median(times[name]) * 1e3:>8.1f}{ratio:>8.1f}"
            f"{sum(times[name]) / sum(ours):>9.1f}"
        )
    print("\n  times faster than")
    for name, target in TARGETS.items():
        ratio = statistics.median(t / o for t, o in zip(times[name], ours, strict=True))
        report(name, ratio, target, at_least=True)


if __name__ == "__main__":
    main()
